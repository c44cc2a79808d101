import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { addSeconds, toWall } from '../lib/dates.ts';
import type { Order } from '../resources/orders/store.ts';
import { changeOrder } from '../resources/orders/transitions.ts';
import { expiryOf } from '../resources/tickets/unpaid-expiry.ts';

const BATCH = 100;

/**
 * Gives up orders that were not paid in time, so that nobody can keep places by ordering alone: they become
 * `not-completed`, their places are free again, their attendees archived. An operator may still complete one later, if
 * there are places then. Any number of processes may do so at the same time.
 * @returns how many orders were given up
 */
export async function expireUnpaid({ config, db, now }: Context): Promise<number> {
  const moment = now();
  const utc = toWall(moment);
  const { orderHold } = config;
  const due = await db.query
    .selectFrom('orders')
    .select('id')
    .where('status', '=', sql.lit('pending'))
    .where((eb) =>
      eb.or([
        eb.and([eb('expires_utc', '<>', ''), eb('expires_utc', '<=', utc)]),
        ...(orderHold === 0
          ? []
          : [eb.and([eb('expires_utc', '=', ''), eb('modified_utc', '<=', addSeconds(utc, -orderHold * 60))])]),
      ]),
    )
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
