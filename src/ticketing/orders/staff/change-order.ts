import type { Database } from '../../../db/database.ts';
import { updateUnlessEdited } from '../../../db/guarded-update.ts';
import type { Billing } from '../../../db/site-settings.ts';
import { can, forbidden } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { areBookedBy, findPaymentsOfOrder, settledOf } from '../../ledger/payments.ts';
import { changeStatus } from '../change-status.ts';
import { changeCustomer } from '../create-order.ts';
import { billingText, type CustomerChange } from '../holder-input.ts';
import { logStep } from '../order-log.ts';
import { isUnpaid, mayBecome, type OrderStatus } from '../statuses.ts';
import { getOrder, type Order, revokeAccess, setOrderExpiry } from '../store.ts';

/** Changes of an order by staff; absent members stay unchanged. */
export interface OrderChange {
  status?: OrderStatus;
  /** UTC; null for never. */
  expires?: string | null;
  /** Whether to revoke the customer's link. */
  revokesLink?: boolean;
  note?: string;
  purchaser?: CustomerChange;
  /** Data for invoices. */
  billing?: Billing;
}

/**
 * Changes an order in the transaction of `runOrderAction`.
 * @throws {ApiError} rest_missing_callback_param, rest_forbidden, order-status-not-allowed, payment-open
 * @throws {InvalidParams} for an expiry of an order that is not unpaid
 * @throws {SoldOut}
 */
export async function changeOrderFields(
  db: Database,
  order: Order,
  change: OrderChange,
  ctx: RequestContext,
): Promise<void> {
  const { expires, note, purchaser, billing, revokesLink } = change;
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const isNothing = Object.values(change).every((value) => value === undefined || value === false);
  if (isNothing) throw missing('status');
  const to = expires !== undefined && change.status === order.status ? undefined : change.status;
  if (to !== undefined && takesMoneyOff(to) && mayBecome(order.status, to)) await requireRefund(db, order, to, ctx);
  if (to !== undefined) {
    if (expires !== undefined && to !== 'pending') throw notUnpaid();
    await changeStatus(db, { orderId: order.id, to, expires, invoices: ctx.context.config.invoices, ...by });
  } else if (expires !== undefined) {
    if (!(await setOrderExpiry(db, order, { expires, now: toUtc(ctx.now) }))) throw notUnpaid();
  }
  const current = await getOrder(db, order.id);
  if (purchaser) {
    await changeCustomer(db, current, purchaser);
    await logStep(db, current, { action: 'purchaser', ...by });
  }
  const text = billing && billingText(billing);
  if (text !== undefined && text !== current.billing) {
    await updateUnlessEdited(db, 'orders', await getOrder(db, order.id), { billing: text });
    await logStep(db, current, { action: 'purchaser', ...by });
  }
  if (note !== undefined && note !== current.note) {
    await updateUnlessEdited(db, 'orders', await getOrder(db, order.id), { note });
    await logStep(db, current, { action: 'note', ...by });
  }
  if (revokesLink) await revokeAccess(db, await getOrder(db, order.id));
}

/** Whether a status books the money of an order as given back, taken back or never received. */
const takesMoneyOff = (to: OrderStatus): boolean => to === 'refunded' || to === 'reversed' || isUnpaid(to);

/** Seconds for which a booking may be undone. */
const UNDO_TIME = 3600;

/**
 * Giving money back, or booking that it is not there, requires the right to refund. An account may undo its own booking
 * for a while.
 */
async function requireRefund(
  db: Database,
  { id }: Order,
  to: OrderStatus,
  { viewer, now }: RequestContext,
): Promise<void> {
  if (can(viewer, 'refund')) return;
  const settled = (await findPaymentsOfOrder(db, id)).filter((payment) => settledOf([payment]) > 0);
  if (settled.length === 0) return;
  const by = { userId: viewer.account?.id ?? 0, since: addSeconds(toUtc(now), -UNDO_TIME) };
  if (isUnpaid(to) && (await areBookedBy(db, settled, by))) return;
  throw forbidden(viewer);
}

const missing = (name: string): ApiError =>
  new ApiError('rest_missing_callback_param', { data: { params: [name] }, values: { count: 1, params: name } });

const notUnpaid = () => invalidParam('expires_utc', 'param.order_unpaid');
