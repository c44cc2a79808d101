import {
  type Compilable,
  CompiledQuery,
  type Expression,
  type Kysely,
  type OperationNodeSource,
  type RawBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely';
import { isDamaged, isUnavailable } from './errors.ts';
import type { Tables } from './tables.ts';
import {
  postgresEventsWithWords,
  quoted,
  sqliteEventsWithWords,
  type WordLists,
  type WordSearch,
} from './word-search.ts';

/** As much of a `Database` as its dialect uses. */
interface Connection {
  query: Kysely<Tables> | Transaction<Tables>;
  transaction<T>(work: (db: Connection) => Promise<T>): Promise<T>;
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
  version(db: Connection): Promise<string>;
  /** Makes transactions that name the same lock run one after the other, until they end. */
  lock(db: Connection, name: string): Promise<void>;
  /** Whether the database is unavailable: full, read-only, locked for too long, damaged, or unreachable. */
  isUnavailable(error: unknown): boolean;
  /** Whether stored data is damaged, so that an operator has to restore a backup. */
  isDamaged(error: unknown): boolean;
  /** Before a transaction that writes more than any request does. */
  prepareBulkWrite(db: Connection): Promise<void>;
  /** As the first statement of a transaction that only reads: everything it sees is of one moment. */
  snapshot(db: Connection): Promise<void>;
  /**
   * Runs an UPDATE of one row that gives it back, and when it does, notes that in a log: both or neither. PostgreSQL
   * does so in one statement, which saves the three trips of begin, insert and commit.
   */
  updateWithLog<Row>(db: Connection, change: Change<Row>, note: LogRow): Promise<Row | undefined>;
  /** The value of a bound, written so that the query plan does not depend on it. */
  bound(value: string): RawBuilder<string>;
}

type Change<Row> = Compilable<Row> & OperationNodeSource;

/** A row of a log, by column. */
export interface LogRow {
  table: string;
  row: object;
}

const insertion = ({ table, row }: LogRow, from: RawBuilder<unknown>): RawBuilder<unknown> => {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  return sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) SELECT ${sql.join(Object.values(row))} ${from}`;
};

// Compiled once: every list asks for the version.
const SQLITE_VERSION = CompiledQuery.raw(
  `SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version`,
);
const POSTGRES_VERSION = CompiledQuery.raw('SELECT pg_current_snapshot()::text AS version');

export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  isUnavailable,
  isDamaged,
  idType: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  keyType: 'TEXT',
  contains: (column, text) => sql<SqlBool>`instr(${column}, ${text}) > 0`,
  // The index of parts knows runs of three characters.
  hasPart(part) {
    if ([...part].length < 3) return sqliteDialect.contains(sql.ref('word'), part);
    return sql<SqlBool>`id IN (SELECT rowid FROM word_parts WHERE word_parts MATCH ${quoted(part)})`;
  },
  eventsWithWords: sqliteEventsWithWords,
  wordIndexUpTo: 1,
  async version(db) {
    const { rows } = await db.query.executeQuery<{ version: string }>(SQLITE_VERSION);
    return rows[0]?.version ?? '';
  },
  // A write transaction begins as IMMEDIATE (database.ts), which already excludes every other writer.
  lock: async () => undefined,
  // What a savepoint goes back to is kept in memory otherwise, where each statement takes longer than the one before.
  async prepareBulkWrite(db) {
    await sql`PRAGMA temp_store = FILE`.execute(db.query);
  },
  snapshot: async () => undefined,
  updateWithLog: (db, change, note) =>
    db.transaction(async (trx) => {
      const { rows } = await trx.query.executeQuery(change);
      if (rows.length > 0) await insertion(note, sql``).execute(trx.query);
      return rows[0];
    }),
  // With statistics SQLite plans a range condition anew for every bound value; a scalar subquery hides the value.
  bound: (value) => sql<string>`(SELECT ${value})`,
};

export const postgresDialect: Dialect = {
  kind: 'postgres',
  isUnavailable,
  isDamaged,
  idType: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  keyType: 'TEXT COLLATE "C"',
  // The planner takes a third of all to have a part that is asked for so, whatever the column, and walks a list for it.
  // Of LIKE on a text of a translation it would think that hardly any has it, and read everything first.
  contains: (column, text) => sql<SqlBool>`strpos(${column}, ${text}) > 0`,
  hasPart: (part) => sql<SqlBool>`word LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
  eventsWithWords: postgresEventsWithWords,
  wordIndexUpTo: 0.4,
  // The transactions whose work a statement that begins now can see.
  async version(db) {
    const { rows } = await db.query.executeQuery<{ version: string }>(POSTGRES_VERSION);
    return rows[0]?.version ?? '';
  },
  async lock(db, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`.execute(db.query);
  },
  prepareBulkWrite: async () => undefined,
  async snapshot(db) {
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(db.query);
  },
  async updateWithLog<Row>(db: Connection, change: Change<Row>, note: LogRow) {
    const { rows } = await sql<Row>`WITH changed AS (${change}), noted AS (${insertion(note, sql`FROM changed`)})
      SELECT * FROM changed`.execute(db.query);
    return rows[0];
  },
  bound: (value) => sql<string>`${value}`,
};
