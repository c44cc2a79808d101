import { createHmac } from 'node:crypto';
import type { Context } from '../../base/context.ts';
import type { HandlerContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { findOrder, type Order } from './store.ts';

/**
 * The token that lets a customer read and change an order. It is derived from the id of the order, so that nothing
 * is stored and a link can be sent again; a new `access_version` revokes it.
 */

export const ORDER_TOKEN = 'X-Order-Token';

/** 128 bits: 22 characters of base64url. */
const TOKEN_BYTES = 16;

type Keyed = Pick<Order, 'id' | 'access_version'>;

export const orderToken = ({ siteKey }: Pick<Context, 'siteKey'>, { id, access_version }: Keyed): string =>
  createHmac('sha256', siteKey('order-token'))
    .update(`${id} ${access_version}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');

/** Page of an order, accessible to anyone with its URL. */
export const orderUrl = ({ context, urls }: Pick<RequestContext, 'context' | 'urls'>, order: Keyed): string =>
  urls.page(`/order/${order.id}/${orderToken(context, order)}/`);

/** Page of an order that leads to its payment, so that stored responses never name an outdated page of a gateway. */
export const payUrl = (ctx: Pick<RequestContext, 'context' | 'urls'>, order: Keyed): string =>
  `${orderUrl(ctx, order)}pay/`;

/**
 * The order with an id, if the request has its token. A missing order is compared too, so that response times do not
 * reveal which ids exist.
 */
export async function findOrderByToken(ctx: HandlerContext, id: number): Promise<Order | undefined> {
  const { context } = ctx;
  const order = await findOrder(context.db, id);
  const right = orderToken(context, order ?? { id, access_version: 0 });
  return isSameSecret(ctx.header(ORDER_TOKEN) ?? '', right) ? order : undefined;
}

/** @throws {ApiError} order-not-found, also without a token and with a wrong one */
export async function getOrderByToken(ctx: HandlerContext, id: number): Promise<Order> {
  const order = await findOrderByToken(ctx, id);
  if (!order) throw new ApiError('order-not-found', { message: 'order.link' });
  return order;
}
