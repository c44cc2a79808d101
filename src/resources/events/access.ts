import type { Context } from '../../context.ts';
import { can, eventOfKey } from '../../http/auth.ts';
import type { Call } from '../../http/endpoint.ts';
import { isLocked } from '../../kinds/locked-events.ts';
import { toWall } from '../../lib/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { siteMoney } from '../../lib/money.ts';
import { createGuessLimit, type GuessLimit } from '../users/guesses.ts';
import type { Event } from './store.ts';
import type { TicketingRequest } from './ticketing.ts';
import type { EventLook } from './view.ts';

/** By process, since each has a context of its own. */
const limits = new WeakMap<Context, GuessLimit>();

/**
 * Counts a wrong password by the address of whoever sent it. One that opens any of the events is not wrong, though
 * others may have another.
 * @throws {ApiError} too_many_attempts
 */
export async function countGuess(call: Call, events: readonly Event[], password: string | undefined): Promise<void> {
  if (password === undefined) return;
  const shut = events.filter((event) => isLocked(event, call.viewer, undefined));
  if (shut.length === 0 || shut.some((event) => !isLocked(event, call.viewer, password))) return;
  const limit = limits.get(call.context) ?? createGuessLimit();
  limits.set(call.context, limit);
  await limit.spend(call.address);
}

/** How the caller gets to see events. */
export const lookOf = ({ urls, viewer, context, language, now }: Call): EventLook => ({
  urls,
  viewer,
  format: siteMoney(context.config),
  free: translate(language, 'label.free'),
  now: toWall(now),
});

/** What the caller may know of who comes. */
export const ticketingFor = ({ viewer, now }: Call, withAvailability = false): TicketingRequest => ({
  now: toWall(now),
  attendanceOf: can(viewer, 'read_attendees') ? (eventOfKey(viewer) ?? 'all') : 'none',
  withAvailability,
});
