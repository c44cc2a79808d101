import type { Context } from '../../../base/context.ts';
import { addDaysToDay } from '../../../lib/dates/month.ts';
import { lastDay } from '../../../lib/recurrence/recurrence.ts';
import { defineJob, type JobDefinition } from '../../../platform/jobs/job.ts';
import type { EventTickets } from '../ticketing.ts';
import { leaveToOthers, makeStep } from './make-occurrences.ts';
import { enqueueSeries } from './own-changes.ts';
import { findUnmade, SERIES_JOB } from './series-store.ts';

/** Number of occurrences of a step, during which nothing else can use SQLite. */
const STEP = 2;
/** Number of occurrences that may fail before the whole attempt fails. */
const MAX_SKIPPED = 20;

/**
 * Makes, changes and removes the occurrences of a series; failing ones do not keep back the others. Every step is
 * complete, so that the job can end after any of them.
 */
export const seriesJob = (tickets: EventTickets): JobDefinition =>
  defineJob<{ series: number }>({
    kind: SERIES_JOB,
    async work(context, { series }, { heartbeat }) {
      const failures: unknown[] = [];
      // One at a time after a failure, to find the failing occurrences.
      let size = STEP;
      const step = () =>
        context.db.transaction((db) => {
          const maker = { context: { ...context, db }, now: context.now() };
          return makeStep(db, series, { maker, tickets, skip: failures.length, size });
        });
      const noteFailure = (err: unknown): number => {
        if (size === 1) failures.push(err);
        if (failures.length > MAX_SKIPPED) throw err;
        size = 1;
        return 1;
      };
      for (let left = 1; left > 0; ) {
        const began = performance.now();
        left = await step().catch(noteFailure);
        await heartbeat();
        await leaveToOthers(began);
      }
      if (failures.length > 0) throw failures[0];
      return undefined;
    },
  });

/** Maximum series that one pass extends. */
const BATCH = 100;

/** Extends the series whose next occurrences have come into range, a day at a time. */
export async function extendSeries({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const moment = now();
  // Earlier than the local date in every zone, so that each series is extended once a day.
  const until = addDaysToDay(lastDay(moment, 'UTC'), -1);
  const due = await findUnmade(db, until, BATCH);
  for (const id of due) await enqueueSeries(db, id, moment, { isAnew: false });
  return due.length;
}
