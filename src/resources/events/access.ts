import { timingSafeEqual } from 'node:crypto';
import { can, mayEdit, type Viewer } from '../../http/auth.ts';
import type { Call } from '../../http/endpoint.ts';
import { ownedAs } from '../../kinds/post.ts';
import { toWall } from '../../lib/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { siteMoney } from '../../lib/money.ts';
import type { Event } from './store.ts';
import type { TicketingRequest } from './ticketing.ts';
import type { EventLook } from './view.ts';

/** Text compared without telling by the time how much of it is right. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whether an event's password stands between it and the caller. */
export const isLocked = (event: Event, viewer: Viewer, password: string | undefined): boolean =>
  event.password !== '' && !mayEdit(viewer, ownedAs(event)) && !isSame(event.password, password ?? '');

/** How the caller gets to see events. */
export const lookOf = ({ urls, context, language, now }: Call): EventLook => ({
  urls,
  format: siteMoney(context.config),
  free: translate(language, 'label.free'),
  now: toWall(now),
});

/** What the caller may know of who comes. */
export const ticketingFor = ({ viewer, now }: Call, withAvailability = false): TicketingRequest => ({
  now: toWall(now),
  withAttendance: can(viewer, 'read_attendees'),
  withAvailability,
});
