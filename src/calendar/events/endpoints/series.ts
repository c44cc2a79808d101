import { z } from 'zod';
import { can, forbidden, mayEdit, mayManageTickets } from '../../../http/core/auth.ts';
import {
  type AddProblem,
  type AnyEndpoint,
  created,
  endpoint,
  type LookupContext,
  ok,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { boolean, custom, integer, oneOf } from '../../../http/input/schemas.ts';
import { readInput } from '../../../http/input/validate.ts';
import { dayText } from '../../../http/output/output.ts';
import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import { type Day, expandOnce, lastDay } from '../../../lib/recurrence/recurrence.ts';
import { isRecord } from '../../../lib/text/list.ts';
import { withinLimits } from '../../../platform/limits/limits.ts';
import { accountSubject } from '../../../platform/users/password-check.ts';
import { ownedAs } from '../../posts/post.ts';
import { limitedDays, planSeries, recurrenceOf } from '../series/plan.ts';
import {
  checkStart,
  readRecurrence,
  readSentMembers,
  recurrenceField,
  type StoredRecurrence,
} from '../series/recurrence-input.ts';
import { findSeries, type Series } from '../series/series-store.ts';
import { ownedSeries, refuseReference, renderSeries, seriesSchema, wordsOf } from '../series/series-view.ts';
import { beginSeries, beginSeriesWith, changeSeries, continueWork, previewChange } from '../series/series-writes.ts';
import { type Event, findEvent, linksOf } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { type EventTimes, eventTimes } from '../times.ts';
import { clashSchema, findClashes } from './clashes.ts';
import { createEvent } from './save.ts';
import { seriesLists } from './series-lists.ts';
import { eventFields, findReferences } from './write-fields.ts';

/** Series: `/series` and `/series/{id}`. Not under `/wp-json/tribe`, which has no series. */
export const seriesEndpoints = (tickets: EventTickets): AnyEndpoint[] => [
  createEndpoint(tickets),
  readEndpoint,
  updateEndpoint(tickets),
  deleteEndpoint(tickets),
  ...seriesLists,
];

const previewSchema = z
  .object({
    dry_run: z.literal(true),
    dates: z.array(dayText).describe('Days of the series: at most 500 that are to come, and the latest 500 past ones.'),
    skipped: z.array(dayText).describe('Days left out because the clocks skip the time of the start.'),
    is_cut: z
      .boolean()
      .describe('Whether more than 500 events are to come within 24 months, so that some are made later.'),
    clashes: z.array(clashSchema).describe('Other events at the same venue at the same time, at most 100.'),
    added: z.array(dayText).optional().describe('Only for an existing series.'),
    removed: z.array(dayText).optional().describe('Only for an existing series.'),
    holders: z.int().optional().describe('People who have a ticket for a removed date.'),
    held: z.int().optional().describe('Places of removed dates in carts.'),
    text: z.string().optional().describe('The recurrence in words; only for an existing series.'),
  })
  .meta({ id: 'SeriesPreview' });

const shared = {
  dry_run: boolean('true: change nothing, and return the days and clashes instead.'),
  confirm_holders: boolean('true: also remove dates for which there are tickets, or places in carts.'),
};

/** First event and recurrence of a new series. */
interface Beginning {
  recurrence: StoredRecurrence;
  times: EventTimes;
  venues: readonly number[];
  existing?: Event;
  write?: Parameters<typeof createEvent>[0];
}

function createEndpoint(tickets: EventTickets): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: '/series',
    name: 'series.create',
    summary: 'Create a series of events',
    description:
      'Either `event` or `event_id` is required. Up to 50 events are made at once, the others in the background, at most 24 months ' +
      'and 500 events ahead; `pending` counts the missing ones. Tickets of the event are copied with places of their own.',
    input: {
      event: custom('The first event, with the fields of `POST /events`; all others are made like it.', {
        $ref: '#/components/schemas/EventInput',
      }),
      event_id: integer('An existing event that becomes the first one.', { min: 1 }),
      recurrence: recurrenceField,
      dry_run: shared.dry_run,
    },
    required: ['recurrence'],
    responses: { 200: previewSchema, 201: seriesSchema },
    errors: [
      ...(['rest_missing_callback_param', 'rest_forbidden', 'rest-event-not-found', 'event-in-series'] as const),
      ...(['event-no-longer-available', 'edit-conflict', 'too-many-series-events'] as const),
    ],
    find: (input, ctx, addProblem) => {
      refuseReference(ctx);
      return findBeginning(input, { ctx, addProblem });
    },
    may: (viewer, target) => can(viewer, 'edit') && (!target?.existing || mayEdit(viewer, ownedAs(target.existing))),
    async handle(ctx, { dry_run }, target) {
      // Without a problem there is a beginning, except that the event is missing.
      if (!target) throw new ApiError('rest-event-not-found');
      if (dry_run) return ok(await previewBeginning(ctx, target));
      const { days } = await daysOfBeginning(ctx, target);
      const series = await withinSeriesLimit(ctx, days.length - 1, () => begin(target, ctx, tickets));
      await continueWork(series, { ctx, tickets });
      return created(await renderById(series, ctx));
    },
  });
}

/**
 * Runs work that has a series make events, and counts them for the account. Events of work that fails do not count, nor
 * those of accounts that may edit the events of others.
 * @throws {ApiError} too-many-series-events
 */
function withinSeriesLimit<T>(ctx: RequestContext, events: number, work: () => Promise<T>): Promise<T> {
  const { viewer, context } = ctx;
  if (!viewer.account || can(viewer, 'edit_others')) return work();
  const key = accountSubject(viewer.account.id);
  return withinLimits(context, 'too-many-series-events', [{ limit: 'series-events', key, points: events }], work);
}

async function begin({ existing, write, recurrence }: Beginning, ctx: RequestContext, tickets: EventTickets) {
  let series = 0;
  if (existing) {
    const sold = await tickets.load(ctx.context.db, [existing.id], {
      ...{ now: '', timezone: ctx.context.config.timezone, attendanceOf: [], withAvailability: false },
    });
    const hasTickets = (sold.tickets.get(existing.id) ?? []).length > 0;
    if (hasTickets && !mayManageTickets(ctx.viewer, existing)) throw new ApiError('rest_forbidden');
    return beginSeriesWith(existing.id, { ctx, tickets, recurrence });
  }
  if (!write) throw new Error('a series begins with an event');
  await createEvent(write, async (db, id) => {
    const event = await findEvent(db, id);
    if (event) series = await beginSeries(db, event, { ctx, tickets, recurrence });
  });
  return series;
}

/** Reads the first event and the recurrence, and reports their problems. */
async function findBeginning(
  input: { event?: unknown; event_id?: number; recurrence?: unknown },
  lookup: LookupContext,
): Promise<Beginning | undefined> {
  const { ctx, addProblem } = lookup;
  if ((input.event === undefined) === (input.event_id === undefined))
    return void addProblem('event', { key: 'param.series_event' });
  if (!can(ctx.viewer, 'edit')) return undefined;
  const found =
    input.event_id === undefined ? await readEvent(input.event, lookup) : await readExisting(input.event_id, ctx);
  if (!found) return undefined;
  const { times } = found;
  const recurrence = readRecurrence(input.recurrence, { time: times.start_date.slice(11), addProblem });
  if (!recurrence) return undefined;
  const start = { start: times.start_date, zone: times.timezone, isAllDay: times.all_day === 1, now: ctx.now };
  await checkStart(recurrenceOf(recurrence), start, addProblem);
  return { ...found, recurrence };
}

async function readExisting(id: number, { context, viewer }: RequestContext) {
  const existing = await findEvent(context.db, id);
  if (!existing) return undefined;
  // Problems of the recurrence would name its day.
  if (!mayEdit(viewer, ownedAs(existing))) throw forbidden(viewer);
  const { venue = [] } = await linksOf(context.db, id);
  return { existing, times: existing, venues: venue };
}

async function readEvent(sent: unknown, { ctx, addProblem }: LookupContext) {
  if (!isRecord(sent)) return void addProblem('event', { key: 'param.object' });
  const { input, problems } = readInput(
    eventFields,
    ['title', 'start_date', 'end_date'],
    new Map(Object.entries(sent)),
  );
  const refuse: AddProblem = (name, problem) => addProblem(`event.${name}`, problem);
  for (const [name, problem] of problems) refuse(name, problem);
  const references = await findReferences(input, { ctx, addProblem: refuse, isUpdate: false });
  if (problems.size > 0 || input.start_date === undefined || input.end_date === undefined) return undefined;
  const times = eventTimes(input, undefined, { siteZone: ctx.context.config.timezone, now: ctx.now });
  // Reported by `findReferences`.
  if (times === 'ends-early') return undefined;
  if (input.status === 'trash') return refuse('status', { key: 'param.series_trash' });
  const venues = (references.linked?.venue ?? []).flatMap((venue) => ('id' in venue ? [venue.id] : []));
  return { times, venues, write: { input, references, ctx } };
}

async function daysOfBeginning({ now }: RequestContext, { recurrence, times }: Beginning) {
  const { timezone: zone } = times;
  const until = lastDay(now, zone);
  const isAllDay = times.all_day === 1;
  const range = { start: times.start_date, zone, isAllDay, until };
  const today = localDay(toUtc(now), zone);
  return limitedDays(await expandOnce(recurrenceOf(recurrence), range), { today, until });
}

async function previewBeginning(ctx: RequestContext, beginning: Beginning) {
  const { days, skipped, isCut } = await daysOfBeginning(ctx, beginning);
  const { times, venues, existing } = beginning;
  const clashes = await findClashes(ctx, { days, times, venues, eventId: existing?.id });
  return { dry_run: true, dates: days, skipped, is_cut: isCut, clashes };
}

const idField = { id: integer('Id of the series.') };

async function renderById(id: number, ctx: RequestContext) {
  const series = await findSeries(ctx.context.db, id);
  const body = series && (await renderSeries(ctx, series, { isSingle: true }));
  if (!body) throw new ApiError('series-not-found');
  return body;
}

const findById = async ({ id }: { id?: number }, ctx: RequestContext): Promise<Series | undefined> => {
  refuseReference(ctx);
  return findSeries(ctx.context.db, id ?? 0);
};

const readEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/series/{id}',
  name: 'series.read',
  summary: 'Read a series',
  input: idField,
  responses: { 200: seriesSchema },
  errors: ['series-not-found'],
  find: findById,
  async handle(ctx, _input, series) {
    const body = series && (await renderSeries(ctx, series, { isSingle: true }));
    if (!body) throw new ApiError('series-not-found');
    return { body, revision: series.revision };
  },
});

const mayChange = (viewer: RequestContext['viewer'], series: Series | undefined): boolean =>
  series ? mayEdit(viewer, ownedSeries(series)) : can(viewer, 'edit');

interface Change {
  series?: Series;
  /** Members of the recurrence that are sent; the others keep the values that the series has when it is changed. */
  values?: Partial<StoredRecurrence> & { status?: 'publish' };
}

function updateEndpoint(tickets: EventTickets): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST', 'PUT', 'PATCH'],
    path: '/series/{id}',
    name: 'series.update',
    summary: 'Change the dates of a series, or restore it',
    description:
      'Adds and removes coming dates; past ones never change. Fields of the events change by `PATCH /events/{id}?scope=all`. Events of ' +
      'removed dates go to the trash; those with tickets are removed only with `confirm_holders`. A status restores a series from the ' +
      'trash, with the coming events that went there with it.',
    input: {
      ...idField,
      recurrence: recurrenceField,
      status: oneOf('`publish` restores the series from the trash.', ['publish']),
      ...shared,
    },
    responses: { 200: z.union([seriesSchema, previewSchema]) },
    errors: [
      ...(['rest_forbidden', 'series-not-found', 'series-is-in-trash'] as const),
      ...(['series-has-holders', 'edit-conflict', 'too-many-series-events'] as const),
    ],
    async find(input, ctx, addProblem): Promise<Change> {
      const { recurrence, status } = input;
      if (recurrence === undefined && !status) addProblem('recurrence', { key: 'param.series_change' });
      const series = await findById(input, ctx);
      if (!series || !mayEdit(ctx.viewer, ownedSeries(series))) return { series };
      const time = series.template.values.start_date.slice(11);
      const members = recurrence === undefined ? {} : readSentMembers(recurrence, { time, addProblem });
      // Without any day it would have ended, without being in the trash, from which it could be restored.
      const { rrule, rdates } = { ...series, ...members };
      if (members && recurrence !== undefined && rrule === '' && rdates.length === 0)
        addProblem('recurrence', { key: 'param.recurrence_empty' });
      return { series, values: { ...members, ...(status && { status }) } };
    },
    may: (viewer, target) => mayChange(viewer, target?.series),
    async handle(ctx, { dry_run, confirm_holders }, { series, values = {} }) {
      if (!series) throw new ApiError('series-not-found');
      if (dry_run) return ok(await previewUpdate(ctx, { ...series, ...values }, tickets));
      const { make } = await planSeries(ctx.context.db, { ...series, ...values }, ctx.now);
      await withinSeriesLimit(ctx, make.length, () =>
        changeSeries(series.id, { ctx, tickets, values, confirmHolders: confirm_holders === true }),
      );
      await continueWork(series.id, { ctx, tickets });
      return ok(await renderById(series.id, ctx));
    },
    showCurrent: (ctx, { id }) => renderById(id ?? 0, ctx),
  });
}

async function previewUpdate(ctx: RequestContext, series: Series, tickets: EventTickets) {
  const { days, added, removed, holders, held } = await previewChange(ctx.context.db, series, { ctx, tickets });
  const venues = series.template.links.venue ?? [];
  const clashes = await findClashes(ctx, { days: added, times: series.template.values, venues, seriesId: series.id });
  const dates: Day[] = days.days;
  const shown = { dry_run: true as const, dates, skipped: days.skipped, is_cut: days.isCut, clashes, added, removed };
  return { ...shown, holders, held, text: wordsOf(series, ctx).text };
}

function deleteEndpoint(tickets: EventTickets): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['DELETE'],
    path: '/series/{id}',
    name: 'series.delete',
    summary: 'End a series and move its coming events to the trash',
    description:
      'Past events stay. A status restores the series with its events; each event can also be restored alone, as a single one.',
    input: { ...idField, confirm_holders: shared.confirm_holders },
    responses: { 200: seriesSchema },
    errors: ['rest_forbidden', 'series-not-found', 'series-is-in-trash', 'series-has-holders', 'edit-conflict'],
    find: async (input, ctx): Promise<Change> => ({ series: await findById(input, ctx) }),
    may: (viewer, target) => mayChange(viewer, target?.series),
    async handle(ctx, { confirm_holders }, { series }) {
      if (!series) throw new ApiError('series-not-found');
      const values = { status: 'trash' } as const;
      await changeSeries(series.id, { ctx, tickets, values, confirmHolders: confirm_holders === true });
      await continueWork(series.id, { ctx, tickets });
      return ok(await renderById(series.id, ctx));
    },
    showCurrent: (ctx, { id }) => renderById(id ?? 0, ctx),
  });
}
