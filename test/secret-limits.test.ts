import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from './attendees.ts';
import { type Asking, DATABASES, useTestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

/** Every route that compares a secret, with low limits, so that each test reaches them quickly. */
const LIMIT = 5;

describe.each(DATABASES)('on %s', (kind) => {
  const server = useTestServer(kind, {
    secretGuesses: { perAddress: LIMIT, perAccount: LIMIT },
    qrApiKey: 'k3y-of-8-or-more',
  });
  let event: { id: number; slug: string };
  let ticket: number;
  beforeAll(async () => {
    const id = await makeEvent(server(), { title: 'Locked', post_password: 'sesame', description: 'hidden words' });
    event = (await server().ask(`GET /events/${id}`, { as: 'editor' })).body;
    ticket = await makeSeat(server(), id, 50);
  });
  beforeEach(async () => {
    await server().context.db.query.deleteFrom('rate_limits').execute();
  });

  let hosts = 0;
  const newAddress = () => `198.51.100.${++hosts}`;
  const status = async (call: string, asking: Asking) => (await server().ask(call, asking)).status;

  type Route = [name: string, call: () => string, asking: (password: string) => Asking];
  const query = (more: Record<string, string | number>) => (password: string) => ({ query: { ...more, password } });
  const ROUTES: Route[] = [
    ['an event', () => `GET /events/${event.id}`, query({})],
    ['an event by its slug', () => `GET /events/by-slug/${event.slug}`, query({})],
    [
      'an event by another prefix',
      () => `GET /events/${event.id}`,
      (password) => ({ query: { password }, prefix: '/wp-json/tribe' }),
    ],
    ['an event by HEAD', () => `HEAD /events/${event.id}`, query({})],
    [
      'an event by POST and an override',
      () => `POST /events/${event.id}?_method=GET`,
      (password) => ({ body: { password } }),
    ],
    ['an event as JSONP', () => `GET /events/${event.id}`, query({ _jsonp: 'x' })],
    ['a search of events', () => 'GET /events', query({ search: 'hidden' })],
    ['a list of events', () => 'GET /events', (password) => ({ query: { include: event.id, password } })],
    ['a list of tickets by capacity', () => 'GET tickets:/tickets', query({ capacity_min: 1 })],
    ['a list of tickets', () => 'GET tickets:/tickets', query({})],
    ['a ticket', () => `GET tickets:/tickets/${ticket}`, query({})],
    [
      'a cart',
      () => 'POST tickets:/cart',
      (password) => ({ body: { provider: 'tc', tickets: [{ ticket_id: ticket, quantity: 1 }], password } }),
    ],
    [
      'a cart by requests with a new Idempotency-Key each',
      () => 'POST tickets:/cart',
      (password) => ({
        body: { provider: 'tc', tickets: [{ ticket_id: ticket, quantity: 1 }], password },
        headers: { 'idempotency-key': randomUUID() },
      }),
    ],
    [
      'a cart by a form',
      () => 'PUT tickets:/cart',
      (password) => ({
        form: new URLSearchParams({
          provider: 'tc',
          password,
          'tickets[0][ticket_id]': `${ticket}`,
          'tickets[0][quantity]': '1',
        }),
      }),
    ],
  ];

  it.each(ROUTES)(
    'a password cannot be found by trying at %s: the right one is refused too',
    async (_name, call, asking) => {
      const from = newAddress();
      const statuses = new Set<number>();
      for (let index = 0; index < LIMIT; index += 1)
        statuses.add(await status(call(), { ...asking(`wrong ${index}`), from }));
      expect(statuses).not.toContain(429);
      expect(await status(call(), { ...asking('wrong'), from })).toBe(429);
      expect(await status(call(), { ...asking('sesame'), from })).toBe(429);
      expect([200, 201]).toContain(await status(call(), { ...asking('sesame'), from: newAddress() }));
    },
  );

  it('no other route, spelling of the URL, header or case of a password evades the limit', async () => {
    const hosts = ['2001:db8:7:1::1', '2001:DB8:7:1:0::2', '2001:db8:7:1::3'];
    const forged = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.2', forwarded: 'for=192.0.2.3' };
    for (let index = 0; index < LIMIT; index += 1) {
      const [, call, asking] = ROUTES[index] as Route;
      await status(call(), { ...asking(`SESAME ${index}`), from: hosts[index % 3], headers: forged });
    }
    for (const [, call, asking] of ROUTES) {
      const { headers, ...rest } = asking('sesame');
      expect(await status(call(), { ...rest, headers: { ...headers, ...forged }, from: '2001:db8:7:1:ffff::9' })).toBe(
        429,
      );
    }
  });

  it.each([
    ['a list', { 'password[]': 'wrong' }],
    ['a number', { password: 12 }],
    ['repeated', { 'password[0]': 'wrong', 'password[1]': 'sesame' }],
  ])('a password that is %s is always counted', async (_name, sent) => {
    const from = newAddress();
    for (let index = 0; index < LIMIT; index += 1) {
      const answer = await status(`GET /events/${event.id}`, { query: sent as Asking['query'], from });
      expect([400, 403]).toContain(answer);
    }
    const counts = await server().context.db.query.selectFrom('rate_limits').select('points').execute();
    const isCounted = (await status(`GET /events/${event.id}`, { query: { password: 'sesame' }, from })) === 429;
    expect(isCounted).toBe(counts[0]?.points === LIMIT);
  });

  it('concurrent attempts do not evade the limit, and the same right password counts as one attempt', async () => {
    const from = newAddress();
    const read = (password: string) => status(`GET /events/${event.id}`, { query: { password }, from });
    expect(await Promise.all(Array.from({ length: 40 }, () => read('sesame')))).toEqual(Array(40).fill(200));
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => read(`wrong ${index}`)));
    expect(statuses.filter((found) => found === 403)).toHaveLength(LIMIT);
    expect(await read('sesame')).toBe(200);
  });

  it('an author cannot try passwords for free by setting them on an own event', async () => {
    const from = newAddress();
    for (let index = 0; index < LIMIT; index += 1) {
      await makeEvent(server(), { title: `Mine ${index}`, post_password: `guess ${index}` });
      expect(await status('GET /events', { query: { search: 'hidden', password: `guess ${index}` }, from })).not.toBe(
        429,
      );
    }
    expect(await status('GET /events', { query: { search: 'hidden', password: 'sesame' }, from })).toBe(429);
    expect(await status('GET /events', { query: { password: 'guess 0' }, from })).not.toBe(429);
  });

  it('each kind of secret has its own count', async () => {
    const from = newAddress();
    for (let index = 0; index <= LIMIT; index += 1)
      await status(`GET /events/${event.id}`, { query: { password: `wrong ${index}` }, from });
    expect(await status('GET admin:/me', { as: 'editor', from })).toBe(200);
    expect(await status('GET tickets:/attendees', { query: { api_key: 'k3y-of-8-or-more' }, from })).toBe(200);
  });

  it('the code of an attendee cannot be guessed by trying, and scanners are never blocked', async () => {
    const { context, ask, make } = server();
    const { id } = await makeAttendee(server(), await makeSeat(server(), await makeEvent(server()), 5));
    const { security_code } = await context.db.query
      .selectFrom('attendees')
      .select('security_code')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const from = newAddress();
    const read = (code: string, host = from) =>
      ask(`GET tickets:/qr/${id}`, { query: { security_code: code }, from: host });
    for (let index = 0; index < LIMIT; index += 1) expect((await read(`${index}`)).body.content).toBeUndefined();
    expect((await read(security_code)).status).toBe(429);
    expect((await read(security_code, newAddress())).body.content).toContain(security_code);

    const other = await makeEvent(server());
    const foreign = await make('POST admin:/check-in-keys', { name: 'Other door', event_id: other });
    const { key } = await make('POST admin:/check-in-keys', { name: 'Door' });
    const scan = (api_key: string, code: string) =>
      status('POST tickets:/qr', { body: { api_key, ticket_id: id, security_code: code }, from });
    expect(await scan(foreign.key, security_code)).toBe(429);
    for (let index = 0; index < 2 * LIMIT; index += 1) expect(await scan(key, `${index}`)).toBe(403);
    expect(await scan(key, security_code)).toBe(201);
  });

  it('a refusal says when to retry', async () => {
    const from = newAddress();
    const read = () => server().ask(`GET /events/${event.id}`, { query: { password: 'wrong' }, from });
    for (let index = 0; index < LIMIT; index += 1) await read();
    const { headers, body } = await read();
    expect(body.code).toBe('too_many_attempts');
    expect([headers.get('retry-after'), headers.get('ratelimit-reset')]).toEqual(['900', '900']);
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([`${LIMIT}`, '0']);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const open = await server().ask('GET /events', { from });
    expect(open.headers.get('ratelimit-limit')).toBeNull();
  });

  it('an undeclared proxy does not share limits with others, and administrators are notified', async () => {
    const { ask, request, clock } = server();
    const proxy = { 'x-forwarded-for': '203.0.113.8' };
    const other = await makeEvent(server(), { post_password: 'mellon' });
    const read = (id: number, password: string, headers = {}) =>
      status(`GET /events/${id}`, { query: { password }, from: '10.0.0.9', headers });
    for (let index = 0; index <= LIMIT; index += 1) await read(event.id, `wrong ${index}`, proxy);
    expect([await read(event.id, 'sesame'), await read(other, 'mellon')]).toEqual([429, 200]);

    const ready = async (as?: string) => {
      const headers = as ? { authorization: `Basic ${btoa(`${as}:${as}-password`)}` } : undefined;
      return (await request('/readyz', { headers }, '10.0.0.9')).json();
    };
    expect(await ready('administrator')).toEqual({ status: 'ok', detail: [expect.stringContaining('10.0.0.9')] });
    expect([await ready(), await ready('editor')]).toEqual([{ status: 'ok' }, { status: 'ok' }]);
    const before = clock.now;
    clock.now = new Date(before.getTime() + 16 * 60_000);
    expect(await ready('administrator')).toEqual({ status: 'ok' });
    await ask('GET /events', { from: '203.0.113.7', headers: proxy });
    expect(await ready('administrator')).toEqual({ status: 'ok' });
    clock.now = before;
  });
});

describe.each(DATABASES)('on %s without a check-in key in the settings', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 2, perAccount: 2 } });

  it('wrong keys block no one, since there is nothing to guess', async () => {
    const from = '198.51.100.1';
    const body = { ticket_id: 1, security_code: 'x' };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const asking = { from, headers: { 'x-api-key': `guess ${attempt}` } };
      expect((await server().ask('GET /events', asking)).status).toBe(200);
      const scanned = await server().ask('POST tickets:/qr', { ...asking, body });
      expect(scanned).toMatchObject({ status: 400, body: { error: 'api_key_not_valid' } });
    }
  });
});
