import type { Context } from '../context.ts';
import { addSeconds, toUtc } from '../lib/dates.ts';
import { forgetNetworks, removeExpiredCarts } from '../resources/cart/store.ts';
import { CART_LIFE } from '../resources/cart/visitor-token.ts';
import { releaseExpired } from '../resources/tickets/stock.ts';

/**
 * Releases the seats of expired carts, deletes old carts, and clears the networks of carts whose holds have expired.
 * Safe to run in several processes at once.
 * @returns the number of released items
 */
export async function sweepCarts({ config, db, now }: Context): Promise<number> {
  const utc = toUtc(now());
  const released = await releaseExpired(db, utc);
  await db.transaction(async (trx) => {
    await removeExpiredCarts(trx, utc);
    await forgetNetworks(trx, addSeconds(utc, CART_LIFE - config.cartHold * 60));
  });
  return released;
}
