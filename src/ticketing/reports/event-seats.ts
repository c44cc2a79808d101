import { sql } from 'kysely';
import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import type { Database } from '../../db/database.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { integer } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { expiryOf } from '../orders/unpaid-expiry.ts';
import type { SharedSeats } from '../seats/seat-counters.ts';
import {
  availabilityOf,
  findSeatCounts,
  findTightestDates,
  isShared,
  type SeatCounts,
  type TightestDate,
  takesSeatSql,
} from '../seats/seats.ts';
import { findOwners } from '../tickets/event-scope.ts';
import type { Ticket } from '../tickets/store.ts';
import { findSharedSeats, findTicketsOfEvents } from '../tickets/store.ts';
import { accountOfPass, limitsOf, passSchema } from './seat-account.ts';

/** Report that accounts for every seat of an event, with all its tickets at once. */

/** Maximum number of orders and holds listed per ticket; all are counted. */
const MAX_LISTED = 20;

const places = z.int().describe('Places; -1 without a limit.');

const ticketSchema = z.object({
  ticket_id: z.int(),
  title: z.string(),
  pass: passSchema,
  mode: z.string().describe('`own`, `global`, `capped`; empty for no limit.'),
  capacity: places,
  available: places,
  sold: z.object({
    total: z.int(),
    replies: z.int().describe('RSVPs that take a place.'),
    orders: z.int().describe('Number of orders.'),
    latest_orders: z
      .array(
        z.object({
          order_id: z.int(),
          status: z.string(),
          places: z.int(),
          until_utc: utcTime.nullable().describe('When the unpaid order expires; otherwise null.'),
        }),
      )
      .describe(`At most ${MAX_LISTED}, latest first.`),
  }),
  held: z.object({
    total: z.int(),
    carts: z.int().describe('Number of carts that hold places.'),
    next_holds: z
      .array(z.object({ id: z.int().describe('For `DELETE /holds/{id}`.'), places: z.int(), until_utc: utcTime }))
      .describe(`At most ${MAX_LISTED}, earliest expiry first.`),
  }),
  blocked_by_others: z
    .int()
    .describe(
      'Places within its own limit that are unavailable because other tickets took the shared ones, or another date of a pass has fewer.',
    ),
  over: z.int().describe('Places taken beyond the capacity, after it was lowered.'),
});

const stockSchema = z
  .object({
    event_id: z.int(),
    tickets: z.array(ticketSchema),
    pool: z
      .object({
        capacity: places,
        sold: z.int(),
        held: z.int(),
        available: places,
        withdrawn: z.int().describe('Sold places of deleted tickets; included in `sold`.'),
        over: z.int().describe('Places taken beyond the capacity, after it was lowered.'),
      })
      .nullable()
      .describe('The places shared by tickets of the event; null if none are.'),
  })
  .meta({
    id: 'EventStock',
    description:
      'For each ticket and for the shared places: capacity + over = sold + held + available, with blocked_by_others for tickets.',
  });

type TicketStock = z.output<typeof ticketSchema>;

export const eventSeatsEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/events/{id}/stock',
  name: 'events.stock',
  summary: 'Read how the capacities of an event are used',
  description: 'All tickets of the event and their shared places, at one moment.',
  input: { id: integer('Id of the event.', { min: 1 }) },
  required: ['id'],
  responses: { 200: stockSchema },
  errors: ['rest_forbidden', 'rest-event-not-found'],
  find: async (input, ctx) => ({ events: await findOwners(ctx, [input.id ?? []].flat()) }),
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target),
  async handle(ctx, { id }) {
    const { context, now } = ctx;
    const found = await context.db.transaction(async (db) => {
      await db.dialect.snapshot(db);
      return findStock(db, id, toUtc(now));
    });
    if (!found) throw new ApiError('rest-event-not-found');
    return ok(await renderStock(id, found, ctx), PRIVATE_NO_STORE);
  },
});

interface Stock {
  tickets: Ticket[];
  counts: ReadonlyMap<number, SeatCounts>;
  shared: SharedSeats | undefined;
  tightest: ReadonlyMap<number, TightestDate>;
  orders: ReadonlyMap<number, OrderRow[]>;
  holds: ReadonlyMap<number, HoldRow[]>;
}

async function findStock(db: Database, eventId: number, now: LocalTime): Promise<Stock | undefined> {
  if (!(await findEvent(db, eventId))) return undefined;
  const tickets = await findTicketsOfEvents(db, [eventId]);
  const ids = tickets.map(({ id }) => id);
  const passes = tickets.map(({ pass_id }) => pass_id);
  return {
    tickets,
    counts: await findSeatCounts(db, ids, now),
    shared: await findSharedSeats(db, eventId),
    tightest: await findTightestDates(db, passes, now),
    orders: Map.groupBy(await findOrders(db, eventId), ({ ticket_id }) => ticket_id),
    holds: Map.groupBy(await findHolds(db, eventId, now), ({ ticket_id }) => ticket_id),
  };
}

interface OrderRow {
  ticket_id: number;
  order_id: number | null;
  status: string;
  places: number;
  /** Number of orders of the ticket; RSVPs count as one. */
  total: number;
  expires_utc: string | null;
  modified_utc: string | null;
}

/** The latest orders of each ticket; RSVPs, which have none, are one row with the first number. */
async function findOrders(db: Database, eventId: number): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    WITH sold AS (
      SELECT a.ticket_id, a.order_id, a.attendance_status AS status, count(*) AS places FROM attendees AS a
      WHERE a.event_id = ${eventId} AND ${takesSeatSql('a')} GROUP BY a.ticket_id, a.order_id, a.attendance_status
    ), numbered AS (
      SELECT sold.*, count(*) OVER (PARTITION BY ticket_id) AS total,
        row_number() OVER (PARTITION BY ticket_id ORDER BY coalesce(order_id, 0) DESC) AS number FROM sold
    )
    SELECT n.ticket_id, n.order_id, n.status, n.places, n.total, o.expires_utc, o.modified_utc
    FROM numbered AS n LEFT JOIN orders AS o ON o.id = n.order_id
    WHERE n.number <= ${MAX_LISTED} OR n.order_id IS NULL ORDER BY n.ticket_id, n.number`.execute(db.query);
  return rows.map((row) => ({ ...row, places: Number(row.places), total: Number(row.total) }));
}

interface HoldRow {
  ticket_id: number;
  id: number;
  places: number;
  until_utc: string;
  /** Number of holds of the ticket. */
  total: number;
}

async function findHolds(db: Database, eventId: number, now: LocalTime): Promise<HoldRow[]> {
  const { rows } = await sql<HoldRow>`
    SELECT ticket_id, id, places, until_utc, total FROM (
      SELECT ticket_id, cart_id AS id, quantity AS places, expires_utc AS until_utc,
        count(*) OVER (PARTITION BY ticket_id) AS total,
        row_number() OVER (PARTITION BY ticket_id ORDER BY expires_utc, cart_id) AS number
      FROM cart_items WHERE event_id = ${eventId} AND expires_utc > ${now}) AS numbered
    WHERE number <= ${MAX_LISTED} ORDER BY ticket_id, number`.execute(db.query);
  return rows.map((row) => ({ ...row, total: Number(row.total) }));
}

async function renderStock(eventId: number, stock: Stock, ctx: RequestContext): Promise<z.output<typeof stockSchema>> {
  const texts = await loadTranslations(
    ctx,
    stock.tickets.map(({ id }) => ({ kind: 'ticket', id })),
  );
  const tickets = stock.tickets.flatMap((ticket) => {
    const counts = stock.counts.get(ticket.id);
    return counts ? renderTicket(texts.show('ticket', ticket), counts, { stock, ctx }) : [];
  });
  return { event_id: eventId, tickets, pool: poolOf(stock, tickets) };
}

function renderTicket(
  { id, title, mode, pass_id }: Ticket,
  counts: SeatCounts,
  { stock, ctx }: { stock: Stock; ctx: RequestContext },
): TicketStock {
  const { sold, held, capacity, available } = availabilityOf(counts);
  const { blocked_by_others, over } = limitsOf(counts);
  const rows = stock.orders.get(id) ?? [];
  const rsvps = rows.filter(({ order_id }) => order_id === null);
  const orders = rows.filter(({ order_id }) => order_id !== null).slice(0, MAX_LISTED);
  const holds = stock.holds.get(id) ?? [];
  const { orderHold } = ctx.context.config;
  return {
    ticket_id: id,
    title,
    mode,
    capacity,
    available,
    sold: {
      total: sold,
      replies: rsvps.reduce((sum, row) => sum + row.places, 0),
      orders: (rows[0]?.total ?? 0) - rsvps.length,
      latest_orders: orders.map(({ order_id, status, places: count, expires_utc, modified_utc }) => ({
        order_id: Number(order_id),
        status,
        places: count,
        until_utc: expiryOf({ status, expires_utc, modified_utc: modified_utc ?? '' }, orderHold),
      })),
    },
    held: {
      total: held,
      carts: holds[0]?.total ?? 0,
      next_holds: holds.map(({ id: hold, places: count, until_utc }) => ({ id: hold, places: count, until_utc })),
    },
    blocked_by_others,
    over,
    ...(pass_id !== null && accountOfPass({ available, blocked_by_others }, pass_id, stock.tightest.get(pass_id))),
  };
}

/** The shared seats, without expired holds: sums over the tickets that draw on them. */
function poolOf({ shared }: Stock, tickets: readonly TicketStock[]) {
  const drawing = tickets.filter(({ mode }) => isShared(mode));
  if (!shared || drawing.length === 0) return null;
  const held = drawing.reduce((sum, ticket) => sum + ticket.held.total, 0);
  const sold = drawing.reduce((sum, ticket) => sum + ticket.sold.total, 0);
  const left = (shared.capacity ?? Infinity) - shared.sold - held;
  return {
    capacity: shared.capacity ?? -1,
    sold: shared.sold,
    held,
    available: left === Infinity ? -1 : Math.max(0, left),
    withdrawn: shared.sold - sold,
    over: Math.max(0, -left),
  };
}
