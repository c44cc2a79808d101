import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { secretHash } from '../src/lib/hash.ts';
import { nonceFor, openEvent, openTicket, ticketBody } from './race-actions.ts';
import { DATABASES } from './server.ts';
import { crowd, type RaceAnswer, type Servers, startServers } from './two-servers.ts';

/** Limits hold for all processes of a site together, also for concurrent requests. */

const CALLERS = 48;
const GUESSES = 20;
const PLACES = 50;
const ORDERS = 10;
const FREE = 30;

const settings = {
  MARQUEE_SECRET_GUESSES: `${GUESSES},10`,
  MARQUEE_HELD_PER_ADDRESS: String(PLACES),
  MARQUEE_OPEN_ORDERS: `${ORDERS},0`,
  MARQUEE_FREE_PER_ADDRESS: `${FREE},${FREE}`,
};

const tally = (answers: readonly RaceAnswer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => (status < 300 ? 'done' : body.code))]
      .map(([outcome, group]): [string, number] => [String(outcome), group.length])
      .sort(),
  );

describe.each(DATABASES)('at two processes on %s', (kind) => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl'), settings });
  });
  afterAll(() => servers?.close());

  /** Id of a new ticket with a price. */
  async function openHall(): Promise<number> {
    const event = await openEvent(servers);
    const body = { ...ticketBody(event, await nonceFor(servers, event), { mode: 'own', capacity: 1000 }), price: '5' };
    return (await servers.ask('POST tickets:/tickets', { body })).body.id;
  }
  const hold = (ticket_id: number) =>
    servers.ask('POST tickets:/cart', {
      anonymous: true,
      body: { provider: 'tc', tickets: [{ ticket_id, quantity: 1 }] },
    });
  const forgetHolds = async () => {
    for (const table of ['carts', 'cart_items'] as const)
      await servers.db.query.updateTable(table).set({ network: '' }).execute();
  };

  it('a link by mail signs in once, and each of several does', async () => {
    const { id } = await servers.db.query.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
    const add = (token: string) =>
      servers.db.query
        .insertInto('sign_in_links')
        .values({ user_id: id, hash: secretHash(token), salt: token, expires_utc: '2999-01-01 00:00:00' })
        .execute();
    const enter = (token: string) => servers.ask('POST admin:/session/by-link', { anonymous: true, body: { token } });
    for (const token of ['one', ...Array.from({ length: CALLERS }, (_, index) => `of-many-${index}`)]) await add(token);
    expect(tally(await crowd(CALLERS, CALLERS, () => enter('one')))).toEqual({
      done: 1,
      'sign-in-link-invalid': CALLERS - 1,
    });
    // The control: nothing else refuses them.
    expect(tally(await crowd(CALLERS, CALLERS, (index) => enter(`of-many-${index}`)))).toEqual({ done: CALLERS });
  });

  it('wrong passwords are counted together, and the right one is refused by both', async () => {
    const id = await openEvent(servers);
    await servers.ask(`PATCH events:/events/${id}`, { body: { post_password: 'sesame' } });
    const read = (password: string, process?: number) =>
      servers.ask(`GET events:/events/${id}?password=${password}`, { anonymous: true, process });
    const answers = await crowd(3 * GUESSES, CALLERS, (index) => read(`wrong${index}`));
    expect(tally(answers)).toEqual({ 'event-password-protected': GUESSES, too_many_attempts: 2 * GUESSES });
    for (const process of [0, 1]) expect((await read('sesame', process)).status).toBe(429);
  });

  it('one address gets no more seats and unpaid orders than the limits', async () => {
    const ticketId = await openHall();
    const holds = await crowd(3 * PLACES, CALLERS, () => hold(ticketId));
    expect(tally(holds)).toEqual({ done: PLACES, 'too-many-places-held': 2 * PLACES });
    const carts = holds.filter(({ status }) => status === 200);
    const orders = await crowd(carts.length, CALLERS, (index) =>
      servers.ask('POST tickets:/cart/checkout', {
        anonymous: true,
        headers: { 'X-Cart-Token': String(carts[index]?.headers['x-cart-token']) },
        body: { purchaser: { name: 'Guest', email: 'guest@example.test' } },
      }),
    );
    expect(tally(orders)).toEqual({ done: ORDERS, 'too-many-open-orders': PLACES - ORDERS });
    expect(await findWrongCounters(servers.db)).toEqual([]);
    await servers.db.query.updateTable('orders').set({ network: '', email_key: '' }).execute();
    await forgetHolds();
  });

  const reply = (ticket_id: number, email: string) =>
    servers.ask('POST tickets:/replies', { anonymous: true, body: { ticket_id, full_name: 'Guest', email } });
  const order = async (ticketId: number, email: string) => {
    const held = await hold(ticketId);
    if (held.status !== 200) return held;
    return servers.ask('POST tickets:/cart/checkout', {
      anonymous: true,
      headers: { 'X-Cart-Token': String(held.headers['x-cart-token']) },
      body: { purchaser: { name: 'Guest', email } },
    });
  };
  const forgetFree = () => servers.db.query.deleteFrom('free_places').execute();

  it('one address gets no more free places than the limit, by orders and replies together', async () => {
    const event = await openEvent(servers);
    const seat = await openTicket(servers, event, { mode: 'own', capacity: 1000 });
    const rsvp = await openTicket(servers, event, { mode: '' }, { provider: 'rsvp', price: '' });
    const answers = await crowd(4 * FREE, CALLERS, (index) => {
      const email = `guest${index}@example.test`;
      return index % 2 === 0 ? order(seat, email) : reply(rsvp, email);
    });
    expect(tally(answers)).toEqual({ done: FREE, 'too-many-free-places': 3 * FREE });
    const refused = await servers.db.query.selectFrom('refusals').select('count').execute();
    expect(refused.map(({ count }) => Number(count))).toEqual([3 * FREE]);
    expect(await findWrongCounters(servers.db)).toEqual([]);
    await forgetFree();
  });

  it('one mailbox gets no more free places than the limit, from any address', async () => {
    const rsvp = await openTicket(servers, await openEvent(servers), { mode: '' }, { provider: 'rsvp', price: '' });
    const answers = await crowd(3 * FREE, CALLERS, (index) => reply(rsvp, `guest+${index}@example.test`));
    expect(tally(answers)).toEqual({ done: FREE, 'too-many-free-places': 2 * FREE });
    await forgetFree();
  });

  // SQLite has only one writer.
  const control = () =>
    it('one address gets more without the lock', async () => {
      await servers.unguard();
      const ticketId = await openHall();
      const round = async () => {
        await forgetHolds();
        return tally(await crowd(3 * PLACES, CALLERS, () => hold(ticketId))).done ?? 0;
      };
      let most = 0;
      for (let rounds = 0; rounds < 10 && most <= PLACES; rounds += 1) most = Math.max(most, await round());
      expect(most).toBeGreaterThan(PLACES);
      const rsvp = await openTicket(servers, await openEvent(servers), { mode: '' }, { provider: 'rsvp', price: '' });
      let mostFree = 0;
      for (let rounds = 0; rounds < 10 && mostFree <= FREE; rounds += 1) {
        await forgetFree();
        const answers = await crowd(3 * FREE, CALLERS, (index) => reply(rsvp, `guest${index}@example.test`));
        mostFree = Math.max(mostFree, tally(answers).done ?? 0);
      }
      expect(mostFree).toBeGreaterThan(FREE);
    });
  if (kind === 'postgres') control();
});
