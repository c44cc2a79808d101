import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import { newRecordId } from '../../../db/record-ids.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Day } from '../../../lib/recurrence/recurrence.ts';
import type { Translation } from '../../../platform/translations/rules.ts';
import { findTranslations } from '../../../platform/translations/store.ts';
import { modifiedTimes, type Publication, publish } from '../../posts/post.ts';
import { slugAfter } from '../../posts/slugs.ts';
import { movedTimes } from '../copy.ts';
import { type Event, type EventValues, findEvent, insertEvent, linksOf, updateEvent, valuesOf } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { type Plan, planSeries, sizeOf, startOn } from './plan.ts';
import { presentTemplate } from './present-template.ts';
import {
  ENDED,
  findOccurrence,
  findOccurrences,
  findSeries,
  insertOccurrence,
  keepDay,
  lockSeries,
  noteProgress,
  type OccurrenceState,
  type Series,
  updateOccurrence,
} from './series-store.ts';
import { changedSince, pickTimes, type SharedField, type Template, templateOf, withFields } from './template.ts';

/** Makes the events of a series agree with its rule and template, in steps that can be interrupted at any point. */

/** Occurrences made or changed in one transaction, which holds the only connection of SQLite. */
const STEP = 5;

/** A request or a job that makes occurrences. */
interface Maker {
  context: Context;
  now: Date;
  actor?: Actor;
}

interface Work {
  db: Database;
  series: Series;
  maker: Maker;
  tickets: EventTickets;
  /** Event whose tickets the new ones get. */
  last: Event | undefined;
}

interface Step {
  maker: Maker;
  tickets: EventTickets;
  /** Occurrences at the beginning that have failed before. */
  skip?: number;
  /** Maximum number of occurrences. */
  size?: number;
}

/**
 * Does one step of the work of a series, in the transaction of the caller.
 * @returns the number of occurrences that are left for later steps
 */
export async function makeStep(
  db: Database,
  seriesId: number,
  { maker, tickets, skip = 0, size = STEP }: Step,
): Promise<number> {
  await lockSeries(db, seriesId);
  const series = await findSeries(db, seriesId);
  if (!series) return 0;
  const plan = await planSeries(db, series, maker.now);
  const last = plan.make.length > 0 ? await lastEvent(db, seriesId) : undefined;
  const template = sizeOf(plan) > 0 ? await presentTemplate(db, series) : series.template;
  const work = { db, series: { ...series, template }, maker, tickets, last };
  const actions = actionsOf(plan, work).slice(skip, skip + size);
  for (const act of actions) await act();
  const pending = sizeOf(plan) - actions.length;
  const made_until = pending === 0 && series.status !== 'trash' ? madeUntil(plan) : series.made_until;
  if (pending !== series.pending || made_until !== series.made_until)
    await noteProgress(db, { id: series.id, pending, made_until });
  if (pending === 0 && series.status !== 'trash') await tickets.coverSeries(db, series.id, maker.now);
  return Math.max(0, pending - skip);
}

/** Series without further days are left out by the daily pass. */
const madeUntil = ({ days, until }: Plan): Day => (days.hasEnded ? ENDED : until);

/** Pauses for as long as a step took: each statement of a request would otherwise wait for another step. */
export const leaveToOthers = (began: number): Promise<void> => delay(performance.now() - began);

function actionsOf({ remove, restore, change, make }: Plan, work: Work): (() => Promise<void>)[] {
  return [
    ...remove.map((one) => () => removeEvent(work, one)),
    ...restore.map((one) => async () => {
      await setStatus(work, one, 'untrashed');
      await applyTemplate(work, one);
    }),
    ...change.map((one) => () => applyTemplate(work, one)),
    ...make.map((day) => () => makeOccurrence(work, day)),
  ];
}

/** Moves an event to the trash. If a place was sold after the request had counted none, it stays as it is. */
async function removeEvent(work: Work, one: OccurrenceState): Promise<void> {
  const { db, series, maker, tickets } = work;
  if (series.may_remove_sold === 1) return setStatus(work, one, 'trash');
  const { holders, held } = await tickets.countHolders(db, [one.event_id]);
  return holders + held === 0 ? setStatus(work, one, 'trash') : keepDay(db, series.id, one, maker.now);
}

async function lockedEvent(db: Database, id: number): Promise<Event | undefined> {
  await db.dialect.lock(db, `post-${id}`);
  return findEvent(db, id);
}

async function setStatus({ db, maker }: Work, { event_id }: OccurrenceState, to: 'trash' | 'untrashed'): Promise<void> {
  const event = await lockedEvent(db, event_id);
  if (!event) return;
  const status = to === 'trash' ? 'trash' : event.trashed_from || 'draft';
  const address = await slugAfter(db, { kind: 'event', id: event_id }, { current: event, status, title: event.title });
  const values = { ...valuesOf(event), ...modifiedTimes(maker), status, ...address };
  await updateEvent(db, event, { values, links: {} });
}

/** Gives an occurrence the fields of the template that have changed since its version, except for its own ones. */
async function applyTemplate({ db, series, maker }: Work, { event_id, recurrence_id }: OccurrenceState): Promise<void> {
  const [event, occurrence] = [await lockedEvent(db, event_id), await findOccurrence(db, event_id)];
  if (!event || !occurrence) return;
  const { template, version } = series;
  const fields = changedSince(occurrence.version, template).filter((field) => !occurrence.own_fields.includes(field));
  // An event that stays as it is gets no revision, so that its editors can save it.
  if (fields.length === 0) return updateOccurrence(db, event_id, { version });
  await takeFields(db, { event, day: recurrence_id, fields }, { series, maker });
  await updateOccurrence(db, event_id, { version });
}

interface Taken {
  /** Locked by the caller. */
  event: Event;
  /** Day that the rule gave the event. */
  day: Day;
  fields: readonly SharedField[];
}

/** Gives an event some fields of the template of its series. */
export async function takeFields(
  db: Database,
  { event, day, fields }: Taken,
  { series, maker }: Pick<Work, 'series' | 'maker'>,
): Promise<void> {
  const { template } = series;
  const shown = withFields(await stateOf(db, event), fields, template);
  const times = fields.includes('times') ? movedTimes(template.values, startOn(series, day)) : event;
  const isScheduled = [event.status, shown.values.status].includes('future');
  const values: EventValues = {
    ...valuesOf(event),
    ...shown.values,
    ...pickTimes(times),
    ...publicationOf(shown.values.status, isScheduled ? shown.values : event, maker, times.timezone),
    ...modifiedTimes(maker),
    utc_previous_start_date: previousStart(event, shown.values.event_status, times.utc_start_date),
  };
  const address = await slugAfter(
    db,
    { kind: 'event', id: event.id },
    { current: event, status: values.status, title: values.title },
  );
  const { links, translations } = shown;
  await updateEvent(db, event, { values: { ...values, ...address }, links, translations });
}

/** A moved start of a rescheduled occurrence has a previous one. */
function previousStart(event: Event, status: string, start: string): string {
  if (status === 'scheduled') return '';
  return status === 'rescheduled' && start !== event.utc_start_date
    ? event.utc_start_date
    : event.utc_previous_start_date;
}

const publicationOf = (status: string, current: Publication | undefined, { now, context }: Maker, zone: string) =>
  publish({ status }, current, { now, siteZone: context.config.timezone, zone, epoch: 'local' });

async function makeOccurrence({ db, series, maker, tickets, last }: Work, day: Day): Promise<void> {
  const { template, version } = series;
  const id = await newRecordId(db, 'event');
  const times = movedTimes(template.values, startOn(series, day));
  const scheduled = template.values.status === 'future' ? template.values : undefined;
  const publication = publicationOf(template.values.status, scheduled, maker, times.timezone);
  const address = await slugAfter(
    db,
    { kind: 'event', id },
    { status: publication.status, title: template.values.title, sent: `${series.slug}-${day}` },
  );
  const values: EventValues = {
    ...template.values,
    ...times,
    ...publication,
    ...address,
    ...modifiedTimes(maker),
    parent_id: null,
    utc_previous_start_date: '',
  };
  const { links, translations } = template;
  await insertEvent(db, id, { values, links, translations: copied(translations), seriesId: series.id });
  await insertOccurrence(db, { event_id: id, series_id: series.id, recurrence_id: day, version });
  const event = await findEvent(db, id);
  if (last && event) await tickets.copy(db, { from: last, to: event, maker });
}

/** No translations are written for events without any. */
const copied = (translations: readonly Translation[]) => (translations.length > 0 ? translations : undefined);

/** The last event of a series that is not in the trash; the last one if all are. */
async function lastEvent(db: Database, seriesId: number): Promise<Event | undefined> {
  const occurrences = await findOccurrences(db, seriesId);
  const last = occurrences.findLast(({ status }) => status !== 'trash') ?? occurrences.at(-1);
  return last && findEvent(db, last.event_id);
}

/** The state of an event that its series may share. */
export async function stateOf(db: Database, event: Event): Promise<Template> {
  const translations = await findTranslations(db, { kind: 'event', id: event.id });
  return templateOf(event, await linksOf(db, event.id), translations);
}
