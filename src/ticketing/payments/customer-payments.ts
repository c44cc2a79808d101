import { getEvents } from '../../calendar/events/store.ts';
import {
  assertFound,
  created,
  endpoint,
  type HandlerContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText, integer } from '../../http/input/schemas.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { isRemoteGateway } from '../../platform/site/payment-gateways.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import { findPaymentsOfOrder, openOf, type Payment } from '../ledger/payments.ts';
import { cancellationRefusal, cancellationRefused, findCancellationRule } from '../orders/cancellation.ts';
import { changeOrderStatus } from '../orders/change-status.ts';
import { customerOrderSchema, renderCustomerOrder } from '../orders/customer/customer-view.ts';
import { getOrderByToken, ORDER_TOKEN, orderUrl } from '../orders/order-token.ts';
import { findPaymentMethods } from '../orders/payment-methods.ts';
import { findItems, findOrder, getOrder, type Order } from '../orders/store.ts';
import { checkPayment, closePayment, enqueueCheck } from './check-payment.ts';
import { checkedReturnUrl, paymentSchema, renderPayment, returnUrl } from './payment-view.ts';
import { getPayable, startPayment } from './start-payment.ts';

/** Actions of customers that concern the payment of their order, with the order token. */

const shared = {
  namespace: 'tickets',
  methods: ['POST'],
  required: ['id'],
  requestHeaders: [ORDER_TOKEN],
  find: async ({ id }: { id?: number }, ctx: HandlerContext): Promise<Order | undefined> =>
    id === undefined ? undefined : getOrderByToken(ctx, id),
} as const;

const orderId = integer('Id of the order.', { min: 1 });

const pay = endpoint({
  ...shared,
  path: '/orders/{id}/payments',
  name: 'buyers_orders.pay',
  summary: 'Pay an order at a payment service, as its customer',
  description:
    'Opens the page of the payment service, or returns the one that is open. After a failed payment, or with another method, it begins another payment; only one is open at a time.',
  input: {
    id: orderId,
    payment: filledText(
      'Payment method of the site that takes payments at a service; by default the one of the order, or the only one.',
      { max: 40 },
    ),
    return_url: returnUrl,
  },
  body: 'OrderPaymentInput',
  counted: 'checkouts',
  // A repeated request calls the service again, which returns the same page.
  idempotency: 'recorded',
  responses: { 201: paymentSchema },
  responseHeaders: RATE_HEADERS,
  errors: [
    'order-not-found',
    'order-not-payable',
    'payment-open',
    'payment-refused',
    'payment-unavailable',
    'too-many-requests',
  ],
  async handle(ctx, { id, payment: method, return_url }, found) {
    const order = assertFound(found);
    await getPayable(ctx.context.db, ctx.context, id);
    const way = await chooseMethod(ctx, order, method);
    const page = orderUrl(ctx, order);
    const returns = checkedReturnUrl(ctx, return_url) || `${page}?paid=1`;
    const payment = await startPayment(ctx.context, id, {
      method: way.id,
      gateway: way.gateway,
      returnUrl: returns,
      cancelUrl: withoutClaim(returns),
      description: translate(ctx.language, 'order.payment_for', { number: orderNumber(id) }),
      language: ctx.language,
    });
    const current = assertFound(await findOrder(ctx.context.db, id));
    return created(renderPayment(ctx, current, payment), PRIVATE_NO_STORE);
  },
});

/** The page of a return without the claim that the order is paid, for customers who give up. */
function withoutClaim(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('paid');
  return url.href;
}

/** @throws {InvalidParams} for a method that is not available, or takes no payments at a gateway */
async function chooseMethod(ctx: RequestContext, order: Order, sent: string | undefined) {
  const ways = (await findPaymentMethods(ctx)).filter(
    ({ gateway, available }) => available && isRemoteGateway(gateway),
  );
  const own = ways.find(({ id }) => id === (sent ?? order.gateway));
  const way = own ?? (sent === undefined && ways.length === 1 ? ways[0] : undefined);
  if (!way) throw invalidParam('payment', 'param.one_of', { allowed: ways.map(({ id }) => id).join(', ') });
  return way;
}

/** Milliseconds that a customer waits for the gateway before the check goes on in the background. */
const WAIT = 5000;
/** Seconds between two checks that customers ask for. */
const PAUSE = 2;

const check = endpoint({
  ...shared,
  path: '/orders/{id}/payments/check',
  name: 'buyers_orders.check_payment',
  summary: 'Ask the payment service whether an order is paid, as its customer',
  description:
    'For the return from the payment service. Waits a few seconds for its response; after that, and for repeated requests, the check goes on in the background.',
  input: { id: orderId },
  responses: { 200: customerOrderSchema },
  errors: ['order-not-found'],
  idempotency: 'recorded',
  async handle(ctx, { id }) {
    const { db } = ctx.context;
    for (const payment of openOf(await findPaymentsOfOrder(db, id)))
      if (payment.external_id !== null && (await beginLook(ctx, payment))) await checkSoon(ctx, payment);
    return ok(await renderCustomerOrder(ctx, assertFound(await findOrder(db, id))), PRIVATE_NO_STORE);
  },
});

/** Notes that the gateway is asked; false if it was asked a moment ago. */
async function beginLook({ context, now }: RequestContext, { id }: Payment): Promise<boolean> {
  const utc = toUtc(now);
  const { numUpdatedRows } = await context.db.transaction(({ query }) =>
    query
      .updateTable('payments')
      .set({ checked_utc: utc })
      .where('id', '=', id)
      .where(({ or, eb }) => or([eb('checked_utc', '<=', addSeconds(utc, -PAUSE)), eb('checked_utc', '>', utc)]))
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Checks a payment; if that takes long or fails, a job goes on with it. */
async function checkSoon({ context, now }: RequestContext, { id, order_id }: Payment): Promise<void> {
  const entry = { source: 'return', userId: 0, now };
  const timeout = new Promise<false>((resolve) => void setTimeout(() => resolve(false), WAIT).unref());
  const checking = checkPayment(context, id, entry).then(
    () => true,
    () => false,
  );
  if (await Promise.race([checking, timeout])) return;
  await enqueueCheck(context.db, { id, source: 'return', now, orderId: order_id });
}

const cancel = endpoint({
  ...shared,
  path: '/orders/{id}/cancel',
  name: 'buyers_orders.cancel',
  summary: 'Cancel an order, as its customer',
  description:
    'Returns its places; it becomes `voided`, or `refunded` if it was paid at a payment service, which then gives the money back. Unpaid orders may always be cancelled, completed ones by the rule of the site and unless an attendee is checked in. Repeating it has no effect.',
  input: { id: orderId },
  responses: { 200: customerOrderSchema },
  errors: ['order-not-found', 'order-not-cancellable', 'payment-open'],
  idempotency: 'recorded',
  async handle(ctx, { id }, order) {
    if (!CANCELLED.has(assertFound(order).status)) await cancelOrder(ctx, assertFound(order));
    return ok(await renderCustomerOrder(ctx, assertFound(await findOrder(ctx.context.db, id))), PRIVATE_NO_STORE);
  },
});

/** Statuses of orders that are cancelled, so that repeating it has no effect. */
const CANCELLED: ReadonlySet<string> = new Set(['voided', 'refunded']);

/**
 * Cancels an order, whose gateway is told first that it is no longer to be paid.
 * @throws {ApiError} order-not-cancellable, payment-open
 */
async function cancelOrder(ctx: RequestContext, { id }: Order): Promise<void> {
  const { db } = ctx.context;
  const entry = { source: 'cancelled', userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  for (const payment of openOf(await findPaymentsOfOrder(db, id))) await closePayment(ctx.context, payment, entry);
  const order = await getOrder(db, id);
  await requireCancellable(ctx, order);
  const payments = await findPaymentsOfOrder(db, id);
  const isAtGateway = payments.some(({ gateway, status }) => isRemoteGateway(gateway) && status === 'paid');
  const to = isAtGateway ? 'refunded' : 'voided';
  await changeOrderStatus(db, {
    orderId: id,
    to,
    // Other statuses are refused above.
    onlyFrom: order.status as 'pending' | 'completed',
    unlessCheckedIn: true,
    keepsOffline: true,
    userId: entry.userId,
    now: ctx.now,
  });
  // The order is unchanged if its status changed meanwhile, unless by another cancellation.
  const after = await findOrder(db, id);
  if (!after || !CANCELLED.has(after.status)) throw cancellationRefused('status');
}

/** @throws {ApiError} order-not-cancellable */
async function requireCancellable(ctx: RequestContext, order: Order): Promise<void> {
  const { db } = ctx.context;
  const [rule, items, attendees] = await Promise.all([
    findCancellationRule(ctx),
    findItems(db, order.id),
    findAttendeesOfOrder(db, order.id),
  ]);
  const events = await getEvents(
    db,
    items.map(({ event_id }) => event_id),
  );
  const [begins] = events.map(({ utc_start_date }) => utc_start_date).sort();
  const isAnyCheckedIn = attendees.some((attendee) => attendee.status === 'publish' && attendee.checked_in === 1);
  const refusal = cancellationRefusal({ order, begins, isAnyCheckedIn }, rule, ctx.now);
  if (refusal) throw cancellationRefused(refusal);
}

/** Payments of orders, for their customers. */
export const customerPaymentEndpoints = [pay, check, cancel];
