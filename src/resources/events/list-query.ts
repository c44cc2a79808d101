import { type RawBuilder, sql } from 'kysely';
import type { DataState, IdPage } from '../../db/data-memory.ts';
import type { Database } from '../../db/database.ts';
import { isStranger } from '../../http/auth.ts';
import { searchWords } from '../../lib/text.ts';
import { countOnce } from './count-cache.ts';
import { conditionsOf, type EventFilter, isSingle, type ListConditions, linkedToAny, listedColumn } from './filter.ts';
import { planSearch, type SearchedEvents } from './search.ts';

interface PageRange {
  limit: number;
  offset: number;
}

/** As `listEvents`; a page for strangers without a password is looked up once in a state of the data. */
export async function pageOnce(
  db: Database,
  filter: EventFilter,
  range: PageRange & { state: DataState },
): Promise<IdPage> {
  const { reader, ...others } = filter;
  if (!isStranger(reader.viewer) || reader.password !== undefined) return listEvents(db, filter, range);
  const { state, limit, offset } = range;
  const key = JSON.stringify([others, limit, offset]);
  const known = state.pages.get(key);
  if (known) return known;
  const found = await listEvents(db, filter, range);
  state.pages.set(key, found);
  return found;
}

/** A page of ids by start, then id, and the total of matching events. */
export async function listEvents(
  db: Database,
  filter: EventFilter,
  { state, ...range }: PageRange & { state: DataState },
): Promise<IdPage> {
  const list = conditionsOf(db, filter);
  const terms = searchWords(filter.search ?? '');
  if (terms.length === 0) return listPage(db, { list, forPage: ALL_EVENTS, forTotal: ALL_EVENTS, state }, range);
  const search = await planSearch(db, { filter, terms, list: selectFrom(list, ALL_EVENTS) });
  if (search.isRare) return listFew(db, selectFrom(list, search.forPage), range);
  return listPage(db, { list, ...search, state }, range);
}

/** The parts of a query for a list. */
interface Selection {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  id: RawBuilder<number>;
  start: RawBuilder<string>;
  /** Whether an event may occur several times, once for each linked target. */
  repeats: boolean;
}

const ALL_EVENTS: SearchedEvents = { conditions: [] };

/** The events of a list that match a search. */
function selectFrom({ driver, listed, own }: ListConditions, { table, conditions }: SearchedEvents): Selection {
  const column = listedColumn(driver);
  const onEvent = [...own, ...conditions];
  const events = sql`${table ?? sql`events`} AS e`;
  const links = sql`event_links AS l`;
  const needsEvent = onEvent.length > 0 || table !== undefined;
  const joined = needsEvent ? sql`${links} JOIN ${events} ON e.id = l.event_id` : links;
  const driving = driver ? [sql`l.kind = ${driver.kind}`, driver.allows(sql`l.target_id`)] : [];
  return {
    from: driver ? joined : events,
    where: sql.join([...driving, ...listed, ...onEvent], sql` AND `),
    id: column('id'),
    start: column('utc_start_date'),
    repeats: driver !== undefined && !isSingle(driver),
  };
}

interface PlannedList {
  list: ListConditions;
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
  state: DataState;
}

async function listPage(
  db: Database,
  { list, forPage, forTotal, state }: PlannedList,
  range: PageRange,
): Promise<IdPage> {
  const total = await countOnce(db, countOf(selectFrom(list, forTotal)), state);
  if (range.offset >= total) return { total, ids: [] };
  const branches = branchesOf(list, range).map((branch) => selectFrom(branch, forPage));
  const { rows } = await pageOf(branches, range).execute(db.query);
  return { total, ids: rows.map((row) => row.id) };
}

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
): Promise<IdPage> {
  const { rows } = await sql<{ id: number | null; total: number }>`
    WITH found AS MATERIALIZED (SELECT DISTINCT ${id} AS id, ${start} AS start FROM ${from} WHERE ${where}),
      page AS (SELECT id, start FROM found ORDER BY start, id LIMIT ${limit} OFFSET ${offset})
    SELECT page.id, counted.total FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN page ON 1 = 1
    ORDER BY page.start, page.id`.execute(db.query);
  return { total: Number(rows[0]?.total ?? 0), ids: rows.flatMap((row) => row.id ?? []) };
}

const countOf = ({ from, where, id, repeats }: Selection): RawBuilder<{ total: number }> =>
  repeats
    ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
    : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`;
