import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp, makeSeat, pageOf } from '../../../../test/attendees.ts';
import { asHolder, buy } from '../../../../test/buyers.ts';
import { type Answer, bodyOf, DATABASES, useTestServer } from '../../../../test/server.ts';
import { ADA } from '../../../../test/shopper.ts';
import type { StatementHooks } from '../../../../test/statements.ts';
import { makeEvent } from '../../../../test/tickets.ts';

const KEY = 'the key of the door';

describe.each(DATABASES)('the holder of a ticket on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY });
  let seat: number;
  beforeAll(async () => {
    seat = await makeSeat(server(), await makeEvent(server()), 1000, { name: 'Stalls', price: '0' });
  });

  async function ticket() {
    const { attendees, ...order } = await buy(server(), [seat], {
      attendees: [{ ticket_id: seat, information: { a: 'b' } }],
    });
    const [{ id, security_code, url } = { id: 0, security_code: '', url: '' }] = attendees;
    return { ...order, id, orderId: order.id, security_code, holder: asHolder(url) };
  }
  const read = (id: number, query: Record<string, string>, headers?: Record<string, string>) =>
    server().ask(`GET tickets:/attendees/${id}/ticket`, { query, headers });
  const write = (call: string, body: object, headers?: Record<string, string>) =>
    server().ask(call.replace(' ', ' tickets:'), { body, headers });
  const scan = (ticket_id: number, security_code: string) =>
    server().ask('POST tickets:/qr', { body: { api_key: KEY, ticket_id, security_code } });

  it('reads it by the token of its page, without the e-mail address of the customer', async () => {
    const { id, security_code, headers, holder } = await ticket();
    const { body, headers: sent } = await read(id, {}, holder);
    expect(sent.get('cache-control')).toBe('private, no-store');
    expect(holder['x-ticket-token']).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toMatchObject({ id, title: 'Stalls', full_name: ADA.name, security_code, admits: true });
    expect(body).not.toHaveProperty('email');
    expect((await read(id, {}, headers)).body).toEqual({ ...body, email: ADA.email });
  });

  it('sees by its code only the event and whether the ticket is valid', async () => {
    const { id, security_code } = await ticket();
    const { status, headers, body, text } = await read(id, { security_code });
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(body).toMatchObject({ id, title: 'Stalls', event: { all_day: false }, admits: true, checked_in: false });
    for (const name of ['full_name', 'email', 'optout', 'security_code', 'url']) expect(body).not.toHaveProperty(name);
    expect(text).not.toContain(security_code);
  });

  it('learns the status of an event that does not take place as planned, by the code alone without the note', async () => {
    const event = await makeEvent(server());
    const { attendees } = await buy(server(), [await makeSeat(server(), event, 10, { price: '0' })]);
    const [{ id, security_code, url } = { id: 0, security_code: '', url: '' }] = attendees;
    const shown = async (query = {}) =>
      (await read(id, query, 'security_code' in query ? {} : asHolder(url))).body.event;
    expect(await shown()).not.toHaveProperty('event_status');
    await server().make(`PATCH /events/${event}`, {
      ...{ event_status: 'rescheduled', event_status_reason: 'The hall is wet.' },
      ...{ start_date: '2027-03-08 19:00', end_date: '2027-03-08 21:00' },
    });
    const moved = { event_status: 'rescheduled', previous_start_date: '2027-03-06 18:30:00' };
    expect(await shown()).toMatchObject({ ...moved, event_status_reason: 'The hall is wet.' });
    const bare = await shown({ security_code });
    expect(bare).toMatchObject(moved);
    expect(bare).not.toHaveProperty('event_status_reason');
    await server().make(`PATCH /events/${event}`, { event_status: 'cancelled' });
    expect(await shown()).toMatchObject({ event_status: 'cancelled', event_status_reason: 'The hall is wet.' });
    expect(await shown()).not.toHaveProperty('previous_start_date');
  });

  it('needs a code or a token of the ticket', async () => {
    const { id, security_code } = await ticket();
    const other = await ticket();
    const missing = await read(999_999, { security_code });
    expect(missing).toMatchObject({ status: 404, body: { code: 'attendee-not-found' } });
    const tries = [
      read(id, {}),
      read(id, { security_code: other.security_code }),
      read(id, {}, other.headers),
      read(id, {}, other.holder),
      read(id, {}, { 'x-ticket-token': security_code }),
      read(id, {}, { 'x-ticket-token': '' }),
    ];
    for (const answer of await Promise.all(tries)) expect(bodyOf(answer)).toEqual(bodyOf(missing));
    const named = { full_name: 'Eve', email: 'eve@party.test', security_code: 'wrong' };
    expect((await write(`PATCH /attendees/${id}/ticket`, named)).status).toBe(404);
    expect((await write(`POST /attendees/${id}/transfer`, named)).status).toBe(404);
  });

  it('cannot rename or transfer it by its code, which opens the door only', async () => {
    const { id, security_code } = await ticket();
    const named = { full_name: 'Eve', email: 'eve@party.test', security_code };
    for (const call of [`PATCH /attendees/${id}/ticket`, `POST /attendees/${id}/transfer`])
      expect(await write(call, named)).toMatchObject({ status: 403, body: { code: 'ticket-link-required' } });
    expect(await codeOf(server(), id)).toBe(security_code);
    const { body } = await server().ask(`GET tickets:/qr/${id}`, { query: { security_code } });
    expect(body.content).toContain(security_code);
    expect((await scan(id, security_code)).status).toBe(201);
  });

  it('changes the name, but not the e-mail address', async () => {
    const { id, headers, holder } = await ticket();
    const body = { full_name: 'Sofia Kovalevskaya', email: 'sofia@party.test', optout: true };
    expect((await write(`PATCH /attendees/${id}/ticket`, body, holder)).body).toMatchObject({
      full_name: 'Sofia Kovalevskaya',
      optout: true,
    });
    expect((await write(`PATCH /attendees/${id}/ticket`, { full_name: 'Sofia' }, headers)).body).toMatchObject({
      full_name: 'Sofia',
      email: ADA.email,
    });
    const found = await server().ask('GET tickets:/attendees', { as: 'editor', query: { search: 'sofia' } });
    expect(found.body.attendees).toMatchObject([{ id }]);
  });

  const MARY = { full_name: 'Mary Somerville', email: 'mary@party.test' };

  it('gives it to another person, and the old code is void at once', async () => {
    const { id, security_code, holder } = await ticket();
    const given = await write(`POST /attendees/${id}/transfer`, MARY, holder);
    expect(given.status).toBe(200);
    const { security_code: fresh, url } = given.body;
    expect(fresh).toMatch(/^[0-9a-f]{20}$/);
    expect(given.body).toMatchObject({ full_name: 'Mary Somerville', optout: true });
    const gone = { status: 410, body: { code: 'ticket-transferred' } };
    expect(await read(id, { security_code })).toMatchObject(gone);
    expect(await read(id, {}, holder)).toMatchObject(gone);
    expect(await write(`PATCH /attendees/${id}/ticket`, { full_name: 'Ada' }, holder)).toMatchObject(gone);
    expect((await scan(id, security_code)).body.error).toBe('security_code_not_valid');
    expect((await read(id, {}, asHolder(url))).body).toMatchObject({ security_code: fresh, url });
    const kept = await server().ask(`GET tickets:/attendees/${id}`, { as: 'editor' });
    expect(kept.body.information).toBeUndefined();
    expect((await scan(id, fresh)).status).toBe(201);
    const late = await write(`POST /attendees/${id}/transfer`, MARY, asHolder(url));
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'ticket-not-transferable', data: { reason: 'checked-in' } },
    });
  });

  it('keeps a ticket that the customer of its order gave away, also from the customer', async () => {
    const { id, orderId, headers } = await ticket();
    const given = await write(`POST /attendees/${id}/transfer`, MARY, headers);
    const { security_code, url } = given.body;
    const again = { ...MARY, full_name: 'Mary Fairfax' };
    const passed = await write(`PATCH /attendees/${id}/ticket`, { full_name: again.full_name }, asHolder(url));
    expect(passed.status).toBe(200);
    const order = () => server().ask(`GET tickets:/orders/${orderId}`, { headers });
    const [shown] = (await order()).body.attendees;
    expect(shown).toMatchObject({ id, full_name: 'Mary Somerville', transferred_utc: '2026-11-21 17:00:00' });
    for (const name of ['email', 'security_code', 'url']) expect(shown).not.toHaveProperty(name);
    const texts = [await order(), await read(id, {}, headers)].map(({ text }) => text);
    for (const text of texts) for (const secret of [security_code, url]) expect(text).not.toContain(secret);
    for (const call of [`PATCH /attendees/${id}/ticket`, `POST /attendees/${id}/transfer`])
      expect(await write(call, MARY, headers)).toMatchObject({ status: 403, body: { code: 'ticket-link-required' } });
    const renamed = await write(`PATCH /orders/${orderId}`, { attendees: [{ id, full_name: 'Ada' }] }, headers);
    expect(renamed.status).toBe(400);
    expect((await scan(id, security_code)).status).toBe(201);
  });

  it('is told at each former address that the ticket was transferred, however often', async () => {
    const { id, holder, security_code } = await ticket();
    const first = await write(`POST /attendees/${id}/transfer`, MARY, holder);
    const second = await write(`POST /attendees/${id}/transfer`, MARY, asHolder(first.body.url));
    for (const sent of [holder, asHolder(first.body.url)])
      expect((await read(id, {}, sent)).body.code).toBe('ticket-transferred');
    for (const code of [security_code, first.body.security_code])
      expect((await read(id, { security_code: code })).body.code).toBe('ticket-transferred');
    expect((await read(id, {}, asHolder(second.body.url))).status).toBe(200);
  });

  it('loses the page with a new code by staff, without a transfer', async () => {
    const { id, holder, headers } = await ticket();
    await server().make(`POST admin:/attendees/${id}/security-code`, {}, 'editor');
    expect((await read(id, {}, holder)).status).toBe(404);
    const { url } = (await read(id, {}, headers)).body;
    expect(url).toBe(await pageOf(server(), id));
    expect((await read(id, {}, asHolder(url))).status).toBe(200);
  });

  it('is the customer’s with the token of its order, also beside a revoked one of the ticket', async () => {
    const { id, holder, headers } = await ticket();
    await server().make(`POST admin:/attendees/${id}/security-code`, {}, 'editor');
    const renamed = await write(`PATCH /attendees/${id}/ticket`, { full_name: 'Ada' }, { ...headers, ...holder });
    expect(renamed).toMatchObject({ status: 200, body: { full_name: 'Ada', email: ADA.email } });
  });

  it('cannot transfer or rename an invalid ticket', async () => {
    const { id, orderId, holder } = await ticket();
    await server().make(`PATCH admin:/orders/${orderId}`, { status: 'refunded' }, 'editor');
    for (const call of [`POST /attendees/${id}/transfer`, `PATCH /attendees/${id}/ticket`])
      expect((await write(call, MARY, holder)).body.data).toMatchObject({ reason: 'not-admitted' });
    expect((await read(id, {}, holder)).body).toMatchObject({ status: 'trash', full_name: ADA.name });
  });

  it('either gives it on or is let in with it, never both', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id } = await makeAttendee(server(), seat);
      const security_code = await codeOf(server(), id);
      const holder = asHolder(await pageOf(server(), id));
      const [given, scanned] = await Promise.all([
        write(`POST /attendees/${id}/transfer`, MARY, holder),
        scan(id, security_code),
      ]);
      expect([
        [200, 403],
        [409, 201],
      ]).toContainEqual([given.status, scanned.status]);
    }
  });

  it('gives it to one of two people at the same time', async () => {
    const { id, holder, headers } = await ticket();
    const to = (full_name: string, sent: Record<string, string>) =>
      write(`POST /attendees/${id}/transfer`, { full_name, email: 'x@party.test' }, sent);
    const answers = await Promise.all([to('Mary', holder), to('Bo', headers)]);
    const won = answers.filter(({ status }) => status === 200);
    expect(won.map(({ body }) => body.security_code)).toEqual([await codeOf(server(), id)]);
  });

  it('is not found by guessing: past the limit the right code is refused too', async () => {
    server().restart({ secretGuesses: { perAddress: 5, perAccount: 5 } });
    const { id, security_code } = await ticket();
    const from = '198.51.100.7';
    const guess = (code: string, of = id) =>
      server().ask(`POST tickets:/attendees/${of}/transfer`, {
        body: { security_code: code, full_name: 'Eve', email: 'eve@party.test' },
        from,
      });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await guess(`wrong ${attempt}`, attempt % 2 ? id : 999_999)).status).toBe(404);
    expect([(await guess(security_code)).status, (await guess('wrong', 999_998)).status]).toEqual([429, 429]);
    server().restart({});
  });
});

describe.each(DATABASES)('a change of a ticket that is transferred meanwhile on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, {}, { hooks });
  /** Transfers a ticket after the first statement that matches; returns the response. */
  const transferAfter = (pattern: RegExp, id: number, url: string) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    hooks.committed = async (statement) => {
      if (!pattern.test(statement)) return;
      hooks.committed = undefined;
      const asking = { headers: asHolder(url), body: { full_name: 'Mary', email: 'mary@party.test' } };
      resolve(await server().ask(`POST tickets:/attendees/${id}/transfer`, asking));
    };
    return promise;
  };

  it.each([
    ['name', 'PATCH tickets:/attendees/{id}/ticket', { full_name: 'Eve' }, /^update "attendees"/],
    ['answer', 'PATCH tickets:/replies/{id}', { attendee_status: 'no' }, /^select .* from "ticket_transfers"/],
    ['same answer', 'PATCH tickets:/replies/{id}', { attendee_status: 'yes' }, /^select .* from "ticket_transfers"/],
  ])('does not show the code of the new holder: %s', async (_what, call, body, pattern) => {
    const { id } = await makeAttendee(server(), await makeRsvp(server(), await makeEvent(server())));
    const url = await pageOf(server(), id);
    const transferred = transferAfter(pattern, id, url);
    const answer = await server().ask(call.replace('{id}', String(id)), { headers: asHolder(url), body });
    const given = await transferred;
    expect([given.status, answer.status]).toEqual([200, 404]);
    expect(answer.text).not.toContain(given.body.security_code);
    const now = await server().ask(`GET tickets:/attendees/${id}/ticket`, { headers: asHolder(given.body.url) });
    expect(now.body).toMatchObject({ full_name: 'Mary', attendee_status: 'yes' });
  });
});
