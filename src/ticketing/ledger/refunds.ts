import { type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { RefundsTable } from '../../db/tables/ticketing.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { enqueueCorrection } from './invoices.ts';
import { mailCustomer } from './mails.ts';
import { type Entry, isOffline, type Payment } from './payments.ts';

/** Ledger of refunds. */

export type Refund = Selectable<RefundsTable>;

/** Job that sends a refund to its gateway. */
export const REFUND_JOB = 'refunds.send';

export const findRefund = (db: Database, id: number): Promise<Refund | undefined> =>
  db.query.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();

const refundsOfOrders = byIds((query, ids) =>
  query.selectFrom('refunds').selectAll().where('order_id', 'in', ids).orderBy('id'),
);

/** Refunds of an order, oldest first. */
export const findRefundsOfOrder = (db: Database, orderId: number): Promise<Refund[]> => refundsOfOrders(db, [orderId]);

interface Wanted {
  /** Minor units. */
  amount: number;
  /** Words of staff. */
  reason?: string;
  /** Ids of the attendees whose places it is for. */
  attendees?: readonly number[];
  entry: Entry;
}

/** A refund of more than is left of the payments. */
export class NothingLeft extends Error {}

/** Part of an amount that goes back to a payment. */
interface Portion {
  payment: Payment;
  /** Minor units. */
  amount: number;
}

/** Divides an amount to be given back among payments, the latest first; it may be more than they have left. */
export function portionsOf(payments: readonly Payment[], wanted: number): Portion[] {
  const portions: Portion[] = [];
  let left = wanted;
  // A disputed payment cannot be refunded.
  for (const payment of payments.filter(({ status }) => status === 'paid').toReversed()) {
    const amount = Math.min(left, payment.amount - payment.refunded);
    if (amount <= 0) continue;
    portions.push({ payment, amount });
    left -= amount;
  }
  return portions;
}

/**
 * Gives money of payments back, the latest payment first, in the transaction of the caller and before statements on
 * seats. Money received offline counts as given back offline at once; a job sends the others to their gateway.
 * @throws {NothingLeft} after which the transaction must be rolled back
 */
export async function requestRefunds(db: Database, payments: readonly Payment[], wanted: Wanted): Promise<Refund[]> {
  const refunds: Refund[] = [];
  const portions = portionsOf(payments, wanted.amount);
  for (const { payment, amount } of portions) refunds.push(await requestRefund(db, payment, { ...wanted, amount }));
  if (portions.reduce((sum, { amount }) => sum + amount, 0) < wanted.amount)
    throw new NothingLeft('the payments have less money left than is to be given back');
  return refunds;
}

async function requestRefund(
  db: Database,
  payment: Payment,
  { amount, reason = '', attendees = [], entry }: Wanted,
): Promise<Refund> {
  if (!(await takeFromPayment(db, payment.id, amount))) throw new NothingLeft('the payment has less money left');
  const utc = toUtc(entry.now);
  const isDone = isOffline(payment);
  const refund = await db.query
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      order_id: payment.order_id,
      status: isDone ? 'done' : 'requested',
      amount,
      reason,
      source: entry.source,
      attendees: JSON.stringify(attendees),
      external_id: null,
      checked_utc: utc,
      user_id: entry.userId,
      created_utc: utc,
      modified_utc: utc,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!isDone) await enqueueRefund(db, refund, entry);
  const order = await db.query
    .selectFrom('orders')
    .select(['id', 'purchaser_email', 'language', 'is_mailed'])
    .where('id', '=', payment.order_id)
    .executeTakeFirst();
  if (order)
    await mailCustomer(db, order, { kind: 'refund', record: { kind: 'refund', id: refund.id }, now: entry.now });
  return refund;
}

/**
 * Books money that went back without a refund of ours, such as through the account at the gateway or a bank, in the
 * transaction of the caller. The gateway counts our pending refunds later than this ledger does, so none is booked
 * twice.
 * @returns whether that much of the payment was left
 */
export async function bookReturned(
  db: Database,
  payment: Pick<Payment, 'id' | 'order_id'>,
  { amount, entry }: { amount: number; entry: Entry },
): Promise<boolean> {
  if (!(await takeFromPayment(db, payment.id, amount))) return false;
  const utc = toUtc(entry.now);
  await db.query
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      order_id: payment.order_id,
      status: 'done',
      amount,
      source: 'gateway',
      external_id: null,
      created_utc: utc,
      modified_utc: utc,
    })
    .execute();
  return true;
}

/** Sends a refund, or asks for its state, soon; `isAnew` also ends the pause of one that is waiting. */
export const enqueueRefund = (
  db: Database,
  { id, order_id }: Pick<Refund, 'id' | 'order_id'>,
  { now, isAnew = false }: { now: Date; isAnew?: boolean },
): Promise<void> =>
  enqueue(db, {
    kind: REFUND_JOB,
    key: `refund-${id}`,
    payload: { refund: id },
    now,
    isAnew,
    record: { kind: 'order', id: order_id },
  });

/** Counts an amount as given back, unless the payment has less left. */
async function takeFromPayment(db: Database, id: number, amount: number): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('payments')
    .set({ refunded: sql<number>`refunded + ${amount}` })
    .where('id', '=', id)
    .where(sql<boolean>`refunded + ${amount} <= amount`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface RefundMove {
  to: Refund['status'];
  now: Date;
  externalId?: string;
  /** Why it failed, for people. */
  error?: string;
  /** Whether staff gave the money back another way. */
  isOffline?: boolean;
}

/**
 * Moves a refund to another status, in the transaction of the caller; the money of a failed one counts as not given back.
 * A failed one may still be `done` offline, and a bank may return one that was `done`.
 * @returns whether it had the given status
 */
export async function moveRefund(
  db: Database,
  refund: Refund,
  { to, now, externalId, error = '', isOffline: offline = false }: RefundMove,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('refunds')
    .set({
      status: to,
      error,
      offline: offline ? 1 : 0,
      modified_utc: toUtc(now),
      ...(externalId !== undefined && { external_id: externalId }),
    })
    .where('id', '=', refund.id)
    .where('status', '=', refund.status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (to === 'failed' && refund.status !== 'failed')
    await db.query
      .updateTable('payments')
      .set({ refunded: sql<number>`refunded - ${refund.amount}` })
      .where('id', '=', refund.payment_id)
      .execute();
  if (refund.status === 'failed' && to !== 'failed' && !(await takeFromPayment(db, refund.payment_id, refund.amount)))
    throw new NothingLeft('the payment has less money left');
  await enqueueCorrection(db, { orderId: refund.order_id, now });
  return true;
}
