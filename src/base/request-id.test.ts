import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../test/listen.ts';
import { DATABASES, useTestServer } from '../../test/server.ts';
import { createIdSource, foreignId, requestIdFields } from './request-id.ts';

describe('ids of requests', () => {
  it('are unique and have 16 plain characters', () => {
    const newId = createIdSource(randomBytes);
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids.filter((id) => !/^[\w-]{16}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(1000);
  });

  it.each([
    ['abc-DEF_1.2', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['a b', false],
    ['a"b', false],
    ['a\nb', false],
    ['é', false],
  ])('from outside are accepted if plain and short: %j %s', (id, isTaken) => {
    expect(foreignId(id)).toBe(isTaken ? id : undefined);
  });
});

describe.each(DATABASES)('a request on %s', (kind) => {
  const server = useTestServer(kind, { trustProxy: ['127.0.0.1'] });
  const logged: string[] = [];
  const log = pino({ level: 'debug', mixin: requestIdFields }, { write: (line: string) => void logged.push(line) });
  beforeAll(async () => {
    server().context.log = log;
    await mkdir(join(server().context.config.data, 'uploads/2026'), { recursive: true });
    await writeFile(join(server().context.config.data, 'uploads/2026/mill.txt'), 'mill');
  });

  it.each([
    ['GET', '/', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs/', 301],
    ['GET', '/assets/pages.css', 200],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/wp-json', 200],
    ['GET', '/uploads/2026/mill.txt', 200],
    ['GET', '/uploads/none.png', 404],
    ['GET', '/none', 404],
    ['POST', '/none', 404],
    ['GET', '/calendar/events/v1/venues', 200],
    ['HEAD', '/calendar/events/v1/venues', 200],
    ['OPTIONS', '/calendar/events/v1/venues', 200],
    ['GET', '/calendar/events/v1/venues/1', 400],
    ['GET', '/calendar/events/v1/venues?_jsonp=1-', 400],
    ['GET', '/calendar/events/v1/venues?_envelope=1', 200],
  ])('%s %s gets a response with its id and nosniff', async (method, path, status) => {
    const answer = await server().request(path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  it('has its id in the body of errors only', async () => {
    const { ask } = server();
    for (const call of ['GET /none', 'GET /venues?page=x', 'POST /venues', 'GET /venues/999999']) {
      const { body, headers } = await ask(call);
      expect(body.data.request_id).toBe(headers.get('x-request-id'));
      expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
    }
    const scan = await ask('GET tickets:/qr', {
      query: { ticket_id: 1, event_id: 1, security_code: 'x', api_key: 'wrong' },
    });
    expect(scan.text).not.toContain(scan.headers.get('x-request-id'));
  });

  it('takes its id from trusted proxies only', async () => {
    const headers = { 'x-request-id': 'proxy.7-A_b' };
    expect((await server().ask('GET /venues', { headers })).headers.get('x-request-id')).toBe('proxy.7-A_b');
    const odd = { 'x-request-id': 'has spaces' };
    expect((await server().ask('GET /venues', { headers: odd })).headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
    server().restart({ trustProxy: [] });
    expect((await server().ask('GET /venues', { headers })).headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
    server().restart({});
  });

  it.each([
    ['of a trusted proxy', ['127.0.0.1'], /^proxy\.7-A_b$/],
    ['of its own otherwise', [], /^[\w-]{16}$/],
  ])('with a cached response has the id %s', async (_whose, trustProxy, id) => {
    const { address, cacheSize, close } = await listen(server().context, { trustProxy });
    const ids: (string | null)[] = [];
    for (let time = 0; time < 4; time += 1) {
      const headers = { 'x-request-id': 'proxy.7-A_b' };
      const answer = await fetch(`${address}/calendar/events/v1/venues`, { headers });
      ids.push(answer.headers.get('x-request-id'));
    }
    expect(cacheSize().responses).toBe(1);
    await close();
    expect(ids).toEqual(ids.map(() => expect.stringMatching(id)));
  });

  it('gets Strict-Transport-Security over https', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'events.test' };
    for (const path of ['/', '/healthz', '/none', '/calendar/events/v1/venues']) {
      const answer = await server().request(path, { headers });
      expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, 'max-age=63072000']);
    }
  });

  it('has its id in all of its log lines', async () => {
    const { ask, context } = server();
    await sql`ALTER TABLE terms RENAME TO lost`.execute(context.db.query);
    logged.length = 0;
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await ask('GET /categories')).headers.get('x-request-id')),
    );
    ids.push((await ask('GET /venues', { headers: { authorization: 'Bearer wrong' } })).headers.get('x-request-id'));
    await sql`ALTER TABLE lost RENAME TO terms`.execute(context.db.query);
    const lines = logged.map((line) => JSON.parse(line));
    const idsOf = (text: string) => lines.filter(({ msg }) => msg === text).map(({ request_id }) => request_id);
    expect(new Set(idsOf('fault'))).toEqual(new Set(ids.slice(0, 5)));
    expect(idsOf('credentials refused')).toEqual(ids.slice(5));
    expect(new Set(idsOf('request'))).toEqual(new Set(ids));
  });

  it('is logged in one line at level debug, without query, path values or secrets', async () => {
    logged.length = 0;
    const query = { password: 'secret-query' };
    await server().ask('GET /venues/by-slug/secret-path', { query, headers: { 'x-api-key': 'secret-header' } });
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 20,
        method: 'GET',
        route: '/events/v1/venues/by-slug/{slug}',
        status: 400,
        ms: expect.any(Number),
        request_id: expect.stringMatching(/^[\w-]{16}$/),
        msg: 'request',
      }),
    ]);
    expect(logged.join('')).not.toContain('secret');
  });

  it('exposes its id to scripts of other origins, and allows the headers they need', async () => {
    const { headers } = await server().ask('OPTIONS /venues', { headers: { origin: 'https://shop.test' } });
    const exposed = headers.get('access-control-expose-headers');
    const rates = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    for (const name of ['X-Request-Id', 'Content-Language', ...rates]) expect(exposed).toContain(name);
    for (const name of ['If-Match', 'X-Order-Token'])
      expect(headers.get('access-control-allow-headers')).toContain(name);
  });
});
