import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toUtc } from '../src/lib/dates/dates.ts';
import { releaseHeldMails } from '../src/platform/mails/store.ts';
import { writeReminders } from '../src/ticketing/reminders/write-reminders.ts';
import { makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { makeGate, pairDevice } from './door.ts';
import { runJobs } from './jobs.ts';
import { type MailServer, sendMails, startMailServer } from './mail-server.ts';
import { type Asking, BOTH_DATABASES, NOON, useTestServer } from './server.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

/** Accounts and addresses that turn the mails of the site against others. */

const DAY = 86_400_000;

describe.each(BOTH_DATABASES)('mails that accounts ask for on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, {
    mailCopies: { perMail: 2, perMailbox: 3 },
    staffMails: { copies: 4, others: 5 },
  });
  let smtp: MailServer;
  let event: number;
  let seat: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    event = await makeEvent(server(), {}, 'author');
    seat = await makeSeat(server(), event, 1000, { price: '0' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    server().clock.now = NOON;
    for (const table of ['mails', 'announcements', 'jobs', 'rate_limits', 'mail_texts'] as const)
      await db().query.deleteFrom(table).execute();
    await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
  });

  const db = () => server().context.db;
  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  const buyFor = (email: string) => buy(server(), [seat], { purchaser: { name: 'Ada', email } });
  /** The id of the mail of a new order, after it has arrived. */
  const sent = async (email: string): Promise<number> => {
    const { id } = await buyFor(email);
    await arrived();
    const mail = await db().query.selectFrom('mails').select('id').where('record_id', '=', id).executeTakeFirst();
    return mail?.id ?? 0;
  };
  const again = (id: number, body: object = {}, as: Asking['as'] = 'author') =>
    server().ask(`POST admin:/mails/${id}/send`, { as, body });
  const outcome = ({ status, body }: Awaited<ReturnType<typeof again>>) => `${status} ${body.code ?? body.to}`;
  const test = (as: Asking['as'] = 'author') =>
    server().ask('POST admin:/mail-preview', { as, body: { kind: 'tickets', language: 'en', event, send: true } });

  usually('go to the present address, unless the account manages the attendees of all events', async () => {
    const id = await sent('ada@one.test');
    expect(outcome(await again(id, { to: 'eve@evil.test' }))).toBe('403 mail-address-fixed');
    expect(outcome(await again(id, { to: 'ada+x@one.test' }))).toBe('403 mail-address-fixed');
    expect(outcome(await again(id, { to: 'ADA@one.test' }))).toBe('201 ADA@one.test');
    expect(outcome(await again(id, { to: 'eve@work.test' }, 'editor'))).toBe('201 eve@work.test');
    expect((await arrived()).map(({ to }) => to[0])).toEqual(['ADA@one.test', 'eve@work.test']);
  });

  it('cannot carry a test mail to another address', async () => {
    expect((await test()).status).toBe(200);
    await arrived();
    const mail = await db().query.selectFrom('mails').select('id').executeTakeFirstOrThrow();
    expect(outcome(await again(mail.id, { to: 'eve@evil.test' }))).toBe('403 mail-address-fixed');
    expect(outcome(await again(mail.id))).toMatch(/^201 /);
  });

  it('are limited by mail, also at the same time and if the mail is refused every time', async () => {
    const id = await sent('ada@one.test');
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => again(id)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429]);
    const refused = all.find(({ status }) => status === 429);
    expect([refused?.body.code, refused?.body.data.available]).toEqual(['too-many-mails', 0]);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await arrived()).toHaveLength(2);
    server().clock.now = new Date(NOON.getTime() + DAY + 1000);
    smtp.refuse = () => ({ code: 550, text: 'no such mailbox' });
    const failed = await (async () => {
      const { id: order } = await buyFor('bo@one.test');
      await arrived();
      return db().query.selectFrom('mails').select('id').where('record_id', '=', order).executeTakeFirstOrThrow();
    })();
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await again(failed.id)).status);
      await arrived();
    }
    smtp.refuse = () => undefined;
    expect(statuses).toEqual([201, 201, 429]);
  });

  usually('are limited by mailbox however it is spelled, and by account, test mails included', async () => {
    const ids = await Promise.all(['a+1@one.test', 'A+2@one.test', 'a@one.test', 'a+3@one.test'].map(sent));
    const statuses = [];
    for (const id of ids) statuses.push((await again(id, {}, 'editor')).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect((await again(await sent('bo@one.test'), {}, 'editor')).status).toBe(201);
    // The refused one did not count.
    const refused = await again(await sent('cy@one.test'), {}, 'editor');
    expect(outcome(refused)).toBe('429 too-many-mails');
    const tests = [];
    for (let index = 0; index < 4; index += 1) tests.push((await test()).status);
    expect(tests).toEqual([200, 200, 200, 429]);
    expect((await test('editor')).status).toBe(429);
  });

  it('do not count if nothing is sent', async () => {
    const id = await sent('ada@one.test');
    await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
    await db().query.updateTable('orders').set({ status: 'voided' }).execute();
    for (let index = 0; index < 3; index += 1) expect(outcome(await again(id))).toBe('409 mail-outdated');
    await db().query.updateTable('orders').set({ status: 'completed' }).execute();
    await db().query.updateTable('attendees').set({ status: 'publish' }).where('email', '=', 'ada@one.test').execute();
    expect((await again(id)).status).toBe(201);
  });

  usually('go behind the mails that the server writes by itself, and ahead of those to many', async () => {
    const id = await sent('ada@one.test');
    await server().ask(`POST admin:/events/${event}/announcements`, { as: 'author', body: { text: 'News' } });
    await runJobs(server().context);
    expect((await again(id)).status).toBe(201);
    expect((await test()).status).toBe(200);
    server().clock.now = new Date(NOON.getTime() + 60_000);
    await buyFor('bo@one.test');
    const received = await arrived();
    expect(received.map(({ to: [to], mail }) => `${to} ${mail.subject}`)).toEqual([
      'bo@one.test Your tickets: Evening',
      'ada@one.test Your tickets: Evening',
      expect.stringMatching(/^author.* Your tickets: Evening$/),
      'ada@one.test News about Evening',
    ]);
  });

  it('of sales are limited with those of announcements, and count for the author at a gate', async () => {
    const sell = (as: Asking['as'], email?: string) =>
      server().ask('POST admin:/orders', {
        as,
        body: { items: [{ ticket_id: seat, quantity: 1 }], payment: 'free', purchaser: { name: 'Ada', email } },
      });
    await buyFor('ada@one.test');
    await arrived();
    const announced = await server().ask(`POST admin:/events/${event}/announcements`, {
      as: 'author',
      body: { text: 'News' },
    });
    expect(announced.status).toBe(201);
    for (const name of ['a', 'b', 'c']) expect((await sell('author', `${name}@evil.test`)).status).toBe(201);
    const device = await pairDevice(server(), await makeGate(server(), [event], { may_sell: true }));
    const sellThere = (email: string) =>
      device.ask('POST admin:/door/sales', {
        body: {
          id: `sale-to-${email.slice(0, 1)}`,
          items: [{ ticket_id: seat, quantity: 1 }],
          payment: 'free',
          purchaser: { name: 'Ada', email },
        },
      });
    expect((await sellThere('d@evil.test')).status).toBe(201);
    const refused = await sell('author', 'e@evil.test');
    expect([refused.status, refused.body.code, refused.body.data.available]).toEqual([429, 'too-many-mails', 0]);
    expect((await sellThere('f@evil.test')).body.code).toBe('too-many-mails');
    // The same sale again, and sales without mails or by accounts that manage all attendees.
    expect((await sellThere('d@evil.test')).status).toBe(201);
    expect((await sell('author')).status).toBe(201);
    expect((await sell('editor', 'g@one.test')).status).toBe(201);
    const received = (await arrived()).filter(({ mail }) => mail.subject === 'Your tickets: Evening');
    expect(received.flatMap(({ to }) => to).toSorted()).toEqual([
      ...['a', 'b', 'c', 'd'].map((name) => `${name}@evil.test`),
      'g@one.test',
    ]);
    server().clock.now = new Date(NOON.getTime() + DAY + 1000);
    expect((await sell('author', 'h@one.test')).status).toBe(201);
  });

  usually('of a sale at a gate of several authors count for each of them, whichever event comes first', async () => {
    const editors = await makeEvent(server(), {}, 'editor');
    const free = await makeSeat(server(), editors, 100, { price: '0' });
    const later = await makeSeat(server(), event, 100, { price: '0' });
    const device = await pairDevice(server(), await makeGate(server(), [event, editors], { may_sell: true }));
    const sell = async (serial: number, ...tickets: number[]) => {
      const { status, body } = await device.ask('POST admin:/door/sales', {
        body: {
          id: `sale-of-several-${serial}`,
          items: tickets.map((ticket_id) => ({ ticket_id, quantity: 1 })),
          payment: 'free',
          purchaser: { name: 'Ada', email: `${serial}@evil.test` },
        },
      });
      return `${status} ${body.code ?? ''}`;
    };
    const outcomes = [];
    for (let serial = 0; serial < 6; serial += 1)
      outcomes.push(await sell(serial, ...(serial % 2 === 0 ? [seat, free] : [free, later])));
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => '201 '), '429 too-many-mails']);
    expect(await sell(6, free)).toBe('201 ');
  });

  it('of orders to whose customers an account gives addresses are limited with those of its sales', async () => {
    const enter = async (as: Asking['as'], email: string, rest: object = {}) => {
      const { id } = await server().make('POST admin:/orders', {
        items: [{ ticket_id: seat, quantity: 1 }],
        payment: 'free',
      });
      const changed = await server().ask(`PATCH admin:/orders/${id}`, { as, body: { purchaser: { email }, ...rest } });
      return { id, outcome: `${changed.status} ${changed.body.code ?? ''}` };
    };
    const entered: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { id, outcome } = await enter('author', `${index}@evil.test`);
      expect(outcome).toBe('200 ');
      entered.push(id);
    }
    expect((await enter('author', '6@evil.test', { dry_run: true })).outcome).toBe('200 ');
    expect((await enter('author', '6@evil.test')).outcome).toBe('429 too-many-mails');
    expect((await enter('editor', '6@one.test')).outcome).toBe('200 ');
    // Other changes of them do not count.
    for (const id of entered)
      expect(
        (await server().ask(`PATCH admin:/orders/${id}`, { as: 'author', body: { status: 'voided' } })).status,
      ).toBe(200);
    server().clock.now = new Date(NOON.getTime() + 61_000);
    expect((await arrived()).flatMap(({ to }) => to).toSorted()).toEqual(
      entered.map((_, index) => `${index}@evil.test`),
    );
  });

  it('of announcements are limited by account, unless it manages the attendees of all events', async () => {
    for (const name of ['a', 'b', 'c']) await buyFor(`${name}@one.test`);
    await db().query.deleteFrom('mails').execute();
    const announce = (as: Asking['as'], more: object = {}) =>
      server().ask(`POST admin:/events/${event}/announcements`, { as, body: { text: 'News', ...more } });
    expect((await announce('author')).status).toBe(201);
    const refused = await announce('author');
    expect([refused.status, refused.body.code, refused.body.data.available]).toEqual([429, 'too-many-mails', 2]);
    expect((await announce('author', { dry_run: true })).status).toBe(200);
    expect((await announce('editor')).status).toBe(201);
    expect(await arrived()).toHaveLength(6);
    server().clock.now = new Date(NOON.getTime() + DAY + 1000);
    expect((await announce('author')).status).toBe(201);
  });
});

describe.each(BOTH_DATABASES)('another spelling of an address on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await startMailServer();
    await server().make('PATCH admin:/site', { sends_reminders: true });
  });
  afterAll(() => smtp.close());
  afterEach(() => {
    smtp.take();
    server().clock.now = NOON;
  });

  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, { ...smtp.settings, bounceDomain: 'bounces.events.test' });
    return smtp.take();
  };
  const recipients = (received: Awaited<ReturnType<typeof arrived>>) => received.flatMap(({ to }) => to).toSorted();
  /** An event tomorrow with a free place for each address. */
  const withHolders = async (...emails: string[]) => {
    const event = await makeEvent(server(), { start_date: '2026-11-22 18:00:00', end_date: '2026-11-22 20:00:00' });
    const seat = await makeSeat(server(), event, 1000, { price: '0' });
    const orders = [];
    for (const email of emails) orders.push(await buy(server(), [seat], { purchaser: { name: 'X', email } }));
    return { event, orders };
  };
  /** Writes the reminders of tomorrow. */
  const remind = async () => {
    server().clock.now = new Date(NOON.getTime() + 7 * 3_600_000);
    await writeReminders(server().context);
  };

  it('does not silence the owner by mails that come back', async () => {
    const { orders } = await withHolders('dora+1@one.test', 'dora+1@one.test', 'dora+2@one.test', 'dora@one.test');
    for (const { from, to } of await arrived())
      if (to[0] !== 'dora@one.test')
        expect(
          (await server().ask('POST admin:/mail-bounces', { as: 'editor', body: { address: from } })).body.status,
        ).toBe('bounced');
    expect(orders).toHaveLength(4);
    await remind();
    expect(recipients(await arrived())).toEqual(['dora+2@one.test', 'dora@one.test']);
  });

  it('does not silence the owner by ending reminders', async () => {
    await withHolders('mia+x@one.test');
    await arrived();
    await remind();
    const [reminder] = await arrived();
    const token = /\/unsubscribe\/([\w-]+)\//.exec(reminder?.mail.text ?? '')?.[1];
    expect((await server().ask('POST tickets:/reminders/unsubscribe', { body: { token } })).status).toBe(200);
    server().clock.now = NOON;
    await withHolders('mia+x@one.test', 'mia@one.test');
    await arrived();
    await remind();
    expect(recipients(await arrived())).toEqual(['mia@one.test']);
  });

  usually('does not keep an announcement from the owner, nor gets the ticket of the owner', async () => {
    const { event, orders } = await withHolders('eve+x@one.test', 'eve@one.test');
    await arrived();
    await remind();
    await server().ask(`POST admin:/events/${event}/announcements`, { as: 'editor', body: { text: 'News' } });
    await runJobs(server().context);
    const [first] = orders;
    expect(
      (await server().ask(`PATCH admin:/orders/${first?.id}`, { as: 'editor', body: { status: 'voided' } })).status,
    ).toBe(200);
    const received = (await arrived()).map(({ to: [to], mail }) => `${to} ${mail.subject}`);
    expect(received.filter((one) => !one.includes('cancelled')).toSorted()).toEqual([
      'eve+x@one.test News about Evening',
      'eve@one.test Coming soon: Evening',
      'eve@one.test News about Evening',
    ]);
  });
});

describe.each(BOTH_DATABASES)('mails that were held while there was no mail server, on %s', (kind) => {
  const server = useTestServer(kind);
  const HOUR = 3_600_000;

  it('are sent later, except those about events in the past', async () => {
    const smtp = await startMailServer();
    const { context, clock } = server();
    const places = async (start: string) => {
      const event = await makeEvent(server(), { start_date: `${start} 18:00:00`, end_date: `${start} 20:00:00` });
      return { event, seat: await makeSeat(server(), event, 1000, { price: '0' }) };
    };
    const past = await places('2026-11-22');
    const coming = await places('2026-12-22');
    const hold = async () => {
      await runJobs(context);
      await sendMails(context, { smtp: undefined });
    };
    for (let index = 0; index < 40; index += 1)
      await buy(server(), [past.seat], { purchaser: { name: 'Ada', email: `a${index}@one.test` } });
    const given = await buy(server(), [past.seat], { purchaser: { name: 'Ada', email: 'ada@one.test' } });
    const transfer = { full_name: 'Bo', email: 'bo@one.test' };
    const path = `POST tickets:/attendees/${given.attendees[0]?.id}/transfer`;
    expect((await server().ask(path, { headers: given.headers, body: transfer })).status).toBe(200);
    await buy(server(), [coming.seat], { purchaser: { name: 'Cy', email: 'cy@one.test' } });
    for (const [event, body] of [
      [past.event, { text: 'News' }],
      [past.event, { kind: 'event_moved', text: 'Another hall' }],
      [coming.event, { text: 'News' }],
    ] as const)
      expect((await server().ask(`POST admin:/events/${event}/announcements`, { as: 'editor', body })).status).toBe(
        201,
      );
    await hold();
    const { count } = await context.db.query
      .selectFrom('mails')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'held')
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(127);
    clock.now = new Date(NOON.getTime() + 72 * HOUR);
    const thanks = await server().ask(`POST admin:/events/${past.event}/announcements`, {
      as: 'editor',
      body: { text: 'Thank you', audience: 'all' },
    });
    expect(thanks.status).toBe(201);
    await hold();
    clock.now = new Date(NOON.getTime() + 96 * HOUR);
    expect(await releaseHeldMails(context.db, { since: '2026-11-20 00:00:00', now: toUtc(clock.now) })).toBe(168);
    await sendMails(context, smtp.settings);
    const subjects = Map.groupBy(smtp.take(), ({ mail }) => `${mail.subject} ${mail.text?.includes('Thank you')}`);
    const counts = Object.fromEntries([...subjects].map(([subject, mails]) => [subject, mails.length]));
    expect(counts).toEqual({
      'News about Evening true': 41,
      'News about Evening false': 1,
      'Your tickets: Evening false': 1,
    });
    const left = await context.db.query.selectFrom('mails').select('status').distinct().execute();
    expect(left).toEqual([{ status: 'sent' }]);
    await smtp.close();
  });
});
