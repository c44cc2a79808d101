import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import type { EventStatus, FilterColumn, LinkKind, ListColumn } from '../../../db/tables/calendar.ts';
import { isOneOf } from '../../../db/value-list.ts';
import { FREE_WORDS } from '../../../lib/money/cost.ts';
import { hasNoText } from '../../../platform/translations/store.ts';
import { lockedIds, type Reader } from '../../posts/event-password.ts';
import { isVisible, maySeeHidden, type Visibility } from '../../posts/visibility.ts';
import { type Bound, utcEnvelope } from './date-filters.ts';

/** Filters of a list of events; absent members do not restrict it. */
export interface EventFilter {
  visibility: Visibility;
  bounds: readonly Bound[];
  search?: string;
  /** Language of the searched texts, unless it is the site's first. */
  language?: string;
  /** Reader whose rights and password determine the hidden and locked events. */
  reader: Reader;
  /** Whether a filter uses masked values, so that the list must exclude locked events. */
  asksMasked: boolean;
  /** Only events linked to at least one target of each named kind. */
  linked: Partial<Record<LinkKind, readonly number[]>>;
  featured?: boolean;
  /** Only events with one of these statuses. */
  eventStatuses?: readonly EventStatus[];
  include?: readonly number[];
  slugs?: readonly string[];
  parent?: number;
  /** Id of an account. */
  author?: number;
  /** Id of a series; null for events without one. */
  series?: number | null;
  /** Whether the venue has coordinates. */
  located?: boolean;
  /** Degrees, and kilometres around them. */
  near?: { lat: number; lng: number; radius: number };
  ticketed?: boolean;
  /** Whether the event is displayed as free. */
  free?: boolean;
  /** Only events without text in a language; undefined is the site's first. */
  missing?: { language: string | undefined };
}

export type Condition = RawBuilder<SqlBool>;

/** Filter for events with a link of one kind to a target that meets a condition. */
export interface LinkFilter {
  kind: LinkKind;
  /** The allowed targets; absent if the condition concerns the target itself. */
  targets?: readonly number[];
  allows(target: RawBuilder<unknown>): Condition;
}

/**
 * Conditions of a list. The links of a target copy all columns by which most lists are sorted and filtered, so that a
 * page of "the events of this venue" comes from one range of one index; `event_links AS l` is then the driving table
 * and `driver` its filter. All other lists read `events AS e`.
 */
export interface ListConditions {
  driver?: LinkFilter;
  /** Conditions on the driving table alone. */
  listed: readonly Condition[];
  /** Conditions on `e`. */
  own: readonly Condition[];
}

/** Names of columns by alias and column, made once: each list names some twenty. */
const references = new Map<string, RawBuilder<unknown>>();

function reference<T>(name: string): RawBuilder<T> {
  const made = references.get(name) ?? sql.ref(name);
  references.set(name, made);
  return made as RawBuilder<T>;
}

/** A column of `events AS e`. Only `FILTER_COLUMNS` can be filtered by. */
export const eventColumn = <T>(name: FilterColumn): RawBuilder<T> => reference<T>(`e.${name}`);

/** A column of the driving table; `event_links AS l` copies those of its events. */
export type ListedColumn = <T>(name: ListedName) => RawBuilder<T>;
type ListedName = 'id' | 'series_id' | keyof ListColumn;

export function listedColumn(driver: LinkFilter | undefined): ListedColumn {
  if (!driver) return eventColumn;
  return <T>(name: ListedName) => reference<T>(name === 'id' ? 'l.event_id' : `l.${name}`);
}

/**
 * The conditions of a filter, except its search.
 * @param isDriven false to read `events AS e` in any case
 */
export function conditionsOf(db: Database, filter: EventFilter, isDriven = true): ListConditions {
  const links = linkFilters(filter);
  const driver = isDriven ? driverOf(filter, links) : undefined;
  const column = listedColumn(driver);
  const id = column<number>('id');
  return {
    driver,
    listed: [
      isVisible(filter.visibility, column('status'), eventColumn('author_id')),
      ...(maySeeHidden(filter.reader.viewer) ? [] : [sql<SqlBool>`${column('hide_from_listings')} = 0`]),
      ...filter.bounds.flatMap((bound) => boundConditions(db, bound, column)),
      ...links.filter((link) => link !== driver).map((link) => isLinked(id, link)),
      ...membership(filter, id),
      ...(filter.missing ? [hasNoText(db, { kind: 'event', language: filter.missing.language, id })] : []),
      ...unlocked(filter, id),
      ...(filter.series === null ? [sql<SqlBool>`${column('series_id')} IS NULL`] : []),
    ],
    own: ownConditions(filter),
  };
}

/** A filter for events linked to at least one of some targets. */
export const linkedToAny = (kind: LinkKind, targets: readonly number[]): LinkFilter => ({
  kind,
  targets,
  allows: (target) => isOneOf(target, targets),
});

/** A filter for events at a venue with coordinates that meets another condition. */
const atVenue = (condition: RawBuilder<unknown>): LinkFilter => ({
  kind: 'venue',
  allows: (target) => sql`${target} IN (SELECT p.id FROM linked_posts AS p WHERE p.geo_lat IS NOT NULL ${condition})`,
});

const linkFilters = ({ linked, near, located }: EventFilter): LinkFilter[] => [
  ...(Object.entries(linked) as [LinkKind, readonly number[]][]).map(([kind, targets]) => linkedToAny(kind, targets)),
  ...(near ? [atVenue(sql`AND ${isNear(near)}`)] : []),
  ...(located ? [atVenue(sql``)] : []),
];

/** Whether a filter names one target, so that no event occurs twice among its links. */
export const isSingle = ({ targets }: LinkFilter): boolean => targets?.length === 1;

/**
 * The link filter that drives a list. Not used with an author: links do not copy the author, and an author has few
 * events.
 */
function driverOf({ visibility }: EventFilter, links: readonly LinkFilter[]): LinkFilter | undefined {
  if (visibility.ownOf !== undefined) return undefined;
  return links.find(isSingle) ?? links[0];
}

const isLinked = (id: RawBuilder<number>, { kind, allows }: LinkFilter): Condition =>
  sql`EXISTS (SELECT 1 FROM event_links AS x WHERE x.event_id = ${id} AND x.kind = ${kind} AND ${allows(sql`x.target_id`)})`;

function boundConditions(db: Database, bound: Bound, column: ListedColumn): Condition[] {
  const compare = ({ edge, operator, value }: Pick<Bound, 'edge' | 'operator' | 'value'>): Condition =>
    sql`${column(`utc_${edge}_date`)} ${sql.raw(operator)} ${db.dialect.bound(value)}`;
  if (bound.clock === 'utc') return [compare(bound)];
  const local = sql<SqlBool>`${column(`${bound.edge}_date`)} ${sql.raw(bound.operator)} ${bound.value}`;
  return [compare(utcEnvelope(bound)), local];
}

/** Conditions that need the event itself. */
function ownConditions({ featured, eventStatuses, parent, author, series, slugs, free }: EventFilter): Condition[] {
  const conditions: Condition[] = [];
  // A literal, because the partial index of featured events does not support bound values.
  if (featured !== undefined) conditions.push(sql`${eventColumn('featured')} = ${sql.lit(featured ? 1 : 0)}`);
  if (eventStatuses) {
    const status = eventColumn('event_status');
    conditions.push(isOneOf(status, eventStatuses));
    // Repeats the condition of the partial index `events_changed`, which would not be used otherwise.
    if (!eventStatuses.includes('scheduled')) conditions.push(sql`${status} <> ${sql.lit('scheduled')}`);
  }
  if (parent !== undefined) conditions.push(sql`${eventColumn('parent_id')} = ${parent}`);
  if (author !== undefined) conditions.push(sql`${eventColumn('author_id')} = ${author}`);
  if (typeof series === 'number') conditions.push(sql`${eventColumn('series_id')} = ${series}`);
  if (slugs) conditions.push(isOneOf(eventColumn('slug'), slugs));
  if (free !== undefined) {
    const isFree = isFreeEvent(eventColumn('id'), eventColumn('cost'));
    conditions.push(free ? isFree : sql`NOT (${isFree})`);
  }
  return conditions;
}

const ticketedIds = sql`SELECT event_id FROM tickets
  WHERE is_deleted = 0 AND status = 'publish' AND requires_code = 0`;

const placedIds = sql`SELECT pl.event_id FROM event_links AS pl JOIN linked_posts AS p ON p.id = pl.target_id
  WHERE pl.kind = 'venue' AND p.geo_lat IS NOT NULL`;

/** Conditions on the id. */
function membership({ include, ticketed, located }: EventFilter, id: RawBuilder<number>): Condition[] {
  const conditions: Condition[] = [];
  if (include) conditions.push(isOneOf(id, include));
  if (ticketed !== undefined)
    conditions.push(ticketed ? sql`${id} IN (${ticketedIds})` : sql`${id} NOT IN (${ticketedIds})`);
  if (located === false) conditions.push(sql`${id} NOT IN (${placedIds})`);
  return conditions;
}

/** A list filtered by masked values excludes locked events: their presence would reveal the values. */
function unlocked({ asksMasked, reader }: EventFilter, id: RawBuilder<number>): Condition[] {
  const locked = asksMasked ? lockedIds(reader) : undefined;
  return locked ? [sql<SqlBool>`${id} NOT IN (${locked})`] : [];
}

const EARTH_RADIUS = 6371;

/**
 * Great-circle distance by the haversine formula; both sides are compared before the arcsine, so no inverse is needed.
 */
function isNear({ lat, lng, radius }: { lat: number; lng: number; radius: number }): Condition {
  const angle = Math.min(radius / EARTH_RADIUS, Math.PI);
  const limit = Math.sin(angle / 2) ** 2;
  const degrees = (angle * 180) / Math.PI;
  const half = (difference: RawBuilder<unknown>) => sql`power(sin(radians(${difference}) / 2), 2)`;
  const here = Math.cos((lat * Math.PI) / 180);
  return sql`p.geo_lat BETWEEN ${sql.lit(lat - degrees)} AND ${sql.lit(lat + degrees)}
    AND ${half(sql`p.geo_lat - ${sql.lit(lat)}`)} + ${sql.lit(here)} * cos(radians(p.geo_lat)) * ${half(sql`p.geo_lng - ${sql.lit(lng)}`)} <= ${sql.lit(limit)}`;
}

type Cost = RawBuilder<string>;

/** The stored form of no cost, see `endpoints/save.ts`. */
const hasNoCost = (cost: Cost) => sql`${cost} = ${sql.lit('[]')}`;

/** The word for "free" alone, or amounts without any digit but zero: amounts precede words, as in `renderCost`. */
function saysFree(cost: Cost) {
  const words = FREE_WORDS.map((word) => sql.lit(JSON.stringify([word])));
  const digits = Array.from({ length: 9 }, (_digit, index) => sql`${cost} NOT LIKE ${sql.lit(`%${index + 1}%`)}`);
  return sql`lower(${cost}) IN (${sql.join(words)})
    OR (${cost} LIKE ${sql.lit('%0%')} AND ${sql.join(digits, sql` AND `)})`;
}

/** Highest price of an event's tickets; -1 with RSVPs only, and -2 without tickets. */
const highestPrice = (id: RawBuilder<number>) => sql`coalesce((
  SELECT max(CASE k.provider WHEN 'tc' THEN k.price ELSE -1 END) FROM tickets AS k
  WHERE k.event_id = ${id} AND k.is_deleted = 0 AND k.status = 'publish' AND k.requires_code = 0), -2)`;

/**
 * Condition: the displayed `cost` of an event is free. As in `costOfTickets`, the prices of its tickets replace its own
 * cost, and RSVPs are free unless the event has a cost.
 */
const isFreeEvent = (id: RawBuilder<number>, cost: Cost): RawBuilder<SqlBool> => sql`CASE ${highestPrice(id)}
  WHEN 0 THEN TRUE
  WHEN -1 THEN ${hasNoCost(cost)} OR ${saysFree(cost)}
  WHEN -2 THEN ${saysFree(cost)}
  ELSE FALSE END`;
