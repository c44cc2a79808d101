import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { generate } from '../bench/generate.ts';
import { type Event, withDerived } from '../src/calendar/events/store.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { findIncompleteRecords } from '../src/db/integrity.ts';
import { migrate } from '../src/db/migrate.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { createDatabase } from './postgres.ts';
import { DATABASES, type DatabaseKind } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** More than one transaction writes. */
const PLAN = { events: 1100, now: '2026-11-21 17:00:00', seed: 5 };
const TABLES = [
  'events',
  'event_links',
  'linked_posts',
  'media',
  'records',
  'terms',
  'tickets',
  'translations',
] as const;

interface Filled {
  db: Database;
  /** Rows that the migrations made. */
  before: unknown[];
  close(): Promise<void>;
}

async function fill(kind: DatabaseKind): Promise<Filled> {
  const folder = await temporaryFolder('generator');
  const database = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
  const file = join(folder, 'marquee.db');
  const db = openDatabase(database ? { kind: 'postgres', url: database.url, pool: 2 } : { kind: 'sqlite', file });
  await migrate(db);
  const before = await definitionsOf(db);
  await generate(db, PLAN);
  return {
    db,
    before,
    async close() {
      await db.close();
      await database?.drop();
      await rm(folder, { recursive: true });
    },
  };
}

async function definitionsOf({ query, dialect }: Database): Promise<unknown[]> {
  const { rows } = await (dialect.kind === 'sqlite'
    ? sql`SELECT type, name, sql FROM sqlite_master ORDER BY type, name`
    : sql`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname`
  ).execute(query);
  return rows;
}

/** Each row as JSON; the order of columns depends on the database. */
async function contentOf({ query }: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await query.selectFrom(table).selectAll().execute();
    content[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return content;
}

describe('the generator of the benchmark', () => {
  const filled = new Map<DatabaseKind, Filled>();
  const on = (kind: DatabaseKind): Filled => {
    const found = filled.get(kind);
    if (!found) throw new Error(`nothing was generated on ${kind}`);
    return found;
  };
  beforeAll(async () => {
    for (const kind of DATABASES) filled.set(kind, await fill(kind));
  });
  afterAll(async () => {
    for (const { close } of filled.values()) await close();
  });

  it('makes the same calendar of the same plan, on either database', async () => {
    const content = await contentOf(on('sqlite').db);
    expect(content.events).toHaveLength(PLAN.events);
    expect(content.tickets?.length).toBeGreaterThan(0);
    expect(await contentOf(on('postgres').db)).toEqual(content);
  });

  it.each(DATABASES)('leaves nothing to complain of for doctor on %s', async (kind) => {
    expect(await findWrongCounters(on(kind).db)).toEqual([]);
    expect(await findIncompleteRecords(on(kind).db)).toEqual([]);
  });

  it.each(DATABASES)('leaves all indexes and triggers as they were on %s', async (kind) => {
    const { db, before } = on(kind);
    expect(await definitionsOf(db)).toEqual(before);
  });

  it('derives the keys of events as the server does', async () => {
    const events = await on('sqlite').db.query.selectFrom('events').selectAll().execute();
    const derived = events.map((event): Event => ({ ...event, ...withDerived(event) }));
    expect(derived).toEqual(events);
  });

  it.each(DATABASES)('lets each word of an event be found on %s', async (kind) => {
    const { query } = on(kind).db;
    const words = await sql<{ word: string }>`SELECT word FROM words`.execute(query);
    const known = new Set(words.rows.map(({ word }) => word));
    const texts = await query.selectFrom('events').select('search_text').execute();
    const missing = texts.flatMap(({ search_text }) => search_text.split(' ')).filter((word) => !known.has(word));
    expect(missing).toEqual([]);
  });
});
