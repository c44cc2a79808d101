import type { Context } from '../base/context.ts';
import { addSeconds, toUtc } from '../lib/dates/dates.ts';
import { CART_LIFE } from '../platform/users/visitor-token.ts';
import { forgetNetworks, removeExpiredCarts } from '../ticketing/cart/store.ts';
import { releaseExpired } from '../ticketing/tickets/seats/stock.ts';

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
