import { getRouteApi } from '@tanstack/react-router';
import { LinkedPostList } from './list.tsx';

const route = getRouteApi('/venues');

/** The places of events. */
export function Screen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <LinkedPostList
      kind="venues"
      filters={filters}
      onFilters={(next) => void navigate({ search: next })}
      onOpen={(id) => void navigate({ to: '/venues/$id', params: { id: String(id) } })}
    />
  );
}
