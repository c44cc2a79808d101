import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type * as databases from '../src/db/database.ts';
import type { DatabaseAddress } from '../src/db/database.ts';
import type * as migrations from '../src/db/migrate.ts';
import { toUtc } from '../src/lib/dates/dates.ts';
import { createDatabase, startPostgres } from '../test/postgres.ts';
import { type DatabaseKind, WITHOUT_LIMITS } from '../test/server.ts';
import { fetchOnce } from './client.ts';
import type * as generator from './generate.ts';
import { memoryOf, type Running, startMarquee } from './process.ts';

const ROOT = join(import.meta.dirname, '..');

const ADMIN = 'admin:bench-password';
export const AUTHORIZATION = `Basic ${btoa(ADMIN)}`;

/** Data of a version; each of its servers gets a copy. */
export interface Original {
  kind: DatabaseKind;
  generated: generator.Generated;
  /** Ids and slugs of some public events. */
  events: { id: number; slug: string }[];
  /** Slugs of public venues. */
  venues: string[];
  /** Seconds that it took to write. */
  generatedIn: number;
  /** MiB that this process has taken at most by then. */
  generatorMemory?: number;
  /** A copy that nothing else uses, with a folder for the data. */
  copy(): Promise<{ address: DatabaseAddress; data: string }>;
  close(): Promise<void>;
}

/** More than any memory holds, and few enough to hand around. */
const EVENTS = 20_000;
const VENUES = 50;

export interface OriginalOptions {
  kind: DatabaseKind;
  events: number;
  /**
   * Checkout with the migrations and the generator, this one by default; a newer version migrates its copy when it
   * starts.
   */
  checkout?: string;
  /** A folder in which originals on SQLite stay, and in which they are found again. */
  keep?: string;
}

export async function makeOriginal(options: OriginalOptions): Promise<Original> {
  if (options.keep !== undefined && options.kind === 'sqlite') return keptOriginal(options, options.keep);
  const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'));
  const postgres = options.kind === 'postgres' ? await startPostgres() : undefined;
  const close = async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const copies = postgres ? postgresCopies(postgres.url) : sqliteCopies(folder);
    const address = await copies.first();
    const filled = await fillTimed(address, options);
    return { kind: options.kind, ...filled, copy: copier(copies, address, folder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the original in a folder, unless it is there already. */
async function keptOriginal(options: OriginalOptions, keep: string): Promise<Original> {
  await mkdir(keep, { recursive: true });
  const file = join(keep, `sqlite-${options.events}.db`);
  const about = `${file}.json`;
  let filled = await readFile(about, 'utf8').then(
    (text): Filled => JSON.parse(text),
    () => undefined,
  );
  if (!filled) {
    const unfinished = `${file}.new`;
    for (const leftover of [unfinished, `${unfinished}-wal`, `${unfinished}-shm`]) await rm(leftover, { force: true });
    filled = await fillTimed({ kind: 'sqlite', file: unfinished }, options);
    await rename(unfinished, file);
    await writeFile(about, JSON.stringify(filled));
  }
  const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'));
  return {
    kind: 'sqlite',
    ...filled,
    copy: copier(sqliteCopies(folder), { kind: 'sqlite', file }, folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Copies for sites in a folder. */
function copier(copies: Copies, original: DatabaseAddress, folder: string): Original['copy'] {
  let made = 0;
  return async () => {
    made += 1;
    const data = join(folder, `site-${made}`);
    await mkdir(data);
    return { address: await copies.next(original, made, data), data };
  };
}

interface Copies {
  first(): Promise<DatabaseAddress>;
  next(original: DatabaseAddress, number: number, data: string): Promise<DatabaseAddress>;
}

const sqliteCopies = (folder: string): Copies => ({
  first: async () => ({ kind: 'sqlite', file: join(folder, 'original.db') }),
  async next(original, _number, data) {
    const file = join(data, 'marquee.db');
    if (original.kind === 'sqlite') await copyFile(original.file, file);
    return { kind: 'sqlite', file };
  },
});

function postgresCopies(url: string): Copies {
  const name = `bench_${process.pid}`;
  const addressOf = async (made: Promise<{ url: string }>): Promise<DatabaseAddress> => ({
    kind: 'postgres',
    url: (await made).url,
    pool: 6,
  });
  return {
    first: () => addressOf(createDatabase(url, name)),
    next: (_original, number) => addressOf(createDatabase(url, `${name}_${number}`, name)),
  };
}

/** Closing SQLite writes its journal back: a server that migrates reads on from the journal, and slower. */
async function migrateCopy(address: DatabaseAddress, checkout: string): Promise<void> {
  const { openDatabase }: typeof databases = await loadFrom(checkout, 'src/db/database.ts');
  const { migrate }: typeof migrations = await loadFrom(checkout, 'src/db/migrate.ts');
  const db = openDatabase(address);
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
}

const loadFrom = (checkout: string, path: string) => import(pathToFileURL(join(checkout, path)).href);

/** Content of an original. */
type Filled = Pick<Original, 'generated' | 'events' | 'venues' | 'generatedIn' | 'generatorMemory'>;

async function fillTimed(address: DatabaseAddress, options: OriginalOptions): Promise<Filled> {
  const began = performance.now();
  const filled = await fill(address, options);
  const generatedIn = (performance.now() - began) / 1000;
  return { ...filled, generatedIn, generatorMemory: memoryOf(process.pid)?.peak };
}

async function fill(address: DatabaseAddress, { events: count, checkout = ROOT }: OriginalOptions) {
  const load = (path: string) => loadFrom(checkout, path);
  const { openDatabase }: typeof databases = await load('src/db/database.ts');
  const { migrate }: typeof migrations = await load('src/db/migrate.ts');
  const { generate }: typeof generator = await load('bench/generate.ts');
  const db = openDatabase(address);
  try {
    await migrate(db);
    const generated = await generate(db, { events: count, now: toUtc(new Date()) });
    const events = await db.query
      .selectFrom('events')
      .select(['id', 'slug'])
      .where('status', '=', 'publish')
      .where('password', '=', '')
      .orderBy('id')
      .limit(EVENTS)
      .execute();
    const venues = await db.query
      .selectFrom('linked_posts')
      .select('slug')
      .where('kind', '=', 'venue')
      .where('status', '=', 'publish')
      .orderBy('id')
      .limit(VENUES)
      .execute();
    return { generated, events, venues: venues.map(({ slug }) => slug) };
  } finally {
    await db.close();
  }
}

export interface SiteOptions {
  checkout?: string;
  core?: number;
  nodeArgs?: readonly string[];
  /** Additional settings of the server. */
  settings?: Readonly<Record<string, string>>;
  /** Changes the copy before the server starts. */
  prepare?(address: DatabaseAddress): Promise<void>;
}

/** Disables the response cache. Versions without one ignore it. */
export const WITHOUT_MEMORY = { MARQUEE_CACHE_MB: '0' };

export interface Site extends Running {
  /** Seconds from the start to the first list of events. */
  firstResponse: number;
}

/** A server of some version on a copy of its own, which that version has migrated before. */
export async function startSite(
  original: Original,
  { settings, prepare, ...options }: SiteOptions = {},
): Promise<Site> {
  const { address, data } = await original.copy();
  await migrateCopy(address, options.checkout ?? ROOT);
  await prepare?.(address);
  const url = address.kind === 'sqlite' ? `sqlite:${address.file}` : address.url;
  if (address.kind === 'postgres') await vacuum(address.url);
  const own = { MARQUEE_DATA: data, MARQUEE_DATABASE_URL: url, MARQUEE_ADMIN: ADMIN, MARQUEE_PER_PAGE: '10' };
  const began = performance.now();
  const server = await startMarquee({ ...own, ...WITHOUT_LIMITS, ...settings }, options);
  await fetchOnce({ url: `${server.address}/calendar/events/v1/events` });
  return { ...server, firstResponse: (performance.now() - began) / 1000 };
}

/** Does the work of autovacuum after the migrations of a newer version. */
async function vacuum(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
