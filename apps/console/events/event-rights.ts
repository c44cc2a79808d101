import type { Event, Me } from '../../../packages/client/src/marquee-client.ts';
import { hasRight } from '../frame/account.ts';

const PUBLISHED: ReadonlySet<string> = new Set(['publish', 'future', 'private']);

/** Whether an event stands on the pages, or will by itself. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/** Whether an account may change an event, as the server decides it. */
export function mayChange(me: Me, { author, status }: Pick<Event, 'author' | 'status'>): boolean {
  if (!hasRight(me, 'edit') || (isPublished(status) && !hasRight(me, 'edit_published'))) return false;
  return author === String(me.id) || hasRight(me, 'edit_others');
}
