import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { type OwnPostgres, startOwnPostgres } from './faults/own-postgres.ts';
import { type FaultyProxy, startProxy } from './faults/proxy.ts';
import { type StripeStandIn, startStripe } from './gateways/stripe-stand-in.ts';
import { attend, hold, openEvent, openTicket } from './race-actions.ts';
import { ADMIN_HEADER } from './server.ts';
import { type RaceAnswer, type Servers, startServers } from './two-servers.ts';

/** PostgreSQL, or the network in front of it, fails while Marquee serves. */

const readiness = async (servers: Servers, process: number): Promise<number> =>
  (await fetch(`${servers.address(process)}/readyz`)).status;

async function untilReady(servers: Servers): Promise<void> {
  for (const [process] of servers.alive().entries())
    while ((await readiness(servers, process)) !== 200) await delay(50);
}

/** Sends requests from several clients until `isOver`; returns the responses in order of arrival. */
async function ask(callers: number, call: (index: number) => Promise<RaceAnswer>, isOver: () => boolean) {
  const answers: RaceAnswer[] = [];
  let index = 0;
  const caller = async () => {
    while (!isOver()) {
      const answer = await call(index++);
      answers.push(answer);
      if (answer.status === 503) await delay(10);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answers;
}

const statusesOf = (answers: readonly RaceAnswer[]) => [...new Set(answers.map(({ status }) => status))].sort();
const UNAVAILABLE = { status: 503, body: { code: 'storage_unavailable' }, headers: { 'retry-after': '5' } };

describe('a PostgreSQL that is restarted under load', () => {
  let postgres: OwnPostgres;
  let servers: Servers;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    servers = await startServers('postgres', { postgresUrl: postgres.url });
  });
  afterAll(async () => {
    await servers?.close();
    await postgres?.close();
  });

  it('causes 503 meanwhile, then normal service, and no loss of acknowledged writes', async () => {
    const ticketId = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: 1_000_000 });
    let isOver = false;
    const sales = ask(
      12,
      (index) => attend(servers, ticketId, index),
      () => isOver,
    );
    const reads = ask(
      4,
      () => servers.ask('GET events:/events?start_date=2037-01-01', { anonymous: true }),
      () => isOver,
    );
    for (const mode of ['immediate', 'fast'] as const) {
      while ((await servers.ask('GET events:/events')).status !== 200);
      await delay(300);
      await postgres.stop(mode);
      for (const process of [0, 1]) expect(await readiness(servers, process)).toBe(503);
      await postgres.start();
      await untilReady(servers);
    }
    isOver = true;
    const sold = await sales;
    expect(servers.alive()).toEqual([true, true]);
    expect(statusesOf(sold)).toEqual([201, 503]);
    expect(statusesOf(await reads)).toEqual([200, 503]);
    for (const answer of sold) if (answer.status === 503) expect(answer).toMatchObject(UNAVAILABLE);
    expect((await attend(servers, ticketId, 0)).status).toBe(201);
    expect(await findWrongCounters(servers.db)).toEqual([]);
    const rows = await servers.db.query.selectFrom('attendees').select('id').execute();
    const kept = new Set(rows.map(({ id }) => id));
    expect(sold.filter(({ status, body }) => status === 201 && !kept.has(body.id))).toEqual([]);
  });
});

describe('a network that fails between Marquee and PostgreSQL', () => {
  let proxy: FaultyProxy;
  let standIn: StripeStandIn;
  let servers: Servers;
  let ticketId: number;
  beforeAll(async () => {
    standIn = await startStripe();
    servers = await startServers('postgres', {
      postgresUrl: inject('postgresUrl'),
      processes: 1,
      settings: {
        MARQUEE_DATABASE_TIMEOUT: '1',
        MARQUEE_STRIPE_KEY: standIn.key,
        MARQUEE_STRIPE_WEBHOOK_SECRET: standIn.secret,
        MARQUEE_STRIPE_URL: standIn.address,
      },
      route: async (url) => {
        proxy = await startProxy(url);
        return proxy.through(url);
      },
    });
    ticketId = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: 1000 });
  });
  afterEach(() => proxy.swallow(false));
  afterAll(async () => {
    await servers?.close();
    await proxy?.close();
    await standIn?.close();
  });

  const sold = async () =>
    (await servers.db.query.selectFrom('attendees').select('id').where('ticket_id', '=', ticketId).execute()).length;
  /** Waits until a statement of the server is blocked by a lock. */
  const untilBlocked = async () => {
    for (;;) {
      const { rows } = await sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(servers.db.query);
      if (rows.length > 0) return;
      await delay(10);
    }
  };
  /** Locks the row of the ticket while `work` runs. */
  const whileLocked = <T>(work: () => Promise<T>) =>
    servers.db.transaction(async ({ query }) => {
      await sql`SELECT id FROM tickets WHERE id = ${ticketId} FOR UPDATE`.execute(query);
      return work();
    });
  const servesAgain = async () => {
    await untilReady(servers);
    const before = await sold();
    expect((await attend(servers, ticketId, 0)).status).toBe(201);
    expect(await sold()).toBe(before + 1);
    expect(servers.alive()).toEqual([true]);
  };

  it('causes 503 for an interrupted statement, which has no effect', async () => {
    const before = await sold();
    const answer = await whileLocked(async () => {
      const asked = attend(servers, ticketId, 1);
      await untilBlocked();
      proxy.reset();
      return asked;
    });
    expect(answer).toMatchObject(UNAVAILABLE);
    await servesAgain();
    expect(await sold()).toBe(before + 1);
  });

  it('may reset idle connections without consequences', async () => {
    for (let round = 0; round < 3; round += 1) {
      proxy.reset();
      await servesAgain();
    }
  });

  it('causes 503 for a webhook of a payment, which the service sends again', async () => {
    await servers.ask('PATCH admin:/site', { body: { payment_ways: [{ id: 'card', gateway: 'stripe' }] } });
    const seat = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: 5 }, { price: '20' });
    const held = await hold(servers, seat);
    const { body } = await servers.ask('POST tickets:/cart/checkout', {
      headers: { 'X-Cart-Token': String(held.headers['x-cart-token']) },
      body: { purchaser: { name: 'Guest', email: 'guest@example.test' }, payment: 'card' },
    });
    const { id, token } = body.order;
    const customer = { headers: { 'X-Order-Token': token }, anonymous: true };
    const opened = await servers.ask(`POST tickets:/orders/${id}/payments`, { ...customer, body: {} });
    standIn.account.pay(new URL(opened.body.redirect_url).pathname.split('/').at(-1) ?? '');
    const [webhook] = standIn.takeWebhooks();
    const deliver = () => fetch(`${servers.address(0)}/calendar/tickets/v1/gateways/stripe/webhook`, webhook);
    const interrupted = await servers.db.transaction(async ({ query }) => {
      await sql`LOCK TABLE jobs IN EXCLUSIVE MODE`.execute(query);
      const delivered = deliver();
      await untilBlocked();
      proxy.reset();
      return (await delivered).status;
    });
    expect(interrupted).toBe(503);
    await servesAgain();
    expect((await deliver()).status).toBe(200);
    const status = async () => (await servers.ask(`GET tickets:/orders/${id}`, customer)).body.status;
    while ((await status()) !== 'completed') await delay(50);
  });

  it('causes 503 for a statement that takes too long', async () => {
    expect(await whileLocked(() => attend(servers, ticketId, 2))).toMatchObject(UNAVAILABLE);
    await servesAgain();
  });

  it('causes 503 when it drops all packets, also for requests that wait for a connection', async () => {
    await Promise.all(Array.from({ length: 8 }, () => servers.ask('GET events:/events')));
    proxy.swallow(true);
    const reads = Array.from({ length: 10 }, () => servers.ask('GET events:/events', { anonymous: true }));
    for (const answer of await Promise.all([...reads, attend(servers, ticketId, 3)]))
      expect(answer).toMatchObject(UNAVAILABLE);
    proxy.swallow(false);
    await servesAgain();
  });

  it('causes 503 when it interrupts a COMMIT, and an image that was stored after all has its file', async () => {
    // A trigger deferred to the COMMIT blocks there until the test releases it.
    await sql`CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$`.execute(servers.db.query);
    await sql`CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON media DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`.execute(servers.db.query);
    const form = new FormData();
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    form.set('file', new File([new Uint8Array(image)], 'cut.png'));
    const answer = await servers.db.transaction(async ({ query }) => {
      await sql`SELECT pg_advisory_xact_lock(4711)`.execute(query);
      const asked = fetch(`${servers.address(0)}/calendar/admin/v1/media`, {
        method: 'POST',
        headers: { authorization: ADMIN_HEADER },
        body: form,
      });
      await untilBlocked();
      proxy.reset();
      return asked;
    });
    expect(answer.status).toBe(503);
    let file: string | undefined;
    while (file === undefined)
      file = (await servers.db.query.selectFrom('media').select('file').executeTakeFirst())?.file;
    await access(join(servers.data, 'uploads', file));
    expect((await fetch(`${servers.address(0)}/uploads/${file}`)).status).toBe(200);
  });
});
