import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { DoorSalesTable } from '../../db/tables/door.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { allocate } from '../../lib/money/rates.ts';
import { findItems } from '../orders/store.ts';

/** Money that devices took at the door. */

type Row = Selectable<DoorSalesTable>;
export type Sale = Pick<Row, 'sale_id' | 'order_id' | 'payment' | 'amount' | 'currency'>;

/** Sum of money by payment method. */
const takingFields = {
  payment: z.string().describe('`cash`, `card` or `free`.'),
  currency: z.string(),
  sales: z.int().describe('Number of sales, and of orders whose money was taken.'),
  places: z.int().describe('Places sold.'),
  amount: z.int().describe('Minor units.'),
};

export const takingsSchema = z.array(z.object(takingFields));
type Taking = z.output<typeof takingsSchema>[number];

/** Sums by gate and device. */
export const deviceTakingsSchema = z.array(
  z.object({ gate_id: z.int(), device_id: z.int(), device: z.string(), ...takingFields }),
);
export type DeviceTaking = z.output<typeof deviceTakingsSchema>[number];

/** A sale with the money of all of its events. */
export async function findSale(db: Database, deviceId: number, saleId: string): Promise<Sale | undefined> {
  const parts = await db.query
    .selectFrom('door_sales')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('sale_id', '=', saleId)
    .execute();
  const [first] = parts;
  return first && { ...first, amount: parts.reduce((sum, { amount }) => sum + amount, 0) };
}

/**
 * Inserts a sale, in its transaction, and divides its money among the events of the order by the prices of their
 * places. The later of two sales with one id fails.
 */
export async function insertSale(
  db: Database,
  { amount, ...sale }: Omit<Insertable<DoorSalesTable>, 'event_id' | 'part' | 'places'>,
): Promise<void> {
  const items = Map.groupBy(await findItems(db, sale.order_id), ({ event_id }) => event_id);
  const events = [...items].map(([event_id, own]) => ({
    event_id,
    places: own.reduce((sum, { quantity }) => sum + quantity, 0),
    price: own.reduce((sum, { quantity, cancelled, price }) => sum + (quantity - cancelled) * price, 0),
  }));
  const prices = events.map(({ price }) => price);
  // An order of free places may have fees.
  const amounts = allocate(amount, prices.some((price) => price > 0) ? prices : prices.map(() => 1));
  const rows = events.map(({ event_id, places }, part) => ({
    ...{ ...sale, part, event_id, amount: amounts[part] ?? 0, places: sale.kind === 'sale' ? places : 0 },
  }));
  await db.query.insertInto('door_sales').values(rows).execute();
}

/** Sums of a gate since a time, or of an event. */
export async function sumSales(
  db: Database,
  of: { gate: number; since: LocalTime } | { event: number },
): Promise<DeviceTaking[]> {
  const condition =
    'event' in of
      ? sql`s.event_id = ${of.event}`
      : sql`s.gate_id = ${of.gate} AND s.sold_utc >= ${db.dialect.bound(of.since)}`;
  const { rows } = await sql<DeviceTaking>`SELECT s.gate_id, s.device_id, d.name AS device, s.payment, s.currency,
    count(DISTINCT s.sale_id) AS sales, sum(s.places) AS places, sum(s.amount) AS amount
    FROM door_sales AS s JOIN door_devices AS d ON d.id = s.device_id WHERE ${condition}
    GROUP BY s.gate_id, s.device_id, d.name, s.payment, s.currency
    ORDER BY s.gate_id, s.device_id, s.payment, s.currency`.execute(db.query);
  return rows.map((row) => ({
    ...row,
    sales: Number(row.sales),
    places: Number(row.places),
    amount: Number(row.amount),
  }));
}

/** Sums of several devices together. */
export function together(takings: readonly DeviceTaking[]): Taking[] {
  const groups = Map.groupBy(takings, ({ payment, currency }) => `${payment} ${currency}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const sum = (key: 'sales' | 'places' | 'amount') => group.reduce((total, one) => total + one[key], 0);
    const { payment, currency } = first;
    return { payment, currency, sales: sum('sales'), places: sum('places'), amount: sum('amount') };
  });
}
