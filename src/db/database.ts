import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import { createDataCache, type DataCache } from './data-cache.ts';
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.ts';
import { EditConflict, isForeignKeyViolation, isLostRace, isTransient, isUniqueViolation } from './errors.ts';
import type { PostgresAddress } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** Location of the data: an SQLite file or a PostgreSQL server. */
export type DatabaseAddress = { kind: 'sqlite'; file: string } | PostgresAddress;

/** A database, or a transaction in it: stores accept either. `transaction` inside a transaction joins the outer one. */
export interface Database {
  query: Kysely<Tables> | Transaction<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` atomically. It runs again after a lost race (a deadlock, a slug or key taken concurrently, an image
   * removed concurrently), so it must have no other side effects.
   */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Present while the commit of finished transactions is deferred: registers a cleanup outside the database, in case
   * they are rolled back after all.
   */
  onRollback?(undo: (reason: unknown) => Promise<void>): void;
  /**
   * Notifies the listeners of this process: after the commit of the current transaction, or immediately if there is
   * none.
   */
  announce(topic: Topic): void;
  /** Subscribes to a topic. Returns a function that ends the subscription. */
  listen(topic: Topic, listener: () => void): () => void;
  close(): Promise<void>;
  /** Work currently waiting for the database. */
  load(): DatabaseLoad;
  /** Cache of the current version of the data; use `currentCache` to read it. */
  memory: DataCache;
}

/** Changes that other parts of the process wait for. */
export type Topic = 'jobs' | 'mails';

/** Work waiting for the database, for metrics. */
export interface DatabaseLoad {
  /** Writes waiting for the next group commit (SQLite). */
  waitingWrites: number;
  /** Connections of the PostgreSQL pool, and requests waiting for one. */
  pool?: { size: number; idle: number; waiting: number };
}

/** Default size of the cache of records: half of the default `MARQUEE_CACHE_MB`. */
const MEMORY_BYTES = 32 * 1024 * 1024;

interface OpenOptions {
  /** Maximum bytes of cached records. */
  memoryBytes?: number;
}

/** Opens a database lazily: connections are made when needed, and `migrate` creates the tables. */
export function openDatabase(address: DatabaseAddress, { memoryBytes = MEMORY_BYTES }: OpenOptions = {}): Database {
  const memory = createDataCache(memoryBytes);
  if (address.kind === 'sqlite') return connect(openSqlite(address.file), { dialect: sqliteDialect, memory });
  const { root, poolLoad } = openPostgres(address);
  return connect(root, { dialect: postgresDialect, memory, poolLoad });
}

export type Work<T> = (db: Database) => Promise<T>;

/** Set while code runs inside a transaction. */
const working = new AsyncLocalStorage<true>();

/** Marks work as running inside a transaction. */
export const inTransaction =
  <T>(work: Work<T>): Work<T> =>
  (db) =>
    working.run(true, () => work(db));

/**
 * Throws within a transaction. Guards work that takes seconds, during which a transaction would hold locks and a
 * connection and, on SQLite, block all other writes.
 * @param db the database of the request, which may be a transaction whose commit is deferred
 */
export function refuseTransaction({ query }: Pick<Database, 'query'>, action: string): void {
  if (query.isTransaction || working.getStore()) throw new Error(`must not ${action} within a transaction`);
}

/** Runs work in its own transaction, or in a savepoint of a shared one. */
type Transact = <T>(work: Work<T>) => Promise<T>;

/** Maximum number of attempts at a transaction that loses races. */
const ATTEMPTS = 5;

/**
 * Runs work in a transaction, and again after a lost race. If the race was for a row, the next attempt locks it first,
 * so that concurrent edits wait in line instead of failing repeatedly.
 */
export async function withRetries<T>(transact: Transact, work: Work<T>, left = ATTEMPTS): Promise<T> {
  try {
    return await transact(work);
  } catch (error) {
    if (left <= 1 || !mayBeLostRace(error)) throw error;
    const row = error instanceof EditConflict ? error.row : undefined;
    return withRetries(transact, row ? behindLock(row, work) : work, left - 1);
  }
}

/** Whether retrying a transaction that failed with this error may succeed. */
const mayBeLostRace = (error: unknown): boolean =>
  [isLostRace, isUniqueViolation, isForeignKeyViolation].some((mayBe) => mayBe(error));

const behindLock =
  <T>(row: EditConflict['row'], work: Work<T>): Work<T> =>
  async (db) => {
    await db.dialect.lockRow(db, row);
    return work(db);
  };

interface Connected {
  dialect: Dialect;
  memory: DataCache;
  poolLoad?: () => DatabaseLoad['pool'];
}

function connect(root: Kysely<Tables>, { dialect, memory, poolLoad }: Connected): Database {
  const waiting: PendingWork[] = [];
  const listeners = new EventEmitter();
  const load = (): DatabaseLoad => ({ waitingWrites: waiting.length, pool: poolLoad?.() });
  const listen: Database['listen'] = (topic, listener) => {
    listeners.on(topic, listener);
    return () => void listeners.off(topic, listener);
  };
  const inside: Inside = (trx) => {
    const topics = new Set<Topic>();
    const joined: Database = {
      query: trx,
      dialect,
      transaction: (work) => work(joined),
      announce: (topic) => void topics.add(topic),
      listen,
      close: async () => undefined,
      load,
      memory,
    };
    // Deferred, so that a failing listener does not fail the committed transaction.
    const committed = () => {
      for (const topic of topics) setImmediate(() => listeners.emit(topic));
    };
    return { joined, committed };
  };
  const transact = dialect.kind === 'sqlite' ? groupCommits(root, inside, waiting) : singleCommits(root, inside);
  return {
    query: root,
    dialect,
    transaction: (work) => withRetries(transact, inTransaction(work)),
    announce: (topic) => void listeners.emit(topic),
    listen,
    close: () => root.destroy(),
    load,
    memory,
  };
}

/** Database of a transaction, and a function to call after its commit. */
type Inside = (trx: Transaction<Tables>) => { joined: Database; committed: () => void };

/** A rollback on a broken connection fails too; report the first error. */
const singleCommits =
  (root: Kysely<Tables>, inside: Inside): Transact =>
  async (work) => {
    let first: { error: unknown } | undefined;
    let announce: () => void = () => undefined;
    try {
      const value = await root.transaction().execute(async (trx) => {
        try {
          const { joined, committed } = inside(trx);
          announce = committed;
          return await work(joined);
        } catch (error) {
          first = { error };
          throw error;
        }
      });
      announce();
      return value;
    } catch (error) {
      throw first ? first.error : error;
    }
  };

interface PendingWork {
  run(db: Database): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 200;

/**
 * Group commit. SQLite has one writer, and a durable commit takes far longer than most writes, so all pending work is
 * committed together and resolved after that commit. Each piece runs in its own savepoint, so that a failing one does not
 * affect the others. A storage fault fails all of them with the first error.
 */
function groupCommits(root: Kysely<Tables>, inside: Inside, waiting: PendingWork[]): Transact {
  let isScheduled = false;
  const commitWaiting = async (): Promise<void> => {
    // Work that joined while another process held the lock has not yet waited its full time.
    let batch = waiting.slice();
    let isBegun = false;
    const settle: (() => void)[] = [];
    try {
      await root.transaction().execute(async (trx) => {
        isBegun = true;
        batch = waiting.splice(0, MAX_BATCH);
        for (const pending of batch) settle.push(await runBehindSavepoint(pending, inside(trx)));
      });
      for (const answer of settle) answer();
    } catch (error) {
      if (!isBegun) waiting.splice(0, batch.length);
      for (const pending of batch) pending.reject(error);
    }
    if (waiting.length > 0) setImmediate(commitWaiting);
    else isScheduled = false;
  };
  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ run: work, resolve: resolve as PendingWork['resolve'], reject });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(commitWaiting);
    });
}

/**
 * Runs work in a savepoint. Returns the callback to run once the commit is durable. Throws only when the whole
 * transaction is lost, as on a full disk.
 */
async function runBehindSavepoint(
  pending: PendingWork,
  { joined: db, committed }: ReturnType<Inside>,
): Promise<() => void> {
  await sql`SAVEPOINT work`.execute(db.query);
  try {
    const value = await pending.run(db);
    await sql`RELEASE work`.execute(db.query);
    return () => {
      pending.resolve(value);
      committed();
    };
  } catch (error) {
    await undoSavepoint(db).catch(() => Promise.reject(error));
    return () => pending.reject(error);
  }
}

async function undoSavepoint(db: Database): Promise<void> {
  await sql`ROLLBACK TO work`.execute(db.query);
  await sql`RELEASE work`.execute(db.query);
}

/**
 * Runs a part of a transaction that may fail on its own. A failing part is rolled back.
 * @param db the database of a transaction
 */
export async function inSavepoint<T>(db: Database, part: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT part`.execute(db.query);
  try {
    const value = await part();
    await sql`RELEASE SAVEPOINT part`.execute(db.query);
    return value;
  } catch (error) {
    // Report the first error: on a broken connection, the rollback fails too.
    await sql`ROLLBACK TO SAVEPOINT part`.execute(db.query).catch(() => Promise.reject(error));
    await sql`RELEASE SAVEPOINT part`.execute(db.query);
    throw error;
  }
}

/** Loads the driver on demand, so that a site on SQLite saves its 10 MB. */
function openPostgres(address: PostgresAddress) {
  let opened: Pool | undefined;
  const open = async () => {
    const { openPool } = await import('./postgres.ts');
    opened = openPool(address);
    return opened;
  };
  const root = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: open }) });
  const poolLoad = () => ({
    size: opened?.totalCount ?? 0,
    idle: opened?.idleCount ?? 0,
    waiting: opened?.waitingCount ?? 0,
  });
  return { root, poolLoad };
}

/** Maximum downtime of a database at startup, in milliseconds. */
export const STARTUP_TIMEOUT_MS = 30_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

export interface RetryOptions {
  /** Monotonic time in milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Called for each failed attempt that will be retried. */
  onRetry(error: unknown): void;
}

/**
 * Retries with doubling pauses while the database is unreachable, until the startup timeout; the last attempt is made
 * at its end. Throws the error of the last attempt, and any other error at once.
 */
export async function connectWithRetry<T>(
  attempt: () => Promise<T>,
  { now, sleep, onRetry }: RetryOptions,
): Promise<T> {
  const deadline = now() + STARTUP_TIMEOUT_MS;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await attempt();
    } catch (error) {
      const left = deadline - now();
      if (!isTransient(error) || left <= 0) throw error;
      onRetry(error);
      await sleep(Math.min(pause, left));
    }
  }
}
