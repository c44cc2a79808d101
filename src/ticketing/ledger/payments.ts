import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { OrderChargesTable, PaymentStatus, PaymentsTable } from '../../db/tables/ticketing.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { isRemoteGateway } from '../../platform/site/payment-gateways.ts';
import { isOpenPayment, isSettled, mayMove, OPEN_STATUSES } from './payment-statuses.ts';

/** Ledger of payments: attempts to pay orders at gateways, and payments received offline. */

export type Payment = Selectable<PaymentsTable>;

/** Amount of an order besides the prices of its places. */
export type Charge = Selectable<OrderChargesTable>;

/** Circumstances of a change of money, for the log. */
export interface Entry {
  /** Reason of the change, such as `webhook`, `return`, `deadline`, `look` or `staff`. */
  source: string;
  /** 0 for customers, gateways and jobs. */
  userId: number;
  now: Date;
  /** Without personal data and secrets. */
  details?: Readonly<Record<string, string | number>>;
}

/** Whether a payment was received offline, so that no service knows of it. */
export const isOffline = ({ gateway }: Pick<Payment, 'gateway'>): boolean => !isRemoteGateway(gateway);

/** Maximum number of payments of an order, so that its link cannot fill the table and the gateway. */
export const MAX_PAYMENTS = 20;

export const findPayment = (db: Database, id: number): Promise<Payment | undefined> =>
  db.query.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();

/** Payments of orders, oldest first. */
export const findPaymentsOfOrders = byIds((query, ids) =>
  query.selectFrom('payments').selectAll().where('order_id', 'in', ids).orderBy('id'),
);

/** Payments of an order, oldest first. */
export const findPaymentsOfOrder = (db: Database, orderId: number): Promise<Payment[]> =>
  findPaymentsOfOrders(db, [orderId]);

/** Charges of orders, oldest first. */
export const findChargesOfOrders = byIds((query, ids) =>
  query.selectFrom('order_charges').selectAll().where('order_id', 'in', ids).orderBy('id'),
);

/** Charges of an order, oldest first. */
export const findChargesOfOrder = (db: Database, orderId: number): Promise<Charge[]> =>
  findChargesOfOrders(db, [orderId]);

/** Title in a language of a charge that is no fee; fees have the name that staff gave them. */
export const chargeTitle = (kind: Exclude<Charge['kind'], 'fee' | 'discount'>, language: string): string =>
  translate(language, `order.charge_${kind}`);

/** Title of a charge in a language. Fees and discounts have the names that staff gave them. */
export const titleOf = ({ kind, title }: Charge, language: string): string =>
  kind === 'fee' || kind === 'discount' ? title : chargeTitle(kind, language);

/** Money that staff keep of an order without places, on purpose, in minor units. */
export const keptOf = (charges: readonly Charge[]): number =>
  charges.filter(({ kind }) => kind === 'kept').reduce((sum, { amount }) => sum + amount, 0);

type NewPayment = Pick<Payment, 'order_id' | 'gateway' | 'method' | 'amount' | 'currency'> &
  Partial<Pick<Payment, 'return_url' | 'reference'>>;

/** Adds a payment, `created` for a gateway and `paid` if it was received offline. */
export async function insertPayment(db: Database, payment: NewPayment, entry: Entry): Promise<Payment> {
  const utc = toUtc(entry.now);
  const status = isOffline(payment) ? 'paid' : 'created';
  const values: Insertable<PaymentsTable> = {
    ...payment,
    status,
    paid_utc: status === 'paid' ? utc : '',
    created_utc: utc,
    modified_utc: utc,
  };
  const added = await db.query.insertInto('payments').values(values).returningAll().executeTakeFirstOrThrow();
  await logMove(db, added.id, { from: '', to: status, entry });
  return added;
}

const logMove = (db: Database, paymentId: number, { from, to, entry }: { from: string; to: string; entry: Entry }) =>
  db.query
    .insertInto('payment_log')
    .values({
      payment_id: paymentId,
      from_status: from,
      to_status: to,
      source: entry.source,
      details: JSON.stringify(entry.details ?? {}),
      user_id: entry.userId,
      date_utc: toUtc(entry.now),
    })
    .execute();

/** Whether an account has booked payments since a time. */
export async function areBookedBy(
  { query }: Database,
  payments: readonly Pick<Payment, 'id'>[],
  { userId, since }: { userId: number; since: LocalTime },
): Promise<boolean> {
  const ids = payments.map(({ id }) => id);
  const { booked } = await query
    .selectFrom('payment_log')
    .select((eb) => eb.fn.countAll<number>().as('booked'))
    .where('payment_id', 'in', ids)
    .where('from_status', '=', '')
    .where('user_id', '=', userId)
    .where('user_id', '<>', 0)
    .where('date_utc', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(booked) === ids.length;
}

/**
 * Moves a payment to another status, in the transaction of the caller.
 * @returns whether it had the given status and may have the other one
 */
export async function movePayment(
  db: Database,
  payment: Pick<Payment, 'id' | 'status'>,
  { to, entry, change = {} }: { to: PaymentStatus; entry: Entry; change?: Updateable<PaymentsTable> },
): Promise<boolean> {
  if (!mayMove(payment.status, to)) return false;
  const utc = toUtc(entry.now);
  // A dispute may be the first news of a payment.
  const paid = isSettled({ status: to })
    ? { paid_utc: sql<string>`CASE WHEN paid_utc = '' THEN ${utc} ELSE paid_utc END` }
    : {};
  const { numUpdatedRows } = await db.query
    .updateTable('payments')
    .set({ status: to, modified_utc: utc, ...paid, ...change })
    .where('id', '=', payment.id)
    .where('status', '=', payment.status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await logMove(db, payment.id, { from: payment.status, to, entry });
  return true;
}

/** Money of an order in minor units: received, and not given back. */
export const settledOf = (payments: readonly Payment[]): number =>
  payments.filter(isSettled).reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);

/** Money of an order that can be given back, in minor units; none of a disputed payment. */
export const refundableOf = (payments: readonly Payment[]): number =>
  settledOf(payments.filter(({ status }) => status === 'paid'));

/** The payments of an order that may still bring money. */
export const openOf = (payments: readonly Payment[]): Payment[] => payments.filter(isOpenPayment);

/** Condition: an order of the outer statement has a payment that may still bring money. */
export const hasOpenPayment = sql<boolean>`EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id
  AND payments.status IN (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))}))`;
