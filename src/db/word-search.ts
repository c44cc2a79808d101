import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FILTER_COLUMNS, LIST_COLUMNS } from './tables.ts';

/**
 * The events that a search finds by the index of words: `Dialect.eventsWithWords` of both databases. The result has
 * the columns that filters use, `FILTER_COLUMNS`.
 */

/** Words, any of which will do, of each part that is searched for. */
export type WordLists = readonly (readonly string[])[];

export interface WordSearch {
  /** In which the texts are searched, where a translation into it exists; the first one unless named. */
  language: string | undefined;
  /** Rare words are found before anything else is asked of an event, which takes longer for frequent ones. */
  isRare: boolean;
  /** The list has no events that start, in UTC, in others; absent where it may be any. */
  years: readonly string[] | undefined;
}

/** Characters of a word that PostgreSQL's index keeps: its keys have at most 2,700 bytes. */
export const MAX_KEY = 500;

/** As FTS5 takes words literally. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Whether an event has a text of its own in a language. */
const isTranslated = (id: RawBuilder<unknown>, language: string) => sql<SqlBool>`EXISTS (SELECT 1
  FROM translations AS tx WHERE tx.record_id = ${id} AND tx.kind = 'event' AND tx.language = ${language})`;

/** What a search gives of an event `o` that has the words. */
const FOUND = sql.join(FILTER_COLUMNS.map((name) => sql.ref(`o.${name}`)));

/** Columns that a translation repeats of its event, or has in its own language. */
const OF_TRANSLATION: readonly string[] = [...LIST_COLUMNS, 'search_text'];

/** The same columns for a translation `t` that has the words. Only those it lacks are read from the event. */
const FOUND_TRANSLATED = sql.join(
  FILTER_COLUMNS.map((name) => {
    if (name === 'id') return sql.ref('t.record_id');
    if (OF_TRANSLATION.includes(name)) return sql.ref(`t.${name}`);
    return sql`(SELECT ${sql.ref(`x.${name}`)} FROM events AS x WHERE x.id = t.record_id)`;
  }),
);

/** What SQLite's index of words is asked for; undefined when nothing can have the words. */
function matchOf(lists: WordLists): string | undefined {
  if (lists.some((words) => words.length === 0)) return undefined;
  return lists.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND ');
}

/**
 * Of rare words from the hits on: there are fewer of them than the list has events. Of others the sign keeps SQLite
 * from going through the hits one by one, so that it goes through the list instead.
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
 * Whether the text of a row has one word of each list, in the form that PostgreSQL's index of words answers. The index
 * has the years too, so that hits which are not in the list need not be read.
 */
function wordsIn(table: 'o' | 't', lists: WordLists, years: WordSearch['years']): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const keys = (words: readonly string[]) => words.map((word) => [...word].slice(0, MAX_KEY).join(''));
  const conditions = lists.map((words) => sql`words_of(${column('search_text')}) && ${keys(words)}::text[]`);
  if (years) conditions.push(sql`ARRAY["left"(${column('utc_start_date')}, 4)] && ${years}::text[]`);
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
}

/** The offset keeps the planner from reading the index of dates as well, which for rare words takes longer. */
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
