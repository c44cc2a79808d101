import { getRouteApi } from '@tanstack/react-router';
import { LinkedList } from './linked-list.tsx';

const route = getRouteApi('/organizers');

/** The organizers of the site. */
export function Screen() {
  const navigate = route.useNavigate();
  return (
    <LinkedList
      kind="organizers"
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      onOpen={(id) => void navigate({ to: '/organizers/$id', params: { id: String(id) } })}
    />
  );
}
