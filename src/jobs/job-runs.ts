import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { secondsBetween, toUtc } from '../lib/dates/dates.ts';

/** When the periodic jobs ran last, for `GET /system`: any process of the server may be asked. */

/** Seconds between two notes of runs with the same outcome, so that jobs that find nothing to do rarely write. */
const NOTE_INTERVAL = 300;

/**
 * Notes the runs of a job: the first one, those that fail or succeed again, and one in five minutes.
 * @returns takes whether a run succeeded; it never fails
 */
export function createJobNotes({ db, log, now }: Context, name: string): (isDone: boolean) => Promise<void> {
  let last: { utc: string; isDone: boolean } | undefined;
  return async (isDone) => {
    try {
      const utc = toUtc(now());
      if (last?.isDone === isDone && secondsBetween(last.utc, utc) < NOTE_INTERVAL) return;
      await noteRun(db, { name, utc, isDone });
      last = { utc, isDone };
    } catch (err) {
      log.warn({ err }, `the run of ${name} could not be noted`);
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

/** The noted runs by the names of the jobs. */
export const findJobRuns = (db: Database): Promise<JobRun[]> =>
  db.query.selectFrom('job_runs').selectAll().orderBy('name').execute();
