import { randomBytes } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { type Database, openDatabase } from './db/database.ts';
import { isUnavailable } from './db/dialect.ts';
import { migrate } from './db/migrate.ts';
import { publishDue } from './resources/events/schedule.ts';
import { ensureAdministrator } from './resources/users/store.ts';

/** A start that cannot succeed; the message says why and what to do. */
export class StartError extends Error {}

export interface OpenContext extends Context {
  close(): Promise<void>;
}

/** Seconds a database may be out of reach at the start. */
const PATIENCE = 30;

/** Opens the database, waiting for one that is still starting, and brings it to the newest shape. */
export async function openContext(config: Config): Promise<OpenContext> {
  const log = pino({ level: config.logLevel });
  await prepareFolder(config.data);
  const db = await openMigrated(config, log);
  return { config, db, log, now: () => new Date(), random: randomBytes, close: () => db.close() };
}

/** The folder of the data has to be there and writable, also when the records are in PostgreSQL. */
async function prepareFolder(data: string): Promise<void> {
  try {
    await mkdir(join(data, 'uploads'), { recursive: true });
    await access(data, constants.W_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(`MARQUEE_DATA ${data} cannot be written to (${reason}).`);
  }
}

async function openMigrated(config: Config, log: Context['log']): Promise<Database> {
  const deadline = Date.now() + PATIENCE * 1000;
  for (let pause = 250; ; pause = Math.min(pause * 2, 4000)) {
    let db: Database | undefined;
    try {
      db = openDatabase(config.database);
      await migrate(db);
      return db;
    } catch (error) {
      await db?.close().catch(() => undefined);
      if (!isUnavailable(error)) throw error;
      if (Date.now() + pause > deadline) throw new StartError(unreachable(config, error));
      log.warn({ reason: (error as Error).message }, 'database not reachable yet, trying again');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function unreachable({ database }: Config, error: unknown): string {
  const reason = error instanceof Error && error.message ? error.message : String((error as { code?: unknown }).code);
  const where = database.kind === 'sqlite' ? database.file : new URL(database.url).host;
  return `The database at ${where} could not be reached for ${PATIENCE} seconds (${reason}). Check MARQUEE_DATABASE_URL and MARQUEE_DATA.`;
}

export interface RunningServer {
  address: string;
  close(): Promise<void>;
}

/** Milliseconds between two looks for events whose publication date has come. */
const SCHEDULE_INTERVAL = 15_000;
/** Milliseconds that requests in flight have to finish. */
const GRACE = 10_000;

export async function startServer(context: OpenContext, print: (line: string) => void): Promise<RunningServer> {
  const { config, log } = context;
  const generated = await ensureAdministrator(context);
  if (generated) {
    print(`The first administrator is "${generated.name}" with the password ${generated.password}`);
    print('It is shown this once. Change it with: npx marquee user password admin');
  }
  const publish = () =>
    publishDue(context).catch((error: unknown) => log.error({ err: error }, 'publishing scheduled records failed'));
  await publish();
  const timer = setInterval(publish, SCHEDULE_INTERVAL).unref();
  const server = createAdaptorServer({ fetch: createApp(context).fetch });
  const address = await listen(server, config);
  return {
    address,
    async close() {
      clearInterval(timer);
      await closeServer(server);
      await context.close();
    },
  };
}

async function listen(server: ServerType, config: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(listenProblem(config, error))));
    server.listen(config.port, config.host, resolve);
  });
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

function listenProblem({ host, port }: Config, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return `MARQUEE_PORT ${port} is already in use on ${host}; choose another one.`;
  if (error.code === 'EACCES') return `MARQUEE_PORT ${port} may not be used by this account; choose one above 1023.`;
  return `MARQUEE_HOST ${host} cannot be listened on (${error.code ?? error.message}).`;
}

/** Lets the requests in flight finish, and closes connections that wait for another one. */
async function closeServer(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), GRACE);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
