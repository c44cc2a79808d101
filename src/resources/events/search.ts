import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { MAX_KEY } from '../../db/word-search.ts';
import { lockedIds } from '../posts/event-password.ts';
import { type Keys, keyIn } from '../translations/store.ts';
import { type Bound, utcEnvelope } from './date-filters.ts';
import { type Condition, type EventFilter, eventColumn } from './filter.ts';

/** The events that a search leaves: those of a table that meet conditions on `e`. */
export interface SearchedEvents {
  /** All events when absent. It has the columns that filters use. */
  table?: RawBuilder<unknown>;
  conditions: readonly Condition[];
}

/** How a search is done. `forPage` and `forTotal` select the same events in different ways. */
export interface SearchPlan {
  forPage: SearchedEvents;
  forTotal: SearchedEvents;
  /** Whether so few are found that all of them are looked at for a page. */
  isRare: boolean;
}

/** So many events of a list show how frequent a search is there. */
const SAMPLE = 100;
/** From this share on a page is found soonest by walking the list and looking into the texts. */
const FREQUENT = 0.03;
/** A part of so many different words (a single letter, say) is not worth an index of words. */
const MAX_WORDS = 200;

/** A list without its search, as the parts of a query. */
interface ListQuery {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  id: RawBuilder<number>;
  start: RawBuilder<string>;
}

/**
 * Finds out how to search a list: frequent words are found by walking it, rare ones by the index of words. Either way
 * alone would be a hundred times slower on the other kind of word.
 */
export async function planSearch(
  db: Database,
  { filter, terms, list }: { filter: EventFilter; terms: readonly string[]; list: ListQuery },
): Promise<SearchPlan> {
  const { language, reader, asksMasked, bounds } = filter;
  const text = keyOf('search_text', 'e', language);
  const lookup = containing(db, text, terms);
  // With `asksMasked` the list excludes them itself.
  const locked = asksMasked ? undefined : lockedIds(reader);
  const open = locked ? [isOpen(db, { terms, language }, locked)] : [];
  const [share, words] = await Promise.all([shareOf(db, list, lookup), findWords(db, terms)]);
  const isRare = share < FREQUENT;
  const byLooking = { conditions: [sql.join<SqlBool>(lookup, sql` AND `), ...open] };
  if (!words) return { forPage: byLooking, forTotal: byLooking, isRare };
  // The words tell nothing of what is between them, and PostgreSQL's index knows the beginning of long ones.
  const isCut = words.flat().some((word) => [...word].length > MAX_KEY);
  const compared = terms.filter((term) => isCut || term.includes(' '));
  const byWords = {
    table: db.dialect.eventsWithWords(words, { language, isRare, years: yearsOf(bounds) }),
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

/** The share of the first events of a list that meet conditions on `e`. */
async function shareOf(
  db: Database,
  { from, where, id, start }: ListQuery,
  conditions: readonly Condition[],
): Promise<number> {
  const sample = sql`SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${start}, ${id} LIMIT ${SAMPLE}`;
  const { rows } = await sql<{ hits: number }>`SELECT count(*) AS hits FROM (${sample}) AS s
    JOIN events AS e ON e.id = s.id WHERE ${sql.join([...conditions], sql` AND `)}`.execute(db.query);
  return Number(rows[0]?.hits ?? 0) / SAMPLE;
}

/** More years than a list that is browsed by people spans. */
const MAX_YEARS = 20;

/** All years in which an event within bounds may start; undefined when they have no end. */
function yearsOf(bounds: readonly Bound[]): string[] | undefined {
  const starts = bounds.map(utcEnvelope).filter(({ edge }) => edge === 'start');
  const years = (sign: string) =>
    starts.filter(({ operator }) => operator.startsWith(sign)).map(({ value }) => Number(value.slice(0, 4)));
  const first = Math.max(...years('>'));
  const last = Math.min(...years('<'));
  // Without any, the greatest is below all numbers and the least above them.
  if (!(last - first < MAX_YEARS)) return undefined;
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => String(first + index).padStart(4, '0'));
}

/** The words that have the parts of the terms, a list for each part; undefined when one has too many. */
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
 * Of an event behind a password only the title is to be seen, so only the title is searched. Such events are few, and
 * their titles are read only where the search has found one.
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
