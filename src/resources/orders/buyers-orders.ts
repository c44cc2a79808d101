import { type AnyEndpoint, endpoint, ok } from '../../http/endpoint.ts';
import { integer } from '../../http/schemas.ts';
import { buyersOrderSchema, renderBuyersOrder } from './buyer-view.ts';
import { getOrderByToken, ORDER_TOKEN } from './order-token.ts';
import type { Order } from './store.ts';

/** What the buyers of orders may do with them, without an account: `/orders/{id}` with the order token. */

/** Answers have personal data, and codes that admit. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' };

const read = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/orders/{id}',
  name: 'buyers_orders.read',
  summary: 'Read an order, as its buyer',
  description:
    'Needs the token of the order, which the answer to its checkout has; without it, the order is as if it did not exist. Tickets have their codes once they admit.',
  input: { id: integer('Id of the order.', { min: 1 }) },
  required: ['id'],
  requestHeaders: [ORDER_TOKEN],
  answers: { 200: buyersOrderSchema },
  errors: ['order-not-found'],
  find: async ({ id }, ctx) => (id === undefined ? undefined : getOrderByToken(ctx, id)),
  handle: async (ctx, _input, order) => ok(await renderBuyersOrder(ctx, order as Order), PRIVATE),
});

/** Orders as their buyers see them. */
export const buyersOrderEndpoints: readonly AnyEndpoint[] = [read];
