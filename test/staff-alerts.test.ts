import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { alertStaff, MAX_ALERTS } from '../src/jobs/staff-alerts.ts';
import { makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { addDeadJob } from './jobs.ts';
import { type MailServer, SITE, sendMails, startMailServer } from './mail-server.ts';
import { makeFinding, SMTP } from './samples.ts';
import { BOTH_DATABASES, useTestServer } from './server.ts';
import { makeEvent, nonce } from './tickets.ts';

const HOUR = 3600;
const ALL = ['payments', 'jobs', 'few-left', 'sold-out', 'orders'];

describe.each(BOTH_DATABASES)('alerts for staff on %s', (kind) => {
  const server = useTestServer(
    kind,
    { url: SITE, smtp: SMTP, languages: ['en', 'de', 'fr'] },
    { isFreshEachTime: true },
  );
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await startMailServer();
  });
  afterAll(() => smtp.close());
  afterEach(() => void smtp.take());

  const pass = (seconds: number) => {
    server().clock.now = new Date(server().clock.now.getTime() + seconds * 1000);
  };
  const choose = async (as: 'administrator' | 'editor' | 'author', alerts: string[], more: object = {}) =>
    server().ask(`PATCH admin:/users/${server().userId(as)}`, { as: 'administrator', body: { alerts, ...more } });
  /** Subjects of the alerts by the role of the account. */
  const alerted = async (times = 2) => {
    for (let time = 0; time < times; time += 1) await alertStaff(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp
      .take()
      .map(({ to, mail }) => `${to[0]?.split('@')[0]}: ${mail.subject}`)
      .sort();
  };
  const makeSeats = async (count: number, author: 'editor' | 'author' = 'editor') => {
    const event = await makeEvent(server(), { title: `Night of the ${author}`, author: server().userId(author) });
    return makeSeat(server(), event, count, { price: '0' });
  };
  const enlarge = async (seat: number, capacity: number) => {
    const { post_id } = (await server().ask(`GET tickets:/tickets/${seat}`, { as: 'administrator' })).body;
    const edit_ticket_nonce = await nonce(server(), 'edit_ticket_nonce', 'administrator', post_id);
    const ticket = { mode: 'own', capacity };
    await server().make(`PATCH tickets:/tickets/${seat}`, { post_id, edit_ticket_nonce, ticket });
  };
  const sell = async (seat: number, count: number) => {
    for (let left = count; left > 0; left -= 10) await buy(server(), Array(Math.min(left, 10)).fill(seat));
    await server().context.db.query.deleteFrom('mails').where('account_id', '=', 0).execute();
  };

  it('tell once of few places left and of an event that is sold out, however fast it sells', async () => {
    await choose('editor', ['few-left', 'sold-out']);
    const seat = await makeSeats(20);
    await sell(seat, 17);
    expect(await alerted()).toEqual([]);
    await sell(seat, 1);
    expect(await alerted()).toEqual(['editor: 2 places left: Night of the editor']);
    await sell(seat, 1);
    expect(await alerted()).toEqual([]);
    await sell(seat, 1);
    expect(await alerted()).toEqual(['editor: Sold out: Night of the editor']);
    pass(48 * HOUR);
    expect(await alerted()).toEqual([]);
  });

  it('tell again when a larger hall is sold out', async () => {
    await choose('editor', ['sold-out']);
    const seat = await makeSeats(10);
    await sell(seat, 10);
    expect(await alerted()).toEqual(['editor: Sold out: Night of the editor']);
    await enlarge(seat, 12);
    expect(await alerted()).toEqual([]);
    await sell(seat, 2);
    // Once a day, however often the capacity changes.
    expect(await alerted()).toEqual([]);
    pass(24 * HOUR);
    expect(await alerted()).toEqual(['editor: Sold out: Night of the editor']);
    pass(24 * HOUR);
    expect(await alerted()).toEqual([]);
  });

  it('are not sent once they are no longer true, or no longer wanted', async () => {
    await choose('editor', ['sold-out']);
    await choose('administrator', ['sold-out']);
    const seat = await makeSeats(10);
    await sell(seat, 10);
    await alertStaff(server().context);
    expect((await choose('administrator', [])).body.alerts).toEqual([]);
    await enlarge(seat, 200);
    await sendMails(server().context, smtp.settings);
    expect(smtp.take()).toEqual([]);
  });

  it('about sales go to accounts with the right to see them', async () => {
    for (const as of ['administrator', 'editor', 'author'] as const) await choose(as, ['sold-out', 'orders']);
    await sell(await makeSeats(10), 10);
    await sell(await makeSeats(10, 'author'), 10);
    await alertStaff(server().context);
    const written = server().context.db.query.selectFrom('mails').select('kind').orderBy('kind');
    expect(await written.where('account_id', '=', server().userId('author')).execute()).toEqual([
      { kind: 'alert-orders' },
      { kind: 'alert-sold-out' },
    ]);
    expect(await alerted()).toEqual([
      'administrator: 2 new orders',
      'administrator: Sold out: Night of the author',
      'administrator: Sold out: Night of the editor',
      'author: 1 new order',
      'author: Sold out: Night of the author',
      'editor: 2 new orders',
      'editor: Sold out: Night of the author',
      'editor: Sold out: Night of the editor',
    ]);
  });

  it('tell of new orders at most once an hour', async () => {
    await choose('editor', ['orders']);
    const seat = await makeSeats(1000);
    await sell(seat, 20);
    expect(await alerted()).toEqual(['editor: 2 new orders']);
    pass(HOUR / 2);
    await sell(seat, 30);
    expect(await alerted()).toEqual([]);
    pass(HOUR / 2);
    expect(await alerted()).toEqual(['editor: 3 new orders']);
    pass(HOUR);
    expect(await alerted()).toEqual([]);
  });

  it('tell administrators of dead jobs and payment findings, in their language', async () => {
    await choose('administrator', ['jobs', 'payments'], { language: 'de' });
    await choose('editor', ['payments']);
    await addDeadJob(server().context, 'payments.check', 'one');
    await addDeadJob(server().context, 'payments.check', 'two');
    await makeFinding(server().context);
    expect(await alerted()).toEqual([
      'administrator: 1 Zahlung weicht von den Büchern ab',
      'administrator: 2 Hintergrundaufgaben sind fehlgeschlagen',
      'editor: 1 payment differs from the books',
    ]);
    pass(HOUR);
    expect(await alerted()).toEqual([]);
    await addDeadJob(server().context, 'payments.check', 'three');
    expect(await alerted()).toEqual(['administrator: 3 Hintergrundaufgaben sind fehlgeschlagen']);
  });

  it('are chosen from those that the rights of the account allow', async () => {
    const own = (as: 'administrator' | 'editor' | 'author' | 'subscriber') =>
      server()
        .ask('GET admin:/me', { as })
        .then(({ body }) => body.available_alerts);
    expect(await own('administrator')).toEqual(ALL);
    expect(await own('editor')).toEqual(['payments', 'few-left', 'sold-out', 'orders']);
    expect(await own('author')).toEqual(['few-left', 'sold-out', 'orders']);
    expect(await own('subscriber')).toEqual([]);
    const chosen = await choose('author', ['orders', 'sold-out', 'orders']);
    expect([chosen.status, chosen.body.alerts]).toEqual([200, ['sold-out', 'orders']]);
    for (const alerts of [['payments'], ['jobs'], ['weather']])
      expect((await choose('author', alerts)).status).toBe(400);
    const own_choice = await server().ask(`PATCH admin:/users/${server().userId('author')}`, {
      as: 'author',
      body: { alerts: ['few-left'] },
    });
    expect([own_choice.status, own_choice.body.alerts]).toEqual([200, ['few-left']]);
  });

  it('end with the right to them', async () => {
    await choose('editor', ['payments', 'sold-out']);
    await server().make(`PATCH admin:/users/${server().userId('editor')}`, { role: 'contributor' });
    await sell(await makeSeats(10, 'author'), 10);
    expect(await alerted()).toEqual([]);
  });

  it(`about events are ${MAX_ALERTS} a day at most for one account, and hold back no others`, async () => {
    await choose('administrator', ['sold-out', 'payments', 'jobs', 'orders']);
    for (let index = 0; index < MAX_ALERTS + 3; index += 1) await sell(await makeSeats(10), 10);
    const first = await alerted();
    expect(first.filter((subject) => subject.includes('Sold out'))).toHaveLength(MAX_ALERTS);
    expect(first.filter((subject) => !subject.includes('Sold out'))).toEqual([
      `administrator: ${MAX_ALERTS + 3} new orders`,
    ]);
    await addDeadJob(server().context);
    await makeFinding(server().context);
    expect(await alerted()).toEqual([
      'administrator: 1 background job has failed',
      'administrator: 1 payment differs from the books',
    ]);
    pass(24 * HOUR);
    expect(await alerted()).toHaveLength(3);
  });

  it('reach events behind hundreds of others that they have told of', async () => {
    await choose('editor', ['sold-out']);
    const seat = await makeSeats(10);
    await sell(seat, 10);
    const { context } = server();
    const last = await context.db.query
      .selectFrom('events')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const ticket = await context.db.query
      .selectFrom('tickets')
      .selectAll()
      .where('id', '=', seat)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: 420 }, (_, index) => last.id + 1000 + index);
    const { query } = context.db;
    const record = await query.selectFrom('records').selectAll().where('id', '=', last.id).executeTakeFirstOrThrow();
    const ownRecord = await query.selectFrom('records').selectAll().where('id', '=', seat).executeTakeFirstOrThrow();
    for (const id of ids) {
      const ofTicket = { ...ownRecord, id: id + 1000 };
      await query
        .insertInto('records')
        .values([{ ...record, id }, ofTicket] as never)
        .execute();
      const slug = `copy-${id}`;
      await query
        .insertInto('events')
        .values({ ...last, id, slug })
        .execute();
      await query
        .insertInto('tickets')
        .values({ ...ticket, id: ofTicket.id, event_id: id, slug })
        .execute();
    }
    const told = async () => {
      const mails = await context.db.query.selectFrom('mails').select('record_id').execute();
      return mails.map(({ record_id }) => record_id);
    };
    for (let day = 0; day < 22; day += 1) {
      await alertStaff(context);
      pass(24 * HOUR);
    }
    expect((await told()).sort((one, other) => one - other)).toEqual([last.id, ...ids]);
  });

  it('tell of findings and failed jobs however old, once', async () => {
    await addDeadJob(server().context);
    await makeFinding(server().context);
    pass(30 * 24 * HOUR);
    await choose('administrator', ['payments', 'jobs']);
    expect(await alerted()).toEqual([
      'administrator: 1 background job has failed',
      'administrator: 1 payment differs from the books',
    ]);
    pass(2 * 24 * HOUR);
    expect(await alerted()).toEqual([]);
  });

  it('are not written where there is no mail', async () => {
    await choose('editor', ['sold-out']);
    await sell(await makeSeats(10), 10);
    const { context } = server();
    await alertStaff({ ...context, config: { ...context.config, smtp: undefined } });
    expect(await context.db.query.selectFrom('mails').selectAll().where('account_id', '>', 0).execute()).toEqual([]);
  });
});
