import type { Context } from '../base/context.ts';
import { addSeconds, secondsBetween, toUtc } from '../lib/dates/dates.ts';
import type { JobDefinition } from '../platform/jobs/job.ts';
import { findOldestDueJob } from '../platform/jobs/store.ts';
import { JOB_KINDS } from './kinds.ts';
import { type RenderMail, startMailSender } from './mail-sender.ts';
import { PERIODIC_JOBS, type PeriodicJob, startPeriodic } from './periodic.ts';
import { startRunner } from './runner.ts';

/** Work of a process besides its requests. */
export interface Background {
  /** Ends or returns running jobs, and lets other processes take over. */
  stop(): Promise<void>;
}

/** Periodic jobs, and kinds of jobs of the queue. */
interface FurtherJobs {
  periodic: readonly PeriodicJob[];
  kinds: readonly JobDefinition[];
}

/** Renders mails. Its modules are loaded with the first mail, like those of pages. */
const renderMail: RenderMail = async (context, mail) =>
  (await import('../web/mails/render-mail.ts')).renderMail(context, mail);

/**
 * Runs the periodic jobs and the queue, and sends mails, in this process, unless `MARQUEE_JOBS` is `off`.
 * @param further jobs of higher layers
 */
export function startBackground(context: Context, further: FurtherJobs): Background {
  const watch = setInterval(() => void warnOfOverdueJob(context), WATCH_INTERVAL).unref();
  const parts =
    context.config.jobs === 'off'
      ? []
      : [
          startPeriodic(context, [...PERIODIC_JOBS, ...further.periodic]),
          startRunner(context, [...JOB_KINDS, ...further.kinds]),
          startMailSender(context, renderMail),
        ];
  return {
    async stop() {
      clearInterval(watch);
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Milliseconds between checks for an overdue job. */
const WATCH_INTERVAL = 5 * 60 * 1000;
/** Seconds. */
const OVERDUE = 600;

/** Warns if the queue does not move, for example because every process runs with `MARQUEE_JOBS=off`. Never fails. */
export async function warnOfOverdueJob({ db, log, now }: Pick<Context, 'db' | 'log' | 'now'>): Promise<void> {
  const utc = toUtc(now());
  try {
    const job = await findOldestDueJob(db, addSeconds(utc, -OVERDUE));
    if (!job) return;
    const minutes = Math.floor(secondsBetween(job.due_utc, utc) / 60);
    log.warn({ job: job.id, kind: job.kind, minutes }, 'a background job is overdue: does a process run jobs?');
  } catch (err) {
    log.warn({ err }, 'the check for overdue jobs failed');
  }
}
