import type { Me } from '../../../packages/client/src/marquee-client.ts';

const PUBLISHED: ReadonlySet<string> = new Set(['publish', 'future', 'private']);

/** Whether a record stands on the pages, or will by itself. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/** Whether an account may change an event, a venue or an organizer, by the rule of the server. */
export function mayChange(
  { id, capabilities }: Pick<Me, 'id' | 'capabilities'>,
  { author, status }: { author: string; status: string },
): boolean {
  if (!capabilities.includes('edit') || (isPublished(status) && !capabilities.includes('edit_published'))) return false;
  return author === String(id) || capabilities.includes('edit_others');
}
