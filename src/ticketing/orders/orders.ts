import { eventScope, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import {
  type AnyEndpoint,
  endpoint,
  type InputOf,
  type LookupContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { resolveEndParamIn, resolveParamIn, resolveUtcParam } from '../../http/input/date-param.ts';
import {
  boolean,
  clearable,
  date,
  decimal,
  integer,
  oneOf,
  searchText,
  sharedParameters,
  text,
  texts,
} from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { type DateExpression, toUtc } from '../../lib/dates/dates.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { testerOf } from '../tickets/event-scope.ts';
import { changeOrderFields } from './counter/change-order.ts';
import { changedOrderSchema, renderChangedOrder } from './counter/changes.ts';
import { runOrderAction, showOrder } from './counter/order-action.ts';
import { billingData, customerChange, NO_BILLING } from './holder-input.ts';
import { findNamedOrder, type NamedOrder } from './order-scope.ts';
import { listedOrderSchema, renderListed } from './render-order-list.ts';
import { GIVEN_STATUSES, isUnpaid } from './statuses.ts';
import { hasEventOrOrders, listOrders, type OrderFilter } from './store.ts';
import { dryRun, fullOrderSchema, orderId } from './view.ts';

/** Characters. */
const MAX_NOTE = 5000;
/** Maximum amount in the main unit of a currency. */
const MAX_AMOUNT = 1_000_000_000_000;

/** Filters of the list and its export. */
export const orderFilters = sharedParameters('orders', {
  status: texts('Only orders with these statuses.'),
  gateway: texts('Only orders with these payment methods.', { max: 50 }),
  search: searchText(
    'Words that must each be part of the name or the e-mail address of the customer, or the number or the id of the order.',
  ),
  event: integer('Only orders with tickets of this event.', { min: 1 }),
  after: date('Placed at or after this time; in the time zone of the site unless it names one.'),
  before: date(
    'Placed at or before this time; a day without a time is included whole. In the time zone of the site unless it names one.',
  ),
  total_min: decimal('With at least this total.', { min: 0, max: MAX_AMOUNT }),
  total_max: decimal('With at most this total.', { min: 0, max: MAX_AMOUNT }),
  money_owed: boolean(
    'true: only orders of which more was received than they cost, as after a cancellation; false: only others.',
  ),
});

export type OrderFilterInput = Partial<InputOf<typeof orderFilters>>;

/** Rejects an event without a record or orders, and one whose orders the viewer may not see. */
export async function checkOrderFilters(
  { event }: OrderFilterInput,
  { ctx: { context, viewer }, addProblem }: LookupContext,
): Promise<void> {
  const scope = eventScope(viewer, 'read_orders');
  if (event === undefined || scope === 'none') return;
  const isIncluded = await testerOf(context.db, scope, [event]);
  if (!isIncluded(event) || !(await hasEventOrOrders(context.db, event)))
    addProblem('event', { key: 'param.event_unknown' });
}

/** The filter of a request, for the orders that the viewer has a right for. */
export function orderFilterOf(
  input: OrderFilterInput,
  right: 'read_orders' | 'manage_attendees',
  { context, viewer, now }: RequestContext,
): OrderFilter {
  const { decimals } = siteMoney(context.config);
  const clock = { zone: context.config.timezone, now };
  const minor = (amount: number | undefined) =>
    amount === undefined ? undefined : Math.round(amount * 10 ** decimals);
  return {
    statuses: input.status,
    gateways: input.gateway,
    search: input.search,
    event: input.event,
    within: eventScope(viewer, right),
    after: input.after && resolveParamIn('after', input.after, clock),
    before: input.before && resolveEndParamIn('before', input.before, clock),
    totalMin: minor(input.total_min),
    totalMax: minor(input.total_max),
    moneyOwed: input.money_owed,
  };
}

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
  answers: { 200: listSchema('orders', listedOrderSchema, 'OrderList') },
  answerHeaders: LIST_HEADERS,
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
  answers: { 200: fullOrderSchema },
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
  answers: { 200: changedOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-status-not-allowed',
    'payment-open',
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: mayChangeOrder,
  async handle(ctx, { id, dry_run = false, status, expires_utc, revoke_link, purchaser, billing, note }) {
    const change = {
      ...{ status, purchaser, revokesLink: revoke_link, expires: expiryOf(expires_utc, ctx) },
      billing: billing === null ? NO_BILLING : billing,
      note: note === undefined ? undefined : (note ?? ''),
    };
    const acted = await runOrderAction(ctx, { id, isDryRun: dry_run }, (trx, order) =>
      changeOrderFields(trx, order, change, ctx),
    );
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
