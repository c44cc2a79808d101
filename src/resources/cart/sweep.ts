import type { Context } from '../../context.ts';
import { forgetAnswers } from '../../kinds/idempotency.ts';
import { removeExpiredCounts } from '../../kinds/limit-store.ts';
import { toWall } from '../../lib/dates.ts';
import { releaseExpired } from '../tickets/stock.ts';
import { removeExpiredCarts } from './store.ts';

/**
 * Gives back the places of carts whose time is over, and forgets old carts and kept answers. Any number of processes
 * may sweep at the same time.
 * @returns how many items were released
 */
export async function sweepCarts({ db, now }: Context): Promise<number> {
  const utc = toWall(now());
  const released = await releaseExpired(db, utc);
  await db.transaction(async (trx) => {
    await removeExpiredCarts(trx, utc);
    await forgetAnswers(trx, utc);
    await removeExpiredCounts(trx, utc);
  });
  return released;
}
