import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { can, eventScope, type Viewer, viewerOf } from '../../http/core/auth.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { Actor, AuthenticationMethod } from '../../lib/actor.ts';
import { defineJob, GiveUp, NotYet } from '../../platform/jobs/job.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { accountOf, findUser } from '../../platform/users/store.ts';
import { hasOpenPayment } from '../ledger/payments.ts';
import { type OrderActionContext, runOrderAction } from '../orders/staff/order-action.ts';
import { refundOrder } from './request-refund.ts';

/** Refund of a cancelled event: the money of all its places, order by order. */

const EVENT_REFUND_JOB = 'events.refund';

/** Name of the effect, so that one process at a time works on an event. */
export const eventRefundKey = (event: number): string => `refund-event-${event}`;

/** Source of the refunds of an event in the ledger. */
export const eventRefundSource = (event: number): string => `event-${event}`;

/** Orders between two pauses of a second, so that gateways get at most as many refunds a second. */
const BATCH = 10;

/** An order with money to give back for its places in an event. */
export interface DueOrder {
  id: number;
  currency: string;
  places: number;
  /** Minor units. */
  amount: number;
}

interface DueOptions {
  /** Only this order. */
  order?: number;
  /** Only orders after this id. */
  after?: number;
  limit: number;
}

/**
 * Orders of an event with money to give back, by id: for its places that are neither checked in nor part of a pass. An
 * order with no other place and no other event gets everything, fees included. Orders with an open payment, or with
 * money kept on purpose, are left to staff.
 */
export async function findDueOrders(db: Database, event: number, { order, after = 0, limit }: DueOptions) {
  const only = order === undefined ? sql`` : sql`AND orders.id = ${order}`;
  const { rows } = await sql<DueOrder>`
    SELECT id, currency, places, CASE WHEN is_alone = 1 OR price > settled THEN settled ELSE price END AS amount FROM (
      SELECT orders.id, orders.currency, count(*) AS places, sum(attendees.price) AS price,
        CASE WHEN EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND event_id <> ${event})
          OR EXISTS (SELECT 1 FROM attendees AS other WHERE other.order_id = orders.id AND other.status = 'publish'
            AND (other.event_id <> ${event} OR other.checked_in = 1 OR other.pass_id IS NOT NULL))
          THEN 0 ELSE 1 END AS is_alone,
        (SELECT coalesce(sum(amount - refunded), 0) FROM payments
          WHERE order_id = orders.id AND payments.status = 'paid') AS settled
      FROM attendees JOIN orders ON orders.id = attendees.order_id
      WHERE attendees.event_id = ${event} AND attendees.status = 'publish' AND attendees.checked_in = 0
        AND attendees.pass_id IS NULL AND orders.id > ${after} ${only}
        AND NOT ${hasOpenPayment}
        AND NOT EXISTS (SELECT 1 FROM order_charges WHERE order_id = orders.id AND kind = 'kept')
      GROUP BY orders.id, orders.currency) AS due
    WHERE settled > 0 AND (is_alone = 1 OR price > 0) ORDER BY id LIMIT ${limit}`.execute(db.query);
  return rows.map((row) => ({ ...row, places: Number(row.places), amount: Number(row.amount) }));
}

/** A request to refund an event, by the account that made it. */
export interface EventRefundRequest {
  event: number;
  user: number;
  means: AuthenticationMethod;
  reason: string;
}

/** Starts the refund of an event, or goes on with it. */
export const enqueueEventRefund = (db: Database, request: EventRefundRequest, now: Date): Promise<void> =>
  enqueue(db, {
    kind: EVENT_REFUND_JOB,
    key: eventRefundKey(request.event),
    payload: { ...request },
    now,
    isAnew: true,
    record: { kind: 'event', id: request.event },
  });

/**
 * Background job that refunds an event. It keeps no state: places that are refunded are cancelled in the same
 * transaction, and not found again.
 */
export const eventRefundJob = defineJob<{ event: number; user: number; means: string; reason: string }>({
  kind: EVENT_REFUND_JOB,
  async work(context, { event, user, means, reason }, { heartbeat }) {
    const failures: unknown[] = [];
    let [after, refunded] = [0, 0];
    for (;;) {
      // Asked again for each batch: the event may take place after all, and the account may lose the right.
      const ctx = await actorContext(context, { user, means: means as AuthenticationMethod });
      if (!(await isCancelled(context.db, event))) throw new GiveUp('the event is not cancelled');
      const due = await findDueOrders(context.db, event, { after, limit: BATCH });
      for (const { id } of due) refunded += await attemptRefund(ctx, { id, event, reason }, failures);
      await heartbeat();
      if (due.length < BATCH) break;
      if (refunded >= BATCH) throw new NotYet(1);
      after = due.at(-1)?.id ?? after;
    }
    if (failures.length > 0) throw failures[0];
    return undefined;
  },
});

/** Whether an account may refund events, whose orders may have places of any. */
export const mayRefundEvents = (viewer: Viewer): boolean =>
  can(viewer, 'refund') && eventScope(viewer, 'read_orders') === 'all';

/** Whether an event is cancelled. */
export async function isCancelled(db: Database, id: number): Promise<boolean> {
  const event = await db.query.selectFrom('events').select('event_status').where('id', '=', id).executeTakeFirst();
  return event?.event_status === 'cancelled';
}

/** The circumstances of a change that a job makes for an account. */
async function actorContext(
  context: Context,
  { user, means }: { user: number; means: AuthenticationMethod },
): Promise<OrderActionContext> {
  const row = await findUser(context.db, user);
  const viewer = row && viewerOf(accountOf(row));
  if (!row || !viewer || !mayRefundEvents(viewer)) throw new GiveUp('the account may not give money back any more');
  const now = context.now();
  const account = { id: row.id, name: row.username };
  const actor: Actor = { account, credential: { means, id: null, name: '' }, network: '', requestId: '', now };
  return { context, viewer, actor, now };
}

/** Refunds an order. One that cannot be refunded, because it is paid again meanwhile, does not keep back the others. */
async function attemptRefund(
  ctx: OrderActionContext,
  order: { id: number; event: number; reason: string },
  failures: unknown[],
): Promise<number> {
  try {
    return await refundDueOrder(ctx, order);
  } catch (error) {
    if (!(error instanceof ApiError)) failures.push(error);
    return 0;
  }
}

/** @returns the number of orders refunded: 0 if its places were cancelled meanwhile */
async function refundDueOrder(
  ctx: OrderActionContext,
  { id, event, reason }: { id: number; event: number; reason: string },
): Promise<number> {
  let count = 0;
  await runOrderAction(ctx, { id, isDryRun: false }, async (db, order) => {
    count = 0;
    const [due] = await findDueOrders(db, event, { order: id, limit: 1 });
    if (!due) return;
    const places = await db.query
      .selectFrom('attendees')
      .select('id')
      .where('order_id', '=', id)
      .where('event_id', '=', event)
      .where('status', '=', 'publish')
      .where('checked_in', '=', 0)
      .where('pass_id', 'is', null)
      .execute();
    const attendees = places.map((place) => place.id);
    await refundOrder(db, order, { attendees, amount: due.amount, reason, source: eventRefundSource(event) }, ctx);
    count = 1;
  });
  return count;
}
