import { getRouteApi } from '@tanstack/react-router';
import { LinkedList } from './linked-list.tsx';

const route = getRouteApi('/venues');

/** The venues of the site. */
export function Screen() {
  const navigate = route.useNavigate();
  return (
    <LinkedList
      kind="venues"
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      onOpen={(id) => void navigate({ to: '/venues/$id', params: { id: String(id) } })}
    />
  );
}
