import { getRouteApi } from '@tanstack/react-router';
import { LinkedPostEditor } from './editor.tsx';

const route = getRouteApi('/venues/$id');

/** One venue. */
export function Screen() {
  const id = Number(route.useParams().id);
  return <LinkedPostEditor key={id} kind="venues" id={id} />;
}
