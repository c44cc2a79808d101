import type { Config } from '../base/config.ts';
import type { Context } from '../base/context.ts';
import { withPresentChoices } from '../base/site-config.ts';
import { extendSeries } from '../calendar/events/series/series-job.ts';
import { configuredGateways } from '../platform/site/payment-gateways.ts';
import { extendPasses } from '../ticketing/orders/passes/extend-passes.ts';
import { lookAfterPayments } from '../ticketing/payments/look-after-payments.ts';
import { writeReminders } from '../ticketing/reminders/write-reminders.ts';
import { expireUnpaid } from './expire-unpaid.ts';
import { createJobRecorder } from './job-runs.ts';
import { createLease, inTurn, type Lease } from './leases.ts';
import { publishScheduled } from './publish-scheduled.ts';
import {
  pruneCounts,
  pruneDeadJobs,
  pruneDoorChanges,
  pruneMails,
  pruneMerges,
  pruneResponses,
  pruneSessions,
  removeOldAuditEntries,
  sweepCarts,
} from './remove-expired.ts';
import { alertStaff } from './staff-alerts.ts';

/** Periodic job, run by one of several processes. Two runs may overlap when another process takes over. */
export interface PeriodicJob {
  /** Name in the log. */
  name: string;
  /** Seconds between two runs. */
  interval: number;
  /** Whether a server with these settings runs it; by default, all servers do. */
  isOn?: (config: Config) => boolean;
  work(context: Context): Promise<unknown>;
}

/** Job that runs at an interval in seconds. */
export const every = (name: string, interval: number, work: PeriodicJob['work']): PeriodicJob => ({
  name,
  interval,
  work,
});

/** Passes the current site settings to a job each time it runs. */
const ofSite =
  (work: PeriodicJob['work']): PeriodicJob['work'] =>
  async (context) =>
    work(await withPresentChoices(context));

export const PERIODIC_JOBS: readonly PeriodicJob[] = [
  every('publishing scheduled records', 15, ofSite(publishScheduled)),
  every('expiring unpaid orders', 15, ofSite(expireUnpaid)),
  every('checking open payments', 15, ofSite(lookAfterPayments)),
  {
    name: 'reconciling payments',
    interval: 86_400,
    isOn: (config) => configuredGateways(config).length > 0,
    work: ofSite(async (context) => (await import('../ticketing/books/reconcile.ts')).reconcileRecent(context)),
  },
  every('alerting staff', 60, ofSite(alertStaff)),
  every('extending series', 600, extendSeries),
  every('extending series passes', 600, extendPasses),
  every('sweeping carts', 5, sweepCarts),
  every('forgetting expired answers', 5, pruneResponses),
  every('merging counts of changes', 60, ({ db }) => db.dialect.mergeVersions(db)),
  every('forgetting sessions', 60, pruneSessions),
  every('forgetting old entries of the audit log', 60, removeOldAuditEntries),
  every('writing reminders', 60, ofSite(writeReminders)),
  every('forgetting expired counts', 5, ofSite(pruneCounts)),
  every('forgetting final merges', 60, pruneMerges),
  every('forgetting dead jobs', 3600, pruneDeadJobs),
  every('forgetting old mails', 3600, pruneMails),
  every('merging changes of lists at the door', 3600, pruneDoorChanges),
];

/** The jobs that a server with these settings runs. */
export const jobsOf = (config: Config, jobs: readonly PeriodicJob[] = PERIODIC_JOBS): PeriodicJob[] =>
  jobs.filter(({ isOn }) => isOn?.(config) ?? true);

/** Seconds between two checks whether a less frequent job is due. */
const LONGEST_TICK = 60;

export interface PeriodicRuns {
  /** Resolves when the current runs have ended. */
  settled(): Promise<void>;
  /** Resolves when the current runs have ended and another process may take over. */
  stop(): Promise<void>;
}

/**
 * Runs jobs at once and then at their intervals, if this process has the lease of all of them. A failed run is logged;
 * the job runs again at its next interval.
 */
export function startPeriodic(context: Context, jobs = PERIODIC_JOBS): PeriodicRuns {
  const lease = createLease(context, 'periodic jobs');
  const runs = jobsOf(context.config, jobs).map((job) =>
    repeat(tickOf(context, lease, job), Math.min(job.interval, LONGEST_TICK)),
  );
  const settled = async () => void (await Promise.all(runs.map((run) => run.settled())));
  return {
    settled,
    async stop() {
      for (const run of runs) run.end();
      await settled();
      await lease.release().catch((err: unknown) => context.log.warn({ err }, 'the lease could not be released'));
    },
  };
}

/** Calls a function at once and then at an interval in seconds, unless the last call has not ended. */
function repeat(tick: () => Promise<void>, interval: number) {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= tick().finally(() => {
      running = undefined;
    });
  };
  run();
  const timer = setInterval(run, interval * 1000).unref();
  return { settled: async () => running, end: () => clearInterval(timer) };
}

/** Returns a function that runs a job if this process has the lease. It never fails. */
function tickOf(context: Context, lease: Lease, { name, interval, work }: PeriodicJob): () => Promise<void> {
  const note = createJobRecorder(context, name);
  const run = () => work(context);
  const isRare = interval > LONGEST_TICK;
  return async () => {
    try {
      if (!(await lease.hold())) return;
      if (!isRare) await run();
      else if (!(await inTurn(context, { name, seconds: interval }, run))) return;
      await note(true);
    } catch (err) {
      context.log.error({ err }, `${name} failed`);
      await note(false);
    }
  };
}
