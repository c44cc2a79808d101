import { getRouteApi } from '@tanstack/react-router';
import { LinkedPostList } from './list.tsx';

const route = getRouteApi('/organizers');

/** Who organizes events. */
export function Screen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <LinkedPostList
      kind="organizers"
      filters={filters}
      onFilters={(next) => void navigate({ search: next })}
      onOpen={(id) => void navigate({ to: '/organizers/$id', params: { id: String(id) } })}
    />
  );
}
