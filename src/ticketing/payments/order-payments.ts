import { sql } from 'kysely';
import { can, eventScope, forbidden, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, filledText, ids, integer, texts } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { isRemoteGateway, MANUAL } from '../../platform/site/payment-gateways.ts';
import { findPayment, findPaymentsOfOrder, openOf, type Payment, refundableOf } from '../ledger/payments.ts';
import { findRefund, moveRefund, NothingLeft, type Refund, requestRefunds } from '../ledger/refunds.ts';
import { refundSchema, renderRefund, renderStaffPayment, staffPaymentSchema } from '../orders/money-view.ts';
import { findNamedOrder, type NamedOrder, orderConditionsOf } from '../orders/order-scope.ts';
import { findPaymentMethods } from '../orders/payment-methods.ts';
import { changedOrderSchema, renderChangedOrder } from '../orders/staff/changed-order.ts';
import { COUNTER_PAYMENTS } from '../orders/staff/counter-sale.ts';
import { runOrderAction, showOrder } from '../orders/staff/order-action.ts';
import { isUnpaid } from '../orders/statuses.ts';
import { findOrder } from '../orders/store.ts';
import { actionReason, dryRun, fullOrderSchema, orderId } from '../orders/view.ts';
import { checkPayment, closePayment } from './check-payment.ts';
import { GatewayRefusal, GatewayUnavailable } from './gateways/gateway.ts';
import { creditBeyond, refundOrder, tooMuch } from './request-refund.ts';
import { takeMoney } from './take-money.ts';

/** Payments and refunds, for staff. */

const MAX_REFERENCE = 200;
/** Minor units. */
const MAX_AMOUNT = 100_000_000_000;

/** Whether a viewer may give money of an order back. */
const mayRefund = (viewer: Viewer, target: NamedOrder | undefined): boolean =>
  can(viewer, 'refund') && hasEventRights(viewer, 'read_orders', target);

/** Whether a viewer may take the money of an order: the box office as long as it is unpaid. */
const mayTakeMoney = (viewer: Viewer, target: NamedOrder | undefined): boolean =>
  hasEventRights(viewer, 'manage_attendees', target) ||
  ((target?.status === undefined || isUnpaid(target.status)) && hasEventRights(viewer, 'sell', target));

const book = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders/{id}/payments',
  name: 'payments.create',
  summary: 'Book money that was received offline for an order',
  description:
    'Such as a bank transfer or cash. An order that is paid in full becomes `completed`; one that was given up takes its places again, if they are free.',
  input: {
    id: orderId,
    amount: integer('Amount in the smallest unit of the currency; by default all that is left to pay.', {
      min: 1,
      max: MAX_AMOUNT,
    }),
    payment: filledText('Payment method; by default the one of the order.', { max: 40 }),
    reference: filledText('Reference, such as the line of the bank statement.', { max: MAX_REFERENCE }),
    dry_run: dryRun,
  },
  required: ['id'],
  body: 'OfflinePaymentInput',
  responses: { 201: changedOrderSchema },
  errors: [
    'rest_forbidden',
    'order-not-found',
    'order-not-payable',
    'payment-open',
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: mayTakeMoney,
  async handle(ctx, { id, amount, payment: method, reference, dry_run = false }) {
    await requireMethod(ctx, method);
    const acted = await runOrderAction(ctx, { id, isDryRun: dry_run }, async (db, order) => {
      await takeMoney(db, order, { amount, method, reference, ctx });
    });
    return created(await renderChangedOrder(ctx, acted, dry_run), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showOrder(ctx, id),
});

/**
 * @throws {InvalidParams} for a method that neither the site nor the counter has, or whose money only a gateway takes
 */
async function requireMethod(ctx: RequestContext, method: string | undefined): Promise<void> {
  const offline = (await findPaymentMethods(ctx)).filter(({ gateway }) => !isRemoteGateway(gateway));
  const known = [MANUAL, ...COUNTER_PAYMENTS, ...offline.map(({ id }) => id)];
  if (method !== undefined && !known.includes(method))
    throw invalidParam('payment', 'param.one_of', { allowed: [...new Set(known)].join(', ') });
}

const close = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders/{id}/payments/close',
  name: 'payments.close',
  summary: 'End the open payment of an order',
  description:
    'Tells the payment service that the order is no longer to be paid there, so that it can be changed. If the money has arrived meanwhile, the order is completed instead. Only users who manage attendees may end a payment whose money is on its way, or whose amount differs from the requested one.',
  input: { id: orderId },
  required: ['id'],
  responses: { 200: fullOrderSchema },
  errors: ['rest_forbidden', 'order-not-found', 'payment-open'],
  idempotency: 'recorded',
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: mayTakeMoney,
  async handle(ctx, { id }, target) {
    const entry = { source: 'staff', userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
    const open = openOf(await findPaymentsOfOrder(ctx.context.db, id));
    const isEarly = open.every(({ status }) => status === 'created' || status === 'open');
    if (!isEarly && !hasEventRights(ctx.viewer, 'manage_attendees', target)) throw forbidden(ctx.viewer);
    for (const payment of open) await closePayment(ctx.context, payment, entry);
    return ok(await showOrder(ctx, id), PRIVATE_NO_STORE);
  },
});

const refund = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders/{id}/refunds',
  name: 'refunds.create',
  summary: 'Give money of an order back',
  description:
    'For single places (`attendees`), which are cancelled, for everything, or an `amount` without cancelling a place. Money paid at a payment service goes back to where it came from, the latest payment first; money received offline is booked as given back and must be handed over. An amount below the price of the cancelled places is allowed: the rest is kept, as a line of the order.',
  input: {
    id: orderId,
    amount: integer(
      'Amount in the smallest unit of the currency; by default the price of the places, or all that was paid. 0 keeps the money.',
      { min: 0, max: MAX_AMOUNT },
    ),
    attendees: ids('Ids of attendees whose places are cancelled.'),
    all: boolean('true: cancel all places, also with an `amount`.'),
    reason: actionReason,
    dry_run: dryRun,
  },
  required: ['id'],
  body: 'RefundInput',
  responses: { 201: changedOrderSchema },
  errors: [
    'rest_forbidden',
    'order-not-found',
    'payment-open',
    'refund-not-allowed',
    'order-not-cancellable',
    'order-status-not-allowed',
    'edit-conflict',
  ],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: mayRefund,
  async handle(ctx, { id, dry_run = false, ...wish }) {
    const acted = await runOrderAction(ctx, { id, isDryRun: dry_run }, (db, order) =>
      refundOrder(db, order, wish, ctx),
    );
    return created(await renderChangedOrder(ctx, acted, dry_run), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showOrder(ctx, id),
});

const paymentId = integer('Id of the payment.', { min: 1 });
const refundId = integer('Id of the refund.', { min: 1 });

interface NamedPayment extends NamedOrder {
  payment?: Payment;
}

async function findNamedPayment(ctx: RequestContext, id = 0): Promise<NamedPayment> {
  const payment = await findPayment(ctx.context.db, id);
  return { ...(await findNamedOrder(ctx, payment?.order_id)), ...(payment && { payment }) };
}

const check = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/payments/{id}/check',
  name: 'payments.check',
  summary: 'Ask the payment service for the state of a payment',
  description: 'Books its response. The server also asks by itself; this request saves the wait.',
  input: { id: paymentId },
  required: ['id'],
  responses: { 200: fullOrderSchema },
  errors: ['rest_forbidden', 'payment-not-found', 'payment-unavailable'],
  idempotency: 'recorded',
  find: ({ id }, ctx) => findNamedPayment(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target),
  async handle(ctx, { id }, { payment }) {
    if (!payment) throw new ApiError('payment-not-found');
    const entry = { source: 'staff', userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
    try {
      await checkPayment(ctx.context, id, entry);
    } catch (error) {
      if (error instanceof GatewayUnavailable || error instanceof GatewayRefusal)
        throw new ApiError('payment-unavailable');
      throw error;
    }
    return ok(await showOrder(ctx, payment.order_id), PRIVATE_NO_STORE);
  },
});

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/payments',
  name: 'payments.list',
  summary: 'List payments',
  description: 'Newest first. Authors see the payments of orders with tickets of their own events only.',
  input: {
    ...pageFields,
    status: texts('Only payments with these statuses.'),
    gateway: texts('Only payments of these payment services.', { max: 50 }),
    order: integer('Only payments of this order.', { min: 1 }),
  },
  responses: { 200: listSchema('payments', staffPaymentSchema, 'PaymentList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'read_orders'),
  async handle(ctx, { page: requested, per_page, ...filters }) {
    const { context, urls, viewer } = ctx;
    const page = pageOf({ page: requested, per_page }, context.config.perPage);
    const matching = context.db.query
      .selectFrom('payments')
      .$if(filters.status !== undefined, (query) =>
        query.where('status', 'in', [...(filters.status ?? [])] as Payment['status'][]),
      )
      .$if(filters.gateway !== undefined, (query) => query.where('gateway', 'in', [...(filters.gateway ?? [])]))
      .$if(filters.order !== undefined, (query) => query.where('order_id', '=', filters.order ?? 0))
      .where((eb) => eb.and(orderConditionsOf(eventScope(viewer, 'read_orders'), sql.ref('payments.order_id'))));
    const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const payments = await matching.selectAll().orderBy('id', 'desc').limit(page.perPage).offset(page.offset).execute();
    return listResponse({
      key: 'payments',
      items: payments.map((payment) => renderStaffPayment(payment, siteMoney(context.config, payment.currency))),
      total: Number(total),
      page,
      url: urls.rest('admin', '/payments'),
      params: { per_page: page.perPage, ...filters },
    });
  },
});

interface NamedRefund extends NamedOrder {
  refund?: Refund;
}

async function findNamedRefund(ctx: RequestContext, id = 0): Promise<NamedRefund> {
  const found = await findRefund(ctx.context.db, id);
  return { ...(await findNamedOrder(ctx, found?.order_id)), ...(found && { refund: found }) };
}

/** Properties shared by the actions on failed refunds. */
const failedRefund = {
  namespace: 'admin',
  methods: ['POST'],
  input: { id: refundId },
  required: ['id'],
  responses: { 200: refundSchema },
  errors: ['rest_forbidden', 'refund-not-found', 'refund-not-failed', 'refund-not-allowed'],
  find: ({ id }: { id?: number }, ctx: RequestContext) => findNamedRefund(ctx, id),
  may: mayRefund,
} as const;

/** Source of a failed refund that another one replaces. */
const RETRIED = 'retried';

/** @throws {ApiError} refund-not-found, refund-not-failed, refund-not-allowed if the payment has less money left */
async function changeFailed(
  ctx: RequestContext,
  { refund: found }: NamedRefund,
  change: (db: RequestContext['context']['db'], failed: Refund) => Promise<Refund['id']>,
) {
  const { db, config } = ctx.context;
  if (!found) throw new ApiError('refund-not-found');
  const refuse = () => new ApiError('refund-not-failed');
  try {
    const id = await db.transaction(async (trx) => {
      await trx.dialect.lockRow(trx, { table: 'orders', id: found.order_id });
      const current = assertFound(await findRefund(trx, found.id));
      if (current.status !== 'failed' || current.source === RETRIED) throw refuse();
      const order = assertFound(await findOrder(trx, found.order_id));
      const payments = await findPaymentsOfOrder(trx, order.id);
      const id = await change(trx, current);
      await creditBeyond(trx, order, { amount: current.amount, payments }, ctx);
      return id;
    });
    const after = assertFound(await findRefund(db, id));
    const payment = assertFound(await findPayment(db, after.payment_id));
    return ok(renderRefund(after, siteMoney(config, payment.currency)), PRIVATE_NO_STORE);
  } catch (error) {
    if (!(error instanceof NothingLeft)) throw error;
    const payment = assertFound(await findPayment(db, found.payment_id));
    throw tooMuch(refundableOf([payment]), siteMoney(config, payment.currency));
  }
}

const retry = endpoint({
  ...failedRefund,
  path: '/refunds/{id}/retry',
  name: 'refunds.retry',
  summary: 'Try a failed refund again',
  description: 'Makes a new refund, which is in the response.',
  handle: (ctx, _input, target) =>
    changeFailed(ctx, target, async (db, failed) => {
      const payment = assertFound(await findPayment(db, failed.payment_id));
      const [again] = await requestRefunds(db, [payment], {
        amount: failed.amount,
        reason: failed.reason,
        attendees: JSON.parse(failed.attendees) as number[],
        entry: { source: failed.source, userId: ctx.viewer.account?.id ?? 0, now: ctx.now },
      });
      await db.query.updateTable('refunds').set({ source: RETRIED }).where('id', '=', failed.id).execute();
      return assertFound(again).id;
    }),
});

const settle = endpoint({
  ...failedRefund,
  path: '/refunds/{id}/settle',
  name: 'refunds.settle',
  summary: 'Book a failed refund as given back offline',
  description: 'Such as in cash or by bank transfer.',
  handle: (ctx, _input, target) =>
    changeFailed(ctx, target, async (db, failed) => {
      await moveRefund(db, failed, { to: 'done', now: ctx.now, isOffline: true });
      return failed.id;
    }),
});

export const orderPaymentEndpoints: readonly AnyEndpoint[] = [list, book, close, check, refund, retry, settle];
