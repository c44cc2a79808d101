import { addSeconds, type Wall } from '../../lib/dates.ts';
import type { Order } from './store.ts';

/** Minutes a stranger's order keeps its places while the site names no way to pay. */
const STRANGERS_HOLD = 30;

/** Until when a stranger's order made now keeps its places. `orderHold` in minutes, 0 for ever. */
export const strangersExpiry = (now: Wall, orderHold: number): Wall =>
  addSeconds(now, 60 * Math.min(STRANGERS_HOLD, orderHold || STRANGERS_HOLD));

type Expiring = Pick<Order, 'status' | 'expires_utc' | 'modified_utc'>;

/** Until when an unpaid order keeps its places; null for ever, and for orders that are not unpaid. */
export function expiryOf({ status, expires_utc, modified_utc }: Expiring, orderHold: number): Wall | null {
  if (status !== 'pending' || expires_utc === null) return null;
  if (expires_utc !== '') return expires_utc;
  return orderHold === 0 ? null : addSeconds(modified_utc, orderHold * 60);
}
