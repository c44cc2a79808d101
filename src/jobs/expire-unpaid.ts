import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { type LocalTime, toUtc } from '../lib/dates/dates.ts';
import { hasOpenPayment } from '../ticketing/ledger/payments.ts';
import { changeOrderStatus } from '../ticketing/orders/change-status.ts';
import type { Order } from '../ticketing/orders/store.ts';
import { expiryByEvents, expiryOf, isUnpaidExpired, visitorExpiry } from '../ticketing/orders/unpaid-expiry.ts';
import { patienceEnds } from '../ticketing/payments/check-payment.ts';

const BATCH = 100;

/**
 * Expires orders that were not paid in time, so that they cannot keep seats: they become `not-completed`, their seats
 * are returned and their attendees archived. An editor may still complete one later if enough seats are available. Safe
 * to run in several processes at once.
 * @returns the number of expired orders
 */
export async function expireUnpaid(context: Context): Promise<number> {
  const { config, db, now } = context;
  await followEvents(context);
  const moment = now();
  const utc = toUtc(moment);
  const { orderHold } = config;
  const due = await db.query
    .selectFrom('orders')
    .select('id')
    .where((eb) => isUnpaidExpired(eb, utc, orderHold))
    // The gateway must first end an open payment; if it does not respond for a while, the seats are released anyway.
    .where(({ or, eb, not }) => or([not(hasOpenPayment), isUnpaidExpired(eb, patienceEnds(utc), orderHold)]))
    .orderBy('id')
    .limit(BATCH)
    .execute();
  // Skips orders that have been paid or extended since.
  const onlyIf = (order: Order) => (expiryOf(order, orderHold) ?? '9999') <= utc;
  for (const { id } of due) {
    await changeOrderStatus(db, {
      orderId: id,
      to: 'not-completed',
      onlyFrom: 'pending',
      onlyIf,
      isMoneyBooked: true,
      userId: 0,
      now: moment,
    });
  }
  return due.length;
}

/** Earliest time of the events that take place; null if none does. */
const earliestIf = (column: 'utc_start_date' | 'utc_end_date') =>
  sql`min(CASE WHEN events.status <> 'trash' AND event_status NOT IN ('cancelled', 'postponed') THEN ${sql.ref(column)} END)`;

/** Updates the expiry of unpaid orders that depends on the times of their events, which may have moved. */
async function followEvents({ config, db }: Context): Promise<void> {
  const rows = await db.query
    .selectFrom('orders')
    .innerJoin('order_items', 'order_id', 'orders.id')
    .innerJoin('events', 'events.id', 'order_items.event_id')
    .select(['orders.id', 'orders.modified_utc', 'hold_until', 'expires_utc'])
    .select([
      // For a series pass, the first date that takes place counts.
      sql<LocalTime>`coalesce(${earliestIf('utc_start_date')}, min(utc_start_date))`.as('starts'),
      sql<LocalTime>`coalesce(${earliestIf('utc_end_date')}, min(utc_end_date))`.as('ends'),
      // A postponed event has no date, so nothing expires.
      sql<number>`CASE WHEN ${earliestIf('utc_end_date')} IS NULL
        AND max(CASE WHEN event_status = 'postponed' THEN 1 ELSE 0 END) = 1 THEN 1 ELSE 0 END`.as('postponed'),
    ])
    // A literal, because partial indexes do not support bound values.
    .where('orders.status', '=', sql.lit('pending'))
    .where('hold_until', 'is not', null)
    .whereRef('order_items.cancelled', '<', 'order_items.quantity')
    .groupBy(['orders.id', 'orders.modified_utc', 'hold_until', 'expires_utc'])
    .groupBy((eb) => eb.fn.coalesce('order_items.pass_id', 'order_items.ticket_id'))
    .execute();
  for (const parts of Map.groupBy(rows, ({ id }) => id).values()) {
    const [order] = parts;
    if (!order || order.hold_until === null) continue;
    const { id, modified_utc, hold_until, expires_utc } = order;
    const [starts = ''] = parts.map((part) => part.starts).toSorted();
    const [ends = ''] = parts
      .map((part) => part.ends)
      .toSorted()
      .toReversed();
    const isPostponed = parts.some(({ postponed }) => Number(postponed) === 1);
    // Counted from the last change of its status, so that staff may reopen an order.
    const atLeast = visitorExpiry(modified_utc, config.orderHold);
    const expires = isPostponed ? null : expiryByEvents(hold_until, { starts, ends }, atLeast);
    if (expires === expires_utc) continue;
    await db.query
      .updateTable('orders')
      .set({ expires_utc: expires })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('hold_until', '=', hold_until)
      .execute();
  }
}
