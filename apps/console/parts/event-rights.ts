import type { Event, Me } from '../../../packages/client/src/marquee-client.ts';

const PUBLISHED: ReadonlySet<string> = new Set(['publish', 'future', 'private']);

/** Whether an event stands on the pages, or will by itself. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/** Whether an account may change an event, by the rule of the server. */
export function mayChange(
  { id, capabilities }: Pick<Me, 'id' | 'capabilities'>,
  { author, status }: Pick<Event, 'author' | 'status'>,
): boolean {
  if (!capabilities.includes('edit') || (isPublished(status) && !capabilities.includes('edit_published'))) return false;
  return author === String(id) || capabilities.includes('edit_others');
}
