import pg from 'pg';

const MAX_STATEMENTS = 500;
const INT8 = 20;
const NUMERIC = 1700;

/** Sends statements with a name, so that the server parses and plans their text once a connection. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads cannot be named; the arguments are passed on as they come.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(args as [string]));
    return super.query({ text, values, name: statementName(text) });
  }
}

const names = new Map<string, string>();

/**
 * What only lists and counts have. Their best plan depends on the values (one category has half of all events, another
 * three), so they go without a name and are planned each time. Everything else finds rows by key, and planning that
 * anew would cost a third of the work of a sale.
 */
const LIST = /\b(order by|limit|group by|count\()/i;

/** A statement past the limit goes without a name: a client that varies its filters must not fill the server's memory. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= MAX_STATEMENTS || LIST.test(text)) return undefined;
  const name = `marquee-${names.size}`;
  names.set(text, name);
  return name;
}

/** At most `pool` connections, each with statements that the server has parsed before. */
export function openPool({ url, pool }: { url: string; pool: number }): pg.Pool {
  pg.types.setTypeParser(INT8, Number);
  pg.types.setTypeParser(NUMERIC, Number);
  const connections = new pg.Pool({
    connectionString: url,
    max: pool,
    Client: NamingClient,
    connectionTimeoutMillis: 5000,
    // Starting workers takes longer than any query here.
    onConnect: (client) => client.query('SET max_parallel_workers_per_gather = 0'),
  });
  // An idle connection that the server closed is replaced when next needed.
  connections.on('error', () => undefined);
  return connections;
}
