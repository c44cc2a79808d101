import { can, eventOfKey, type Viewer } from '../../http/auth.ts';
import type { Event } from '../events/store.ts';
import { isAdmitted } from './admission.ts';
import type { Attendee } from './store.ts';

/** Whether strangers may see an attendee: admitted, not opted out, and the event is public. */
export const isPublicAttendee = (attendee: Attendee, event: Pick<Event, 'status' | 'password'> | undefined): boolean =>
  event?.status === 'publish' && event.password === '' && attendee.optout === 0 && isAdmitted(attendee);

const isGranted = (viewer: Viewer, capability: 'read_attendees' | 'check_in', eventId: number): boolean =>
  can(viewer, capability) && (eventOfKey(viewer, capability) ?? eventId) === eventId;

/** Whether a caller may see everything about the attendees of an event. */
export const mayReadAttendees = (viewer: Viewer, eventId: number): boolean =>
  isGranted(viewer, 'read_attendees', eventId);

/** Whether a caller may check the attendees of an event in and out. */
export const mayCheckIn = (viewer: Viewer, eventId: number): boolean => isGranted(viewer, 'check_in', eventId);
