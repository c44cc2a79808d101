import type { Selectable } from 'kysely';
import type { OrdersTable } from '../../db/tables.ts';
import { addSeconds, type LocalTime } from '../../lib/dates.ts';

/** When an unpaid order returns its seats. */

/** Minutes until an unpaid order without an account expires. */
const GUEST_HOLD = 30;

/** The expiry of an order placed now without an account. `orderHold` is in minutes, 0 for never. */
export const guestExpiry = (now: LocalTime, orderHold: number): LocalTime =>
  addSeconds(now, 60 * Math.min(GUEST_HOLD, orderHold || GUEST_HOLD));

type OrderExpiry = Pick<Selectable<OrdersTable>, 'status' | 'expires_utc' | 'modified_utc'>;

/** When an unpaid order expires; null for never, and for all other orders. */
export function expiryOf({ status, expires_utc, modified_utc }: OrderExpiry, orderHold: number): LocalTime | null {
  if (status !== 'pending' || expires_utc === null) return null;
  if (expires_utc !== '') return expires_utc;
  return orderHold === 0 ? null : addSeconds(modified_utc, orderHold * 60);
}
