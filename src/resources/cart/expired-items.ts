import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { LocalTime } from '../../lib/dates.ts';
import { findAvailability } from '../tickets/seats.ts';
import { returnSeats, SoldOut, takeSeats } from '../tickets/stock.ts';
import { getTickets, isOnSaleAt } from '../tickets/store.ts';
import type { CartItem } from './store.ts';

/** What was in the cart and cannot be had any more; without any when nobody knows what it was. */
export const cartExpired = (tickets: { ticket_id: number; quantity: number; available: number }[] = []): ApiError =>
  new ApiError('cart-expired', { data: { tickets } });

/**
 * A checkout after the time of the cart: the places that it held are given back and taken again, as if by a newcomer.
 * @param items claimed from the cart
 * @throws {ApiError} cart-expired, with each ticket that can no longer be had in full
 */
export async function retakeExpired(db: Database, items: readonly CartItem[], now: LocalTime): Promise<void> {
  const late = items.filter(({ expires_utc }) => expires_utc <= now);
  if (late.length === 0) return;
  await returnSeats(db, late, 'held');
  const wanted = await judge(db, late, now);
  const missing = wanted.filter(({ quantity, available }) => available < quantity);
  if (missing.length > 0) throw cartExpired(missing);
  try {
    await takeSeats(db, late, 'held');
  } catch (error) {
    throw error instanceof SoldOut ? cartExpired(wanted) : error;
  }
}

/** How many of the wanted places there are, each ticket by itself. */
async function judge(db: Database, items: readonly CartItem[], now: LocalTime) {
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await getTickets(db, ids);
  const left = await findAvailability(db, ids, now);
  return items.map(({ ticket_id, quantity }) => {
    const ticket = tickets.get(ticket_id);
    const available = ticket && isOnSaleAt(ticket, now) ? (left.get(ticket_id)?.available ?? 0) : 0;
    return { ticket_id, quantity, available: available < 0 ? quantity : available };
  });
}
