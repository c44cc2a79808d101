import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { IncompleteRecords } from '../../db/integrity.ts';
import { PAYMENT_STATUSES } from '../../db/tables/ticketing.ts';
import { INVOICE_JOB } from '../ledger/invoices.ts';
import { isSettled } from '../ledger/payment-statuses.ts';
import { isUnpaid, ORDER_STATUSES } from '../orders/statuses.ts';
import { isCountedStatus } from '../seats/seats.ts';

/** Contradictions of the books: between orders, their lines, places, payments and refunds. */

const list = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

const SETTLED = list(PAYMENT_STATUSES.filter((status) => isSettled({ status })));
const UNPAID = list(ORDER_STATUSES.filter(isUnpaid));
const WITH_PLACES = list(ORDER_STATUSES.filter(isCountedStatus));

/** Money of the order `o` that was received and not given back. */
const settled = sql`(SELECT coalesce(sum(p.amount - p.refunded), 0) FROM payments AS p
  WHERE p.order_id = o.id AND p.status IN (${SETTLED}))`;

/** Prices of the places of the order `o` that were not cancelled one by one. */
const items = sql`(SELECT coalesce(sum(i.price * (i.quantity - i.cancelled)), 0) FROM order_items AS i
  WHERE i.order_id = o.id)`;

const charges = (condition: RawBuilder<unknown>) => sql`(SELECT coalesce(sum(c.amount), 0) FROM order_charges AS c
  WHERE c.order_id = o.id AND ${condition})`;

/** Part of the total of the order `o` that consists of charges for kept money. */
const keptInTotal = sql`(o.total - ${items} - ${charges(sql`c.kind <> 'kept'`)})`;

/** Whether the oldest charges for kept money, up to one of them, add up to that part of the total. */
const someMakeUpKept = sql`EXISTS (SELECT 1 FROM order_charges AS k WHERE k.order_id = o.id AND k.kind = 'kept'
  AND ${charges(sql`c.kind = 'kept' AND c.id <= k.id`)} = ${keptInTotal})`;

const published = sql`(SELECT count(*) FROM attendees AS a WHERE a.order_id = i.order_id
  AND a.ticket_id = i.ticket_id AND a.price = i.price AND a.status = 'publish')`;

/** Money that is kept on purpose of the order `o`. */
const kept = charges(sql`c.kind = 'kept'`);

/** Minimum that the invoices of the order `o` must state. An unpaid order has invoices only if it is due. */
const leastInvoiced = sql`CASE WHEN o.status = 'completed' THEN o.total ELSE ${kept} END`;

/** Maximum that they may state: the price, or more while money is still to be given back. */
const mostInvoiced = sql`CASE WHEN o.status IN (${list(['completed', ...ORDER_STATUSES.filter(isUnpaid)])})
  THEN o.total ELSE ${kept} END`;

const refunded = sql`(SELECT coalesce(sum(r.amount), 0) FROM refunds AS r
  WHERE r.payment_id = p.id AND r.status <> 'failed')`;

/** Queries for ids of wrong records. */
const CHECKS: readonly [what: string, query: RawBuilder<unknown>][] = [
  [
    'completed order that is not paid in full',
    sql`SELECT o.id FROM orders AS o WHERE o.status = 'completed' AND o.total > 0 AND ${settled} < o.total`,
  ],
  [
    'order that is paid in full, but waits for its payment',
    sql`SELECT o.id FROM orders AS o WHERE o.status IN (${UNPAID}) AND o.total > 0 AND ${settled} >= o.total`,
  ],
  [
    'order whose lines do not add up to its total',
    // Money kept of an order that gave up all its places is shown beside its lines, whose total stays.
    sql`SELECT o.id FROM orders AS o WHERE ${keptInTotal} <> ${kept}
      AND (o.status IN (${WITH_PLACES}) OR (${keptInTotal} <> 0 AND NOT ${someMakeUpKept}))`,
  ],
  [
    'order whose lines have other places than its attendees',
    sql`SELECT DISTINCT o.id FROM orders AS o JOIN order_items AS i ON i.order_id = o.id
      WHERE ${published} <> CASE WHEN o.status IN (${WITH_PLACES}) THEN i.quantity - i.cancelled ELSE 0 END`,
  ],
  [
    'attendee without a line of its order',
    sql`SELECT a.id FROM attendees AS a WHERE a.order_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM order_items AS i
      WHERE i.order_id = a.order_id AND i.ticket_id = a.ticket_id AND i.price = a.price)`,
  ],
  [
    'payment of which more is given back than was paid',
    sql`SELECT p.id FROM payments AS p WHERE p.refunded < 0 OR p.refunded > p.amount`,
  ],
  [
    'payment that counts other refunds than it has',
    sql`SELECT p.id FROM payments AS p WHERE p.refunded <> ${refunded}`,
  ],
  [
    'payment of no order, or in another currency',
    sql`SELECT p.id FROM payments AS p WHERE NOT EXISTS (SELECT 1 FROM orders AS o
      WHERE o.id = p.order_id AND o.currency = p.currency)`,
  ],
  [
    'payment whose log does not lead to its status',
    sql`SELECT p.id FROM payments AS p WHERE coalesce((SELECT l.to_status FROM payment_log AS l
      WHERE l.payment_id = p.id ORDER BY l.id DESC LIMIT 1), '') <> p.status`,
  ],
  [
    'refund of no payment, or of another order',
    sql`SELECT r.id FROM refunds AS r WHERE NOT EXISTS (SELECT 1 FROM payments AS p
      WHERE p.id = r.payment_id AND p.order_id = r.order_id)`,
  ],
  [
    'charge of no order',
    sql`SELECT c.id FROM order_charges AS c WHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.id = c.order_id)`,
  ],
  [
    'order whose invoices add up to another amount than it does',
    // A pending job will state the change.
    sql`SELECT o.id FROM orders AS o JOIN (SELECT i.order_id,
        sum(CASE i.kind WHEN 'credit' THEN -i.total ELSE i.total END) AS invoiced
        FROM invoices AS i GROUP BY i.order_id) AS d ON d.order_id = o.id
      WHERE (d.invoiced < ${leastInvoiced} OR (d.invoiced > ${mostInvoiced} AND d.invoiced > ${settled}))
        AND NOT EXISTS (SELECT 1 FROM jobs AS j WHERE j.record_kind = 'order' AND j.record_id = o.id
          AND j.kind = ${sql.lit(INVOICE_JOB)} AND j.state <> 'dead')`,
  ],
  [
    'use of a promotion by no order',
    sql`SELECT u.order_id AS id FROM promotion_uses AS u WHERE NOT EXISTS (SELECT 1 FROM orders AS o
      WHERE o.id = u.order_id AND o.promotion_id = u.promotion_id)`,
  ],
];

/** Finds contradictions of the books. Read-only; each check is one statement, so that sales do not disturb it. */
export async function findBookErrors(db: Database): Promise<IncompleteRecords[]> {
  const found: IncompleteRecords[] = [];
  for (const [what, query] of CHECKS) {
    const { rows } = await sql<{ count: number; example: number | null }>`
      SELECT count(*) AS count, min(id) AS example FROM (${query}) AS found`.execute(db.query);
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) found.push({ what, count, example: Number(rows[0]?.example) });
  }
  return found;
}
