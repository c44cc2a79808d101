import type { z } from 'zod';
import {
  type AddProblem,
  ANY_TIME,
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
  searchText,
  sharedParameters,
  someOf,
  withDefault,
} from '../../../http/input/schemas.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS, type LinkedKind, perLinkedKind } from '../../../lib/linked-kinds.ts';
import { readLanguage } from '../../../platform/translations/rules.ts';
import { statusFilterField, type Visibility, visibilityFor } from '../../posts/visibility.ts';
import { checkEventVisible, findVisibleLinkedPosts } from '../../posts/visible-records.ts';
import { findTermIds, MAX_TERMS } from '../../terms/references.ts';
import { withDescendants } from '../../terms/store.ts';
import { EVENT_STATUSES } from '../event-status.ts';
import { findSeries } from '../series/series-store.ts';
import { isSeriesVisible } from '../series/series-view.ts';
import { type eventSchema, MASK } from '../view.ts';
import { type DateWindow, dateWindow } from './date-filters.ts';
import type { EventFilter } from './filter.ts';

const FREE = 'true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`.';

export const eventDates = {
  start_date: date('Events that start on this day or later.'),
  end_date: date('Events that end on this day or earlier.'),
};

/** Filters of the event list and of feeds. */
export const eventFilters = sharedParameters('events', {
  ...eventDates,
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
  series: integer('Only the occurrences of this series. Ignored under `/wp-json/tribe`.', { min: 1 }),
  ticketed: boolean('true: only events with tickets; false: only others.'),
  free: field({ type: 'boolean', description: FREE }, 'param.boolean', (sent) => readBoolean(sent) ?? 'other'),
  password: filledText('Reveals events protected by this password.', { max: 200 }),
});

/** Filter of users who may edit; feeds and exports have none. */
export const languageFilter = {
  missing_language: filledText('Only events without any text in this language. For users who may edit.', { max: 35 }),
};

export type FilterInput = Partial<InputOf<typeof eventFilters>> & { missing_language?: string };

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
  series: 'id',
  ticketed: 'ticketed',
  free: 'cost',
  missing_language: null,
} satisfies Record<Exclude<keyof FilterInput, 'password'>, keyof z.output<typeof eventSchema> | null>;

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
  series?: number;
}

/** Looks up the records named by the filters of a request. */
export async function findTargets(input: FilterInput, ctx: RequestContext, addProblem: AddProblem): Promise<Target> {
  const { db } = ctx.context;
  const isAlone = (input.geoloc_lat === undefined) !== (input.geoloc_lng === undefined);
  if (isAlone)
    addProblem(input.geoloc_lat === undefined ? 'geoloc_lat' : 'geoloc_lng', { key: 'param.coordinate_pair' });
  if (input.post_parent !== undefined) await checkEventVisible('post_parent', input.post_parent, { ctx, addProblem });
  checkLanguage(input.missing_language, { ctx, addProblem });
  const series = ctx.urls.isReference ? undefined : input.series;
  if (series !== undefined) await checkSeries(series, { ctx, addProblem });
  const categories = input.categories && (await termIds('categories', input.categories, { ctx, addProblem }));
  return {
    visibility: visibilityFor(ctx.viewer, input.status, addProblem),
    categories: categories && (await withDescendants(db, categories)),
    tags: input.tags && (await termIds('tags', input.tags, { ctx, addProblem })),
    linked: await findLinked(input, { ctx, addProblem }),
    free: freeOf(input, { ctx, addProblem }),
    series,
  };
}

/** Rejects a series whose events are all hidden from the viewer, like one that does not exist. */
async function checkSeries(id: number, { ctx, addProblem }: LookupContext): Promise<void> {
  const series = await findSeries(ctx.context.db, id);
  if (!series || !(await isSeriesVisible(ctx, series))) addProblem('series', { key: 'param.series_unknown' });
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
export function windowOf(
  input: FilterInput,
  { context, now }: RequestContext,
  preset?: Parameters<typeof dateWindow>[2],
): DateWindow {
  if (input.include) return { bounds: [], shown: {}, freshUntil: ANY_TIME };
  return dateWindow(input, { siteZone: context.config.timezone, now, strict: input.strict_dates ?? false }, preset);
}

/** The filter of a query. */
export function filterOf(
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
    series: target.series,
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
export function shownFilters(input: FilterInput, { window, target, language }: Shown): ShownFilters {
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
    series: target.series,
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
