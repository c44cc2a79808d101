import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { searchWords } from '../../lib/text.ts';
import { conditionsOf, type EventFilter, type ListConditions, linkedToAny } from './filter.ts';
import { type CountedParts, countList, findPlace, type Place } from './list-count.ts';
import { planSearch } from './search.ts';
import { ALL_EVENTS, type SearchedEvents, type Selection, selectFrom } from './selection.ts';
import { sinceMonth, type TimeRanges, timeRanges } from './time-ranges.ts';

export interface EventPage {
  total: number;
  ids: number[];
}

interface PageRange {
  limit: number;
  offset: number;
}

/** A page of ids by start, then id, and the total of matching events. */
export async function listEvents(db: Database, filter: EventFilter, range: PageRange): Promise<EventPage> {
  const list = conditionsOf(db, filter);
  const whole: TimeRanges = { parts: [list], counted: { few: [], others: list } };
  const ranges = timeRanges(db, filter, list) ?? whole;
  const terms = searchWords(filter.search ?? '');
  if (terms.length === 0) return listPage(db, filter, { ...ranges, forPage: ALL_EVENTS, forTotal: ALL_EVENTS }, range);
  const search = await planSearch(db, { filter, terms, list: selectFrom(ranges.parts.at(-1) ?? list) });
  if (!search) return { total: 0, ids: [] };
  if (search.isRare) return listFew(db, selectFrom(list, search.forPage), range);
  return listPage(db, filter, { parts: ranges.parts, counted: whole.counted, ...search }, range);
}

interface List extends TimeRanges {
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
}

/** From this offset on a page is looked for by month. */
const DEEP = 1000;

async function listPage(db: Database, filter: EventFilter, list: List, range: PageRange): Promise<EventPage> {
  const { limit, offset } = range;
  const { parts, counted, forPage, forTotal } = list;
  const others = selectFrom(counted.others, forTotal);
  const toCount = { few: counted.few.map((part) => selectFrom(part, forTotal)), others };
  // An event with links to several targets would be counted for each of them.
  const isByMonth = offset >= DEEP && !others.repeats;
  const place = isByMonth ? await findPlace(db, toCount, offset) : await atTheFront(db, toCount);
  if (offset >= place.total) return { total: place.total, ids: [] };
  const left = { limit, offset: offset - place.skipped };
  const read = place.skipped > 0 ? [conditionsOf(db, sinceMonth(filter, place.month))] : parts;
  const branches = read.flatMap((part) => branchesOf(part, left)).map((branch) => selectFrom(branch, forPage));
  const { rows } = await pageOf(branches, left).execute(db.query);
  return { total: place.total, ids: rows.map((row) => row.id) };
}

const atTheFront = async (db: Database, parts: CountedParts): Promise<Place> => ({
  total: await countList(db, parts),
  month: '',
  skipped: 0,
});

/** Up to these limits, merging the pages of several targets beats sorting the events of all of them. */
const MAX_BRANCHES = 20;
const MAX_MERGED = 1000;

/** Splits the list into branches, one for each target of the driving filter. */
function branchesOf(list: ListConditions, { limit, offset }: PageRange): ListConditions[] {
  const { kind, targets = [] } = list.driver ?? {};
  const isMerged = targets.length > 1 && targets.length <= MAX_BRANCHES && offset + limit <= MAX_MERGED;
  if (!kind || !isMerged) return [list];
  return targets.map((target) => ({ ...list, driver: linkedToAny(kind, [target]) }));
}

function pageOf(selections: readonly Selection[], { limit, offset }: PageRange): RawBuilder<{ id: number }> {
  const [first] = selections;
  const listed = ({ from, where, id, start, repeats }: Selection, range: RawBuilder<unknown>) =>
    sql`SELECT ${repeats ? sql`DISTINCT` : sql``} ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}
      ORDER BY ${start}, ${id} ${range}`;
  if (first && selections.length === 1) return sql`${listed(first, sql`LIMIT ${limit} OFFSET ${offset}`)}`;
  // The page is contained in the first events of the branches, wherever it begins.
  const branches = selections.map(
    (selection) => sql`SELECT * FROM (${listed(selection, sql`LIMIT ${offset + limit}`)}) AS branch`,
  );
  return sql`SELECT id, start FROM (${sql.join(branches, sql` UNION `)}) AS merged
    ORDER BY start, id LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * Finds all matches, then counts and sorts them. Otherwise PostgreSQL picks an ordered scan, expecting LIMIT to stop it
 * early.
 */
async function listFew(
  db: Database,
  { from, where, id, start }: Selection,
  { limit, offset }: PageRange,
): Promise<EventPage> {
  const { rows } = await sql<{ id: number | null; total: number }>`
    WITH found AS MATERIALIZED (SELECT DISTINCT ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}),
      page AS (SELECT id, start FROM found ORDER BY start, id LIMIT ${limit} OFFSET ${offset})
    SELECT page.id, counted.total FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.start, page.id`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap((row) => row.id ?? []) };
}
