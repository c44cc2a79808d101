import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PER_EVENT } from '../src/ticketing/announcements/announcements.ts';
import { makeAttendee, makeRsvp, makeSeat } from './attendees.ts';
import { asHolder, buy } from './buyers.ts';
import { runJobs } from './jobs.ts';
import { calendarIn, type MailServer, SITE, sendMails, startMailServer } from './mail-server.ts';
import { type Asking, BOTH_DATABASES, NOON, useTestServer } from './server.ts';
import { wait } from './shopper.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

describe.each(BOTH_DATABASES)('announcements on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { languages: ['en', 'de', 'fr'] });
  let smtp: MailServer;
  let event: number;
  let seat: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    event = await makeEvent(server(), {
      venue: { venue: 'Harbour Hall', city: 'Boston' },
      organizer: { organizer: 'Harbour Society', email: 'desk@society.test' },
    });
    seat = await makeSeat(server(), event, 100_000, { name: 'Standing', price: '0' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    server().clock.now = NOON;
    for (const table of ['mails', 'announcements', 'jobs'] as const) await db().query.deleteFrom(table).execute();
    await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
  });

  const db = () => server().context.db;
  const path = (id = event) => `admin:/events/${id}/announcements`;
  const announce = (body: object, { as = 'editor', id, ...asking }: Partial<Asking> & { id?: number } = {}) =>
    server().ask(`POST ${path(id)}`, { as, body, ...asking });
  const list = async (id = event) => (await server().ask(`GET ${path(id)}`, { as: 'editor' })).body.announcements;
  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  /** Buys a place without the mail about it. */
  const hold = async (email: string, { ticket = seat, name = 'Ada Park', language = 'en', count = 1 } = {}) => {
    const order = await buy(server(), Array(count).fill(ticket), { purchaser: { name, email } }, language);
    await db().query.deleteFrom('mails').where('record_kind', '=', 'order').execute();
    return order;
  };
  const addresses = (received: Awaited<ReturnType<typeof arrived>>) => received.flatMap(({ to }) => to).sort();

  it('reach each address once, however many tickets it has, whatever its letter case', async () => {
    await hold('ada@one.test', { count: 3 });
    await hold('ADA@one.test');
    await hold('bo@one.test');
    const made = await announce({ subject: 'Doors', text: 'Doors open at six.' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ kind: 'announcement', audience: 'all', recipients: 0, is_running: true }),
    ]);
    const received = await arrived();
    expect(addresses(received)).toEqual(['ada@one.test', 'bo@one.test']);
    for (const { mail, raw } of received) {
      expect(mail).toMatchObject({ subject: 'Doors', replyTo: [{ address: 'desk@society.test' }] });
      for (const text of [mail.text, mail.html]) {
        expect(text).toContain('Doors open at six.');
        expect(text).toContain('Saturday 6 March 2027, 18:30–21:00 EST');
        expect(text).toContain('Harbour Hall');
        expect(text).toContain(`${SITE}/event/`);
        expect(text).not.toMatch(/\/(order|ticket)\//);
      }
      expect(raw).not.toMatch(/^List-Unsubscribe/m);
    }
    expect(await list()).toMatchObject([{ id: made.body.id, recipients: 2, sent: 2, queued: 0, is_running: false }]);
    expect(await arrived()).toEqual([]);
  });

  it('have a preview without a trace, with the number of mailboxes and the mail', async () => {
    for (const email of ['ada@one.test', 'ada@one.test', 'bo@one.test']) await hold(email);
    const counts = async () => {
      const tables = ['mails', 'announcements', 'jobs', 'audit'] as const;
      return Promise.all(tables.map((table) => db().query.selectFrom(table).selectAll().execute()));
    };
    const before = await counts();
    const tried = await announce({ text: 'Doors open at six.', dry_run: true });
    expect(tried).toMatchObject({ status: 200, body: { recipients: 2, subject: 'News about Evening' } });
    expect(tried.body.text).toContain('Doors open at six.');
    expect(tried.body.html).toContain('Doors open at six.');
    expect(await counts()).toEqual(before);
    expect(await arrived()).toEqual([]);
  });

  it('reach holders of chosen tickets, or holders who are not checked in, also of RSVPs and unpaid orders', async () => {
    const other = await makeSeat(server(), event, 10, { name: 'Stalls', price: '20' });
    const rsvp = await makeRsvp(server(), event);
    await hold('stalls@one.test', { ticket: other });
    await hold('standing@one.test');
    const { attendees } = await hold('here@one.test');
    await server().make(`PATCH tickets:/attendees/${attendees[0]?.id}`, { check_in: true });
    const reply = { ticket_id: rsvp, full_name: 'Bo', email: 'yes@one.test' };
    await server().make('POST tickets:/replies', reply);
    await server()
      .make('POST tickets:/replies', { ...reply, email: 'no@one.test', attendee_status: 'no' })
      .catch(() => 0);
    await makeAttendee(server(), rsvp, { email: 'program@one.test' });
    await makeAttendee(server(), rsvp, { email: 'sample@lantern.example' });
    await db().query.deleteFrom('mails').execute();
    const reach = async (body: object) => {
      expect((await announce({ text: 'News', ...body })).status).toBe(201);
      return addresses(await arrived());
    };
    expect(await reach({ audience: 'tickets', tickets: [other] })).toEqual(['stalls@one.test']);
    const all = ['here', 'program', 'stalls', 'standing', 'yes'].map((name) => `${name}@one.test`);
    expect(await reach({})).toEqual(all);
    expect(await reach({ audience: 'not_checked_in' })).toEqual(all.filter((address) => !address.startsWith('here')));
  });

  usually('do not reach who buys later, nor whose place is cancelled', async () => {
    const order = await hold('ada@one.test');
    await hold('bo@one.test');
    await announce({ text: 'News' });
    await hold('late@one.test');
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    await db().query.deleteFrom('mails').execute();
    expect(addresses(await arrived())).toEqual(['bo@one.test']);
  });

  it('of a cancelled event reach customers and holders who are refunded before the mails are written', async () => {
    const cancelled = await makeEvent(server(), { title: 'Gala' });
    const ticket = await makeSeat(server(), cancelled, 10, { price: '0' });
    const order = await hold('ada@one.test', { ticket });
    const before = await hold('early@one.test', { ticket });
    const part = await hold('bo@one.test', { ticket, count: 2 });
    for (const [{ attendees }, email] of [
      [order, 'cy@one.test'],
      [part, 'di@one.test'],
    ] as const) {
      const body = { full_name: 'Cy', email };
      const headers = asHolder(attendees[0]?.url);
      const given = await server().ask(`POST tickets:/attendees/${attendees[0]?.id}/transfer`, { body, headers });
      expect(given.status).toBe(200);
    }
    const voided = ({ id }: { id: number }) => server().make(`PATCH admin:/orders/${id}`, { status: 'voided' });
    await voided(before);
    await server().make(`PATCH events:/events/${cancelled}`, { event_status: 'cancelled' });
    wait(server(), 1);
    await announce({ kind: 'event_cancelled' }, { id: cancelled });
    await voided(order);
    await server().make(`POST admin:/orders/${part.id}/cancel-places`, { attendees: [part.attendees[0]?.id] });
    await db().query.deleteFrom('mails').execute();
    const all = ['bo@one.test', 'cy@one.test', 'di@one.test'];
    const sent = (await arrived()).filter(({ mail }) => mail.subject === 'Cancelled: Gala');
    expect(addresses(sent)).toEqual(all);
  });

  it('are counted without the copies that staff send', async () => {
    await hold('ada@one.test');
    await announce({ text: 'News' });
    await arrived();
    const [mail] = await db().query.selectFrom('mails').select('id').execute();
    await server().make(`POST admin:/mails/${mail?.id}/send`, { to: 'ada@two.test' }, 'editor');
    expect(await arrived()).toHaveLength(1);
    expect(await list()).toMatchObject([{ recipients: 1, sent: 1 }]);
  });

  it('are in the language of each order', async () => {
    await hold('en@one.test');
    await hold('de@one.test', { language: 'de' });
    await hold('fr@one.test', { language: 'fr' });
    await server().make(`PATCH events:/events/${event}`, { event_status: 'rescheduled' });
    await announce({ kind: 'event_moved' });
    const subjects = (await arrived()).map(({ to, mail }) => [to[0], mail.subject]).sort();
    expect(subjects).toEqual([
      ['de@one.test', 'Geändert: Evening'],
      ['en@one.test', 'Changed: Evening'],
      ['fr@one.test', 'Modifié\u00a0: Evening'],
    ]);
  });

  it('state the status of an event, and only while it is true', async () => {
    const changed = await makeEvent(server(), { title: 'Gala' });
    const ticket = await makeSeat(server(), changed, 10, { price: '0' });
    await hold('ada@one.test', { ticket });
    const to = (kind: string, more = {}) => announce({ kind, ...more }, { id: changed });
    expect((await to('event_cancelled')).body.code).toBe('event-status-differs');
    expect((await to('event_cancelled', { dry_run: true })).body.subject).toBe('Cancelled: Gala');
    await server().make(`PATCH events:/events/${changed}`, {
      start_date: '2027-03-07 18:30',
      end_date: '2027-03-07 21:00',
    });
    expect((await to('event_moved', { text: 'The hall is being painted.' })).status).toBe(201);
    const [moved] = await arrived();
    expect(moved?.mail.text).toContain('Sunday 7 March 2027');
    expect(moved?.mail.text).toContain('The hall is being painted.');
    expect(moved && calendarIn(moved.mail)).toMatch(/DTSTART;TZID=[^:]+:20270307T183000/);
    await server().make(`PATCH events:/events/${changed}`, {
      event_status: 'cancelled',
      event_status_reason: 'The singer is ill.',
    });
    await to('event_cancelled');
    const [cancelled] = await arrived();
    expect(cancelled?.mail.subject).toBe('Cancelled: Gala');
    expect(cancelled?.mail.text).toContain('The singer is ill.');
    expect(cancelled?.mail.text).toContain('Status: Cancelled\nWas planned for: ');
    await to('event_cancelled');
    await server().make(`PATCH events:/events/${changed}`, { event_status: 'scheduled' });
    expect(await arrived()).toEqual([]);
  });

  usually('of another time are neither sent nor made once the event is cancelled or postponed', async () => {
    const changed = await makeEvent(server(), { title: 'Gala' });
    const ticket = await makeSeat(server(), changed, 10, { price: '0' });
    await hold('ada@one.test', { ticket });
    const become = (event_status: string) => server().make(`PATCH events:/events/${changed}`, { event_status });
    for (const status of ['cancelled', 'postponed']) {
      await become('scheduled');
      expect((await announce({ kind: 'event_moved' }, { id: changed })).status).toBe(201);
      await become(status);
      expect((await announce({ kind: 'event_moved' }, { id: changed })).body.code).toBe('event-status-differs');
      expect(await arrived()).toEqual([]);
    }
    await become('rescheduled');
    await announce({ kind: 'event_moved' }, { id: changed });
    expect(await arrived()).toHaveLength(1);
  });

  usually('of one event of a series reach its holders only', async () => {
    const other = await makeEvent(server());
    const ticket = await makeSeat(server(), other, 10, { price: '0' });
    await hold('ada@one.test');
    await hold('bo@one.test', { ticket });
    await announce({ text: 'News' }, { id: other });
    expect(addresses(await arrived())).toEqual(['bo@one.test']);
    expect(await list()).toEqual([]);
  });

  it('are for users who manage the attendees of the event', async () => {
    const own = await makeEvent(server(), {}, 'author');
    const asked = async (as: Asking['as'], id: number) => (await announce({ text: 'News' }, { as, id })).status;
    expect(await asked('author', own)).toBe(201);
    expect(await asked('author', event)).toBe(403);
    expect(await asked('door', event)).toBe(403);
    expect(await asked('administrator', 987_654)).toBe(404);
  });

  it('are refused without a text, for tickets of other events, and in other shapes', async () => {
    const foreign = await makeSeat(server(), await makeEvent(server()));
    for (const [body, param] of [
      [{}, 'text'],
      [{ text: ' \n ' }, 'text'],
      [{ text: 'x'.repeat(5001) }, 'text'],
      [{ text: 'x', subject: 'x'.repeat(201) }, 'subject'],
      [{ text: 'x', kind: 'reminder' }, 'kind'],
      [{ text: 'x', audience: 'tickets' }, 'tickets'],
      [{ text: 'x', audience: 'tickets', tickets: [foreign] }, 'tickets'],
      [{ text: 'x', audience: 'tickets', tickets: [seat, foreign] }, 'tickets'],
    ] as const) {
      const { status, body: refused } = await announce(body);
      expect([status, Object.keys(refused.data?.params ?? {})]).toEqual([400, [param]]);
    }
    expect(await list()).toEqual([]);
  });

  it(`are at most ${MAX_PER_EVENT} a day for an event, also at the same time`, async () => {
    const asked = await Promise.all(Array.from({ length: MAX_PER_EVENT + 3 }, () => announce({ text: 'News' })));
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(MAX_PER_EVENT);
    const refused = asked.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.body.code]).toEqual([429, 'too-many-announcements']);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(86_000);
    server().clock.now = new Date(NOON.getTime() + 86_400_000);
    expect((await announce({ text: 'News' })).status).toBe(201);
  });

  it('are made once for one idempotency key', async () => {
    await hold('ada@one.test');
    const headers = { 'idempotency-key': 'once' };
    for (const _time of [1, 2]) expect((await announce({ text: 'News' }, { headers })).status).toBe(201);
    expect(await arrived()).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });

  it('are written once by two processes at the same time', async () => {
    for (let index = 0; index < 20; index += 1) await hold(`a${index}@one.test`);
    await announce({ text: 'News' });
    await Promise.all([1, 2, 3].map(() => runJobs(server().context)));
    expect(await arrived()).toHaveLength(20);
  });

  it('wait for mails to single customers', async () => {
    await hold('ada@one.test');
    await announce({ text: 'News' });
    await runJobs(server().context);
    await buy(server(), [seat], { purchaser: { name: 'Bo', email: 'bo@one.test' } });
    const subjects = (await arrived()).map(({ mail }) => mail.subject);
    expect(subjects).toEqual(['Your tickets: Evening', 'News about Evening']);
  });

  it('take no headers, recipients or markup from hostile texts', async () => {
    const title = 'Night\r\nBcc: eve@example.test <b>Gala</b>';
    const hostile = await makeEvent(server(), {
      title,
      organizer: { organizer: 'Eve', email: 'a@b.test\r\nBcc: eve@example.test' },
    });
    const ticket = await makeSeat(server(), hostile, 10, { price: '0' });
    await hold('ada@one.test', { ticket, name: 'Ada <img src=x>\r\nBcc: eve@example.test' });
    const text = 'Come <script>alert(1)</script> {name} {{order}}\r\n\r\n<img src=x onerror=alert(1)> & "more"';
    await announce({ subject: 'Hello\r\nBcc: eve@example.test', text }, { id: hostile });
    const [received] = await arrived();
    expect(received?.to).toEqual(['ada@one.test']);
    expect(received?.mail.headers.filter(({ key }) => /^(bcc|cc)$/.test(key))).toEqual([]);
    expect(received?.mail.html).not.toMatch(/<(script|img src=x|b>)/);
    expect(received?.mail.subject).toMatch(/^Hello/);
    expect(received?.mail.replyTo ?? []).not.toEqual([expect.objectContaining({ address: 'eve@example.test' })]);
    expect(received?.mail.text).toContain('{name} {{order}}');
  });

  it('are in the list of mails by event, attendee and order, and in the audit log', async () => {
    const { id, attendees } = await hold('ada@one.test');
    const { body } = await announce({ text: 'News' });
    await arrived();
    const mails = async (query: Record<string, number>, as: 'editor' | 'author' = 'editor') =>
      (await server().ask('GET admin:/mails', { as, query })).body.mails;
    const expected = [{ kind: 'announcement', event, order: id, attendee: attendees[0]?.id, status: 'sent' }];
    expect(await mails({ event })).toMatchObject(expected);
    expect(await mails({ attendee: attendees[0]?.id ?? 0 })).toMatchObject(expected);
    expect(await mails({ order: id })).toMatchObject(expected);
    expect(await mails({ event: event + 1 })).toEqual([]);
    expect(await mails({ event }, 'author')).toEqual([]);
    const log = await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'announcement' } });
    const entry = log.body.audit.find(({ record_id }: { record_id: number }) => record_id === body.id);
    expect(entry).toMatchObject({ action: 'created', user: { name: 'editor' } });
  });
});
