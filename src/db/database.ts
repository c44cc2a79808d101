import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { type Dialect, isLostRace, isUniqueViolation, postgresDialect, sqliteDialect } from './dialect.ts';
import type { Tables } from './tables.ts';

export type DatabaseAddress = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string; pool: number };

/**
 * A database, or a transaction in it: stores take one and do not mind which.
 * `transaction` inside a transaction joins the outer one.
 */
export interface Database {
  query: Kysely<Tables> | Transaction<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` so that all of its writes happen or none. Lost races (a deadlock, a slug or key that another process
   * took at the same time) are run again, so `work` must not have effects elsewhere.
   */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openDatabase(address: DatabaseAddress): Database {
  if (address.kind === 'sqlite') return connect(openSqlite(address.file), sqliteDialect);
  return connect(openPostgres(address), postgresDialect);
}

const ATTEMPTS = 5;

function connect(root: Kysely<Tables>, dialect: Dialect): Database {
  const inside = (trx: Transaction<Tables>): Database => {
    const joined: Database = { query: trx, dialect, transaction: (work) => work(joined), close: async () => undefined };
    return joined;
  };
  const attempt = async <T>(work: (db: Database) => Promise<T>, left: number): Promise<T> => {
    try {
      return await root.transaction().execute((trx) => work(inside(trx)));
    } catch (error) {
      if (left > 1 && (isLostRace(error) || isUniqueViolation(error))) return attempt(work, left - 1);
      throw error;
    }
  };
  return { query: root, dialect, transaction: (work) => attempt(work, ATTEMPTS), close: () => root.destroy() };
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

const INT8 = 20;
const NUMERIC = 1700;

/** Sends every statement with a name, so that the server parses and plans its text once a connection. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads cannot be named; the arguments are passed on as they come.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(args as [string]));
    return super.query({ text, values, name: statementName(text) });
  }
}

const names = new Map<string, string>();

/** A statement past the limit goes without a name: a client that varies its filters must not fill the server's memory. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MAX_STATEMENTS) return known;
  const name = `marquee-${names.size}`;
  names.set(text, name);
  return name;
}

function openPostgres({ url, pool }: { url: string; pool: number }): Kysely<Tables> {
  pg.types.setTypeParser(INT8, Number);
  pg.types.setTypeParser(NUMERIC, Number);
  const connections = new pg.Pool({
    connectionString: url,
    max: pool,
    Client: NamingClient,
    connectionTimeoutMillis: 5000,
  });
  // An idle connection that the server closed is replaced when next needed.
  connections.on('error', () => undefined);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });
}
