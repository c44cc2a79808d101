import { sql } from 'kysely';
import type { CachedData, IdPage } from '../../../db/data-cache.ts';
import type { Database } from '../../../db/database.ts';
import { isAnonymous } from '../../../http/core/auth.ts';
import { searchWords } from '../../../lib/text/text.ts';
import { conditionsOf, type EventFilter } from './filter.ts';
import { listCollapsed } from './list-collapsed.ts';
import { countList } from './list-count.ts';
import { branchesOf, directionOf, nearerEnd, type PageRange, pageOf } from './list-page.ts';
import { planSearch } from './search.ts';
import { ALL_EVENTS, type SearchedEvents, type Selection, selectFrom } from './selection.ts';
import { type TimeRanges, timeRanges, wholeRange } from './time-ranges.ts';

interface ListRange extends PageRange {
  /** Whether a series is listed once, by its first event in the list. */
  isCollapsed?: boolean;
  /** The number of matching events, if it is known. */
  total?: number;
  state: CachedData;
}

/**
 * Like `listEvents`; totals and pages for visitors without a password are cached per version of the data. Another page
 * of the same list needs no total, and so none of the statements that count it.
 */
export async function cachedPage(db: Database, filter: EventFilter, range: ListRange): Promise<IdPage> {
  const { reader, ...others } = filter;
  if (!isAnonymous(reader.viewer) || reader.password !== undefined) return listEvents(db, filter, range);
  const { state, ...part } = range;
  const list = JSON.stringify([others, part.isCollapsed ?? false]);
  const key = `${list} ${part.limit} ${part.offset} ${part.isDescending ?? false}`;
  const cached = state.pages.get(key);
  if (cached) return cached;
  const found = await listEvents(db, filter, { ...range, total: state.totals.get(list) });
  state.pages.set(key, found);
  state.totals.set(list, found.total);
  return found;
}

/** A page of ids by start, then id, from the first or the last event on, and the total of matching events. */
export async function listEvents(
  db: Database,
  filter: EventFilter,
  { state, isCollapsed, total, ...range }: ListRange,
): Promise<IdPage> {
  if (isCollapsed) return listCollapsed(db, filter, { state, ...range });
  const list = conditionsOf(db, filter);
  const ranges = timeRanges(db, filter, list);
  const terms = searchWords(filter.search ?? '');
  const all = { forPage: ALL_EVENTS, forTotal: ALL_EVENTS, state, total };
  if (terms.length === 0) return listPage(db, { ...ranges, ...all }, range);
  const search = await planSearch(db, { filter, terms, list: selectFrom(ranges.parts.at(-1) ?? list), state });
  if (!search) return { total: 0, ids: [] };
  if (search.isRare) return listFew(db, selectFrom(list, search.forPage), range);
  return listPage(db, { parts: ranges.parts, counted: wholeRange(list).counted, ...search, state, total }, range);
}

interface List extends TimeRanges {
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
  state: CachedData;
  /** As in `ListRange`. */
  total?: number;
}

async function listPage(db: Database, { parts, forPage, ...list }: List, range: PageRange): Promise<IdPage> {
  const total = list.total ?? (await countMatches(db, list));
  if (range.offset >= total) return { total, ids: [] };
  const read = nearerEnd(range, total);
  const branches = parts.flatMap((part) => branchesOf(part, read)).map((branch) => selectFrom(branch, forPage));
  const { rows } = await pageOf(branches, read).execute(db.query);
  const ids = rows.map((row) => row.id);
  return { total, ids: read.isFromEnd ? ids.reverse() : ids };
}

function countMatches(db: Database, { counted, forTotal, state }: Omit<List, 'parts' | 'forPage'>): Promise<number> {
  const { few, others } = counted();
  const parts = { few: few.map((part) => selectFrom(part, forTotal)), others: selectFrom(others, forTotal) };
  return countList(db, parts, state);
}

/**
 * Finds all matches, then counts and sorts them. Otherwise PostgreSQL picks an ordered scan, expecting LIMIT to stop it
 * early.
 */
async function listFew(db: Database, { from, where, id, start }: Selection, page: PageRange): Promise<IdPage> {
  const { limit, offset } = page;
  const direction = directionOf(page);
  const found = sql`SELECT DISTINCT ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}`;
  const { rows } = await sql<{ id: number | null; total: number }>`
    WITH found AS MATERIALIZED (${found}),
      page AS (SELECT id, start FROM found ORDER BY start ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset})
    SELECT page.id, counted.total FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.start ${direction}, page.id ${direction}`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap((row) => row.id ?? []) };
}
