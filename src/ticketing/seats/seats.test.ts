import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { effort } from '../../../test/thoroughness.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { ORDER_STATUSES } from '../orders/statuses.ts';
import {
  availabilityOf,
  capacitySql,
  findSeatCounts,
  hasSeatsSql,
  isShared,
  isSharedSql,
  type SeatCounts,
  sharedSum,
  takesSeat,
  takesSeatSql,
} from './seats.ts';

const NOW = '2026-11-21 17:00:00';
const EXPIRIES = ['2026-11-21 16:59:59', NOW, '2026-11-21 17:00:01'];
const EVENTS = 2;
const TICKETS_OF_EVENT = 3;
const CARTS = 3;

interface Hold {
  quantity: number;
  expires_utc: string;
}

interface StoredTicket {
  seats: SeatCounts['ticket'];
  /** At most one per cart. */
  holds: Hold[];
}

interface StoredEvent {
  tickets: StoredTicket[];
  shared: SeatCounts['shared'];
}

const few = fc.nat(4);
const counters = { capacity: fc.option(fc.nat(8)), sold: few, held: few };
const ticket: fc.Arbitrary<StoredTicket> = fc.record({
  seats: fc.record({ mode: fc.constantFrom('own', 'global', 'capped', ''), ...counters }),
  holds: fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), expires_utc: fc.constantFrom(...EXPIRIES) }), {
    maxLength: CARTS,
  }),
});
const event: fc.Arbitrary<StoredEvent> = fc.record({
  tickets: fc.array(ticket, { minLength: TICKETS_OF_EVENT, maxLength: TICKETS_OF_EVENT }),
  shared: fc.option(fc.record(counters), { nil: undefined }),
});

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const expiredOf = ({ holds }: StoredTicket): number =>
  sumOf(holds.filter(({ expires_utc }) => expires_utc <= NOW).map(({ quantity }) => quantity));

/** The results of the TypeScript rules for each ticket of an event. */
function expectedOf({ tickets, shared }: StoredEvent) {
  const drawing = tickets.filter(({ seats }) => isShared(seats.mode));
  const expiredShared = sumOf(drawing.map(expiredOf));
  return tickets.map((stored) => {
    const counts = { ticket: stored.seats, shared, expired: { own: expiredOf(stored), shared: expiredShared } };
    const { capacity, available } = availabilityOf(counts);
    return {
      counts,
      rules: {
        is_shared: isShared(stored.seats.mode),
        has_seats: available !== 0,
        capacity,
        shared_sold: sumOf(drawing.map(({ seats }) => seats.sold)),
        shared_held: sumOf(drawing.map(({ seats }) => seats.held)),
      },
    };
  });
}

describe.each(DATABASES)('the rules for seats on %s', (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;

  async function makeCarts(): Promise<number[]> {
    const values = Array.from({ length: CARTS }, (_, index) => ({ token_hash: `cart ${index}`, meta: '{}' }));
    const rows = await db()
      .query.insertInto('carts')
      .values(values.map((cart) => ({ ...cart, expires_utc: NOW })))
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async function makeTickets(): Promise<{ event_id: number; ids: number[] }[]> {
    const made: { event_id: number; ids: number[] }[] = [];
    while (made.length < EVENTS) {
      const event_id = await makeEvent(server());
      const ids: number[] = [];
      while (ids.length < TICKETS_OF_EVENT) ids.push((await makeTicket(server(), event_id)).id);
      made.push({ event_id, ids });
    }
    return made;
  }

  async function store(event_id: number, ids: readonly number[], carts: readonly number[], stored: StoredEvent) {
    const { query } = db();
    await query.deleteFrom('event_stock').where('event_id', '=', event_id).execute();
    await query.deleteFrom('cart_items').where('event_id', '=', event_id).execute();
    if (stored.shared)
      await query
        .insertInto('event_stock')
        .values({ event_id, ...stored.shared })
        .execute();
    for (const [index, { seats, holds }] of stored.tickets.entries()) {
      const ticket_id = ids[index] ?? 0;
      await query.updateTable('tickets').set(seats).where('id', '=', ticket_id).execute();
      const items = holds.map((hold, at) => ({ ...hold, ticket_id, event_id, cart_id: carts[at] ?? 0 }));
      for (const item of items)
        await query
          .insertInto('cart_items')
          .values({ ...item, optout: 0, position: 0 })
          .execute();
    }
  }

  /** The results of the SQL rules for each ticket. */
  async function statedOf(ids: readonly number[]) {
    const eventId = sql.ref('t.event_id');
    const { rows } = await sql<{ id: number } & Record<string, number | null>>`
      SELECT t.id, CASE WHEN ${isSharedSql('t')} THEN 1 ELSE 0 END AS is_shared,
        CASE WHEN ${hasSeatsSql(NOW)} THEN 1 ELSE 0 END AS has_seats, ${capacitySql} AS capacity,
        ${sharedSum('sold', eventId)} AS shared_sold, ${sharedSum('held', eventId)} AS shared_held
      FROM tickets AS t LEFT JOIN event_stock AS s ON s.event_id = t.event_id
      WHERE t.id IN (${sql.join([...ids])}) ORDER BY t.id`.execute(db().query);
    return rows.map((row) => ({
      is_shared: row.is_shared === 1,
      has_seats: row.has_seats === 1,
      capacity: row.capacity ?? -1,
      shared_sold: Number(row.shared_sold),
      shared_held: Number(row.shared_held),
    }));
  }

  it('agree in TypeScript and in SQL for any tickets, shared seats and holds', async () => {
    const carts = await makeCarts();
    const made = await makeTickets();
    const ids = made.flatMap((one) => one.ids);
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: EVENTS, maxLength: EVENTS }), async (events) => {
        for (const [index, stored] of events.entries()) {
          const { event_id, ids: ofEvent } = made[index]!;
          await store(event_id, ofEvent, carts, stored);
        }
        const expected = events.flatMap(expectedOf);
        expect(await statedOf(ids)).toEqual(expected.map(({ rules }) => rules));
        const counts = await findSeatCounts(db(), ids, NOW);
        expect(ids.map((id) => counts.get(id))).toEqual(expected.map((one) => one.counts));
      }),
      { numRuns: effort(300, 60) },
    );
  });

  it('agree in TypeScript and in SQL on which attendees take a seat', async () => {
    const { id } = await makeAttendee(server(), await makeRsvp(server(), await makeEvent(server())));
    const { query } = db();
    for (const attendance_status of ['yes', 'no', '', ...ORDER_STATUSES]) {
      for (const status of ['publish', 'trash']) {
        await query.updateTable('attendees').set({ status, attendance_status }).where('id', '=', id).execute();
        const found = await query.selectFrom('attendees').select('id').where(takesSeatSql('attendees')).execute();
        expect([status, attendance_status, found.length > 0]).toEqual([
          status,
          attendance_status,
          takesSeat({ status, attendance_status }),
        ]);
      }
    }
  });
});
