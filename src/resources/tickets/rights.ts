import { can, mayEdit, type Viewer } from '../../http/auth.ts';
import { ownedAs } from '../../kinds/post.ts';
import type { Event } from '../events/store.ts';

/** Whether somebody may make, change and delete the tickets of an event. */
export const mayManageTickets = (viewer: Viewer, event: Event): boolean =>
  can(viewer, 'manage_tickets') || mayEdit(viewer, ownedAs(event));
