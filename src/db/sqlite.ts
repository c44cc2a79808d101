import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { makePrivate, PRIVATE_FILE, PRIVATE_FOLDER } from '../lib/private-files.ts';
import { isBusy } from './errors.ts';
import { compileRow, type ReadRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** Milliseconds a statement or transaction waits for the writer of another process. */
const BUSY_TIMEOUT = 5000;
/** Milliseconds between the first attempts; later ones are `LONGEST_PAUSE` apart. */
const PAUSES = [1, 1, 2, 2, 4];
const LONGEST_PAUSE = 8;

/**
 * Number of statements of a transaction after which the event loop gets a turn: about 10 ms of work. Statements are
 * synchronous, so hundreds of them would block all other requests.
 */
const STATEMENTS_AT_ONCE = 50;

/** Opens an SQLite file lazily: the first statement opens it, and creates it if necessary. */
export const openSqlite = (file: string): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: (): DialectAdapter => new SharedSqliteAdapter(),
      createDriver: () => new SqliteDriver(file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });

/** Disables Kysely's mutex on the connection: the driver has its own, which it releases while it waits for a lock. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * One connection, used exclusively by a statement or a transaction. While another process holds the file lock, a caller
 * that needs it retries at intervals and frees the connection for others in between: SQLite's busy timeout would block
 * the whole process.
 * SQLite rolls a transaction back by itself when the disk is full or fails. Its remaining statements would then be
 * committed one by one, so they fail with the error that ended the transaction.
 */
class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #turns = createTurns();
  /** Only the first caller that finds the file locked retries: a thousand of them would keep the process busy. */
  readonly #probes = createTurns();
  readonly #connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) => this.#execute(query) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('streaming is not supported');
    },
  };
  #open: OpenFile | undefined;
  #isInTransaction = false;
  /** Number of statements in the transaction. */
  #statements = 0;
  #isDestroyed = false;
  /** Error that made SQLite end the transaction. */
  #fault: unknown;

  constructor(file: string) {
    this.#file = file;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#turns.give();
  }

  async beginTransaction(): Promise<void> {
    // A transaction that begins with a read could not become a writer while another process writes.
    await this.#untilFree(BEGIN);
    this.#isInTransaction = true;
    this.#statements = 0;
    this.#fault = undefined;
  }

  async commitTransaction(): Promise<void> {
    this.#executeInside(COMMIT);
    this.#isInTransaction = false;
  }

  /** Rolls back any open transaction. Never throws: the original error is the one to report. */
  async rollbackTransaction(): Promise<void> {
    this.#isInTransaction = false;
    try {
      if (this.#open?.isInTransaction()) this.#open.execute(ROLLBACK);
    } catch {
      // The fault is handled below.
    }
    if (this.#open?.isInTransaction()) this.#close();
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#open?.close();
    this.#open = undefined;
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (!this.#isInTransaction) return this.#untilFree(query);
    this.#statements += 1;
    if (this.#statements % STATEMENTS_AT_ONCE === 0) await nextTurn();
    return this.#executeInside(query);
  }

  #executeInside(query: CompiledQuery): QueryResult<unknown> {
    const open = this.#open;
    if (!open?.isInTransaction()) throw this.#fault ?? new Error('the transaction has ended');
    try {
      return open.execute(query);
    } catch (error) {
      if (!open.isInTransaction()) this.#fault ??= error;
      throw error;
    }
  }

  /** Executes outside a transaction, where a retry is safe. */
  async #untilFree(query: CompiledQuery): Promise<QueryResult<unknown>> {
    try {
      return this.#executeOutside(query);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const deadline = performance.now() + BUSY_TIMEOUT;
    this.#turns.give();
    await this.#probes.take();
    try {
      return await this.#retry(query, deadline);
    } finally {
      this.#probes.give();
    }
  }

  async #retry(query: CompiledQuery, deadline: number): Promise<QueryResult<unknown>> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#turns.take();
      try {
        return this.#executeOutside(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      this.#turns.give();
      await sleep(PAUSES[attempt] ?? LONGEST_PAUSE);
    }
  }

  #executeOutside(query: CompiledQuery): QueryResult<unknown> {
    if (this.#isDestroyed) throw new Error('driver has already been destroyed');
    this.#open ??= openFile(this.#file);
    return this.#open.execute(query);
  }

  /** The next statement reopens the file. */
  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    try {
      open?.close();
    } catch {
      // A connection that cannot even be closed is left to the garbage collector.
    }
  }
}

const BEGIN = CompiledQuery.raw('BEGIN IMMEDIATE');
const COMMIT = CompiledQuery.raw('COMMIT');
const ROLLBACK = CompiledQuery.raw('ROLLBACK');

/** Creates a mutex, which waiting callers get in order of arrival. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    take(): Promise<void> | undefined {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      return undefined;
    },
    give(): void {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

interface OpenFile {
  execute(query: CompiledQuery): QueryResult<unknown>;
  isInTransaction(): boolean;
  close(): void;
}

function openFile(file: string): OpenFile {
  if (file !== ':memory:') createPrivately(file);
  const handle = new DatabaseSync(file, { timeout: 0 });
  try {
    handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    handle.exec('PRAGMA wal_autocheckpoint = 10000; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;');
    handle.exec('PRAGMA recursive_triggers = ON;');
  } catch (error) {
    handle.close();
    throw error;
  }
  const statements = cachedStatements(handle);
  return {
    execute: (query) => statements(query.sql)(query.parameters),
    isInTransaction: () => handle.isTransaction,
    close: () => handle.close(),
  };
}

/** Creates a private file. SQLite gives its journal files the permissions of the database file. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  try {
    closeSync(openSync(file, 'ax', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes a database file and its journal files private, including files created with wider permissions. Returns the
 * files that could not be made private.
 */
export const makeDatabasePrivate = (file: string): string[] =>
  ['', '-wal', '-shm'].map((suffix) => file + suffix).filter((path) => !makePrivate(path));

const MAX_STATEMENTS = 500;

type Execute = (parameters: readonly unknown[]) => QueryResult<unknown>;

/** Caches prepared statements by their text. */
function cachedStatements(handle: DatabaseSync): (text: string) => Execute {
  const cache = new Map<string, Execute>();
  const version = handle.prepare('PRAGMA schema_version');
  const schemaVersion = () => version.get()?.schema_version;
  return (text) => {
    const cached = cache.get(text);
    if (cached) return cached;
    const fresh = execution(handle.prepare(text), namesFromTables(text) ? schemaVersion : undefined);
    if (cache.size >= MAX_STATEMENTS) cache.delete(cache.keys().next().value ?? '');
    cache.set(text, fresh);
    return fresh;
  };
}

/** Number that changes with every change of the schema, also by another process. */
type SchemaVersion = () => unknown;

function execution(prepared: StatementSync, schemaVersion: SchemaVersion | undefined): Execute {
  // Kysely passes on the bound values, all of which SQLite supports.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  if (prepared.columns().length > 0) {
    const read = rowReader(prepared, schemaVersion);
    return (parameters) => ({ rows: read(values(parameters)) });
  }
  return (parameters) => {
    const { changes, lastInsertRowid } = prepared.run(...values(parameters));
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  };
}

/** Whether a statement takes its column names from the tables, as `SELECT *` does. */
const namesFromTables = (text: string): boolean => /(?<!\()\*/.test(text);

/**
 * Reads rows as objects of one shape. The objects that `node:sqlite` makes are hash tables, whose members take several
 * times as long to read.
 */
function rowReader(
  prepared: StatementSync,
  schemaVersion: SchemaVersion | undefined,
): (values: SQLInputValue[]) => object[] {
  prepared.setReturnArrays(true);
  const compile = (): ReadRow => compileRow(prepared.columns().map(({ name }) => name));
  // Read before the names, so that a change in between is noticed.
  let named = schemaVersion?.();
  let readRow = compile();
  return (values) => {
    const version = schemaVersion?.();
    // One array of values for each row, as set above.
    const rows: readonly unknown[] = prepared.all(...values);
    // The column names of `SELECT *` change with the tables, once SQLite has prepared the statement again.
    if (version !== named) {
      readRow = compile();
      named = version;
    }
    return rows.map((row) => readRow(row as readonly unknown[]));
  };
}
