import type { Context } from '../base/context.ts';
import { forgetFinalMerges } from '../calendar/library/undo-merge.ts';
import { localDay, toUtc } from '../lib/dates/dates.ts';
import { forgetAnswers } from '../platform/idempotency-keys/store.ts';
import { removeExpiredCounts } from '../platform/limits/database-limiter.ts';
import { forgetRefusals } from '../platform/limits/refusals.ts';
import { forgetOver } from '../platform/users/sign-in/session-store.ts';
import { forgetFreePlaces } from '../ticketing/orders/free-places.ts';

type JobContext = Pick<Context, 'db' | 'now'>;

/** Deletes kept answers to requests with an `Idempotency-Key`, and lapsed claims on keys. */
export const forgetExpiredAnswers = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetAnswers(trx, toUtc(now())));

/** Deletes sessions that are over, and sign-in links whose time is over. */
export const forgetSessions = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetOver(trx, now()));

/** Deletes expired counts of limits, and refusals of the days before today. */
export const forgetExpiredCounts = ({ db, now, config }: JobContext & Pick<Context, 'config'>): Promise<void> =>
  db.transaction(async (trx) => {
    const utc = toUtc(now());
    await removeExpiredCounts(trx, utc);
    await forgetFreePlaces(trx, utc);
    await forgetRefusals(trx, localDay(utc, config.timezone));
  });

/** Deletes what is kept of merges that nobody can undo any more. */
export const forgetMerges = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetFinalMerges(trx, now()));
