import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { commandProcess, type MarqueeProcess, serveProcess } from './marquee-process.ts';
import { ADMIN_HEADER, databaseOfProcesses, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startServers } from './two-servers.ts';

const EVENT = { title: 'Matinee', start_date: '2026-12-01 11:00', end_date: '2026-12-01 12:00' };

let data: string;
const running: MarqueeProcess[] = [];

function serve(settings: Record<string, string> = {}): MarqueeProcess {
  const started = serveProcess({ MARQUEE_DATA: data, ...settings });
  running.push(started);
  return started;
}

/** As `serve`, with accounts. */
async function servePrepared(name: string): Promise<MarqueeProcess> {
  const folder = join(data, name);
  await databaseOfProcesses('sqlite', folder);
  return serve({ MARQUEE_DATA: folder });
}

beforeAll(async () => {
  data = await temporaryFolder('process');
});
afterEach(async () => {
  const left = running.splice(0);
  for (const one of left) one.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function stop(one: MarqueeProcess) {
  await one.address;
  one.signal('SIGTERM');
  return one.ended;
}

describe('the first administrator', () => {
  it('is printed at the first start and never again', async () => {
    const settings = { MARQUEE_DATA: join(data, 'first') };
    const first = await stop(serve(settings));
    const second = await stop(serve(settings));
    const said = expect.stringMatching(/^The first administrator is "admin" with the password \S{8,}$/);
    expect(first).toMatchObject({ code: 0, err: [] });
    expect(first.out.filter((line) => line.includes('administrator'))).toEqual([said]);
    expect(second).toMatchObject({ code: 0, err: [] });
    expect(second.out.filter((line) => line.includes('administrator'))).toEqual([]);
    expect(second.out.at(-1)).toBe('The calendar is empty. To see it with sample events: npx marquee demo');
  });
});

describe('a start that cannot succeed', () => {
  // src/base/config.test.ts tries every wrong value of every setting.
  it.each([
    ['MARQUEE_PORT', 'eighty'],
    ['MARQUEE_HOST', '203.0.113.7'],
  ])('reports %s=%s in one sentence', async (name, value) => {
    const { code, out, err } = await serve({ [name]: value, MARQUEE_ADMIN: 'admin:long-enough' }).ended;
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toEqual([expect.stringMatching(new RegExp(`^${name} .*\\.$`))]);
  });

  it('reports that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, err } = await serve({ MARQUEE_PORT: String(port) }).ended;
    other.close();
    expect(code).toBe(1);
    expect(err).toEqual([expect.stringMatching(new RegExp(`^MARQUEE_PORT ${port} is already in use .*\\.$`))]);
  });

  it('warns of a short check-in key', async () => {
    const server = serve({ MARQUEE_QR_API_KEY: 'a1b2c3d4', MARQUEE_LOG_LEVEL: 'warn' });
    const { out } = await stop(server);
    expect(out.join()).toContain('MARQUEE_QR_API_KEY has 8 characters');
    expect(out.join()).not.toContain('a1b2c3d4');
  });

  it('reports that the data folder is not writable', async () => {
    const file = join(data, 'a-file');
    await writeFile(file, '');
    const { code, err } = await serve({ MARQUEE_DATA: file }).ended;
    expect(code).toBe(1);
    expect(err).toEqual([expect.stringMatching(/^MARQUEE_DATA .*a-file cannot be written to \(E\w+\)\.$/)]);
  });

  it('reports that a file is not a database, and does not change it', async () => {
    const file = join(data, 'letter.txt');
    const letter = 'Dear Sir or Madam, '.repeat(400);
    await writeFile(file, letter);
    const { code, err } = await serve({ MARQUEE_DATABASE_URL: `sqlite:${file}` }).ended;
    expect(code).toBe(1);
    expect(err).toEqual([expect.stringMatching(/letter\.txt cannot be used \(.*\); check MARQUEE_DATABASE_URL .*\.$/)]);
    expect(await readFile(file, 'utf8')).toBe(letter);
  });

  it('exits with 0 immediately on a signal while it waits for PostgreSQL', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const server = serve({ MARQUEE_DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` });
    // It never gets a response.
    await once(listener, 'connection');
    server.signal('SIGTERM');
    const end = await Promise.race([server.ended, once(listener, 'connection').then(() => 'tried again')]);
    listener.close();
    expect(end).toMatchObject({ code: 0, err: [] });
  });

  it('reports that the PostgreSQL database does not exist', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/nowhere';
    const { code, err } = await serve({ MARQUEE_DATABASE_URL: url.href }).ended;
    expect(code).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(/refuses MARQUEE_DATABASE_URL \(database "nowhere" does not exist\)\.$/),
    ]);
  });
});

describe('another first language', () => {
  it('is refused until the records are moved', async () => {
    const settings = { MARQUEE_DATA: join(data, 'language') };
    await databaseOfProcesses('sqlite', settings.MARQUEE_DATA);
    const french = { ...settings, MARQUEE_LANGUAGES: 'fr,en' };
    const sentence =
      "MARQUEE_LANGUAGES begins with fr, but the records' own texts are in en: " +
      'put en first, or run "npx marquee first-language fr".';
    const refusal = { code: 1, out: [], err: [sentence] };
    const done = { code: 0, err: [] };

    expect(await stop(serve(french))).toMatchObject(done);
    // Without records there is no text that could be English.
    const english = serve(settings);
    const written = await fetch(`${await english.address}/calendar/events/v1/tags`, {
      method: 'POST',
      headers: { authorization: ADMIN_HEADER, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Walks' }),
    });
    expect(written.status).toBe(201);
    expect(await stop(english)).toMatchObject(done);
    expect(await serve(french).ended).toMatchObject(refusal);
    expect(await commandProcess(['user', 'list'], french).ended).toMatchObject(refusal);
    expect(await commandProcess(['first-language', 'fr'], french).ended).toMatchObject(done);
    expect(await stop(serve(french))).toMatchObject(done);
  });
});

describe('SIGTERM', () => {
  it('finishes requests in progress, refuses new ones, and ends with 0', async () => {
    const server = await servePrepared('term');
    const address = await server.address;
    const body = JSON.stringify(EVENT);
    const sent = request(`${address}/calendar/events/v1/events`, {
      method: 'POST',
      headers: {
        authorization: ADMIN_HEADER,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    sent.flushHeaders();
    // The server has begun to read.
    await once(sent, 'continue');
    sent.write(body.slice(0, 20));
    server.signal('SIGTERM');
    await refusesConnections(address);
    sent.end(body.slice(20));
    const [response] = await once(sent, 'response');
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(await server.ended).toMatchObject({ code: 0, signal: null, err: [] });
  });

  it('lets a slow reader have the whole response', async () => {
    const server = await servePrepared('slow');
    const { host, hostname, port, origin } = new URL(await server.address);
    const body = JSON.stringify({ ...EVENT, description: 'A long story. '.repeat(3550) });
    const headers = { authorization: ADMIN_HEADER, 'content-type': 'application/json' };
    const calls = Array.from({ length: 100 }, () =>
      fetch(`${origin}/calendar/events/v1/events`, { method: 'POST', headers, body }),
    );
    for (const { status } of await Promise.all(calls)) expect(status).toBe(201);
    const reader = connect(Number(port), hostname).pause();
    reader.write(`GET /calendar/events/v1/events?per_page=100 HTTP/1.1\r\nHost: ${host}\r\n`);
    // The server has accepted what came before.
    await fetch(`${origin}/healthz`);
    server.signal('SIGTERM');
    await refusesConnections(origin);
    reader.write('\r\n');
    await delay(100);
    let received = '';
    reader.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
    });
    reader.resume();
    await once(reader, 'close');
    const [head = '', answer = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${answer.length}\r\n`);
    // More than the socket buffers hold.
    expect(answer.length).toBeGreaterThan(5_000_000);
    expect(await server.ended).toMatchObject({ code: 0, signal: null, err: [] });
  });
});

/** Sends requests until nothing listens any more. */
async function refusesConnections(address: string): Promise<void> {
  for (;;) {
    const isThere = await fetch(`${address}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
  }
}

describe('storage that fails', () => {
  const server = useTestServer('sqlite');
  const run = (statement: string) => sql.raw(statement).execute(server().context.db.query);
  const rows = async () => {
    const tables = ['records', 'events', 'event_links', 'linked_posts', 'terms', 'words'];
    const counts = tables.map(async (table) => {
      const { rows: found } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(
        server().context.db.query,
      );
      return [table, found[0]?.n];
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  const write = { ...EVENT, description: 'A long text. '.repeat(3500), venue: { venue: 'Hall' }, categories: ['Film'] };

  it.each([
    ['a full disk', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 4294967294'],
    ['a disk that is read-only', 'PRAGMA query_only = 1', 'PRAGMA query_only = 0'],
  ])('responds with 503 on %s, leaves no partial writes, and works again afterwards', async (_what, begin, end) => {
    const before = await rows();
    await run(begin);
    const refused = await server().ask('POST /events', { as: 'editor', body: write });
    expect(refused.body).toMatchObject({ code: 'storage_unavailable', data: { status: 503 } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await server().ask('GET /events')).status).toBe(200);
    expect(await rows()).toEqual(before);
    await run(end);
    const made = await server().make('POST /events', write, 'editor');
    expect(made).toMatchObject({ title: 'Matinee', venue: { venue: 'Hall' } });
    const check = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(server().context.db.query);
    expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
  });
});

describe('two processes on one SQLite file', () => {
  it('can write at the same time without losing anything', async () => {
    const servers = await startServers('sqlite', { postgresUrl: '' });
    try {
      const create = async (process: number, number: number) => {
        const body = { ...EVENT, title: `Matinee ${process}-${number}`, categories: ['Film'] };
        return servers.ask('POST events:/events', { body, process });
      };
      const each = Array.from({ length: 200 }, (_, number) => number);
      const answers = await Promise.all([0, 1].flatMap((process) => each.map((number) => create(process, number))));
      expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(400);
      const stored = await servers.db.query.selectFrom('events').select(['id', 'title']).execute();
      const told = answers.map(({ body }) => ({ id: body.id, title: body.title }));
      const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
      expect(stored.toSorted(byId)).toEqual(told.toSorted(byId));
      const terms = await servers.db.query.selectFrom('terms').select(['name', 'count']).execute();
      expect(terms).toEqual([{ name: 'Film', count: 400 }]);
    } finally {
      await servers.close();
    }
  });
});
