import { can } from '../../http/auth.ts';
import { type AnyEndpoint, type Call, endpoint, ok } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { integer, oneOf, searchText, texts } from '../../http/input.ts';
import { listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import { getTicketsShown } from '../tickets/shown.ts';
import { GIVEN_STATUSES } from './statuses.ts';
import { findItems, findLog, findOrder, isSoldEvent, listOrders } from './store.ts';
import { changeOrder } from './transitions.ts';
import { fullOrderSchema, orderSchema, renderFullOrder, renderOrder } from './view.ts';

const orderId = integer('Id of the order.', { min: 1 });

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders',
  name: 'orders.list',
  summary: 'List orders',
  description: 'The latest first.',
  input: {
    ...pageFields,
    status: texts('Only orders of these statuses.'),
    search: searchText('Words that must all occur in the name or the e-mail address of the purchaser.'),
    event: integer('Only orders with tickets of this event.', { min: 1 }),
  },
  answers: { 200: listSchema('orders', orderSchema) },
  errors: ['rest_forbidden'],
  async find({ event }, { context, viewer }, refuse) {
    if (event === undefined || !can(viewer, 'manage_attendees')) return;
    if (!(await isSoldEvent(context.db, event))) refuse('event', { key: 'param.event_unknown' });
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

async function answerWith(call: Call, id: number) {
  const { db, config } = call.context;
  const order = await findOrder(db, id);
  if (!order) throw new ApiError('order-not-found');
  const items = await findItems(db, id);
  const tickets = await getTicketsShown(
    call,
    items.map(({ ticket_id }) => ticket_id),
  );
  const parts = { items, tickets, attendees: await findAttendeesOfOrder(db, id), log: await findLog(db, id) };
  return ok(renderFullOrder(order, parts, config));
}

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/orders/{id}',
  name: 'orders.read',
  summary: 'Read an order',
  description: 'With its items, its attendees, and what happened to it.',
  input: { id: orderId },
  required: ['id'],
  answers: { 200: fullOrderSchema },
  errors: ['rest_forbidden', 'order-not-found'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  handle: (call, { id }) => answerWith(call, id),
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/orders/{id}',
  name: 'orders.update',
  summary: 'Change the status of an order',
  description:
    'An order that ceases to count gives its places back and archives its attendees; one that counts again takes them. ' +
    '`denied`, `refunded`, `reversed` and `voided` are final.',
  input: { id: orderId, status: oneOf('What the order becomes.', GIVEN_STATUSES) },
  required: ['id', 'status'],
  answers: { 200: fullOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-status-not-allowed',
    'tec-tc-insufficient-stock',
  ],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(call, { id, status }) {
    const { context, viewer, now } = call;
    await changeOrder(context.db, { orderId: id, to: status, userId: viewer.account?.id ?? 0, now });
    return answerWith(call, id);
  },
});

export const orderEndpoints: AnyEndpoint[] = [list, read, update];
