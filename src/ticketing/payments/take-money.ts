import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { findPaymentsOfOrder, openOf, settledOf } from '../ledger/payments.ts';
import { changeStatus } from '../orders/change-status.ts';
import { receiveOffline } from '../orders/status-money.ts';
import { isUnpaid } from '../orders/statuses.ts';
import type { Order } from '../orders/store.ts';

interface Taken {
  /** Minor units; by default all that is left to pay. */
  amount?: number;
  /** Payment method; by default the one of the order. */
  method?: string;
  reference?: string;
}

/**
 * Books money that was received offline for an order, in the transaction of the caller, which has the lock of the order.
 * An order that is paid in full is completed.
 * @returns the amount, in minor units
 * @throws {ApiError} payment-open, order-not-payable
 * @throws {InvalidParams} for more than is left to pay
 */
export async function takeMoney(
  db: Database,
  order: Order,
  { amount, method, reference, ctx }: Taken & { ctx: Pick<RequestContext, 'context' | 'viewer' | 'now'> },
): Promise<number> {
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const payments = await findPaymentsOfOrder(db, order.id);
  if (openOf(payments).length > 0) throw new ApiError('payment-open');
  const left = order.total - settledOf(payments);
  if (left <= 0 || !(isUnpaid(order.status) || order.status === 'not-completed'))
    throw new ApiError('order-not-payable');
  if (amount !== undefined && amount > left) throw invalidParam('amount', 'param.left_to_pay', { max: left });
  const received = amount ?? left;
  await receiveOffline(db, order, { amount: received, entry: { source: 'staff', ...by }, method, reference });
  const { invoices } = ctx.context.config;
  if (received === left)
    await changeStatus(db, { orderId: order.id, to: 'completed', isMoneyBooked: true, invoices, ...by });
  return received;
}
