import { currentCache } from '../../../db/current-cache.ts';
import type { CachedData, IdPage } from '../../../db/data-cache.ts';
import { can, type Viewer } from '../../../http/core/auth.ts';
import {
  endpoint,
  type GuardedContext,
  type InputOf,
  type LookupContext,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import type { QueryValue } from '../../../http/core/urls.ts';
import { field, oneOf, type SiteDefaults, withDefault } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { admitPassword } from '../access.ts';
import type { EventTickets } from '../ticketing.ts';
import { eventSchema } from '../view.ts';
import { type Bound, dateWindow, feedWindow } from './date-filters.ts';
import {
  eventDates,
  eventFilters,
  type FilterInput,
  filterOf,
  findTargets,
  languageFilter,
  shownFilters,
  type Target,
  windowOf,
} from './event-filters.ts';
import { cachedPage, listEvents } from './list-query.ts';
import { renderListed } from './render-event-list.ts';

/** Dates of a list without date parameters. */
const defaultDates = ({ timezone, now }: SiteDefaults) =>
  dateWindow({}, { siteZone: timezone, now, strict: false }).shown;

const ORDERS = ['asc', 'desc'] as const;
const ORDER = 'Order of start: `asc` or `desc`. Ignored with another `orderby` and under `/wp-json/tribe`.';
const ORDERBY = '`start_date`: lists are always sorted by start. Other values have no effect.';

/** `orderOf` rejects `other`, unless the parameter is ignored. */
const readOrder = (sent: unknown) =>
  ORDERS.find((order) => typeof sent === 'string' && order === sent.toLowerCase()) ?? 'other';

const order = withDefault(
  field({ type: 'string', enum: ORDERS, description: ORDER }, 'param.one_of', readOrder),
  'asc',
);

const COLLAPSIBLE = ['series'] as const;

const fields = {
  ...pageFields,
  ...eventFilters,
  start_date: withDefault(eventDates.start_date, (site: SiteDefaults) => defaultDates(site).start_date),
  end_date: withDefault(eventDates.end_date, (site: SiteDefaults) => defaultDates(site).end_date),
  ...languageFilter,
  collapse: oneOf(
    '`series`: list each series once, by its first event that matches. Ignored under `/wp-json/tribe`.',
    COLLAPSIBLE,
  ),
  order,
  orderby: field({ type: 'string', description: ORDERBY }, 'param.text', (sent) =>
    sent === 'start_date' ? sent : 'other',
  ),
};

type ListInput = InputOf<typeof fields>;

/** The event list, in order of start. */
export const eventListEndpoint = (tickets: EventTickets) =>
  endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: '/events',
    name: 'events.list',
    summary: 'List events by start',
    description: 'Without a date filter: from today to 24 months ahead. Filters are combined with AND.',
    input: fields,
    responses: { 200: listSchema('events', eventSchema, 'EventList') },
    responseHeaders: LIST_HEADERS,
    errors: ['event-archive-page-not-found', 'rest_forbidden'],
    find: async (input: Partial<ListInput>, ctx, addProblem) => ({
      ...(await findTargets(input, ctx, addProblem)),
      order: orderOf(input, { ctx, addProblem }),
    }),
    may: (viewer: Viewer, _target, input: Partial<ListInput>) =>
      input.missing_language === undefined || can(viewer, 'edit'),
    async handle(ctx, input: Partial<ListInput>, target) {
      const { config, db } = ctx.context;
      await admitPassword(ctx, input.password, 'any');
      const page = pageOf(input, config.perPage);
      const window = windowOf(input, ctx);
      const filter = filterOf(input, ctx, { target, window });
      const state = await currentCache(ctx.context);
      const isDescending = target.order === 'desc';
      const collapse = ctx.urls.isReference ? undefined : input.collapse;
      const { total, ids } = await cachedPage(db, filter, {
        ...{ limit: page.perPage, offset: page.offset, isDescending, isCollapsed: collapse !== undefined },
        state,
      });
      return listResponse({
        key: 'events',
        items: await renderListed(ctx, ids, { tickets, password: input.password, state }),
        total,
        page,
        url: ctx.urls.rest('events', '/events/'),
        params: {
          per_page: page.perPage,
          ...shownFilters(input, { window, target, language: ctx.askedLanguage }),
          collapse,
          order: target.order,
        },
        pastTheEnd: 'event-archive-page-not-found',
        freshUntil: window.freshUntil,
      });
    },
  });

/** The requested order. Clients of the reference may send their own value, which is ignored like `orderby`. */
function orderOf(
  { order, orderby }: Partial<Pick<ListInput, 'order' | 'orderby'>>,
  { ctx, addProblem }: LookupContext,
): (typeof ORDERS)[number] | undefined {
  if (ctx.urls.isReference || orderby === 'other') return undefined;
  if (order !== 'other') return order;
  return void addProblem('order', { key: 'param.one_of', values: { allowed: ORDERS.join(', ') } });
}

/** The events of a feed. */
interface FeedList {
  /** By start: the first matches, or the last. */
  ids: readonly number[];
  total: number;
  /** Filters as repeated in links. */
  params: Record<string, QueryValue>;
  /** See `EndpointResponse`. */
  freshUntil?: number;
}

interface FeedRange {
  target: Target;
  limit: number;
  /** Whether a feed that cannot hold all events omits the first ones. */
  hasLast?: boolean;
}

/**
 * The first or the last events of a list, by default with the dates of a feed. Not paginated: feed readers do not
 * follow pages.
 */
export async function listForFeed(
  ctx: GuardedContext,
  input: FilterInput,
  { target, limit, hasLast = false }: FeedRange,
): Promise<FeedList> {
  const { db } = ctx.context;
  await admitPassword(ctx, input.password, 'any');
  const window = windowOf(input, ctx, feedWindow);
  const filter = filterOf(input, ctx, { target, window });
  const range = { limit, offset: 0, isDescending: hasLast };
  const { total, ids } = await cachedPage(db, filter, { ...range, state: await currentCache(ctx.context) });
  const params = shownFilters(input, { window, target, language: ctx.askedLanguage });
  return { ids: hasLast ? ids.toReversed() : ids, total, params, freshUntil: window.freshUntil };
}

/** All matching events by start; of all times by default. */
export async function listForExport(
  ctx: GuardedContext,
  input: FilterInput,
  target: Target,
): Promise<readonly number[]> {
  const { db } = ctx.context;
  await admitPassword(ctx, input.password, 'any');
  const window = windowOf(input, ctx, () => ({ bounds: [], shown: {} }));
  const filter = filterOf(input, ctx, { target, window });
  const { ids } = await listEvents(db, filter, {
    limit: MAX_EXPORTED,
    offset: 0,
    state: await currentCache(ctx.context),
  });
  return ids;
}

/** Larger than any calendar. */
const MAX_EXPORTED = 10_000_000;

interface Within {
  target: Target;
  bounds: Bound[];
  limit: number;
  state: CachedData;
}

/** The first events of a list within time bounds, which replace the dates and the password of the filters. */
export const listWithin = (
  ctx: RequestContext,
  { password: _password, ...input }: FilterInput,
  { target, bounds, ...range }: Within,
): Promise<IdPage> =>
  cachedPage(ctx.context.db, filterOf(input, ctx, { target, window: { bounds, shown: {} } }), { ...range, offset: 0 });
