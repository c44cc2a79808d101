import { assertFound, endpoint, type HandlerContext, ok, type RequestContext } from '../../../http/core/endpoint.ts';
import { invalidParam } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { integer } from '../../../http/input/schemas.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { findTransfers } from '../../attendees/transfers.ts';
import { changeHolder } from '../../attendees/update.ts';
import { changeCustomer } from '../create-order.ts';
import { customerChange, type HolderChange, holderChanges } from '../holder-input.ts';
import { getOrderByToken, ORDER_TOKEN } from '../order-token.ts';
import { findOrder, type Order } from '../store.ts';
import { customerOrderSchema, renderCustomerOrder } from './customer-view.ts';

/** Actions of customers on their orders, without an account: `/orders/{id}` with the order token. */

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'tickets',
  required: ['id'],
  requestHeaders: [ORDER_TOKEN],
  responses: { 200: customerOrderSchema },
  find: async ({ id }: { id?: number }, ctx: HandlerContext): Promise<Order | undefined> =>
    id === undefined ? undefined : getOrderByToken(ctx, id),
} as const;

const orderId = integer('Id of the order.', { min: 1 });

/** The current order. */
async function respondWith(ctx: RequestContext, id: number) {
  const order = assertFound(await findOrder(ctx.context.db, id));
  return ok(await renderCustomerOrder(ctx, order), PRIVATE_NO_STORE);
}

const read = endpoint({
  ...shared,
  methods: ['GET'],
  path: '/orders/{id}',
  name: 'buyers_orders.read',
  summary: 'Read an order, as its customer',
  description:
    'Requires the token of the order, which is in the response to its checkout; without it, the order is reported as missing. Tickets have their codes once they admit, or at once if they are to be paid at the door; a transferred one has the name of the recipient instead.',
  input: { id: orderId },
  errors: ['order-not-found'],
  handle: async (ctx, _input, order) => ok(await renderCustomerOrder(ctx, assertFound(order)), PRIVATE_NO_STORE),
});

const update = endpoint({
  ...shared,
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/orders/{id}',
  name: 'buyers_orders.update',
  summary: 'Change names and e-mail addresses of an order, as its customer',
  description: 'Changes only the fields that are sent, all or none.',
  input: { id: orderId, purchaser: customerChange, attendees: holderChanges },
  body: 'BuyersOrderChange',
  errors: ['order-not-found', 'edit-conflict'],
  async handle(ctx, { id, purchaser, attendees = [] }) {
    const own = await getOwn(ctx, id, attendees);
    await ctx.context.db.transaction(async (trx) => {
      const current = assertFound(await findOrder(trx, id));
      checkRevision(ctx, current);
      if (purchaser) await changeCustomer(trx, current, purchaser);
      // Sorted by id, so that two changes cannot deadlock.
      for (const { attendee, change } of own.toSorted((a, b) => a.attendee.id - b.attendee.id))
        await changeHolder(trx, attendee, change, ctx);
    });
    return respondWith(ctx, id);
  },
  showCurrent: async (ctx, { id }) => renderCustomerOrder(ctx, assertFound(await findOrder(ctx.context.db, id))),
});

/**
 * The attendees of the changes.
 * @throws {InvalidParams} unless the order has all of them, and none is archived or transferred
 */
async function getOwn(
  ctx: RequestContext,
  id: number,
  changes: readonly HolderChange[],
): Promise<{ attendee: Attendee; change: HolderChange }[]> {
  if (changes.length === 0) return [];
  const { db } = ctx.context;
  const attendees = await findAttendeesOfOrder(db, id);
  const transfers = await findTransfers(
    db,
    changes.map((change) => change.id),
  );
  return changes.map((change) => {
    const attendee = attendees.find((one) => one.id === change.id && one.status === 'publish');
    if (!attendee || transfers.has(attendee.id)) throw invalidParam('attendees', 'param.holders');
    return { attendee, change };
  });
}

/** Orders as seen by their customers. */
export const customerOrderEndpoints = [read, update];
