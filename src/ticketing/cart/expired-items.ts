import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { findAvailability } from '../tickets/seats/seats.ts';
import { returnSeats, SoldOut, takeSeats } from '../tickets/seats/stock.ts';
import { getTickets, isOnSaleAt } from '../tickets/store.ts';
import { isExpired } from './holds.ts';
import type { CartItem } from './store.ts';

/** The tickets of the cart that are no longer available; none if its items are no longer known. */
export const cartExpired = (tickets: { ticket_id: number; quantity: number; available: number }[] = []): ApiError =>
  new ApiError('cart-expired', { data: { tickets } });

/**
 * Handles a checkout after the holds of the cart expired: returns its seats and takes them again like any other cart.
 * @param items claimed from the cart
 * @throws {ApiError} cart-expired, with each ticket that is no longer available in full
 */
export async function retakeExpired(db: Database, items: readonly CartItem[], now: LocalTime): Promise<void> {
  const expired = items.filter((item) => isExpired(item, now));
  if (expired.length === 0) return;
  await returnSeats(db, expired, 'held');
  const wanted = await findShortfalls(db, expired, now);
  const missing = wanted.filter(({ quantity, available }) => available < quantity);
  if (missing.length > 0) throw cartExpired(missing);
  try {
    await takeSeats(db, expired, 'held');
  } catch (error) {
    throw error instanceof SoldOut ? cartExpired(wanted) : error;
  }
}

/** How many seats of each ticket are available, regardless of the other tickets. */
async function findShortfalls(db: Database, items: readonly CartItem[], now: LocalTime) {
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await getTickets(db, ids);
  const left = await findAvailability(db, ids, now);
  return items.map(({ ticket_id, quantity }) => {
    const ticket = tickets.get(ticket_id);
    const available = ticket && isOnSaleAt(ticket, now) ? (left.get(ticket_id)?.available ?? 0) : 0;
    return { ticket_id, quantity, available: available < 0 ? quantity : available };
  });
}
