import { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import { byIds } from '../../../db/by-ids.ts';
import { hasEventRights, type Viewer } from '../../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, type InputOf, ok, type RequestContext } from '../../../http/core/endpoint.ts';
import { invalidParam } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { resolveUtcParam } from '../../../http/input/date-param.ts';
import { boolean, clearable, date, oneOf, text } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { type DateExpression, toUtc } from '../../../lib/dates/dates.ts';
import { siteMoney } from '../../../lib/money/money.ts';
import { withinLimits } from '../../../platform/limits/limits.ts';
import { loadTranslations } from '../../../platform/translations/store.ts';
import { countedMails } from '../../../platform/users/counted-mails.ts';
import { findChargesOfOrders, findPaymentsOfOrders } from '../../ledger/payments.ts';
import { renderAmount } from '../amounts.ts';
import { billingData, customerChange, NO_BILLING } from '../holder-input.ts';
import { orderMoneyFields, owedOf } from '../money-view.ts';
import { findNamedOrder, type NamedOrder } from '../order-scope.ts';
import { GIVEN_STATUSES, isUnpaid } from '../statuses.ts';
import type { Order } from '../store.ts';
import { listOrders } from '../store.ts';
import { dryRun, fullOrderSchema, orderId, orderSchema, renderOrder } from '../view.ts';
import { changeOrderFields } from './change-order.ts';
import { changedOrderSchema, renderChangedOrder } from './changed-order.ts';
import { checkOrderFilters, type OrderFilterInput, orderFilterOf, orderFilters } from './filter.ts';
import { runOrderAction, showOrder } from './order-action.ts';

/** An order in the list for staff. */
const listedOrderSchema = orderSchema
  .extend({
    places: z.int().describe('Number of places, without cancelled ones.'),
    events: z
      .array(z.object({ id: z.int(), title: z.string().describe('Empty once the event is deleted.') }))
      .describe('Events of its tickets.'),
    owed: orderMoneyFields.owed,
  })
  .meta({ id: 'ListedOrder', description: 'An order, with its events.' });

const itemsByOrder = byIds((query, ids) =>
  query
    .selectFrom('order_items')
    .select(['order_id', 'event_id', 'quantity', 'cancelled'])
    .where('order_id', 'in', ids)
    .orderBy('order_id')
    .orderBy('ticket_id'),
);

/** Renders orders for a list, with a constant number of queries. */
async function renderListed(
  ctx: RequestContext,
  orders: readonly Order[],
): Promise<z.output<typeof listedOrderSchema>[]> {
  const { db } = ctx.context;
  const ids = orders.map(({ id }) => id);
  const [items, payments, charges] = await Promise.all([
    itemsByOrder(db, ids),
    findPaymentsOfOrders(db, ids),
    findChargesOfOrders(db, ids),
  ]);
  const paymentsOf = Map.groupBy(payments, ({ order_id }) => order_id);
  const chargesOf = Map.groupBy(charges, ({ order_id }) => order_id);
  const eventIds = [...new Set(items.map(({ event_id }) => event_id))];
  const [events, texts] = await Promise.all([
    getEvents(db, eventIds),
    loadTranslations(
      ctx,
      eventIds.map((id) => ({ kind: 'event' as const, id })),
    ),
  ]);
  const titles = new Map(events.map((event) => [event.id, texts.show('event', event).title]));
  const ofOrder = Map.groupBy(items, ({ order_id }) => order_id);
  return orders.map((order) => {
    const own = ofOrder.get(order.id) ?? [];
    const owed = owedOf(order, { payments: paymentsOf.get(order.id) ?? [], charges: chargesOf.get(order.id) ?? [] });
    return {
      ...renderOrder(order, ctx),
      places: own.reduce((sum, { quantity, cancelled }) => sum + quantity - cancelled, 0),
      events: [...new Set(own.map(({ event_id }) => event_id))].map((id) => ({ id, title: titles.get(id) ?? '' })),
      owed: renderAmount(owed, siteMoney(ctx.context.config, order.currency)),
    };
  });
}

/** Characters. */
const MAX_NOTE = 5000;
const listFields = { ...pageFields, ...orderFilters };

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders',
  name: 'orders.list',
  summary: 'List orders',
  description:
    'Newest first. With the events and the number of places of each. Authors see the orders with tickets of their own events only.',
  input: listFields,
  responses: { 200: listSchema('orders', listedOrderSchema, 'OrderList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: (input: OrderFilterInput, ctx, addProblem) => checkOrderFilters(input, { ctx, addProblem }),
  may: (viewer) => hasEventRights(viewer, 'read_orders'),
  async handle(ctx, { page: requestedPage, per_page, ...filters }: Partial<InputOf<typeof listFields>>) {
    const { context, urls } = ctx;
    const page = pageOf({ page: requestedPage, per_page }, context.config.perPage);
    const slice = { limit: page.perPage, offset: page.offset };
    const { orders, total } = await listOrders(context.db, orderFilterOf(filters, 'read_orders', ctx), slice);
    return listResponse({
      key: 'orders',
      items: await renderListed(ctx, orders),
      total,
      page,
      url: urls.rest('admin', '/orders'),
      params: { per_page: page.perPage, ...filters, after: filters.after?.text, before: filters.before?.text },
    });
  },
});

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders/{id}',
  name: 'orders.read',
  summary: 'Read an order',
  description: 'With its items, attendees and log.',
  input: { id: orderId },
  required: ['id'],
  responses: { 200: fullOrderSchema },
  errors: ['rest_forbidden', 'order-not-found'],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target),
  async handle(ctx, { id }) {
    const body = await showOrder(ctx, id);
    return { body, revision: body.revision, headers: PRIVATE_NO_STORE };
  },
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/orders/{id}',
  name: 'orders.update',
  summary: 'Change an order: its status, expiry, customer, billing data, note or link',
  description:
    'An order that no longer counts releases its places and archives its attendees; one that counts again takes them back. ' +
    '`denied`, `refunded`, `reversed` and `voided` are final. At least one change is required; all are made or none. Other billing data than those of its invoice make a credit note and a new invoice. The box office may only change unpaid orders to `completed`.',
  input: {
    id: orderId,
    status: oneOf('The new status.', GIVEN_STATUSES),
    expires_utc: clearable(date('When the order expires if it is still unpaid, UTC; null for never.')),
    revoke_link: boolean("true: revoke the customer's link; the response has a new one."),
    purchaser: customerChange,
    billing: clearable(billingData),
    note: clearable(text('A note for staff, never shown to the customer.', { max: MAX_NOTE })),
    dry_run: dryRun,
  },
  required: ['id'],
  body: 'OrderChange',
  responses: { 200: changedOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-status-not-allowed',
    'payment-open',
    'tec-tc-insufficient-stock',
    'edit-conflict',
    'too-many-mails',
  ],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: mayChangeOrder,
  async handle(ctx, { id, dry_run = false, status, expires_utc, revoke_link, purchaser, billing, note }) {
    const change = {
      ...{ status, purchaser, revokesLink: revoke_link, expires: expiryOf(expires_utc, ctx) },
      billing: billing === null ? NO_BILLING : billing,
      note: note === undefined ? undefined : (note ?? ''),
    };
    const act = () =>
      runOrderAction(ctx, { id, isDryRun: dry_run }, (trx, order) => changeOrderFields(trx, order, change, ctx));
    // Mails about all later changes go to the address.
    const mails = purchaser?.email && !dry_run ? countedMails(ctx.viewer) : [];
    const acted = await withinLimits(ctx.context, 'too-many-mails', mails, act);
    return ok(await renderChangedOrder(ctx, acted, dry_run), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showOrder(ctx, id),
});

/** Viewers who only sell take the money of unpaid orders: they change them to `completed`, and nothing else. */
function mayChangeOrder(
  viewer: Viewer,
  target: NamedOrder | undefined,
  { id: _id, dry_run: _dryRun, status, ...rest }: Readonly<Record<string, unknown>>,
): boolean {
  if (hasEventRights(viewer, 'manage_attendees', target)) return true;
  const isCompletion = status === 'completed' && Object.values(rest).every((value) => value === undefined);
  const isOpen = target?.status === undefined || isUnpaid(target.status);
  return isCompletion && isOpen && hasEventRights(viewer, 'sell', target);
}

/** Rejects a past time: the order would expire at once. */
function expiryOf(sent: DateExpression | null | undefined, { now }: RequestContext): string | null | undefined {
  if (!sent) return sent;
  const utc = resolveUtcParam('expires_utc', sent, now);
  if (utc <= toUtc(now)) throw invalidParam('expires_utc', 'param.future');
  return utc;
}

export const orderEndpoints: AnyEndpoint[] = [list, read, update];
