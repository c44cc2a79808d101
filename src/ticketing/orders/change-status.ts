import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { Actor } from '../../lib/actor.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { logChange } from '../../platform/audit/log.ts';
import { mailCancelledHolders } from '../attendees/holder-mails.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import { enqueueCorrection, enqueueInvoice, type InvoicePolicy } from '../ledger/invoices.ts';
import { mailCustomer } from '../ledger/mails.ts';
import { findPaymentsOfOrder, openOf, type Payment } from '../ledger/payments.ts';
import { retakeUse, returnUse } from '../prices/promotion-uses.ts';
import { returnSeats, seatErrorOf, seatsOf, takeSeats, withExpiredReleased } from '../seats/seat-counters.ts';
import { isCountedStatus } from '../seats/seats.ts';
import { auditedOrder } from './audited.ts';
import { cancellationRefused } from './cancellation.ts';
import { bookStatusMoney } from './status-money.ts';
import { CANCELLED_SEAT, isUnpaid, mayBecome, type OrderStatus } from './statuses.ts';
import { getOrder, type Order } from './store.ts';

export interface Transition {
  orderId: number;
  to: OrderStatus;
  /** Skips orders with any other status. */
  onlyFrom?: OrderStatus;
  /** Skips orders that do not match. */
  onlyIf?: (order: Order) => boolean;
  /** Whether to keep the status if an attendee of the order is checked in. */
  unlessCheckedIn?: boolean;
  /** Expiry if it becomes `pending`; the default is MARQUEE_ORDER_HOLD. */
  expires?: LocalTime | null;
  /** Whether payments at a gateway are the reason, so that its money is booked already. */
  isMoneyBooked?: boolean;
  /** Whether money received offline is not booked as given back: staff have yet to hand it over. */
  keepsOffline?: boolean;
  /** MARQUEE_INVOICES, for a change that may complete the order. */
  invoices?: InvoicePolicy;
  /** 0 without an account, for example for a payment provider. */
  userId: number;
  /** Actor for the audit log; absent for customers, payment providers and jobs. */
  actor?: Actor;
  now: Date;
}

/**
 * Changes the status of an order. An order that no longer takes seats (refunded, not completed, ...) returns them and
 * archives its attendees; one that takes seats again restores them. Repeating a refund has no effect.
 * @throws {ApiError} order-not-found, order-status-not-allowed, order-not-cancellable, payment-open,
 *   tec-tc-insufficient-stock
 */
export async function changeOrderStatus(db: Database, transition: Transition): Promise<void> {
  try {
    await withExpiredReleased(db, transition.now, () => db.transaction((trx) => changeLogged(trx, transition)));
  } catch (error) {
    throw await seatErrorOf(db, error, transition.now);
  }
}

const changeLogged = (db: Database, transition: Transition): Promise<void> =>
  logChange(db, transition.actor, { kind: auditedOrder, id: transition.orderId }, () => changeStatus(db, transition));

/**
 * Like `changeOrderStatus`, in the transaction of the caller, which must be rolled back if this throws.
 * @throws {ApiError} order-not-found, order-status-not-allowed, order-not-cancellable, payment-open
 * @throws {SoldOut}
 */
export async function changeStatus(db: Database, transition: Transition): Promise<void> {
  const { orderId, to, onlyFrom, onlyIf, expires, userId, now } = transition;
  const order = await getOrder(db, orderId);
  const from = order.status;
  if (onlyFrom !== undefined && from !== onlyFrom) return;
  if (onlyIf && !onlyIf(order)) return;
  if (!mayBecome(from, to)) throw new ApiError('order-status-not-allowed', { values: { from, to } });
  if (from === to) return;
  const date_utc = toUtc(now);
  const moved = await db.query
    .updateTable('orders')
    .set({
      status: to,
      modified_utc: date_utc,
      expires_utc: expires === undefined ? '' : expires,
    })
    // Orders that wait for money on its way count against the limits of unpaid ones.
    .$if(!isUnpaid(to), (update) => update.set({ network: '', email_key: '' }))
    .$if(expires !== undefined, (update) => update.set({ hold_until: null }))
    .where('id', '=', orderId)
    .where('revision', '=', order.revision)
    .returning('id')
    .executeTakeFirst();
  // The order changed concurrently; evaluate the transition again.
  if (!moved) return changeStatus(db, transition);
  await followStatus(db, order, transition);
  const step = await db.query
    .insertInto('order_log')
    .values({ order_id: orderId, from_status: from, to_status: to, user_id: userId, date_utc })
    .returning('id')
    .executeTakeFirstOrThrow();
  await followInvoices(db, order, transition);
  // Customers who pay at the door need no mail: they have their codes, and are present.
  if (to === 'completed' && order.at_door === 0)
    await mailCustomer(db, order, { kind: 'tickets', delay: userId === 0 ? 0 : UNDO_SECONDS, now });
  if (isCountedStatus(from) && !isCountedStatus(to))
    await mailCancellation(db, order, { ...transition, step: step.id });
  await moveUse(db, order, to);
  await moveAttendees(db, { ...transition, from });
}

/** Seconds in which staff may undo that they marked an order as paid, before its tickets are sent. */
const UNDO_SECONDS = 60;

/** Tells the customer and the holders that the places of an order are cancelled, unless a payment at a gateway was given up. */
async function mailCancellation(db: Database, order: Order, { to, step, userId, now }: Transition & { step: number }) {
  if (to === 'not-completed' && (await findPaymentsOfOrder(db, order.id)).length > 0) return;
  const delay = userId === 0 ? 0 : UNDO_SECONDS;
  await mailCustomer(db, order, { kind: 'place_cancelled', key: `place_cancelled-${order.id}-${step}`, now, delay });
  const held = (await findAttendeesOfOrder(db, order.id)).filter(({ status }) => status === 'publish');
  await mailCancelledHolders(db, held, { customer: order.purchaser_email, delay, now });
}

/** Whether money was received, even if it has been given back. */
const wasPaid = ({ paid_utc }: Payment): boolean => paid_utc !== '';

/**
 * Returns the use of a promotion when an order that was never paid gives its seats back, and takes it again when the
 * order regains them. Comes before the seats, as in a sale.
 */
async function moveUse(db: Database, order: Order, to: OrderStatus): Promise<void> {
  const { id, promotion_id, status, purchaser_email: email } = order;
  if (promotion_id === null || isCountedStatus(status) === isCountedStatus(to)) return;
  if (isCountedStatus(to)) await retakeUse(db, { order_id: id, promotion_id, email });
  else if (isUnpaid(status) || !(await findPaymentsOfOrder(db, id)).some(wasPaid)) await returnUse(db, id);
}

/**
 * Books the money of a manual change. Only the request that made the change does so: a concurrent one must not book it
 * too.
 * @throws {ApiError} payment-open while a gateway may still take money: it must be told first; order-status-not-allowed
 * for a status before payment once a gateway took it
 */
async function followStatus(
  db: Database,
  order: Order,
  { to, isMoneyBooked, keepsOffline, userId, now }: Transition,
): Promise<void> {
  if (isMoneyBooked) return;
  const payments = await findPaymentsOfOrder(db, order.id);
  if (openOf(payments).length > 0) throw new ApiError('payment-open');
  await bookStatusMoney(db, order, { to, payments, keepsOffline, entry: { source: 'status', userId, now } });
}

/** Has a job issue the invoice of a paid order, or credit notes for a changed one. */
async function followInvoices(db: Database, { id, total }: Order, { to, invoices = 'off', now }: Transition) {
  const isDue = to === 'completed' && invoices !== 'off' && total > 0;
  await (isDue
    ? enqueueInvoice(db, { orderId: id, reason: 'paid', now })
    : enqueueCorrection(db, { orderId: id, now }));
}

type Move = Pick<Transition, 'orderId' | 'unlessCheckedIn'> & { from: string; to: string };

/**
 * Applies the new status of an order to its attendees. Only the seats of changed attendee rows move, so that none is
 * returned twice.
 * @throws {ApiError} order-not-cancellable if an attendee is checked in and must not be
 */
async function moveAttendees(db: Database, { orderId, from, to, unlessCheckedIn }: Move): Promise<void> {
  if (isCountedStatus(from) === isCountedStatus(to)) {
    await db.query
      .updateTable('attendees')
      .set({ attendance_status: to })
      .where('order_id', '=', orderId)
      .where('attendance_status', '<>', CANCELLED_SEAT)
      .execute();
    return;
  }
  const [was, becomes] = isCountedStatus(to) ? ['trash', 'publish'] : ['publish', 'trash'];
  // Restored attendees must check in again.
  const checkedOut = {
    checked_in: 0,
    checkin_utc: '',
    checkin_source: '',
    checkin_author: 0,
    checkin_device: '',
  } as const;
  const rows = await db.query
    .updateTable('attendees')
    .set({ attendance_status: to, status: becomes, ...checkedOut })
    .where('order_id', '=', orderId)
    .where('status', '=', was ?? '')
    .where('attendance_status', '<>', CANCELLED_SEAT)
    .$if(unlessCheckedIn === true, (update) => update.where('checked_in', '=', 0))
    .returning('ticket_id')
    .execute();
  if (unlessCheckedIn && (await hasAttendees(db, orderId))) throw cancellationRefused('checked-in');
  const seats = seatsOf(rows);
  if (isCountedStatus(to)) await takeSeats(db, seats, 'sold');
  else await returnSeats(db, seats, 'sold');
}

/** Whether an order has attendees who are not archived. */
async function hasAttendees(db: Database, orderId: number): Promise<boolean> {
  const row = await db.query
    .selectFrom('attendees')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'publish')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
