import type { Context } from '../base/context.ts';
import { toUtc } from '../lib/dates/dates.ts';
import type { Order } from '../ticketing/orders/store.ts';
import { changeOrder } from '../ticketing/orders/transitions.ts';
import { expiryOf, isUnpaidTooLong } from '../ticketing/tickets/unpaid-expiry.ts';

const BATCH = 100;

/**
 * Expires orders that were not paid in time, so that they cannot keep seats: they become `not-completed`, their seats
 * are returned and their attendees archived. An editor may still complete one later if enough seats are available. Safe
 * to run in several processes at once.
 * @returns the number of expired orders
 */
export async function expireUnpaid({ config, db, now }: Context): Promise<number> {
  const moment = now();
  const utc = toUtc(moment);
  const { orderHold } = config;
  const due = await db.query
    .selectFrom('orders')
    .select('id')
    .where((eb) => isUnpaidTooLong(eb, utc, orderHold))
    .orderBy('id')
    .limit(BATCH)
    .execute();
  // Skips orders that were paid or extended meanwhile.
  const onlyIf = (order: Order) => (expiryOf(order, orderHold) ?? '9999') <= utc;
  for (const { id } of due) {
    await changeOrder(db, { orderId: id, to: 'not-completed', onlyFrom: 'pending', onlyIf, userId: 0, now: moment });
  }
  return due.length;
}
