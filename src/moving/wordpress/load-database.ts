import { isAscii, isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Connection, ConnectionOptions } from 'mysql2';
import { scalarText } from '../../lib/text/scalar-text.ts';
import type { Finding } from '../drafts.ts';
import { SourceError } from '../source.ts';
import { MAX_VALUE } from './dump-parser.ts';
import { COLUMNS, sealTables, sitePrefix, stage, tablesOf } from './load-dump.ts';
import { Staging } from './staging.ts';

/** Reads the database of a WordPress site, on MySQL or MariaDB, as it is at one moment. */

/** Longest wait for a connection, and for the next row. */
const CONNECT_MS = 10_000;
const ROW_MS = 60_000;

/** Tables that sites of older versions do not have. */
const YOUNG = new Set(['termmeta', 'tec_events', 'tec_order_modifiers']);

export interface DatabaseOptions {
  /** Beginning of the names of the tables; found in the database by default. */
  prefix?: string;
  /** Password of the account, if the address has none. */
  password?: string;
  /** Milliseconds to wait for the next row. */
  patience?: number;
}

type Row = readonly (Buffer | null)[];
type Read = (sql: string) => AsyncGenerator<Row>;

/**
 * @param address such as `mysql://reader@db.example/wordpress`, with `ssl-mode`, `ssl-ca` or `socket` after `?`
 * @throws {SourceError} for a database that cannot be read, or that has no such site; the password is in no message
 */
export async function loadDatabase(
  address: string,
  { prefix, password, patience = ROW_MS }: DatabaseOptions = {},
): Promise<{ staging: Staging; notes: readonly Finding[] }> {
  const options = await connectionOptions(address, password);
  const { createConnection } = await import('mysql2');
  const connection = createConnection({ ...options, connectTimeout: Math.min(CONNECT_MS, patience) });
  const staging = new Staging();
  try {
    await connected(connection);
    const notes = await copyTables(readerOf(connection, patience), staging, prefix);
    return { staging, notes };
  } catch (error) {
    staging.close();
    throw error instanceof SourceError ? error : new SourceError(problemOf(error), { cause: error });
  } finally {
    connection.destroy();
  }
}

const MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'];
const PARAMETERS = ['ssl-mode', 'ssl-ca', 'socket'];
const FORM = 'mysql://USER@HOST:3306/DATABASE';

/** @throws {SourceError} */
async function connectionOptions(address: string, given: string | undefined): Promise<ConnectionOptions> {
  const url = URL.parse(address.trim());
  if (!url || !/^(?:mysql|mariadb):$/.test(url.protocol))
    throw new SourceError(`The address of the database is not of the form ${FORM}.`);
  const [user, database] = [decoded(url.username), decoded(url.pathname.slice(1))];
  if (user === '' || database === '') throw new SourceError(`Name the account and the database: ${FORM}`);
  if (url.password !== '' && given !== undefined)
    throw new SourceError('The password is in the address and in --password-file: leave one of them out.');
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new SourceError(`The address of the database may have ${PARAMETERS.join(', ')} after "?", nothing else.`);
  const socket = url.searchParams.get('socket');
  const host = decoded(url.hostname).replace(/^\[|\]$/g, '') || 'localhost';
  const mode = url.searchParams.get('ssl-mode');
  // The driver would compare the certificate with the name "localhost".
  if (mode?.toUpperCase() === 'VERIFY_IDENTITY' && (isIP(host) !== 0 || socket !== null))
    throw new SourceError(
      'VERIFY_IDENTITY needs the name of the host: certificates do not name addresses. Or use VERIFY_CA.',
    );
  const isHere = socket !== null || /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return {
    ...{ host, port: Number(url.port) || 3306, user, database, password: given ?? decoded(url.password) },
    ...(socket !== null && { socketPath: socket }),
    ssl: await tlsOptions(mode ?? (isHere ? 'DISABLED' : 'REQUIRED'), url),
    // A server must not request files of this machine, and the driver must not compile code from its column names.
    ...{ flags: ['-LOCAL_FILES'], disableEval: true },
  };
}

/** @throws {SourceError} */
async function tlsOptions(mode: string, { searchParams }: URL): Promise<ConnectionOptions['ssl']> {
  const known = MODES.indexOf(mode.toUpperCase());
  if (known < 0) throw new SourceError(`ssl-mode takes one of ${MODES.join(', ')}.`);
  if (known === 0) return undefined;
  const file = searchParams.get('ssl-ca');
  const ca =
    file === null
      ? undefined
      : await readFile(file).catch(() => {
          throw new SourceError(`The file "${file}" of ssl-ca cannot be read.`);
        });
  return { rejectUnauthorized: known > 1, verifyIdentity: known === 3, ...(ca && { ca }) };
}

/** @throws {SourceError} */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SourceError('The address of the database has a "%" without two digits after it: write it as %25.');
  }
}

async function connected(connection: Connection): Promise<void> {
  // Later faults end the query in progress.
  connection.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
}

/** Reads rows as the server sends them, and no faster than they are taken. */
const readerOf = (connection: Connection, patience: number): Read =>
  async function* (sql) {
    const rows = connection.query({ sql, rowsAsArray: true, typeCast: false }).stream({ highWaterMark: 100 });
    const fail = (error: Error) => void rows.destroy(error);
    const timer = setTimeout(() => fail(new SourceError('The database takes too long to respond.')), patience);
    connection.on('error', fail);
    try {
      for await (const row of rows) {
        // A statement without rows yields a header. Without casts, values are the bytes of the server.
        if (Array.isArray(row)) yield row as Row;
        timer.refresh();
      }
    } finally {
      connection.off('error', fail);
      clearTimeout(timer);
    }
  };

const name = (identifier: string): string => `\`${identifier.replaceAll('`', '``')}\``;
const text = (value: string): string => `0x${Buffer.from(value).toString('hex')}`;

async function all(rows: AsyncIterable<Row>): Promise<string[][]> {
  const found: string[][] = [];
  for await (const row of rows) found.push(row.map((value) => value?.toString('utf8') ?? ''));
  return found;
}

const BEGIN = [
  // Overrides the server's default character set for clients.
  'SET NAMES utf8mb4',
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

/** @throws {SourceError} */
async function copyTables(read: Read, staging: Staging, named: string | undefined): Promise<Finding[]> {
  for (const statement of BEGIN) await all(read(statement));
  const present = await all(read('SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'));
  const visible = new Set(present.map(([table = '']) => table));
  const prefix = named ?? sitePrefix(visible, 'database');
  const missing: string[] = [];
  const mixed: string[] = [];
  for (const [table, kind] of tablesOf(prefix)) {
    if (!visible.has(table)) {
      const isHidden = await mayBeHidden(read, table, kind);
      // Sites without coupons do not have it.
      if (isHidden || kind !== 'tec_order_modifiers') missing.push(table);
    } else if (await copyTable(read, staging, { table, kind })) mixed.push(table);
  }
  sealTables(staging, prefix);
  return [
    ...(missing.length > 0 ? [{ code: 'no-table', detail: missing.join(', ') }] : []),
    ...(mixed.length > 0 ? [{ code: 'utf8-in-latin1', detail: mixed.join(', ') }] : []),
  ];
}

const isError = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/**
 * Whether an unlisted table may exist, hidden from the account.
 * @throws {SourceError} for a table that every site has
 */
async function mayBeHidden(read: Read, table: string, kind: string): Promise<boolean> {
  try {
    await all(read(`SELECT 1 FROM ${name(table)} LIMIT 0`));
  } catch (error) {
    if (isError(error, 'ER_NO_SUCH_TABLE')) return false;
    // An account with rights to single tables cannot learn whether another table exists.
    if (!isDenied(error) || !YOUNG.has(kind)) throw isDenied(error) ? denied(table) : error;
  }
  return true;
}

const isDenied = (error: unknown): boolean =>
  isError(error, 'ER_TABLEACCESS_DENIED_ERROR', 'ER_COLUMNACCESS_DENIED_ERROR');
const denied = (table: string) =>
  new SourceError(`The account may not read the table "${table}". It needs the right to SELECT from it.`);

interface Column {
  column: string;
  /** Empty for numbers, dates and bytes. */
  charset: string;
}

/**
 * Copies a table.
 * @returns whether it has UTF-8 texts in columns declared as latin1
 * @throws {SourceError}
 */
async function copyTable(
  read: Read,
  staging: Staging,
  { table, kind }: { table: string; kind: string },
): Promise<boolean> {
  const described = await all(
    read(`SELECT COLUMN_NAME, COALESCE(CHARACTER_SET_NAME, '') FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${text(table)} ORDER BY ORDINAL_POSITION`),
  );
  const columns = described.flatMap(([column = '', charset = '']): Column[] =>
    COLUMNS[kind]?.includes(column) ? [{ column, charset }] : [],
  );
  if (columns.length === 0) throw denied(table);
  const names = columns.map(({ column }) => column);
  let isMixed = false;
  const asUtf8 = (value: Row[number], at: number) => {
    const cut = value?.subarray(0, MAX_VALUE) ?? null;
    if (cut === null || columns[at]?.charset !== 'latin1' || isAscii(cut)) return cut;
    if (!isUtf8(cut)) return Buffer.from(new TextDecoder('windows-1252').decode(cut));
    isMixed = true;
    return cut;
  };
  try {
    for await (const values of read(`SELECT ${columns.map(selected).join(', ')} FROM ${name(table)}`))
      stage(staging, kind, { columns: names, values: values.map(asUtf8) });
  } catch (error) {
    throw isDenied(error) ? denied(table) : error;
  }
  return isMixed;
}

/**
 * Expression for a column: the beginning of a text, up to the length that is kept. Old sites wrote UTF-8 into latin1
 * tables, whose bytes the server would convert once more.
 */
function selected({ column, charset }: Column): string {
  if (charset === '') return name(column);
  const value = charset === 'latin1' ? `CAST(${name(column)} AS BINARY)` : name(column);
  return `LEFT(${value}, ${MAX_VALUE})`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR:
    'The database refuses the account: check its name, its password and the hosts that it may connect from.',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'The database refuses the account: it needs a password. Use --password-file.',
  ER_DBACCESS_DENIED_ERROR: 'The account may not read this database. It needs the right to SELECT from its tables.',
  ER_BAD_DB_ERROR: 'The server has no database of this name.',
  ER_HOST_NOT_PRIVILEGED: 'The database server accepts no connections from this machine.',
  ER_HOST_IS_BLOCKED: 'The database server accepts no connections from this machine any more, after too many errors.',
  ER_CON_COUNT_ERROR: 'The database server has too many connections. Try again later.',
  ER_QUERY_INTERRUPTED: 'The database server has ended a query. Run the command again.',
  ER_NOT_KEYFILE: 'A table of the database is damaged. Repair it, or use a backup.',
  ER_CRASHED_ON_USAGE: 'A table of the database is damaged. Repair it, or use a backup.',
  ECONNREFUSED: 'No database server responds at this address.',
  ENOTFOUND: 'There is no host of this name.',
  EAI_AGAIN: 'The name of the host cannot be looked up.',
  ENOENT: 'There is no socket at this path.',
  ETIMEDOUT: 'The database server does not respond.',
  PROTOCOL_CONNECTION_LOST: 'The database server has ended the connection. Run the command again.',
  ECONNRESET: 'The database server has ended the connection. Run the command again.',
  EPIPE: 'The database server has ended the connection. Run the command again.',
  HANDSHAKE_NO_SSL_SUPPORT:
    'The database server offers no TLS. Reach it through a tunnel, or allow passwords and data to be read on the way: ?ssl-mode=DISABLED',
  HANDSHAKE_SSL_ERROR: 'The certificate of the database server cannot be trusted: name its authority with ssl-ca.',
};

/** A sentence without texts of the server, which may reveal more than the code. */
function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? (scalarText(error.code) ?? '') : '';
  return PROBLEMS[code] ?? `The database cannot be read${code === '' ? '' : ` (${code})`}.`;
}
