import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { bodyOf, DATABASES, useTestServer } from '../../../test/server.ts';
import { ADA } from '../../../test/shopper.ts';
import { makeEvent } from '../../../test/tickets.ts';

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
    const [{ id, security_code } = { id: 0, security_code: '' }] = attendees;
    return { ...order, id, orderId: order.id, security_code };
  }
  const read = (id: number, query: Record<string, string>, headers?: Record<string, string>) =>
    server().ask(`GET tickets:/attendees/${id}/ticket`, { query, headers });
  const write = (call: string, body: object, headers?: Record<string, string>) =>
    server().ask(call.replace(' ', ' tickets:'), { body, headers });
  const scan = (ticket_id: number, security_code: string) =>
    server().ask('POST tickets:/qr', { body: { api_key: KEY, ticket_id, security_code } });

  it('reads it by its code, without the e-mail address of the buyer', async () => {
    const { id, security_code, headers } = await ticket();
    const { body, headers: sent } = await read(id, { security_code });
    expect(sent.get('cache-control')).toBe('private, no-store');
    expect(body).toMatchObject({ id, title: 'Stalls', full_name: ADA.name, security_code, checked_in: false });
    expect(body).not.toHaveProperty('email');
    expect((await read(id, {}, headers)).body).toMatchObject({ ...body, email: ADA.email });
  });

  it('is nobody without its code or the token of its order', async () => {
    const { id, security_code } = await ticket();
    const other = await ticket();
    const missing = await read(999_999, { security_code });
    expect(missing).toMatchObject({ status: 404, body: { code: 'attendee-not-found' } });
    const tries = [read(id, {}), read(id, { security_code: other.security_code }), read(id, {}, other.headers)];
    for (const answer of await Promise.all(tries)) expect(bodyOf(answer)).toEqual(bodyOf(missing));
    const named = { full_name: 'Eve', email: 'eve@party.test', security_code: 'wrong' };
    expect((await write(`PATCH /attendees/${id}/ticket`, named)).status).toBe(404);
    expect((await write(`POST /attendees/${id}/transfer`, named)).status).toBe(404);
  });

  it('changes the name, but not the e-mail address', async () => {
    const { id, security_code, headers } = await ticket();
    const body = { security_code, full_name: 'Sofia Kovalevskaya', email: 'sofia@party.test', optout: true };
    expect((await write(`PATCH /attendees/${id}/ticket`, body)).body).toMatchObject({
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

  it('gives it to somebody else, and the old code is void at once', async () => {
    const { id, security_code, headers } = await ticket();
    const recipient = { full_name: 'Mary Somerville', email: 'mary@party.test' };
    const given = await write(`POST /attendees/${id}/transfer`, { security_code, ...recipient });
    expect(given.status).toBe(200);
    const fresh = given.body.security_code;
    expect(fresh).toMatch(/^[0-9a-f]{10}$/);
    expect(given.body).toMatchObject({
      full_name: 'Mary Somerville',
      optout: true,
      url: `http://localhost/ticket/${id}/${fresh}/`,
    });
    expect((await read(id, { security_code })).status).toBe(404);
    expect((await scan(id, security_code)).body.error).toBe('security_code_not_valid');
    expect((await read(id, {}, headers)).body).toMatchObject({ security_code: fresh, email: 'mary@party.test' });
    const kept = await server().ask(`GET tickets:/attendees/${id}`, { as: 'editor' });
    expect(kept.body.information).toBeUndefined();
    expect((await scan(id, fresh)).status).toBe(201);
    const late = await write(`POST /attendees/${id}/transfer`, { security_code: fresh, ...recipient });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'ticket-not-transferable', data: { reason: 'checked-in' } },
    });
  });

  it('cannot transfer or rename an invalid ticket', async () => {
    const { id, security_code, orderId } = await ticket();
    await server().make(`PATCH admin:/orders/${orderId}`, { status: 'refunded' }, 'editor');
    const body = { security_code, full_name: 'Mary', email: 'mary@party.test' };
    for (const call of [`POST /attendees/${id}/transfer`, `PATCH /attendees/${id}/ticket`])
      expect((await write(call, body)).body.data).toMatchObject({ reason: 'not-admitted' });
    expect((await read(id, { security_code })).body).toMatchObject({ status: 'trash', full_name: ADA.name });
  });

  it('either gives it on or is let in with it, never both', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { id } = await makeAttendee(server(), seat);
      const security_code = await codeOf(server(), id);
      const body = { security_code, full_name: 'Mary', email: 'mary@party.test' };
      const [given, scanned] = await Promise.all([
        write(`POST /attendees/${id}/transfer`, body),
        scan(id, security_code),
      ]);
      expect([
        [200, 403],
        [409, 201],
      ]).toContainEqual([given.status, scanned.status]);
    }
  });

  it('gives it to one of two people at the same time', async () => {
    const { id, security_code, headers } = await ticket();
    const to = (full_name: string) =>
      write(`POST /attendees/${id}/transfer`, { security_code, full_name, email: 'x@party.test' }, headers);
    const answers = await Promise.all([to('Mary'), to('Bo')]);
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeGreaterThan(0);
    const shown = (await read(id, {}, headers)).body;
    expect(won.map(({ body }) => body.security_code)).toContain(shown.security_code);
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
