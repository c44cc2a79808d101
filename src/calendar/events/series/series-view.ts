import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { mayEdit } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { revisionOf, revisionSchema } from '../../../http/core/revisions.ts';
import { dayText, link, localTime } from '../../../http/output/output.ts';
import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import { translatorFor } from '../../../lib/i18n.ts';
import { recurrenceText } from '../../../lib/recurrence/recurrence-text.ts';
import { readLanguage } from '../../../platform/translations/rules.ts';
import { ownedAs } from '../../posts/post.ts';
import { pageUrl } from '../../posts/view.ts';
import { isVisible, maySeeHidden, readableBy } from '../../posts/visibility.ts';
import type { Event } from '../store.ts';
import { recurrenceSchema } from '../view.ts';
import { daysOfSeries, recurrenceOf, startOn } from './plan.ts';
import { findOccurrence, findSeries, type Series } from './series-store.ts';

export const seriesSchema = z
  .object({
    id: z.int(),
    author: z.string(),
    status: z.enum(['publish', 'trash']),
    ...revisionSchema,
    modified_utc: z.string(),
    title: z.string(),
    slug: z.string(),
    url: link,
    rest_url: link,
    recurrence: recurrenceSchema
      .extend({ rdates: z.array(dayText), exdates: z.array(dayText).describe('Empty for users who may not edit it.') })
      .meta({ id: 'Recurrence' }),
    start_date: localTime.describe('First start of the rule, in its time zone.'),
    timezone: z.string(),
    all_day: z.boolean(),
    total: z.int().describe('Occurrences that the user may see.'),
    upcoming: z.int().describe('Occurrences that have not ended, without cancelled ones.'),
    next: z.object({ id: z.int(), start_date: localTime, url: link }).nullable(),
    pending: z
      .int()
      .optional()
      .describe('Occurrences that are still being made, changed or removed; only for users who may edit it.'),
    skipped: z
      .array(dayText)
      .optional()
      .describe('Days left out because the clocks skip the time of the start; only in single reads.'),
    is_cut: z
      .boolean()
      .optional()
      .describe(
        'Whether more than 500 events are to come within 24 months, so that some are made later; only in single reads.',
      ),
    follows_series: z.int().nullable(),
  })
  .meta({ id: 'Series', description: 'A rule and the events that it makes.' });

/** @throws {ApiError} rest_no_route for clients of the reference, which has no series */
export function refuseReference({ urls }: RequestContext): void {
  if (urls.isReference) throw new ApiError('rest_no_route');
}

/** Address of the page of a series. */
const seriesPath = (slug: string): string => `/series/${encodeURIComponent(slug)}/`;

export const ownedSeries = ({ author_id, template }: Series) => ({
  author_id,
  status: template.values.status === 'trash' ? 'draft' : template.values.status,
});

export function wordsOf(series: Series, { language, context, now }: RequestContext) {
  const { timezone: zone } = series.template.values;
  const today = localDay(toUtc(now), context.config.timezone);
  const options = { language, t: translatorFor(language), start: series.start_day, zone, today };
  return { rrule: series.rrule, text: recurrenceText(recurrenceOf(series), options) };
}

/** Title in the language of the response, independent of the titles of single events of the series. */
function titleOf({ template }: Series, ctx: RequestContext): string {
  const language = readLanguage(ctx);
  const translation = template.translations.find((one) => one.language === language);
  return translation?.texts.title ?? template.values.title;
}

/** The occurrences of a series that the viewer may see. */
interface Counts {
  total: number;
  upcoming: number;
  next?: NextEvent;
}

type NextEvent = Pick<Event, 'id' | 'series_id' | 'status' | 'slug' | 'start_date'>;

/** Condition: lists of a series show an event to the viewer. Its author sees it even if it is hidden from listings. */
export function isListedEvent({ viewer }: RequestContext, events: string): RawBuilder<SqlBool> {
  const author = sql.ref(`${events}.author_id`);
  const isReadable = isVisible(readableBy(viewer), sql.ref(`${events}.status`), author);
  if (maySeeHidden(viewer)) return isReadable;
  const isListed = sql`(${sql.ref(`${events}.hide_from_listings`)} = 0 OR ${author} = ${viewer.account?.id ?? 0})`;
  return sql<SqlBool>`(${isReadable} AND ${isListed})`;
}

/** Counts by series; none for a series without an occurrence that the viewer may see. */
async function countOccurrences(ctx: RequestContext, ids: readonly number[]): Promise<Map<number, Counts>> {
  if (ids.length === 0) return new Map();
  const isComing = sql<SqlBool>`utc_end_date > ${toUtc(ctx.now)} AND event_status <> 'cancelled'`;
  const events = ctx.context.db.query
    .selectFrom('events')
    .where('series_id', 'in', [...ids])
    .where(isListedEvent(ctx, 'events'));
  const counted = await events
    .select([
      'series_id',
      sql<number>`count(*)`.as('total'),
      sql<number>`sum(CASE WHEN ${isComing} THEN 1 ELSE 0 END)`.as('upcoming'),
    ])
    .groupBy('series_id')
    .execute();
  const ranked = events
    .where(isComing)
    .select(['id', 'series_id', 'status', 'slug', 'start_date'])
    .select(sql<number>`row_number() OVER (PARTITION BY series_id ORDER BY utc_start_date, id)`.as('place'));
  const next = await ctx.context.db.query.selectFrom(ranked.as('e')).selectAll().where('place', '=', 1).execute();
  const nextOf = new Map(next.map((event) => [event.series_id, event]));
  return new Map(
    counted.map(({ series_id, total, upcoming }) => [
      series_id ?? 0,
      { total: Number(total), upcoming: Number(upcoming), next: nextOf.get(series_id) },
    ]),
  );
}

/** Whether the viewer sees an occurrence of a series, or may edit it. */
export async function isSeriesVisible(ctx: RequestContext, series: Series): Promise<boolean> {
  return mayEdit(ctx.viewer, ownedSeries(series)) || (await countOccurrences(ctx, [series.id])).has(series.id);
}

/** Renders a series; undefined if the viewer neither sees an occurrence of it nor may edit it. */
export async function renderSeries(ctx: RequestContext, series: Series, { isSingle = false } = {}) {
  const [body] = await renderSeriesList(ctx, [series]);
  if (!body || !isSingle) return body;
  const { skipped, isCut: is_cut } = await daysOfSeries(series, ctx.now);
  return { ...body, skipped, is_cut };
}

/** Renders the series that a viewer may see, with as many statements as for one. */
export async function renderSeriesList(ctx: RequestContext, list: readonly Series[]) {
  const counts = await countOccurrences(
    ctx,
    list.map(({ id }) => id),
  );
  return list.flatMap((series) => {
    const isEditor = mayEdit(ctx.viewer, ownedSeries(series));
    const count = counts.get(series.id);
    if (!count && !isEditor) return [];
    return [{ ...membersOf(series, { ctx, count, isEditor }), ...(isEditor && { pending: series.pending }) }];
  });
}

interface Shown {
  ctx: RequestContext;
  count: Counts | undefined;
  isEditor: boolean;
}

function membersOf(series: Series, { ctx, count, isEditor }: Shown) {
  const { urls } = ctx;
  const next = count?.next;
  const { values } = series.template;
  const { rdates, exdates } = series;
  return {
    id: series.id,
    author: String(series.author_id),
    status: series.status,
    ...revisionOf(series, urls),
    modified_utc: series.modified_utc,
    title: titleOf(series, ctx),
    slug: series.slug,
    url: urls.page(seriesPath(series.slug)),
    rest_url: urls.rest('events', `/series/${series.id}`),
    recurrence: { ...wordsOf(series, ctx), rdates: [...rdates], exdates: isEditor ? [...exdates] : [] },
    start_date: startOn(series, series.start_day),
    timezone: values.timezone,
    all_day: values.all_day === 1,
    total: count?.total ?? 0,
    upcoming: count?.upcoming ?? 0,
    next: next ? { id: next.id, start_date: next.start_date, url: pageUrl('event', next, urls) } : null,
    follows_series: series.follows_series_id,
  };
}

/** Members of a single read of an occurrence; none for other events and for clients of the reference. */
export async function renderOccurrence(event: Event, ctx: RequestContext) {
  const { db } = ctx.context;
  if (event.series_id === null || ctx.urls.isReference) return {};
  const [occurrence, series] = [await findOccurrence(db, event.id), await findSeries(db, event.series_id)];
  // A hidden event does not lead to a series that the viewer does not see.
  if (!occurrence || !series || !(await isSeriesVisible(ctx, series))) return {};
  const { recurrence_id, own_fields } = occurrence;
  const before = await db.query
    .selectFrom('occurrences')
    .innerJoin('events', 'events.id', 'occurrences.event_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('occurrences.series_id', '=', series.id)
    .where('recurrence_id', '<', recurrence_id)
    .where(isListedEvent(ctx, 'events'))
    .executeTakeFirstOrThrow();
  return {
    series: {
      id: series.id,
      url: ctx.urls.page(seriesPath(series.slug)),
      rest_url: ctx.urls.rest('events', `/series/${series.id}`),
      recurrence_id,
      position: Number(before.total) + 1,
      ...(mayEdit(ctx.viewer, ownedAs(event)) && { own_fields: [...own_fields] }),
    },
    recurrence: wordsOf(series, ctx),
  };
}
