import { randomBytes } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import type { Context } from '../base/context.ts';
import { type Log, openLog } from '../base/log.ts';
import { chosenConfig } from '../base/site-config.ts';
import {
  connectWithRetry,
  type Database,
  type DatabaseAddress,
  openDatabase,
  STARTUP_TIMEOUT_MS,
} from '../db/database.ts';
import { isBusy, isDamaged, isLoginRejected, isUnavailable, isUnusableFile } from '../db/errors.ts';
import { migrate } from '../db/migrate.ts';
import { ensureSecret } from '../db/site-secret.ts';
import { ensureFirstLanguage } from '../db/site-settings.ts';
import { makeDatabasePrivate } from '../db/sqlite.ts';
import { makePrivate, makeTreePrivate, PRIVATE_FOLDER } from '../lib/private-files.ts';
import { type SiteKey, siteKeysOf } from '../lib/site-keys.ts';

/** A failed start, of the server or of its workers; the message tells the operator the reason and the remedy. */
export class StartError extends Error {}

/** Context that its owner must close. */
export interface OpenContext extends Context {
  /** Adds a log line of another process. */
  writeLine: Log['writeLine'];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Accepts a database whose first language differs from the configured one. */
  anyLanguage?: boolean;
  /** Allows a missing or different secret, for work that derives no keys. */
  anySecret?: boolean;
  /** No statement timeout: the operator can interrupt the command. */
  isCommand?: boolean;
}

/**
 * Opens the database, waiting for it to start if necessary, and migrates it to the newest schema.
 * @throws {StartError} for a problem that the operator can fix
 */
export async function openContext(config: Config, openOptions: OpenOptions = {}): Promise<OpenContext> {
  const log = openLog(config.logLevel);
  await prepareFolder(config.data);
  const { db, siteKey } = await openMigrated(config, log.log, openOptions);
  const exposed = makeDataPrivate(config);
  if (exposed.length > 0 && !openOptions.isCommand) {
    log.log.warn({ paths: exposed.slice(0, 10), count: exposed.length }, 'other accounts may read data of this server');
  }
  return openedContext(config, { db, siteKey }, log);
}

/** Like `openContext`, for a process of a server whose folder and database are already prepared. */
export async function openPrepared(config: Config): Promise<OpenContext> {
  const db = openWithMemory(config);
  try {
    const siteKey = await settleKeys(db, config);
    return await openedContext(config, { db, siteKey }, openLog(config.logLevel));
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

/** Half of the memory caches rendered records, half whole responses. */
const openWithMemory = ({ database, cacheBytes }: Config, address = database): Database =>
  openDatabase(address, { memoryBytes: cacheBytes / 2 });

/** A database with the keys of its site. */
type OpenSite = Pick<Context, 'db' | 'siteKey'>;

async function openedContext(
  config: Config,
  { db, siteKey }: OpenSite,
  { log, flush, writeLine }: Log,
): Promise<OpenContext> {
  const close = async () => {
    await db.close();
    await flush();
  };
  const present = await chosenConfig(config, db);
  return { config: present, db, log, writeLine, now: () => new Date(), random: randomBytes, siteKey, close };
}

/** Returns the paths whose permissions could not be changed. */
function makeDataPrivate({ data, database }: Config): string[] {
  const folder = makePrivate(data) ? [] : [data];
  const files = database.kind === 'sqlite' ? makeDatabasePrivate(database.file) : [];
  return [...folder, ...files, ...makeTreePrivate(join(data, 'uploads'))];
}

/** The data folder must exist and be writable even if the records are in PostgreSQL. */
async function prepareFolder(data: string): Promise<void> {
  try {
    await mkdir(join(data, 'uploads'), { recursive: true, mode: PRIVATE_FOLDER });
    await access(data, constants.W_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(`MARQUEE_DATA ${data} cannot be written to (${reason}).`);
  }
}

async function openMigrated(config: Config, log: Context['log'], openOptions: OpenOptions): Promise<OpenSite> {
  const attempt = async () => {
    const db = openWithMemory(config, withoutTimeout(config.database));
    try {
      await migrate(db);
      if (!openOptions.anyLanguage) await checkLanguage(db, await chosenConfig(config, db));
      const siteKey = openOptions.anySecret ? noKey : await settleKeys(db, config);
      if (openOptions.isCommand || config.database.kind === 'sqlite') return { db, siteKey };
      await db.close();
      return { db: openWithMemory(config), siteKey };
    } catch (error) {
      await db.close().catch(() => undefined);
      throw error;
    }
  };
  try {
    return await connectWithRetry(attempt, {
      now: () => performance.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onRetry: (error) => log.warn({ reason: reasonOf(error) }, 'database not reachable yet, trying again'),
    });
  } catch (error) {
    throw databaseProblem(config, error) ?? error;
  }
}

/** Migrations and commands may take longer than any request on large databases. */
const withoutTimeout = (address: DatabaseAddress): DatabaseAddress =>
  address.kind === 'postgres' ? { ...address, timeout: undefined } : address;

/** Refuses a first language that differs from the language of the stored texts. */
async function checkLanguage(db: Database, { languages: [first = 'en'] }: Config): Promise<void> {
  const settled = await ensureFirstLanguage(db, first);
  if (settled === first) return;
  throw new StartError(
    `MARQUEE_LANGUAGES begins with ${first}, but the records' own texts are in ${settled}: ` +
      `put ${settled} first, or run "npx marquee first-language ${first}".`,
  );
}

/** Refuses a secret that differs from the one of the database. */
async function settleKeys(db: Database, { secret: given }: Config): Promise<SiteKey> {
  const secret = await ensureSecret(db, { given, random: randomBytes });
  if (secret !== undefined) return siteKeysOf(secret);
  const problem = given === undefined ? 'is missing' : 'is not the one that this database was started with';
  throw new StartError(
    `MARQUEE_SECRET ${problem}: set that one, or run "npx marquee forget-secret", which voids the links to all orders.`,
  );
}

const noKey: SiteKey = () => {
  throw new Error('a command that needs no secret derived a key');
};

/** A host with several addresses gives one AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Describes a problem that the operator can fix; undefined for others. */
export function databaseProblem({ database }: Config, error: unknown): StartError | undefined {
  const reason = reasonOf(error);
  if (database.kind === 'sqlite') return fileProblem(database.file, error);
  const { host } = new URL(database.url);
  if (isDamaged(error)) return new StartError(`The database at ${host} is damaged (${reason}): restore the backup.`);
  if (isUnavailable(error))
    return new StartError(
      `The database at ${host} cannot be reached (${reason}), even after ${STARTUP_TIMEOUT_MS / 1000} seconds at the start; ` +
        'check MARQUEE_DATABASE_URL.',
    );
  if (isLoginRejected(error))
    return new StartError(`The database at ${host} refuses MARQUEE_DATABASE_URL (${reason}).`);
  return undefined;
}

function fileProblem(file: string, error: unknown): StartError | undefined {
  if (!isUnusableFile(error)) return undefined;
  return new StartError(`The database file ${file} cannot be used (${reasonOf(error)}); ${adviceFor(file, error)}.`);
}

function adviceFor(file: string, error: unknown): string {
  if (isBusy(error)) return 'another program keeps it locked';
  if (!isDamaged(error)) return 'check MARQUEE_DATABASE_URL and MARQUEE_DATA';
  return (
    'check MARQUEE_DATABASE_URL and MARQUEE_DATA, and if it is the right file, it is damaged: ' +
    `restore the backup, or save what can be read with: sqlite3 ${file} .recover`
  );
}
