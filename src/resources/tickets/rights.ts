import { can, isPublished, type Viewer } from '../../http/auth.ts';
import type { Event } from '../events/store.ts';

/** Whether somebody may make, change and delete the tickets of an event: of any, or of those they may also edit. */
export function mayManageTickets(viewer: Viewer, event: Pick<Event, 'author_id' | 'status'>): boolean {
  if (can(viewer, 'manage_tickets')) return true;
  const isOwn = viewer.account !== undefined && event.author_id === viewer.account.id;
  return isOwn && can(viewer, isPublished(event.status) ? 'manage_own_published_tickets' : 'manage_own_tickets');
}

/** Whether there may be events whose tickets somebody may manage: all events, or those of their own. */
export const mayManageSomeTickets = (viewer: Viewer): boolean =>
  can(viewer, 'manage_tickets') || (viewer.account !== undefined && can(viewer, 'manage_own_tickets'));
