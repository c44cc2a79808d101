import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { importsOf, useOwnTemporaryFiles, workOnImports } from '../../../test/import-runs.ts';
import { addImport } from '../../../test/imports.ts';
import { BOTH_DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { eraseImports } from './store.ts';

const MEBIBYTE = 1024 * 1024;
const FILE = { file_name: 'table.csv', size: 100 };
const rows = (count: number): string =>
  ['Title,Start Date', ...Array.from({ length: count }, (_none, index) => `Tea ${index},2027-10-02`)].join('\n');
const COLUMNS = { columns: ['title', 'start_date'] };

useOwnTemporaryFiles();

describe.each(BOTH_DATABASES)('the number of imports on %s', (kind) => {
  const server = useTestServer(kind, { importBytes: MEBIBYTE }, { isFreshEachTime: true });
  const { ask, send, read, work } = importsOf(server);
  const begin = (body: object = FILE) => ask('POST admin:/imports', body);

  it('is limited for an account, even for concurrent requests, until one is discarded', async () => {
    const ids: number[] = [];
    for (let left = 9; left > 0; left--) ids.push((await begin()).body.id);
    const statuses = (await Promise.all([1, 2, 3].map(() => begin()))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
    expect((await begin()).body).toMatchObject({ code: 'import-too-many', data: { limit: 10 } });
    // Finished imports do not count.
    await addImport(server().context, 'finished');
    expect((await ask(`POST admin:/imports/${ids[0]}/cancel`)).body.is_discardable).toBe(false);
    expect((await ask(`POST admin:/imports/${ids[0]}/cancel`)).status).toBe(409);
    expect((await begin()).status).toBe(201);
  });

  it('is limited for the site', async () => {
    for (let left = 30; left > 0; left--) await addImport(server().context, 'planned');
    await server().context.db.query.updateTable('import_runs').set({ user_id: 999 }).execute();
    expect((await begin()).body).toMatchObject({ code: 'import-too-many', data: { limit: 30 } });
  });

  it('leaves room for five of the largest files, even for concurrent requests', async () => {
    const large = { ...FILE, size: MEBIBYTE };
    for (let left = 4; left > 0; left--) expect((await begin(large)).status).toBe(201);
    const answers = await Promise.all([1, 2, 3].map(() => begin(large)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await begin()).body).toMatchObject({ code: 'import-no-room', data: { limit: 5 * MEBIBYTE } });
    // One from an address needs no room.
    expect((await begin({ kind: 'ical', address: 'https://calendar.example/a.ics' })).status).toBe(201);
  });

  it('ends an upload a day after its last part', async () => {
    const [size, hour] = [3 * MEBIBYTE - 5, 3_600_000];
    server().restart({ importBytes: 4 * MEBIBYTE });
    const { id } = (await begin({ ...FILE, size })).body;
    const at = async (hours: number) => {
      server().clock.now = new Date(NOON.getTime() + hours * hour);
      await eraseImports(server().context);
    };
    await at(23);
    expect((await send(id, 0, Buffer.alloc(MEBIBYTE))).status).toBe(200);
    await at(46);
    expect(await read(id)).toMatchObject({ state: 'uploading', received: MEBIBYTE });
    await at(48);
    expect(await read(id)).toMatchObject({ state: 'cancelled', is_startable: false, erased_utc: expect.any(String) });
    expect((await send(id, 1, Buffer.alloc(MEBIBYTE))).body.code).toBe('import-not-ready');
    const { query } = server().context.db;
    expect(await query.selectFrom('import_chunks').select('number').execute()).toEqual([]);
    server().clock.now = NOON;
  });

  it('does not count a file that could not be read, and erases it at once', async () => {
    const bytes = Buffer.from('<!doctype html>');
    const { id } = (await begin({ file_name: 'talks.ics', size: bytes.length })).body;
    await send(id, 0, bytes);
    await work();
    expect(await read(id)).toMatchObject({ state: 'failed', is_discardable: false, erased_utc: expect.any(String) });
    const { query } = server().context.db;
    expect(await query.selectFrom('import_chunks').select('number').execute()).toEqual([]);
  });
});

describe.each(BOTH_DATABASES)('an import on %s whose account', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const { ask, upload, work, attempt, read } = importsOf(server);
  const titles = () => server().context.db.query.selectFrom('events').select('title').execute();

  /** A second administrator, whose requests `as` sends. */
  async function colleague() {
    const person = { username: 'colleague', email: 'colleague@example.org', role: 'administrator' };
    const { id } = await server().make('POST admin:/users', { ...person, password: 'correct-horse-battery' });
    const authorization = `Basic ${Buffer.from('colleague:correct-horse-battery').toString('base64')}`;
    return { id, as: (call: string, body?: unknown) => server().ask(call, { body, headers: { authorization } }) };
  }

  const losses = {
    'was demoted': (id: number) => ask(`PATCH admin:/users/${id}`, { role: 'editor' }),
    'was deleted': (id: number) => ask(`DELETE admin:/users/${id}`),
  };

  it.each(Object.entries(losses))('%s stops, and another administrator continues it', async (how, lose) => {
    const { id: user, as } = await colleague();
    const id = await upload('table.csv', rows(120), COLUMNS);
    await work();
    // The account that starts it counts, not the account that made it.
    expect((await as(`POST admin:/imports/${id}/start`, {})).status).toBe(200);
    let beats = 0;
    await attempt(async () => {
      if (++beats === 2) expect((await lose(user)).status).toBeLessThan(300);
    });
    expect(await read(id)).toMatchObject({ state: 'failed', problem: 'account', is_startable: true });
    const brought = (await titles()).length;
    expect(brought).toBeGreaterThan(0);
    expect(brought).toBeLessThan(120);
    await ask(`POST admin:/imports/${id}/start`);
    await work();
    expect(await read(id)).toMatchObject({ state: 'finished', problem: '' });
    expect(await titles()).toHaveLength(120);
    const entries = await server()
      .context.db.query.selectFrom('audit')
      .select('user_name')
      .where('kind', '=', 'event')
      .execute();
    // The log forgets the names of deleted accounts.
    const second = how === 'was deleted' ? '' : 'colleague';
    expect(new Set(entries.map(({ user_name }) => user_name))).toEqual(new Set([second, 'administrator']));
  });

  it('keeps its rights continues when another one loses them', async () => {
    const { id: user } = await colleague();
    const id = await upload('table.csv', rows(120), COLUMNS);
    await work();
    await ask(`POST admin:/imports/${id}/start`);
    let beats = 0;
    await attempt(async () => {
      if (++beats === 2) await losses['was deleted'](user);
    });
    expect(await read(id)).toMatchObject({ state: 'finished' });
  });

  it('was deleted before its plan reads nothing', async () => {
    const { id: user, as } = await colleague();
    const made = await as('POST admin:/imports', { kind: 'ical', address: 'http://127.0.0.1:9/a.ics' });
    await losses['was deleted'](user);
    await work();
    expect(await read(made.body.id)).toMatchObject({ state: 'failed', problem: 'account', is_startable: false });
  });
});

describe.each(BOTH_DATABASES)('imports side by side on %s', (kind) => {
  const imageHosts: string[] = [];
  const server = useTestServer(kind, { imageHosts }, { isFreshEachTime: true });
  const { ask, upload, read } = importsOf(server);

  it('a file is planned and imported while two sites do not respond, and a third site waits', async () => {
    const waiting: (() => void)[] = [];
    const web = createServer((_request, response) => {
      waiting.push(() => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'));
    });
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    const { port } = web.address() as AddressInfo;
    imageHosts.push(`127.0.0.1:${port}`);
    const site = (path: string) => ({ kind: 'wordpress', address: `http://127.0.0.1:${port}/${path}` });
    const ids: number[] = [];
    for (const path of ['a', 'b', 'c']) ids.push((await server().make('POST admin:/imports', site(path))).id);
    const held = workOnImports(server());
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const id = await upload('table.csv', rows(5), COLUMNS);
    const other = workOnImports(server());
    while ((await read(id)).state !== 'planned') await new Promise((resolve) => setTimeout(resolve, 5));
    await ask(`POST admin:/imports/${id}/start`);
    const third = workOnImports(server());
    while ((await read(id)).state !== 'finished') await new Promise((resolve) => setTimeout(resolve, 5));
    const { query } = server().context.db;
    const sites = await query.selectFrom('import_runs').select('owner').where('kind', '=', 'wordpress').execute();
    // Two sites are being read, and the third one waits for its turn.
    expect(sites.filter(({ owner }) => owner !== '')).toHaveLength(2);
    expect(waiting).toHaveLength(2);
    const release = setInterval(() => {
      for (const answer of waiting.splice(0)) answer();
    }, 5);
    await Promise.all([held, other, third]);
    for (const one of ids) expect((await read(one)).state).not.toBe('planning');
    clearInterval(release);
    web.close();
    imageHosts.length = 0;
  });
});
