import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { EventScope } from '../../http/core/auth.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';
import type { SharedSeats } from '../seats/seat-counters.ts';
import { isShared } from '../seats/seats.ts';
import type { Ticket } from '../tickets/store.ts';
import { findTicketsOfEvents } from '../tickets/store.ts';

/** Sales, as alerts tell staff about them. */

/** Few places are left if at most one in this many is free. */
const FEW = 10;
/** Events looked at together. */
const PAGE = 200;

/** Places of an event as a whole. */
export interface Scarcity {
  capacity: number;
  left: number;
}

export interface ScarceEvent extends Scarcity {
  id: number;
  author_id: number;
}

/** The places of an event; undefined if it has no limit, no tickets, or more than a few places left. */
export const findScarcity = async (db: Database, eventId: number): Promise<Scarcity | undefined> =>
  (await findScarcities(db, [eventId])).get(eventId);

async function findScarcities(db: Database, eventIds: readonly number[]): Promise<Map<number, Scarcity>> {
  if (eventIds.length === 0) return new Map();
  const tickets = Map.groupBy(await findTicketsOfEvents(db, eventIds), ({ event_id }) => event_id);
  const stock = await db.query.selectFrom('event_stock').selectAll().where('event_id', 'in', eventIds).execute();
  const pools = new Map(stock.map((pool) => [pool.event_id, pool]));
  return new Map(
    [...tickets].flatMap(([id, own]) => {
      const scarcity = scarcityOf(own, pools.get(id));
      return scarcity ? [[id, scarcity]] : [];
    }),
  );
}

function scarcityOf(tickets: readonly Ticket[], shared: SharedSeats | undefined): Scarcity | undefined {
  const pool = tickets.some(({ mode }) => isShared(mode)) ? shared : undefined;
  const own = tickets.filter(({ mode }) => !isShared(mode));
  const parts = [...own, ...(pool ? [pool] : [])];
  if (parts.length === 0 || parts.some(({ capacity }) => capacity === null)) return undefined;
  const capacity = parts.reduce((sum, part) => sum + (part.capacity ?? 0), 0);
  const left = parts.reduce((sum, part) => sum + Math.max(0, (part.capacity ?? 0) - part.sold), 0);
  return capacity > 0 && left * FEW <= capacity ? { capacity, left } : undefined;
}

/**
 * Published events to come that are sold out or nearly so, the next ones first, a page at a time, so that events with
 * earlier alerts keep out no others.
 */
export async function* findScarceEvents(db: Database, now: LocalTime): AsyncGenerator<ScarceEvent[]> {
  let last = { utc_start_date: '', id: 0 };
  for (;;) {
    const { utc_start_date: start, id: before } = last;
    const { rows } = await sql<{ id: number; author_id: number; utc_start_date: LocalTime }>`
      SELECT events.id, events.author_id, events.utc_start_date FROM events
      WHERE events.status = 'publish' AND events.utc_end_date > ${now}
        AND (events.utc_start_date > ${start} OR events.utc_start_date = ${start} AND events.id > ${before})
        AND events.id IN (
          SELECT event_id FROM tickets WHERE is_deleted = 0 AND capacity > 0 AND sold * ${sql.lit(FEW)} >= capacity * ${sql.lit(FEW - 1)}
          UNION SELECT event_id FROM event_stock WHERE capacity > 0 AND sold * ${sql.lit(FEW)} >= capacity * ${sql.lit(FEW - 1)}
        ) ORDER BY events.utc_start_date, events.id LIMIT ${sql.lit(PAGE)}`.execute(db.query);
    const scarcities = await findScarcities(
      db,
      rows.map(({ id }) => id),
    );
    yield rows.flatMap(({ id, author_id }) => {
      const scarcity = scarcities.get(id);
      return scarcity ? [{ id, author_id, ...scarcity }] : [];
    });
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = end;
  }
}

/** Orders that were placed after `from` and until `to`, as far as a scope includes them, and their totals by currency. */
export async function countOrders(
  { query }: Database,
  { scope, from, to }: { scope: EventScope; from: LocalTime; to: LocalTime },
): Promise<{ count: number; totals: readonly { currency: string; minor: number }[] }> {
  const conditions = orderConditionsOf(scope, sql.ref('orders.id'), 'orders');
  const rows = await query
    .selectFrom('orders')
    .select([
      'currency',
      ({ fn }) => fn.countAll<number>().as('count'),
      ({ fn }) => fn.sum<number>('total').as('total'),
    ])
    .where('date_utc', '>', from)
    .where('date_utc', '<=', to)
    .where((eb) => eb.and(conditions))
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  return {
    count: rows.reduce((sum, { count }) => sum + Number(count), 0),
    totals: rows.map(({ currency, total }) => ({ currency, minor: Number(total) })),
  };
}
