import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FILTER_COLUMNS, LIST_COLUMNS } from './tables/calendar.ts';

/**
 * Searches by the word index: implements `Dialect.eventsWithWords` for both databases. Results have the columns that
 * filters use, `FILTER_COLUMNS`.
 */

/** Matching keys for each part of a search term. A key is the year (UTC) in which an event starts, then a word. */
export type KeyLists = readonly (readonly string[])[];

export interface WordSearch {
  /** Language to search in where translations exist; the first language by default. */
  language: string | undefined;
  /** Whether the words are rare enough to evaluate the search before all other conditions. */
  isRare: boolean;
}

/** Maximum length of a key in PostgreSQL's index, as truncated by `words_in_year`: keys have at most 2,700 bytes. */
export const MAX_KEY = 504;

/** Quotes a word for FTS5. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Condition: the event has a translation into a language. */
const isTranslated = (id: RawBuilder<unknown>, language: string) => sql<SqlBool>`EXISTS (SELECT 1
  FROM translations AS tx WHERE tx.record_id = ${id} AND tx.kind = 'event' AND tx.language = ${language})`;

/** Columns selected from a matching event `o`. */
const FOUND = sql.join(FILTER_COLUMNS.map((name) => sql.ref(`o.${name}`)));

/** Columns that a translation copies from its event or has in its own language. */
const OF_TRANSLATION: readonly string[] = [...LIST_COLUMNS, 'search_text'];

/** The same columns for a matching translation `t`. Only missing columns are read from the event. */
const FOUND_TRANSLATED = sql.join(
  FILTER_COLUMNS.map((name) => {
    if (name === 'id') return sql.ref('t.record_id');
    if (OF_TRANSLATION.includes(name)) return sql.ref(`t.${name}`);
    return sql`(SELECT ${sql.ref(`x.${name}`)} FROM events AS x WHERE x.id = t.record_id)`;
  }),
);

/** The FTS5 query; undefined when nothing can match. */
function matchOf(lists: KeyLists): string | undefined {
  if (lists.some((keys) => keys.length === 0)) return undefined;
  return lists.map((keys) => `(${keys.map(quoted).join(' OR ')})`).join(' AND ');
}

/**
 * For rare words, SQLite starts from the hits, which are fewer than the events of the list. For frequent ones, the
 * unary plus disables the index on the id, so that SQLite scans the list instead.
 */
export function sqliteEventsWithWords(lists: KeyLists, { language, isRare }: WordSearch): RawBuilder<unknown> {
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

/** Condition: the text of a row has one key of each list, in the form that PostgreSQL's word index supports. */
function wordsIn(table: 'o' | 't', lists: KeyLists): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const indexed = sql`words_in_year(${column('search_text')}, ${column('utc_start_date')})`;
  const truncated = (keys: readonly string[]) => keys.map((key) => [...key].slice(0, MAX_KEY).join(''));
  const conditions = lists.map((keys) => sql`${indexed} && ${truncated(keys)}::text[]`);
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
}

/** OFFSET 0 keeps the planner from also scanning an index by date, which is slower. */
export function postgresEventsWithWords(lists: KeyLists, { language }: WordSearch): RawBuilder<unknown> {
  const own = sql`(SELECT ${FOUND} FROM events AS o WHERE ${wordsIn('o', lists)} OFFSET 0)`;
  if (language === undefined) return own;
  const translated = sql`(SELECT t.* FROM translations AS t
    WHERE t.kind = 'event' AND ${wordsIn('t', lists)} OFFSET 0)`;
  return sql`(SELECT ${FOUND} FROM ${own} AS o WHERE NOT ${isTranslated(sql`o.id`, language)}
    UNION ALL SELECT ${FOUND_TRANSLATED} FROM ${translated} AS t WHERE t.language = ${language})`;
}
