import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ical from 'ical.js';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Tables } from '../../db/tables.ts';
import { exportCommand } from '../../server/cli/export.ts';
import { EXPORTED_FILES, rowsOf } from './table-rows.ts';

const EVENT = { start_date: '2027-03-01 19:00', end_date: '2027-03-01 21:00' };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe.each(DATABASES)('an export on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const run = async (...args: string[]) => {
    const folder = join(await temporaryFolder('export'), 'all');
    return { folder, ...(await runCommand(exportCommand, server().context, [folder, ...args])) };
  };
  const json = async (folder: string, name: string) =>
    JSON.parse(await readFile(join(folder, 'json', `${name}.json`), 'utf8'));

  it('has everything, in files that only its owner reads', async () => {
    const { make, ask } = server();
    const form = new FormData();
    form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
    const { body: image } = await ask('POST wp:/media', { as: 'administrator', form });
    const event = await make('POST /events', {
      ...{ ...EVENT, title: '=1+1', cost: ['10', '20'], venue: { venue: 'Old Mill', city: 'Nordhafen' } },
      ...{ organizer: { organizer: 'Anna' }, categories: ['Music'], tags: ['new'], image: image.id },
    });
    await make('POST /events', { ...EVENT, title: 'Locked', status: 'draft', post_password: 'lantern-oil' });
    await make('POST /series', {
      event: { ...EVENT, title: 'Pottery', post_password: 'clay-secret' },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    });
    await makeSeat(server(), event.id, 5);
    const { folder, status, errors, out } = await run();
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    expect(out).toContain('json/events.json: 5');

    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 'marquee-export', version: 1, missing: [] });
    expect(manifest.files).toMatchObject({
      ...{ 'json/venues.json': 1, 'json/organizers.json': 1, 'json/categories.json': 1, 'json/series.json': 1 },
      ...{ 'csv/events.csv': 5, 'ical/events-001.ics': 4, media: 1 },
    });
    const events = await json(folder, 'events');
    expect(events[0]).toMatchObject({ id: event.id, title: '=1+1', cost: ['10', '20'], image_id: image.id });
    expect((await json(folder, 'venues'))[0]).toMatchObject({ title: 'Old Mill', attributes: { city: 'Nordhafen' } });
    expect((await readFile(join(folder, 'csv/events.csv'), 'utf8')).split('\r\n')).toContainEqual(
      expect.stringMatching(new RegExp(`^${event.id},'=1\\+1,`)),
    );
    const calendar = ical.Component.fromString(await readFile(join(folder, 'ical/events-001.ics'), 'utf8'));
    expect(calendar.getAllSubcomponents('vevent').map((one) => one.getFirstPropertyValue('summary'))).toContain('=1+1');
    const [{ file }] = await json(folder, 'media');
    expect((await stat(join(folder, 'media', file))).size).toBeGreaterThan(0);

    const modes = await Promise.all((await filesIn(folder)).map(async (path) => (await stat(path)).mode & 0o077));
    // Copies of images have the rights of the originals, in a folder that others cannot enter.
    expect(modes.filter((mode) => mode !== 0).length).toBeLessThanOrEqual(1);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('has each column of each row, except those that are left out', async () => {
    const { db } = server().context;
    await server().make('POST /events', { ...EVENT, title: 'Whole', description: '"quoted"\n,\u2028end' });
    const { folder } = await run('--only', 'json');
    const [stored] = (
      await sql<Record<string, unknown>>`SELECT * FROM events ORDER BY id DESC LIMIT 1`.execute(db.query)
    ).rows;
    const { password: _p, title_key: _t, search_text: _s, cost, ...rest } = stored ?? {};
    expect((await json(folder, 'events')).at(-1)).toEqual({ ...rest, cost: JSON.parse(String(cost)) });
  });

  it('reads long tables in parts, each row once', async () => {
    const { db } = server().context;
    const links = Array.from({ length: 1001 }, (_, index) => ({
      ...{ event_id: 1 + (index % 3), kind: index % 2 ? 'tag' : 'category', target_id: 10_000 + index, position: 0 },
    }));
    const file = EXPORTED_FILES.find(({ name }) => name === 'event-links');
    if (!file) throw new Error('there is no such file');
    const before = await Array.fromAsync(rowsOf(db, file));
    await server().make('POST /events', { ...EVENT, title: 'Linked' });
    const { id } = await db.query
      .selectFrom('events')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const times = { status: 'publish', hide_from_listings: 0 as const, utc_start_date: '', start_date: '' };
    for (let from = 0; from < links.length; from += 200)
      await db.query
        .insertInto('event_links')
        .values(
          links
            .slice(from, from + 200)
            .map((link) => ({ ...link, ...times, event_id: id, utc_end_date: '', end_date: '' }) as never),
        )
        .execute();
    const rows = await Array.fromAsync(rowsOf(db, file));
    expect(rows).toHaveLength(before.length + 1001);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    await db.query.deleteFrom('event_links').where('event_id', '=', id).execute();
  });

  it('never has a secret', async () => {
    const { db } = server().context;
    const planted: [keyof Tables, string][] = [
      ['users', 'password_hash'],
      ['users', 'totp_secret'],
      ['events', 'password'],
      ['attendees', 'security_code'],
    ];
    const event = await server().make('POST /events', { ...EVENT, title: 'Planted' });
    await makeAttendee(server(), await makeSeat(server(), event.id, 5));
    for (const [table, column] of planted)
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${`planted-${table}-${column}`}`.execute(db.query);
    const { folder, status } = await run();
    expect(status).toBe(0);
    const texts = await Promise.all((await filesIn(folder)).map((path) => readFile(path, 'utf8')));
    expect(texts.filter((text) => /planted-|clay-secret|lantern-oil/.test(text))).toEqual([]);
  });

  it('names images whose files are missing', async () => {
    const { ask, context } = server();
    const form = new FormData();
    form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'lost.png');
    await ask('POST wp:/media', { as: 'administrator', form });
    const { file } = await context.db.query
      .selectFrom('media')
      .select('file')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await rm(join(context.config.data, 'uploads', file));
    const { out, status } = await run('--only=media');
    expect([status, out]).toEqual([0, expect.arrayContaining([`Missing in the uploads folder: ${file}`])]);
  });

  it('refuses a folder with files, and unknown parts', async () => {
    const folder = await temporaryFolder('export-full');
    await writeFile(join(folder, 'letter.txt'), 'mine');
    const full = await runCommand(exportCommand, server().context, [folder]);
    expect([full.status, full.errors]).toEqual([1, [`The folder is not empty: ${folder}`]]);
    const unknown = await run('--only=xml');
    expect([unknown.status, unknown.errors]).toEqual([
      ...[1, ['--only takes json, csv, ical, media, separated by commas.']],
    ]);
  });
});

describe('tables of an export', () => {
  const server = useTestServer('sqlite');
  it('are sorted by a key that no two rows share', async () => {
    const { db } = server().context;
    for (const { rules } of EXPORTED_FILES) {
      const { rows } = await sql<{ name: string; pk: number }>`
        SELECT name, pk FROM pragma_table_info(${rules.table})`.execute(db.query);
      const primary = rows.filter(({ pk }) => pk > 0).map(({ name }) => name);
      expect([rules.table, rules.key.toSorted()]).toEqual([rules.table, primary.toSorted()]);
      const columns = new Set(rows.map(({ name }) => name));
      expect([...rules.json].filter((name) => !columns.has(name))).toEqual([]);
    }
  });
});
