import { z } from 'zod';
import type { DoorDevice, Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText, integer, oneOf } from '../../http/input/schemas.ts';
import { addSeconds, dayStart, localDay, localToUtc, toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { findAttendee, findAttendeesOfOrder } from '../attendees/store.ts';
import { customerChange } from '../orders/holder-input.ts';
import { logStep } from '../orders/order-log.ts';
import { SALE_ERRORS, saleLines, sellAtCounter } from '../orders/staff/counter-sale.ts';
import { runOrderAction } from '../orders/staff/order-action.ts';
import { isUnpaid } from '../orders/statuses.ts';
import { findOrder } from '../orders/store.ts';
import { takeMoney } from '../payments/take-money.ts';
import { findAvailability } from '../seats/seats.ts';
import { findTicketsOfEvents, getTranslatedTickets, priceOn } from '../tickets/store.ts';
import { type Gate, ticketsOf } from './gate-store.ts';
import { getGate } from './greeting.ts';
import { findListedById, rowMaker } from './list-rows.ts';
import { findSale, insertSale, type Sale, sumSales, takingsSchema, together } from './sale-store.ts';

/** The box office at the door: what devices of gates with `may_sell` sell, and the money that they take. */

const SALE_ID = /^[\w-]{8,64}$/;
/** A shift may end after midnight: a day begins at six in the morning. */
const NIGHT_SECONDS = 6 * 3600;
const MAX_AMOUNT = 100_000_000_000;

const saleId = filledText('Random id of the sale, by which it is done once: 8 to 64 letters, digits, `_` and `-`.', {
  max: 64,
});
const payment = oneOf('`cash`, `card` for a terminal, or `free` for free orders.', ['cash', 'card', 'free']);

const isDevice = ({ device }: Viewer): boolean => device !== undefined;

/** @throws {ApiError} rest_forbidden, 403, if the gate does not sell */
function checkSells({ may_sell }: Gate): void {
  if (may_sell === 0) throw new ApiError('rest_forbidden', { status: 403 });
}

function checkId(id: string): void {
  if (!SALE_ID.test(id)) throw invalidParam('id', 'param.filled_text');
}

const offersSchema = z
  .object({
    currency: z.string(),
    tickets: z.array(
      z.object({
        id: z.int(),
        event_id: z.int(),
        title: z.string(),
        price: z.int().describe('Today’s price without fees and taxes that are added, in minor units.'),
        available: z.int().nullable().describe('Places left; null without a limit.'),
      }),
    ),
  })
  .meta({ id: 'DoorOffers', description: 'Tickets that a device may sell.' });

const offers = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/offers',
  name: 'door.offers',
  summary: 'List tickets that a device may sell',
  description: 'For devices of gates with `may_sell`. RSVPs are left out.',
  input: {},
  responses: { 200: offersSchema },
  errors: ['rest_forbidden'],
  may: isDevice,
  async handle(ctx) {
    const gate = await getGate(ctx, assertFound(ctx.viewer.device));
    checkSells(gate);
    const { db, config } = ctx.context;
    const only = ticketsOf(gate);
    const sold = (await findTicketsOfEvents(db, gate.events)).filter(
      ({ id, provider }) => provider === 'tc' && (only.length === 0 || only.includes(id)),
    );
    const ids = sold.map(({ id }) => id);
    const [texts, seats] = await Promise.all([
      getTranslatedTickets(ctx, ids),
      findAvailability(db, ids, toUtc(ctx.now)),
    ]);
    const today = localDay(toUtc(ctx.now), config.timezone);
    return ok(
      {
        currency: config.currency,
        tickets: sold.map((ticket) => {
          const available = seats.get(ticket.id)?.available ?? 0;
          return {
            ...{ id: ticket.id, event_id: ticket.event_id, title: texts.get(ticket.id)?.title ?? ticket.title },
            ...{ price: priceOn(ticket, today), available: available < 0 ? null : available },
          };
        }),
      },
      PRIVATE_NO_STORE,
    );
  },
});

const soldSchema = z
  .object({
    id: z.string(),
    order: z.object({ number: z.string(), total: z.int().describe('Minor units.'), currency: z.string() }),
    amount: z.int().describe('Money that was taken, in minor units.'),
    payment: z.string(),
    attendees: z
      .array(z.object({ id: z.int(), event_id: z.int(), ticket_id: z.int(), name: z.string() }))
      .describe('Attendees of the order for events of the gate; the list has their rows when it next synchronises.'),
  })
  .meta({ id: 'DoorSale', description: 'A sale at the door, or money that was taken for an order.' });

async function renderSale(ctx: RequestContext, gate: Gate, sale: Sale): Promise<z.output<typeof soldSchema>> {
  const { db, siteKey } = ctx.context;
  const order = await findOrder(db, sale.order_id);
  const held = await findAttendeesOfOrder(db, sale.order_id);
  const here = held.filter(({ event_id, status }) => gate.events.includes(event_id) && status === 'publish');
  const make = rowMaker(gate, siteKey);
  const rows = await findListedById(
    db,
    here.map(({ id }) => id),
  );
  return {
    id: sale.sale_id,
    order: { number: orderNumber(sale.order_id), total: order?.total ?? sale.amount, currency: sale.currency },
    ...{ amount: sale.amount, payment: sale.payment },
    attendees: rows.map(make).map(([id, event_id, ticket_id, , , , name]) => ({ id, event_id, ticket_id, name })),
  };
}

/**
 * Makes a sale once, and responds with it. A repeated id gets the first sale, even if the gate may no longer sell. The
 * later of two concurrent requests fails, since the row exists.
 */
async function once(ctx: RequestContext, id: string, sell: (at: Till) => Promise<unknown>) {
  checkId(id);
  const device = assertFound(ctx.viewer.device);
  const gate = await getGate(ctx, device);
  const find = () => findSale(ctx.context.db, device.id, id);
  const respond = async (sale: Sale) => created(await renderSale(ctx, gate, sale), PRIVATE_NO_STORE);
  const known = await find();
  if (known) return respond(known);
  try {
    checkSells(gate);
    await sell({ gate, device });
  } catch (error) {
    const earlier = await find();
    if (earlier) return respond(earlier);
    throw error;
  }
  return respond(assertFound(await find()));
}

/** Gate and device that sell. */
interface Till {
  gate: Gate;
  device: DoorDevice;
}

const stepOf = (ctx: RequestContext, { gate, device }: Till) => ({
  details: { gate: gate.name, device: device.name },
  ...{ userId: 0, now: ctx.now },
});

const sell = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/sales',
  name: 'door.sell',
  summary: 'Sell places at the door',
  description:
    'For devices of gates with `may_sell`, under the rules of the counter: at today’s prices, whether or not the tickets are on sale for the public. The order is completed at once, and its history names gate and device. The same `id` again gets the first sale.',
  input: { id: saleId, items: saleLines, payment, purchaser: customerChange },
  required: ['id', 'items', 'payment'],
  body: 'DoorSaleInput',
  responses: { 201: soldSchema },
  errors: SALE_ERRORS,
  may: isDevice,
  handle: (ctx, { id, items, ...sale }) =>
    once(ctx, id, ({ gate, device }) => {
      const only = ticketsOf(gate);
      const isRefused = items.some(
        ({ ticket_id, price }) => price !== undefined || (only.length > 0 && !only.includes(ticket_id)),
      );
      if (isRefused) throw invalidParam('items', 'param.sale_ticket');
      return sellAtCounter(ctx, {
        ...{ items, ...sale, within: new Set(gate.events) },
        async also(db, order) {
          await logStep(db, order, { action: 'sale', ...stepOf(ctx, { gate, device }) });
          await insertSale(db, {
            ...{ device_id: device.id, sale_id: id, gate_id: gate.id, order_id: order.id },
            ...{ kind: 'sale', payment: order.gateway, amount: order.total },
            ...{ currency: order.currency, sold_utc: toUtc(ctx.now) },
          });
        },
      });
    }),
});

const pay = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/payments',
  name: 'door.take_payment',
  summary: 'Take the money of an unpaid order at the door',
  description:
    'For devices of gates with `may_sell`. Takes all that the order of the attendee owes and completes it. Refused if that is not `amount`, such as after a change of the order. The same `id` again gets the first response.',
  input: {
    id: saleId,
    attendee: integer('An attendee of the order, for an event of the gate.', { min: 1 }),
    amount: integer('What the device has shown as owed, in minor units.', { min: 1, max: MAX_AMOUNT }),
    payment: oneOf('`cash`, or `card` for a terminal.', ['cash', 'card']),
  },
  required: ['id', 'attendee', 'amount', 'payment'],
  body: 'DoorPaymentInput',
  responses: { 201: soldSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'order-not-payable', 'payment-open'],
  may: isDevice,
  handle: (ctx, { id, attendee: attendeeId, amount, payment: method }) =>
    once(ctx, id, async ({ gate, device }) => {
      const attendee = await findAttendee(ctx.context.db, attendeeId);
      const orderId = attendee?.order_id ?? null;
      if (!attendee || !gate.events.includes(attendee.event_id) || orderId === null)
        throw new ApiError('order-not-payable');
      const action = { id: orderId, isDryRun: false };
      await runOrderAction({ ...ctx, expectedRevisions: undefined }, action, async (db, order) => {
        // Orders whose places were given up are left to the counter.
        if (!isUnpaid(order.status)) throw new ApiError('order-not-payable');
        const received = await takeMoney(db, order, { method, ctx });
        if (received !== amount) throw invalidParam('amount', 'param.left_to_pay', { max: received });
        const step = { action: 'payment', ...stepOf(ctx, { gate, device }) } as const;
        await logStep(db, { id: orderId, status: 'completed' }, step);
        await insertSale(db, {
          ...{ device_id: device.id, sale_id: id, gate_id: gate.id, order_id: orderId },
          ...{ kind: 'payment', payment: method, amount: received, currency: order.currency },
          sold_utc: toUtc(ctx.now),
        });
      });
    }),
});

const sums = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/sales',
  name: 'door.sales',
  summary: 'Read the sum of a shift',
  description:
    'For paired devices: what this device and its gate have taken today, by payment method. A day lasts until six in the morning.',
  input: {},
  responses: {
    200: z
      .object({ device: takingsSchema, gate: takingsSchema })
      .meta({ id: 'DoorTakings', description: 'Sums of today.' }),
  },
  errors: ['rest_forbidden'],
  may: isDevice,
  async handle({ context: { db, config }, viewer, now }) {
    const device = assertFound(viewer.device);
    const local = utcToLocal(addSeconds(toUtc(now), -NIGHT_SECONDS), config.timezone);
    const since = localToUtc(addSeconds(dayStart(local), NIGHT_SECONDS), config.timezone).utc;
    const rows = await sumSales(db, { gate: device.gateId, since });
    const own = rows.filter(({ device_id }) => device_id === device.id);
    return ok({ device: together(own), gate: together(rows) }, PRIVATE_NO_STORE);
  },
});

export const doorSaleEndpoints: AnyEndpoint[] = [offers, sell, pay, sums];
