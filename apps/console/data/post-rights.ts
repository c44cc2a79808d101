import type { Account } from './rights.ts';

const PUBLISHED: ReadonlySet<string> = new Set(['publish', 'future', 'private']);

/** Whether a record is published or scheduled. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/** Fields that decide who may change a record. */
interface Post {
  author: string;
  status: string;
  trashed_from?: string | undefined;
}

/** Whether an account may change an event, a venue or an organizer, by the rule of the server. */
export function mayChange({ id, capabilities }: Account, { author, status, trashed_from = status }: Post): boolean {
  if (!capabilities.includes('edit')) return false;
  if (isPublished(trashed_from) && !capabilities.includes('edit_published')) return false;
  return author === String(id) || capabilities.includes('edit_others');
}

/** Whether an account may make and change the tickets of an event, by the rule of the server. */
export function mayManageTickets({ id, capabilities }: Account, { author, status }: Post): boolean {
  if (capabilities.includes('manage_tickets')) return true;
  const own = isPublished(status) ? 'manage_own_published_tickets' : 'manage_own_tickets';
  return author === String(id) && capabilities.includes(own);
}
