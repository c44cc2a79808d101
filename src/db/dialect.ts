import { randomUUID } from 'node:crypto';
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
import type { DataVersion } from '../lib/data-version.ts';
import type { RowOf } from './errors.ts';
import type { Tables } from './tables.ts';
import {
  type KeyLists,
  postgresEventsWithWords,
  quoted,
  sqliteEventsWithWords,
  type WordSearch,
} from './word-search.ts';

/** Maximum number of named statements on PostgreSQL, which parses and plans each once per connection. */
const MAX_STATEMENTS = 500;
const names = new Map<string, string>();

/**
 * Matches lists and counts. Their best plan depends on the values (one category has half of all events, another three),
 * so they are sent without a name and planned each time. All other statements find rows by key; planning them each time
 * would cost a third of the work of a sale.
 */
const LIST = /\b(order by|limit|group by|count\()/i;

/** Matches statements on rows. Others, such as those of migrations, run once, and would use up the names. */
const ON_ROWS = /^\s*(select|insert|update|delete|with)\b/i;

/** Names a statement, so that PostgreSQL plans it once per connection. */
const allowGenericPlan = (text: string): void => {
  if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, `marquee-${names.size}`);
};

/**
 * Name of a statement; undefined for one that is planned each time, and beyond the limit: a client that varies its
 * filters must not fill the server's memory.
 */
export function statementName(text: string): string | undefined {
  const cached = names.get(text);
  if (cached) return cached;
  if (ON_ROWS.test(text) && !LIST.test(text)) allowGenericPlan(text);
  return names.get(text);
}

/** The part of a `Database` that dialects use. */
interface Connection {
  query: Kysely<Tables> | Transaction<Tables>;
  transaction<T>(work: (db: Connection) => Promise<T>): Promise<T>;
}

/** All differences between the two databases, one small member each. */
export interface Dialect {
  kind: 'sqlite' | 'postgres';
  /** Column type of a generated primary key. */
  idType: string;
  /** Column type of text that sorts by code point. */
  keyType: string;
  /** Condition: a column of folded text contains `text`. */
  contains(column: Expression<string>, text: string): Expression<SqlBool>;
  /** Item of a FROM clause: the ids in a JSON list of the preceding table, in a column `value`. */
  idsIn(column: Expression<string>): RawBuilder<unknown>;
  /** Condition: a word of the table `words` contains a part. */
  hasPart(part: string): Expression<SqlBool>;
  /** Events with at least one key of each list, found by the word index. Aliased as `e`. */
  eventsWithWords(lists: KeyLists, how: WordSearch): RawBuilder<unknown>;
  /** Share of matching events up to which counting by the word index is faster than scanning texts. */
  wordIndexUpTo: number;
  /** Matches per series up to which grouping all of them is faster than looking up the first one of each series. */
  groupedUpTo: number;
  /** Whether distinct values are found by hashing, which is faster than reading an index; SQLite sorts. */
  groupsByHash: boolean;
  /** Version counters of the data shown in public responses, across all processes. */
  dataVersion(db: Connection): Promise<DataVersion>;
  /** Bytes of the whole database. */
  size(db: Connection): Promise<number>;
  /** Merges the counters of closed connections, each of which counted changes in a row of its own. */
  mergeVersions(db: Connection): Promise<void>;
  /** Takes a lock until the end of the transaction, so that transactions with the same lock are serialised. */
  lock(db: Connection, name: string): Promise<void>;
  /** Shared lock: excludes transactions that `lock` the same name, but not each other. */
  lockShared(db: Connection, name: string): Promise<void>;
  /** Locks a row until the end of the transaction; later reads see its latest edit. */
  lockRow(db: Connection, row: RowOf): Promise<void>;
  /**
   * Last clause of a SELECT: locks its rows until the end of the transaction, and skips rows that others have locked.
   */
  skipLocked: RawBuilder<unknown>;
  /** Last clause of a SELECT: takes a shared lock on its rows, which cannot change until the end of the transaction. */
  forShare: RawBuilder<unknown>;
  /** Last clause of a SELECT: locks its rows of one table, named by an alias, until the end of the transaction. */
  forUpdateOf(alias: string): RawBuilder<unknown>;
  /** Moves the sequence of the ids of a table past an id that an import has set. */
  skipIds(db: Connection, table: 'records' | 'terms', id: number): Promise<void>;
  /** Prepares the connection for bulk writes. Call it before the transaction. */
  prepareBulkWrite(db: Connection): Promise<void>;
  /** Gives a read-only transaction a consistent snapshot. Call it first. */
  snapshot(db: Connection): Promise<void>;
  /**
   * Runs an UPDATE that returns one row and, if it does, inserts a row into a log, atomically. PostgreSQL does both in
   * one statement, which saves the round trips of begin, insert and commit.
   */
  updateWithLog<Row>(db: Connection, change: Change<Row>, note: LogRow): Promise<Row | undefined>;
  /** Marks a statement for which one plan suits all values. */
  allowGenericPlan(statement: string): void;
  /**
   * Version in `door_changes` that the next reader continues from: all earlier changes are committed, and visible to every
   * later statement.
   */
  changeMark(db: Connection): Promise<number>;
  /** Lower bound of the versions that future transactions will write to `door_changes`. */
  nextChange(db: Connection): Promise<number>;
  /** A bound value in a form that the query plan does not depend on. */
  bound(value: string): RawBuilder<string>;
}

type Change<Row> = Compilable<Row> & OperationNodeSource;

/** Values of a log row, by column. */
export interface LogRow {
  table: string;
  row: object;
}

const insertion = ({ table, row }: LogRow, from: RawBuilder<unknown>): RawBuilder<unknown> => {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  return sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) SELECT ${sql.join(Object.values(row))} ${from}`;
};

// Compiled once, because every list reads it.
const SQLITE_VERSION = CompiledQuery.raw(`SELECT
  (SELECT number FROM data_versions WHERE part = 'calendar' AND backend = 0) AS calendar,
  (SELECT number FROM data_versions WHERE part = 'seats' AND backend = 0) AS seats, '' AS epoch`);
// A crash or failover may lose counted changes, and a restored table has older numbers, so that later changes would
// repeat numbers; the epoch tells them apart.
const POSTGRES_VERSION = CompiledQuery.raw(`SELECT
  sum(number) FILTER (WHERE part = 'calendar') AS calendar, sum(number) FILTER (WHERE part = 'seats') AS seats,
  pg_postmaster_start_time() || ' ' || pg_relation_filenode('data_versions') AS epoch
  FROM data_versions`);

/** The numbers are null when their rows are missing. */
interface Numbers {
  calendar: number | null;
  seats: number | null;
  /** Changes whenever the numbers may have gone back. */
  epoch: string;
}

async function versionBy(statement: CompiledQuery, { query }: Connection): Promise<DataVersion> {
  const { rows } = await query.executeQuery<Numbers>(statement);
  const [{ calendar, seats, epoch } = { calendar: null, seats: null, epoch: '' }] = rows;
  return { calendar: versionOf(calendar, epoch), seats: versionOf(seats, epoch) };
}

/** Random without a counter, so that data without change counters is never served from a cache. */
const versionOf = (number: number | null, epoch: string): string =>
  number === null ? randomUUID() : `${number} ${epoch}`;

async function readSize({ query }: Connection, statement: RawBuilder<{ size: number }>): Promise<number> {
  const { rows } = await statement.execute(query);
  return Number(rows[0]?.size ?? 0);
}

async function readMark({ query }: Connection, statement: RawBuilder<{ mark: number }>): Promise<number> {
  const { rows } = await statement.execute(query);
  return Number(rows[0]?.mark ?? 0);
}

export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  idType: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  keyType: 'TEXT',
  size: (db) =>
    readSize(
      db,
      sql<{ size: number }>`SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()`,
    ),
  contains: (column, text) => sql<SqlBool>`instr(${column}, ${text}) > 0`,
  idsIn: (column) => sql`json_each(${column})`,
  // The trigram index needs at least three characters.
  hasPart(part) {
    if ([...part].length < 3) return sqliteDialect.contains(sql.ref('word'), part);
    return sql<SqlBool>`id IN (SELECT rowid FROM word_parts WHERE word_parts MATCH ${quoted(part)})`;
  },
  eventsWithWords: sqliteEventsWithWords,
  wordIndexUpTo: 1,
  groupedUpTo: 4,
  groupsByHash: false,
  dataVersion: (db) => versionBy(SQLITE_VERSION, db),
  mergeVersions: async () => undefined,
  // A transaction begins as IMMEDIATE (sqlite.ts), which already excludes every other writer.
  lock: async () => undefined,
  lockShared: async () => undefined,
  lockRow: async () => undefined,
  skipLocked: sql``,
  forShare: sql``,
  forUpdateOf: () => sql``,
  allowGenericPlan: () => undefined,
  // SQLite moves the sequence by itself when a row has a given id.
  skipIds: async () => undefined,
  // Otherwise savepoint journals would stay in memory and slow down each statement.
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
  changeMark: (db) =>
    readMark(
      db,
      sql<{
        mark: number;
      }>`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'door_changes'), 0) + 1 AS mark`,
    ),
  // Transactions run one after the other, so each sees all gates and records all changes.
  nextChange: async () => 0,
  // With statistics, SQLite replans a range condition for every bound value; a scalar subquery hides the value.
  bound: (value) => sql<string>`(SELECT ${value})`,
};

export const postgresDialect: Dialect = {
  kind: 'postgres',
  idType: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  keyType: 'TEXT COLLATE "C"',
  size: (db) => readSize(db, sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`),
  // For `strpos(...) > 0` the planner assumes that a third of the rows match and scans the ordered list. For LIKE on
  // translated texts, it would expect hardly any match and read everything first.
  contains: (column, text) => sql<SqlBool>`strpos(${column}, ${text}) > 0`,
  idsIn: (column) => sql`LATERAL (SELECT jsonb_array_elements_text(${column}::jsonb)::bigint AS value)`,
  hasPart: (part) => sql<SqlBool>`word LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
  eventsWithWords: postgresEventsWithWords,
  wordIndexUpTo: 0.4,
  groupedUpTo: 40,
  groupsByHash: true,
  dataVersion: (db) => versionBy(POSTGRES_VERSION, db),
  async mergeVersions(db) {
    // The sum is unchanged, so no cache is invalidated.
    await sql`WITH ended AS (
        DELETE FROM data_versions AS v
        WHERE backend <> 0 AND NOT EXISTS (SELECT FROM pg_stat_activity AS a WHERE a.pid = v.backend)
        RETURNING part, number)
      INSERT INTO data_versions AS v (part, backend, number) SELECT part, 0, sum(number) FROM ended GROUP BY part
      ON CONFLICT (part, backend) DO UPDATE SET number = v.number + excluded.number`.execute(db.query);
  },
  async lock(db, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`.execute(db.query);
  },
  async lockShared(db, name) {
    await sql`SELECT pg_advisory_xact_lock_shared(hashtext(${name}))`.execute(db.query);
  },
  async lockRow(db, { table, id }) {
    await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE`.execute(db.query);
  },
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  forShare: sql`FOR SHARE`,
  forUpdateOf: (alias) => sql`FOR UPDATE OF ${sql.id(alias)}`,
  allowGenericPlan,
  async skipIds(db, table, id) {
    // Sequences are not transactional, so other processes see the new position at once.
    await sql`SELECT setval(s.name, ${id}) FROM (SELECT pg_get_serial_sequence(${table}, 'id') AS name) AS s
      WHERE coalesce(pg_sequence_last_value(s.name), 0) < ${id}`.execute(db.query);
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
  // Transactions may end in another order than they began, but all before the oldest running one have ended.
  changeMark: (db) =>
    readMark(db, sql<{ mark: number }>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS mark`),
  nextChange: (db) =>
    readMark(db, sql<{ mark: number }>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS mark`),
  bound: (value) => sql<string>`${value}`,
};
