import { can, mayRead } from '../http/auth.ts';
import type { Looking } from '../http/endpoint.ts';

/** Refuses an `event` (or `post`) filter that names no event the caller may see: existing or not, the answer is the same. */
export async function requireVisibleEvent(name: string, id: number, { call, refuse }: Looking): Promise<void> {
  const { query } = call.context.db;
  const event = await query
    .selectFrom('events')
    .select(['author_id', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  const isShut = event?.status === 'trash' && !can(call.viewer, 'read_others');
  if (!event || isShut || !mayRead(call.viewer, event)) refuse(name, { key: 'param.event_unknown' });
}
