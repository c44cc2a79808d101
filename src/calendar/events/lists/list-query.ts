import { type RawBuilder, sql } from 'kysely';
import type { DataState, IdPage } from '../../../db/data-memory.ts';
import type { Database } from '../../../db/database.ts';
import { isStranger } from '../../../http/core/auth.ts';
import { searchWords } from '../../../lib/text/text.ts';
import { conditionsOf, type EventFilter, type ListConditions, linkedToAny } from './filter.ts';
import { countList } from './list-count.ts';
import { planSearch } from './search.ts';
import { ALL_EVENTS, type SearchedEvents, type Selection, selectFrom } from './selection.ts';
import { inOnePart, type TimeRanges, timeRanges } from './time-ranges.ts';

interface PageRange {
  limit: number;
  offset: number;
  /** Whether the list begins with its last event. */
  isDescending?: boolean;
}

/** Like `listEvents`; pages for anonymous viewers without a password are cached per version of the data. */
export async function pageOnce(
  db: Database,
  filter: EventFilter,
  range: PageRange & { state: DataState },
): Promise<IdPage> {
  const { reader, ...others } = filter;
  if (!isStranger(reader.viewer) || reader.password !== undefined) return listEvents(db, filter, range);
  const { state, ...part } = range;
  const key = JSON.stringify([others, part]);
  const cached = state.pages.get(key);
  if (cached) return cached;
  const found = await listEvents(db, filter, range);
  state.pages.set(key, found);
  return found;
}

/** A page of ids by start, then id, from the first or the last event on, and the total of matching events. */
export async function listEvents(
  db: Database,
  filter: EventFilter,
  { state, ...range }: PageRange & { state: DataState },
): Promise<IdPage> {
  const list = conditionsOf(db, filter);
  const ranges = timeRanges(db, filter, list);
  const terms = searchWords(filter.search ?? '');
  if (terms.length === 0) return listPage(db, { ...ranges, forPage: ALL_EVENTS, forTotal: ALL_EVENTS, state }, range);
  const search = await planSearch(db, { filter, terms, list: selectFrom(ranges.parts.at(-1) ?? list), state });
  if (!search) return { total: 0, ids: [] };
  if (search.isRare) return listFew(db, selectFrom(list, search.forPage), range);
  return listPage(db, { parts: ranges.parts, counted: inOnePart(list).counted, ...search, state }, range);
}

interface List extends TimeRanges {
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
  state: DataState;
}

async function listPage(
  db: Database,
  { parts, counted, forPage, forTotal, state }: List,
  range: PageRange,
): Promise<IdPage> {
  const few = counted.few.map((part) => selectFrom(part, forTotal));
  const total = await countList(db, { few, others: selectFrom(counted.others, forTotal) }, state);
  if (range.offset >= total) return { total, ids: [] };
  const read = nearerEnd(range, total);
  const branches = parts.flatMap((part) => branchesOf(part, read)).map((branch) => selectFrom(branch, forPage));
  const { rows } = await pageOf(branches, read).execute(db.query);
  const ids = rows.map((row) => row.id);
  return { total, ids: read.isFromEnd ? ids.reverse() : ids };
}

/** A range from the beginning of a list or, in reverse order, from its end. */
interface DirectedRange extends PageRange {
  isFromEnd: boolean;
}

/** The range counted from the nearer end of the list, since the database has to skip everything before it. */
function nearerEnd({ limit, offset, isDescending = false }: PageRange, total: number): DirectedRange {
  if (offset <= total / 2) return { limit, offset, isDescending, isFromEnd: false };
  const length = Math.min(limit, total - offset);
  return { limit: length, offset: total - offset - length, isDescending: !isDescending, isFromEnd: true };
}

const directionOf = ({ isDescending }: PageRange): RawBuilder<unknown> => (isDescending ? sql`DESC` : sql`ASC`);

/** Up to these limits, merging the pages of several targets is faster than sorting the events of all of them. */
const MAX_BRANCHES = 20;
const MAX_MERGED = 1000;

/** Splits the list into branches, one for each target of the driving filter. */
function branchesOf(list: ListConditions, { limit, offset }: PageRange): ListConditions[] {
  const { kind, targets = [] } = list.driver ?? {};
  const isMerged = targets.length > 1 && targets.length <= MAX_BRANCHES && offset + limit <= MAX_MERGED;
  if (!kind || !isMerged) return [list];
  return targets.map((target) => ({ ...list, driver: linkedToAny(kind, [target]) }));
}

function pageOf(selections: readonly Selection[], page: PageRange): RawBuilder<{ id: number }> {
  const { limit, offset } = page;
  const [first] = selections;
  const direction = directionOf(page);
  const listed = ({ from, where, id, start, repeats }: Selection, range: RawBuilder<unknown>) =>
    sql`SELECT ${repeats ? sql`DISTINCT` : sql``} ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}
      ORDER BY ${start} ${direction}, ${id} ${direction} ${range}`;
  if (first && selections.length === 1) return sql`${listed(first, sql`LIMIT ${limit} OFFSET ${offset}`)}`;
  // The page is contained in the first events of the branches, wherever it begins.
  const branches = selections.map(
    (selection) => sql`SELECT * FROM (${listed(selection, sql`LIMIT ${offset + limit}`)}) AS branch`,
  );
  return sql`SELECT id, start FROM (${sql.join(branches, sql` UNION `)}) AS merged
    ORDER BY start ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * Finds all matches, then counts and sorts them. Otherwise PostgreSQL picks an ordered scan, expecting LIMIT to stop it
 * early.
 */
async function listFew(db: Database, { from, where, id, start }: Selection, page: PageRange): Promise<IdPage> {
  const { limit, offset } = page;
  const direction = directionOf(page);
  const { rows } = await sql<{ id: number | null; total: number }>`
    WITH found AS MATERIALIZED (SELECT DISTINCT ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}),
      page AS (SELECT id, start FROM found ORDER BY start ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset})
    SELECT page.id, counted.total FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.start ${direction}, page.id ${direction}`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap((row) => row.id ?? []) };
}
