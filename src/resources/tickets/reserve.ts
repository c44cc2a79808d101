import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { toWall } from '../../lib/dates.ts';
import { availabilityOf, releaseExpired, SoldOut } from './stock.ts';

/**
 * Runs a sale. When there are not enough places, those that carts held for too long are given back, and if any are free
 * then, by whoever gave them back, the sale is tried once more.
 * @throws {SoldOut} when there are still not enough
 */
export async function withExpiredReleased<T>(db: Database, now: Date, sale: () => Promise<T>): Promise<T> {
  try {
    return await sale();
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    await releaseExpired(db, toWall(now));
    if ((await placesLeft(db, error.ticketId, now)) === 0) throw error;
    return sale();
  }
}

/**
 * How many places of a ticket are left, those of carts whose time is over included; -1 without a limit. Not binding:
 * it spares a transaction that could only fail, and says what there is to whoever is refused. One statement, because
 * everybody who comes too late asks.
 */
export async function placesLeft(db: Database, ticketId: number, now: Date): Promise<number> {
  const utc = toWall(now);
  const expired = sql<number>`SELECT coalesce(sum(quantity), 0) FROM cart_items AS c WHERE c.expires_utc <= ${utc}`;
  const row = await db.query
    .selectFrom('tickets as t')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .select(['t.mode', 't.capacity', 't.sold', 't.held'])
    .select(['s.event_id as shared', 's.capacity as shared_capacity', 's.sold as shared_sold', 's.held as shared_held'])
    .select(sql<number>`(${expired} AND c.ticket_id = t.id)`.as('expired'))
    .select(
      sql<number>`(${expired} AND c.event_id = t.event_id AND c.ticket_id IN
        (SELECT id FROM tickets WHERE event_id = t.event_id AND mode IN ('global', 'capped')))`.as('shared_expired'),
    )
    .where('t.id', '=', ticketId)
    .where('t.is_deleted', '=', 0)
    .executeTakeFirst();
  if (!row) return 0;
  const { shared, shared_capacity: capacity, shared_sold, shared_held } = row;
  const stock = shared === null ? undefined : { capacity, sold: shared_sold ?? 0, held: shared_held ?? 0 };
  return availabilityOf(row, stock, { own: Number(row.expired), shared: Number(row.shared_expired) }).available;
}
