import { getEvents } from '../../calendar/events/store.ts';
import { assertFound, endpoint, type HandlerContext, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { integer } from '../../http/input/schemas.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import { changeHolder } from '../attendees/update.ts';
import { buyersOrderSchema, renderBuyersOrder } from './buyer-view.ts';
import { cancellationRefusal, cancellationRefused, findCancellationRule } from './cancellation.ts';
import { changePurchaser } from './create-order.ts';
import { PRIVATE } from './held-ticket.ts';
import { type HolderChange, holderChanges, purchaserChange } from './holder-input.ts';
import { getOrderByToken, ORDER_TOKEN } from './order-token.ts';
import { findItems, findOrder, type Order } from './store.ts';
import { changeOrder } from './transitions.ts';

/** Actions of customers on their orders, without an account: `/orders/{id}` with the order token. */

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'tickets',
  required: ['id'],
  requestHeaders: [ORDER_TOKEN],
  answers: { 200: buyersOrderSchema },
  find: async ({ id }: { id?: number }, ctx: HandlerContext): Promise<Order | undefined> =>
    id === undefined ? undefined : getOrderByToken(ctx, id),
} as const;

const orderId = integer('Id of the order.', { min: 1 });

/** The current order. */
async function answerWith(ctx: RequestContext, id: number) {
  const order = assertFound(await findOrder(ctx.context.db, id));
  return ok(await renderBuyersOrder(ctx, order), PRIVATE);
}

const read = endpoint({
  ...shared,
  methods: ['GET'],
  path: '/orders/{id}',
  name: 'buyers_orders.read',
  summary: 'Read an order, as its customer',
  description:
    'Requires the token of the order, which is in the response to its checkout; without it, the order is reported as missing. Tickets have their codes once they admit.',
  input: { id: orderId },
  errors: ['order-not-found'],
  handle: async (ctx, _input, order) => ok(await renderBuyersOrder(ctx, assertFound(order)), PRIVATE),
});

const update = endpoint({
  ...shared,
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/orders/{id}',
  name: 'buyers_orders.update',
  summary: 'Change names and e-mail addresses of an order, as its customer',
  description: 'Changes only the fields that are sent, all or none.',
  input: { id: orderId, purchaser: purchaserChange, attendees: holderChanges },
  body: 'BuyersOrderChange',
  errors: ['order-not-found', 'edit-conflict'],
  async handle(ctx, { id, purchaser, attendees = [] }) {
    await requireOwn(ctx, id, attendees);
    await ctx.context.db.transaction(async (trx) => {
      const current = assertFound(await findOrder(trx, id));
      checkRevision(ctx, current);
      if (purchaser) await changePurchaser(trx, current, purchaser);
      // Sorted by id, so that two changes cannot deadlock.
      for (const { id: attendeeId, ...change } of attendees.toSorted((a, b) => a.id - b.id))
        await changeHolder(trx, attendeeId, change, ctx);
    });
    return answerWith(ctx, id);
  },
  showCurrent: async (ctx, { id }) => renderBuyersOrder(ctx, assertFound(await findOrder(ctx.context.db, id))),
});

/** @throws {InvalidParams} unless the order has all of the attendees, and none is archived */
async function requireOwn(ctx: RequestContext, id: number, changes: readonly HolderChange[]): Promise<void> {
  if (changes.length === 0) return;
  const own = await findAttendeesOfOrder(ctx.context.db, id);
  const ids = new Set(own.filter(({ status }) => status === 'publish').map((attendee) => attendee.id));
  if (!changes.every((change) => ids.has(change.id))) throw invalidParam('attendees', 'param.holders');
}

const cancel = endpoint({
  ...shared,
  methods: ['POST'],
  path: '/orders/{id}/cancel',
  name: 'buyers_orders.cancel',
  summary: 'Cancel an order, as its customer',
  description:
    'Returns its places; it becomes `voided`. Unpaid orders may always be cancelled, completed ones by the rule of the site and unless an attendee is checked in. Moves no money. Repeating it has no effect.',
  input: { id: orderId },
  errors: ['order-not-found', 'order-not-cancellable'],
  async handle(ctx, { id }, order) {
    if (assertFound(order).status !== 'voided') await cancelOrder(ctx, assertFound(order));
    return answerWith(ctx, id);
  },
});

/** @throws {ApiError} order-not-cancellable */
async function cancelOrder(ctx: RequestContext, order: Order): Promise<void> {
  const { db } = ctx.context;
  const { id, status } = order;
  const [rule, items, attendees] = await Promise.all([
    findCancellationRule(ctx),
    findItems(db, id),
    findAttendeesOfOrder(db, id),
  ]);
  const events = await getEvents(
    db,
    items.map(({ event_id }) => event_id),
  );
  const [begins] = events.map(({ utc_start_date }) => utc_start_date).sort();
  const isAnybodyIn = attendees.some((attendee) => attendee.status === 'publish' && attendee.checked_in === 1);
  const refusal = cancellationRefusal({ order, begins, isAnybodyIn }, rule, ctx.now);
  if (refusal) throw cancellationRefused(refusal);
  await changeOrder(db, {
    orderId: id,
    to: 'voided',
    // Other statuses are refused above.
    onlyFrom: status as 'pending' | 'completed',
    unlessCheckedIn: true,
    userId: ctx.viewer.account?.id ?? 0,
    now: ctx.now,
  });
  // The order is unchanged if its status changed meanwhile, unless by another cancellation.
  const after = await findOrder(db, id);
  if (after?.status !== 'voided') throw cancellationRefused('status');
}

/** Orders as seen by their customers. */
export const buyersOrderEndpoints = [read, update, cancel];
