import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  attemptImports,
  readImport,
  runImport,
  sendPart,
  uploadImport,
  workOnImports,
} from '../../../test/import-runs.ts';
import { commandProcess } from '../../../test/marquee-process.ts';
import { listed, type OldSite, siteWith } from '../../../test/old-sites.ts';
import { type Answer, BOTH_DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { dumpOf, exportOf, type WordpressPost, type WordpressSite } from '../../../test/wordpress-files.ts';
import { findIncompleteRecords } from '../../db/integrity.ts';
import { eraseImports } from './erase.ts';

const HOME = 'https://lantern.example';

const eventPost = (id: number, title: string): WordpressPost => ({
  ...{ id, type: 'tribe_events', title, slug: title.toLowerCase().replaceAll(' ', '-') },
  meta: [
    ['_EventStartDate', '2027-02-03 19:00:00'],
    ['_EventEndDate', '2027-02-03 21:00:00'],
    ['_EventTimezone', 'Europe/Berlin'],
  ],
});

/** A site with some events, one of which has no start. */
const siteOf = (count: number): WordpressSite => ({
  home: HOME,
  options: { timezone_string: 'Europe/Berlin' },
  users: [],
  terms: [{ id: 5, taxonomy: 'tribe_events_cat', name: 'Music', slug: 'music' }],
  posts: [
    { id: 60, type: 'tribe_venue', title: 'Old Mill', slug: 'old-mill' },
    { id: 99, type: 'tribe_events', title: 'Without a start', slug: 'without' },
    ...Array.from({ length: count }, (_none, index) => eventPost(100 + index, `Evening ${index}`)),
  ],
});

const CSV = [
  'Event Name,Event Start Date,Event Start Time,Event Venue Name,Remark',
  'Tea,2027-10-02,19:30,Old Mill,no',
  "'=1+1 day,2027-10-03,,Old Mill,no",
  'No start,,,,',
].join('\r\n');
const ICS = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:talk@example.org', 'SUMMARY:Talk'],
  ...['DTSTART:20270301T180000Z', 'DURATION:PT1H', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n');

const LARGE = 90_000;

const leftBehind = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('marquee-import-'));

const opened: OldSite[] = [];
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close();
});

describe.each(BOTH_DATABASES)('imports that the server runs on %s', (kind) => {
  const imageHosts: string[] = [];
  const server = useTestServer(kind, { timezone: 'Europe/Berlin', imageHosts }, { isFreshEachTime: true });
  afterEach(() => {
    server().clock.now = NOON;
  });
  const ask = (call: string, body?: unknown, query?: Record<string, string | number>): Promise<Answer> =>
    server().ask(call, { as: 'administrator', ...(body !== undefined && { body }), ...(query && { query }) });
  const rowsOf = async (id: number, list: 'plan' | 'findings', query = {}) =>
    (await ask(`GET admin:/imports/${id}/${list}`, undefined, query)).body[list];
  const titles = async () =>
    (await server().context.db.query.selectFrom('events').select('title').orderBy('title').execute()).map(
      ({ title }) => title,
    );
  const upload = (name: string, content: string | Uint8Array, choices?: object) =>
    uploadImport(server(), name, content, choices);

  it('takes a table by upload, shows its columns and its plan, and imports it', async () => {
    const id = await upload('Evenings 2027.csv', CSV);
    await workOnImports(server());
    const mapping = await readImport(server(), id);
    expect(mapping).toMatchObject({ state: 'mapping', kind: 'csv', size: CSV.length, received: CSV.length });
    expect(mapping.columns).toEqual([
      { heading: 'Event Name', field: 'title', samples: ['Tea', "'=1+1 day", 'No start'] },
      { heading: 'Event Start Date', field: 'start_date', samples: ['2027-10-02', '2027-10-03', ''] },
      { heading: 'Event Start Time', field: 'start_time', samples: ['19:30', '', ''] },
      { heading: 'Event Venue Name', field: 'venue', samples: ['Old Mill', 'Old Mill', ''] },
      { heading: 'Remark', field: '', samples: ['no', 'no', ''] },
    ]);
    const columns = ['title', 'start_date', 'start_time', 'venue', ''];
    for (const wrong of [['title'], ['title', '', '', '', ''], ['title', 'title', 'start_date', '', ''], 5, [5]])
      expect((await ask(`POST admin:/imports/${id}/columns`, { columns: wrong })).status).toBe(400);
    expect((await ask(`POST admin:/imports/${id}/start`)).body.code).toBe('import-not-ready');
    expect((await ask(`POST admin:/imports/${id}/columns`, { columns })).body.state).toBe('planning');
    await workOnImports(server());
    const planned = await readImport(server(), id);
    expect(planned).toMatchObject({
      state: 'planned',
      total: 4,
      planned: { created: { event: 2, venue: 1 }, cannot: { event: 1 } },
      is_startable: true,
    });
    expect(await titles()).toEqual([]);
    expect(await rowsOf(id, 'plan')).toMatchObject([
      { number: 1, action: 'create', kind: 'venue', title: 'Old Mill', record: null },
      { action: 'create', kind: 'event', title: 'Tea', foreign_id: 2 },
      { action: 'create', kind: 'event', title: '=1+1 day' },
      { action: 'cannot', kind: 'event', title: 'No start', notes: [{ code: 'no-start', detail: '' }] },
    ]);
    expect(await rowsOf(id, 'plan', { action: 'cannot' })).toHaveLength(1);
    expect(await rowsOf(id, 'plan', { kind: 'event', noted: 'false', per_page: 1 })).toMatchObject([{ title: 'Tea' }]);

    // Another column is chosen; then the plan is another one.
    const others = ['title', 'start_date', '', '', 'venue'];
    expect((await ask(`POST admin:/imports/${id}/columns`, { columns: others })).status).toBe(200);
    await workOnImports(server());
    expect((await rowsOf(id, 'plan'))[0]).toMatchObject({ kind: 'venue', title: 'no' });
    await ask(`POST admin:/imports/${id}/columns`, { columns });
    const done = await runImport(server(), id);
    expect(done).toMatchObject({
      ...{ state: 'finished', counts: { created: { event: 2, venue: 1 }, cannot: { event: 1 } }, problem: '' },
      findings: [{ code: 'no-start', count: 1 }],
    });
    expect(await titles()).toEqual(['=1+1 day', 'Tea']);
    expect(await rowsOf(id, 'findings')).toMatchObject([{ kind: 'line', foreign_id: 4, code: 'no-start' }]);
    expect((await rowsOf(id, 'plan', { kind: 'event' }))[0].record).toMatchObject({ kind: 'event' });
    expect(await leftBehind()).toEqual([]);
    const { query } = server().context.db;
    expect(await query.selectFrom('import_chunks').selectAll().execute()).toEqual([]);
    const entries = await query.selectFrom('audit').selectAll().where('kind', '=', 'event').execute();
    expect(entries.map(({ user_name, request_id }) => `${user_name} ${request_id.replace(/\d+/, 'N')}`)).toEqual([
      'administrator import-N',
      'administrator import-N',
    ]);
  });

  it('takes calendars by upload and by address', async () => {
    const file = await upload('talks.ics', ICS, { status: 'draft' });
    expect(await runImport(server(), file)).toMatchObject({ state: 'finished', counts: { created: { event: 1 } } });
    let text = ICS.replace('Talk', 'Walk');
    const web = createServer((_request, response) => void response.end(text));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    try {
      const address = `http://${host}/calendar.ics`;
      // Addresses of the private network are refused.
      const refused = (await server().make('POST admin:/imports', { kind: 'ical', address })).id;
      await workOnImports(server());
      expect(await readImport(server(), refused)).toMatchObject({
        ...{ state: 'failed', problem: 'source', is_startable: false },
        detail: expect.stringContaining('not public'),
      });
      imageHosts.push(host);
      const { id } = await server().make('POST admin:/imports', { kind: 'ical', address, categories: ['Guests'] });
      await workOnImports(server());
      // The import reads the calendar of the plan.
      text = ICS.replace('Talk', 'Dance');
      expect(await runImport(server(), id)).toMatchObject({ counts: { created: { event: 1, category: 1 } } });
      expect(await titles()).toEqual(['Talk', 'Walk']);
    } finally {
      imageHosts.length = 0;
      web.close();
    }
  });

  it('takes an export and a compressed dump of a site', async () => {
    const wxr = await upload('export.xml', exportOf(siteOf(2)));
    expect(await runImport(server(), wxr)).toMatchObject({
      ...{ state: 'finished', kind: 'wxr' },
      counts: { created: { event: 2, venue: 1, category: 1 }, cannot: { event: 1 } },
    });
    const sql = await upload('site.sql.gz', gzipSync(dumpOf(siteOf(3))));
    await workOnImports(server());
    const planned = await readImport(server(), sql);
    expect(planned.planned).toMatchObject({ created: { event: 1 } });
    const done = await runImport(server(), sql);
    expect(done).toMatchObject({ state: 'finished', kind: 'sql', counts: { created: { event: 1 } } });
    expect(await titles()).toEqual(['Evening 0', 'Evening 1', 'Evening 2']);
    const [row] = await rowsOf(sql, 'plan', { action: 'create', kind: 'event' });
    expect(row).toMatchObject({ title: 'Evening 2', foreign_id: 102, record: { kind: 'event', id: 102 } });
    expect(await rowsOf(sql, 'findings', { code: 'no-start' })).toMatchObject([
      { kind: 'event', foreign_id: 99, message: expect.stringContaining('no start'), record: null },
    ]);
    expect(await findIncompleteRecords(server().context.db)).toEqual([]);
  });

  it('reads a running site with a password, which it shows nowhere and forgets', async () => {
    const times = { start_date: '2027-02-03 19:00:00', end_date: '2027-02-03 21:00:00', timezone: 'Europe/Berlin' };
    const v1 = 'tribe/events/v1';
    const site = await siteWith(() => ({
      ...Object.fromEntries(
        ['categories', 'tags', 'venues', 'organizers'].map((key) => [`${v1}/${key}`, listed(key, [])]),
      ),
      [`${v1}/events`]: listed('events', [{ ...times, id: 100, title: 'Concert', slug: 'concert', status: 'publish' }]),
    }));
    opened.push(site);
    const password = 'abcd EFGH ijkl MNOP';
    const input = { kind: 'wordpress', address: site.address, username: 'anna', password };
    expect((await ask('POST admin:/imports', { ...input, username: '' })).status).toBe(400);
    expect((await ask('POST admin:/imports', { ...input, kind: 'ical' })).status).toBe(400);
    const stored = () => server().context.db.query.selectFrom('import_runs').selectAll().execute();
    const first = (await server().make('POST admin:/imports', input)).id;
    await workOnImports(server());
    expect(await readImport(server(), first)).toMatchObject({ state: 'failed', problem: 'source' });
    imageHosts.push(new URL(site.address).host);
    const made = await ask('POST admin:/imports', input);
    expect(made.text).not.toContain('abcd');
    const { id } = made.body;
    const [, run] = await stored();
    expect(run).toMatchObject({ login: 'anna', secret: expect.stringMatching(/^[\w+/=]{40,}$/) });
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'planned', planned: { created: { event: 1 } } });
    await ask(`POST admin:/imports/${id}/start`);
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'finished', address: site.address });
    expect(await titles()).toEqual(['Concert']);
    expect((await stored()).map(({ login, secret }) => login + secret)).toEqual(['', '']);
    const audit = JSON.stringify(await server().context.db.query.selectFrom('audit').selectAll().execute());
    expect(audit).not.toMatch(/abcd|anna/);
    imageHosts.length = 0;
  });

  it('goes on after an interruption at each page, as one import', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(120)));
    let beats = 0;
    // Planning begins anew; each attempt comes further.
    for (let left = 3; left > 0; left--) {
      const limit = 20;
      beats = 0;
      await attemptImports(server(), async () => {
        beats += 1;
        if (beats > limit) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(await readImport(server(), id)).toMatchObject({ state: 'planned', planned: { created: { event: 120 } } });
    await ask(`POST admin:/imports/${id}/start`);
    let attempts = 0;
    for (; (await readImport(server(), id)).state === 'importing'; attempts++) {
      beats = 0;
      await attemptImports(server(), async () => {
        beats += 1;
        if (beats > 1) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(attempts).toBeGreaterThan(5);
    expect(await readImport(server(), id)).toMatchObject({
      ...{ state: 'finished', done: 123 },
      counts: { created: { event: 120, venue: 1, category: 1 }, cannot: { event: 1 } },
    });
    expect(await titles()).toHaveLength(120);
    const imports = await server().context.db.query.selectFrom('imports').selectAll().execute();
    expect(imports).toHaveLength(1);
  });

  it('goes on within a table, as one import', async () => {
    const rows = Array.from({ length: 90 }, (_none, index) => `Tea ${index},2027-10-02,`);
    const id = await upload('table.csv', ['Title,Start Date,Venue', ...rows, 'Nothing,,'].join('\n'), {
      columns: ['title', 'start_date', 'venue'],
    });
    await workOnImports(server());
    await ask(`POST admin:/imports/${id}/start`);
    let attempts = 0;
    for (; (await readImport(server(), id)).state === 'importing'; attempts++) {
      let beats = 0;
      await attemptImports(server(), async () => {
        beats += 1;
        if (beats > 1) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(attempts).toBeGreaterThan(2);
    expect(await readImport(server(), id)).toMatchObject({
      counts: { created: { event: 90 }, cannot: { event: 1 } },
      findings: [{ code: 'no-start', count: 1 }],
    });
    expect(await titles()).toHaveLength(90);
  });

  it('has one winner of two starts, of two workers and of two uploads of a part', async () => {
    const bytes = Buffer.from(dumpOf(siteOf(60)));
    const { id } = await server().make('POST admin:/imports', { file_name: 'site.sql', size: bytes.length });
    const sent = await Promise.all([sendPart(server(), id, 0, bytes), sendPart(server(), id, 0, bytes)]);
    expect(sent.map(({ status, body }) => [status, body.received])).toEqual([
      [200, bytes.length],
      [200, bytes.length],
    ]);
    await Promise.all([workOnImports(server()), workOnImports(server())]);
    const starts = await Promise.all([1, 2].map(() => ask(`POST admin:/imports/${id}/start`)));
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 409]);
    await Promise.all([
      workOnImports(server()),
      workOnImports(server()),
      attemptImports(server(), async () => undefined).catch(() => undefined),
    ]);
    server().clock.now = new Date(NOON.getTime() + 60_000);
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'finished', counts: { created: { event: 60 } } });
    expect(await titles()).toHaveLength(60);
    expect(await server().context.db.query.selectFrom('imports').selectAll().execute()).toHaveLength(1);
  });

  it('stops after the page in flight, and can be continued or left', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(120)));
    await workOnImports(server());
    await ask(`POST admin:/imports/${id}/start`);
    let beats = 0;
    await attemptImports(server(), async () => {
      beats += 1;
      if (beats === 7) expect((await ask(`POST admin:/imports/${id}/cancel`)).body.is_stopping).toBe(true);
    });
    const stopped = await readImport(server(), id);
    expect(stopped).toMatchObject({ state: 'cancelled', is_startable: true, is_undoable: true, is_stopping: false });
    const brought = (await titles()).length;
    expect(brought).toBeGreaterThan(0);
    expect(brought).toBeLessThan(120);
    expect(await runImport(server(), id)).toMatchObject({ state: 'finished', counts: { created: { event: 120 } } });
    expect((await ask(`POST admin:/imports/${id}/cancel`)).status).toBe(409);
    // Before its start, everything of it is erased.
    const other = await upload('talks.ics', ICS);
    await workOnImports(server());
    expect((await ask(`POST admin:/imports/${other}/cancel`)).body).toMatchObject({
      ...{ state: 'cancelled', is_startable: false, is_undoable: false },
      erased_utc: expect.any(String),
    });
    expect(await rowsOf(other, 'plan')).toEqual([]);
    expect((await ask(`POST admin:/imports/${other}/start`)).status).toBe(409);
  });

  it('receives a large file in parts, in their order', async () => {
    const padding = Array.from({ length: 30 }, (_none, index) => `Tea ${index},2027-10-02,${'x'.repeat(LARGE)}`);
    const bytes = Buffer.from(['Title,Start Date,Filler', ...padding].join('\n'));
    const size = bytes.length;
    const { id } = await server().make('POST admin:/imports', { file_name: 'large.csv', size });
    const piece = (number: number) => bytes.subarray(number * 1024 * 1024, (number + 1) * 1024 * 1024);
    expect((await sendPart(server(), id, 1, piece(1))).body.code).toBe('import-part-order');
    expect((await sendPart(server(), id, 0, piece(0).subarray(1))).body.code).toBe('import-part-order');
    expect((await sendPart(server(), id, 0, Buffer.alloc(1024 * 1024 + 1))).status).toBe(413);
    expect((await sendPart(server(), id, 0, piece(0))).body.received).toBe(1024 * 1024);
    expect((await sendPart(server(), id, 0, piece(0))).body.received).toBe(1024 * 1024);
    await sendPart(server(), id, 1, piece(1));
    expect((await sendPart(server(), id, 2, Buffer.concat([piece(2), Buffer.alloc(9)]))).body.code).toBe(
      'import-part-order',
    );
    expect((await sendPart(server(), id, 2, piece(2))).body).toMatchObject({ state: 'planning', received: size });
    expect((await sendPart(server(), id, 3, piece(2))).body.code).toBe('import-not-ready');
    await workOnImports(server());
    await ask(`POST admin:/imports/${id}/columns`, { columns: ['title', 'start_date', ''] });
    expect(await runImport(server(), id)).toMatchObject({ counts: { created: { event: 30 } } });
  });

  it.each([
    ['a file of another kind', 'talks.ics', '<!doctype html>', /not a calendar/],
    ['a dump of something else', 'site.sql', 'CREATE TABLE `x` (`a` text);', /no tables of a WordPress site/],
    ['an archive that is none', 'site.sql.gz', 'no gzip', /"site\.sql\.gz" cannot be unpacked/],
    ['a file that breaks off', 'site.sql.gz', gzipSync(dumpOf(siteOf(50))).subarray(0, 900), /cannot be unpacked/],
    ['a bomb', 'site.sql.gz', gzipSync(Buffer.alloc(70_000_000)), /unpacks to more than 34 MB/],
    ['entities', 'export.xml', '<!DOCTYPE x [<!ENTITY a "b">]><rss></rss>', /document type/],
    ['an empty table', 'table.csv', '\r\n', /empty/],
    ['NUL bytes', 'export.xml', Buffer.alloc(5000), /XML|end/],
  ])('fails with a reason for %s', async (_what, name, content, reason) => {
    server().restart({ importBytes: 1024 * 1024 });
    const id = await upload(name, content);
    const small = {
      ...server(),
      context: { ...server().context, config: { ...server().context.config, importBytes: 1024 * 1024 } },
    };
    await workOnImports(small);
    const failed = await readImport(server(), id);
    expect(failed).toMatchObject({ state: 'failed', problem: 'source', is_startable: false });
    expect(failed.detail).toMatch(reason);
    expect(failed.detail).not.toContain(tmpdir());
    expect(await leftBehind()).toEqual([]);
  });

  it('refuses what cannot be imported before anything is sent', async () => {
    const refused = async (input: object) => {
      const { status, body } = await ask('POST admin:/imports', input);
      return [status, ...Object.keys(body.data?.params ?? {})];
    };
    expect(await refused({ file_name: 'site.zip', size: 5 })).toEqual([400, 'file_name']);
    expect(await refused({ file_name: 'table.csv', size: 2_000_000_000 })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv' })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv', size: 0 })).toEqual([400, 'size']);
    expect(await refused({ file_name: 'table.csv', size: 5, kind: 'sql' })).toEqual([400, 'file_name']);
    expect(await refused({ file_name: 'table.csv', size: 5, address: 'https://a.example' })).toEqual([400, 'address']);
    expect(await refused({})).toEqual([400, 'file_name']);
    expect(await refused({ address: 'https://a.example' })).toEqual([400, 'kind']);
    expect(await refused({ address: 'https://a:b@a.example', kind: 'ical' })).toEqual([400, 'address']);
    expect(await refused({ address: 'ftp://a.example', kind: 'wordpress' })).toEqual([400, 'address']);
    for (const as of ['editor', 'subscriber'] as const)
      expect((await server().ask('GET admin:/imports', { as })).status).toBe(403);
  });

  it('gives up on an import that ends its process again and again', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(2)));
    const { db } = server().context;
    await db.query.updateTable('import_runs').set({ tries: 6 }).execute();
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'failed', problem: 'crashed' });
  });

  it('erases files, plans and passwords a week later', async () => {
    const id = await upload('talks.ics', ICS);
    await workOnImports(server());
    const days = (count: number) => {
      server().clock.now = new Date(NOON.getTime() + count * 86_400_000);
      return eraseImports(server().context);
    };
    await days(6);
    expect(await rowsOf(id, 'plan')).toHaveLength(1);
    await days(8);
    expect(await readImport(server(), id)).toMatchObject({ state: 'cancelled', is_startable: false });
    expect(await rowsOf(id, 'plan')).toEqual([]);
    expect(await server().context.db.query.selectFrom('import_chunks').selectAll().execute()).toEqual([]);
  });

  // Processes share a file of SQLite.
  it.runIf(kind === 'sqlite')('is finished by another process after kill -9', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(400)));
    await workOnImports(server());
    await ask(`POST admin:/imports/${id}/start`);
    const worker = commandProcess(['work'], { MARQUEE_DATA: server().context.config.data });
    while ((await titles()).length < 100) await delay(20);
    worker.signal('SIGKILL');
    await worker.ended;
    const left = (await titles()).length;
    expect(left).toBeLessThan(400);
    expect(await readImport(server(), id)).toMatchObject({ state: 'importing' });
    // The claim of the killed process lapses; its clock was the real one.
    const [folder = ''] = await leftBehind();
    await utimes(join(tmpdir(), folder), 1, 1);
    await server().context.db.query.updateTable('jobs').set({ due_utc: '2026-01-01 00:00:00' }).execute();
    await workOnImports(server());
    expect(await readImport(server(), id)).toMatchObject({ state: 'finished', counts: { created: { event: 400 } } });
    expect(await titles()).toHaveLength(400);
    expect(await leftBehind()).toEqual([]);
  });
});
