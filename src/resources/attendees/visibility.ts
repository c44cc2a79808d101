import type { Event } from '../events/store.ts';
import type { Attendee } from './store.ts';

/** RSVP answers and order statuses whose attendees anybody may see. */
export const PUBLIC_STATUSES: readonly string[] = ['yes', 'completed'];

/** Whether strangers may see an attendee: came to stay, did not opt out, and the event is open to all. */
export const isPublicAttendee = (
  { status, attendance_status, optout }: Attendee,
  event: Pick<Event, 'status' | 'password'> | undefined,
): boolean =>
  event?.status === 'publish' &&
  event.password === '' &&
  status === 'publish' &&
  optout === 0 &&
  PUBLIC_STATUSES.includes(attendance_status);
