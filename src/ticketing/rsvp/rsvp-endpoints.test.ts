import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAttendee, makeAttendee, makeRsvp, makeSeat, pageOf, soldOf } from '../../../test/attendees.ts';
import { asHolder } from '../../../test/buyers.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { findWrongCounters } from '../../jobs/recount.ts';

const ZOE = { full_name: 'Zoé Haché', email: 'zoe@party.test' };

describe.each(DATABASES)('RSVPs of visitors on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  beforeAll(async () => {
    event = await makeEvent(server());
  });
  beforeEach(() => {
    server().clock.now = NOON;
  });

  const reply = (ticket_id: number, body: object = {}, asking: object = {}) =>
    server().ask('POST tickets:/replies', { body: { ticket_id, ...ZOE, ...body }, ...asking });
  const change = (id: number, url: string, attendee_status: string) =>
    server().ask(`PATCH tickets:/replies/${id}`, { body: { attendee_status }, headers: asHolder(url) });
  /** The attendees of a reply that must succeed. */
  const make = async (ticketId: number, body: object = {}) => {
    const answer = await reply(ticketId, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.attendees as { id: number; security_code: string; url: string }[];
  };
  const checkIn = (id: number | undefined) =>
    server().ask(`PATCH tickets:/attendees/${id}`, { as: 'editor', body: { check_in: true } });

  it('take a place each, and get the codes that admit', async () => {
    const ticket = await makeRsvp(server(), event, 5);
    const { status, body, headers } = await reply(ticket, { quantity: 3 });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const [first] = body.attendees;
    expect(body).toMatchObject({ id: first.id, ticket_id: ticket, event_id: event, attendee_status: 'yes' });
    expect(first.url).toMatch(new RegExp(`^http://localhost/ticket/${first.id}/[0-9a-f]{32}/$`));
    expect(new Set(body.attendees.map((one: { security_code: string }) => one.security_code)).size).toBe(3);
    expect(await soldOf(server(), ticket)).toBe(3);
    const shown = await server().ask(`GET tickets:/attendees/${first.id}/ticket`, { headers: asHolder(first.url) });
    expect(shown.body).toMatchObject({ full_name: 'Zoé Haché', attendee_status: 'yes', optout: true, url: first.url });
    expect(await reply(ticket, { quantity: 3 })).toMatchObject({
      status: 409,
      body: { code: 'ticket-capacity-not-available', data: { ticket_id: ticket, available: 2 } },
    });
    expect(await soldOf(server(), ticket)).toBe(3);
  });

  it('change to "no" and back with the token of the first attendee, for all places', async () => {
    const ticket = await makeRsvp(server(), event, 3);
    const [first, second, third] = await make(ticket, { quantity: 3 });
    if (!first || !second || !third) throw new Error('a reply for three places has three attendees');
    const no = await change(first.id, first.url, 'no');
    expect(no).toMatchObject({ status: 200, body: { id: first.id, attendee_status: 'no' } });
    expect(no.body.attendees).toHaveLength(3);
    expect(await soldOf(server(), ticket)).toBe(0);
    expect((await change(first.id, first.url, 'no')).status).toBe(200);
    expect((await change(first.id, first.url, 'yes')).status).toBe(200);
    expect(await soldOf(server(), ticket)).toBe(3);
    expect((await change(third.id, third.url, 'no')).body.attendees).toHaveLength(1);
    expect(await soldOf(server(), ticket)).toBe(2);
    await make(ticket);
    expect((await change(third.id, third.url, 'yes')).body.code).toBe('ticket-capacity-not-available');
    expect(await soldOf(server(), ticket)).toBe(3);
    expect((await change(second.id, first.url, 'no')).status).toBe(404);
    expect((await change(999_999, first.url, 'no')).status).toBe(404);
  });

  it('change for one place if the first attendee says so, who sees the others, transferred ones excepted', async () => {
    const ticket = await makeRsvp(server(), event, 4);
    const [first, second, third, given] = await make(ticket, { quantity: 4 });
    if (!first || !second || !third || !given) throw new Error('a reply for four places has four attendees');
    const eve = { full_name: 'Eve', email: 'eve@party.test' };
    await server().ask(`POST tickets:/attendees/${given.id}/transfer`, { body: eve, headers: asHolder(given.url) });
    const shown = async ({ id, url }: { id: number; url: string }) =>
      (await server().ask(`GET tickets:/attendees/${id}/ticket`, { headers: asHolder(url) })).body;
    const other = { full_name: 'Zoé Haché', attendee_status: 'yes', checked_in: false };
    expect((await shown(first)).companions).toEqual([second, third].map(({ id }) => ({ id, ...other })));
    expect(await shown(second)).not.toHaveProperty('companions');
    const answer = (attendee_status: string, scope: string) =>
      server().ask(`PATCH tickets:/replies/${first.id}`, {
        ...{ body: { attendee_status, scope }, headers: asHolder(first.url) },
      });
    expect((await answer('no', 'place')).body.attendees).toHaveLength(1);
    expect(await soldOf(server(), ticket)).toBe(3);
    expect((await shown(second)).attendee_status).toBe('yes');
    expect((await answer('no', 'reply')).body.attendees).toHaveLength(3);
    expect(await soldOf(server(), ticket)).toBe(1);
    expect((await answer('yes', 'place')).status).toBe(200);
    expect(await soldOf(server(), ticket)).toBe(2);
    for (const scope of ['', 'all', '1']) expect([scope, (await answer('no', scope)).status]).toEqual([scope, 400]);
    expect(await soldOf(server(), ticket)).toBe(2);
  });

  it('do not change with the code of a ticket, which opens the door only', async () => {
    const ticket = await makeRsvp(server(), event, 3);
    const [first, second] = await make(ticket, { quantity: 2 });
    for (const one of [first, second]) {
      const body = { security_code: one?.security_code, attendee_status: 'no' };
      const answer = await server().ask(`PATCH tickets:/replies/${one?.id}`, { body });
      expect(answer).toMatchObject({ status: 403, body: { code: 'ticket-link-required' } });
    }
    expect(await soldOf(server(), ticket)).toBe(2);
  });

  it.each([0, 1])('leave a transferred place to its new holder alone, here number %i', async (given) => {
    const ticket = await makeRsvp(server(), event, 3);
    const holders = await make(ticket, { quantity: 3 });
    const [one, other] = given === 0 ? holders : [holders[1], holders[0]];
    if (!one || !other) throw new Error('a reply for three places has three attendees');
    const recipient = { full_name: 'Mary', email: 'mary@party.test' };
    const transferred = await server().ask(`POST tickets:/attendees/${one.id}/transfer`, {
      body: recipient,
      headers: asHolder(one.url),
    });
    expect(transferred.status).toBe(200);
    const old = await change(one.id, one.url, 'no');
    expect(old).toMatchObject({ status: 410, body: { code: 'ticket-transferred' } });
    const no = await change(other.id, other.url, 'no');
    expect(no.text).not.toContain(transferred.body.security_code);
    expect(no.body.attendees).toHaveLength(given === 0 ? 1 : 2);
    const own = await change(one.id, transferred.body.url, 'no');
    expect(own.body.attendees).toMatchObject([{ id: one.id }]);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('give each place back once, however many change them at the same time', async () => {
    const ticket = await makeRsvp(server(), event, 4);
    const [first, second] = await make(ticket, { quantity: 2 });
    if (!first || !second) throw new Error('a reply for two places has two attendees');
    for (const answer of ['no', 'yes', 'no'] as const) {
      const both = [change(first.id, first.url, answer), change(second.id, second.url, answer)];
      await Promise.all([...both, change(first.id, first.url, answer)]);
      expect(await soldOf(server(), ticket)).toBe(answer === 'yes' ? 2 : 0);
    }
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('either change to "no" or check an attendee in, never both', async () => {
    const ticket = await makeRsvp(server(), event, 100);
    let sold = 0;
    for (let round = 0; round < 12; round += 1) {
      const [first, second] = await make(ticket, { quantity: 2 });
      if (!first || !second) throw new Error('a reply for two places has two attendees');
      const [changed, entered] = await Promise.all([
        change(first.id, first.url, 'no'),
        checkIn(round % 2 === 0 ? first.id : second.id),
      ]);
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([changed.status, entered.status]);
      if (changed.status === 400) sold += 2;
      expect(await soldOf(server(), ticket)).toBe(sold);
    }
  });

  it('say "no" where forms offer it, without a place', async () => {
    const asks = await makeTicket(server(), event, {
      provider: 'rsvp',
      price: '',
      ticket: { capacity: 1, not_going: 'yes' },
    });
    const no = await reply(asks.id, { attendee_status: 'no', quantity: 5 });
    expect(no.body.attendees).toHaveLength(1);
    expect(await soldOf(server(), asks.id)).toBe(0);
    const plain = await makeRsvp(server(), event, 1);
    expect((await reply(plain, { attendee_status: 'no' })).status).toBe(400);
  });

  it('change what staff entered for them too, but not a paid ticket', async () => {
    const rsvp = await makeAttendee(server(), await makeRsvp(server(), event, 1));
    const paid = (await addAttendee(server(), await makeSeat(server(), event))).body;
    const no = await change(rsvp.id, await pageOf(server(), rsvp.id), 'no');
    expect(no.body.attendees).toMatchObject([{ id: rsvp.id }]);
    const wrong = await change(paid.id, await pageOf(server(), paid.id), 'no');
    expect(wrong.body.code).toBe('invalid-attendee-status');
  });

  it('are possible while the ticket is on sale; a "no" always is', async () => {
    const sale = { start_date: '2026-11-22', start_time: '00:00:00', end_date: '2026-11-23', end_time: '00:00:00' };
    const { id } = await makeTicket(server(), event, { provider: 'rsvp', price: '', ...sale });
    expect((await reply(id)).body.message).toContain('Come back then');
    server().clock.now = new Date('2026-11-22T12:00:00Z');
    const [first] = await make(id);
    server().clock.now = new Date('2026-12-01T12:00:00Z');
    expect((await reply(id)).status).toBe(409);
    expect((await change(first?.id ?? 0, first?.url ?? '', 'no')).status).toBe(200);
    expect((await change(first?.id ?? 0, first?.url ?? '', 'yes')).status).toBe(409);
  });

  it.each([
    ['a paid ticket', async () => makeSeat(server(), event), 400],
    ['a ticket that is not there', async () => 999_999, 400],
    ['a ticket of a draft', async () => makeRsvp(server(), await makeEvent(server(), { status: 'draft' })), 400],
    [
      'a ticket of a masked event',
      async () => makeRsvp(server(), await makeEvent(server(), { post_password: 'sesame' })),
      400,
    ],
  ])('to %s are refused', async (_what, ticket, status) => {
    expect(await reply(await ticket())).toMatchObject({ status, body: { code: 'ticket-does-not-exist' } });
  });

  it.each(['cancelled', 'postponed'])('are refused for a %s event; a "no" never is', async (event_status) => {
    const off = await makeEvent(server());
    const ticket = await makeRsvp(server(), off, 5);
    const [first] = await make(ticket);
    if (!first) throw new Error('a reply has an attendee');
    await server().make(`PATCH /events/${off}`, { event_status });
    const refusal = { status: 409, body: { code: `event-${event_status}`, data: { ticket_id: ticket, post_id: off } } };
    expect(await reply(ticket)).toMatchObject(refusal);
    expect((await change(first.id, first.url, 'no')).status).toBe(200);
    expect(await change(first.id, first.url, 'yes')).toMatchObject(refusal);
    expect(await soldOf(server(), ticket)).toBe(0);
  });

  it('need the password of a masked event', async () => {
    const ticket = await makeRsvp(server(), await makeEvent(server(), { post_password: 'sesame' }));
    expect((await reply(ticket, { password: 'sesame' })).status).toBe(201);
  });

  it.each([
    { full_name: '<b></b>' },
    { email: 'no address' },
    { quantity: 0 },
    { quantity: 101 },
    { attendee_status: 'perhaps' },
  ])('with %j are refused', async (wrong) => {
    expect((await reply(await makeRsvp(server(), event, 5), wrong)).body.code).toBe('rest_invalid_param');
  });
});
