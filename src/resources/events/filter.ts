import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables.ts';
import { lockedIds, type Reader } from '../posts/event-password.ts';
import type { Visibility } from '../posts/status-filter.ts';
import { countOnce } from './count-cache.ts';
import { type Bound, utcEnvelope } from './date-filters.ts';
import { ALL_EVENTS, planSearch, type Searched } from './search.ts';

/** What a list of events is restricted to; absent members do not restrict. */
export interface EventFilter {
  visibility: Visibility;
  showHidden: boolean;
  bounds: readonly Bound[];
  search?: string;
  /** Whose texts are searched, where it is not the site's first. */
  language?: string;
  /** The reader whose rights and password decide which events are locked. */
  reader: Reader;
  /** Whether a filter uses masked values, so that the list must exclude locked events. */
  asksMasked: boolean;
  /** Events linked to at least one target of each kind that is named. */
  linked: Partial<Record<LinkKind, readonly number[]>>;
  featured?: boolean;
  include?: readonly number[];
  slugs?: readonly string[];
  parent?: number;
  /** Whether the venue has coordinates. */
  located?: boolean;
  /** Degrees, and kilometres around them. */
  near?: { lat: number; lng: number; radius: number };
  ticketed?: boolean;
}

export type Condition = RawBuilder<SqlBool>;

/**
 * What a list reads. The links of a target hold everything that most lists sort and filter by, so that a page of
 * "the events of this venue" comes from one range of one index; `l` is then the driving table. All other lists walk
 * the events themselves, `e`.
 */
export interface Source {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  id: RawBuilder<number>;
  start: RawBuilder<string>;
  /** Whether an event may occur several times: once for each of the targets that it is linked to. */
  repeats: boolean;
}

/** Links of one kind, to at least one of the targets that a condition on `target_id` allows. */
interface LinkFilter {
  kind: LinkKind;
  allows(target: RawBuilder<unknown>): Condition;
  isSingle: boolean;
}

/** The list of a filter among the events that its search leaves. */
function sourceOf(db: Database, filter: EventFilter, { events, conditions: search }: Searched): Source {
  const links = linkFilters(filter);
  const driver = driverOf(filter, links);
  const alias = driver ? 'l' : 'e';
  const column = <T>(name: string) => sql<T>`${sql.ref(`${alias}.${name}`)}`;
  const id = column<number>(driver ? 'event_id' : 'id');
  const own = [...ownConditions(filter), ...search];
  const conditions = [
    ...(driver ? [sql`l.kind = ${driver.kind}`, driver.allows(sql`l.target_id`)] : []),
    ...visible(filter, column),
    ...filter.bounds.flatMap((bound) => boundConditions(db, bound, column)),
    ...links.filter((link) => link !== driver).map((link) => isLinked(id, link)),
    ...membership(filter, id),
    ...unlocked(filter, id),
    ...own,
  ];
  const isJoined = own.length > 0 || events !== ALL_EVENTS.events;
  const joined = isJoined ? sql`event_links AS l JOIN ${events} AS e ON e.id = l.event_id` : sql`event_links AS l`;
  return {
    from: driver ? joined : sql`${events} AS e`,
    where: sql.join(conditions, sql` AND `),
    id,
    start: column('utc_start_date'),
    repeats: driver?.isSingle === false,
  };
}

function linkFilters({ linked, near, located }: EventFilter): LinkFilter[] {
  const named = (Object.entries(linked) as [LinkKind, readonly number[]][]).map(([kind, targets]) => ({
    kind,
    allows: (target: RawBuilder<unknown>) => isOneOf(target, targets),
    isSingle: targets.length === 1,
  }));
  const placed = (where: RawBuilder<unknown>): LinkFilter => ({
    kind: 'venue',
    allows: (target) => sql`${target} IN (SELECT p.id FROM linked_posts AS p WHERE p.geo_lat IS NOT NULL ${where})`,
    isSingle: false,
  });
  return [...named, ...(near ? [placed(sql`AND ${isNear(near)}`)] : []), ...(located ? [placed(sql``)] : [])];
}

/** The link filter to begin with. Links do not know whose an event is, and the events of an owner are few. */
function driverOf({ visibility }: EventFilter, links: readonly LinkFilter[]): LinkFilter | undefined {
  if (visibility.ownOf !== undefined) return undefined;
  return links.find(({ isSingle }) => isSingle) ?? links[0];
}

const isLinked = (id: RawBuilder<number>, { kind, allows }: LinkFilter): Condition =>
  sql`EXISTS (SELECT 1 FROM event_links AS x WHERE x.event_id = ${id} AND x.kind = ${kind} AND ${allows(sql`x.target_id`)})`;

function visible({ visibility: { statuses, ownOf }, showHidden }: EventFilter, column: Column): Condition[] {
  const status = column('status');
  const conditions = [statuses ? isOneOf(status, statuses) : sql<SqlBool>`${status} <> 'trash'`];
  // As an OR, SQLite would look the two cases up in two indexes, and then sort.
  if (ownOf !== undefined)
    conditions.push(sql`e.author_id = CASE WHEN ${status} = 'publish' THEN e.author_id ELSE ${ownOf} END`);
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
function ownConditions({ featured, parent, slugs }: EventFilter): Condition[] {
  const conditions: Condition[] = [];
  // Written out, because the index of the featured ones serves no bound value.
  if (featured !== undefined) conditions.push(featured ? sql`e.featured = 1` : sql`e.featured = 0`);
  if (parent !== undefined) conditions.push(sql`e.parent_id = ${parent}`);
  if (slugs) conditions.push(isOneOf(sql`e.slug`, slugs));
  return conditions;
}

const ticketedIds = sql`SELECT event_id FROM tickets WHERE is_deleted = 0 AND status = 'publish'`;

const placedIds = sql`SELECT pl.event_id FROM event_links AS pl JOIN linked_posts AS p ON p.id = pl.target_id
  WHERE pl.kind = 'venue' AND p.geo_lat IS NOT NULL`;

/** Conditions on which event it is. */
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

/** Great-circle distance by the haversine formula; both sides stay below the arcsine, which needs no inverse. */
function isNear({ lat, lng, radius }: { lat: number; lng: number; radius: number }): Condition {
  const angle = Math.min(radius / EARTH_RADIUS, Math.PI);
  const limit = Math.sin(angle / 2) ** 2;
  const degrees = (angle * 180) / Math.PI;
  const half = (difference: RawBuilder<unknown>) => sql`power(sin(radians(${difference}) / 2), 2)`;
  const here = Math.cos((lat * Math.PI) / 180);
  return sql`p.geo_lat BETWEEN ${sql.lit(lat - degrees)} AND ${sql.lit(lat + degrees)}
    AND ${half(sql`p.geo_lat - ${sql.lit(lat)}`)} + ${sql.lit(here)} * cos(radians(p.geo_lat)) * ${half(sql`p.geo_lng - ${sql.lit(lng)}`)} <= ${sql.lit(limit)}`;
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
  const search = await planSearch(db, filter, () => sourceOf(db, filter, ALL_EVENTS));
  if (search.isRare) return listFew(db, sourceOf(db, filter, search.forPage), { limit, offset });
  const total = await countOnce(db, countOf(sourceOf(db, filter, search.forTotal)));
  if (offset >= total) return { total, ids: [] };
  const branches = branchesOf(filter, offset + limit).map((branch) => sourceOf(db, branch, search.forPage));
  const { rows } = await pageOf(branches, { limit, offset }).execute(db.query);
  return { total, ids: rows.map((row) => row.id) };
}

/** So many branches, of so many events, are merged sooner than all events of all branches are sorted. */
const MAX_BRANCHES = 20;
const MAX_MERGED = 1000;

/** The list as several lists that together are the same: one for each target of the filter that drives it. */
function branchesOf(filter: EventFilter, length: number): EventFilter[] {
  const driver = driverOf(filter, linkFilters(filter));
  if (!driver || driver.isSingle) return [filter];
  const targets = filter.linked[driver.kind] ?? [];
  if (targets.length === 0 || targets.length > MAX_BRANCHES || length > MAX_MERGED) return [filter];
  return targets.map((target) => ({ ...filter, linked: { ...filter.linked, [driver.kind]: [target] } }));
}

function pageOf(
  sources: readonly Source[],
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<{ id: number }> {
  const [first] = sources;
  const listed = ({ from, where, id, start, repeats }: Source, range: RawBuilder<unknown>) =>
    sql`SELECT ${repeats ? sql`DISTINCT` : sql``} ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}
      ORDER BY ${start}, ${id} ${range}`;
  if (first && sources.length === 1) return sql`${listed(first, sql`LIMIT ${limit} OFFSET ${offset}`)}`;
  // The page lies within the first events of the branches, wherever it begins.
  const branches = sources.map(
    (source) => sql`SELECT * FROM (${listed(source, sql`LIMIT ${offset + limit}`)}) AS branch`,
  );
  return sql`SELECT id, start FROM (${sql.join(branches, sql` UNION `)}) AS merged
    ORDER BY start, id LIMIT ${limit} OFFSET ${offset}`;
}

/** Finds all, then counts and sorts them: left to itself PostgreSQL walks the list, in hope of an early end. */
async function listFew(
  db: Database,
  { from, where, id, start }: Source,
  { limit, offset }: { limit: number; offset: number },
): Promise<EventPage> {
  const { rows } = await sql<{ id: number | null; total: number }>`
    WITH found AS MATERIALIZED (SELECT DISTINCT ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}),
      page AS (SELECT id, start FROM found ORDER BY start, id LIMIT ${limit} OFFSET ${offset})
    SELECT page.id, counted.total FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.start, page.id`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap((row) => row.id ?? []) };
}

const countOf = ({ from, where, id, repeats }: Source): RawBuilder<{ total: number }> =>
  repeats
    ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
    : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`;
