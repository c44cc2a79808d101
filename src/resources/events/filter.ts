import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables.ts';
import type { Visibility } from '../../kinds/status-filter.ts';
import { searchWords } from '../../lib/text.ts';
import { type Bound, utcEnvelope } from './window.ts';

/** What a list of events is restricted to; absent members do not restrict. */
export interface EventFilter {
  visibility: Visibility;
  showHidden: boolean;
  bounds: readonly Bound[];
  search?: string;
  /** Events linked to at least one target of each kind that is named. */
  linked: Partial<Record<LinkKind, readonly number[]>>;
  featured?: boolean;
  include?: readonly number[];
  parent?: number;
  /** Whether the venue has coordinates. */
  located?: boolean;
  /** Degrees, and kilometres around them. */
  near?: { lat: number; lng: number; radius: number };
  ticketed?: boolean;
}

type Condition = RawBuilder<SqlBool>;

/**
 * What a list reads. The links of one target hold everything that most lists sort and filter by, so that a page of
 * "the events of this venue" comes from one range of one index; `l` is then the driving table. All other lists walk
 * the events themselves, `e`.
 */
export interface Source {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  id: RawBuilder<number>;
  start: RawBuilder<string>;
}

export function sourceOf(db: Database, filter: EventFilter): Source {
  const driver = drivingTarget(filter);
  const alias = driver ? 'l' : 'e';
  const column = <T>(name: string) => sql<T>`${sql.ref(`${alias}.${name}`)}`;
  const listed = [
    ...(driver ? [sql<SqlBool>`l.kind = ${driver.kind} AND l.target_id = ${driver.target}`] : []),
    ...visible(filter, column),
    ...filter.bounds.flatMap((bound) => boundConditions(db, bound, column)),
  ];
  const own = ownConditions(db, filter, driver?.kind);
  const joined = sql`event_links AS l JOIN events AS e ON e.id = l.event_id`;
  const links = own.length > 0 ? joined : sql`event_links AS l`;
  return {
    from: driver ? links : sql`events AS e`,
    where: sql.join([...listed, ...own], sql` AND `),
    id: column(driver ? 'event_id' : 'id'),
    start: column('utc_start_date'),
  };
}

/** The link filter that restricts to one target, if there is one, and ownership does not matter (links do not know it). */
function drivingTarget({ linked, visibility }: EventFilter): { kind: LinkKind; target: number } | undefined {
  if (visibility.ownOf !== undefined) return undefined;
  for (const [kind, targets] of Object.entries(linked) as [LinkKind, readonly number[]][]) {
    const [target] = targets;
    if (targets.length === 1 && target !== undefined) return { kind, target };
  }
  return undefined;
}

function visible({ visibility: { statuses, ownOf }, showHidden }: EventFilter, column: Column): Condition[] {
  const status = column('status');
  const conditions = [statuses ? isOneOf(status, statuses) : sql<SqlBool>`${status} <> 'trash'`];
  if (ownOf !== undefined) conditions.push(sql<SqlBool>`(${status} = 'publish' OR e.author_id = ${ownOf})`);
  if (!showHidden) conditions.push(sql<SqlBool>`${column('hide_from_listings')} = 0`);
  return conditions;
}

/** One value as an equation: an index that begins with the column then gives the order too. */
function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): Condition {
  const [first] = values;
  return values.length === 1
    ? sql<SqlBool>`${column} = ${first}`
    : sql<SqlBool>`${column} IN (${sql.join([...values])})`;
}

type Column = <T>(name: string) => RawBuilder<T>;

function boundConditions(db: Database, bound: Bound, column: Column): Condition[] {
  const compare = ({ edge, operator, value }: Pick<Bound, 'edge' | 'operator' | 'value'>): Condition =>
    sql`${column(`utc_${edge}_date`)} ${sql.raw(operator)} ${db.dialect.bound(value)}`;
  if (bound.clock === 'utc') return [compare(bound)];
  const wall = sql<SqlBool>`${column(`${bound.edge}_date`)} ${sql.raw(bound.operator)} ${bound.value}`;
  return [compare(utcEnvelope(bound)), wall];
}

/** Conditions that need the event itself. */
function ownConditions(db: Database, filter: EventFilter, driving: LinkKind | undefined): Condition[] {
  const conditions: Condition[] = [];
  if (filter.featured !== undefined) conditions.push(sql`e.featured = ${filter.featured ? 1 : 0}`);
  if (filter.include) conditions.push(isOneOf(sql`e.id`, filter.include));
  if (filter.parent !== undefined) conditions.push(sql`e.parent_id = ${filter.parent}`);
  // No event has tickets yet.
  if (filter.ticketed) conditions.push(sql`1 = 0`);
  for (const [kind, targets] of Object.entries(filter.linked) as [LinkKind, readonly number[]][]) {
    if (kind !== driving) conditions.push(isLinked(kind, targets));
  }
  if (filter.located !== undefined) conditions.push(hasPlace(filter.located));
  if (filter.near) conditions.push(isNear(filter.near));
  return [...conditions, ...searchConditions(db, filter.search)];
}

const isLinked = (kind: LinkKind, targets: readonly number[]): Condition =>
  sql`e.id IN (SELECT event_id FROM event_links WHERE kind = ${kind} AND ${isOneOf(sql`target_id`, targets)})`;

function searchConditions(db: Database, search: string | undefined): Condition[] {
  const words = searchWords(search ?? '');
  const candidates = db.dialect.searchCandidates(sql<number>`e.id`, words);
  const contains = words.map((word) => sql<SqlBool>`${db.dialect.contains(sql<string>`e.search_text`, word)}`);
  return candidates ? [sql<SqlBool>`${candidates}`, ...contains] : contains;
}

const placed = sql`SELECT pl.event_id FROM event_links AS pl JOIN linked_posts AS p ON p.id = pl.target_id
  WHERE pl.kind = 'venue' AND p.geo_lat IS NOT NULL`;

const hasPlace = (wanted: boolean): Condition => (wanted ? sql`e.id IN (${placed})` : sql`e.id NOT IN (${placed})`);

const EARTH_RADIUS = 6371;

/** Great-circle distance by the haversine formula; both sides stay below the arcsine, which needs no inverse. */
function isNear({ lat, lng, radius }: { lat: number; lng: number; radius: number }): Condition {
  const angle = Math.min(radius / EARTH_RADIUS, Math.PI);
  const limit = Math.sin(angle / 2) ** 2;
  const degrees = (angle * 180) / Math.PI;
  const half = (difference: RawBuilder<unknown>) => sql`power(sin(radians(${difference}) / 2), 2)`;
  const here = Math.cos((lat * Math.PI) / 180);
  return sql`e.id IN (${placed} AND p.geo_lat BETWEEN ${sql.lit(lat - degrees)} AND ${sql.lit(lat + degrees)}
    AND ${half(sql`p.geo_lat - ${sql.lit(lat)}`)} + ${sql.lit(here)} * cos(radians(p.geo_lat)) * ${half(sql`p.geo_lng - ${sql.lit(lng)}`)} <= ${sql.lit(limit)})`;
}

export interface EventPage {
  total: number;
  ids: number[];
}

/** A page of ids in order of start, then id, and how many events match in all. */
export async function listEvents(
  db: Database,
  filter: EventFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<EventPage> {
  const { from, where, id, start } = sourceOf(db, filter);
  const counted = await sql<{ total: number }>`SELECT count(*) AS total FROM ${from} WHERE ${where}`.execute(db.query);
  const total = Number(counted.rows[0]?.total ?? 0);
  if (offset >= total) return { total, ids: [] };
  const page = await sql<{ id: number }>`SELECT ${id} AS id FROM ${from} WHERE ${where}
    ORDER BY ${start}, ${id} LIMIT ${limit} OFFSET ${offset}`.execute(db.query);
  return { total, ids: page.rows.map((row) => row.id) };
}
