import type { Context } from '../../context.ts';
import { addSeconds, toWall } from '../../lib/dates.ts';
import { changeOrder } from './transitions.ts';

const BATCH = 100;

/**
 * Gives up orders that were not paid in time, so that nobody can keep places by ordering alone: they become
 * `not-completed`, their places are free again, their attendees archived. An operator may still complete one later, if
 * there are places then. Any number of processes may do so at the same time.
 * @returns how many orders were given up
 */
export async function giveUpUnpaid({ config, db, now }: Context): Promise<number> {
  if (config.orderHold === 0) return 0;
  const moment = now();
  const latest = addSeconds(toWall(moment), -config.orderHold * 60);
  const due = await db.query
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending')
    .where('modified_utc', '<=', latest)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  for (const { id } of due) {
    // One that was paid in the meantime is left alone.
    await changeOrder(db, { orderId: id, to: 'not-completed', onlyFrom: 'pending', userId: 0, now: moment });
  }
  return due.length;
}
