import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { mayEdit } from '../../../http/core/auth.ts';
import { endpoint, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { boolean, integer } from '../../../http/input/schemas.ts';
import { dayText, link, localTime, utcTime } from '../../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { loadTranslations } from '../../../platform/translations/store.ts';
import { ownedAs } from '../../posts/post.ts';
import { pageUrl } from '../../posts/view.ts';
import { EVENT_STATUSES } from '../event-status.ts';
import { findSeries, listSeries } from '../series/series-store.ts';
import {
  isListedEvent,
  isSeriesVisible,
  refuseReference,
  renderSeriesList,
  seriesSchema,
} from '../series/series-view.ts';
import { getEvents } from '../store.ts';

/** Lists of series and of the occurrences of one. */

const occurrenceSchema = z
  .object({
    id: z.int(),
    url: link,
    rest_url: link,
    title: z.string(),
    status: z.string(),
    event_status: z.enum(EVENT_STATUSES),
    start_date: localTime,
    end_date: localTime,
    utc_start_date: utcTime,
    timezone: z.string(),
    recurrence_id: dayText.describe('Day that the rule gave it, also after it was moved.'),
    own_fields: z
      .array(z.string())
      .optional()
      .describe('Fields that were changed for it alone; only for users who may edit it.'),
  })
  .meta({ id: 'Occurrence' });

const listEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/series',
  name: 'series.list',
  summary: 'List the series with events that the user may see',
  input: pageFields,
  responses: { 200: listSchema('series', seriesSchema, 'SeriesList') },
  responseHeaders: LIST_HEADERS,
  errors: [],
  find: async (_input, ctx) => refuseReference(ctx),
  async handle(ctx, input) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const isShown = sql<SqlBool>`EXISTS (SELECT 1 FROM events AS e
      WHERE e.series_id = series.id AND ${isListedEvent(ctx, 'e')})`;
    const { total, series } = await listSeries(db, isShown, page);
    return listResponse({
      key: 'series',
      items: await renderSeriesList(ctx, series),
      total,
      page,
      url: ctx.urls.rest('events', '/series'),
      params: { per_page: page.perPage },
    });
  },
});

const occurrencesEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/series/{id}/occurrences',
  name: 'series.occurrences',
  summary: 'List the events of a series by start',
  input: {
    ...pageFields,
    id: integer('Id of the series.'),
    upcoming: boolean('true: only events that are not over.'),
  },
  responses: { 200: listSchema('occurrences', occurrenceSchema, 'OccurrenceList') },
  responseHeaders: LIST_HEADERS,
  errors: ['series-not-found'],
  async find({ id }, ctx) {
    refuseReference(ctx);
    const series = await findSeries(ctx.context.db, id ?? 0);
    return series && (await isSeriesVisible(ctx, series)) ? series : undefined;
  },
  async handle(ctx, input, series) {
    if (!series) throw new ApiError('series-not-found');
    const page = pageOf(input, ctx.context.config.perPage);
    const found = ctx.context.db.query
      .selectFrom('events as e')
      .innerJoin('occurrences as o', 'o.event_id', 'e.id')
      .where('e.series_id', '=', series.id)
      .where(isListedEvent(ctx, 'e'))
      .$if(input.upcoming === true, (query) => query.where('e.utc_end_date', '>', toUtc(ctx.now)));
    const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await found
      .select(['e.id', 'o.recurrence_id', 'o.own_fields'])
      .orderBy('e.utc_start_date')
      .orderBy('e.id')
      .limit(page.perPage)
      .offset(page.offset)
      .execute();
    return listResponse({
      key: 'occurrences',
      items: await renderOccurrences(ctx, rows),
      total: Number(total),
      page,
      url: ctx.urls.rest('events', `/series/${series.id}/occurrences`),
      params: { per_page: page.perPage, upcoming: input.upcoming },
    });
  },
});

interface Row {
  id: number;
  recurrence_id: string;
  own_fields: string;
}

async function renderOccurrences(ctx: RequestContext, rows: readonly Row[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const events = await getEvents(ctx.context.db, [...byId.keys()]);
  const texts = await loadTranslations(
    ctx,
    events.map(({ id }) => ({ kind: 'event', id })),
  );
  return events.map((stored) => {
    const { id, title, status, event_status, start_date, end_date, utc_start_date, timezone } = texts.show(
      'event',
      stored,
    );
    const { recurrence_id = '', own_fields = '[]' } = byId.get(id) ?? {};
    return {
      id,
      url: pageUrl('event', stored, ctx.urls),
      rest_url: ctx.urls.rest('events', `/events/${id}`),
      ...{ title, status, event_status, start_date, end_date, utc_start_date, timezone, recurrence_id },
      ...(mayEdit(ctx.viewer, ownedAs(stored)) && { own_fields: JSON.parse(own_fields) as string[] }),
    };
  });
}

export const seriesLists = [listEndpoint, occurrencesEndpoint];
