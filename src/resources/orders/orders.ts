import { can } from '../../http/auth.ts';
import { resolveUtcParam } from '../../http/date-param.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/endpoint.ts';
import { ApiError, invalidParam } from '../../http/errors.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { checkRevision } from '../../http/revisions.ts';
import { boolean, clearable, date, integer, oneOf, searchText, texts } from '../../http/schemas.ts';
import { type DateExpression, toUtc } from '../../lib/dates.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import { getTranslatedTickets } from '../tickets/store.ts';
import { PRIVATE } from './held-ticket.ts';
import { GIVEN_STATUSES, type OrderStatus } from './statuses.ts';
import {
  findItems,
  findLog,
  findOrder,
  isSoldEvent,
  keepOrder,
  listOrders,
  type Order,
  revokeAccess,
} from './store.ts';
import { changeOrder } from './transitions.ts';
import { fullOrderSchema, orderSchema, renderFullOrder, renderOrder } from './view.ts';

const orderId = integer('Id of the order.', { min: 1 });

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders',
  name: 'orders.list',
  summary: 'List orders',
  description: 'Newest first.',
  input: {
    ...pageFields,
    status: texts('Only orders with these statuses.'),
    search: searchText('Words that must all occur in the name or the e-mail address of the purchaser.'),
    event: integer('Only orders with tickets of this event.', { min: 1 }),
  },
  answers: { 200: listSchema('orders', orderSchema, 'OrderList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  async find({ event }, { context, viewer }, addProblem) {
    if (event === undefined || !can(viewer, 'manage_attendees')) return;
    if (!(await isSoldEvent(context.db, event))) addProblem('event', { key: 'param.event_unknown' });
  },
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle({ context, urls }, { status, search, event, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const filter = { statuses: status, search, event };
    const { orders, total } = await listOrders(context.db, filter, { limit: page.perPage, offset: page.offset });
    return listReply({
      key: 'orders',
      items: orders.map((order) => renderOrder(order, context.config)),
      total,
      page,
      url: urls.rest('admin', '/orders'),
      params: { per_page: page.perPage, status, search, event },
    });
  },
});

async function renderOne(ctx: RequestContext, id: number) {
  const { db } = ctx.context;
  const order = await findOrder(db, id);
  if (!order) throw new ApiError('order-not-found');
  const items = await findItems(db, id);
  const tickets = await getTranslatedTickets(
    ctx,
    items.map(({ ticket_id }) => ticket_id),
  );
  const parts = { items, tickets, attendees: await findAttendeesOfOrder(db, id), log: await findLog(db, id) };
  return renderFullOrder(order, parts, ctx);
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
  summary: 'Update the status of an order, or when it expires if unpaid, or revoke its link',
  description:
    'An order that no longer counts releases its places and archives its attendees; one that counts again takes them back. ' +
    '`denied`, `refunded`, `reversed` and `voided` are final. `status`, `expires_utc` or `revoke_link` is required.',
  input: {
    id: orderId,
    status: oneOf('The new status.', GIVEN_STATUSES),
    expires_utc: clearable(date('When the order expires if it is still unpaid, UTC; null for never.')),
    revoke_link: boolean('true: the link that the buyer has no longer works; the answer has a new one.'),
  },
  required: ['id'],
  body: 'OrderChange',
  answers: { 200: fullOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-status-not-allowed',
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id, status, expires_utc, revoke_link = false }) {
    const expires = expiryOf(expires_utc, ctx);
    const { context, viewer, actor, now } = ctx;
    const order = await findOrder(context.db, id);
    if (!order) throw new ApiError('order-not-found');
    const check = (current: Order) => checkRevision(ctx, current);
    const to = expires !== undefined && status === order.status ? undefined : status;
    if (to !== undefined)
      await changeOrder(context.db, {
        ...transitionTo(to, expires),
        orderId: id,
        check,
        userId: viewer.account?.id ?? 0,
        actor,
        now,
      });
    else if (expires !== undefined) {
      if (!(await keepOrder(context.db, id, { expires, now: toUtc(now), check, actor }))) throw notUnpaid();
    } else if (!revoke_link) throw missing('status');
    else await revokeAccess(context.db, id, { check, actor });
    if (revoke_link && (to !== undefined || expires !== undefined)) await revokeAccess(context.db, id, { actor });
    return ok(await renderOne(ctx, id), PRIVATE);
  },
  showCurrent: (ctx, { id }) => renderOne(ctx, id),
});

const missing = (name: string): ApiError =>
  new ApiError('rest_missing_callback_param', { data: { params: [name] }, values: { count: 1, params: name } });

const notUnpaid = () => invalidParam('expires_utc', 'param.order_unpaid');

function transitionTo(to: OrderStatus, expires: string | null | undefined) {
  if (expires !== undefined && to !== 'pending') throw notUnpaid();
  return { to, expires };
}

/** A time in the past is refused: the order would expire at once. */
function expiryOf(sent: DateExpression | null | undefined, { now }: RequestContext): string | null | undefined {
  if (!sent) return sent;
  const utc = resolveUtcParam('expires_utc', sent, now);
  if (utc <= toUtc(now)) throw invalidParam('expires_utc', 'param.future');
  return utc;
}

export const orderEndpoints: AnyEndpoint[] = [list, read, update];
