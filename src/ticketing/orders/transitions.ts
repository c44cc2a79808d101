import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { Actor } from '../../lib/actor.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { logChange } from '../../platform/audit/log.ts';
import { isCountedStatus, seatsLeft } from '../tickets/seats/seats.ts';
import { returnSeats, SoldOut, seatsOf, takeSeats, withExpiredReleased } from '../tickets/seats/stock.ts';
import { auditedOrder } from './audited.ts';
import { cancellationRefused } from './cancellation.ts';
import { CANCELLED_PLACE, mayBecome, type OrderStatus } from './statuses.ts';
import { findOrder, type Order } from './store.ts';

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
  /** 0 without an account, for example for a payment provider. */
  userId: number;
  /** Actor for the audit log; absent for customers, payment providers and jobs. */
  actor?: Actor;
  now: Date;
}

/**
 * Changes the status of an order. An order that no longer takes seats (refunded, not completed, ...) returns them and
 * archives its attendees; one that takes seats again restores them. Repeating a refund has no effect.
 * @throws {ApiError} order-not-found, order-status-not-allowed, order-not-cancellable, tec-tc-insufficient-stock
 */
export async function changeOrder(db: Database, transition: Transition): Promise<void> {
  try {
    await withExpiredReleased(db, transition.now, () => db.transaction((trx) => changeLogged(trx, transition)));
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    const available = await seatsLeft(db, error.ticketId, transition.now);
    throw new ApiError('tec-tc-insufficient-stock', { data: { ticket_id: error.ticketId, available } });
  }
}

const changeLogged = (db: Database, transition: Transition): Promise<void> =>
  logChange(db, transition.actor, { kind: auditedOrder, id: transition.orderId }, () => changeStatus(db, transition));

/**
 * Like `changeOrder`, in the transaction of the caller, which must be rolled back if this throws.
 * @throws {ApiError} order-not-found, order-status-not-allowed, order-not-cancellable
 * @throws {SoldOut}
 */
export async function changeStatus(db: Database, transition: Transition): Promise<void> {
  const { orderId, to, onlyFrom, onlyIf, unlessCheckedIn = false, expires = '', userId, now } = transition;
  const order = await findOrder(db, orderId);
  if (!order) throw new ApiError('order-not-found');
  const from = order.status;
  if (onlyFrom !== undefined && from !== onlyFrom) return;
  if (onlyIf && !onlyIf(order)) return;
  if (!mayBecome(from, to)) throw new ApiError('order-status-not-allowed', { values: { from, to } });
  if (from === to) return;
  const date_utc = toUtc(now);
  const moved = await db.query
    .updateTable('orders')
    .set({ status: to, modified_utc: date_utc, expires_utc: expires, network: '', email_key: '' })
    .where('id', '=', orderId)
    .where('revision', '=', order.revision)
    .returning('id')
    .executeTakeFirst();
  // The order changed concurrently; evaluate the transition again.
  if (!moved) return changeStatus(db, transition);
  await db.query
    .insertInto('order_log')
    .values({ order_id: orderId, from_status: from, to_status: to, user_id: userId, date_utc })
    .execute();
  await moveAttendees(db, { orderId, from, to, unlessCheckedIn });
}

/**
 * Applies the new status of an order to its attendees. Only the seats of changed attendee rows move, so that none is
 * returned twice.
 * @throws {ApiError} order-not-cancellable if an attendee is checked in and must not be
 */
async function moveAttendees(
  db: Database,
  { orderId, from, to, unlessCheckedIn }: { orderId: number; from: string; to: string; unlessCheckedIn: boolean },
): Promise<void> {
  if (isCountedStatus(from) === isCountedStatus(to)) {
    await db.query
      .updateTable('attendees')
      .set({ attendance_status: to })
      .where('order_id', '=', orderId)
      .where('attendance_status', '<>', CANCELLED_PLACE)
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
    .where('attendance_status', '<>', CANCELLED_PLACE)
    .$if(unlessCheckedIn, (update) => update.where('checked_in', '=', 0))
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
