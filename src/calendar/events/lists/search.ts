import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CachedData } from '../../../db/data-cache.ts';
import type { Database } from '../../../db/database.ts';
import { MAX_KEY } from '../../../db/word-search.ts';
import { type Keys, keyIn } from '../../../platform/translations/store.ts';
import { lockedIds } from '../../posts/event-password.ts';
import { type Bound, utcEnvelope } from './date-filters.ts';
import { type Condition, type EventFilter, eventColumn } from './filter.ts';
import { cachedCount } from './list-count.ts';
import type { SearchedEvents, Selection } from './selection.ts';

/** Search plan. `forPage` and `forTotal` select the same events in different ways. */
export interface SearchPlan {
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
  /** Whether there are so few matches that a page reads all of them. */
  isRare: boolean;
}

/** Sample size for estimating the frequency of matches in a list. */
const SAMPLE = 100;
/** Share of matches from which scanning the list is the fastest way to a page. */
const FREQUENT = 0.03;
/** Maximum number of words that contain a term; beyond (as for a single letter) the word index does not pay. */
const MAX_WORDS = 200;

interface SearchRequest {
  filter: EventFilter;
  terms: readonly string[];
  list: Selection;
  state: CachedData;
}

/**
 * Plans how to search a list: frequent words by scanning it, rare ones by the word index. Either way alone would be a
 * hundred times slower for the other kind of word. Undefined if nothing can match.
 */
export async function planSearch(
  db: Database,
  { filter, terms, list, state }: SearchRequest,
): Promise<SearchPlan | undefined> {
  const { language, reader, asksMasked, bounds } = filter;
  const text = keyOf('search_text', 'e', language);
  const lookup = containing(db, text, terms);
  // With `asksMasked` the list itself excludes locked events.
  const locked = asksMasked ? undefined : lockedIds(reader);
  const open = locked ? [isOpen(db, { terms, language }, locked)] : [];
  const [share, keys] = await Promise.all([
    shareOf(db, list, { conditions: lookup, state }),
    findKeys(db, terms, bounds),
  ]);
  if (keys?.some((ofPart) => ofPart.length === 0)) return undefined;
  const isRare = share < FREQUENT;
  const byLooking = { conditions: [sql.join<SqlBool>(lookup, sql` AND `), ...open] };
  if (!keys) return { forPage: byLooking, forTotal: byLooking, isRare };
  // The index does not cover the text between words, and PostgreSQL's truncates long ones, so the text is compared too.
  const isCut = keys.flat().some((key) => [...key].length > MAX_KEY);
  const compared = terms.filter((term) => isCut || term.includes(' '));
  const byWords = {
    table: db.dialect.eventsWithWords(keys, { language, isRare }),
    conditions: [...containing(db, eventColumn('search_text'), compared), ...open],
  };
  if (isRare) return { forPage: byWords, forTotal: byWords, isRare };
  return { forPage: byLooking, forTotal: share > db.dialect.wordIndexUpTo ? byLooking : byWords, isRare };
}

const containing = (db: Database, text: RawBuilder<string>, terms: readonly string[]): Condition[] =>
  terms.map((term) => sql`${db.dialect.contains(text, term)}`);

/** The folded title or the folded text of an event in a language. */
const keyOf = (column: keyof Keys, alias: 'e' | 'x', language: string | undefined) =>
  keyIn(language, column, {
    kind: sql`'event'`,
    id: sql.ref(`${alias}.id`),
    own: sql.ref<string>(`${alias}.${column === 'name_key' ? 'title_key' : 'search_text'}`),
  });

/** Share of the first events of a list that match conditions on `e`. */
async function shareOf(
  db: Database,
  { from, where, id, start }: Selection,
  { conditions, state }: { conditions: readonly Condition[]; state: CachedData },
): Promise<number> {
  const sample = sql`SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${start}, ${id} LIMIT ${SAMPLE}`;
  const hits = await cachedCount(
    db,
    sql<{ hits: number }>`SELECT count(*) AS hits FROM (${sample}) AS s
      JOIN events AS e ON e.id = s.id WHERE ${sql.join([...conditions], sql` AND `)}`,
    state,
  );
  return Number(hits[0]?.hits ?? 0) / SAMPLE;
}

/** Maximum number of years that a list may span to be enumerated without querying which years have events. */
const MAX_YEARS = 20;

/** All years in which an event within the bounds may start; all years with events if these are many. */
async function yearsOf(db: Database, bounds: readonly Bound[]): Promise<string[]> {
  const starts = bounds.map(utcEnvelope).filter(({ edge }) => edge === 'start');
  const years = (sign: string) =>
    starts.filter(({ operator }) => operator.startsWith(sign)).map(({ value }) => Number(value.slice(0, 4)));
  const first = Math.max(...years('>'));
  const last = Math.min(...years('<'));
  // Without bounds these are -Infinity and Infinity.
  if (!(last - first < MAX_YEARS)) {
    const known = await yearsWithEvents(db);
    return known.filter((year) => Number(year) >= first && Number(year) <= last);
  }
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => String(first + index).padStart(4, '0'));
}

/** One index look-up per year. No start is between the text of a year with `-99` and the next year. */
async function yearsWithEvents(db: Database): Promise<string[]> {
  const { rows } = await sql<{ year: string }>`WITH RECURSIVE firsts (start) AS (
      SELECT min(utc_start_date) FROM events
      UNION ALL SELECT (SELECT min(e.utc_start_date) FROM events AS e WHERE e.utc_start_date > substr(f.start, 1, 4) || '-99')
        FROM firsts AS f WHERE f.start IS NOT NULL)
    SELECT substr(start, 1, 4) AS year FROM firsts WHERE start IS NOT NULL`.execute(db.query);
  return rows.map(({ year }) => year);
}

/** Maximum number of keys of a part: each needs a look-up. */
const MAX_KEYS = 2500;

/**
 * Keys of the word index for the parts of the terms, one list per part: the words that contain it, in each year.
 * Undefined if a part has too many.
 */
async function findKeys(
  db: Database,
  terms: readonly string[],
  bounds: readonly Bound[],
): Promise<string[][] | undefined> {
  const [words, years] = await Promise.all([findWords(db, terms), yearsOf(db, bounds)]);
  if (!words || words.some((list) => list.length * years.length > MAX_KEYS)) return undefined;
  return words.map((list) => years.flatMap((year) => list.map((word) => year + word)));
}

/** The words that contain the parts of the terms, one list per part; undefined if a part has too many. */
async function findWords(db: Database, terms: readonly string[]): Promise<string[][] | undefined> {
  const parts = [...new Set(terms.flatMap((term) => term.split(' ')))];
  const lists: string[][] = [];
  for (const part of parts) {
    const words = await wordsWith(db, part);
    if (words.length > MAX_WORDS) return undefined;
    lists.push(words);
  }
  return lists;
}

async function wordsWith(db: Database, part: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`SELECT word FROM words
    WHERE ${db.dialect.hasPart(part)} LIMIT ${MAX_WORDS + 1}`.execute(db.query);
  return rows.map(({ word }) => word);
}

/**
 * Only the title of a locked event is visible, so only its title is searched. Such events are few, and their titles are
 * read only for search hits.
 */
function isOpen(
  db: Database,
  { terms, language }: { terms: readonly string[]; language: string | undefined },
  locked: RawBuilder<number>,
): RawBuilder<SqlBool> {
  const titled = sql.join(containing(db, keyOf('name_key', 'x', language), terms), sql` AND `);
  return sql`(${eventColumn('id')} NOT IN (${locked})
    OR (SELECT ${titled} FROM events AS x WHERE x.id = ${eventColumn('id')}))`;
}
