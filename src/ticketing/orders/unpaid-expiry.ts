import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { OrdersTable } from '../../db/tables/ticketing.ts';
import type { Tables } from '../../db/tables.ts';
import { addSeconds, type LocalTime } from '../../lib/dates/dates.ts';

/** Expiry of unpaid orders, which returns their seats. */

/** Minutes until an unpaid order without an account expires. */
const VISITOR_HOLD = 30;

/** Expiry of an order placed now without an account. `orderHold` is in minutes, 0 for never. */
export const visitorExpiry = (now: LocalTime, orderHold: number): LocalTime =>
  addSeconds(now, 60 * Math.min(VISITOR_HOLD, orderHold || VISITOR_HOLD));

/** Delay in days of bank reports on transfers; customers are not told. */
export const BANK_DAYS = 1;

/** `hold_until` of an order that is kept until the last of its events ends. */
export const UNTIL_END = -1;

/** First start and last end of the events of an order, UTC. */
export interface OrderPeriod {
  starts: LocalTime;
  ends: LocalTime;
}

/**
 * Expiry of an unpaid order that depends on its events, by `hold_until` of the order.
 * @param atLeast earliest expiry
 * @param atMost latest expiry, whenever the events are
 */
export function expiryByEvents(
  holdUntil: number,
  { starts, ends }: OrderPeriod,
  atLeast: LocalTime,
  atMost?: LocalTime,
): LocalTime {
  const byEvents = holdUntil === UNTIL_END ? ends : addSeconds(starts, -holdUntil * 3600);
  const expires = atMost !== undefined && atMost < byEvents ? atMost : byEvents;
  return expires > atLeast ? expires : atLeast;
}

type OrderExpiry = Pick<Selectable<OrdersTable>, 'status' | 'expires_utc' | 'modified_utc'>;

/** Expiry of an unpaid order; null for never, and for all other orders. */
export function expiryOf({ status, expires_utc, modified_utc }: OrderExpiry, orderHold: number): LocalTime | null {
  if (status !== 'pending' || expires_utc === null) return null;
  if (expires_utc !== '') return expires_utc;
  return orderHold === 0 ? null : addSeconds(modified_utc, orderHold * 60);
}

/** Whether the `expiryOf` of a row of `orders` has passed, at a moment (UTC). */
export function isUnpaidExpired(
  eb: ExpressionBuilder<Tables, 'orders'>,
  now: LocalTime,
  orderHold: number,
): Expression<SqlBool> {
  const ownEnd = eb.and([eb('expires_utc', '<>', ''), eb('expires_utc', '<=', now)]);
  const heldSince = addSeconds(now, -orderHold * 60);
  const ends = orderHold === 0 ? [] : [eb.and([eb('expires_utc', '=', ''), eb('modified_utc', '<=', heldSince)])];
  // A literal, because partial indexes do not support bound values.
  return eb.and([eb('status', '=', sql.lit('pending')), eb.or([ownEnd, ...ends])]);
}
