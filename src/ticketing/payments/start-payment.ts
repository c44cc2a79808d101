import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { isOpenPayment } from '../ledger/payment-statuses.ts';
import {
  type Entry,
  findPayment,
  findPaymentsOfOrder,
  insertPayment,
  MAX_PAYMENTS,
  movePayment,
  openOf,
  type Payment,
  settledOf,
} from '../ledger/payments.ts';
import { getOrder, type Order } from '../orders/store.ts';
import { expiryOf } from '../orders/unpaid-expiry.ts';
import { checkPayment, closePayment, endUnseen, hasCancelledEvent } from './check-payment.ts';
import { GatewayRefusal, GatewayUnavailable, type PaymentRequest } from './gateways/gateway.ts';
import { callGateway, keyAtGateway } from './gateways/gateways.ts';

/** Payment of an order at a gateway, as its customer begins or continues it. */

export interface PaymentChoice {
  /** Id of the payment method, and its gateway. */
  method: string;
  gateway: string;
  /** Page to which the gateway sends the customer afterwards. */
  returnUrl: string;
  /** Page for customers who give up. */
  cancelUrl: string;
  description: string;
  /** BCP 47. */
  language: string;
}

/**
 * Opens the page of the gateway on which an order is paid, or returns the one that is open. A payment that was begun
 * with another method or amount is ended at its gateway first.
 * @throws {ApiError} order-not-payable, payment-open while an earlier payment is being processed, payment-refused,
 *   payment-unavailable
 */
export async function startPayment(context: Context, orderId: number, choice: PaymentChoice): Promise<Payment> {
  const entry: Entry = { source: 'customer', userId: 0, now: context.now() };
  const payment = await choosePayment(context, orderId, { choice, entry });
  if (payment.status === 'open') return payment;
  const order = await getPayable(context.db, context, orderId);
  const request = await beginStart(context, payment, requestOf(context, { order, payment, choice }));
  if (!request) return getOpened(context.db, payment.id);
  return openPage(context, payment, { request, entry });
}

/**
 * The open payment of an order for a choice, or a new one.
 * @throws {ApiError}
 */
async function choosePayment(
  context: Context,
  orderId: number,
  { choice, entry }: { choice: PaymentChoice; entry: Entry },
): Promise<Payment> {
  const order = await getPayable(context.db, context, orderId);
  const payments = await findPaymentsOfOrder(context.db, orderId);
  const due = order.total - settledOf(payments);
  const open = openOf(payments);
  if (open.some(({ status }) => status !== 'created' && status !== 'open')) throw new ApiError('payment-open');
  const own = open.find(({ method, amount }) => method === choice.method && amount === due);
  if (own && !(await endOutdated(context, own, entry))) return own;
  if (payments.length >= MAX_PAYMENTS) throw new ApiError('order-not-payable');
  for (const payment of open)
    if (payment !== own) await closePayment(context, payment, { ...entry, source: 'other-payment' });
  return context.db.transaction(async (db) => {
    await db.dialect.lockRow(db, { table: 'orders', id: orderId });
    const current = await getPayable(db, context, orderId);
    const present = await findPaymentsOfOrder(db, orderId);
    const [other] = openOf(present);
    // Another tab was faster.
    if (other) return other;
    if (present.length >= MAX_PAYMENTS) throw new ApiError('order-not-payable');
    const amount = current.total - settledOf(present);
    if (amount <= 0) throw new ApiError('order-not-payable');
    const { method, gateway, returnUrl: return_url } = choice;
    if (current.gateway !== method)
      await db.query.updateTable('orders').set({ gateway: method }).where('id', '=', orderId).execute();
    return insertPayment(
      db,
      { order_id: orderId, gateway, method, amount, currency: current.currency, return_url },
      entry,
    );
  });
}

/** Seconds after which a payment that is not open yet is given up: the same request might be refused for a day. */
const START_TIME = 180;
/** Seconds after which the page of a payment may have ended, so that the gateway is asked. */
const PAGE_TIME = 30 * 60;

/**
 * Ends an open payment that may no longer lead to a page.
 * @returns whether it has ended
 * @throws {ApiError} payment-open if the customer has paid meanwhile
 */
async function endOutdated(context: Context, payment: Payment, entry: Entry): Promise<boolean> {
  const age = secondsBetween(payment.created_utc, toUtc(entry.now));
  if (payment.status === 'created') return age > START_TIME && (await endUnseen(context.db, payment, entry));
  if (age <= PAGE_TIME) return false;
  await enquire(context, payment, entry);
  const after = await findPayment(context.db, payment.id);
  if (after?.status === 'open') return false;
  if (!after || isOpenPayment(after)) throw new ApiError('payment-open');
  return true;
}

/** Asks the gateway for the state of a payment; if it does not respond, the periodic look asks again. */
async function enquire(context: Context, payment: Payment, entry: Entry): Promise<void> {
  try {
    await checkPayment(context, payment.id, entry);
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRefusal)) throw error;
  }
}

/**
 * An order that waits for its payment, with no place in a cancelled event.
 * @throws {ApiError} order-not-payable
 */
export async function getPayable(db: Database, { config, now }: Context, id: number): Promise<Order> {
  const order = await getOrder(db, id);
  const expires = expiryOf(order, config.orderHold);
  const isOver = order.status !== 'pending' || (expires !== null && expires <= toUtc(now()));
  if (isOver || (await hasCancelledEvent(db, id))) throw new ApiError('order-not-payable');
  return order;
}

interface RequestParts {
  order: Order;
  payment: Payment;
  choice: PaymentChoice;
}

function requestOf(context: Context, { order, payment, choice }: RequestParts): PaymentRequest {
  return {
    id: payment.id,
    key: keyAtGateway(context, `payment-${payment.id}`, [order.id, payment.amount, payment.created_utc]),
    orderNumber: orderNumber(order.id),
    amount: payment.amount,
    currency: payment.currency,
    description: choice.description,
    email: order.purchaser_email,
    language: choice.language,
    returnUrl: payment.return_url || choice.returnUrl,
    cancelUrl: choice.cancelUrl,
    ends: sessionEnd(context, order),
  };
}

/** Minutes that the page of a gateway stays open, with a margin to the limits of gateways: 30 minutes to a day. */
const SHORTEST_SESSION = 31;
const LONGEST_SESSION = 1435;

/**
 * End of the page of a gateway: as its order, at most `MARQUEE_PAY_WITHIN` from now. It may stay open longer than the
 * order keeps its places, which ends the payment first.
 */
function sessionEnd({ config, now }: Context, order: Order): LocalTime {
  const after = (minutes: number) => addSeconds(toUtc(now()), minutes * 60);
  const expires = expiryOf(order, config.orderHold) ?? after(LONGEST_SESSION);
  const [earlier = ''] = [expires, after(Math.min(config.payWithin, LONGEST_SESSION))].sort();
  const shortest = after(SHORTEST_SESSION);
  return earlier > shortest ? earlier : shortest;
}

/**
 * Records a request before it is sent, so that after an interruption the same one is repeated and finds the same page.
 * @returns the recorded one, which may be older; undefined if another tab has opened the page meanwhile
 * @throws {ApiError} order-not-payable if the payment has ended meanwhile
 */
async function beginStart(
  { db }: Context,
  payment: Payment,
  request: PaymentRequest,
): Promise<PaymentRequest | undefined> {
  const recorded = await db.transaction(async ({ query }) => {
    await query
      .updateTable('payments')
      .set({ request: JSON.stringify(request) })
      .where('id', '=', payment.id)
      .where('status', '=', 'created')
      .where('request', '=', '')
      .execute();
    return query.selectFrom('payments').select(['request', 'status']).where('id', '=', payment.id).executeTakeFirst();
  });
  if (recorded?.status === 'open') return undefined;
  if (recorded?.status !== 'created' || recorded.request === '') throw new ApiError('order-not-payable');
  // Written above.
  return JSON.parse(recorded.request) as PaymentRequest;
}

/**
 * Opens the page of a payment whose request is recorded.
 * @throws {ApiError} payment-refused, payment-unavailable
 */
async function openPage(
  context: Context,
  payment: Payment,
  { request, entry }: { request: PaymentRequest; entry: Entry },
): Promise<Payment> {
  try {
    return await sendStart(context, payment, { request, entry });
  } catch (error) {
    if (error instanceof GatewayRefusal) throw new ApiError('payment-refused');
    if (error instanceof GatewayUnavailable) throw unavailable(error);
    throw error;
  }
}

/** @throws {GatewayRefusal} after which the payment has failed */
async function sendStart(
  context: Context,
  payment: Payment,
  { request, entry }: { request: PaymentRequest; entry: Entry },
): Promise<Payment> {
  const { db } = context;
  try {
    const { externalId, pageUrl } = await callGateway(context, payment.gateway, (gateway) =>
      gateway.start(context, request),
    );
    const change = { external_id: externalId, page_url: pageUrl, request: '' };
    await db.transaction((trx) => movePayment(trx, payment, { to: 'open', entry, change }));
  } catch (error) {
    if (error instanceof GatewayRefusal) {
      const failed = { ...entry, details: { reason: error.message.slice(0, 200) } };
      await db.transaction((trx) =>
        movePayment(trx, payment, { to: 'failed', entry: failed, change: { request: '' } }),
      );
    }
    throw error;
  }
  // A second tab may have opened the same page first.
  return getOpened(db, payment.id);
}

/** @throws {ApiError} order-not-payable if the payment has ended meanwhile */
async function getOpened(db: Database, id: number): Promise<Payment> {
  const current = await findPayment(db, id);
  if (current?.status !== 'open') throw new ApiError('order-not-payable');
  return current;
}

/** Seconds after which to try again if the gateway did not say. */
const PAUSE = 10;

const unavailable = ({ retryAfter = PAUSE }: GatewayUnavailable): ApiError =>
  new ApiError('payment-unavailable', { headers: { 'Retry-After': String(Math.max(1, Math.round(retryAfter))) } });
