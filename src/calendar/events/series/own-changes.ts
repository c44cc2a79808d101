import type { Database } from '../../../db/database.ts';
import { enqueue } from '../../../platform/jobs/queue.ts';
import { type Event, findEvent } from '../store.ts';
import { stateOf } from './make-occurrences.ts';
import { daysOfSeries } from './plan.ts';
import {
  detach,
  findOccurrence,
  findSeries,
  limited,
  lockSeries,
  type Occurrence,
  removeOccurrence,
  SERIES_JOB,
  updateOccurrence,
  updateSeries,
} from './series-store.ts';
import { changedFields, type Template } from './template.ts';

/** Follows the changes of single occurrences, whichever endpoint makes them. */

/**
 * Has the work of a series done in the background, after the commit.
 * @param isAnew false if no person asks for it: the pauses after failures stay
 */
export const enqueueSeries = (db: Database, id: number, now: Date, { isAnew = true } = {}): Promise<void> =>
  enqueue(db, {
    isAnew,
    kind: SERIES_JOB,
    key: `${SERIES_JOB}-${id}`,
    payload: { series: id },
    now,
    record: { kind: 'series', id },
  });

/** Locks the series of an event. Call it before the event is locked: one order of locks prevents deadlocks. */
export async function lockSeriesOf(db: Database, eventId: number): Promise<void> {
  let occurrence = await findOccurrence(db, eventId);
  while (occurrence) {
    const { series_id } = occurrence;
    await lockSeries(db, series_id);
    occurrence = await findOccurrence(db, eventId);
    // Until the lock was free, the series may have been split. Its later part has a higher id.
    if (occurrence?.series_id === series_id) return;
  }
}

/** An occurrence and its state before a change. */
export interface OccurrenceChange {
  occurrence: Occurrence;
  event: Event;
  before: Template;
  now: Date;
}

/** The state of an event before a change; undefined if it is in no series. */
export async function beforeChange(db: Database, event: Event, now: Date): Promise<OccurrenceChange | undefined> {
  if (event.series_id === null) return undefined;
  const occurrence = await findOccurrence(db, event.id);
  return occurrence && { occurrence, event, before: await stateOf(db, event), now };
}

/** Keeps a change for the occurrence alone: its fields are its own, and the trash takes its day away from the series. */
export async function keepForItself(db: Database, change: OccurrenceChange): Promise<void> {
  const { occurrence, event, before, now } = change;
  const after = await findEvent(db, event.id);
  if (!after) return;
  const fields = changedFields(before, await stateOf(db, after));
  const own_fields = [...new Set([...occurrence.own_fields, ...fields])].toSorted();
  if (own_fields.length > occurrence.own_fields.length) await updateOccurrence(db, event.id, { own_fields });
  // An event that follows its series into the trash is restored with it.
  const isWithSeries = (await findSeries(db, occurrence.series_id))?.status === 'trash';
  if (event.status !== 'trash' && after.status === 'trash' && !isWithSeries) await excludeDay(db, occurrence, now);
  if (event.status === 'trash' && after.status !== 'trash') await includeDay(db, occurrence, now);
}

/** Takes the day of an occurrence away from its series, so that nothing is made or restored on it. */
async function excludeDay(db: Database, { series_id, recurrence_id }: Occurrence, now: Date): Promise<void> {
  const series = await findSeries(db, series_id);
  if (!series || series.exdates.includes(recurrence_id)) return;
  await updateSeries(db, series, { exdates: limited([...series.exdates, recurrence_id], now) });
}

/** Makes an occurrence of a series in the trash a single event; the series will not make another one on its day. */
async function leaveAlone(db: Database, occurrence: Occurrence, now: Date): Promise<void> {
  await excludeDay(db, occurrence, now);
  await detach(db, occurrence.event_id);
}

/** Takes an event out of its series before it is deleted permanently; nothing is made on its day again. */
export async function leaveSeries(db: Database, eventId: number, now: Date): Promise<void> {
  const occurrence = await findOccurrence(db, eventId);
  if (!occurrence) return;
  await excludeDay(db, occurrence, now);
  await removeOccurrence(db, eventId);
}

/**
 * Gives the day of a restored occurrence back to its series, also one that the rule no longer has. Changes of the series
 * that the occurrence has missed follow. An occurrence of a series in the trash becomes a single event.
 */
async function includeDay(db: Database, occurrence: Occurrence, now: Date): Promise<void> {
  const { series_id, recurrence_id } = occurrence;
  const series = await findSeries(db, series_id);
  if (!series || series.status === 'trash') return leaveAlone(db, occurrence, now);
  const exdates = series.exdates.filter((day) => day !== recurrence_id);
  const { all } = await daysOfSeries({ ...series, exdates }, now, [recurrence_id]);
  const isOfRule = all.includes(recurrence_id);
  const rdates = isOfRule ? series.rdates : limited([...new Set([...series.rdates, recurrence_id])], now);
  if (exdates.length < series.exdates.length || !isOfRule) await updateSeries(db, series, { exdates, rdates });
  await enqueueSeries(db, series_id, now);
}
