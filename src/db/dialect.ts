import { type Compilable, type Expression, type OperationNodeSource, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { LISTED } from './tables.ts';

export type WordLists = readonly (readonly string[])[];

export interface WordSearch {
  /** In which the texts are searched, where a translation into it exists; the first one unless named. */
  language: string | undefined;
  /** Rare words are found before anything else is asked of an event, which takes longer for frequent ones. */
  isRare: boolean;
  /** The list has no events that start, in UTC, in others; absent where it may be any. */
  years: readonly string[] | undefined;
}

/** Every difference between the two databases, one small member each. */
export interface Dialect {
  kind: 'sqlite' | 'postgres';
  /** Column type of a generated primary key. */
  idType: string;
  /** Column type of text that sorts by code point. */
  keyType: string;
  /** Whether `text` occurs in a column of folded text. */
  contains(column: Expression<string>, text: string): Expression<SqlBool>;
  /** Whether a word of the table `words` has a part. */
  hasPart(part: string): Expression<SqlBool>;
  /** The events whose text has, of each list, one word at least; by the index of words. To be listed as `e`. */
  eventsWithWords(lists: WordLists, how: WordSearch): RawBuilder<unknown>;
  /** Share of the events up to which their count is found sooner by the index of words than by looking into them. */
  wordIndexUpTo: number;
  /** A text that is another one whenever anything was committed, by whichever process, since it was last asked for. */
  version(db: Database): Promise<string>;
  /** Makes transactions that name the same lock run one after the other, until they end. */
  lock(db: Database, name: string): Promise<void>;
  /** Whether the database cannot serve at the moment: full, read-only, locked for too long, or out of reach. */
  isUnavailable(error: unknown): boolean;
  /** Before a transaction that writes more than any request does. */
  expectMuch(db: Database): Promise<void>;
  /** As the first statement of a transaction that only reads: everything it sees is of one moment. */
  snapshot(db: Database): Promise<void>;
  /**
   * Runs an UPDATE of one row that gives it back, and when it does, notes that in a log: both or neither. PostgreSQL
   * does so in one statement, which saves the three trips of begin, insert and commit.
   */
  changeAndNote<Row>(db: Database, change: Change<Row>, note: Note): Promise<Row | undefined>;
  /** The value of a bound, written so that the query plan does not depend on it. */
  bound(value: string): RawBuilder<string>;
}

type Change<Row> = Compilable<Row> & OperationNodeSource;

/** A row of a log, by column. */
export interface Note {
  table: string;
  row: object;
}

const insertion = ({ table, row }: Note, from: RawBuilder<unknown>): RawBuilder<unknown> => {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  return sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) SELECT ${sql.join(Object.values(row))} ${from}`;
};

/** Characters of a word that PostgreSQL's index keeps: its keys have at most 2,700 bytes. */
export const MAX_KEY = 500;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Whether an event has a text of its own in a language. */
const isTranslated = (id: RawBuilder<unknown>, language: string) => sql<SqlBool>`EXISTS (SELECT 1
  FROM translations AS tx WHERE tx.record_id = ${id} AND tx.kind = 'event' AND tx.language = ${language})`;

const columnsOf = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

/** What lists ask of an event `o` with a word; in a translation `t` of it without reading the event, if they ask no more. */
const FOUND = columnsOf('o', ['id', ...LISTED, 'author_id', 'featured', 'parent_id', 'search_text']);
const ofEvent = (name: string) => sql`(SELECT x.${sql.ref(name)} FROM events AS x WHERE x.id = t.record_id)`;
const FOUND_TRANSLATED = sql`t.record_id, ${columnsOf('t', LISTED)}, ${ofEvent('author_id')}, ${ofEvent('featured')},
  ${ofEvent('parent_id')}, t.search_text`;

/** What SQLite's index of words is asked for; undefined when nothing can have the words. */
function matchOf(lists: WordLists): string | undefined {
  if (lists.some((words) => words.length === 0)) return undefined;
  return lists.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND ');
}

export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  isUnavailable,
  idType: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  keyType: 'TEXT',
  contains: (column, text) => sql<SqlBool>`instr(${column}, ${text}) > 0`,
  // The index of parts knows runs of three characters.
  hasPart(part) {
    if ([...part].length < 3) return sqliteDialect.contains(sql.ref('word'), part);
    return sql<SqlBool>`id IN (SELECT rowid FROM word_parts WHERE word_parts MATCH ${quoted(part)})`;
  },
  // Of rare words from the hits on: there are fewer of them than the list has events. Of others the sign keeps SQLite
  // from going through the hits one by one, so that it goes through the list instead.
  eventsWithWords(lists, { language, isRare }) {
    const match = matchOf(lists);
    if (match === undefined) return sql`(SELECT * FROM events WHERE 1 = 0)`;
    const hits = sql`SELECT rowid AS id FROM event_search WHERE event_search MATCH ${match}`;
    const own = language === undefined ? hits : sql`${hits} AND NOT ${isTranslated(sql`event_search.rowid`, language)}`;
    const translated = sql`translation_search
      CROSS JOIN translations AS t INDEXED BY translations_event ON t.id = translation_search.rowid
      WHERE translation_search MATCH ${match} AND t.kind = 'event' AND t.language = ${language}`;
    const found = isRare
      ? sql`(${own}) AS hits CROSS JOIN events AS o INDEXED BY events_found ON o.id = hits.id`
      : sql`events AS o WHERE +o.id IN (${own})`;
    if (language === undefined) return sql`(SELECT o.* FROM ${found})`;
    return sql`(SELECT ${FOUND} FROM ${found} UNION ALL SELECT ${FOUND_TRANSLATED} FROM ${translated})`;
  },
  wordIndexUpTo: 1,
  async version(db) {
    const { rows } = await sql<{ version: string }>`SELECT data_version || ' ' || total_changes() AS version
      FROM pragma_data_version`.execute(db.query);
    return rows[0]?.version ?? '';
  },
  // A write transaction begins as IMMEDIATE (database.ts), which already excludes every other writer.
  lock: async () => undefined,
  // What a savepoint goes back to is kept in memory otherwise, where each statement takes longer than the one before.
  async expectMuch(db) {
    await sql`PRAGMA temp_store = FILE`.execute(db.query);
  },
  snapshot: async () => undefined,
  changeAndNote: (db, change, note) =>
    db.transaction(async (trx) => {
      const { rows } = await trx.query.executeQuery(change);
      if (rows.length > 0) await insertion(note, sql``).execute(trx.query);
      return rows[0];
    }),
  // With statistics SQLite plans a range condition anew for every bound value; a scalar subquery hides the value.
  bound: (value) => sql<string>`(SELECT ${value})`,
};

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

export const postgresDialect: Dialect = {
  kind: 'postgres',
  isUnavailable,
  idType: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  keyType: 'TEXT COLLATE "C"',
  // The planner takes a third of all to have a part that is asked for so, whatever the column, and walks a list for it.
  // Of LIKE on a text of a translation it would think that hardly any has it, and read everything first.
  contains: (column, text) => sql<SqlBool>`strpos(${column}, ${text}) > 0`,
  hasPart: (part) => sql<SqlBool>`word LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
  // The offset keeps the planner from reading the index of dates as well, which for rare words takes longer.
  eventsWithWords(lists, { language, isRare, years }) {
    const own = sql`(SELECT * FROM events AS o WHERE ${wordsIn('o', lists, years)} ${isRare ? sql`OFFSET 0` : sql``})`;
    if (language === undefined) return own;
    return sql`(SELECT ${FOUND} FROM ${own} AS o WHERE NOT ${isTranslated(sql`o.id`, language)}
      UNION ALL SELECT ${FOUND_TRANSLATED} FROM translations AS t
        WHERE t.kind = 'event' AND t.language = ${language} AND ${wordsIn('t', lists, years)})`;
  },
  wordIndexUpTo: 0.4,
  // The transactions whose work a statement that begins now can see.
  async version(db) {
    const { rows } = await sql<{ version: string }>`SELECT pg_current_snapshot()::text AS version`.execute(db.query);
    return rows[0]?.version ?? '';
  },
  async lock(db, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`.execute(db.query);
  },
  expectMuch: async () => undefined,
  async snapshot(db) {
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(db.query);
  },
  async changeAndNote<Row>(db: Database, change: Change<Row>, note: Note) {
    const { rows } = await sql<Row>`WITH changed AS (${change}), noted AS (${insertion(note, sql`FROM changed`)})
      SELECT * FROM changed`.execute(db.query);
    return rows[0];
  },
  bound: (value) => sql<string>`${value}`,
};

interface DatabaseFault {
  code?: unknown;
  errcode?: unknown;
  constraint?: unknown;
  message?: unknown;
}

const asFault = (error: unknown): DatabaseFault => (typeof error === 'object' && error !== null ? error : {});

/** Primary result codes of SQLite, the lower byte of the extended one. */
const SQLITE = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
  constraintForeignKey: 787,
  constraintUnique: 2067,
  constraintKey: 1555,
};
const POSTGRES_UNAVAILABLE = /^(08|53|57P|25006|58)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Whether a write failed because a unique index already holds its key. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23505' || errcode === SQLITE.constraintUnique || errcode === SQLITE.constraintKey;
}

/** Whether what a row refers to is not there (any more), or what was to be deleted is referred to. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23503' || errcode === SQLITE.constraintForeignKey;
}

/** Whether running the same transaction again may succeed: a lost race, not a mistake. */
export function isLostRace(error: unknown): boolean {
  const { code } = asFault(error);
  return code === '40001' || code === '40P01';
}

/** Whether the database cannot serve at the moment: full, read-only, locked for too long, or out of reach. */
export function isUnavailable(error: unknown): boolean {
  const { code, errcode, message } = asFault(error);
  if (typeof errcode === 'number') {
    const primary = errcode & 0xff;
    return [SQLITE.busy, SQLITE.readOnly, SQLITE.ioError, SQLITE.full, SQLITE.cantOpen].includes(primary);
  }
  if (typeof code === 'string' && (NETWORK.has(code) || POSTGRES_UNAVAILABLE.test(code))) return true;
  if (code === 'ENOSPC' || code === 'EROFS' || code === 'EDQUOT') return true;
  return (
    typeof message === 'string' && /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  );
}

/** Whether PostgreSQL turned down who asks or what for: the password, the name of the database, the rights. */
export function isRefused(error: unknown): boolean {
  const { code } = asFault(error);
  return typeof code === 'string' && /^(28|3D|42501)/.test(code);
}

/** Whether SQLite cannot open a file, write to it, or recognise it as a database. */
export function isUnusableFile(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  if (typeof errcode === 'number') return errcode === SQLITE.notADatabase || isUnavailable(error);
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
