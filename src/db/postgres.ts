import pg from 'pg';
import { statementName } from './dialect.ts';
import { compileRow, type ReadRow } from './rows.ts';

export interface PostgresAddress {
  kind: 'postgres';
  url: string;
  /** Maximum number of connections of this process. */
  pool: number;
  /**
   * Statement timeout in milliseconds; a connection that does not respond soon afterwards is closed. Absent for no
   * timeout.
   */
  timeout?: number;
}

const INT8 = 20;
const NUMERIC = 1700;

/** Sends named statements, so that the server parses and plans each once per connection. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads cannot be named; the arguments are passed on as they come.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(args as [string]));
    return super.query({ text, values, name: statementName(text), rowMode: 'array' }).then(withObjects);
  }
}

/** Compiled readers of rows by column names. */
const readers = new Map<string, ReadRow>();
const MAX_READERS = 500;

type ArrayResult = pg.QueryArrayResult<unknown[]>;

/**
 * Turns rows that `pg` has read as arrays into objects, in less than half the time that `pg` takes to read objects. For
 * a text of several statements, returns the result of the last one.
 */
function withObjects(results: ArrayResult | ArrayResult[]): pg.QueryResult {
  const result = Array.isArray(results) ? (results.at(-1) as ArrayResult) : results;
  return { ...result, rows: result.rows.map(readerFor(result.fields.map(({ name }) => name))) };
}

function readerFor(names: readonly string[]): ReadRow {
  const key = names.join();
  const known = readers.get(key);
  if (known) return known;
  const made = compileRow(names);
  if (readers.size >= MAX_READERS) readers.clear();
  readers.set(key, made);
  return made;
}

/**
 * Closes an unresponsive connection: the host may be gone, or the network may drop packets. Its statement is still
 * pending, and the next one would wait for it.
 */
class ImpatientClient extends NamingClient {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...args: any[]): any {
    const result = super.query(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (error instanceof Error && error.message === 'Query read timeout') this.end().catch(() => undefined);
      throw error;
    });
  }
}

/** Milliseconds without traffic before TCP keep-alive probes. */
const KEEP_ALIVE = 10_000;
/** Milliseconds the server has to cancel a statement before its connection is closed. */
const MARGIN = 2000;

/**
 * Opens a pool of at most `pool` connections with prepared statements. A connection that breaks is discarded: pending
 * statements fail, and the next request opens a new one.
 */
export function openPool({ url, pool, timeout }: PostgresAddress): pg.Pool {
  pg.types.setTypeParser(INT8, Number);
  pg.types.setTypeParser(NUMERIC, Number);
  const connections = new pg.Pool({
    connectionString: url,
    max: pool,
    Client: timeout === undefined ? NamingClient : ImpatientClient,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    ...(timeout !== undefined && { query_timeout: timeout + MARGIN }),
    onConnect: async (client) => {
      // Without a listener, an error of a checked-out connection would crash the process.
      client.on('error', () => undefined);
      await client.query(sessionSettings(timeout));
    },
  });
  // An idle connection that the server closed is replaced when next needed.
  connections.on('error', () => undefined);
  return connections;
}

/** Settings of a session, as statements: poolers such as PgBouncer reject connection parameters. */
function sessionSettings(timeout: number | undefined): string {
  // Starting parallel workers takes longer than any query here.
  const settings = ['SET max_parallel_workers_per_gather = 0'];
  if (timeout !== undefined) {
    settings.push(`SET statement_timeout = ${timeout}`, `SET idle_in_transaction_session_timeout = ${timeout}`);
  }
  return settings.join('; ');
}
