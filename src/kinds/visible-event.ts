import { can, mayRead, type Owned, type Viewer } from '../http/auth.ts';
import type { Looking } from '../http/endpoint.ts';
import type { LinkedPostKindName } from './linked-post-store.ts';

/** Parameters that name records: one that is not visible to the caller is answered like one that does not exist. */

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
  const visible = events.filter((event) => isVisibleTo(call.viewer, event));
  if (visible.length < new Set(ids).size) refuse(name, { key: 'param.event_unknown' });
}

/** The same for the venues or organizers that a filter names. */
export async function requireVisibleLinkedPosts(
  kind: LinkedPostKindName,
  ids: readonly number[],
  { call, refuse }: Looking,
): Promise<void> {
  if (ids.length === 0) return;
  const posts = await call.context.db.query
    .selectFrom('linked_posts')
    .select(['author_id', 'status'])
    .where('kind', '=', kind)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const visible = posts.filter((post) => isVisibleTo(call.viewer, post));
  if (visible.length < new Set(ids).size) refuse(kind, { key: `param.${kind}_unknown` });
}

/** Whether a caller may see a record: one in the trash only with the right to read those of others. */
export function isVisibleTo(viewer: Viewer, post: Owned): boolean {
  const isShut = post.status === 'trash' && !can(viewer, 'read_others');
  return !isShut && mayRead(viewer, post);
}
