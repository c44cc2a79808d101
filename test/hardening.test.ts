import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from './attendees.ts';
import { DATABASES, useTestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

/** Regression tests for faults found in a review. */
describe.each(DATABASES)('on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    seat = await makeSeat(server(), event, 10);
  });

  const tokenOf = async (role: 'administrator' | 'author', scopes: string) =>
    (await server().make('POST admin:/tokens', { name: 'Tool', scopes }, role)).token as string;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('inherited property names have no effect in a body or in _fields', async () => {
    const { context, ask } = server();
    const id = (await makeAttendee(server(), seat)).id;
    const trap = '{"a":{"__proto__":{"polluted":1}},"\\u005f_proto__":{"polluted":1}}';
    await context.db.query.updateTable('attendees').set({ information: trap }).where('id', '=', id).execute();
    for (const field of ['information.a.__proto__.polluted', '__proto__.polluted', 'information.__proto__.polluted']) {
      expect((await ask(`GET tickets:/attendees/${id}`, { as: 'editor', query: { _fields: field } })).status).toBe(200);
    }
    await ask('POST /events', {
      as: 'editor',
      headers: { 'content-type': 'application/json' },
      body: JSON.parse('{"title":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await ask('GET admin:/me')).status).toBe(401);
  });

  it('a token for tickets changes no events, and one for events no tickets', async () => {
    const { ask } = server();
    const tickets = bearer(await tokenOf('administrator', 'tickets:write'));
    const events = bearer(await tokenOf('administrator', 'events:write'));
    const nonce = { action: 'edit_ticket_nonce', post_id: event };
    expect((await ask(`PATCH /events/${event}`, { headers: tickets, body: { title: 'Taken over' } })).status).toBe(403);
    expect((await ask('POST tickets:/nonces', { headers: tickets, body: nonce })).status).toBe(201);
    expect((await ask('POST tickets:/nonces', { headers: events, body: nonce })).status).toBe(403);
    expect((await ask(`PATCH /events/${event}`, { headers: events, body: { sticky: false } })).status).toBe(200);
  });

  it('an application password cannot create further credentials', async () => {
    const { ask, make, userId } = server();
    const path = `admin:/users/${userId('author')}/application-passwords`;
    const { password } = await make(`POST ${path}`, { name: 'Site' }, 'author');
    const headers = { authorization: `Basic ${Buffer.from(`author:${password}`).toString('base64')}` };
    expect((await ask('GET admin:/me', { headers })).status).toBe(200);
    expect((await ask(`POST ${path}`, { headers, body: { name: 'Second' } })).status).toBe(403);
    expect((await ask('POST admin:/tokens', { headers, body: { name: 'Third', scopes: 'read' } })).status).toBe(403);
  });

  it('the properties of a ticket behind a password cannot be probed', async () => {
    const { ask, make } = server();
    const locked = await makeEvent(server(), { post_password: 'sesame' });
    const ticket = await makeSeat(server(), locked, 7);
    const total = async (query: Record<string, string | number>) =>
      (await ask('GET tickets:/tickets', { query: { include: ticket, ...query } })).body.total;
    expect(await total({})).toBe(1);
    expect(await total({ capacity_min: 7 })).toBe(0);
    expect(await total({ is_available: 'true' })).toBe(0);
    expect(await total({ provider: 'tc' })).toBe(0);
    expect(await total({ capacity_min: 7, password: 'sesame' })).toBe(1);
    await make(`PATCH /events/${locked}`, { post_password: '' });
    expect(await total({ capacity_min: 7 })).toBe(1);
  });

  it('tickets behind a password can be held only with the password', async () => {
    const { ask } = server();
    const locked = await makeEvent(server(), { post_password: 'sesame' });
    const ticket_id = await makeSeat(server(), locked, 7);
    const body = { provider: 'tc', tickets: [{ ticket_id, quantity: 1 }] };
    expect((await ask('POST tickets:/cart', { body })).body.code).toBe('ticket-does-not-exist');
    const held = await ask('POST tickets:/cart', { body: { ...body, password: 'sesame' } });
    expect(held.body.tickets).toHaveLength(1);
    const headers = { 'x-cart-token': held.headers.get('x-cart-token') ?? '' };
    const bought = await ask('POST tickets:/cart/checkout', {
      headers,
      body: { purchaser: { name: 'Ada', email: 'ada@party.test' } },
    });
    expect(bought.status).toBe(201);
  });

  it('the password of an event cannot be guessed by trying', async () => {
    const { ask } = server();
    const locked = await makeEvent(server(), { post_password: 'sesame' });
    const guess = (password: string, from = '203.0.113.1') =>
      ask(`GET /events/${locked}`, { query: { password }, from });
    const tries = await Promise.all(Array.from({ length: 51 }, (_, index) => guess(`guess-${index}`)));
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(50);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await guess('sesame')).status).toBe(429);
    expect((await guess('sesame', '203.0.113.2')).status).toBe(200);
  });

  it('an envelope keeps cookies in the real headers, out of the body, and is not cached', async () => {
    const { ask } = server();
    const body = { provider: 'tc', tickets: [{ ticket_id: seat, quantity: 1 }] };
    const answer = await ask('POST tickets:/cart?_envelope', { body });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toContain('marquee-cart=');
    expect(answer.text).not.toContain('marquee-cart=');
    const read = await ask('GET tickets:/cart?_envelope', { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(read.headers.get('cache-control')).toBe('no-store');
  });

  it('HEAD changes nothing, whatever its method override', async () => {
    const { ask } = server();
    const name = (await ask(`GET /events/${event}`)).body.title;
    await ask(`HEAD /events/${event}?_method=PATCH&title=Changed`, { as: 'administrator' });
    expect((await ask(`GET /events/${event}`)).body.title).toBe(name);
  });

  it('only users may send large bodies', async () => {
    const upload = (authorization?: string) =>
      server().request('/calendar/admin/v1/media', {
        method: 'POST',
        body: new Uint8Array(2 * 1024 * 1024),
        headers: {
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': String(2 * 1024 * 1024),
          ...(authorization && { authorization }),
        },
      });
    expect((await upload()).status).toBe(413);
    expect((await upload(`Basic ${btoa('editor:editor-password')}`)).status).toBe(400);
  });

  it('a key for one event counts the attendees of that event only', async () => {
    const { ask, make } = server();
    const other = await makeEvent(server());
    const { key } = await make('POST admin:/check-in-keys', { name: 'Gate', event_id: event });
    const attendanceOf = async (id: number) =>
      (await ask(`GET /events/${id}`, { query: { api_key: key } })).body.attendance;
    expect(await attendanceOf(event)).toMatchObject({ total_attendees: expect.any(Number) });
    expect(await attendanceOf(other)).toBeUndefined();
  });

  it('tickets of a trashed event are invisible', async () => {
    const { ask } = server();
    const gone = await makeEvent(server());
    const ticket = await makeSeat(server(), gone, 7);
    await ask(`DELETE /events/${gone}`, { as: 'administrator' });
    const listed = await ask('GET tickets:/tickets', {
      as: 'editor',
      query: { post_status: 'trash', include: ticket },
    });
    expect(listed.body.total).toBe(0);
    expect((await ask(`GET tickets:/tickets/${ticket}`, { as: 'editor' })).status).toBe(401);
  });
});
