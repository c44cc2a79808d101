import { getRouteApi } from '@tanstack/react-router';
import { LinkedPostEditor } from './editor.tsx';

const route = getRouteApi('/organizers/$id');

/** One organizer. */
export function Screen() {
  const id = Number(route.useParams().id);
  return <LinkedPostEditor key={id} kind="organizers" id={id} />;
}
