import type { Selectable } from 'kysely';
import type { OrdersTable } from '../../db/tables.ts';
import { addSeconds, type LocalTime } from '../../lib/dates.ts';

/** When an unpaid order gives its places back. */

/** Minutes until an unpaid order without an account expires. */
const STRANGERS_HOLD = 30;

/** When an order without an account that is placed now expires. `orderHold` in minutes, 0 for never. */
export const guestExpiry = (now: LocalTime, orderHold: number): LocalTime =>
  addSeconds(now, 60 * Math.min(STRANGERS_HOLD, orderHold || STRANGERS_HOLD));

type OrderExpiry = Pick<Selectable<OrdersTable>, 'status' | 'expires_utc' | 'modified_utc'>;

/** When an unpaid order expires; null for never, and for orders that are not unpaid. */
export function expiryOf({ status, expires_utc, modified_utc }: OrderExpiry, orderHold: number): LocalTime | null {
  if (status !== 'pending' || expires_utc === null) return null;
  if (expires_utc !== '') return expires_utc;
  return orderHold === 0 ? null : addSeconds(modified_utc, orderHold * 60);
}
