import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pruneResponses } from '../src/jobs/remove-expired.ts';
import { codeOf, makeAttendee, makeSeat } from './attendees.ts';
import { png, upload } from './fixtures.ts';
import { expectSameResponse } from './same-response.ts';
import { type Asking, DATABASES, NOON, type TestServer, useTestServer } from './server.ts';
import { bySession, cookieFor } from './sessions.ts';
import { type KeyHooks, keyHooks } from './statements.ts';
import { makeEvent } from './tickets.ts';

const DAY = 24 * 60 * 60;

const tokenWith = (scopes: string[]) => async (server: TestServer) =>
  `Bearer ${(await server.make('POST admin:/tokens', { name: 'app', scopes }, 'editor')).token}`;

async function appPassword(server: TestServer): Promise<string> {
  const path = `POST admin:/users/${server.userId('editor')}/application-passwords`;
  const { password } = await server.make(path, { name: 'app' }, 'editor');
  return `Basic ${btoa(`editor:${password}`)}`;
}

/** Programs of an editor, and what becomes of their request to create an event. */
const PROGRAMS = [
  { program: 'an application password', credential: appPassword, status: 201 },
  { program: 'a token with all rights', credential: tokenWith(['events:write', 'tickets:write']), status: 201 },
  { program: 'a token that only reads', credential: tokenWith(['read']), status: 403 },
];
const WALK = { title: 'Walk', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };

describe.each(DATABASES)('a write with an Idempotency-Key on %s', (kind) => {
  const hooks: KeyHooks = {};
  const overrides = { qrApiKey: 'door-key', trustProxy: ['loopback'] };
  const server = useTestServer(kind, overrides, { hooks: keyHooks(hooks), isFreshEachTime: true });
  afterEach(() => {
    vi.useRealTimers();
    hooks.afterClaim = undefined;
    hooks.beforeWork = undefined;
    hooks.beforeKeep = undefined;
    server().clock.now = NOON;
  });

  let serial = 0;
  const newKey = () => `key ${++serial}`;
  const keyed = (call: string, key: string, { headers, ...asking }: Asking = {}) =>
    server().ask(call, { ...asking, headers: { ...headers, 'idempotency-key': key } });
  const create = (key: string, asking: Asking = {}) =>
    keyed('POST /events', key, { as: 'editor', body: WALK, ...asking });
  const rows = () => server().context.db.query.selectFrom('idempotency_keys').selectAll().execute();
  const events = async () => {
    const { total } = await server()
      .context.db.query.selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  };
  const later = (seconds: number) => {
    server().clock.now = new Date(NOON.getTime() + seconds * 1000);
  };
  /** Blocks the next request after it has claimed its key, until it is released. */
  function holdNext(): { isHeld: Promise<void>; letGo(): void } {
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    hooks.beforeWork = () => {
      hooks.beforeWork = undefined;
      held.resolve();
      return free.promise;
    };
    return { isHeld: held.promise, letGo: free.resolve };
  }

  it('is refused when the key is empty or has more than 200 characters, in every namespace', async () => {
    for (const call of ['POST events:/events', 'DELETE tickets:/tickets/1', 'PATCH admin:/users/1']) {
      for (const key of ['', 'x'.repeat(201)]) {
        expect(await keyed(call, key, { as: 'administrator' })).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param', data: { details: { 'Idempotency-Key': {} } } },
        });
      }
    }
    expect((await create('x'.repeat(200))).status).toBe(201);
  });

  it('is ignored by reads', async () => {
    const before = await rows();
    for (const call of ['GET /events', 'HEAD /events', 'OPTIONS /events']) {
      expect((await keyed(call, 'x'.repeat(201))).status).toBe(200);
    }
    const query = { api_key: 'door-key', ticket_id: 999_999, security_code: 'x' };
    expect((await keyed('GET tickets:/qr', 'read', { query })).status).not.toBe(500);
    expect(await rows()).toEqual(before);
  });

  it('is the same under every prefix, and with a method override', async () => {
    const key = newKey();
    const first = await create(key);
    for (const prefix of ['/wp-json/tribe', '/wp-json/calendar', '/CALENDAR']) {
      expect((await create(key, { prefix })).body).toEqual(first.body);
    }
    const { id } = first.body;
    const change = { as: 'editor' as const, body: { title: 'Long walk' } };
    const changed = await keyed(`PATCH /events/${id}`, key, change);
    expect(changed.body.title).toBe('Long walk');
    await server().make(`POST /events/${id}`, { title: 'Other' });
    const header = await keyed(`POST /events/${id}`, key, {
      ...change,
      headers: { 'x-http-method-override': 'PATCH' },
    });
    const query = await keyed(`POST /events/${id}/`, key, { ...change, query: { _method: 'patch' } });
    for (const again of [header, query]) expect(again.text).toBe(changed.text);
  });

  it('is distinct for another method, path or account', async () => {
    const key = newKey();
    const before = await events();
    const first = await create(key);
    const other = await create(key, { as: 'author' });
    expect(other.body.id).not.toBe(first.body.id);
    const venue = await keyed('POST /venues', key, { as: 'editor', body: { venue: 'Hall' } });
    expect(venue.status).toBe(201);
    expect((await keyed(`DELETE /events/${first.body.id}`, key, { as: 'editor' })).body.status).toBe('trash');
    expect(await events()).toBe(before + 2);
  });

  it('belongs to the person of an account, by password and in each session', async () => {
    const key = newKey();
    const first = await create(key);
    for (let session = 0; session < 2; session += 1) {
      const headers = bySession(await cookieFor(server(), 'editor'));
      expect((await create(key, { as: undefined, headers })).body).toEqual(first.body);
    }
  });

  describe.each(PROGRAMS)('of a person, repeated by $program of the account', ({ credential, status }) => {
    const authorised = async () => ({ as: undefined, headers: { authorization: await credential(server()) } });

    it('runs anew under the rights of the program', async () => {
      const key = newKey();
      const first = await create(key);
      const again = await create(key, await authorised());
      expect(again.status).toBe(status);
      expect(again.text).not.toContain(first.body.global_id);
    });

    it('is repeated for the same rights only', async () => {
      const key = newKey();
      const first = await create(key, await authorised());
      expectSameResponse(await create(key, await authorised()), first);
    });
  });

  it('never shows the secret of an administrator to a program with fewer rights', async () => {
    const [key, body] = [newKey(), { name: 'app', scopes: ['admin'] }];
    const { token } = await server().make('POST admin:/tokens', { name: 'kiosk', scopes: ['read'] });
    const first = await keyed('POST admin:/tokens', key, { as: 'administrator', body });
    expect(first.status).toBe(201);
    const again = await keyed('POST admin:/tokens', key, { body, headers: { authorization: `Bearer ${token}` } });
    expect([again.status, again.body.code]).toEqual([403, 'rest_forbidden']);
  });

  it('requires credentials that are still valid', async () => {
    const key = newKey();
    await create(key);
    const headers = { authorization: `Basic ${btoa('editor:wrong')}` };
    expect((await create(key, { as: undefined, headers })).body.code).toBe('incorrect_password');
    expect((await create(key, { as: undefined })).body.code).toBe('rest_forbidden');
  });

  it('runs anew under another role, and is repeated for the former one', async () => {
    const [key, id] = [newKey(), server().userId('contributor')];
    const first = await create(key, { as: 'contributor' });
    expect(first.status).toBe(201);
    await server().make(`PATCH admin:/users/${id}`, { role: 'subscriber' });
    expect((await create(key, { as: 'contributor' })).status).toBe(403);
    await server().make(`PATCH admin:/users/${id}`, { role: 'contributor' });
    expectSameResponse(await create(key, { as: 'contributor' }), first);
  });

  it('is repeated after the record is gone', async () => {
    const { id } = (await create(newKey())).body;
    const remove = (key: string) => keyed(`DELETE /events/${id}`, key, { as: 'editor', query: { force: true } });
    const key = newKey();
    const first = await remove(key);
    expect(first.status).toBe(200);
    expectSameResponse(await remove(key), first);
    expect((await remove(newKey())).status).toBe(404);
  });

  it('is another one with a check-in key that adds rights', async () => {
    const attendee = await makeAttendee(server(), await makeSeat(server(), await makeEvent(server())));
    const { id, key: api_key } = await server().make('POST admin:/check-in-keys', { name: 'gate' });
    const key = newKey();
    const security_code = await codeOf(server(), attendee.id);
    const scan = () =>
      keyed('POST tickets:/qr', key, { as: 'subscriber', body: { api_key, ticket_id: attendee.id, security_code } });
    expect((await scan()).status).toBe(201);
    await server().make(`DELETE admin:/check-in-keys/${id}`, {});
    expect((await scan()).body.msg).toContain('The check-in key is not valid.');
  });

  it('never gives the cart of one visitor to another', async () => {
    const id = await makeSeat(server(), await makeEvent(server()));
    const key = newKey();
    const from = (address: string) =>
      keyed('POST tickets:/cart', key, {
        body: { provider: 'tc', tickets: [{ ticket_id: id, quantity: 1 }] },
        headers: { 'x-forwarded-for': address },
      });
    const first = await from('192.0.2.1');
    expect(first.headers.get('x-cart-token')).toMatch(/^[\w-]{43}$/);
    expectSameResponse(await from('192.0.2.1'), first);
    const tokens = new Set([first.headers.get('x-cart-token')]);
    for (const address of ['192.0.2.2', '2001:db8::1']) tokens.add((await from(address)).headers.get('x-cart-token'));
    expect(tokens.size).toBe(3);
    // The owner of an IPv6 address has the whole /64 network.
    tokens.add((await from('2001:db8::ffff')).headers.get('x-cart-token'));
    expect(tokens.size).toBe(3);
  });

  it('belongs to the cart of a visitor who has one, and to the check-in key of a scanner', async () => {
    const id = await makeSeat(server(), await makeEvent(server()));
    const fill = (key: string, token?: string) =>
      keyed('POST tickets:/cart', key, {
        body: { provider: 'tc', tickets: [{ ticket_id: id, quantity: 1 }] },
        headers: token === undefined ? {} : { 'x-cart-token': token },
      });
    const [ada, bob] = [await fill(newKey()), await fill(newKey())].map(({ headers }) => headers.get('x-cart-token'));
    const key = newKey();
    const buy = (token?: string | null) =>
      keyed('POST tickets:/cart/checkout', key, {
        body: { purchaser: { name: 'Ada', email: 'ada@example.test' } },
        headers: { 'x-cart-token': token ?? '' },
      });
    const bought = await buy(ada);
    expect(bought.status).toBe(201);
    expectSameResponse(await buy(ada), bought);
    expect((await buy(bob)).body.order.id).not.toBe(bought.body.order.id);

    const [attendee] = bought.body.attendees;
    const scan = (api_key: string) =>
      keyed('POST tickets:/qr', key, {
        body: { api_key, ticket_id: attendee.id, security_code: attendee.security_code },
      });
    const { key: other } = await server().make('POST admin:/check-in-keys', { name: 'gate' });
    await server().make(`PATCH admin:/orders/${bought.body.order.id}`, { status: 'completed' });
    const scanned = await scan('door-key');
    expect(scanned.status).toBe(201);
    expectSameResponse(await scan('door-key'), scanned);
    expect((await scan(other)).body.error).toBe('attendee_already_checked_in');
  });

  it.each([
    { by: 'header', showing: (token: string): Record<string, string> => ({ 'x-cart-token': token }) },
    { by: 'cookie', showing: (token: string): Record<string, string> => ({ cookie: `marquee-cart=${token}` }) },
  ])('is refused for another cart of the same account, shown by $by', async ({ showing }) => {
    const id = await makeSeat(server(), await makeEvent(server()));
    const carts: string[] = [];
    for (let cart = 0; cart < 2; cart += 1) {
      const body = { provider: 'tc', tickets: [{ ticket_id: id, quantity: 1 }] };
      carts.push((await server().ask('POST tickets:/cart', { body })).headers.get('x-cart-token') ?? '');
    }
    const key = newKey();
    const buy = (token = '') =>
      keyed('POST tickets:/cart/checkout', key, {
        as: 'editor',
        body: { purchaser: { name: 'Box office', email: 'box@example.test' } },
        headers: showing(token),
      });
    expect((await buy(carts[0])).status).toBe(201);
    expect((await buy(carts[1])).body.code).toBe('idempotency-key-reused');
  });

  describe('and different content', () => {
    const reused = { status: 422, body: { code: 'idempotency-key-reused' } };

    it('is refused', async () => {
      const key = newKey();
      await create(key);
      const before = await events();
      const others: Asking[] = [
        { body: { ...WALK, title: 'Other' } },
        { body: { ...WALK, featured: true } },
        { query: { excerpt: 'In the query' } },
        { query: { i18n_language: 'fr' } },
        { headers: { 'accept-language': 'fr' } },
      ];
      for (const other of others) expect(await create(key, other)).toMatchObject(reused);
      expect(await events()).toBe(before);
    });

    it('ignores the order of members, the format, and the presentation of the response', async () => {
      const key = newKey();
      const first = await create(key);
      const turned = Object.fromEntries(Object.entries(WALK).reverse());
      expectSameResponse(await create(key, { body: turned }), first);
      expectSameResponse(await create(key, { body: undefined, form: new URLSearchParams(WALK) }), first);
      const short = await create(key, { query: { _fields: 'id,title' } });
      expect([short.status, short.body]).toEqual([201, { id: first.body.id, title: 'Walk' }]);
      const wrapped = await create(key, { query: { _envelope: 1 } });
      expect(wrapped.body).toMatchObject({ status: 201, body: first.body });
    });

    it('compares files too, byte by byte', async () => {
      const key = newKey();
      const [one, other] = [await png(100, 80), await png(100, 81)];
      const send = (bytes: Uint8Array<ArrayBuffer>, name?: string) =>
        keyed('POST admin:/media', key, { as: 'editor', form: upload(bytes, name) });
      const first = await send(one);
      expect(first.status).toBe(201);
      expectSameResponse(await send(one), first);
      expect(await send(other)).toMatchObject(reused);
      expect(await send(one, 'other.png')).toMatchObject(reused);
    });
  });

  describe('that is refused', () => {
    it('is refused again in the same way, whatever has changed', async () => {
      const key = newKey();
      const body = { ...WALK, venue: 999_999 };
      const first = await create(key, { body });
      expect(first.status).toBe(400);
      expectSameResponse(await create(key, { body }), first);
      expect((await create(key)).status).toBe(422);
    });

    it('as too early or too frequent is executed again', async () => {
      const account = { username: 'twin', email: 'twin@example.test', password: 'long enough', role: 'subscriber' };
      const { id } = await server().make('POST admin:/users', account);
      const again = { ...account, email: 'other@example.test' };
      const key = newKey();
      const send = () => keyed('POST admin:/users', key, { as: 'administrator', body: again });
      expect((await send()).body.code).toBe('user-exists');
      await server().make(`DELETE admin:/users/${id}`, {});
      expect((await send()).status).toBe(201);
    });

    it('by a fault is executed again, and leaves nothing behind', async () => {
      const key = newKey();
      const before = [await events(), (await rows()).length];
      hooks.beforeKeep = () => Promise.reject(new Error('fault'));
      expect((await create(key)).body.code).toBe('internal');
      hooks.beforeKeep = undefined;
      expect([await events(), (await rows()).length]).toEqual(before);
      expect((await create(key)).status).toBe(201);
    });

    it('by a fault after an upload leaves no files behind', async () => {
      const form = upload(await png(20, 20));
      const uploads = join(server().context.config.data, 'uploads');
      const files = async () =>
        (await readdir(uploads, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      hooks.beforeKeep = () => Promise.reject(new Error('fault'));
      expect((await keyed('POST admin:/media', newKey(), { as: 'editor', form })).status).toBe(500);
      expect(await files()).toEqual([]);
    });

    it('for a visitor is not stored, so that visitors cannot fill the table', async () => {
      const before = await rows();
      const headers = { 'x-cart-token': 'a'.repeat(43) };
      expect((await keyed('POST /events', newKey(), { body: WALK })).status).toBe(401);
      expect((await keyed('POST tickets:/cart/checkout', newKey(), { body: {}, headers })).status).toBe(400);
      expect((await keyed('POST tickets:/cart', newKey(), { body: {} })).status).toBe(400);
      expect((await keyed('POST tickets:/qr', newKey(), { body: {} })).status).toBe(400);
      expect(await rows()).toEqual(before);
    });
  });

  describe('while the first is in progress', () => {
    it('is told to wait, and gets the response of the first afterwards', async () => {
      const key = newKey();
      const before = await events();
      const { isHeld, letGo } = holdNext();
      const first = create(key);
      await isHeld;
      const early = await create(key);
      expect(early).toMatchObject({ status: 409, body: { code: 'request-in-progress' } });
      expect(early.headers.get('retry-after')).toBe('6');
      later(4);
      expect((await create(key)).headers.get('retry-after')).toBe('2');
      expect((await create(key, { body: { ...WALK, title: 'Other' } })).status).toBe(422);
      expect((await create(newKey())).status).toBe(201);
      letGo();
      expect((await first).status).toBe(201);
      expectSameResponse(await create(key), await first);
      expect(await events()).toBe(before + 2);
    });

    it('is told to wait for as long as the first works', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const key = newKey();
      const { isHeld, letGo } = holdNext();
      const first = create(key);
      await isHeld;
      const claimedUntil = async () => (await rows()).find(({ answer }) => answer === '')?.expires_utc;
      for (const seconds of [5, 10, 15]) {
        later(seconds);
        const before = await claimedUntil();
        vi.advanceTimersByTime(2000);
        // The renewal is in flight; there is no other way to wait for it.
        while ((await claimedUntil()) === before) await nextTurn();
        later(seconds + 5);
        expect((await create(key)).status).toBe(409);
      }
      letGo();
      expect((await first).status).toBe(201);
    });

    it('executes the request once the claim has expired, and the first cannot commit any more', async () => {
      const key = newKey();
      const before = await events();
      const { isHeld, letGo } = holdNext();
      const first = create(key);
      await isHeld;
      later(5);
      expect((await create(key)).status).toBe(409);
      later(6);
      const second = await create(key);
      expect(second.status).toBe(201);
      letGo();
      expect((await first).body.code).toBe('request-in-progress');
      expect(await events()).toBe(before + 1);
      expectSameResponse(await create(key), second);
    });
  });

  it('stores no secret in the database, not even for the holder of the key', async () => {
    const key = 'b41e1f64-8d6b-4f3e-9f6c-3a9a4f7a31aa';
    const made = (language?: string) =>
      keyed('POST admin:/tokens', key, {
        headers: { ...bySession(cookie), ...(language && { 'accept-language': language }) },
        body: { name: 'North gate kiosk', scopes: ['read'] },
        query: { i18n_language: 'en' },
      });
    const cookie = await cookieFor(server(), 'administrator');
    const first = await made();
    const { token, ...record } = first.body;
    expect(token).toMatch(/^mrq_[\w-]{43}$/);
    const stored = JSON.stringify(await rows());
    for (const secret of [token, key, 'North gate kiosk']) expect(stored).not.toContain(secret);
    for (const [language, words] of [
      ['en', 'cannot be shown again'],
      ['fr', 'ne peut plus l’être'],
      ['de', 'kann nicht noch einmal gezeigt werden'],
    ]) {
      const again = await made(language);
      expect([again.status, again.body]).toEqual([
        200,
        { ...record, secret_shown: true, message: expect.stringContaining(words ?? '') },
      ]);
    }
  });

  it('gives a customer the link of the order and the codes of the tickets again', async () => {
    const ticket_id = await makeSeat(server(), await makeEvent(server()));
    const cart = await server().ask('POST tickets:/cart', {
      body: { provider: 'tc', tickets: [{ ticket_id, quantity: 1 }] },
    });
    const key = newKey();
    const buy = () =>
      keyed('POST tickets:/cart/checkout', key, {
        body: { purchaser: { name: 'Ada', email: 'ada@example.test' } },
        headers: { 'x-cart-token': cart.headers.get('x-cart-token') ?? '' },
      });
    const first = await buy();
    expect(first.body.order.token).toMatch(/^[\w-]{22}$/);
    expect(first.body.attendees[0].security_code).toMatch(/./);
    expectSameResponse(await buy(), first);
  });

  it('is kept for 24 hours after the response, despite sweeps meanwhile', async () => {
    const key = newKey();
    const { isHeld, letGo } = holdNext();
    const first = create(key);
    await isHeld;
    later(30);
    letGo();
    expect((await first).status).toBe(201);
    later(30 + DAY - 1);
    await pruneResponses(server().context);
    expectSameResponse(await create(key), await first);
    later(30 + DAY);
    expect((await create(key)).body.id).not.toBe((await first).body.id);
  });

  it('is deleted after 24 hours, with expired claims', async () => {
    const key = newKey();
    const first = await create(key);
    later(DAY - 1);
    expectSameResponse(await create(key), first);
    later(DAY);
    const second = await create(key);
    expect(second.body.id).not.toBe(first.body.id);
    const { isHeld, letGo } = holdNext();
    const held = create(newKey());
    await isHeld;
    later(2 * DAY);
    await pruneResponses(server().context);
    expect(await rows()).toEqual([]);
    letGo();
    await held;
  });

  it('is executed once for a visitor although its response is too large to store', async () => {
    const ticket_id = await makeSeat(server(), await makeEvent(server()), 20, { price: '5' });
    const key = newKey();
    const items = Array.from({ length: 2 }, () => ({ notes: server().context.random(6000).toString('base64') }));
    const body = { provider: 'tc', tickets: [{ ticket_id, quantity: 2 }], meta: [{ ticket_id, items }] };
    const send = () => keyed('POST tickets:/cart', key, { body, from: '198.51.100.77' });
    expect((await send()).status).toBe(200);
    expect(await send()).toMatchObject({ status: 409, body: { code: 'idempotency-answer-not-kept' } });
    const { held } = await server()
      .context.db.query.selectFrom('tickets')
      .select('held')
      .where('id', '=', ticket_id)
      .executeTakeFirstOrThrow();
    expect(held).toBe(2);
  });

  it('that was refused gets a new request id when repeated', async () => {
    const key = newKey();
    const first = await create(key, { body: { title: 'Walk' } });
    const again = await create(key, { body: { title: 'Walk' } });
    expect([first.status, again.status]).toEqual([400, 400]);
    for (const { headers, body } of [first, again]) expect(body.data.request_id).toBe(headers.get('x-request-id'));
    expect(again.body.data.request_id).not.toBe(first.body.data.request_id);
  });

  it('of a visitor claims no key if its parameters are invalid', async () => {
    let claims = 0;
    hooks.afterClaim = () => {
      claims += 1;
    };
    const send = (body: unknown) => keyed('POST tickets:/cart', newKey(), { body, from: '198.51.100.79' });
    for (const body of [{}, { provider: 'tc', tickets: 'none' }]) expect((await send(body)).status).toBe(400);
    expect(claims).toBe(0);
    expect((await send({ provider: 'tc' })).status).toBe(200);
    expect(claims).toBe(1);
  });

  it('of a visitor is counted each time, and claims no key beyond the limit', async () => {
    server().restart({ cartRate: { writes: 2, checkouts: 1 } });
    let claims = 0;
    hooks.afterClaim = () => {
      claims += 1;
    };
    const send = (call: string, key: string) => keyed(call, key, { body: { provider: 'tc' }, from: '198.51.100.78' });
    const key = newKey();
    for (const left of ['1', '0']) {
      const { status, headers } = await send('POST tickets:/cart', key);
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, left]);
    }
    expect((await send('POST tickets:/cart/checkout', newKey())).status).toBe(400);
    const before = await rows();
    claims = 0;
    for (const call of ['POST tickets:/cart', 'PUT tickets:/cart', 'POST tickets:/cart/checkout']) {
      const refused = await send(call, newKey());
      expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await send('POST tickets:/cart', key)).status).toBe(429);
    expect([claims, await rows()]).toEqual([0, before]);
    server().restart({});
  });

  it('accepts a body that is nested more deeply than the stack', async () => {
    const nested = `{"title": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const answer = await server().request('/calendar/tickets/v1/cart', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
      body: nested,
    });
    expect(answer.status).toBe(400);
  });
});

describe.each(DATABASES)('a write without an Idempotency-Key on %s', (kind) => {
  const server = useTestServer(kind);

  it('looks up no key', async () => {
    await sql`ALTER TABLE idempotency_keys RENAME TO set_aside`.execute(server().context.db.query);
    const create = (headers: Record<string, string>) =>
      server().ask('POST /events', { as: 'editor', body: WALK, headers });
    expect((await create({})).status).toBe(201);
    expect((await create({ 'idempotency-key': 'key' })).status).toBe(500);
  });
});
