import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { eventScope } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { mayReadFindings } from '../books/findings.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';
import { countOrders } from '../orders/store.ts';

/** Tasks about money that waits for staff. */

/** Maximum number of orders listed per task; all are counted. */
const MAX_LISTED = 20;

const ordersTask = z.object({ count: z.int(), orders: z.array(z.object({ id: z.int(), number: z.string() })) });

export const moneyTaskFields = {
  failed_refunds: ordersTask
    .nullable()
    .describe(
      `Orders with a refund that the payment service refused, to be tried again or given back another way; at most ${MAX_LISTED} are listed.`,
    ),
  disputes: ordersTask
    .nullable()
    .describe('Orders with a disputed payment: the bank of the customer asks for the money back.'),
  other_amounts: ordersTask
    .nullable()
    .describe('Orders for which the amount paid differs from the amount requested: end the payment to accept it.'),
  money_owed: z
    .object({ count: z.int() })
    .nullable()
    .describe('Orders for which more was received than they cost: the excess is to be given back.'),
  findings: z.object({ count: z.int() }).nullable().describe('Open findings of the reconciliation.'),
};

/** Conditions on orders by the names of the tasks. Literals repeat the conditions of partial indexes. */
const WAITING: Readonly<Record<'failed_refunds' | 'disputes' | 'other_amounts', RawBuilder<SqlBool>>> = {
  // Nothing is left to do if the money went back another way meanwhile.
  failed_refunds: sql`orders.id IN (SELECT r.order_id FROM refunds AS r JOIN payments AS p ON p.id = r.payment_id
    WHERE r.status = 'failed' AND r.source <> 'retried'
      AND p.status = 'paid' AND r.amount <= p.amount - p.refunded)`,
  disputes: sql`orders.id IN (SELECT p.order_id FROM payments AS p WHERE p.status = 'disputed')`,
  other_amounts: sql`orders.id IN (SELECT p.order_id FROM payments AS p
    WHERE p.status IN ('created', 'open', 'processing', 'action') AND p.status = 'action'
      AND (SELECT l.details FROM payment_log AS l WHERE l.payment_id = p.id ORDER BY l.id DESC LIMIT 1)
        LIKE '%"received":%')`,
};

export async function findMoneyTasks(ctx: RequestContext) {
  const { context, viewer } = ctx;
  const scope = eventScope(viewer, 'read_orders');
  const task = async (name: keyof typeof WAITING) => {
    if (scope === 'none') return null;
    const conditions = [WAITING[name], ...orderConditionsOf(scope, sql.ref('orders.id'))];
    const where = sql.join(conditions, sql` AND `);
    const { rows } = await sql<{ id: number }>`SELECT id FROM orders WHERE ${where} ORDER BY id`.execute(
      context.db.query,
    );
    const orders = rows.slice(0, MAX_LISTED).map(({ id }) => ({ id, number: orderNumber(id) }));
    return { count: rows.length, orders };
  };
  return {
    failed_refunds: await task('failed_refunds'),
    disputes: await task('disputes'),
    other_amounts: await task('other_amounts'),
    money_owed: await countOwed(ctx),
    findings: mayReadFindings(viewer) ? await countFindings(ctx) : null,
  };
}

async function countOwed({ context, viewer }: RequestContext) {
  const within = eventScope(viewer, 'read_orders');
  return within === 'none' ? null : { count: await countOrders(context.db, { within, moneyOwed: true }) };
}

async function countFindings({ context }: RequestContext) {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM reconciliation_findings WHERE status = 'open'`.execute(context.db.query);
  return { count: Number(rows[0]?.count ?? 0) };
}
