import { can, type Viewer } from '../../http/auth.ts';
import type { Event } from '../events/store.ts';

/** Whether somebody may make, change and delete the tickets of an event: of any, or of the own ones. */
export const mayManageTickets = (viewer: Viewer, event: Event): boolean =>
  can(viewer, 'manage_tickets') ||
  (can(viewer, 'manage_own_tickets') && viewer.account !== undefined && event.author_id === viewer.account.id);
