import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { integer } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { expiryOf } from '../orders/unpaid-expiry.ts';
import { availabilityOf, findSeatCounts, findTightestDates, takesSeatSql } from '../seats/seats.ts';
import { findOwners } from '../tickets/event-scope.ts';
import { findTicket } from '../tickets/store.ts';
import { accountOfPass, limitsOf, passSchema } from './seat-account.ts';

/** Report that accounts for every seat of a ticket. */

const seats = z.int().describe('Places; -1 without a limit.');

const poolSchema = z.object({
  capacity: seats,
  sold: z.int(),
  held: z.int(),
  available: seats,
  blocked_by_cap: z.int().describe('Shared places that are left but unavailable to this ticket because of its cap.'),
  over: z.int().describe('Places taken beyond the capacity, after it was lowered.'),
});

const availabilitySchema = z
  .object({
    ticket_id: z.int(),
    event_id: z.int(),
    pass: passSchema,
    mode: z.string(),
    capacity: seats,
    available: seats,
    sold: z.object({
      total: z.int(),
      rsvp: z.int().describe('RSVPs that take a place.'),
      by_order: z.array(
        z.object({
          order_id: z.int(),
          status: z.string(),
          places: z.int(),
          until: z.string().nullable().describe('When the unpaid order expires, UTC; otherwise null.'),
        }),
      ),
    }),
    held: z.object({
      total: z.int(),
      by_cart: z.array(z.object({ cart_id: z.int(), places: z.int(), until: z.string().describe('UTC.') })),
    }),
    blocked_by_others: z
      .int()
      .describe(
        'Places within its own limit that are unavailable because other tickets took the shared ones, or another date of a pass has fewer.',
      ),
    over: z.int().describe('Places taken beyond the capacity, after it was lowered.'),
    pool: poolSchema.nullable().describe('The places shared by tickets of the event, if this ticket uses them.'),
  })
  .meta({
    id: 'Availability',
    description:
      'capacity + over = sold + held + available + blocked_by_others; for shared places with blocked_by_cap instead.',
  });

export const availabilityEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/tickets/{id}/availability',
  name: 'tickets.availability',
  summary: 'Read how the capacity of a ticket is used',
  input: { id: integer('Id of the ticket.') },
  required: ['id'],
  responses: { 200: availabilitySchema },
  errors: ['rest_forbidden', 'ticket-not-found'],
  async find({ id }, ctx) {
    const ticket = id === undefined ? undefined : await findTicket(ctx.context.db, id);
    return { events: ticket ? await findOwners(ctx, [ticket.event_id]) : [] };
  },
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target),
  async handle({ context, now }, { id }) {
    const report = await context.db.transaction(async (db) => {
      await db.dialect.snapshot(db);
      return accountFor(db, id, { now: toUtc(now), orderHold: context.config.orderHold });
    });
    if (!report) throw new ApiError('ticket-not-found');
    return ok(report);
  },
});

async function accountFor(db: Database, id: number, { now, orderHold }: { now: string; orderHold: number }) {
  const ticket = await findTicket(db, id);
  const counts = (await findSeatCounts(db, [id], now)).get(id);
  if (!ticket || !counts) return undefined;
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
  const { held, sold, capacity, available } = availabilityOf(counts);
  const limits = limitsOf(counts);
  const { pass_id } = ticket;
  const tightest = await findTightestDates(db, [pass_id], now);
  return {
    ticket_id: id,
    event_id: ticket.event_id,
    mode: ticket.mode,
    capacity,
    available,
    ...limits,
    ...(pass_id !== null && accountOfPass({ ...limits, available }, pass_id, tightest.get(pass_id))),
    sold: {
      total: sold,
      rsvp: orders.filter((order) => order.order_id === null).reduce((sum, order) => sum + order.places, 0),
      by_order: byOrder.map(({ order_id, status, places, expires_utc, modified_utc }) => ({
        order_id: Number(order_id),
        status,
        places,
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
    .where(takesSeatSql('attendees'))
    .groupBy(['order_id', 'attendance_status', 'orders.expires_utc', 'orders.modified_utc'])
    .orderBy('order_id')
    .execute();
  return rows.map((row) => ({ ...row, places: Number(row.places) }));
}
