import { type RawBuilder, sql } from 'kysely';
import type { CachedData, IdPage } from '../../../db/data-cache.ts';
import type { Database } from '../../../db/database.ts';
import { searchWords } from '../../../lib/text/text.ts';
import { conditionsOf, type EventFilter, type ListConditions } from './filter.ts';
import { cachedCount, countInSeries } from './list-count.ts';
import { branchesOf, directionOf, type Listed, nearerEnd, type PageRange, pageOf } from './list-page.ts';
import { planSearch } from './search.ts';
import { type Selection, selectFrom } from './selection.ts';
import { timeRanges } from './time-ranges.ts';

/** Lists with each series once, by its first event that matches all filters. */

/** Like `listEvents`, with the first matching event of each series only. */
export async function listCollapsed(
  db: Database,
  filter: EventFilter,
  { state, ...range }: PageRange & { state: CachedData },
): Promise<IdPage> {
  const list = conditionsOf(db, filter);
  const ranges = timeRanges(db, filter, list);
  const terms = searchWords(filter.search ?? '');
  if (terms.length > 0) {
    const search = await planSearch(db, { filter, terms, list: selectFrom(ranges.parts.at(-1) ?? list), state });
    if (!search) return { total: 0, ids: [] };
    return groupMatches(db, [selectFrom(list, search.isRare ? search.forPage : search.forTotal)], range);
  }
  const parts = ranges.parts.map((part) => selectFrom(part));
  if (db.dialect.groupsByHash && isNearStart(range)) {
    const total = await countGroups(db, parts, state);
    const ids = await readFirsts(db, ranges.parts, range, total);
    if (ids) return { total, ids };
  }
  const { few, others } = ranges.counted();
  const counted = { few: few.map((part) => selectFrom(part)), others: selectFrom(others) };
  const { total, inSeries } = await countInSeries(db, counted, state);
  const lookups = (await countSeries(db, state)) * rangesOf(list);
  const singles = total - inSeries;
  // Looking for a match takes as long as grouping one or two matches.
  if (inSeries > 0 && total > lookups && !db.dialect.groupsByHash && isNearStart(range)) {
    const listed = singles + (await countFirsts(db, parts, { only: filter.series, state }));
    const ids = await readFirsts(db, ranges.parts, range, listed);
    if (ids) return { total: listed, ids };
  }
  if (total <= db.dialect.groupedUpTo * lookups) return groupMatches(db, parts, range);
  const firsts = inSeries > 0 ? await findFirsts(db, parts, filter.series) : [];
  return mergeSingles(db, filter, { ...range, firsts, singles });
}

/** Number of index ranges in which the first match of a series may be; infinite if unknown. */
const rangesOf = ({ driver }: ListConditions): number =>
  driver ? (driver.targets?.length ?? Number.POSITIVE_INFINITY) : 1;

async function countSeries(db: Database, state: CachedData): Promise<number> {
  const [row] = await cachedCount(db, sql<{ total: number }>`SELECT count(*) AS total FROM series`, state);
  return Number(row?.total ?? 0);
}

/** Added to ids, so that their digits order them as texts. */
const BASE = 1e15;
/** Length of a start with the space after it. */
const START = 20;

/** Start and id of an event as one text, whose order is the order of lists. */
const keyOf = ({ start, id }: Pick<Selection, 'start' | 'id'>) => sql`${start} || ' ' || (${sql.lit(BASE)} + ${id})`;

/** Reads all matches of disjoint selections, and pages the first of each series with the events outside series. */
async function groupMatches(
  db: Database,
  selections: readonly Selection[],
  { limit, offset, ...page }: PageRange,
): Promise<IdPage> {
  const direction = directionOf(page);
  const found = selections.map(
    ({ from, where, id, start, series, repeats }) =>
      sql`SELECT ${sql.raw(repeats ? 'DISTINCT' : '')} coalesce(${series}, -${id}) AS series, ${keyOf({ start, id })} AS key
        FROM ${from} WHERE ${where}`,
  );
  const { rows } = await sql<{ key: string | null; total: number }>`
    WITH firsts AS MATERIALIZED (
        SELECT min(key) AS key FROM (${sql.join(found, sql` UNION ALL `)}) AS found GROUP BY series),
      page AS (SELECT key FROM firsts ORDER BY key ${direction} LIMIT ${limit} OFFSET ${offset})
    SELECT page.key, counted.total FROM (SELECT count(*) AS total FROM firsts) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.key ${direction}`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap(({ key }) => (key === null ? [] : readKey(key).id)) };
}

interface Placed {
  id: number;
  start: string;
}

const readKey = (key: string): Placed => ({
  id: Number(key.slice(START)) - BASE,
  start: key.slice(0, START - 1),
});

interface MergedRange extends PageRange {
  firsts: readonly Placed[];
  /** Number of matches that are in no series. */
  singles: number;
}

/** Merges the first matches of all series with a part of the list of the events that are in no series. */
async function mergeSingles(
  db: Database,
  filter: EventFilter,
  { firsts, singles, ...range }: MergedRange,
): Promise<IdPage> {
  const total = singles + firsts.length;
  if (range.offset >= total) return { total, ids: [] };
  const read = nearerEnd(range, total);
  // All earlier ones are before the page, whatever is between them.
  const offset = Math.max(0, read.offset - firsts.length);
  const page = { ...read, offset, limit: read.offset - offset + read.limit };
  const rows = singles > 0 ? await listSingles(db, filter, page) : [];
  const ids = [...firsts, ...rows]
    .toSorted(read.isDescending ? (a, b) => byStart(b, a) : byStart)
    .slice(read.offset - offset, read.offset - offset + read.limit)
    .map(({ id }) => id);
  return { total, ids: read.isFromEnd ? ids.reverse() : ids };
}

/** A part of the list of the events that are in no series. */
async function listSingles(db: Database, filter: EventFilter, page: PageRange): Promise<Placed[]> {
  const ofSingles = { ...filter, series: null };
  const { parts } = timeRanges(db, ofSingles, conditionsOf(db, ofSingles));
  const branches = parts.flatMap((part) => branchesOf(part, page)).map((part) => selectFrom(part));
  const { rows } = await pageOf(branches, page).execute(db.query);
  return rows.map(({ id, start }) => ({ id: Number(id), start }));
}

/** Matches that are read for each event of the collapsed list, at first and in each further attempt. */
const READ_FOR_EACH = 3;
/** Maximum number of matches read. */
const MAX_READ = 1000;

/** Whether a page is so near the beginning of a list, in order of start, that `readFirsts` may find it. */
const isNearStart = ({ limit, offset, isDescending }: PageRange): boolean =>
  !isDescending && READ_FOR_EACH * (offset + limit) <= MAX_READ;

/**
 * Reads a list from its beginning up to the end of a page: an event is the first match of its series unless one was read
 * before it.
 * @param parts of the list, in order of start
 * @param total number of events of the collapsed list
 * @returns undefined if too many other matches of the same series come before the end of the page
 */
async function readFirsts(
  db: Database,
  parts: readonly ListConditions[],
  { limit, offset }: PageRange,
  total: number,
): Promise<number[] | undefined> {
  const wanted = Math.min(offset + limit, total);
  if (offset >= total) return [];
  for (let size = READ_FOR_EACH * wanted; size <= MAX_READ; size *= READ_FOR_EACH) {
    const page = { limit: size, offset: 0 };
    const branches = parts.flatMap((part) => branchesOf(part, page)).map((part) => selectFrom(part));
    const { rows } = await pageOf(branches, page).execute(db.query);
    const ids = firstsOf(rows);
    if (ids.length >= wanted) return ids.slice(offset, wanted);
  }
  return undefined;
}

/** Ids of events in order; of each series, only the first event. */
function firstsOf(rows: readonly Listed[]): number[] {
  const seen = new Set<number>();
  return rows.flatMap(({ id, series }) => {
    if (series !== null && seen.has(series)) return [];
    if (series !== null) seen.add(series);
    return Number(id);
  });
}

const byStart = (a: Placed, b: Placed): number => {
  if (a.start === b.start) return a.id - b.id;
  return a.start < b.start ? -1 : 1;
};

/** Number of events of the collapsed list: each series counts once. */
async function countGroups(db: Database, parts: readonly Selection[], state: CachedData): Promise<number> {
  const groups = parts.map(({ from, where, id, series, repeats }) =>
    repeats
      ? sql`SELECT series, count(*) AS matches
          FROM (SELECT DISTINCT ${id}, ${series} AS series FROM ${from} WHERE ${where}) AS found GROUP BY series`
      : sql`SELECT ${series} AS series, count(*) AS matches FROM ${from} WHERE ${where} GROUP BY ${series}`,
  );
  const query = sql<{ total: number | string }>`
    SELECT count(DISTINCT series) + coalesce(sum(CASE WHEN series IS NULL THEN matches END), 0) AS total
    FROM (${sql.join(groups, sql` UNION ALL `)}) AS listed`;
  const [row] = await cachedCount(db, query, state);
  return Number(row?.total ?? 0);
}

/** Number of series with a match in a list: one look at an index of series for each, and the few matches before. */
async function countFirsts(
  db: Database,
  parts: readonly Selection[],
  { only, state }: { only: number | null | undefined; state: CachedData },
): Promise<number> {
  const [last, ...few] = parts.toReversed();
  if (!last) return 0;
  const hasMatch = ({ from, where, series }: Selection, id: RawBuilder<unknown>) =>
    sql`EXISTS (SELECT 1 FROM ${from} WHERE ${where} AND ${series} = ${id})`;
  const ofSeries = typeof only === 'number' ? sql`s.id = ${only} AND ` : sql``;
  const late = sql`SELECT count(*) AS total FROM series AS s WHERE ${ofSeries}${hasMatch(last, sql`s.id`)}`;
  const matches = few.map(
    ({ from, where, series }) => sql`SELECT ${series} AS series FROM ${from} WHERE ${where} AND ${series} IS NOT NULL`,
  );
  const early = sql`SELECT count(DISTINCT series) AS total FROM (${sql.join(matches, sql` UNION ALL `)}) AS early
    WHERE NOT ${hasMatch(last, sql`early.series`)}`;
  const counts = few.length > 0 ? [late, early] : [late];
  const query = sql<{ total: number | string }>`${sql.join(counts, sql` UNION ALL `)}`;
  const rows = await cachedCount(db, query, state);
  return rows.reduce((sum, { total }) => sum + Number(total), 0);
}

/**
 * The first match of each series: one look at an index of series for each.
 * @param parts of a list, in order of start; all but the last one have few events
 */
async function findFirsts(
  db: Database,
  parts: readonly Selection[],
  only: number | null | undefined,
): Promise<Placed[]> {
  const ofSeries = typeof only === 'number' ? sql`WHERE s.id = ${only}` : sql``;
  const found = parts.map((part, index) =>
    index < parts.length - 1
      ? sql`SELECT ${part.series} AS series, ${keyOf(part)} AS key FROM ${part.from}
          WHERE ${part.where} AND ${part.series} IS NOT NULL`
      : sql`SELECT s.id AS series, (SELECT ${keyOf(part)} FROM ${part.from}
          WHERE ${part.where} AND ${part.series} = s.id ORDER BY ${part.start}, ${part.id} LIMIT 1) AS key
        FROM series AS s ${ofSeries}`,
  );
  const { rows } = await sql<{ key: string }>`WITH found AS MATERIALIZED (${sql.join(found, sql` UNION ALL `)})
    SELECT ${parts.length > 1 ? sql`min(key)` : sql`key`} AS key FROM found WHERE key IS NOT NULL
    ${parts.length > 1 ? sql`GROUP BY series` : sql``}`.execute(db.query);
  return rows.map(({ key }) => readKey(key));
}
