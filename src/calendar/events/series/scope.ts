import type { Database } from '../../../db/database.ts';
import { newRecordId } from '../../../db/record-ids.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { boolean, field, oneOf } from '../../../http/input/schemas.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { type Day, expand, ruleBefore } from '../../../lib/recurrence/recurrence.ts';
import { formatRule, type RecurrenceRule } from '../../../lib/recurrence/recurrence-rule.ts';
import { membersOf } from '../../../lib/text/list.ts';
import { logChange, logCreation } from '../../../platform/audit/log.ts';
import { modifiedTimes } from '../../posts/post.ts';
import { auditedEvent } from '../audited.ts';
import { movedTimes } from '../copy.ts';
import { type Event, findEvent } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { auditedSeries } from './audited.ts';
import { stateOf, takeFields } from './make-occurrences.ts';
import { lockSeriesOf, type OccurrenceChange } from './own-changes.ts';
import { recurrenceOf, startOn } from './plan.ts';
import { presentTemplate } from './present-template.ts';
import {
  findOccurrence,
  findOccurrences,
  findSeries,
  insertSeries,
  moveOccurrences,
  noteProgress,
  type Series,
  seriesSlug,
  updateOccurrence,
  updateSeries,
} from './series-store.ts';
import {
  beginWork,
  changeSeries,
  continueWork,
  getSeries,
  refuseForeign,
  refuseForeignSeries,
  refuseHolders,
} from './series-writes.ts';
import { changedFields, changedIn, type SharedField, type Template, withChange } from './template.ts';

/** Changes of an occurrence that apply to others of its series, the trash included, and fields that it takes from its series again. */

const SCOPES = ['this', 'following', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

export const scopeFields = {
  scope: oneOf(
    'Of an occurrence of a series: `this` (by default) for it alone, `following` for it and later ones, `all` for all that are to come. Ignored under `/wp-json/tribe`.',
    SCOPES,
  ),
  confirm_holders: boolean(
    'true: also move, cancel or remove events of the series for which there are tickets, or places in carts.',
  ),
};

export interface Following {
  ctx: RequestContext;
  tickets: EventTickets;
  scope: Exclude<Scope, 'this'>;
  confirmHolders: boolean;
}

/** The scope of a request; `this` for events without a series and for clients of the reference. */
export function scopeOf(
  { scope = 'this' }: { scope?: Scope },
  { series_id }: { series_id: number | null },
  { urls }: RequestContext,
): Scope {
  return series_id === null || urls.isReference ? 'this' : scope;
}

/** Fields whose change people with a ticket notice. */
const NOTICED: readonly SharedField[] = [
  ...['times', 'event_status', 'status', 'venue', 'attendance_mode', 'online_url'],
  ...['password', 'hide_from_listings'],
];

/**
 * Applies the change of an occurrence to the coming ones of its series, in the transaction of the change. Fields that
 * one of them has changed for itself stay.
 */
export const applyToSeries =
  (following: Following) =>
  async (db: Database, { occurrence, event, before }: OccurrenceChange): Promise<void> => {
    const { ctx, tickets, scope, confirmHolders } = following;
    const changed = await findEvent(db, event.id);
    if (!changed) return;
    const whole = await getSeries(db, occurrence.series_id);
    if (whole.status === 'trash') throw new ApiError('series-is-in-trash');
    // It is restored alone, with its day.
    if (event.status === 'trash') throw new ApiError('event-is-in-trash');
    const after = await stateOf(db, changed);
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    if (after.values.start_date.slice(0, 10) !== before.values.start_date.slice(0, 10))
      throw invalidParam('start_date', 'param.series_day');
    refuseForeignSeries(whole, ctx.viewer);
    const day = occurrence.recurrence_id;
    const series = scope === 'following' ? await splitSeries(db, whole, { day, ctx, tickets }) : whole;
    const coming = await comingIds(db, series, ctx.now);
    await refuseForeign(db, coming, ctx.viewer);
    if (!confirmHolders && fields.some((field) => NOTICED.includes(field))) await refuseHolders(db, coming, tickets);
    const version = series.version + 1;
    const template = changedIn(version, withChange(series.template, fields, { before, after }), fields);
    const differing = differingFields({ ...series, template }, day, after);
    const values = { template, version, ...modifiedTimes(ctx) };
    await logChange(db, ctx.actor, { kind: auditedSeries, id: series.id }, () => updateSeries(db, series, values));
    await updateOccurrence(db, event.id, {
      own_fields: occurrence.own_fields.filter((field) => !fields.includes(field) || differing.includes(field)),
      // An occurrence that lags behind gets the earlier changes with this one.
      ...(occurrence.version === series.version && { version }),
    });
    await beginWork(db, series.id, { ctx, tickets });
  };

/** The fields of an event that differ from its series; another day counts as a difference of its times. */
function differingFields(series: Series, day: Day, state: Template): SharedField[] {
  const times = movedTimes(series.template.values, startOn(series, day));
  return changedFields({ ...series.template, values: { ...series.template.values, ...times } }, state);
}

async function comingIds(db: Database, { id }: Series, now: Date): Promise<number[]> {
  const utcNow = toUtc(now);
  return (await findOccurrences(db, id))
    .filter(({ status, utc_start_date }) => status !== 'trash' && utc_start_date > utcNow)
    .map(({ event_id }) => event_id);
}

/** The recurrence of a series up to the day before another day. */
async function endedBefore(series: Series, day: Day): Promise<Pick<Series, 'rrule' | 'rdates' | 'exdates'>> {
  const { rule, rdates, exdates } = recurrenceOf(series);
  // `UNTIL` in place of a `COUNT` that has been reached would add days.
  const isOver = rule?.count !== undefined && (await aroundDay(series, rule, day)).next === undefined;
  const { timezone } = series.template.values;
  const earlier = (days: readonly Day[]): Day[] => days.filter((one) => one < day);
  return {
    rrule: rule ? formatRule(isOver ? rule : ruleBefore(rule, day, timezone)) : '',
    rdates: earlier(rdates),
    exdates: earlier(exdates),
  };
}

/**
 * Ends a series before a day and begins another with its occurrences from that day on, in the transaction of the
 * caller. The series itself if it has no earlier occurrence.
 */
async function splitSeries(
  db: Database,
  series: Series,
  { day, ctx, tickets }: { day: Day } & Pick<Following, 'ctx' | 'tickets'>,
): Promise<Series> {
  const [first] = await findOccurrences(db, series.id);
  if (first === undefined || first.recurrence_id >= day) return series;
  const id = await newRecordId(db, 'series');
  const { id: _id, revision: _revision, made_until, pending: _pending, ...values } = series;
  await insertSeries(db, id, {
    ...values,
    ...(await continuedFrom(series, day)),
    slug: await seriesSlug(db, series.template.values.title, id),
    follows_series_id: series.id,
    // The new series has no change that was confirmed.
    may_remove_sold: 0,
    ...modifiedTimes(ctx),
  });
  await noteProgress(db, { id, pending: 0, made_until });
  await moveOccurrences(db, { from: series.id, to: id, since: day });
  await tickets.continueChanges(db, { from: series.id, to: id, now: ctx.now });
  const ended = await endedBefore(series, day);
  await logChange(db, ctx.actor, { kind: auditedSeries, id: series.id }, () =>
    updateSeries(db, series, { ...ended, ...modifiedTimes(ctx) }),
  );
  await logCreation(db, ctx.actor, { kind: auditedSeries, id });
  return getSeries(db, id);
}

/** The recurrence of a series from a day on. */
async function continuedFrom(
  series: Series,
  day: Day,
): Promise<Pick<Series, 'start_day' | 'rrule' | 'rdates' | 'exdates'>> {
  const { rule, rdates, exdates } = recurrenceOf(series);
  const later = (days: readonly Day[]): Day[] => days.filter((one) => one >= day);
  const lists = { rdates: later(rdates), exdates: later(exdates) };
  if (!rule) return { start_day: day, rrule: '', ...lists };
  const { earlier, next } = await aroundDay(series, rule, day);
  // The rule has ended: only single days are left.
  if (next === undefined) return { start_day: day, rrule: '', ...lists };
  const count = rule.count === undefined ? {} : { count: rule.count - earlier };
  return { start_day: next, rrule: formatRule({ ...rule, ...count }), ...lists };
}

/** Years after which a rule repeats: leap days are up to eight years apart, and a yearly interval multiplies this. */
function yearsBetween({ frequency, interval }: RecurrenceRule): number {
  if (frequency === 'YEARLY') return 8 * interval;
  return frequency === 'MONTHLY' ? Math.max(8, interval) : 8;
}

/** Far enough for the next day of a rule. */
const yearsLater = (day: Day, rule: RecurrenceRule): Day =>
  `${Math.min(9999, Number(day.slice(0, 4)) + yearsBetween(rule))}-12-31`;

/** The number of days of a rule before a day, and the first one from then on, which keeps its interval. */
async function aroundDay(series: Series, rule: RecurrenceRule, day: Day) {
  const { timezone: zone, all_day } = series.template.values;
  const start = startOn(series, series.start_day);
  const { days } = await expand(
    { rule, rdates: [], exdates: [] },
    { start, zone, isAllDay: all_day === 1, until: yearsLater(day, rule) },
  );
  return { earlier: days.filter((one) => one < day).length, next: days.find((one) => one >= day) };
}

/** More than an event has in 20 languages. */
const MAX_FIELDS = 300;
const MAX_LENGTH = 100;

export const ownFields = field<string[]>(
  {
    type: 'array',
    maxItems: MAX_FIELDS,
    items: { type: 'string', maxLength: MAX_LENGTH, examples: ['title'] },
    description:
      'Fields of an occurrence that stay its own, out of `series.own_fields`; all others take the value of the series again. After the other changes of the request, with `scope` `this` only. Ignored under `/wp-json/tribe`.',
  },
  'param.own_fields',
  (value) => {
    const names = typeof value === 'object' ? membersOf(value) : undefined;
    const isName = (name: unknown): name is string => typeof name === 'string' && name.length <= MAX_LENGTH;
    return names && names.length <= MAX_FIELDS && names.every(isName) ? [...new Set(names)].toSorted() : undefined;
  },
);

/**
 * Leaves an occurrence some of its own fields and gives it the values of its series in the others, in the transaction of
 * the caller, which holds the locks of both.
 * @throws {InvalidParams} if a field is not its own
 */
export async function keepOwnFields(
  db: Database,
  eventId: number,
  { ctx, kept }: { ctx: RequestContext; kept: readonly string[] },
): Promise<void> {
  const [event, occurrence] = [await findEvent(db, eventId), await findOccurrence(db, eventId)];
  if (!event || !occurrence || !kept.every((name) => occurrence.own_fields.includes(name)))
    throw invalidParam('own_fields', 'param.own_fields');
  const fields = occurrence.own_fields.filter((name) => !kept.includes(name));
  if (fields.length === 0) return;
  const series = await getSeries(db, occurrence.series_id);
  if (series.status === 'trash') throw new ApiError('series-is-in-trash');
  // It may have missed changes of the series; restored, it gets them.
  if (event.status === 'trash') throw new ApiError('event-is-in-trash');
  refuseForeignSeries(series, ctx.viewer);
  const template = await presentTemplate(db, series);
  const taken = { event, day: occurrence.recurrence_id, fields };
  await logChange(db, ctx.actor, { kind: auditedEvent, id: eventId }, () =>
    takeFields(db, taken, { series: { ...series, template }, maker: ctx }),
  );
  await updateOccurrence(db, eventId, { own_fields: kept });
}

/**
 * Moves an occurrence and later ones, or all that are to come, to the trash: the series ends before it, or as a whole.
 * @throws {OutdatedRevision} if the occurrence has been edited since it was read
 */
export async function trashFrom(event: Event, { ctx, tickets, scope, confirmHolders }: Following): Promise<void> {
  const { db } = ctx.context;
  const seriesId = await db.transaction(async (trx) => {
    await lockSeriesOf(trx, event.id);
    const current = await findEvent(trx, event.id);
    const occurrence = await findOccurrence(trx, event.id);
    const series = occurrence && (await findSeries(trx, occurrence.series_id));
    if (!current || !series) throw new ApiError('rest-event-not-found');
    checkRevision(ctx, current);
    const [first] = await findOccurrences(trx, series.id);
    const isWhole = scope === 'all' || first?.event_id === event.id;
    const values = isWhole ? { status: 'trash' as const } : await endedBefore(series, occurrence.recurrence_id);
    // `If-Match` names the revision of the event, which is checked above.
    const within = { ...ctx, context: { ...ctx.context, db: trx }, expectedRevisions: undefined };
    await changeSeries(series.id, { ctx: within, tickets, values, confirmHolders });
    return series.id;
  });
  await continueWork(seriesId, { ctx, tickets });
}

/** Whether a coming event stays because a place of it was sold after the request had counted none. */
export async function isKept(event: Event, { ctx, tickets, confirmHolders }: Following): Promise<boolean> {
  if (confirmHolders || event.utc_start_date <= toUtc(ctx.now)) return false;
  const { holders, held } = await tickets.countHolders(ctx.context.db, [event.id]);
  return holders + held > 0;
}
