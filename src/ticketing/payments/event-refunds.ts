import { sql } from 'kysely';
import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, filledText, integer } from '../../http/input/schemas.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { findPaymentsOfOrders, isOffline } from '../ledger/payments.ts';
import { portionsOf } from '../ledger/refunds.ts';
import { amountSchema, renderAmount } from '../orders/amounts.ts';
import {
  type DueOrder,
  enqueueEventRefund,
  eventRefundKey,
  eventRefundSource,
  findDueOrders,
  isCancelled,
  mayRefundEvents,
} from './refund-event.ts';

/** Refund of a cancelled event, for staff. */

/** Short, because a job keeps it until its end. */
const MAX_REASON = 200;
const SLICE = 1000;
const MAX_LISTED = 100;

const sumsSchema = z.array(amountSchema.extend({ currency: z.string() })).describe('By currency.');

const ordersSchema = z.array(z.object({ id: z.int(), number: z.string() }));

const eventRefundsSchema = z
  .object({
    event_id: z.int(),
    is_running: z.boolean().describe('Whether orders are being refunded.'),
    error: z.string().describe('Why the last attempt failed; empty if none did.'),
    left: z
      .object({
        orders: z.int(),
        places: z.int(),
        sums: sumsSchema,
        at_services: sumsSchema.describe('The part that payment services give back, by currency.'),
        offline: sumsSchema.describe('The part that was received offline and is paid out by staff, by currency.'),
      })
      .describe('Still to be refunded.'),
    done: z.object({ orders: z.int(), sums: sumsSchema }).describe('Refunds of this action that have not failed.'),
    failed: z
      .object({ refunds: z.int(), orders: ordersSchema })
      .describe(`Refunds that the payment service refused. At most ${MAX_LISTED} orders are listed.`),
    by_hand: z
      .object({ count: z.int(), orders: ordersSchema })
      .describe(
        `Paid orders with places that are left to staff: with an open or disputed payment, a check-in, a pass, or money kept on purpose. At most ${MAX_LISTED} are listed.`,
      ),
  })
  .meta({ id: 'EventRefunds', description: 'Progress of the refund of a cancelled event.' });

const eventId = integer('Id of the event.', { min: 1 });

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/events/{id}/refunds',
  name: 'events.refunds',
  summary: 'Read the progress of the refund of an event',
  input: { id: eventId },
  required: ['id'],
  responses: { 200: eventRefundsSchema },
  errors: ['rest_forbidden', 'rest-event-not-found'],
  may: mayRefundEvents,
  async handle(ctx, { id }) {
    if (!(await findEvent(ctx.context.db, id))) throw new ApiError('rest-event-not-found');
    return ok(await progressOf(ctx, id), PRIVATE_NO_STORE);
  },
});

const start = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/events/{id}/refunds',
  name: 'events.refund',
  summary: 'Give the money of a cancelled event back',
  description:
    'Cancels the paid places of the event in all orders, and gives their price back, in the background. Orders without other events are refunded in full, fees included. The request can be repeated, also after a failure: nothing is given back twice.',
  input: {
    id: eventId,
    reason: filledText('Reason, for the log.', { max: MAX_REASON }),
    dry_run: boolean('true: only say what would be given back.'),
  },
  required: ['id'],
  body: 'EventRefundInput',
  responses: { 200: eventRefundsSchema },
  errors: ['rest_forbidden', 'rest-event-not-found', 'event-not-cancelled'],
  may: mayRefundEvents,
  async handle(ctx, { id, reason = '', dry_run = false }) {
    const { db } = ctx.context;
    if (!(await findEvent(db, id))) throw new ApiError('rest-event-not-found');
    if (!(await isCancelled(db, id))) throw new ApiError('event-not-cancelled');
    if (!dry_run) {
      const user = ctx.viewer.account?.id ?? 0;
      const means = ctx.actor?.credential.means ?? 'session';
      await enqueueEventRefund(db, { event: id, user, means, reason }, ctx.now);
    }
    return ok(await progressOf(ctx, id), PRIVATE_NO_STORE);
  },
});

async function progressOf(ctx: RequestContext, event: number): Promise<z.output<typeof eventRefundsSchema>> {
  const { db } = ctx.context;
  const due: DueOrder[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const slice: DueOrder[] = await findDueOrders(db, event, { after, limit: SLICE });
    due.push(...slice);
    after = slice.length === SLICE ? slice.at(-1)?.id : undefined;
  }
  const jobs = await db.query
    .selectFrom('jobs')
    .select(['state', 'error'])
    .where('key', '=', eventRefundKey(event))
    .orderBy('id')
    .execute();
  const refunds = await findRefundSums(ctx, event);
  const given = refunds.filter(({ status }) => status !== 'failed');
  const failed = refunds.filter(({ status }) => status === 'failed');
  const byHand = await findLeftToStaff(ctx, event, new Set(due.map(({ id }) => id)));
  const { atServices, offline } = await portionsOfOrders(ctx, due);
  return {
    event_id: event,
    is_running: jobs.some(({ state }) => state !== 'dead'),
    error: jobs.at(-1)?.error ?? '',
    left: {
      orders: due.length,
      places: due.reduce((sum, { places }) => sum + places, 0),
      sums: sumsOf(ctx, due),
      at_services: sumsOf(ctx, atServices),
      offline: sumsOf(ctx, offline),
    },
    done: { orders: new Set(given.map(({ order_id }) => order_id)).size, sums: sumsOf(ctx, given) },
    failed: { refunds: failed.length, orders: namesOf(failed.map(({ order_id }) => order_id)) },
    by_hand: byHand,
  };
}

function sumsOf({ context }: RequestContext, rows: readonly { currency: string; amount: number }[]) {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    ...renderAmount(
      own.reduce((sum, { amount }) => sum + Number(amount), 0),
      siteMoney(context.config, currency),
    ),
  }));
}

/** Amounts to be given back by payment services, and by staff. */
async function portionsOfOrders({ context }: RequestContext, due: readonly DueOrder[]) {
  const payments = await findPaymentsOfOrders(
    context.db,
    due.map(({ id }) => id),
  );
  const byOrder = Map.groupBy(payments, ({ order_id }) => order_id);
  const portions = due.flatMap(({ id, currency, amount: wanted }) =>
    portionsOf(byOrder.get(id) ?? [], wanted).map(({ payment, amount }) => ({
      currency,
      amount,
      isOffline: isOffline(payment),
    })),
  );
  return {
    atServices: portions.filter((portion) => !portion.isOffline),
    offline: portions.filter((portion) => portion.isOffline),
  };
}

const namesOf = (ids: readonly number[]) =>
  [...new Set(ids)].slice(0, MAX_LISTED).map((id) => ({ id, number: orderNumber(id) }));

/** Refunds of the action. */
const findRefundSums = ({ context }: RequestContext, event: number) =>
  context.db.query
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.order_id', 'refunds.status', 'refunds.amount', 'orders.currency'])
    .where('refunds.order_id', 'in', ({ selectFrom }) =>
      selectFrom('order_items').select('order_items.order_id').where('event_id', '=', event),
    )
    .where('refunds.source', '=', eventRefundSource(event))
    .execute();

/** Paid orders with places of the event that are left to staff. */
async function findLeftToStaff({ context }: RequestContext, event: number, due: ReadonlySet<number>) {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT order_id AS id FROM attendees WHERE event_id = ${event} AND status = 'publish'
      AND EXISTS (SELECT 1 FROM payments WHERE payments.order_id = attendees.order_id
        AND payments.status NOT IN ('failed', 'cancelled', 'lost') AND payments.amount > payments.refunded)
    ORDER BY order_id`.execute(context.db.query);
  const left = rows.filter(({ id }) => !due.has(id));
  return { count: left.length, orders: namesOf(left.map(({ id }) => id)) };
}

export const eventRefundEndpoints: readonly AnyEndpoint[] = [read, start];
