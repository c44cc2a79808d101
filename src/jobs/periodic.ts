import type { Context } from '../base/context.ts';
import { withPresentChoices } from '../base/site-config.ts';
import { expireUnpaid } from './expire-unpaid.ts';
import {
  forgetAudit,
  forgetExpiredAnswers,
  forgetExpiredCounts,
  forgetMerges,
  forgetSessions,
  sweepCarts,
} from './forget-expired.ts';
import { createJobNotes } from './job-runs.ts';
import { publishDue } from './publish-scheduled.ts';

/** A periodic job. Several processes may run it at the same time. */
export interface PeriodicJob {
  /** Name in the log. */
  name: string;
  /** Seconds between two runs. */
  interval: number;
  work(context: Context): Promise<unknown>;
}

/** A job that gets what the site chooses when it runs. */
const ofSite =
  (work: PeriodicJob['work']): PeriodicJob['work'] =>
  async (context) =>
    work(await withPresentChoices(context));

export const PERIODIC_JOBS: readonly PeriodicJob[] = [
  { name: 'publishing scheduled records', interval: 15, work: ofSite(publishDue) },
  { name: 'expiring unpaid orders', interval: 15, work: ofSite(expireUnpaid) },
  { name: 'sweeping carts', interval: 5, work: sweepCarts },
  { name: 'forgetting expired answers', interval: 5, work: forgetExpiredAnswers },
  { name: 'merging counts of changes', interval: 60, work: ({ db }) => db.dialect.mergeVersions(db) },
  { name: 'forgetting sessions', interval: 60, work: forgetSessions },
  { name: 'forgetting old entries of the audit log', interval: 60, work: forgetAudit },
  { name: 'forgetting expired counts', interval: 5, work: ofSite(forgetExpiredCounts) },
  { name: 'forgetting final merges', interval: 60, work: forgetMerges },
];

/**
 * Runs jobs at once and then at their intervals. A failed run is logged; the job runs again at its next interval.
 * @returns a function that stops them
 */
export function startJobs(context: Context, jobs = PERIODIC_JOBS): () => void {
  const timers = jobs.map(({ name, interval, work }) => {
    const note = createJobNotes(context, name);
    const run = async () => {
      const isDone = await work(context).then(
        () => true,
        (err: unknown) => {
          context.log.error({ err }, `${name} failed`);
          return false;
        },
      );
      await note(isDone);
    };
    void run();
    return setInterval(() => void run(), interval * 1000).unref();
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
