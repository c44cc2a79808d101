import type { Me } from '../../../packages/client/src/marquee-client.ts';
import { mayChange } from '../record/post-rights.ts';
import type { Kind } from './kinds.ts';
import type { TextRecord } from './text-kind.ts';

/** Whether an account may write the texts of a record, by the rules of the server as far as the record shows them. */
export function mayTranslate(me: Pick<Me, 'id' | 'capabilities'>, kind: Kind, record: TextRecord): boolean {
  const can = (...rights: Me['capabilities']) => rights.every((right) => me.capabilities.includes(right));
  const author = String(record.author ?? '');
  if (kind === 'category') return can('edit', 'manage_categories');
  if (kind === 'tag') return can('edit', 'manage_tags');
  if (kind === 'media') return can('upload') && (author === String(me.id) || can('edit_others'));
  // Whose event it is for stands elsewhere.
  if (kind === 'ticket') return can('manage_tickets') || can('manage_own_tickets');
  return mayChange(me, { author, status: String(record.status ?? '') });
}
