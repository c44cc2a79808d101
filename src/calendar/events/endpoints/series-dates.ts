import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { ANY_TIME, endpoint } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { filledText, ids, integer } from '../../../http/input/schemas.ts';
import { fromUtc, nextDay, toUtc } from '../../../lib/dates/dates.ts';
import { storedSlug } from '../../../lib/text/slug.ts';
import { type BriefEvent, renderBriefEvents } from '../render-event.ts';
import { findSeries, findSeriesBySlug, findSeriesOf, findSlugOfDay, type Series } from '../series/series-store.ts';
import { renderSeries, wordsOf } from '../series/series-view.ts';
import { getBriefEvents } from '../store.ts';

/** Maximum number of dates shown with an event. */
const MAX_DATES = 12;

/** A series on pages. */
export interface SeriesDates {
  series: { id: number; title: string; slug: string; url: string; text: string };
  /** The next listed events. */
  dates: BriefEvent[];
  /** Slug of the event of a day, if one was asked for. */
  slugOfDay?: string;
}

/** A series with its next dates, by its id or slug, for pages of this process; not a route. */
export const seriesDatesEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/series.dates',
  name: 'series.dates',
  summary: 'The next dates of a series',
  input: {
    id: integer('The series.', { min: 1 }),
    slug: filledText('Its slug, in place of the id.', { max: 300 }),
    day: filledText('A day, `2027-03-06`, whose event is looked up.', { max: 10 }),
  },
  responses: { 200: z.custom<SeriesDates>() },
  errors: ['series-not-found'],
  async handle(ctx, { id = 0, slug, day }) {
    const { db } = ctx.context;
    const series = slug === undefined ? await findSeries(db, id) : await findSeriesBySlug(db, storedSlug(slug));
    const shown = series && (await renderSeries(ctx, series));
    if (!series || !shown?.total) throw new ApiError('series-not-found');
    const { title, url, recurrence } = shown;
    const dates = await renderBriefEvents(ctx, await getBriefEvents(db, await nextIds(db, series, toUtc(ctx.now))));
    const body: SeriesDates = {
      series: { id: series.id, title, slug: series.slug, url, text: recurrence.text },
      dates,
      slugOfDay: day === undefined ? undefined : await findSlugOfDay(db, series, day),
    };
    // The words of the recurrence depend on the day.
    const midnight = nextDay(toUtc(ctx.now), ctx.context.config.timezone);
    const ends = dates.map(({ utc_end_date }) => fromUtc(utc_end_date).getTime());
    return { body, freshUntil: Math.min(ANY_TIME, midnight, ...ends) };
  },
});

/** The recurrences of the series of listed events in words, for pages of this process; not a route. */
export const seriesWordsEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/series.words',
  name: 'series.words',
  summary: 'How often the series of some events take place',
  input: { include: ids('The events.') },
  required: ['include'],
  responses: { 200: z.custom<{ words: { event: number; text: string }[] }>() },
  errors: ['rest_missing_callback_param'],
  async handle(ctx, { include }) {
    const { db, config } = ctx.context;
    const words = await findSeriesOf(db, include);
    return {
      body: { words: words.map(({ event, series }) => ({ event, text: wordsOf(series, ctx).text })) },
      freshUntil: nextDay(toUtc(ctx.now), config.timezone),
    };
  },
});

async function nextIds({ query }: Database, { id }: Series, now: string): Promise<number[]> {
  const rows = await query
    .selectFrom('events')
    .select('id')
    .where('series_id', '=', id)
    .where('status', '=', sql.lit('publish'))
    .where('hide_from_listings', '=', 0)
    .where('utc_end_date', '>', now)
    .orderBy('utc_start_date')
    .orderBy('id')
    .limit(MAX_DATES)
    .execute();
  return rows.map((row) => row.id);
}
