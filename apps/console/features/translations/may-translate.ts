import type { Event, Me } from '../../../../packages/client/src/marquee-client.ts';
import { mayChange, mayManageTickets } from '../../data/post-rights.ts';
import type { Kind } from './kinds.ts';

interface Translated {
  kind: Kind;
  record: { id?: number; author?: unknown; status?: unknown; trashed_from?: unknown };
  /** The event of a ticket. */
  event?: Pick<Event, 'author' | 'status'> | undefined;
}

/** Whether an account may write the texts of a record, by the rules of the server. */
export function mayTranslate(me: Pick<Me, 'id' | 'capabilities'>, { kind, record, event }: Translated): boolean {
  const can = (...rights: Me['capabilities']) => rights.every((right) => me.capabilities.includes(right));
  const author = String(record.author ?? '');
  if (kind === 'category') return can('edit', 'manage_categories');
  if (kind === 'tag') return can('edit', 'manage_tags');
  if (kind === 'media') return can('upload') && (author === String(me.id) || can('edit_others'));
  if (kind === 'ticket') return event !== undefined && mayManageTickets(me, event);
  const { trashed_from } = record;
  return mayChange(me, {
    author,
    status: String(record.status ?? ''),
    trashed_from: typeof trashed_from === 'string' ? trashed_from : undefined,
  });
}
