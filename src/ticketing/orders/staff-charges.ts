import { sql } from 'kysely';
import type { Config } from '../../base/config.ts';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { differenceByRate, type RatePart, shareByRate, sumByRate } from '../../lib/money/rate-parts.ts';
import { includedAt } from '../../lib/money/rates.ts';
import { enqueueCorrection } from '../ledger/invoices.ts';
import { chargeTitle, findChargesOfOrder, keptOf } from '../ledger/payments.ts';
import { isCountedStatus } from '../seats/seats.ts';
import { findItems, type Order, type OrderItem } from './store.ts';

/** Charges that adjust the price of an order to the money that is kept. */

interface Circumstances {
  config: Pick<Config, 'languages'>;
  now: Date;
}

interface NewCharges extends Circumstances {
  kind: 'credit' | 'kept';
  /** Amounts by tax rate. */
  parts: readonly RatePart[];
  /** Whether the total of the order has it already. */
  isInTotal?: boolean;
}

/** Adds lines to an order besides its places, one for each tax rate. */
export async function addCharges(
  db: Database,
  order: Pick<Order, 'id'>,
  { kind, parts, isInTotal = false, config, now }: NewCharges,
): Promise<void> {
  if (parts.length === 0) return;
  const title = chargeTitle(kind, config.languages[0] ?? 'en');
  const common = { order_id: order.id, kind, title, source_id: null, date_utc: toUtc(now) };
  await db.query
    .insertInto('order_charges')
    .values(parts.map(({ amount, tax_rate, tax }) => ({ ...common, amount, tax_rate, tax })))
    .execute();
  await enqueueCorrection(db, { orderId: order.id, now });
  if (isInTotal) return;
  await db.query
    .updateTable('orders')
    .set({ total: sql<number>`total + ${totalOf(parts)}` })
    .where('id', '=', order.id)
    .execute();
}

const totalOf = (parts: readonly RatePart[]): number => parts.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Reduces the price of an order by money that was given back without cancelling a place: its total, with the taxes in
 * proportion, or the kept amount of an order that has no places left. A negative amount raises it. No tax rate falls
 * below 0, as it could when places cost less since an earlier credit.
 */
export async function creditOrder(
  db: Database,
  order: Pick<Order, 'id' | 'status'>,
  { amount, ...circumstances }: Circumstances & { amount: number },
): Promise<void> {
  const charges = await findChargesOfOrder(db, order.id);
  if (!isCountedStatus(order.status)) {
    const kept = charges.filter(({ kind }) => kind === 'kept');
    const left = shareByRate(Math.max(0, keptOf(charges) - amount), kept);
    const parts = differenceByRate(left, kept);
    return addCharges(db, order, { kind: 'kept', parts, isInTotal: true, ...circumstances });
  }
  const lines = [...placesLeft(await findItems(db, order.id)), ...charges];
  if (amount === 0 && sumByRate(lines).every((rate) => rate.amount >= 0)) return;
  const parts = differenceByRate(shareByRate(totalOf(lines) - amount, lines), lines);
  await addCharges(db, order, { kind: 'credit', parts, ...circumstances });
}

/**
 * Keeps an amount of an order whose places are all given up, at the tax rates of its price. Its charges for kept money
 * add up to the amount, with those of earlier refunds.
 * @param amount in minor units
 * @param isSettled whether nothing beyond the charges for kept money was left to be given back
 */
export async function keepOfOrder(
  db: Database,
  order: Pick<Order, 'id'>,
  { amount, isSettled, ...circumstances }: Circumstances & { amount: number; isSettled: boolean },
): Promise<void> {
  const charges = await findChargesOfOrder(db, order.id);
  const items = await findItems(db, order.id);
  const kept = charges.filter(({ kind }) => kind === 'kept');
  const lines = isSettled && kept.length > 0 ? kept : [...placesLeft(items), ...charges];
  const beyond = Math.max(0, amount - Math.max(0, totalOf(lines)));
  const parts = [...shareByRate(amount - beyond, lines), ...shareByRate(beyond, cancelledPlaces(items))];
  await addCharges(db, order, {
    ...{ kind: 'kept', parts: differenceByRate(parts, kept), isInTotal: true },
    ...circumstances,
  });
}

/** The places of items that are not cancelled, by tax rate. */
export const placesLeft = (items: readonly OrderItem[]): RatePart[] =>
  sumByRate(
    items.map(({ tax_rate, price, quantity, cancelled, tax }) => ({
      ...{ tax_rate, tax },
      amount: price * (quantity - cancelled),
    })),
  );

const cancelledPlaces = (items: readonly OrderItem[]): RatePart[] =>
  items.map(({ tax_rate, price, cancelled }) => {
    const amount = price * cancelled;
    return { tax_rate, amount, tax: includedAt(amount, tax_rate) };
  });
