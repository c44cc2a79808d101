import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { can } from '../../http/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { integer } from '../../http/input.ts';
import { toWall } from '../../lib/dates.ts';
import { COUNTED_STATUSES, type EventStock, isShared, type Ticket } from './stock.ts';
import { findEventStock, findTicket } from './store.ts';
import { expiryOf } from './unpaid-expiry.ts';

/** Where every place of a ticket is. */

const places = z.int().describe('Places; -1 without a limit.');

const poolSchema = z.object({
  capacity: places,
  sold: z.int(),
  held: z.int(),
  available: places,
  blocked_by_cap: z.int().describe('Shared places that are left, but not for this ticket, because it is capped.'),
  over: z.int().describe('Places given away beyond the capacity, after it was lowered.'),
});

const availabilitySchema = z
  .object({
    ticket_id: z.int(),
    event_id: z.int(),
    mode: z.string(),
    capacity: places,
    available: places,
    sold: z.object({
      total: z.int(),
      rsvp: z.int().describe('Replies that take a place.'),
      by_order: z.array(
        z.object({
          order_id: z.int(),
          status: z.string(),
          places: z.int(),
          until: z.string().nullable().describe('UTC, of an unpaid order that is given up then; else null.'),
        }),
      ),
    }),
    held: z.object({
      total: z.int(),
      by_cart: z.array(z.object({ cart_id: z.int(), places: z.int(), until: z.string().describe('UTC.') })),
    }),
    blocked_by_others: z.int().describe('Places of its own limit that are gone because others took the shared ones.'),
    over: z.int().describe('Places given away beyond the capacity, after it was lowered.'),
    pool: poolSchema.nullable().describe('The places the event shares among tickets, if this ticket draws from them.'),
  })
  .meta({
    id: 'Availability',
    description:
      'capacity + over = sold + held + available + blocked_by_others; for the pool the same with blocked_by_cap.',
  });

export const availabilityEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/tickets/{id}/availability',
  name: 'tickets.availability',
  summary: 'Explain where every place of a ticket is',
  input: { id: integer('Id of the ticket.') },
  required: ['id'],
  answers: { 200: availabilitySchema },
  errors: ['rest_forbidden', 'ticket-not-found'],
  find: async () => undefined,
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle({ context, now }, { id }) {
    const report = await context.db.transaction(async (db) => {
      await db.dialect.snapshot(db);
      return explain(db, id, { now: toWall(now), orderHold: context.config.orderHold });
    });
    if (!report) throw new ApiError('ticket-not-found');
    return ok(report);
  },
});

async function explain(db: Database, id: number, { now, orderHold }: { now: string; orderHold: number }) {
  const ticket = await findTicket(db, id);
  if (!ticket) return undefined;
  const carts = await db.query
    .selectFrom('cart_items')
    .select(['cart_id', 'quantity as places', 'expires_utc as until'])
    .where('ticket_id', '=', id)
    .where('expires_utc', '>', now)
    .orderBy('expires_utc')
    .orderBy('cart_id')
    .execute();
  const orders = await soldByOrder(db, id);
  const byOrder = orders.filter((order) => order.order_id !== null);
  const held = carts.reduce((sum, cart) => sum + cart.places, 0);
  const stock = isShared(ticket.mode) ? await findEventStock(db, ticket.event_id) : undefined;
  const expired = stock ? await expiredShared(db, ticket.event_id, now) : 0;
  return {
    ticket_id: id,
    event_id: ticket.event_id,
    mode: ticket.mode,
    ...limitsOf({ ticket, held, stock, expired }),
    sold: {
      total: ticket.sold,
      rsvp: orders.filter((order) => order.order_id === null).reduce((sum, order) => sum + order.places, 0),
      by_order: byOrder.map(({ order_id, status, places: taken, expires_utc, modified_utc }) => ({
        order_id: Number(order_id),
        status,
        places: taken,
        until: expiryOf({ status, expires_utc, modified_utc: modified_utc ?? '' }, orderHold),
      })),
    },
    held: { total: held, by_cart: carts },
  };
}

async function soldByOrder(db: Database, ticketId: number) {
  const rows = await db.query
    .selectFrom('attendees')
    .leftJoin('orders', 'orders.id', 'attendees.order_id')
    .select(['order_id', 'attendance_status as status', sql<number>`count(*)`.as('places')])
    .select(['orders.expires_utc', 'orders.modified_utc'])
    .where('ticket_id', '=', ticketId)
    .where('attendees.status', '=', 'publish')
    .where('attendance_status', 'in', [...COUNTED_STATUSES])
    .groupBy(['order_id', 'attendance_status', 'orders.expires_utc', 'orders.modified_utc'])
    .orderBy('order_id')
    .execute();
  return rows.map((row) => ({ ...row, places: Number(row.places) }));
}

/** Shared places that carts held until before now and that the next sweep gives back. */
async function expiredShared(db: Database, eventId: number, now: string): Promise<number> {
  const { expired } = await db.query
    .selectFrom('cart_items')
    .innerJoin('tickets', 'tickets.id', 'cart_items.ticket_id')
    .select(sql<number>`coalesce(sum(quantity), 0)`.as('expired'))
    .where('cart_items.event_id', '=', eventId)
    .where('tickets.mode', 'in', ['global', 'capped'])
    .where('cart_items.expires_utc', '<=', now)
    .executeTakeFirstOrThrow();
  return Number(expired);
}

interface Counted {
  ticket: Ticket;
  /** By carts whose time is not over. */
  held: number;
  stock: EventStock | undefined;
  /** Shared places held by carts whose time is over. */
  expired: number;
}

const over = (capacity: number, assertFound: number): number =>
  capacity < 0 ? 0 : Math.max(0, assertFound - capacity);
const left = (capacity: number, assertFound: number): number =>
  capacity < 0 ? Infinity : Math.max(0, capacity - assertFound);
const shown = (amount: number): number => (amount === Infinity ? -1 : amount);

function limitsOf({ ticket, held, stock, expired }: Counted) {
  const capacity = ticket.capacity ?? -1;
  const own = left(capacity, ticket.sold + held);
  if (!isShared(ticket.mode)) {
    return {
      capacity,
      available: shown(own),
      blocked_by_others: 0,
      over: over(capacity, ticket.sold + held),
      pool: null,
    };
  }
  const shared = {
    capacity: stock?.capacity ?? (stock ? -1 : 0),
    sold: stock?.sold ?? 0,
    held: (stock?.held ?? 0) - expired,
  };
  const pool = left(shared.capacity, shared.sold + shared.held);
  const available = Math.min(own, pool);
  const isCapped = ticket.mode === 'capped' && own !== Infinity;
  return {
    capacity: isCapped ? capacity : shared.capacity,
    available: shown(available),
    blocked_by_others: isCapped ? own - available : otherPlaces(ticket, held, shared),
    over: isCapped ? over(capacity, ticket.sold + held) : over(shared.capacity, shared.sold + shared.held),
    pool: {
      ...shared,
      available: shown(available),
      blocked_by_cap: pool === Infinity ? 0 : pool - available,
      over: over(shared.capacity, shared.sold + shared.held),
    },
  };
}

/** A ticket without a limit of its own may use every shared place that no other ticket has. */
const otherPlaces = (ticket: Ticket, held: number, shared: { capacity: number; sold: number; held: number }): number =>
  shared.capacity < 0 ? 0 : shared.sold - ticket.sold + shared.held - held;
