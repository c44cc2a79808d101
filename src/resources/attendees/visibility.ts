import { can, eventOfKey, type Viewer } from '../../http/auth.ts';
import type { Event } from '../events/store.ts';
import type { Attendee } from './store.ts';

/** RSVP answers and order statuses whose attendees anybody may see. */
export const PUBLIC_STANDINGS: readonly string[] = ['yes', 'completed'];

/** Whether strangers may see an attendee: came to stay, did not opt out, and the event is open to all. */
export const isPublicAttendee = (
  { status, standing, optout }: Attendee,
  event: Pick<Event, 'status' | 'password'> | undefined,
): boolean =>
  event?.status === 'publish' &&
  event.password === '' &&
  status === 'publish' &&
  optout === 0 &&
  PUBLIC_STANDINGS.includes(standing);

const isWithinKey = (viewer: Viewer, eventId: number): boolean => {
  const bound = eventOfKey(viewer);
  return bound === undefined || bound === eventId;
};

/** Whether everything about the attendees of an event is shown to a caller. */
export const mayReadAttendees = (viewer: Viewer, eventId: number): boolean =>
  can(viewer, 'read_attendees') && isWithinKey(viewer, eventId);

/** Whether a caller may check the attendees of an event in and out. */
export const mayCheckIn = (viewer: Viewer, eventId: number): boolean =>
  can(viewer, 'check_in') && isWithinKey(viewer, eventId);
