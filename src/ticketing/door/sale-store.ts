import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { DoorSalesTable } from '../../db/tables/door.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';

/** Money that devices took at the door. */

export type Sale = Selectable<DoorSalesTable>;

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

export const findSale = (db: Database, deviceId: number, saleId: string): Promise<Sale | undefined> =>
  db.query
    .selectFrom('door_sales')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('sale_id', '=', saleId)
    .executeTakeFirst();

/** Inserts a sale, in its transaction. Of two with one id, the later one fails, and then finds the earlier one. */
export async function insertSale(db: Database, sale: Insertable<DoorSalesTable>): Promise<void> {
  await db.query.insertInto('door_sales').values(sale).execute();
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
    count(*) AS sales, sum(s.places) AS places, sum(s.amount) AS amount
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
