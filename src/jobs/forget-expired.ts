import type { Context } from '../base/context.ts';
import { forgetFinalMerges } from '../calendar/library/undo-merge.ts';
import { addSeconds, localDay, toUtc } from '../lib/dates/dates.ts';
import { removeRowsBefore } from '../platform/audit/store.ts';
import { forgetAnswers } from '../platform/idempotency-keys/store.ts';
import { removeExpiredCounts } from '../platform/limits/database-limiter.ts';
import { forgetRefusals } from '../platform/limits/refusals.ts';
import { forgetOver } from '../platform/users/sign-in/session-store.ts';
import { CART_LIFE } from '../platform/users/visitor-token.ts';
import { forgetNetworks, removeExpiredCarts } from '../ticketing/cart/store.ts';
import { forgetFreePlaces } from '../ticketing/orders/free-places.ts';
import { releaseExpired } from '../ticketing/tickets/seats/stock.ts';

type JobContext = Pick<Context, 'db' | 'now'>;

/** Deletes stored responses to requests with an `Idempotency-Key`, and expired claims on keys. */
export const forgetExpiredAnswers = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetAnswers(trx, toUtc(now())));

/** Deletes expired sessions and sign-in links. */
export const forgetSessions = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetOver(trx, now()));

/** Deletes expired counts of limits, and the refusals of earlier days. */
export const forgetExpiredCounts = ({ db, now, config }: JobContext & Pick<Context, 'config'>): Promise<void> =>
  db.transaction(async (trx) => {
    const utc = toUtc(now());
    await removeExpiredCounts(trx, utc);
    await forgetFreePlaces(trx, utc);
    await forgetRefusals(trx, localDay(utc, config.timezone));
  });

/** Deletes the data of merges that can no longer be undone. */
export const forgetMerges = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetFinalMerges(trx, now()));

/** Maximum number of rows deleted per run, so that it holds no lock for long. */
const BATCH = 500;
const DAY = 24 * 60 * 60;

/** Deletes rows of the audit log older than `MARQUEE_RETAIN_AUDIT` days; returns the number deleted. */
export const forgetAudit = ({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>): Promise<number> =>
  removeRowsBefore(db, addSeconds(toUtc(now()), -config.retainAudit * DAY), BATCH);

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
