import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect, sql, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.ts';
import { isForeignKeyViolation, isLostRace, isUniqueViolation } from './faults.ts';
import type { Tables } from './tables.ts';

/** Where the data is kept: a file of SQLite, or a PostgreSQL server with at most `pool` connections of this process. */
export type DatabaseAddress = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string; pool: number };

/**
 * A database, or a transaction in it: stores take one and do not mind which.
 * `transaction` inside a transaction joins the outer one.
 */
export interface Database {
  query: Kysely<Tables> | Transaction<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` so that all of its writes happen or none. Lost races (a deadlock, a slug or key that somebody else took
   * at the same time, an image that went) are run again, so `work` must not have effects elsewhere.
   */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** What waits for the database at the moment. */
  load(): DatabaseLoad;
}

/** What waits for the database, for the metrics. */
export interface DatabaseLoad {
  /** Writes that wait for the next commit of SQLite. */
  waitingWrites: number;
  /** Connections of the pool of PostgreSQL, and the requests that wait for one. */
  pool?: { size: number; idle: number; waiting: number };
}

/** Opens a database without looking at it: connections are made when they are needed, and `migrate` gives it its tables. */
export function openDatabase(address: DatabaseAddress): Database {
  if (address.kind === 'sqlite') return connect(openSqlite(address.file), sqliteDialect);
  const { root, poolLoad } = openPostgres(address);
  return connect(root, postgresDialect, poolLoad);
}

const ATTEMPTS = 5;
const MAY_BE_RACES = [isLostRace, isUniqueViolation, isForeignKeyViolation];

type Work<T> = (db: Database) => Promise<T>;
/** Runs work in a transaction of its own, or in one that it shares with others behind a savepoint. */
type Transact = <T>(work: Work<T>) => Promise<T>;

function connect(root: Kysely<Tables>, dialect: Dialect, poolLoad?: () => DatabaseLoad['pool']): Database {
  const waiting: Job[] = [];
  const load = (): DatabaseLoad => ({ waitingWrites: waiting.length, pool: poolLoad?.() });
  const inside = (trx: Transaction<Tables>): Database => {
    const joined: Database = {
      query: trx,
      dialect,
      transaction: (work) => work(joined),
      close: async () => undefined,
      load,
    };
    return joined;
  };
  const transact: Transact =
    dialect.kind === 'sqlite'
      ? groupCommits(root, inside, waiting)
      : (work) => root.transaction().execute((trx) => work(inside(trx)));
  const attempt = async <T>(work: Work<T>, left: number): Promise<T> => {
    try {
      return await transact(work);
    } catch (error) {
      if (left > 1 && MAY_BE_RACES.some((mayBe) => mayBe(error))) return attempt(work, left - 1);
      throw error;
    }
  };
  return { query: root, dialect, transaction: (work) => attempt(work, ATTEMPTS), close: () => root.destroy(), load };
}

interface Job {
  run(db: Database): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 200;

/**
 * SQLite has one writer, and making a commit safe takes far longer than most writes: so everything that waits is
 * committed together, once a turn, and each caller is answered after that commit. A savepoint each keeps one that
 * fails from taking the others along.
 */
function groupCommits(root: Kysely<Tables>, inside: (trx: Transaction<Tables>) => Database, waiting: Job[]): Transact {
  let isScheduled = false;
  const commitWaiting = async (): Promise<void> => {
    const jobs = waiting.splice(0, MAX_BATCH);
    const settle: (() => void)[] = [];
    try {
      await root.transaction().execute(async (trx) => {
        for (const job of jobs) settle.push(await runBehindSavepoint(job, inside(trx)));
      });
      for (const answer of settle) answer();
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
    if (waiting.length > 0) setImmediate(commitWaiting);
    else isScheduled = false;
  };
  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ run: work, resolve: resolve as Job['resolve'], reject });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(commitWaiting);
    });
}

/** Gives what to do once the commit is safe. Throws only when the whole transaction is lost, as on a full disk. */
async function runBehindSavepoint(job: Job, db: Database): Promise<() => void> {
  await sql`SAVEPOINT job`.execute(db.query);
  try {
    const value = await job.run(db);
    await sql`RELEASE job`.execute(db.query);
    return () => job.resolve(value);
  } catch (error) {
    await sql`ROLLBACK TO job`.execute(db.query).catch(() => Promise.reject(error));
    await sql`RELEASE job`.execute(db.query);
    return () => job.reject(error);
  }
}

/** Milliseconds a write waits for the writer of another process. */
const BUSY_TIMEOUT = 5000;

function openSqlite(file: string): Kysely<Tables> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const handle = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  handle.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 10000;',
  );
  handle.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY; PRAGMA recursive_triggers = ON;');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: cachedStatements(handle) }) });
}

const MAX_STATEMENTS = 500;

/** The shape Kysely expects of a SQLite database, over node:sqlite, preparing each text once. */
function cachedStatements(handle: DatabaseSync) {
  const cache = new Map<string, ReturnType<typeof statement>>();
  return {
    close: () => handle.close(),
    prepare(text: string) {
      // A transaction that begins with a read could not become a writer while another process writes.
      const command = text === 'begin' ? 'begin immediate' : text;
      const known = cache.get(command);
      if (known) return known;
      const fresh = statement(handle.prepare(command));
      if (cache.size >= MAX_STATEMENTS) cache.delete(cache.keys().next().value ?? '');
      cache.set(command, fresh);
      return fresh;
    },
  };
}

function statement(prepared: StatementSync) {
  // Kysely hands over what was bound; only values SQLite knows are ever bound here.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: prepared.columns().length > 0,
    all: (parameters: readonly unknown[]) => prepared.all(...values(parameters)),
    run: (parameters: readonly unknown[]) => prepared.run(...values(parameters)),
    iterate: (parameters: readonly unknown[]) => prepared.iterate(...values(parameters)),
  };
}

/** The driver is loaded when it is needed: it takes 10 MB, which a site on SQLite can do without. */
function openPostgres(address: { url: string; pool: number }) {
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
