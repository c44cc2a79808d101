import type { Database } from '../../../db/database.ts';
import { updateRead } from '../../../db/guarded-update.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { changePurchaser } from '../create-order.ts';
import type { PurchaserChange } from '../holder-input.ts';
import type { OrderStatus } from '../statuses.ts';
import { findOrder, keepOrder, type Order, revokeAccess } from '../store.ts';
import { changeStatus } from '../transitions.ts';
import { logStep } from './order-log.ts';

/** Changes of an order by staff; absent members stay unchanged. */
export interface OrderChange {
  status?: OrderStatus;
  /** UTC; null for never. */
  expires?: string | null;
  /** Whether to revoke the customer's link. */
  revokesLink?: boolean;
  note?: string;
  purchaser?: PurchaserChange;
}

/**
 * Changes an order in the transaction of `actOnOrder`.
 * @throws {ApiError} rest_missing_callback_param, order-status-not-allowed
 * @throws {InvalidParams} for an expiry of an order that is not unpaid
 * @throws {SoldOut}
 */
export async function changeOrderFields(
  db: Database,
  order: Order,
  change: OrderChange,
  ctx: RequestContext,
): Promise<void> {
  const { expires, note, purchaser, revokesLink } = change;
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const isNothing = Object.values(change).every((value) => value === undefined || value === false);
  if (isNothing) throw missing('status');
  const to = expires !== undefined && change.status === order.status ? undefined : change.status;
  if (to !== undefined) {
    if (expires !== undefined && to !== 'pending') throw notUnpaid();
    await changeStatus(db, { orderId: order.id, to, expires, ...by });
  } else if (expires !== undefined) {
    if (!(await keepOrder(db, order, { expires, now: toUtc(ctx.now) }))) throw notUnpaid();
  }
  const current = await getOrder(db, order.id);
  if (purchaser) {
    await changePurchaser(db, current, purchaser);
    await logStep(db, current, { action: 'purchaser', ...by });
  }
  if (note !== undefined && note !== current.note) {
    await updateRead(db, 'orders', await getOrder(db, order.id), { note });
    await logStep(db, current, { action: 'note', ...by });
  }
  if (revokesLink) await revokeAccess(db, await getOrder(db, order.id));
}

async function getOrder(db: Database, id: number): Promise<Order> {
  const order = await findOrder(db, id);
  if (!order) throw new ApiError('order-not-found');
  return order;
}

const missing = (name: string): ApiError =>
  new ApiError('rest_missing_callback_param', { data: { params: [name] }, values: { count: 1, params: name } });

const notUnpaid = () => invalidParam('expires_utc', 'param.order_unpaid');
