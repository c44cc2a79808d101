import type { Database } from '../../../db/database.ts';
import { newRecordId } from '../../../db/record-ids.ts';
import { mayEdit, type Viewer } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { logChange, logCreation } from '../../../platform/audit/log.ts';
import { modifiedTimes, ownedAs } from '../../posts/post.ts';
import { type Event, findEvent, getEvents } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { auditedSeries } from './audited.ts';
import { leaveToOthers, makeStep, stateOf } from './make-occurrences.ts';
import { enqueueSeries } from './own-changes.ts';
import { type Plan, planSeries } from './plan.ts';
import type { StoredRecurrence } from './recurrence-input.ts';
import {
  findSeries,
  insertOccurrence,
  insertSeries,
  lockSeries,
  type Series,
  type SeriesValues,
  seriesSlug,
  updateSeries,
} from './series-store.ts';
import { ownedSeries } from './series-view.ts';

/** Creates and changes series. The first steps of the work are done with the request, the others by a job. */

export interface SeriesWrite {
  ctx: RequestContext;
  tickets: EventTickets;
}

/** Steps of the work that the response waits for. */
const STEPS_AT_ONCE = 10;

/**
 * Goes on with the work of a series after `beginWork`, in transactions of its own. The job of the series does what is
 * left, also if this process ends.
 */
export async function continueWork(id: number, { ctx, tickets }: SeriesWrite): Promise<void> {
  const { db, log } = ctx.context;
  // All steps of a deferred commit would be one transaction, which holds the only connection of SQLite.
  if (db.onRollback) return;
  const step = () => db.transaction((trx) => makeStep(trx, id, { maker: ctx, tickets }));
  try {
    for (let count = 1; count < STEPS_AT_ONCE; count++) {
      const began = performance.now();
      if ((await step()) === 0) return;
      await leaveToOthers(began);
    }
  } catch (err) {
    log.warn({ err, series: id }, 'the work on a series is left to its job');
  }
}

/** Does the first step of the work of a series, and has a job do the others; in the transaction of the caller. */
export async function beginWork(db: Database, id: number, { ctx, tickets }: SeriesWrite): Promise<void> {
  const pending = await makeStep(db, id, { maker: ctx, tickets });
  if (pending > 0) await enqueueSeries(db, id, ctx.now);
}

/** Makes an event the first occurrence of a new series, in the transaction of the caller. */
export async function beginSeries(
  db: Database,
  event: Event,
  { recurrence, ...write }: SeriesWrite & { recurrence: StoredRecurrence },
): Promise<number> {
  const { ctx } = write;
  const id = await newRecordId(db, 'series');
  const start_day = event.start_date.slice(0, 10);
  await insertSeries(db, id, {
    ...recurrence,
    author_id: event.author_id,
    status: 'publish',
    slug: await seriesSlug(db, event.title, id),
    template: await stateOf(db, event),
    start_day,
    version: 1,
    follows_series_id: null,
    ...modifiedTimes(ctx),
  });
  await insertOccurrence(db, { event_id: event.id, series_id: id, recurrence_id: start_day, version: 1 });
  await db.query.updateTable('events').set({ series_id: id }).where('id', '=', event.id).execute();
  await logCreation(db, ctx.actor, { kind: auditedSeries, id });
  await beginWork(db, id, write);
  return id;
}

/** Makes an existing event the first occurrence of a new series. */
export const beginSeriesWith = (
  eventId: number,
  write: SeriesWrite & { recurrence: StoredRecurrence },
): Promise<number> =>
  write.ctx.context.db.transaction(async (db) => {
    await db.dialect.lock(db, `post-${eventId}`);
    const event = await findEvent(db, eventId);
    if (!event) throw new ApiError('rest-event-not-found');
    if (event.series_id !== null) throw new ApiError('event-in-series');
    if (event.status === 'trash') throw new ApiError('event-no-longer-available');
    checkRevision(write.ctx, event);
    return beginSeries(db, event, write);
  });

/** A change of a series. */
export interface SeriesChange extends SeriesWrite {
  values: Partial<Pick<SeriesValues, 'rrule' | 'rdates' | 'exdates' | 'status'>>;
  /** Whether people who have tickets may lose their date. */
  confirmHolders: boolean;
}

/**
 * Changes a series.
 * @throws {ApiError} series-has-holders if that removes occurrences for which there are tickets
 */
export const changeSeries = (id: number, change: SeriesChange): Promise<void> =>
  change.ctx.context.db.transaction(async (db) => {
    const { ctx, values } = change;
    await lockSeries(db, id);
    const series = await getSeries(db, id);
    refuseForeignSeries(series, ctx.viewer);
    checkRevision(ctx, series);
    if (series.status === 'trash' && values.status !== 'publish') throw new ApiError('series-is-in-trash');
    const plan = await planSeries(db, { ...series, ...values }, ctx.now);
    const removed = plan.remove.map(({ event_id }) => event_id);
    await refuseForeign(db, touchedBy(plan), ctx.viewer);
    if (!change.confirmHolders) await refuseHolders(db, removed, change.tickets);
    await logChange(db, ctx.actor, { kind: auditedSeries, id }, () =>
      updateSeries(db, series, { ...values, may_remove_sold: change.confirmHolders ? 1 : 0, ...modifiedTimes(ctx) }),
    );
    await beginWork(db, id, change);
  });

/** @throws {ApiError} series-not-found */
export async function getSeries(db: Database, id: number): Promise<Series> {
  const series = await findSeries(db, id);
  if (!series) throw new ApiError('series-not-found');
  return series;
}

/** Events that a plan changes. One that returns from the trash has the status that it had before. */
const touchedBy = ({ remove, restore, change }: Plan): number[] =>
  [...remove, ...restore, ...change].map(({ event_id }) => event_id);

/**
 * Refuses a change of the series itself, whose later events have its status and texts.
 * @throws {ApiError} rest_forbidden
 */
export function refuseForeignSeries(series: Series, viewer: Viewer): void {
  if (!mayEdit(viewer, ownedSeries(series))) throw new ApiError('rest_forbidden');
}

/** @throws {ApiError} rest_forbidden if the viewer may not change all of some events */
export async function refuseForeign(db: Database, ids: readonly number[], viewer: Viewer): Promise<void> {
  const events = await getEvents(db, ids);
  if (!events.every((event) => mayEdit(viewer, ownedAs(event)))) throw new ApiError('rest_forbidden');
}

/** @throws {ApiError} series-has-holders with how many people and held seats some events have */
export async function refuseHolders(db: Database, eventIds: readonly number[], tickets: EventTickets): Promise<void> {
  const { holders, held } = await tickets.countHolders(db, eventIds);
  if (holders + held === 0) return;
  throw new ApiError('series-has-holders', {
    data: { occurrences: eventIds.length, holders, held },
    values: { count: holders + held },
  });
}

/**
 * Days of a series that would be added and removed by a change.
 * @throws {ApiError} series-is-in-trash
 */
export async function previewChange(db: Database, series: Series, { ctx, tickets }: SeriesWrite) {
  checkRevision(ctx, series);
  if (series.status === 'trash') throw new ApiError('series-is-in-trash');
  const plan = await planSeries(db, series, ctx.now);
  const { make, restore, remove, days } = plan;
  const removed = remove.map(({ event_id }) => event_id);
  await refuseForeign(db, touchedBy(plan), ctx.viewer);
  return {
    days,
    added: [...make, ...restore.map(({ recurrence_id }) => recurrence_id)].toSorted(),
    removed: remove.map(({ recurrence_id }) => recurrence_id),
    ...(await tickets.countHolders(db, removed)),
  };
}
