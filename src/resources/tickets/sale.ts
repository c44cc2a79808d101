import type { Database } from '../../db/database.ts';
import { toWall } from '../../lib/dates.ts';
import { releaseExpired, SoldOut } from './stock.ts';
import { availabilities, findTicket } from './store.ts';

/**
 * Runs a sale. When there are not enough places, those that carts held for too long are given back, and if there were
 * any the sale is tried once more.
 * @throws {SoldOut} when there are still not enough
 */
export async function sell<T>(db: Database, now: Date, sale: () => Promise<T>): Promise<T> {
  try {
    return await sale();
  } catch (error) {
    if (!(error instanceof SoldOut) || (await releaseExpired(db, toWall(now))) === 0) throw error;
    return sale();
  }
}

/** Whether a ticket's own limit leaves nothing. Cheap and not binding: it spares a transaction that could only fail. */
export async function isSoldOut(db: Database, ticketId: number): Promise<boolean> {
  const ticket = await db.query
    .selectFrom('tickets')
    .select(['capacity', 'sold', 'held'])
    .where('id', '=', ticketId)
    .executeTakeFirst();
  return ticket !== undefined && ticket.capacity !== null && ticket.sold + ticket.held >= ticket.capacity;
}

/** How many places of a ticket are left, for the answer that says there are not enough. */
export async function placesLeft(db: Database, ticketId: number, now: Date): Promise<number> {
  const ticket = await findTicket(db, ticketId);
  if (!ticket) return 0;
  return (await availabilities(db, [ticket], toWall(now))).get(ticketId)?.available ?? 0;
}
