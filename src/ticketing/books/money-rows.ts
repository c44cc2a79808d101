import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { EventScope } from '../../http/core/auth.ts';
import { ROWS_PER_PART } from '../../http/output/csv-response.ts';
import { includedAt } from '../../lib/money/rates.ts';
import { MADE_STATUSES } from '../ledger/payment-statuses.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';
import { type Line, sharesOf, withoutShares } from './shares.ts';

/** Payments, refunds and losses of a period, one row each, with their shares of taxes and fees. */

export interface MoneyFilter {
  /** Period, UTC: its first moment, and the first one after it. */
  start: string;
  end: string;
  /** Only orders with tickets of this event. */
  event?: number | undefined;
  scope: EventScope;
}

interface FoundRow {
  id: number;
  /** `lost`: money of a payment that a bank took back, without the part that had been given back before. */
  kind: 'payment' | 'refund' | 'lost';
  /** The payment itself, or the payment of a refund or loss; with its amount. */
  payment_id: number;
  paid: number;
  order_id: number;
  status: string;
  method: string;
  gateway: string;
  /** Id at the gateway, or reference of money received offline. */
  reference: string;
  currency: string;
  /** Minor units, positive. */
  amount: number;
  /** Fee of the gateway; null if unknown, and for anything but payments. */
  fee: number | null;
  /** Minor units of a payment that were given back. */
  refunded: number;
  date_utc: string;
  /** JSON: ids of the attendees of a refund. */
  attendees: string;
}

export interface MoneyRow extends Omit<FoundRow, 'attendees' | 'payment_id' | 'paid'> {
  shares: Line[];
}

/**
 * Reads payments by the time at which they were paid, then refunds by the time of their request, then losses by the time
 * at which the bank decided, in parts.
 */
export async function* readMoneyRows(
  db: Database,
  filter: MoneyFilter,
  rowsPerPart = ROWS_PER_PART,
): AsyncGenerator<readonly MoneyRow[]> {
  for (const find of [findPaid, findGiven, findLost]) {
    let after: Position = { date_utc: filter.start, id: 0 };
    for (;;) {
      const rows = await find(db, filter, { after, limit: rowsPerPart });
      const last = rows.at(-1);
      if (last) yield await withShares(db, rows);
      if (!last || rows.length < rowsPerPart) break;
      after = last;
    }
  }
}

type Position = Pick<FoundRow, 'date_utc' | 'id'>;

interface Part {
  after: Position;
  limit: number;
}

function conditionsOf({ event, scope }: MoneyFilter, order: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const conditions = [
    ...orderConditionsOf(scope, order, 'orders'),
    ...(event === undefined
      ? []
      : [sql<SqlBool>`EXISTS (SELECT 1 FROM order_items AS i WHERE i.event_id = ${event} AND i.order_id = ${order})`]),
  ];
  return conditions.length > 0 ? sql`AND ${sql.join(conditions, sql` AND `)}` : sql``;
}

/**
 * Rows after a position. It also states the lower limit of the period: databases enter the index here, not at the first
 * row of the period.
 */
const isAfter = (column: RawBuilder<unknown>, id: RawBuilder<unknown>, after: Position) =>
  sql`(${column}, ${id}) > (${after.date_utc}, ${after.id})`;

const MADE = sql.join(MADE_STATUSES.map((status) => sql.lit(status)));

async function findPaid(db: Database, filter: MoneyFilter, { after, limit }: Part): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    SELECT p.id, 'payment' AS kind, p.id AS payment_id, p.amount AS paid, p.order_id, p.status, p.method, p.gateway,
      coalesce(p.external_id, p.reference) AS reference, p.currency, p.amount, p.fee, p.refunded,
      p.paid_utc AS date_utc, '[]' AS attendees
    FROM payments AS p
    WHERE p.paid_utc <> '' AND p.paid_utc < ${filter.end}
      AND p.status IN (${MADE}) AND ${isAfter(sql`p.paid_utc`, sql`p.id`, after)}
      ${conditionsOf(filter, sql.ref('p.order_id'))}
    ORDER BY p.paid_utc, p.id LIMIT ${limit}`.execute(db.query);
  return rows;
}

async function findGiven(db: Database, filter: MoneyFilter, { after, limit }: Part): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    SELECT r.id, 'refund' AS kind, p.id AS payment_id, p.amount AS paid, r.order_id, r.status, p.method,
      CASE WHEN r.offline = 1 THEN 'manual' ELSE p.gateway END AS gateway,
      coalesce(r.external_id, '') AS reference, p.currency, r.amount, NULL AS fee, 0 AS refunded,
      r.created_utc AS date_utc, r.attendees
    FROM refunds AS r JOIN payments AS p ON p.id = r.payment_id
    WHERE r.created_utc < ${filter.end}
      AND r.status <> 'failed' AND ${isAfter(sql`r.created_utc`, sql`r.id`, after)}
      ${conditionsOf(filter, sql.ref('r.order_id'))}
    ORDER BY r.created_utc, r.id LIMIT ${limit}`.execute(db.query);
  return rows;
}

async function findLost(db: Database, filter: MoneyFilter, { after, limit }: Part): Promise<FoundRow[]> {
  // Payments older than the log have no logged time of the loss, but the loss was their last change.
  const { rows } = await sql<FoundRow>`
    WITH losses AS (SELECT payments.*, (SELECT max(CASE WHEN l.date_utc < payments.paid_utc THEN payments.paid_utc
        ELSE l.date_utc END) FROM payment_log AS l WHERE l.payment_id = payments.id AND l.to_status = 'lost') AS lost_utc
      FROM payments WHERE paid_utc <> '' AND paid_utc < ${filter.end} AND status = 'lost' AND refunded < amount)
    SELECT p.id, 'lost' AS kind, p.id AS payment_id, p.amount AS paid, p.order_id, p.status, p.method, p.gateway,
      coalesce(p.external_id, p.reference) AS reference, p.currency, p.amount - p.refunded AS amount, NULL AS fee,
      p.refunded, p.lost_utc AS date_utc, '[]' AS attendees
    FROM losses AS p
    WHERE p.lost_utc < ${filter.end}
      AND ${isAfter(sql`p.lost_utc`, sql`p.id`, after)}
      ${conditionsOf(filter, sql.ref('p.order_id'))}
    ORDER BY p.lost_utc, p.id LIMIT ${limit}`.execute(db.query);
  return rows;
}

const itemsOfOrders = byIds((query, ids) =>
  query
    .selectFrom('order_items')
    .select(['order_id', 'ticket_id', 'price', 'quantity', 'cancelled', 'tax_rate', 'tax'])
    .where('order_id', 'in', ids),
);
const chargesOfOrders = byIds((query, ids) =>
  query
    .selectFrom('order_charges')
    .select(['order_id', 'kind', 'title', 'tax_rate', 'amount', 'tax'])
    .where('order_id', 'in', ids)
    // Other kinds state later changes of these lines.
    .where('kind', 'in', ['fee', 'discount', 'donation']),
);
const attendeesByIds = byIds((query, ids) =>
  query.selectFrom('attendees').select(['id', 'order_id', 'ticket_id', 'price']).where('id', 'in', ids),
);
const refundsOfPayments = byIds((query, ids) =>
  query
    .selectFrom('refunds')
    .select(['id', 'payment_id', 'order_id', 'amount', 'attendees'])
    .where('payment_id', 'in', ids)
    .where('status', '<>', 'failed'),
);

async function withShares(db: Database, rows: readonly FoundRow[]): Promise<MoneyRow[]> {
  const ofPayments = rows.filter(({ kind }) => kind !== 'payment').map(({ payment_id }) => payment_id);
  const refunds = await refundsOfPayments(db, ofPayments);
  const divide = await dividerOf(db, [...rows, ...refunds]);
  const given = Map.groupBy(refunds, ({ payment_id }) => payment_id);
  return rows.map(({ payment_id, paid, attendees, ...row }) => {
    const before = (given.get(payment_id) ?? []).filter(({ id }) => row.kind === 'lost' || id < row.id);
    const isRest = row.kind !== 'payment' && before.reduce((sum, { amount }) => sum + amount, row.amount) === paid;
    if (!isRest) return { ...row, shares: divide({ ...row, attendees }) };
    // A loss ends a payment: it has the taxes and fees of the payment that were not given back before.
    const whole = divide({ ...row, amount: paid, attendees: '[]' });
    return { ...row, shares: withoutShares(whole, before.flatMap(divide)) };
  });
}

/** Money of an order, and JSON: ids of the attendees that it is for. */
type Divided = Pick<FoundRow, 'order_id' | 'amount' | 'attendees'>;

const placesOf = ({ attendees }: Divided) => JSON.parse(attendees) as number[];

/** Reads the lines of orders, among which their money is divided. */
async function dividerOf(db: Database, all: readonly Divided[]): Promise<(money: Divided) => Line[]> {
  const orders = all.map(({ order_id }) => order_id);
  const items = Map.groupBy(await itemsOfOrders(db, orders), ({ order_id }) => order_id);
  const charges = Map.groupBy(await chargesOfOrders(db, orders), ({ order_id }) => order_id);
  const attendees = new Map((await attendeesByIds(db, all.flatMap(placesOf))).map((one) => [one.id, one]));
  return (money) => {
    const own = items.get(money.order_id) ?? [];
    const lines = [
      ...own.map((item) => ({
        ...{ fee: '', rate: item.tax_rate, gross: item.price * item.quantity },
        // An item stores only the tax of places that are not cancelled.
        tax: item.cancelled === 0 ? item.tax : includedAt(item.price * item.quantity, item.tax_rate),
      })),
      ...(charges.get(money.order_id) ?? []).map(({ kind, title, tax_rate, amount, tax }) => ({
        ...{ fee: kind === 'fee' ? title : '', rate: tax_rate, gross: amount, tax },
      })),
    ];
    const places = placesOf(money).flatMap((id) => {
      const place = attendees.get(id);
      const item = own.find(({ ticket_id, price }) => ticket_id === place?.ticket_id && price === place.price);
      return place && item
        ? [{ fee: '', rate: item.tax_rate, gross: place.price, tax: includedAt(place.price, item.tax_rate) }]
        : [];
    });
    // A refund of places alone has their taxes; any other refund is divided among all lines.
    const isOfPlaces = money.amount > 0 && money.amount <= places.reduce((sum, { gross }) => sum + gross, 0);
    return sharesOf(money.amount, isOfPlaces ? places : lines);
  };
}
