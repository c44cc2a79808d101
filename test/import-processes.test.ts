import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { readImport, uploadImport, useOwnTemporaryFiles, workOnImports } from './import-runs.ts';
import { commandProcess } from './marquee-process.ts';
import { DATABASES, useTestServer } from './server.ts';
import { dumpOf } from './wordpress-files.ts';

/** Processes that share a database. */

const leftBehind = useOwnTemporaryFiles();

const EVENTS = 400;

/** Address of a database of PostgreSQL, for another process. */
async function urlOf({ query }: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(query);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${rows[0]?.name}`;
  return url.href;
}

describe.each(DATABASES)('on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });

  it('an import is finished by another process after kill -9', async () => {
    const posts = Array.from({ length: EVENTS }, (_none, index) => ({
      ...{ id: 100 + index, type: 'tribe_events', title: `Evening ${index}`, slug: `evening-${index}` },
      meta: [['_EventStartDate', '2027-02-03 19:00:00'] as const, ['_EventEndDate', '2027-02-03 21:00:00'] as const],
    }));
    const site = { home: 'https://lantern.example', options: {}, users: [], terms: [], posts };
    const id = await uploadImport(server(), 'site.sql', dumpOf(site));
    await workOnImports(server());
    await server().make(`POST admin:/imports/${id}/start`, {});
    const { db, config } = server().context;
    const count = async () => (await db.query.selectFrom('events').select('id').execute()).length;
    const worker = commandProcess(['work'], {
      ...{ MARQUEE_DATA: config.data, TMPDIR: tmpdir() },
      ...(kind === 'postgres' && { MARQUEE_DATABASE_URL: await urlOf(db) }),
    });
    while ((await count()) < 100) await delay(20);
    worker.signal('SIGKILL');
    await worker.ended;
    expect(await count()).toBeLessThan(EVENTS);
    expect(await readImport(server(), id)).toMatchObject({ state: 'importing' });
    // The claim of the killed process lapses; its clock was the real one.
    const [folder = ''] = await leftBehind();
    await utimes(join(tmpdir(), folder), 1, 1);
    await db.query.updateTable('jobs').set({ due_utc: '2026-01-01 00:00:00' }).execute();
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'finished', counts: { created: { event: EVENTS } } });
    expect(await count()).toBe(EVENTS);
    expect(await leftBehind()).toEqual([]);
  });
});
