import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { secondsBetween, toUtc } from '../lib/dates/dates.ts';

/** Last runs of the periodic jobs, for `GET /system`: any process of the server may get the request. */

/** Seconds between two records of runs with the same outcome, so that jobs without work rarely write. */
const NOTE_INTERVAL = 300;

/**
 * Records the runs of a job: the first one, changes between success and failure, and one every five minutes.
 * @returns a function for the outcome of each run; it never fails
 */
export function createJobRecorder({ db, log, now }: Context, name: string): (isDone: boolean) => Promise<void> {
  let last: { utc: string; isDone: boolean } | undefined;
  return async (isDone) => {
    try {
      const utc = toUtc(now());
      if (last?.isDone === isDone && secondsBetween(last.utc, utc) < NOTE_INTERVAL) return;
      await noteRun(db, { name, utc, isDone });
      last = { utc, isDone };
    } catch (err) {
      log.warn({ err }, `the run of ${name} could not be recorded`);
    }
  };
}

async function noteRun(db: Database, { name, utc, isDone }: { name: string; utc: string; isDone: boolean }) {
  const change = isDone ? { run_utc: utc } : { run_utc: utc, failed_utc: utc };
  await db.transaction(async ({ query }) => {
    await query
      .insertInto('job_runs')
      .values({ name, failed_utc: null, ...change })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
      .execute();
  });
}

export interface JobRun {
  name: string;
  run_utc: string;
  failed_utc: string | null;
}

/** Recorded runs by the names of the jobs. */
export const findJobRuns = (db: Database): Promise<JobRun[]> =>
  db.query.selectFrom('job_runs').selectAll().orderBy('name').execute();
