import type { z } from 'zod';
import type { DataState, IdPage } from '../../../db/data-memory.ts';
import { stateOf } from '../../../db/data-state.ts';
import { can, type Viewer } from '../../../http/core/auth.ts';
import {
  type AddProblem,
  ANY_TIME,
  endpoint,
  type GuardedContext,
  type InputOf,
  type LookupContext,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import type { QueryValue } from '../../../http/core/urls.ts';
import {
  boolean,
  date,
  decimal,
  field,
  filledText,
  ids,
  integer,
  readBoolean,
  references,
  type SiteDefaults,
  searchText,
  sharedParameters,
  someOf,
  withDefault,
} from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS, type LinkedKind, perLinkedKind } from '../../../lib/linked-kinds.ts';
import { readLanguage } from '../../../platform/translations/rules.ts';
import { statusFilterField, type Visibility, visibilityFor } from '../../posts/visibility.ts';
import { checkEventVisible, findVisibleLinkedPosts } from '../../posts/visible-records.ts';
import { findTermIds, MAX_TERMS } from '../../terms/references.ts';
import { withDescendants } from '../../terms/store.ts';
import { EVENT_STATUSES } from '../event-status.ts';
import { admitPassword } from '../password.ts';
import type { EventTickets } from '../ticketing.ts';
import { eventSchema, MASK } from '../view.ts';
import { type Bound, type DateWindow, dateWindow, feedWindow } from './date-filters.ts';
import type { EventFilter } from './filter.ts';
import { listEvents, pageOnce } from './list-query.ts';
import { renderListed } from './render-listed.ts';

/** Dates of a list without date parameters. */
const defaultDates = ({ timezone, now }: SiteDefaults) =>
  dateWindow({}, { siteZone: timezone, now, strict: false }).shown;

const ORDERS = ['asc', 'desc'] as const;
const ORDER = 'Order of start: `asc` or `desc`. Ignored with another `orderby` and under `/wp-json/tribe`.';
const ORDERBY = '`start_date`: lists are always sorted by start. Other values have no effect.';

const FREE = 'true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`.';

/** `orderOf` rejects `other`, unless the parameter is ignored. */
const readOrder = (sent: unknown) =>
  ORDERS.find((order) => typeof sent === 'string' && order === sent.toLowerCase()) ?? 'other';

const dates = {
  start_date: date('Events that start on this day or later.'),
  end_date: date('Events that end on this day or earlier.'),
};

/** Filters of the event list and of feeds. */
export const eventFilters = sharedParameters('events', {
  ...dates,
  starts_before: date('Events that start on this day or earlier.'),
  starts_after: date('Events that start later than this day.'),
  ends_before: date('Events that end before the last second of this day.'),
  ends_after: date('Events that end later than this day; `now` for ongoing and upcoming events.'),
  strict_dates: withDefault(boolean('Treat the dates above as exact times instead of whole days.'), false),
  search: searchText('Words that must all occur in title, description or excerpt.'),
  categories: references('Ids, slugs or names; includes events of their subcategories.', { max: MAX_TERMS }),
  tags: references('Ids, slugs or names.', { max: MAX_TERMS }),
  ...perLinkedKind((kind) => references(`Ids or slugs of ${LINKED_KINDS[kind].plural}.`)),
  featured: boolean('true: featured only; false: others only.'),
  event_status: someOf('Only events with one of these statuses.', EVENT_STATUSES),
  ...statusFilterField,
  geoloc: boolean('true: only events at a venue with coordinates; false: only others.'),
  geoloc_lat: decimal('Latitude of the point to search around. Requires `geoloc_lng`.', { min: -90, max: 90 }),
  geoloc_lng: decimal('Longitude of the point to search around. Requires `geoloc_lat`.', { min: -180, max: 180 }),
  include: ids('Only these events, whatever their dates.'),
  post_parent: integer('Only events that are part of this event.'),
  author: integer('Only events of this author, by the id of the account.', { min: 1 }),
  ticketed: boolean('true: only events with tickets; false: only others.'),
  free: field({ type: 'boolean', description: FREE }, 'param.boolean', (sent) => readBoolean(sent) ?? 'other'),
  password: filledText('Reveals events protected by this password.', { max: 200 }),
});

const order = withDefault(
  field({ type: 'string', enum: ORDERS, description: ORDER }, 'param.one_of', readOrder),
  'asc',
);

const fields = {
  ...pageFields,
  ...eventFilters,
  start_date: withDefault(dates.start_date, (site: SiteDefaults) => defaultDates(site).start_date),
  end_date: withDefault(dates.end_date, (site: SiteDefaults) => defaultDates(site).end_date),
  missing_language: filledText('Only events without any text in this language. For users who may edit.', { max: 35 }),
  order,
  orderby: field({ type: 'string', description: ORDERBY }, 'param.text', (sent) =>
    sent === 'start_date' ? sent : 'other',
  ),
};

type ListInput = InputOf<typeof fields>;
export type FilterInput = Partial<InputOf<typeof eventFilters>> & Pick<Partial<ListInput>, 'missing_language'>;

/**
 * The member of an event that each filter uses; null if no response shows it. `search` uses only the titles of locked
 * events.
 */
const FILTERED_MEMBERS = {
  start_date: 'start_date',
  end_date: 'end_date',
  starts_before: 'start_date',
  starts_after: 'start_date',
  ends_before: 'end_date',
  ends_after: 'end_date',
  strict_dates: 'start_date',
  search: 'title',
  categories: 'categories',
  tags: 'tags',
  ...perLinkedKind((kind) => kind),
  featured: 'featured',
  event_status: 'event_status',
  status: 'status',
  geoloc: 'venue',
  geoloc_lat: 'venue',
  geoloc_lng: 'venue',
  include: 'id',
  post_parent: null,
  author: 'author',
  ticketed: 'ticketed',
  free: 'cost',
  missing_language: null,
} satisfies Record<
  Exclude<keyof ListInput, keyof typeof pageFields | 'order' | 'orderby' | 'password'>,
  keyof z.output<typeof eventSchema> | null
>;

/** Filters that use masked members of locked events. */
const MASKED_FILTERS = (Object.keys(FILTERED_MEMBERS) as (keyof typeof FILTERED_MEMBERS)[]).filter((name) => {
  const member = FILTERED_MEMBERS[name];
  return member === null || Object.hasOwn(MASK, member);
});

/** Records named by the filters of a request. */
export interface Target {
  visibility: Visibility;
  /** Term ids, with descendants. */
  categories?: number[];
  tags?: number[];
  linked: Partial<Record<LinkedKind, number[]>>;
  free?: boolean;
  /** Absent if the request has none. */
  order?: (typeof ORDERS)[number];
}

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
    answers: { 200: listSchema('events', eventSchema, 'EventList') },
    answerHeaders: LIST_HEADERS,
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
      const state = await stateOf(db);
      const isDescending = target.order === 'desc';
      const { total, ids } = await pageOnce(db, filter, {
        ...{ limit: page.perPage, offset: page.offset, isDescending },
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
          order: target.order,
        },
        pastTheEnd: 'event-archive-page-not-found',
        freshUntil: window.freshUntil,
      });
    },
  });

/** Looks up the records named by the filters of a request. */
export async function findTargets(input: FilterInput, ctx: RequestContext, addProblem: AddProblem): Promise<Target> {
  const { db } = ctx.context;
  const isAlone = (input.geoloc_lat === undefined) !== (input.geoloc_lng === undefined);
  if (isAlone)
    addProblem(input.geoloc_lat === undefined ? 'geoloc_lat' : 'geoloc_lng', { key: 'param.coordinate_pair' });
  if (input.post_parent !== undefined) await checkEventVisible('post_parent', input.post_parent, { ctx, addProblem });
  checkLanguage(input.missing_language, { ctx, addProblem });
  const categories = input.categories && (await termIds('categories', input.categories, { ctx, addProblem }));
  return {
    visibility: visibilityFor(ctx.viewer, input.status, addProblem),
    categories: categories && (await withDescendants(db, categories)),
    tags: input.tags && (await termIds('tags', input.tags, { ctx, addProblem })),
    linked: await findLinked(input, { ctx, addProblem }),
    free: freeOf(input, { ctx, addProblem }),
  };
}

/** The reference has no such filter, and ignores the parameter. */
function freeOf({ free }: FilterInput, { ctx, addProblem }: LookupContext): boolean | undefined {
  if (ctx.urls.isReference) return undefined;
  return free === 'other' ? void addProblem('free', { key: 'param.boolean' }) : free;
}

function checkLanguage(language: string | undefined, { ctx, addProblem }: LookupContext): void {
  const { languages } = ctx.context.config;
  if (language !== undefined && !languages.includes(language))
    addProblem('missing_language', { key: 'param.one_of', values: { allowed: languages.join(', ') } });
}

/** The requested order. Clients of the reference may send their own value, which is ignored like `orderby`. */
function orderOf(
  { order, orderby }: Partial<Pick<ListInput, 'order' | 'orderby'>>,
  { ctx, addProblem }: LookupContext,
): Target['order'] {
  if (ctx.urls.isReference || orderby === 'other') return undefined;
  if (order !== 'other') return order;
  return void addProblem('order', { key: 'param.one_of', values: { allowed: ORDERS.join(', ') } });
}

async function findLinked(input: FilterInput, lookup: LookupContext): Promise<Target['linked']> {
  const found: Target['linked'] = {};
  for (const kind of LINKED_KIND_NAMES) {
    const named = input[kind];
    if (named) found[kind] = await findVisibleLinkedPosts(kind, named, lookup);
  }
  return found;
}

async function termIds(
  name: 'categories' | 'tags',
  references: readonly string[],
  lookup: LookupContext,
): Promise<number[]> {
  const taxonomy = name === 'categories' ? 'category' : 'tag';
  return [...new Set(await findTermIds(taxonomy, { name, references }, lookup))];
}

/** `include` selects events regardless of their dates. */
function windowOf(
  input: FilterInput,
  { context, now }: RequestContext,
  preset?: Parameters<typeof dateWindow>[2],
): DateWindow {
  if (input.include) return { bounds: [], shown: {}, freshUntil: ANY_TIME };
  return dateWindow(input, { siteZone: context.config.timezone, now, strict: input.strict_dates ?? false }, preset);
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
  const { total, ids } = await pageOnce(db, filter, { ...range, state: await stateOf(db) });
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
  const { ids } = await listEvents(db, filter, { limit: MAX_EXPORTED, offset: 0, state: await stateOf(db) });
  return ids;
}

/** Larger than any calendar. */
const MAX_EXPORTED = 10_000_000;

interface Within {
  target: Target;
  bounds: Bound[];
  limit: number;
  state: DataState;
}

/** The first events of a list within time bounds, which replace the dates and the password of the filters. */
export const listWithin = (
  ctx: RequestContext,
  { password: _password, ...input }: FilterInput,
  { target, bounds, ...range }: Within,
): Promise<IdPage> =>
  pageOnce(ctx.context.db, filterOf(input, ctx, { target, window: { bounds, shown: {} } }), { ...range, offset: 0 });

function filterOf(
  input: FilterInput,
  ctx: RequestContext,
  { target, window }: { target: Target; window: DateWindow },
): EventFilter {
  const { viewer, context } = ctx;
  const { geoloc, geoloc_lat: lat, geoloc_lng: lng, missing_language: missing } = input;
  const hasPoint = lat !== undefined && lng !== undefined && geoloc !== false;
  const filters = { ...input, free: target.free };
  return {
    visibility: target.visibility,
    bounds: window.bounds,
    search: input.search,
    language: readLanguage(ctx),
    reader: { viewer, password: input.password },
    asksMasked: MASKED_FILTERS.some((name) => filters[name] !== undefined),
    linked: {
      ...target.linked,
      ...(target.categories && { category: target.categories }),
      ...(target.tags && { tag: target.tags }),
    },
    featured: input.featured,
    eventStatuses: input.event_status,
    include: input.include,
    parent: input.post_parent,
    author: input.author,
    located: hasPoint ? undefined : geoloc,
    near: hasPoint ? { lat, lng, radius: context.config.geoRadius } : undefined,
    ticketed: input.ticketed,
    free: target.free,
    missing:
      missing === undefined ? undefined : { language: missing === context.config.languages[0] ? undefined : missing },
  };
}

interface Shown {
  window: DateWindow;
  target: Target;
  language?: string;
}

/** Every parameter must be repeated; dates come from the window. */
type ShownFilters = Record<string, QueryValue> &
  Record<Exclude<keyof FilterInput, keyof DateWindow['shown'] | 'password'>, QueryValue>;

/** Filters repeated in links: all effective ones, dates as interpreted, and never a password. */
function shownFilters(input: FilterInput, { window, target, language }: Shown): ShownFilters {
  const { start_date, end_date, ...edges } = window.shown;
  return {
    start_date,
    end_date,
    search: input.search,
    geoloc: input.geoloc,
    geoloc_lat: input.geoloc_lat,
    geoloc_lng: input.geoloc_lng,
    status: target.visibility.label,
    post_parent: input.post_parent,
    author: input.author,
    include: input.include,
    ...edges,
    ticketed: input.ticketed,
    free: target.free,
    ...perLinkedKind((kind) => input[kind]),
    featured: input.featured,
    event_status: input.event_status,
    categories: input.categories,
    tags: input.tags,
    strict_dates: input.strict_dates,
    missing_language: input.missing_language,
    i18n_language: language,
  };
}
