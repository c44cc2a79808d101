import { can, mayRead } from '../http/auth.ts';
import type { Looking } from '../http/endpoint.ts';

/** Refuses an `event` (or `post`) filter that names no event the caller may see: existing or not, the answer is the same. */
export const requireVisibleEvent = (name: string, id: number, looking: Looking): Promise<void> =>
  requireVisibleEvents(name, [id], looking);

/** The same for a list of ids, each of which has to be visible. */
export async function requireVisibleEvents(
  name: string,
  ids: readonly number[],
  { call, refuse }: Looking,
): Promise<void> {
  if (ids.length === 0) return;
  const events = await call.context.db.query
    .selectFrom('events')
    .select(['author_id', 'status'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const visible = events.filter((event) => {
    const isShut = event.status === 'trash' && !can(call.viewer, 'read_others');
    return !isShut && mayRead(call.viewer, event);
  });
  if (visible.length < new Set(ids).size) refuse(name, { key: 'param.event_unknown' });
}
