import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { removeFinalMerges } from '../calendar/library/undo-merge.ts';
import { addSeconds, localDay, toUtc } from '../lib/dates/dates.ts';
import { removeRowsBefore } from '../platform/audit/store.ts';
import { removeExpiredResponses } from '../platform/idempotency-keys/store.ts';
import { removeDeadJobs } from '../platform/jobs/store.ts';
import { removeExpiredCounts } from '../platform/limits/database-limiter.ts';
import { removeRefusalsBefore } from '../platform/limits/refusals.ts';
import { removeMailsBefore } from '../platform/mails/store.ts';
import { removeExpiredSessions } from '../platform/users/sign-in/session-store.ts';
import { CART_LIFE } from '../platform/users/visitor-token.ts';
import { clearNetworks, removeExpiredCarts } from '../ticketing/cart/store.ts';
import { removeExpiredFreeSeats } from '../ticketing/orders/free-seats.ts';
import { releaseExpired } from '../ticketing/seats/seat-counters.ts';

type JobContext = Pick<Context, 'db' | 'now'>;

/** Deletes stored responses to requests with an `Idempotency-Key`, and expired claims on keys. */
export const pruneResponses = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => removeExpiredResponses(trx, toUtc(now())));

/** Deletes expired sessions and sign-in links. */
export const pruneSessions = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => removeExpiredSessions(trx, now()));

/** Deletes expired counts of limits, and the refusals of earlier days. */
export const pruneCounts = ({ db, now, config }: JobContext & Pick<Context, 'config'>): Promise<void> =>
  db.transaction(async (trx) => {
    const utc = toUtc(now());
    await removeExpiredCounts(trx, utc);
    await removeExpiredFreeSeats(trx, utc);
    await removeRefusalsBefore(trx, localDay(utc, config.timezone));
  });

/** Deletes the data of merges that can no longer be undone. */
export const pruneMerges = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => removeFinalMerges(trx, now()));

/** Maximum number of rows deleted per run, so that it holds no lock for long. */
const BATCH = 500;
const DAY = 24 * 60 * 60;

/** Deletes rows of the audit log older than `MARQUEE_RETAIN_AUDIT` days; returns the number deleted. */
export const removeOldAuditEntries = ({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>): Promise<number> =>
  removeRowsBefore(db, addSeconds(toUtc(now()), -config.retainAudit * DAY), BATCH);

/** Days for which a dead job is kept, so that staff can try it again. */
const RETAIN_DEAD_JOBS = 90;

/** Deletes background jobs that have been dead for long; returns the number deleted. */
export const pruneDeadJobs = ({ db, now }: JobContext): Promise<number> =>
  removeDeadJobs(db, addSeconds(toUtc(now()), -RETAIN_DEAD_JOBS * DAY), BATCH);

/** Days for which mails, and so their recipients, are stored. */
const RETAIN_MAILS = 400;

/** Deletes old mails; returns the number deleted. */
export const pruneMails = ({ db, now }: JobContext): Promise<number> =>
  removeMailsBefore(db, addSeconds(toUtc(now()), -RETAIN_MAILS * DAY), BATCH);

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
    await clearNetworks(trx, addSeconds(utc, CART_LIFE - config.cartHold * 60));
  });
  return released;
}

/** Maximum number of outdated changes for the lists at the door that are deleted in one run. */
const DOOR_CHANGES = 5000;

/**
 * Deletes changes for the lists at the door that a later change of the same attendee supersedes: a reader that has not
 * seen the earlier one will see the later one.
 */
export async function pruneDoorChanges({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`DELETE FROM door_changes WHERE id IN (SELECT c.id FROM door_changes AS c WHERE EXISTS (
    SELECT 1 FROM door_changes AS d WHERE d.attendee_id = c.attendee_id AND d.event_id = c.event_id
    AND (d.version > c.version OR (d.version = c.version AND d.id > c.id))) ORDER BY c.id LIMIT ${DOOR_CHANGES})`.execute(
    db.query,
  );
}
