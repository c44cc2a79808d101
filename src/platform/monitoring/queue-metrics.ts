import type { Context } from '../../base/context.ts';
import { secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { countJobs, findOldestDueJob } from '../jobs/store.ts';
import { countUnsentMails } from '../mails/store.ts';
import { metric, type ProcessReport } from './process-report.ts';

/** Metrics of the job queue, read from the database; none if it does not respond. */
export async function jobMetrics({ db, log, now }: Pick<Context, 'db' | 'log' | 'now'>): Promise<ProcessReport> {
  const utc = toUtc(now());
  try {
    const counts = await countJobs(db);
    const oldest = await findOldestDueJob(db, utc);
    const values = counts.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }));
    return [
      metric('gauge', 'marquee_jobs', 'Background jobs.', values),
      metric(
        'gauge',
        'marquee_job_oldest_seconds',
        'For how long the longest waiting background job has been due.',
        oldest ? secondsBetween(oldest.due_utc, utc) : 0,
      ),
    ];
  } catch (err) {
    log.warn({ err }, 'the background jobs could not be counted');
    return [];
  }
}

/** Metrics of the outbox, read from the database; none if it does not respond. */
export async function mailMetrics({ db, log }: Pick<Context, 'db' | 'log'>): Promise<ProcessReport> {
  try {
    const counts = Object.entries(await countUnsentMails(db));
    const values = counts.map(([status, value]) => ({ labels: { status }, value }));
    return [metric('gauge', 'marquee_mails', 'Mails that have not arrived.', values)];
  } catch (err) {
    log.warn({ err }, 'the mails could not be counted');
    return [];
  }
}
