import { beforeEach, describe, expect, it } from 'vitest';
import { makeRsvp, makeSeat, soldOf } from '../../../test/attendees.ts';
import { asHolder } from '../../../test/buyers.ts';
import { pageVisitor } from '../../../test/page-visitor.ts';
import { type Answer, type Asking, DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { editTicket, makeEvent } from '../../../test/tickets.ts';
import { visitorAt } from '../../../test/visitor.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { pruneCounts, sweepCarts } from '../../jobs/remove-expired.ts';

const DAY = 24 * 3600;

describe.each(DATABASES)('the limits on free places on %s', (kind) => {
  const server = useTestServer(kind, { freePlaces: { perAddress: 10, perEmail: 8 } });
  let event: number;
  /** Free tickets of an order, a ticket with a price, and a reply. */
  let free: number;
  let other: number;
  let paid: number;
  let rsvp: number;
  let hosts = 0;
  let home: string;
  let mailboxes = 0;
  beforeEach(async () => {
    server().clock.now = NOON;
    // Seats that earlier tests took after noon.
    await server().context.db.query.deleteFrom('free_places').execute();
    event = await makeEvent(server());
    free = await makeSeat(server(), event, 500, { price: '' });
    other = await makeSeat(server(), event, 500, { price: '0' });
    paid = await makeSeat(server(), event, 500, { price: '5' });
    rsvp = await makeRsvp(server(), event, 500);
    hosts += 1;
    home = `198.51.100.${hosts}`;
  });

  /** A mailbox that no test has used before. */
  const mailbox = () => `guest${++mailboxes}@example.test`;
  const codeOf = ({ status, body }: Answer) => (status < 300 ? status : body.code);
  const reply = (quantity: number, { email = mailbox(), ...asking }: Asking & { email?: string } = {}, more = {}) =>
    server().ask('POST tickets:/replies', {
      from: home,
      ...asking,
      body: { ticket_id: rsvp, full_name: 'Zoé', email, quantity, ...more },
    });
  /** Fills a cart and checks it out. */
  const order = async (
    quantity: number,
    { email = mailbox(), from = home, ...asking }: Asking & { email?: string } = {},
  ) => {
    const visitor = visitorAt(server(), from, asking);
    const filled = await visitor.put(free, quantity);
    return filled.status === 200 ? visitor.buy(email) : filled;
  };
  const later = async (seconds: number) => {
    server().clock.now = new Date(server().clock.now.getTime() + seconds * 1000);
    await sweepCarts(server().context);
    await pruneCounts(server().context);
  };

  it('count replies and orders of a network together, under every prefix', async () => {
    expect(codeOf(await reply(4))).toBe(201);
    expect(codeOf(await order(3, { prefix: '/wp-json/tribe' }))).toBe(201);
    const refused = await order(4, { prefix: '/wp-json/calendar' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-free-places', data: { available: 3 } } });
    expect(refused.headers.get('retry-after')).toBe(String(DAY));
    expect(refused.body.message).toContain('At most 10 free places');
    expect(codeOf(await reply(4, { prefix: '/wp-json/tribe' }))).toBe('too-many-free-places');
    expect(codeOf(await reply(3))).toBe(201);
    const route = `/?rest_route=/calendar/tickets/v1/replies`;
    const body = JSON.stringify({ ticket_id: rsvp, full_name: 'Zoé', email: mailbox() });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect((await server().request(route, init, home)).status).toBe(429);
    const calls = [{ method: 'POST', path: '/calendar/tickets/v1/replies', body: JSON.parse(body) }];
    const batch = await server().ask('POST admin:/batch', { as: 'subscriber', from: home, body: { calls } });
    expect(batch.body.results).toMatchObject([{ status: 429, body: { code: 'too-many-free-places' } }]);
    expect(await soldOf(server(), rsvp)).toBe(7);
    expect(codeOf(await order(8, { from: `198.51.101.${hosts}` }))).toBe(201);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count what the forms of pages take', async () => {
    const path = `/event/${(await server().ask(`GET /events/${event}`)).body.slug}/`;
    const post = (places: number) =>
      pageVisitor((at, init) => server().request(at, init, home)).post(path, {
        ...{ reply_to: String(rsvp), [`reply-${rsvp}-name`]: 'Zoé', [`reply-${rsvp}-email`]: mailbox() },
        ...{ [`reply-${rsvp}-answer`]: 'yes', [`reply-${rsvp}-places`]: String(places) },
      });
    expect((await post(6)).status).toBeLessThan(400);
    expect(codeOf(await order(5))).toBe('too-many-free-places');
    const refused = await post(5);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(DAY)]);
    expect(refused.text).toContain('At most 10 free places');
    expect(codeOf(await order(4))).toBe(201);
    expect(await soldOf(server(), rsvp)).toBe(6);
  });

  it('hold for all addresses of an IPv6 network, whatever headers say', async () => {
    const at = (host: number) => ({
      from: `2001:db8:${hosts.toString(16)}::${host}`,
      headers: { 'x-real-ip': '192.0.2.9' },
    });
    expect(codeOf(await order(6, at(1)))).toBe(201);
    expect(codeOf(await reply(5, at(2)))).toBe('too-many-free-places');
    expect(codeOf(await reply(4, at(3)))).toBe(201);
  });

  it('hold for a mailbox in every spelling, from everywhere, also with places for other people', async () => {
    expect(codeOf(await order(5, { email: `a.b+1@${hosts}.test`, from: '192.0.2.1' }))).toBe(201);
    const visitor = visitorAt(server(), '192.0.2.2');
    await visitor.put(free, 4);
    const purchaser = { name: 'Ada', email: `A.B+2@${hosts}.TEST` };
    const attendees = Array.from({ length: 4 }, () => ({ ticket_id: free, full_name: 'Guest', email: mailbox() }));
    const headers = { 'x-cart-token': visitor.token ?? '' };
    const body = { purchaser, attendees };
    const refused = await server().ask('POST tickets:/cart/checkout', { from: '192.0.2.2', headers, body });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-free-places', data: { available: 3 } } });
    expect(codeOf(await reply(4, { email: `a.b@${hosts}.test`, from: '192.0.2.3' }))).toBe('too-many-free-places');
    expect(codeOf(await reply(3, { email: `a.b@${hosts}.test`, from: '192.0.2.3' }))).toBe(201);
  });

  it('count what carts hold, for the network until it is bought, given up or released', async () => {
    const first = visitorAt(server(), home);
    const second = visitorAt(server(), home);
    expect(codeOf(await first.put(free, 6))).toBe(200);
    expect(codeOf(await second.put(other, 5))).toBe('too-many-free-places');
    expect(codeOf(await reply(5))).toBe('too-many-free-places');
    expect((await reply(5)).headers.get('retry-after')).toBe('900');
    expect(codeOf(await second.put(other, 4))).toBe(200);
    expect(codeOf(await first.put(other, 1))).toBe('too-many-free-places');
    expect(codeOf(await first.put(free, 5))).toBe(200);
    expect(codeOf(await first.put(other, 1))).toBe(200);
    expect(codeOf(await first.buy(mailbox()))).toBe(201);
    expect(codeOf(await reply(1))).toBe('too-many-free-places');
    await later(900);
    expect(codeOf(await reply(4))).toBe(201);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count the free places of an order that has a price too, and leave the others alone', async () => {
    const visitor = visitorAt(server(), home);
    await visitor.put(paid, 9);
    expect(codeOf(await visitor.put(free, 7))).toBe(200);
    expect(codeOf(await visitor.put(other, 4))).toBe('too-many-free-places');
    const { body } = await visitor.buy(mailbox());
    expect(body.order.status).toBe('pending');
    expect(codeOf(await reply(4))).toBe('too-many-free-places');
    expect(codeOf(await visitorAt(server(), home).put(paid, 20))).toBe(200);
  });

  it('count places whose reduced price is 0 as free, on the days on which it applies', async () => {
    const sale_price = { checked: true, price: '0', start_date: '2026-11-22' };
    const reduced = await makeSeat(server(), event, 100, {
      price: '5',
      ticket: { mode: 'own', capacity: 100, sale_price },
    });
    expect(codeOf(await visitorAt(server(), home).put(reduced, 11))).toBe(200);
    await later(DAY);
    expect(codeOf(await visitorAt(server(), home).put(reduced, 11))).toBe('too-many-free-places');
    expect(codeOf(await visitorAt(server(), home).put(reduced, 10))).toBe(200);
    expect(codeOf(await visitorAt(server(), home).put(free, 1))).toBe('too-many-free-places');
  });

  it('count what became free in the cart when it is bought', async () => {
    const visitor = visitorAt(server(), home);
    await visitor.put(paid, 11);
    await editTicket(server(), paid, { post_id: event, price: '0' });
    expect(codeOf(await visitor.buy(mailbox()))).toBe('too-many-free-places');
  });

  it('count cancelled places until the end of the day', async () => {
    const { body } = await order(8);
    const cancelled = await server().ask(`POST tickets:/orders/${body.order.id}/cancel`, {
      headers: { 'x-order-token': body.order.token },
    });
    expect(cancelled.status).toBe(200);
    expect(await soldOf(server(), free)).toBe(0);
    expect(codeOf(await order(3))).toBe('too-many-free-places');
    await later(DAY - 1);
    expect(codeOf(await order(3))).toBe('too-many-free-places');
    await later(1);
    expect(codeOf(await order(8))).toBe(201);
    expect(await server().context.db.query.selectFrom('free_places').select('places').execute()).toEqual([
      { places: 8 },
    ]);
  });

  it('count a place of a reply once a day, however often the answer changes, but not one of a "no"', async () => {
    await editTicket(server(), rsvp, { post_id: event, ticket: { not_going: true } });
    const change = ({ id, url }: { id: number; url: string }, attendee_status: string) =>
      server().ask(`PATCH tickets:/replies/${id}`, { from: home, body: { attendee_status }, headers: asHolder(url) });
    const holders = (await reply(4)).body.attendees;
    for (const answer of ['no', 'yes', 'no', 'yes']) expect(codeOf(await change(holders[0], answer))).toBe(200);
    expect(codeOf(await change(holders[3], 'no'))).toBe(200);
    expect(codeOf(await change(holders[3], 'yes'))).toBe(200);
    const declined = (await reply(5, {}, { attendee_status: 'no' })).body.attendees;
    expect(codeOf(await reply(5))).toBe(201);
    const last = (await reply(1, {}, { attendee_status: 'no' })).body.attendees;
    expect(codeOf(await change(last[0], 'yes'))).toBe(200);
    expect(codeOf(await change(declined[0], 'yes'))).toBe('too-many-free-places');
    expect(await soldOf(server(), rsvp)).toBe(10);
    for (const answer of ['no', 'yes', 'no']) expect(codeOf(await change(holders[0], answer))).toBe(200);
    await later(DAY);
    expect(codeOf(await reply(7))).toBe(201);
    expect(codeOf(await change(holders[0], 'yes'))).toBe('too-many-free-places');
    expect(codeOf(await change(holders[3], 'yes'))).toBe(200);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count a cart that another network checks out for the network that filled it', async () => {
    const visitor = visitorAt(server(), home);
    const abroad = visitorAt(server(), `198.51.102.${hosts}`);
    await visitor.put(free, 8);
    abroad.use(visitor.token);
    expect(codeOf(await abroad.buy(mailbox()))).toBe(201);
    expect(codeOf(await order(3))).toBe('too-many-free-places');
    expect(codeOf(await order(8, { from: `198.51.102.${hosts}` }))).toBe(201);
  });

  it('count a cart anew where it grows on, also by places with a price', async () => {
    const there = `198.51.103.${hosts}`;
    expect(codeOf(await order(6, { from: there }))).toBe(201);
    const visitor = visitorAt(server(), home);
    await visitor.put(free, 5);
    const moved = visitorAt(server(), there);
    moved.use(visitor.token);
    expect(codeOf(await moved.put(paid, 1))).toBe('too-many-free-places');
  });

  it('hold for accounts that do not manage attendees, and not for others', async () => {
    expect(codeOf(await reply(8, { as: 'subscriber' }))).toBe(201);
    expect(codeOf(await reply(3, { as: 'author' }))).toBe('too-many-free-places');
    expect(codeOf(await order(3, { as: 'contributor' }))).toBe('too-many-free-places');
    expect(codeOf(await reply(3, { as: 'door' }))).toBe('too-many-free-places');
    const staff = mailbox();
    for (let times = 0; times < 2; times += 1) {
      expect(codeOf(await order(30, { as: 'editor', email: staff }))).toBe(201);
      expect(codeOf(await reply(30, { as: 'editor', email: staff }))).toBe(201);
    }
    expect(codeOf(await reply(2, { email: staff }))).toBe(201);
  });

  it('hold for each order and reply alone behind an undeclared proxy, and for its mailbox', async () => {
    const proxied = { from: `10.3.0.${hosts}`, headers: { 'x-forwarded-for': '192.0.2.1' } };
    const email = mailbox();
    expect(codeOf(await order(6, { ...proxied, email }))).toBe(201);
    expect(codeOf(await order(6, proxied))).toBe(201);
    expect(codeOf(await order(11, proxied))).toBe('too-many-free-places');
    expect(codeOf(await reply(11, proxied))).toBe('too-many-free-places');
    expect(codeOf(await reply(3, { ...proxied, email }))).toBe('too-many-free-places');
  });

  it('hold for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? reply(3) : order(3))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count a repeated request with one Idempotency-Key once', async () => {
    const email = mailbox();
    const asking = { headers: { 'idempotency-key': `reply ${hosts}` }, email };
    const first = await reply(6, asking);
    expect((await reply(6, asking)).body).toEqual(first.body);
    expect(codeOf(await reply(2, { email }))).toBe(201);
  });

  it('keep neither the mailbox nor anything for longer than a day', async () => {
    const email = mailbox();
    await order(1, { email });
    const rows = () => server().context.db.query.selectFrom('free_places').selectAll().execute();
    expect(JSON.stringify(await rows())).not.toContain(email.split('@')[0]);
    await later(DAY);
    expect(await rows()).toEqual([]);
  });

  it('end in time after a clock that was ahead', async () => {
    await later(30 * DAY);
    expect(codeOf(await reply(8))).toBe(201);
    server().clock.now = NOON;
    await pruneCounts(server().context);
    expect(codeOf(await reply(8))).toBe(201);
  });

  it('tell organizers how many requests they refused today', async () => {
    const refused = async (as: 'editor' | 'author' = 'editor') =>
      (await server().ask('GET admin:/overview', { as })).body.tasks.refused_free_places;
    await later(2 * DAY);
    expect(await refused()).toEqual({ count: 0 });
    expect(await refused('author')).toBeNull();
    expect(codeOf(await reply(11, { headers: { 'idempotency-key': `refused ${hosts}` } }))).toBe(
      'too-many-free-places',
    );
    expect(codeOf(await visitorAt(server(), home).put(free, 11))).toBe('too-many-free-places');
    const email = mailbox();
    expect(codeOf(await order(8, { email }))).toBe(201);
    expect(codeOf(await order(1, { email, from: '192.0.2.77' }))).toBe('too-many-free-places');
    expect(await refused()).toEqual({ count: 3 });
    await later(DAY);
    expect(await refused()).toEqual({ count: 0 });
    expect(await server().context.db.query.selectFrom('refusals').selectAll().execute()).toEqual([]);
  });
});

describe.each(DATABASES)('without limits on free places on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('any number may be taken, and none are noted', async () => {
    const rsvp = await makeRsvp(server(), await makeEvent(server()), 500);
    const body = { ticket_id: rsvp, full_name: 'Zoé', email: 'zoe@example.test', quantity: 20 };
    for (let times = 0; times < 4; times += 1)
      expect((await server().ask('POST tickets:/replies', { body })).status).toBe(201);
    expect(await server().context.db.query.selectFrom('free_places').selectAll().execute()).toEqual([]);
  });

  it('one of the two limits holds alone', async () => {
    const rsvp = await makeRsvp(server(), await makeEvent(server()), 500);
    const ask = (email: string, from: string) =>
      server().ask('POST tickets:/replies', { from, body: { ticket_id: rsvp, full_name: 'Zoé', email, quantity: 3 } });
    server().restart({ freePlaces: { perAddress: 0, perEmail: 4 } });
    expect((await ask('one@alone.test', '192.0.2.1')).status).toBe(201);
    expect((await ask('two@alone.test', '192.0.2.1')).status).toBe(201);
    expect((await ask('one@alone.test', '192.0.2.2')).status).toBe(429);
    server().restart({ freePlaces: { perAddress: 4, perEmail: 0 } });
    expect((await ask('one@alone.test', '192.0.2.3')).status).toBe(201);
    expect((await ask('three@alone.test', '192.0.2.3')).status).toBe(429);
  });
});
