import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { launchServer, type StartingServer } from './postgres-server.ts';

/**
 * Milliseconds since this process or worker began. A start takes half a second, or a few on a busy machine; after this
 * it has failed, and waiting again in every test would hide why.
 */
const STARTED_BY = 15_000;

export type Postgres = {
  /** URL of the maintenance database; `createDatabase` creates databases for tests. */
  url: string;
  stop(): Promise<void>;
};

/**
 * The server of TEST_DATABASE_URL (an account that may create databases), or a new, empty one that is removed on
 * `stop` and when this process ends.
 */
export async function startPostgres(): Promise<Postgres> {
  const { url, ready, stop } = await launchPostgres();
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** As `startPostgres`, but returns the URL while the server still starts. */
export async function launchPostgres(): Promise<StartingServer> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, ready: Promise.resolve(), stop: async () => {} } : launchServer();
}

export type Database = {
  url: string;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
};

/**
 * A new database on the server at `url`, which may still be starting. It is a copy of `template`: an empty database
 * by default, or a migrated one (which must not have connections meanwhile).
 */
export async function createDatabase(
  url: string,
  name = `test_${randomUUID().replaceAll('-', '')}`,
  template = 'template0',
): Promise<Database> {
  const quoted = pg.escapeIdentifier(name);
  await runOnServer(url, `CREATE DATABASE ${quoted} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY file_copy`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => runOnServer(url, `DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`) };
}

/** Name of the template on each server, the same for all workers of a run. */
const TEMPLATE = `test_template_${process.env.TEST_RUN ?? randomUUID()}`;
const templates = new Map<string, Promise<void>>();

/** A copy of a database that `fill` has filled, once for all workers of a run. */
export async function copyDatabase(url: string, fill: (url: string) => Promise<void>): Promise<Database> {
  const template = templates.get(url) ?? ensureTemplate(url, fill);
  templates.set(url, template);
  await template;
  return createDatabase(url, undefined, TEMPLATE);
}

async function ensureTemplate(url: string, fill: (url: string) => Promise<void>): Promise<void> {
  const client = await connect(url);
  try {
    // Held until the connection ends.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [TEMPLATE]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount) return;
    const begun = `${TEMPLATE}_begun`;
    await fill((await createDatabase(url, begun)).url);
    const [from, to] = [begun, TEMPLATE].map(pg.escapeIdentifier);
    await client.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
  } finally {
    await client.end();
  }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Waits for a server that is still starting. */
async function connect(url: string): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isStarting(error) || performance.now() > STARTED_BY) throw error;
      await delay(25);
    }
  }
}

/** 57P03 is PostgreSQL's "the database system is starting up". */
function isStarting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === '57P03');
}
