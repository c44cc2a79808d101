import type { Event } from '../events/store.ts';
import { isAdmitted } from './admission.ts';
import type { Attendee } from './store.ts';

/** Whether strangers may see an attendee: admitted, not opted out, and the event is public. */
export const isPublicAttendee = (attendee: Attendee, event: Pick<Event, 'status' | 'password'> | undefined): boolean =>
  event?.status === 'publish' && event.password === '' && attendee.optout === 0 && isAdmitted(attendee);
