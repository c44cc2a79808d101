import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { bySession, cookieFor } from '../../../test/sessions.ts';
import { makeEvent } from '../../../test/tickets.ts';

const KEY = 'door-key';

describe.each(DATABASES)('check-in with a code on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY });
  let event: number;
  let other: number;
  let rsvp: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    other = await makeEvent(server());
    rsvp = await makeRsvp(server(), event);
    seat = await makeSeat(server(), event, 100);
  });

  const scan = (body: Record<string, unknown>, asking: Asking = {}) =>
    server().ask('POST tickets:/qr', { ...asking, body });
  async function ticket(ticketId: number, fields: Record<string, unknown> = {}) {
    const made = await makeAttendee(server(), ticketId, fields);
    return { made, code: { api_key: KEY, ticket_id: made.id, security_code: await codeOf(server(), made.id) } };
  }

  it.each(['GET', 'POST'])('by %s shows the attendee after the check-in, and is not cached', async (method) => {
    const { made, code } = await ticket(seat);
    const sent = { ...code, event_id: event, device_id: 'Gate <b>1</b>' };
    const answer = await server().ask(`${method} tickets:/qr`, method === 'GET' ? { query: sent } : { body: sent });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        msg: 'Ada Park is checked in.',
        attendee: {
          id: made.id,
          email: 'ada@party.test',
          checked_in: true,
          checkin_details: { date: '2026-11-21 12:00:00', source: 'app', author: 0 },
        },
      },
    });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { body } = await server().ask(`GET admin:/attendees/${made.id}`, { as: 'editor' });
    expect(body.check_ins).toEqual([
      { action: 'in', date_utc: '2026-11-21 17:00:00', source: 'app', user_id: 0, key_id: null, device: 'Gate 1' },
    ]);
    const twice = await scan(code);
    expect(twice).toMatchObject({
      status: 403,
      body: { error: 'attendee_already_checked_in', attendee: { id: made.id, checked_in: true } },
    });
    expect(twice.headers.get('Cache-Control')).toBe('no-store');
  });

  it('names missing and invalid parameters', async () => {
    expect((await scan({})).body.data.params).toEqual(['api_key', 'ticket_id', 'security_code']);
    expect((await scan({ ticket_id: 1 }, { headers: { 'x-api-key': KEY } })).body.data.params).toEqual([
      'security_code',
    ]);
    const { body } = await scan({ api_key: KEY, ticket_id: 'x', security_code: '' });
    expect(Object.keys(body.data.params).sort()).toEqual(['security_code', 'ticket_id']);
  });

  it('does not happen by HEAD', async () => {
    const { made, code } = await ticket(seat);
    expect((await server().ask('HEAD tickets:/qr', { query: code })).status).toBe(404);
    const { body } = await server().ask(`GET tickets:/qr/${made.id}`);
    expect(body.checked_in).toBe('');
  });

  it('accepts the key in a header', async () => {
    const { code } = await ticket(seat);
    const { api_key, ...rest } = code;
    expect((await scan(rest, { headers: { 'x-api-key': api_key } })).status).toBe(201);
  });

  describe('without a key', () => {
    it.each<[caller: string, by: () => Promise<Asking>]>([
      ['door staff with a password', async () => ({ as: 'door' })],
      ['an editor with a session', async () => ({ headers: bySession(await cookieFor(server(), 'editor')) })],
      ['a token for check-ins', async () => ({ headers: await bearer(['checkin']) })],
    ])('%s checks in by POST, and is logged', async (_caller, by) => {
      const { made, code } = await ticket(seat);
      const { api_key: _key, ...rest } = code;
      const answer = await scan({ ...rest, device_id: 'Gate 2' }, await by());
      expect(answer).toMatchObject({
        status: 201,
        body: { attendee: { id: made.id, checked_in: true, checkin_details: { source: 'app' } } },
      });
      const { body } = await server().ask(`GET admin:/attendees/${made.id}`, { as: 'editor' });
      expect(body.check_ins).toEqual([
        expect.objectContaining({
          source: 'app',
          user_id: expect.toSatisfy((id) => id > 0),
          key_id: null,
          device: 'Gate 2',
        }),
      ]);
    });

    it.each<[caller: string, method: string, by: () => Promise<Asking>]>([
      ['a visitor', 'POST', async () => ({})],
      ['a contributor', 'POST', async () => ({ as: 'contributor' })],
      ['a token without the right', 'POST', async () => ({ headers: await bearer(['events:write']) })],
      ['a session that another site sends', 'POST', async () => ({ headers: await foreignSession() })],
      ['a session whose sender is unknown', 'POST', async () => ({ headers: { cookie: await doorCookie() } })],
      ['a session', 'GET', async () => ({ headers: bySession(await doorCookie()) })],
      ['an administrator', 'GET', async () => ({ as: 'administrator' })],
    ])('%s by %s is told what to send, and no attendee is checked in', async (_caller, method, by) => {
      const { made, code } = await ticket(seat);
      const { api_key: _key, ...rest } = code;
      const sent = method === 'GET' ? { query: rest } : { body: rest };
      const answer = await server().ask(`${method} tickets:/qr`, { ...sent, ...(await by()) });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'rest_missing_callback_param', data: { params: ['api_key'] } },
      });
      expect(answer.body.message).toMatch(/check-in-keys.*POST \/qr/);
      expect((await server().ask(`GET tickets:/qr/${made.id}`)).body.checked_in).toBe('');
    });

    const doorCookie = () => cookieFor(server(), 'door');
    const foreignSession = async () => ({ ...bySession(await doorCookie()), origin: 'https://elsewhere.test' });
    const bearer = async (scopes: string[]) => {
      const { token } = await server().make('POST admin:/tokens', { name: 'Scanner', scopes });
      return { authorization: `Bearer ${token}` };
    };
  });

  it('describes the key as optional, since a header or an account may take its place', async () => {
    const { paths, components } = (await server().ask('GET tickets:/doc')).body;
    const { get, post } = paths['/qr'];
    const required = get.parameters.filter(({ required }: { required?: boolean }) => required);
    expect(required.map(({ name }: { name: string }) => name)).toEqual(['ticket_id', 'security_code']);
    expect(components.schemas.ScanInput.required).toEqual(['ticket_id', 'security_code']);
    expect([get.security, post.security]).toEqual([[{ checkInKey: [] }, {}], undefined]);
    expect(components.securitySchemes.checkInKey).toMatchObject({ in: 'header', name: 'X-API-Key' });
  });

  it('reveals nothing to a wrong key', async () => {
    const { code } = await ticket(seat);
    const answer = await scan({ ...code, api_key: 'wrong' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ msg: expect.any(String), error: 'api_key_not_valid' });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await scan({ ...code, api_key: 'wrong' }, { as: 'administrator' })).toMatchObject({ status: 400 });
  });

  it.each<
    [string, string, (code: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>]
  >([
    ['a wrong code', 'security_code_not_valid', () => ({ security_code: '0000000000' })],
    [
      'the code of another attendee',
      'security_code_not_valid',
      async () => ({ security_code: (await ticket(seat)).code.security_code }),
    ],
    ['nobody', 'security_code_not_valid', () => ({ ticket_id: 999_999 })],
    ['the id of a ticket', 'security_code_not_valid', () => ({ ticket_id: seat })],
    ['another event', 'event_mismatch', () => ({ event_id: other })],
    ['no event', 'event_mismatch', () => ({ event_id: 999_999 })],
  ])('refuses %s', async (_name, error, change) => {
    const { code } = await ticket(seat);
    const { status, body } = await scan({ ...code, ...(await change(code)) });
    expect([status, body]).toEqual([403, { msg: expect.any(String), error }]);
    expect((await scan(code)).status).toBe(201);
  });

  it('refuses attendees who are not going, and unpaid orders', async () => {
    const absent = await ticket(rsvp, { attendee_status: 'no', full_name: "Pat O'Neil" });
    expect(await scan(absent.code)).toMatchObject({
      status: 403,
      body: { error: 'attendee_not_authorized', attendee: { title: "Pat O'Neil", checked_in: false } },
    });
    const { made, code } = await ticket(seat);
    for (const status of ['pending', 'refunded']) {
      await server().make(`PATCH admin:/orders/${made.order}`, { status });
      expect(await scan(code)).toMatchObject({ status: 403, body: { error: 'attendee_not_authorized' } });
    }
  });

  it('responds in the language of the request', async () => {
    const { code } = await ticket(seat);
    const { body } = await scan({ ...code, i18n_language: 'fr' });
    expect(body.msg).toBe('Ada Park\u00a0: entrée enregistrée.');
  });

  it('ignores an event that is sent empty', async () => {
    const { code } = await ticket(seat);
    expect((await scan({ ...code, event_id: '' })).status).toBe(201);
  });

  it('accepts a key for one event at that event only', async () => {
    const { code } = await ticket(seat);
    const { key, id } = await server().make('POST admin:/check-in-keys', { name: 'Other gate', event_id: other });
    const wrong = await scan({ ...code, api_key: key });
    expect([wrong.status, wrong.body]).toEqual([403, { msg: expect.any(String), error: 'event_mismatch' }]);
    const own = await server().make('POST admin:/check-in-keys', { name: 'Gate', event_id: event });
    expect((await scan({ ...code, api_key: own.key })).status).toBe(201);
    const { body } = await server().ask(`GET admin:/attendees/${code.ticket_id}`, { as: 'editor' });
    expect(body.check_ins[0].key_id).toBe(own.id);
    await server().ask(`DELETE admin:/check-in-keys/${id}`, { as: 'administrator' });
    expect((await scan({ ...code, api_key: key })).body.error).toBe('api_key_not_valid');
  });

  describe('reading a code', () => {
    const read = (id: number, asking: Asking = {}) => server().ask(`GET tickets:/qr/${id}`, asking);

    it('shows visitors only whether the attendee is checked in', async () => {
      const { made, code } = await ticket(seat);
      expect((await read(made.id)).body).toEqual({ id: made.id, checked_in: '' });
      await scan(code);
      expect((await read(made.id)).body).toEqual({ id: made.id, checked_in: '1' });
      expect((await read(made.id, { query: { security_code: 'wrong' } })).body).not.toHaveProperty('content');
      const picture = await read(made.id, { headers: { accept: 'image/png' } });
      expect(picture.body).toEqual({ id: made.id, checked_in: '1' });
    });

    it.each([
      ['/calendar', 'calendar%2Ftickets%2Fv1%2Fqr'],
      ['/wp-json/tribe', 'wp-json%2Ftribe%2Ftickets%2Fv1%2Fqr'],
    ])('gives the content with the path below %s', async (prefix, path) => {
      const { made, code } = await ticket(seat);
      const { security_code } = code;
      const query = `event_qr_code=1&ticket_id=${made.id}&event_id=${event}&security_code=${security_code}&path=${path}`;
      const expected = { id: made.id, checked_in: '', content: `http://localhost/?${query}` };
      expect((await read(made.id, { prefix, query: { security_code } })).body).toEqual(expected);
      expect((await read(made.id, { prefix, as: 'door' })).body).toEqual(expected);
    });

    it.each(['image/png', 'image/svg+xml'])('draws the code as %s', async (type) => {
      const { made, code } = await ticket(seat);
      const { security_code } = code;
      const answer = await read(made.id, { query: { security_code }, headers: { accept: type } });
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.text.slice(0, 4)).toBe(type === 'image/png' ? '\ufffdPNG' : '<svg');
    });

    it('responds with 404 for unknown attendees', async () => {
      expect(await read(999_999)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(await read(event)).toMatchObject({ status: 400 });
      expect(await read(seat)).toMatchObject({ status: 404, body: { code: 'attendee-not-found' } });
      const { made } = await ticket(seat);
      await server().make(`PATCH admin:/orders/${made.order}`, { status: 'refunded' });
      expect(await read(made.id)).toMatchObject({ status: 403, body: { code: 'ticket-not-accessible' } });
      expect((await read(made.id, { as: 'door' })).status).toBe(200);
    });
  });
});

describe.each(DATABASES)('check-in limited to the time of the event on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY, checkInWindow: { isOn: true, buffer: 30 } });

  /** The event takes place in Paris on 6 March 2027 from 18:30 to 21:00, that is 17:30 to 20:00 UTC. */
  it.each([
    ['2027-03-06T16:59:59Z', 403],
    ['2027-03-06T17:00:00Z', 201],
    ['2027-03-06T20:30:00Z', 201],
    ['2027-03-06T20:30:01Z', 403],
  ])('at %s responds with %i', async (moment, status) => {
    const { clock } = server();
    const event = await makeEvent(server(), { timezone: 'Europe/Paris' });
    const made = await makeAttendee(server(), await makeSeat(server(), event));
    const security_code = await codeOf(server(), made.id);
    const before = clock.now;
    clock.now = new Date(moment);
    const answer = await server().ask('POST tickets:/qr', {
      body: { api_key: KEY, ticket_id: made.id, security_code },
    });
    clock.now = before;
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body).toMatchObject({ error: 'event_not_happening_now', attendee: { checked_in: false } });
    }
  });
});

describe('wrong keys', () => {
  const server = useTestServer('sqlite', { qrApiKey: KEY });
  const list = (api_key: string, from: string) => server().ask('GET tickets:/tickets', { query: { api_key }, from });

  it('are refused without a limit up to fifty, then the right one is refused too', async () => {
    const tries = await Promise.all(Array.from({ length: 51 }, (_, index) => list(`guess-${index}`, '203.0.113.1')));
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    const refused = tries.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('too_many_attempts');
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await list(KEY, '203.0.113.1')).status).toBe(429);
    expect((await list(KEY, '203.0.113.2')).status).toBe(200);
  });

  it('block neither a scanner that was accepted before nor one with a generated key', async () => {
    const { make } = server();
    const { key } = await make('POST admin:/check-in-keys', { name: 'Gate' });
    expect((await list(KEY, '203.0.113.3')).status).toBe(200);
    await Promise.all(Array.from({ length: 60 }, (_, index) => list(`guess-${index}`, '203.0.113.3')));
    expect((await list('guess', '203.0.113.3')).status).toBe(429);
    expect((await list(KEY, '203.0.113.3')).status).toBe(200);
    expect((await list(key, '203.0.113.3')).status).toBe(200);
    expect((await list('0'.repeat(32), '203.0.113.3')).status).toBe(200);
  });
});
