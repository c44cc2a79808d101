import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FILTER_COLUMNS, LIST_COLUMNS } from './tables.ts';

/**
 * Search by the word index: implements `Dialect.eventsWithWords` for both databases. Results have the columns that
 * filters use, `FILTER_COLUMNS`.
 */

/** For each search term part, the words that match it. */
export type WordLists = readonly (readonly string[])[];

export interface WordSearch {
  /** Language to search in, where translations exist; the first language by default. */
  language: string | undefined;
  /** Whether the words are rare enough to evaluate the search before all other conditions. */
  isRare: boolean;
  /** Years (UTC) in which the listed events start; absent if unrestricted. */
  years: readonly string[] | undefined;
}

/** Characters of a word in PostgreSQL's index, as truncated by `words_of`: keys have at most 2,700 bytes. */
export const MAX_KEY = 500;

/** Quotes a word for FTS5. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Condition: the event has a translation into a language. */
const isTranslated = (id: RawBuilder<unknown>, language: string) => sql<SqlBool>`EXISTS (SELECT 1
  FROM translations AS tx WHERE tx.record_id = ${id} AND tx.kind = 'event' AND tx.language = ${language})`;

/** The columns selected of a matching event `o`. */
const FOUND = sql.join(FILTER_COLUMNS.map((name) => sql.ref(`o.${name}`)));

/** Columns that a translation copies from its event, or has in its own language. */
const OF_TRANSLATION: readonly string[] = [...LIST_COLUMNS, 'search_text'];

/** The same columns for a matching translation `t`. Only those it lacks are read from the event. */
const FOUND_TRANSLATED = sql.join(
  FILTER_COLUMNS.map((name) => {
    if (name === 'id') return sql.ref('t.record_id');
    if (OF_TRANSLATION.includes(name)) return sql.ref(`t.${name}`);
    return sql`(SELECT ${sql.ref(`x.${name}`)} FROM events AS x WHERE x.id = t.record_id)`;
  }),
);

/** The FTS5 query; undefined when nothing can match. */
function matchOf(lists: WordLists): string | undefined {
  if (lists.some((words) => words.length === 0)) return undefined;
  return lists.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND ');
}

/**
 * For rare words SQLite starts from the hits, which are fewer than the events of the list. For frequent ones the unary
 * plus disables that index, so that it scans the list instead.
 */
export function sqliteEventsWithWords(lists: WordLists, { language, isRare }: WordSearch): RawBuilder<unknown> {
  const match = matchOf(lists);
  if (match === undefined) return sql`(SELECT ${FOUND} FROM events AS o WHERE 1 = 0)`;
  const hits = sql`SELECT rowid AS id FROM event_search WHERE event_search MATCH ${match}`;
  const own = language === undefined ? hits : sql`${hits} AND NOT ${isTranslated(sql`event_search.rowid`, language)}`;
  const translated = sql`translation_search
    CROSS JOIN translations AS t INDEXED BY translations_event ON t.id = translation_search.rowid
    WHERE translation_search MATCH ${match} AND t.kind = 'event' AND t.language = ${language}`;
  const found = isRare
    ? sql`(${own}) AS hits CROSS JOIN events AS o INDEXED BY events_found ON o.id = hits.id`
    : sql`events AS o WHERE +o.id IN (${own})`;
  if (language === undefined) return sql`(SELECT ${FOUND} FROM ${found})`;
  return sql`(SELECT ${FOUND} FROM ${found} UNION ALL SELECT ${FOUND_TRANSLATED} FROM ${translated})`;
}

/**
 * Condition: the text of a row has one word of each list, in the form that PostgreSQL's word index supports. The index
 * has the years too, so that hits outside the list need not be read.
 */
function wordsIn(table: 'o' | 't', lists: WordLists, years: WordSearch['years']): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const keys = (words: readonly string[]) => words.map((word) => [...word].slice(0, MAX_KEY).join(''));
  const conditions = lists.map((words) => sql`words_of(${column('search_text')}) && ${keys(words)}::text[]`);
  if (years) conditions.push(sql`ARRAY["left"(${column('utc_start_date')}, 4)] && ${years}::text[]`);
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
}

/** OFFSET 0 keeps the planner from also scanning the date index, which is slower for rare words. */
export function postgresEventsWithWords(
  lists: WordLists,
  { language, isRare, years }: WordSearch,
): RawBuilder<unknown> {
  const own = sql`(SELECT ${FOUND} FROM events AS o WHERE ${wordsIn('o', lists, years)} ${isRare ? sql`OFFSET 0` : sql``})`;
  if (language === undefined) return own;
  return sql`(SELECT ${FOUND} FROM ${own} AS o WHERE NOT ${isTranslated(sql`o.id`, language)}
    UNION ALL SELECT ${FOUND_TRANSLATED} FROM translations AS t
      WHERE t.kind = 'event' AND t.language = ${language} AND ${wordsIn('t', lists, years)})`;
}
