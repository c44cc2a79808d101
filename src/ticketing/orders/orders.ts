import { can } from '../../http/core/auth.ts';
import {
  type AnyEndpoint,
  endpoint,
  type InputOf,
  type LookupContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
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
import { getTranslatedTickets } from '../tickets/store.ts';
import { actOnOrder, getOrderRows } from './desk/act-on-order.ts';
import { changeOrderFields } from './desk/change-order.ts';
import { changedOrderSchema, renderChangedOrder } from './desk/changes.ts';
import { PRIVATE } from './held-ticket.ts';
import { purchaserChange } from './holder-input.ts';
import { listedOrderSchema, renderListed } from './listed-orders.ts';
import { GIVEN_STATUSES } from './statuses.ts';
import { isSoldEvent, listOrders, type OrderFilter } from './store.ts';
import { dryRun, fullOrderSchema, orderId, renderFullOrder } from './view.ts';

/** Characters. */
const MAX_NOTE = 5000;
/** Maximum amount in the main unit of a currency. */
const MAX_AMOUNT = 1_000_000_000_000;

/** Filters of the list and its export. */
export const orderFilters = sharedParameters('orders', {
  status: texts('Only orders with these statuses.'),
  gateway: texts('Only orders with these payment methods.', { max: 50 }),
  search: searchText(
    'Words that must each be part of the name or the e-mail address of the customer, or the number of the order.',
  ),
  event: integer('Only orders with tickets of this event.', { min: 1 }),
  after: date('Placed at or after this time; in the time zone of the site unless it names one.'),
  before: date(
    'Placed at or before this time; a day without a time is included whole. In the time zone of the site unless it names one.',
  ),
  total_min: decimal('With at least this total.', { min: 0, max: MAX_AMOUNT }),
  total_max: decimal('With at most this total.', { min: 0, max: MAX_AMOUNT }),
});

export type OrderFilterInput = Partial<InputOf<typeof orderFilters>>;

/** Rejects an event without a record or orders. */
export async function checkOrderFilters(
  { event }: OrderFilterInput,
  { ctx: { context, viewer }, addProblem }: LookupContext,
): Promise<void> {
  if (event === undefined || !can(viewer, 'manage_attendees')) return;
  if (!(await isSoldEvent(context.db, event))) addProblem('event', { key: 'param.event_unknown' });
}

/** The filter of a request. */
export function orderFilterOf(input: OrderFilterInput, { context, now }: RequestContext): OrderFilter {
  const { decimals } = siteMoney(context.config);
  const clock = { zone: context.config.timezone, now };
  const minor = (amount: number | undefined) =>
    amount === undefined ? undefined : Math.round(amount * 10 ** decimals);
  return {
    statuses: input.status,
    gateways: input.gateway,
    search: input.search,
    event: input.event,
    after: input.after && resolveParamIn('after', input.after, clock),
    before: input.before && resolveEndParamIn('before', input.before, clock),
    totalMin: minor(input.total_min),
    totalMax: minor(input.total_max),
  };
}

const listFields = { ...pageFields, ...orderFilters };

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders',
  name: 'orders.list',
  summary: 'List orders',
  description: 'Newest first. With the events and the number of places of each.',
  input: listFields,
  answers: { 200: listSchema('orders', listedOrderSchema, 'OrderList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: (input: OrderFilterInput, ctx, addProblem) => checkOrderFilters(input, { ctx, addProblem }),
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { page: requestedPage, per_page, ...filters }: Partial<InputOf<typeof listFields>>) {
    const { context, urls } = ctx;
    const page = pageOf({ page: requestedPage, per_page }, context.config.perPage);
    const slice = { limit: page.perPage, offset: page.offset };
    const { orders, total } = await listOrders(context.db, orderFilterOf(filters, ctx), slice);
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

async function renderOne(ctx: RequestContext, id: number) {
  const rows = await getOrderRows(ctx.context.db, id);
  const tickets = await getTranslatedTickets(
    ctx,
    rows.items.map(({ ticket_id }) => ticket_id),
  );
  return renderFullOrder(rows.order, { ...rows, tickets }, ctx);
}

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
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id }) {
    const body = await renderOne(ctx, id);
    return { body, revision: body.revision, headers: PRIVATE };
  },
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/orders/{id}',
  name: 'orders.update',
  summary: 'Change an order: its status, expiry, customer, note or link',
  description:
    'An order that no longer counts releases its places and archives its attendees; one that counts again takes them back. ' +
    '`denied`, `refunded`, `reversed` and `voided` are final. At least one change is required; all are made or none.',
  input: {
    id: orderId,
    status: oneOf('The new status.', GIVEN_STATUSES),
    expires_utc: clearable(date('When the order expires if it is still unpaid, UTC; null for never.')),
    revoke_link: boolean("true: revoke the customer's link; the response has a new one."),
    purchaser: purchaserChange,
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
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id, dry_run = false, status, expires_utc, revoke_link, purchaser, note }) {
    const change = {
      ...{ status, purchaser, revokesLink: revoke_link, expires: expiryOf(expires_utc, ctx) },
      note: note === undefined ? undefined : (note ?? ''),
    };
    const acted = await actOnOrder(ctx, { id, isDryRun: dry_run }, (trx, order) =>
      changeOrderFields(trx, order, change, ctx),
    );
    return ok(await renderChangedOrder(ctx, acted, dry_run), PRIVATE);
  },
  showCurrent: (ctx, { id }) => renderOne(ctx, id),
});

/** Rejects a past time: the order would expire at once. */
function expiryOf(sent: DateExpression | null | undefined, { now }: RequestContext): string | null | undefined {
  if (!sent) return sent;
  const utc = resolveUtcParam('expires_utc', sent, now);
  if (utc <= toUtc(now)) throw invalidParam('expires_utc', 'param.future');
  return utc;
}

export const orderEndpoints: AnyEndpoint[] = [list, read, update];
