import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { importsOf, useOwnTemporaryFiles } from '../../../test/import-runs.ts';
import { listed, type OldSite, siteWith } from '../../../test/old-sites.ts';
import { BOTH_DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { dumpOf, exportOf, type WordpressPost, type WordpressSite } from '../../../test/wordpress-files.ts';
import { findIncompleteRecords } from '../../db/integrity.ts';

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

const leftBehind = useOwnTemporaryFiles();

const opened: OldSite[] = [];
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close();
});

describe.each(BOTH_DATABASES)('imports that the server runs on %s', (kind) => {
  const imageHosts: string[] = [];
  const server = useTestServer(kind, { timezone: 'Europe/Berlin', imageHosts }, { isFreshEachTime: true });
  const { ask, send, upload, work, attempt, read, run } = importsOf(server);
  afterEach(() => {
    server().clock.now = NOON;
  });
  const rowsOf = async (id: number, list: 'plan' | 'findings', query = {}) =>
    (await ask(`GET admin:/imports/${id}/${list}`, undefined, query)).body[list];
  const titles = async () =>
    (await server().context.db.query.selectFrom('events').select('title').orderBy('title').execute()).map(
      ({ title }) => title,
    );

  it('takes a table by upload, shows its columns and its plan, and imports it', async () => {
    const id = await upload('Evenings 2027.csv', CSV);
    await work();
    const mapping = await read(id);
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
    await work();
    const planned = await read(id);
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
    await work();
    expect((await rowsOf(id, 'plan'))[0]).toMatchObject({ kind: 'venue', title: 'no' });
    await ask(`POST admin:/imports/${id}/columns`, { columns });
    const done = await run(id);
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
    expect(await run(file)).toMatchObject({ state: 'finished', counts: { created: { event: 1 } } });
    let text = ICS.replace('Talk', 'Walk');
    const web = createServer((_request, response) => void response.end(text));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    try {
      const address = `http://${host}/calendar.ics`;
      // Addresses of the private network are refused.
      const refused = (await server().make('POST admin:/imports', { kind: 'ical', address })).id;
      await work();
      expect(await read(refused)).toMatchObject({
        ...{ state: 'failed', problem: 'source', is_startable: false },
        detail: expect.stringContaining('not public'),
      });
      imageHosts.push(host);
      const { id } = await server().make('POST admin:/imports', { kind: 'ical', address, categories: ['Guests'] });
      await work();
      // The import reads the calendar of the plan.
      text = ICS.replace('Talk', 'Dance');
      expect(await run(id)).toMatchObject({ counts: { created: { event: 1, category: 1 } } });
      expect(await titles()).toEqual(['Talk', 'Walk']);
    } finally {
      imageHosts.length = 0;
      web.close();
    }
  });

  it('takes an export and a compressed dump of a site', async () => {
    const wxr = await upload('export.xml', exportOf(siteOf(2)));
    expect(await run(wxr)).toMatchObject({
      ...{ state: 'finished', kind: 'wxr' },
      counts: { created: { event: 2, venue: 1, category: 1 }, cannot: { event: 1 } },
    });
    const later = siteOf(3);
    const page = { id: 380, type: 'page', title: 'About', slug: 'about' };
    const sql = await upload('site.sql.gz', gzipSync(dumpOf({ ...later, posts: [...later.posts, page] })));
    await work();
    const planned = await read(sql);
    expect(planned.planned).toMatchObject({ created: { event: 1 } });
    const done = await run(sql);
    expect(done).toMatchObject({ state: 'finished', kind: 'sql', counts: { created: { event: 1 } } });
    expect(await titles()).toEqual(['Evening 0', 'Evening 1', 'Evening 2']);
    const [row] = await rowsOf(sql, 'plan', { action: 'create', kind: 'event' });
    expect(row).toMatchObject({ title: 'Evening 2', foreign_id: 102, record: { kind: 'event', id: 102 } });
    expect(await rowsOf(sql, 'findings', { code: 'no-start' })).toMatchObject([
      { kind: 'event', foreign_id: 99, message: expect.stringContaining('no start'), record: null },
    ]);
    // Addresses that are kept for a proxy are nothing to look at.
    const codesIn = (all: { code: string }[]) => [...new Set(all.map(({ code }) => code))].toSorted();
    const codes = ['author-missing', 'no-start', 'no-tickets', 'other-posts'];
    expect(codesIn(done.findings)).toEqual(codes);
    expect(codesIn(await rowsOf(sql, 'findings'))).toEqual(codes);
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
    const stored = () => server().context.db.query.selectFrom('import_runs').selectAll().orderBy('id').execute();
    const first = (await server().make('POST admin:/imports', input)).id;
    await work();
    expect(await read(first)).toMatchObject({ state: 'failed', problem: 'source' });
    imageHosts.push(new URL(site.address).host);
    const made = await ask('POST admin:/imports', input);
    expect(made.text).not.toContain('abcd');
    const { id } = made.body;
    const [, run] = await stored();
    expect(run).toMatchObject({ login: 'anna', secret: expect.stringMatching(/^[\w+/=]{40,}$/) });
    await work();
    expect(await read(id)).toMatchObject({ state: 'planned', planned: { created: { event: 1 } } });
    // The end of a stopped one erases the password, so that its continuation needs it again.
    await ask(`POST admin:/imports/${id}/start`);
    await ask(`POST admin:/imports/${id}/cancel`);
    expect((await ask(`POST admin:/imports/${id}/undo`)).status).toBe(409);
    await work();
    expect(await read(id)).toMatchObject({ state: 'cancelled', is_startable: true, needs_password: true });
    expect((await stored()).map(({ login, secret }) => login + secret)).toEqual(['', '']);
    for (const account of [{}, { username: 'anna' }, { password }])
      expect((await ask(`POST admin:/imports/${id}/start`, account)).body.data.params).toHaveProperty('password');
    const continued = await ask(`POST admin:/imports/${id}/start`, { username: 'anna', password });
    expect([continued.status, continued.text.includes('abcd')]).toEqual([200, false]);
    await work();
    expect(await read(id)).toMatchObject({ state: 'finished', address: site.address });
    expect(await titles()).toEqual(['Concert']);
    expect((await stored()).map(({ login, secret }) => login + secret)).toEqual(['', '']);
    const audit = JSON.stringify(await server().context.db.query.selectFrom('audit').selectAll().execute());
    expect(audit).not.toMatch(/abcd|anna/);
    imageHosts.length = 0;
  });

  it('continues after an interruption at each page, as one import', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(120)));
    let beats = 0;
    // Planning begins anew; each attempt comes further.
    for (let left = 3; left > 0; left--) {
      const limit = 20;
      beats = 0;
      await attempt(async () => {
        beats += 1;
        if (beats > limit) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(await read(id)).toMatchObject({ state: 'planned', planned: { created: { event: 120 } } });
    await ask(`POST admin:/imports/${id}/start`);
    let attempts = 0;
    for (; (await read(id)).state === 'importing'; attempts++) {
      beats = 0;
      await attempt(async () => {
        beats += 1;
        if (beats > 1) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(attempts).toBeGreaterThan(5);
    expect(await read(id)).toMatchObject({
      ...{ state: 'finished', done: 123 },
      counts: { created: { event: 120, venue: 1, category: 1 }, cannot: { event: 1 } },
    });
    expect(await titles()).toHaveLength(120);
    const imports = await server().context.db.query.selectFrom('imports').selectAll().execute();
    expect(imports).toHaveLength(1);
  });

  it('continues within a table, as one import', async () => {
    const rows = Array.from({ length: 90 }, (_none, index) => `Tea ${index},2027-10-02,`);
    const id = await upload('table.csv', ['Title,Start Date,Venue', ...rows, 'Nothing,,'].join('\n'), {
      columns: ['title', 'start_date', 'venue'],
    });
    await work();
    await ask(`POST admin:/imports/${id}/start`);
    let attempts = 0;
    for (; (await read(id)).state === 'importing'; attempts++) {
      let beats = 0;
      await attempt(async () => {
        beats += 1;
        if (beats > 1) throw new Error('the process ends');
      }).catch(() => undefined);
    }
    expect(attempts).toBeGreaterThan(2);
    expect(await read(id)).toMatchObject({
      counts: { created: { event: 90 }, cannot: { event: 1 } },
      findings: [{ code: 'no-start', count: 1 }],
    });
    expect(await titles()).toHaveLength(90);
  });

  it('has one winner of two starts, of two workers and of two uploads of a part', async () => {
    const bytes = Buffer.from(dumpOf(siteOf(60)));
    const { id } = await server().make('POST admin:/imports', { file_name: 'site.sql', size: bytes.length });
    const sent = await Promise.all([send(id, 0, bytes), send(id, 0, bytes)]);
    expect(sent.map(({ status, body }) => [status, body.received])).toEqual([
      [200, bytes.length],
      [200, bytes.length],
    ]);
    await Promise.all([work(), work()]);
    const starts = await Promise.all([1, 2].map(() => ask(`POST admin:/imports/${id}/start`)));
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 409]);
    await Promise.all([work(), work(), attempt(async () => undefined).catch(() => undefined)]);
    server().clock.now = new Date(NOON.getTime() + 60_000);
    await work();
    expect(await read(id)).toMatchObject({ state: 'finished', counts: { created: { event: 60 } } });
    expect(await titles()).toHaveLength(60);
    expect(await server().context.db.query.selectFrom('imports').selectAll().execute()).toHaveLength(1);
  });

  it('stops after the page in flight, and can be continued or left', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(120)));
    await work();
    await ask(`POST admin:/imports/${id}/start`);
    let beats = 0;
    await attempt(async () => {
      beats += 1;
      if (beats === 7) expect((await ask(`POST admin:/imports/${id}/cancel`)).body.is_stopping).toBe(true);
    });
    const stopped = await read(id);
    expect(stopped).toMatchObject({ state: 'cancelled', is_startable: true, is_undoable: true, is_stopping: false });
    const brought = (await titles()).length;
    expect(brought).toBeGreaterThan(0);
    expect(brought).toBeLessThan(120);
    expect(await run(id)).toMatchObject({ state: 'finished', counts: { created: { event: 120 } } });
    expect((await ask(`POST admin:/imports/${id}/cancel`)).status).toBe(409);
    // Before its start, everything of it is erased.
    const other = await upload('talks.ics', ICS);
    await work();
    expect((await ask(`POST admin:/imports/${other}/cancel`)).body).toMatchObject({
      ...{ state: 'cancelled', is_startable: false, is_undoable: false },
      erased_utc: expect.any(String),
    });
    expect(await rowsOf(other, 'plan')).toEqual([]);
    expect((await ask(`POST admin:/imports/${other}/start`)).status).toBe(409);
  });

  it('undoes an import, but not what was sold', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(3)));
    await run(id);
    const undo = async (body: object = {}) => {
      expect((await ask(`POST admin:/imports/${id}/undo`, body)).body.state).toBe('undoing');
      await work();
      return read(id);
    };
    await makeAttendee(server(), await makeSeat(server(), 101));
    expect(await undo()).toMatchObject({
      ...{ state: 'finished', problem: 'undo', is_undoable: true },
      detail: expect.stringContaining('sold'),
    });
    expect(await titles()).toHaveLength(3);
    expect(await undo({ except_sold: true })).toMatchObject({
      ...{ state: 'undone', problem: '', is_undoable: false, is_startable: false },
      counts: { created: { event: 3 }, removed: { event: 2 }, kept: { event: 1 } },
    });
    expect(await titles()).toEqual(['Evening 1']);
    expect((await ask(`POST admin:/imports/${id}/undo`)).body.code).toBe('import-not-ready');
    expect(JSON.stringify(await rowsOf(id, 'findings'))).toContain('Evening 1');
  });

  it('says why an import cannot be undone', async () => {
    const first = await upload('site.sql', dumpOf(siteOf(1)));
    await run(first);
    const second = await upload('site.sql', dumpOf(siteOf(2)));
    await run(second);
    await ask(`POST admin:/imports/${first}/undo`);
    await work();
    expect(await read(first)).toMatchObject({
      ...{ state: 'finished', problem: 'undo', is_undoable: true },
      detail: expect.stringContaining('later'),
    });
    expect(await titles()).toHaveLength(2);
  });

  it('gives up on an import that keeps ending its process', async () => {
    const id = await upload('site.sql', dumpOf(siteOf(2)));
    const { db } = server().context;
    await db.query.updateTable('import_runs').set({ tries: 6 }).execute();
    await work();
    expect(await read(id)).toMatchObject({ state: 'failed', problem: 'crashed' });
  });

  it('does not continue an import whose undo failed, but undoes the rest', async () => {
    const id = await upload('talks.ics', ICS);
    await run(id);
    expect((await ask(`POST admin:/imports/${id}/undo`)).status).toBe(200);
    const { db } = server().context;
    await db.query.updateTable('import_runs').set({ tries: 6 }).execute();
    await work();
    expect(await read(id)).toMatchObject({
      ...{ state: 'failed', problem: 'crashed', is_startable: false, is_undoable: true },
      erased_utc: expect.any(String),
    });
    expect((await ask(`POST admin:/imports/${id}/start`)).status).toBe(409);
    expect(await rowsOf(id, 'plan')).toEqual([]);
    expect((await ask(`POST admin:/imports/${id}/undo`)).status).toBe(200);
    await work();
    expect(await read(id)).toMatchObject({ state: 'undone' });
    expect(await titles()).toEqual([]);
  });
});
