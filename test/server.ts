import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/base/config.ts';
import type { Context } from '../src/base/context.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Role } from '../src/http/core/auth.ts';
import { siteKeysOf } from '../src/lib/site-keys.ts';
import { hashPassword } from '../src/platform/users/passwords.ts';
import { insertUser } from '../src/platform/users/store.ts';
import { type FirstRows, keepFirstRows } from './first-rows.ts';
import { copyDatabase } from './postgres.ts';
import { type StatementHooks, withHooks } from './statements.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KINDS = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof KINDS)[number];
const { TEST_DATABASES: named, TEST_LANE: lane } = process.env;

/** The databases of tests whose SQL differs between them; `TEST_DATABASES=sqlite` leaves the other out. */
export const BOTH_DATABASES: readonly DatabaseKind[] = KINDS.filter((kind) => named?.split(',').includes(kind) ?? true);
/**
 * The databases of every other test of the interface: `quick` runs it on the first one, `other-database` on the rest.
 */
export const DATABASES: readonly DatabaseKind[] = BOTH_DATABASES.filter(
  (_kind, index) => lane === undefined || (index === 0) === (lane === 'quick'),
);

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
  body: any;
  text: string;
}

/** The body of a response without the id of its request. */
export function bodyOf({ body }: Answer): Answer['body'] {
  if (body?.data?.request_id === undefined) return body;
  const { request_id: _id, ...data } = body.data;
  return { ...body, data };
}

export interface Asking {
  /** The role whose credentials are sent; none by default. */
  as?: Role;
  query?: Record<string, string | number | boolean>;
  /** Sent as JSON. */
  body?: unknown;
  form?: URLSearchParams | FormData;
  /** Sent as JSON in chunks; it may never end. */
  stream?: ReadableStream;
  headers?: Record<string, string>;
  /** Remote address of the connection; 127.0.0.1 by default. */
  from?: string;
  /** Prefix of `/events/v1`, but not of `wp/v2`: `/calendar` by default. */
  prefix?: string;
}

export interface TestServer {
  context: Context;
  /** The clock of the server; tests set it. */
  clock: { now: Date };
  /** Sends `GET /events` to the calendar namespace, `GET admin:/users` to the admin one. */
  ask(call: string, asking?: Asking): Promise<Answer>;
  /** As `ask`, for a step that must succeed; returns the body. */
  make(call: string, body: unknown, as?: Role): Promise<Answer['body']>;
  /** Sends a request to any path, for requests outside the namespaces. */
  request(path: string, init?: RequestInit, from?: string): Promise<Response>;
  /** Restarts the application on the same data with other settings. */
  restart(overrides: Partial<Config>): void;
  /** Id of the account of a role. */
  userId(role: Role): number;
  close(): Promise<void>;
}

export const NOON = new Date('2026-11-21T17:00:00Z');
const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door', 'box_office'];
/** Cheap to verify, since most requests sign in. */
const PASSWORD_COST = 2 ** 4;
const passwordOf = (role: Role) => `${role}-password`;

/** All requests of these tests come from one address. Tests of limits choose their own. */
export const WITHOUT_LIMITS = {
  MARQUEE_MAILED_LINKS: '0,0',
  MARQUEE_HELD_PER_ADDRESS: '0',
  MARQUEE_KEPT_PER_ADDRESS: '0',
  MARQUEE_CARTS_PER_ADDRESS: '0',
  MARQUEE_OPEN_ORDERS: '0,0',
  MARQUEE_CART_RATE: '0,0',
  MARQUEE_FREE_PER_ADDRESS: '0,0',
  MARQUEE_HEAVY_READS: '0',
  MARQUEE_TICKET_MAILS: '0,0',
  MARQUEE_MAIL_COPIES: '0,0',
  MARQUEE_STAFF_MAILS: '0,0',
  MARQUEE_SERIES_EVENTS: '0',
};

interface TestServerOptions {
  /** The server to create databases on, if the one of the test run is not available. */
  postgresUrl?: string;
  /** For faults that no client can cause; statements of the tests themselves bypass them. */
  hooks?: StatementHooks;
}

/** The settings that count as given by the environment when a test names them, and that the site chooses otherwise. */
const CHOICES = [
  ['timezone', 'MARQUEE_TIMEZONE'],
  ['languages', 'MARQUEE_LANGUAGES'],
  ['currency', 'MARQUEE_CURRENCY'],
  ['currencySymbol', 'MARQUEE_CURRENCY_SYMBOL'],
] as const;

/** A configuration with what a test says. */
function configOf(overrides: Partial<Config>, base: Config): Config {
  const given = CHOICES.filter(([name]) => overrides[name] !== undefined).map(([name, variable]) => [
    variable,
    String(overrides[name]),
  ]);
  return {
    ...base,
    passwordCost: PASSWORD_COST,
    given: { ...base.given, ...Object.fromEntries(given) },
    ...overrides,
  };
}

/** The whole application on an empty database with one account of each role, in New York at noon. */
export async function startTestServer(
  kind: DatabaseKind,
  overrides: Partial<Config> = {},
  { postgresUrl = kind === 'postgres' ? inject('postgresUrl') : '', hooks }: TestServerOptions = {},
): Promise<TestServer> {
  const data = await temporaryFolder('test');
  await mkdir(join(data, 'uploads'));
  // With hooks, tests may leave transactions behind that never end. On another server nothing is to be left.
  const isReusable = !hooks && !process.env.TEST_DATABASE_URL && postgresUrl === inject('postgresUrl');
  const { db, release } =
    kind === 'sqlite' ? await copySqlite(data) : await (isReusable ? borrowPostgres : copyPostgres)(postgresUrl);
  const config = configOf({ timezone: 'America/New_York', ...overrides }, { ...readConfig(WITHOUT_LIMITS), data });
  const clock = { now: NOON };
  const context: Context = {
    config,
    db,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
    random: randomBytes,
    siteKey: siteKeysOf('the secret of all test servers'),
  };
  const accounts = await db.query.selectFrom('users').select(['id', 'username']).execute();
  const ids = new Map<string, number>(accounts.map(({ id, username }) => [username, id]));
  const served = hooks ? { ...context, db: withHooks(db, hooks) } : context;
  let app = createApp(served);
  const request: TestServer['request'] = (path, init, from) => app.request(path, init, from);
  const ask = (call: string, asking: Asking = {}) => send(request, call, asking);
  return {
    context,
    clock,
    request,
    ask,
    async make(call, body, as = 'administrator') {
      const answer = await ask(call, { body, as });
      if (answer.status >= 300) throw new Error(`${call} answered ${answer.status} ${answer.text}`);
      return answer.body;
    },
    restart(changed) {
      app = createApp({ ...served, config: configOf(changed, config) });
    },
    userId: (role) => ids.get(role) ?? 0,
    async close() {
      await release();
      await rm(data, { recursive: true, force: true });
    },
  };
}

interface UseOptions extends TestServerOptions {
  /** A new server for each test, for tests that inspect everything that is stored. */
  isFreshEachTime?: boolean;
}

/** A server for the tests of one `describe`, started before and closed after them. */
export function useTestServer(
  kind: DatabaseKind,
  overrides?: Partial<Config>,
  { isFreshEachTime = false, ...options }: UseOptions = {},
): () => TestServer {
  let server: TestServer | undefined;
  const [before, after] = isFreshEachTime ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    server = await startTestServer(kind, overrides, options);
  });
  after(() => server?.close());
  return () => {
    if (!server) throw new Error('the test server runs only during tests');
    return server;
  };
}

/** Migrates a database and adds an account of each role. */
async function fill(db: Database): Promise<void> {
  await migrate(db);
  const config = { ...readConfig({}), passwordCost: PASSWORD_COST };
  const created_utc = NOON.toISOString().slice(0, 19).replace('T', ' ');
  await db.transaction(async (trx) => {
    for (const role of ROLES) {
      const password_hash = await hashPassword(passwordOf(role), { config, random: randomBytes });
      await insertUser(trx, { username: role, email: `${role}@example.test`, password_hash, role, created_utc });
    }
  });
}

/** Templates of the databases of this worker's tests: SQLite files. */
const templates: { sqlite?: Promise<Buffer>; migrated?: Promise<Buffer> } = {};

const sqliteTemplate = (): Promise<Buffer> => {
  templates.sqlite ??= makeSqliteTemplate(fill);
  return templates.sqlite;
};

/** A database with an account of each role. */
interface FilledDatabase {
  db: Database;
  release(): Promise<void>;
}

async function copySqlite(data: string, template = sqliteTemplate()): Promise<FilledDatabase> {
  const file = join(data, 'marquee.db');
  await writeFile(file, await template, { mode: 0o600 });
  const db = openDatabase({ kind: 'sqlite', file });
  return { db, release: () => db.close() };
}

/** A migrated SQLite database without accounts. */
export async function openMigrated(): Promise<Database> {
  const data = await temporaryFolder('migrated');
  templates.migrated ??= makeSqliteTemplate(migrate);
  const { db, release } = await copySqlite(data, templates.migrated);
  const close = async () => {
    await release();
    await rm(data, { recursive: true });
  };
  return { ...db, close };
}

async function copyPostgres(postgresUrl: string): Promise<FilledDatabase> {
  const { url, drop } = await copyDatabase(postgresUrl, fillPostgres);
  const db = openDatabase({ kind: 'postgres', url, pool: 4 });
  const release = async () => {
    await db.close();
    await drop();
  };
  return { db, release };
}

/** Databases that the tests of this worker have used, and use again: new connections are slow at first. */
const returned: (FilledDatabase & { rows: FirstRows })[] = [];

async function borrowPostgres(postgresUrl: string): Promise<FilledDatabase> {
  const known = returned.pop();
  const copy = known ?? (await copyPostgres(postgresUrl));
  const rows = known?.rows ?? (await keepFirstRows(copy.db));
  if (known) await rows.restore();
  const release = async () => {
    if (await rows.hasSameTables()) returned.push({ ...copy, rows });
    else await copy.release();
  };
  return { db: copy.db, release };
}

async function makeSqliteTemplate(prepare: (db: Database) => Promise<unknown>): Promise<Buffer> {
  const folder = await temporaryFolder('template');
  const file = join(folder, 'marquee.db');
  const db = openDatabase({ kind: 'sqlite', file });
  await prepare(db);
  await db.close();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}

async function fillPostgres(url: string): Promise<void> {
  const db = openDatabase({ kind: 'postgres', url, pool: 1 });
  await fill(db);
  await db.close();
}

/** Name and password of the administrator of every test server. */
export const ADMIN = `administrator:${passwordOf('administrator')}`;
export const ADMIN_HEADER = `Basic ${btoa(ADMIN)}`;

interface ProcessDatabase {
  /** None of a file in the folder of the data, which processes use by default. */
  url?: string;
  /** Direct access. */
  open(): Database;
  drop(): Promise<void>;
}

/** A database for processes with an account of each role, which spares them the migrations and slow passwords. */
export async function databaseOfProcesses(
  kind: DatabaseKind,
  data: string,
  postgresUrl: string = kind === 'postgres' ? inject('postgresUrl') : '',
): Promise<ProcessDatabase> {
  if (kind === 'postgres') {
    const { url, drop } = await copyDatabase(postgresUrl, fillPostgres);
    return { url, drop, open: () => openDatabase({ kind, url, pool: 2 }) };
  }
  const file = join(data, 'marquee.db');
  await mkdir(data, { recursive: true, mode: 0o700 });
  await writeFile(file, await sqliteTemplate(), { mode: 0o600 });
  return { open: () => openDatabase({ kind, file }), drop: async () => undefined };
}

type Send = TestServer['request'];

/** Path of a namespace. The core namespace has only one. */
export const pathOfNamespace = (namespace: string, prefix = '/calendar'): string =>
  namespace === 'wp' ? '/wp-json/wp/v2' : `${prefix}/${namespace}/v1`;

async function send(
  request: Send,
  call: string,
  { as, query, body, form, stream, headers, from, prefix }: Asking,
): Promise<Answer> {
  const [, method, namespace = 'events', path = ''] = /^(\w+) (?:(\w+):)?(\S*)$/.exec(call) ?? [];
  const search = query
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
    : '';
  const credentials = as && `Basic ${Buffer.from(`${as}:${passwordOf(as)}`).toString('base64')}`;
  const init = {
    method,
    headers: {
      ...(credentials && { authorization: credentials }),
      ...((body ?? stream) !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: stream ?? form ?? (body === undefined ? undefined : JSON.stringify(body)),
    ...(stream && { duplex: 'half' as const }),
  };
  const response = await request(`${pathOfNamespace(namespace, prefix)}${path}${search}`, init, from);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text), text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
