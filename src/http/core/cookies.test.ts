import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('a request identified by a cookie on %s', (kind) => {
  const server = useTestServer(kind);
  let ticketId = 0;
  let cookie = '';
  let token = '';

  const items = (quantity: number) => ({ provider: 'tc', tickets: [{ ticket_id: ticketId, quantity }] });
  const look = async () => (await server().ask('GET tickets:/cart', { headers: { cookie } })).body.tickets[0]?.quantity;
  const parameters = (quantity: number) => ({
    provider: 'tc',
    'tickets[0][ticket_id]': ticketId,
    'tickets[0][quantity]': quantity,
  });
  const refusal = ({ status, body }: Answer) => [status, body.code];

  beforeAll(async () => {
    const eventId = await makeEvent(server());
    ticketId = (await makeTicket(server(), eventId, { price: '0', ticket: { mode: 'own', capacity: 500 } })).id;
    const { headers } = await server().ask('POST tickets:/cart', { body: items(1) });
    cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    token = headers.get('x-cart-token') ?? '';
  });

  it.each([
    ['_method', { query: { _method: 'POST' } }],
    ['_method in lower case', { query: { _method: 'post' } }],
    ['another method', { query: { _method: 'PATCH' } }],
    ['the header', { headers: { 'x-http-method-override': 'POST' } }],
  ])('writes nothing by a GET whose method is overridden by %s', async (_way, { query, headers }: MethodOverride) => {
    const answer = await server().ask('GET tickets:/cart', {
      query: { ...parameters(7), ...query },
      headers: { cookie, ...headers },
    });
    expect(refusal(answer)).toEqual([403, 'rest_forbidden']);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await look()).toBe(1);
  });

  it('refuses a checkout by GET with a method override', async () => {
    const query = { _method: 'POST', 'purchaser[name]': 'Ada', 'purchaser[email]': 'ada@example.test' };
    const answer = await server().ask('GET tickets:/cart/checkout', { query, headers: { cookie } });
    expect(refusal(answer)).toEqual([403, 'rest_forbidden']);
    expect(await look()).toBe(1);
  });

  it('refuses JSONP, also with an envelope, for requests with a cart cookie', async () => {
    const queries: Record<string, string>[] = [{ _jsonp: 'steal' }, { _jsonp: 'steal', _envelope: '' }];
    for (const query of queries) {
      const answer = await server().ask('GET tickets:/cart', { query, headers: { cookie } });
      expect(answer.text).toContain('rest_callback_invalid');
      expect(answer.text).not.toContain('quantity');
    }
    const answer = await server().ask('GET tickets:/cart', { query: { _jsonp: 'steal' }, headers: { cookie } });
    expect(answer.status).toBe(400);
  });

  it('accepts a method override of a POST from a form of the same site', async () => {
    const headers = { cookie, origin: 'http://localhost' };
    const answer = await server().ask('POST tickets:/cart', { query: { _method: 'PATCH' }, headers, body: items(2) });
    expect([answer.status, answer.body.tickets[0].quantity]).toEqual([200, 2]);
    const read = await server().ask('POST tickets:/cart', { query: { _method: 'GET' }, headers });
    expect([read.status, read.body.tickets[0].quantity]).toEqual([200, 2]);
    expect((await server().ask('POST tickets:/cart', { headers, body: items(1) })).status).toBe(200);
  });

  it('accepts method overrides and JSONP with the token in a header, which other sites cannot send', async () => {
    const headers = { 'x-cart-token': token };
    const called = await server().ask('GET tickets:/cart', { query: { _jsonp: 'walk' }, headers });
    expect(called.text).toMatch(/^\/\*\*\/walk\(\{"tickets":\[\{/);
    const query = { _method: 'POST', ...parameters(1) };
    expect((await server().ask('GET tickets:/cart', { query, headers })).status).toBe(200);
  });

  it('responds with JSONP where no cookie is read', async () => {
    const answer = await server().ask('GET /events', {
      query: { _jsonp: 'walk', _fields: 'total' },
      headers: { cookie },
    });
    expect(answer.text).toBe('/**/walk({"total":1})');
  });
});

interface MethodOverride {
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

describe('cookies', () => {
  it('are read in no other source file', () => {
    const src = new URL('../../', import.meta.url).pathname;
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const readers = files.filter((file) =>
      /\(\s*['"]cookie['"]\s*\)|\.cookie\b/i.test(readFileSync(join(src, file), 'utf8')),
    );
    // The others only check whether there are any, or a session, or hand on what cookies.ts gives.
    const others = [
      'http/pipeline/respond.ts',
      'http/cache/response-cache.ts',
      'http/input/parsed-request.ts',
      'platform/users/visitor-token.ts',
      'web/site/routes.ts',
    ];
    // On pages that are cached for no other visitor.
    others.push('web/shop/cart-cookies.ts', 'web/event/event-password.ts');
    expect(readers.sort()).toEqual(['http/core/cookies.ts', ...others].sort());
  });
});
