import { getRouteApi, useLocation } from '@tanstack/react-router';
import { kindAt } from './kinds.ts';
import { LinkedList } from './linked-list.tsx';

/** The records of the kind that the path names. */
export function Screen() {
  const kind = kindAt(useLocation().pathname);
  // The lists of all kinds have the same filters.
  const route = getRouteApi(`/${kind}` as '/venues');
  const navigate = route.useNavigate();
  return (
    <LinkedList
      key={kind}
      kind={kind}
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      onOpen={(id) => void navigate({ to: `/${kind}/$id`, params: { id: String(id) } })}
    />
  );
}
