import type { Context } from '../context.ts';
import { toUtc } from '../lib/dates.ts';
import { forgetAnswers } from '../resources/idempotency-keys/store.ts';
import { forgetFinalMerges } from '../resources/library/undo-merge.ts';
import { removeExpiredCounts } from '../resources/limits/database-limiter.ts';
import { forgetOver } from '../resources/users/session-store.ts';

type JobContext = Pick<Context, 'db' | 'now'>;

/** Deletes kept answers to requests with an `Idempotency-Key`, and lapsed claims on keys. */
export const forgetExpiredAnswers = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetAnswers(trx, toUtc(now())));

/** Deletes sessions that are over, and sign-in links whose time is over. */
export const forgetSessions = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetOver(trx, now()));

/** Deletes expired counts of limits. */
export const forgetExpiredCounts = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => removeExpiredCounts(trx, toUtc(now())));

/** Deletes what is kept of merges that nobody can undo any more. */
export const forgetMerges = ({ db, now }: JobContext): Promise<void> =>
  db.transaction((trx) => forgetFinalMerges(trx, now()));
