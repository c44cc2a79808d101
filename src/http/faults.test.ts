import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { type Asking, DATABASES, type DatabaseKind, useTestServer } from '../../test/server.ts';
import { createApp } from '../app.ts';
import { openDatabase } from '../db/database.ts';

/** Makes the single connection of these tests read-only, as a full disk or a standby server does. */
const readOnly = (kind: DatabaseKind, isOn: boolean) =>
  sql.raw(kind === 'sqlite' ? `PRAGMA query_only = ${isOn}` : `SET default_transaction_read_only = ${isOn}`);

describe.each(DATABASES)('a fault on %s', (kind) => {
  const server = useTestServer(kind);
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });

  it('responds to writes with 503 and changes nothing while the storage fails', async () => {
    const { ask, make, context } = server();
    const { id } = await make('POST /venues', { venue: 'Mill' });
    const category = await make('POST /categories', { name: 'Walks' });
    await readOnly(kind, true).execute(context.db.query);
    const writes: [string, unknown][] = [
      ['POST /venues', { venue: 'Barn' }],
      [`PATCH /venues/${id}`, { venue: 'Barn' }],
      [`DELETE /venues/${id}`, {}],
      [`DELETE /categories/${category.id}`, {}],
      ['POST /events', { title: 'Walk', start_date: '2027-01-01', end_date: '2027-01-02' }],
    ];
    for (const [call, body] of writes) {
      const answer = await ask(call, { as: 'administrator', body });
      expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable', data: { status: 503 } } });
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
    expect((await ask('GET /venues')).body).toMatchObject({ total: 1, venues: [{ venue: 'Mill' }] });
    await readOnly(kind, false).execute(context.db.query);
    expect((await ask(`PATCH /venues/${id}`, { as: 'administrator', body: { venue: 'Barn' } })).body.venue).toBe(
      'Barn',
    );
  });

  it('logs a storage failure once in ten seconds, however many requests fail', async () => {
    const { ask, context, clock } = server();
    const before = { log: context.log, now: clock.now };
    const lines: string[] = [];
    context.log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    clock.now = new Date(before.now.getTime() + 60_000);
    await readOnly(kind, true).execute(context.db.query);
    const write = () => ask('POST /venues', { as: 'administrator', body: { venue: 'Barn' } });
    for (const seconds of [0, 0, 9, 1]) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
      expect((await write()).status).toBe(503);
    }
    await readOnly(kind, false).execute(context.db.query);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'storage unavailable', err: { stack: expect.any(String) } },
      { msg: 'storage unavailable', unlogged: 2 },
    ]);
    context.log = before.log;
    clock.now = before.now;
  });

  it('responds to an unexpected error with 500 and no detail', async () => {
    const { ask, context } = server();
    context.log = log;
    await sql`ALTER TABLE terms RENAME TO lost`.execute(context.db.query);
    const answer = await ask('GET /categories', { headers: { 'accept-language': 'fr' } });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      code: 'internal',
      message: expect.any(String),
      data: { status: 500, request_id: answer.headers.get('x-request-id') },
    });
    expect(answer.text).not.toMatch(/terms|table|relation|SQL|\.ts/i);
    expect(logged.join('')).toMatch(/terms/);
    await sql`ALTER TABLE lost RENAME TO terms`.execute(context.db.query);
  });

  it('logs no secrets of failed requests', async () => {
    const { ask, context } = server();
    context.log = log;
    await sql`ALTER TABLE terms RENAME TO lost`.execute(context.db.query);
    await sql`ALTER TABLE users RENAME TO hidden`.execute(context.db.query);
    const basic = `Basic ${Buffer.from('editor:secret-basic').toString('base64')}`;
    const asking: Asking[] = [
      { headers: { authorization: basic } },
      { headers: { authorization: 'Bearer secret-token' } },
      { headers: { authorization: 'Bearer' } },
      { headers: { 'x-api-key': 'secret-header-key' } },
      { query: { password: 'secret-query', api_key: 'secret-key' } },
      { as: 'editor' },
    ];
    for (const item of asking) await ask('GET /categories', item);
    for (const item of asking) await ask('POST /categories', { ...item, body: { name: 'x', password: 'secret-body' } });
    await sql`ALTER TABLE hidden RENAME TO users`.execute(context.db.query);
    await sql`ALTER TABLE lost RENAME TO terms`.execute(context.db.query);
    for (const item of asking) await ask('GET /events', item);
    await ask('POST admin:/users', { as: 'administrator', body: { password: 'secret-body', username: 'a:b' } });
    const text = logged.join('');
    expect(logged.length).toBeGreaterThan(5);
    expect(text).toContain('credentials refused');
    expect(text).not.toMatch(/secret-|editor-password|authorization/i);
    expect(text).not.toContain(basic.slice(6));
  });
});

describe('an unreachable database', () => {
  const db = openDatabase({ kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none', pool: 1 });
  afterAll(() => db.close());
  const server = useTestServer('sqlite');

  it('lets the server respond with 503 and keep running', async () => {
    const app = createApp({ ...server().context, db, random: randomBytes });
    const statusOf = async (path: string, init?: RequestInit) => (await app.request(path, init)).status;
    expect(await statusOf('/calendar/events/v1/venues')).toBe(503);
    expect(await statusOf('/calendar/events/v1/venues', { headers: { authorization: 'Bearer x' } })).toBe(503);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/calendar/events/v1')).toBe(200);
  });

  it('lets pages respond with 503 and the time until a retry, in their language', async () => {
    const app = createApp({ ...server().context, db });
    for (const [path, text] of [
      ['/', 'This page cannot be shown right now'],
      ['/fr/event/lantern-walk/', 'ne peut pas être affichée'],
    ] as const) {
      const response = await app.request(path, { headers: { accept: 'text/html' } });
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(await response.text()).toContain(text);
    }
  });
});
