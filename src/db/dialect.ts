import { type Compilable, type Expression, type OperationNodeSource, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

export type WordLists = readonly (readonly string[])[];

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
  /**
   * Whether the text of an event `e` has, of each list, one word at least; by the index of words. In a language, if one
   * is named, the text is that of the translation, where there is one.
   */
  hasWords(lists: WordLists, language?: string): RawBuilder<SqlBool>;
  /** The events that `hasWords`, to be listed instead of `events`: found before anything else is asked of them. */
  eventsWithWords(lists: WordLists, language?: string): RawBuilder<unknown>;
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

function hitsOf(lists: WordLists, language: string | undefined): RawBuilder<unknown> {
  if (lists.some((words) => words.length === 0)) return sql`SELECT NULL AS id WHERE 1 = 0`;
  const match = lists.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND ');
  const own = sql`SELECT rowid AS id FROM event_search WHERE event_search MATCH ${match}`;
  if (language === undefined) return own;
  return sql`${own} AND NOT ${isTranslated(sql`event_search.rowid`, language)}
    UNION ALL SELECT t.record_id FROM translation_search
      CROSS JOIN translations AS t INDEXED BY translations_event ON t.id = translation_search.rowid
      WHERE translation_search MATCH ${match} AND t.kind = 'event' AND t.language = ${language}`;
}

/** Whether an event has a text of its own in a language. */
const isTranslated = (id: RawBuilder<unknown>, language: string) => sql<SqlBool>`EXISTS (SELECT 1
  FROM translations AS tx WHERE tx.record_id = ${id} AND tx.kind = 'event' AND tx.language = ${language})`;

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
  // The sign keeps SQLite from going through the hits one by one, so that it goes through the list instead.
  hasWords: (lists, language) => sql<SqlBool>`+e.id IN (${hitsOf(lists, language)})`,
  // From the hits on: a rare word has fewer of them than the list has events.
  eventsWithWords: (lists, language) => sql`(SELECT events.* FROM (${hitsOf(lists, language)}) AS hits
    CROSS JOIN events INDEXED BY events_found ON events.id = hits.id)`,
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

/** Whether a text has one word of each list, in the form that PostgreSQL's index of words answers. */
function wordsIn(text: RawBuilder<unknown>, lists: WordLists): RawBuilder<SqlBool> {
  const keys = (words: readonly string[]) => words.map((word) => [...word].slice(0, MAX_KEY).join(''));
  const conditions = lists.map((words) => sql`words_of(${text}) && ${keys(words)}::text[]`);
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
}

const translatedWith = (lists: WordLists, language: string) => sql`SELECT t.record_id FROM translations AS t
  WHERE t.kind = 'event' AND t.language = ${language} AND ${wordsIn(sql`t.search_text`, lists)}`;

export const postgresDialect: Dialect = {
  kind: 'postgres',
  isUnavailable,
  idType: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  keyType: 'TEXT COLLATE "C"',
  // The planner takes a third of all to have a part that is asked for so, whatever the column, and walks a list for it.
  // Of LIKE on a text of a translation it would think that hardly any has it, and read everything first.
  contains: (column, text) => sql<SqlBool>`strpos(${column}, ${text}) > 0`,
  hasPart: (part) => sql<SqlBool>`word LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
  hasWords(lists, language) {
    const own = wordsIn(sql`e.search_text`, lists);
    if (language === undefined) return own;
    return sql<SqlBool>`(e.id IN (${translatedWith(lists, language)}) OR ${own} AND NOT ${isTranslated(sql`e.id`, language)})`;
  },
  // The offset keeps the planner from reading the index of dates as well, which takes longer.
  eventsWithWords(lists, language) {
    const own = sql`SELECT e.* FROM events AS e WHERE ${wordsIn(sql`e.search_text`, lists)}`;
    if (language === undefined) return sql`(${own} OFFSET 0)`;
    return sql`(SELECT * FROM (${own} OFFSET 0) AS e WHERE NOT ${isTranslated(sql`e.id`, language)}
      UNION ALL SELECT e.* FROM events AS e WHERE e.id IN (${translatedWith(lists, language)}))`;
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
