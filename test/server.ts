import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Role } from '../src/http/auth.ts';
import { hashPassword } from '../src/resources/users/passwords.ts';
import { insertUser } from '../src/resources/users/store.ts';
import { createDatabase } from './postgres.ts';

/** The databases every test of the interface runs on. */
export const DATABASES = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof DATABASES)[number];

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
  body: any;
  text: string;
}

/** The body of an answer without the id of its request. */
export function bodyOf({ body }: Answer): Answer['body'] {
  if (body?.data?.request_id === undefined) return body;
  const { request_id: _id, ...data } = body.data;
  return { ...body, data };
}

export interface Asking {
  /** Whose credentials the request brings; nobody's by default. */
  as?: Role;
  query?: Record<string, string | number | boolean>;
  /** Sent as JSON. */
  body?: unknown;
  form?: URLSearchParams | FormData;
  /** Sent as JSON in pieces; it may never end. */
  stream?: ReadableStream;
  headers?: Record<string, string>;
  /** Address the connection comes from; 127.0.0.1 unless the test is about addresses. */
  from?: string;
  /** What stands before `/events/v1`: `/calendar` unless the test is about prefixes. */
  prefix?: string;
}

export interface TestServer {
  context: Context;
  /** The instant the server believes in; tests move it. */
  clock: { now: Date };
  /** Sends `GET /events` to the calendar namespace, `GET admin:/users` to the admin one. */
  ask(call: string, asking?: Asking): Promise<Answer>;
  /** As `ask`, for a step that has to succeed; gives the body. */
  make(call: string, body: unknown, as?: Role): Promise<Answer['body']>;
  /** The whole application, for requests outside the namespaces. */
  request(path: string, init?: RequestInit, from?: string): Promise<Response>;
  /** Starts the application anew, on the same data with other settings. */
  restart(overrides: Partial<Config>): void;
  /** Id of the account of a role. */
  userId(role: Role): number;
  close(): Promise<void>;
}

export const NOON = new Date('2026-11-21T17:00:00Z');
const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door'];
const passwordOf = (role: Role) => `${role}-password`;

/** Everything in these tests comes from one address. Those of limits name their own. */
export const WITHOUT_LIMITS = {
  MARQUEE_HELD_PER_ADDRESS: '0',
  MARQUEE_CARTS_PER_ADDRESS: '0',
  MARQUEE_OPEN_ORDERS: '0,0',
  MARQUEE_CART_RATE: '0,0',
};

/**
 * The whole application on an empty database with one account of each role, in New York at noon.
 * @param postgresUrl a server to make databases on, where that of the test run is not to be had
 */
export async function startTestServer(
  kind: DatabaseKind,
  overrides: Partial<Config> = {},
  postgresUrl = kind === 'postgres' ? inject('postgresUrl') : '',
): Promise<TestServer> {
  const data = await mkdtemp(join(tmpdir(), 'marquee-test-'));
  await mkdir(join(data, 'uploads'));
  const { db, drop } = await openMigrated(kind, data, postgresUrl);
  const config = {
    ...readConfig(WITHOUT_LIMITS),
    data,
    passwordCost: 2 ** 4,
    timezone: 'America/New_York',
    ...overrides,
  };
  const clock = { now: NOON };
  const context: Context = { config, db, log: pino({ level: 'silent' }), now: () => clock.now, random: randomBytes };
  const ids = new Map<Role, number>();
  for (const role of ROLES) ids.set(role, await insertAccount(context, role));
  let app = createApp(context);
  const request = async (path: string, init?: RequestInit, from?: string) =>
    app.request(path, init, from === undefined ? {} : { incoming: { socket: { remoteAddress: from } } });
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
      app = createApp({ ...context, config: { ...config, ...changed } });
    },
    userId: (role) => ids.get(role) ?? 0,
    async close() {
      await db.close();
      await drop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** A server for the tests of one `describe`: started before them, closed after them. */
export function useTestServer(kind: DatabaseKind, overrides?: Partial<Config>): () => TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(kind, overrides);
  });
  afterAll(() => server?.close());
  return () => {
    if (!server) throw new Error('the test server runs only during tests');
    return server;
  };
}

async function insertAccount({ db, config, random, now }: Context, role: Role): Promise<number> {
  const password_hash = await hashPassword(passwordOf(role), { config, random });
  const created_utc = now().toISOString().slice(0, 19).replace('T', ' ');
  const user = await insertUser(db, {
    username: role,
    email: `${role}@example.test`,
    password_hash,
    role,
    created_utc,
  });
  return user.id;
}

/** One migrated database of this worker, which the databases of its tests are copies of. */
let template: Promise<string> | undefined;

async function openMigrated(
  kind: DatabaseKind,
  data: string,
  postgresUrl: string,
): Promise<{ db: Database; drop(): Promise<void> }> {
  if (kind === 'sqlite') {
    const db = openDatabase({ kind, file: join(data, 'marquee.db') });
    await migrate(db);
    return { db, drop: async () => undefined };
  }
  template ??= makeTemplate(postgresUrl);
  const { url, drop } = await createDatabase(postgresUrl, undefined, await template);
  return { db: openDatabase({ kind, url, pool: 4 }), drop };
}

async function makeTemplate(postgresUrl: string): Promise<string> {
  const { url } = await createDatabase(postgresUrl);
  const db = openDatabase({ kind: 'postgres', url, pool: 1 });
  await migrate(db);
  await db.close();
  return new URL(url).pathname.slice(1);
}

type Send = TestServer['request'];

async function send(
  request: Send,
  call: string,
  { as, query, body, form, stream, headers, from, prefix = '/calendar' }: Asking,
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
  const response = await request(`${prefix}/${namespace}/v1${path}${search}`, init, from);
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
