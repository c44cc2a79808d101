import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expireUnpaid } from '../src/jobs/expire-unpaid.ts';
import { MAX_PER_RECORD } from '../src/platform/mails/limits.ts';
import { queueMail } from '../src/platform/mails/outbox.ts';
import { writeReminders } from '../src/ticketing/reminders/write-reminders.ts';
import { makeAttendee, makeRsvp, makeSeat, pageOf } from './attendees.ts';
import { asHolder, buy } from './buyers.ts';
import { type PayingServer, startPaying } from './gateways/paying.ts';
import { runJobs } from './jobs.ts';
import { calendarIn, codesIn, type MailServer, paperIn, SITE, sendMails, startMailServer } from './mail-server.ts';
import { makeSeason } from './season.ts';
import { BOTH_DATABASES, NOON, useTestServer } from './server.ts';
import { ADA, wait } from './shopper.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const KEY = 'the key of the door';

describe.each(BOTH_DATABASES)('mails to holders on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { qrApiKey: KEY, languages: ['en', 'de', 'fr'] });
  let smtp: MailServer;
  let event: number;
  let free: number;
  let rsvp: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'transfer', gateway: 'transfer', text: 'IBAN' }] });
    event = await makeEvent(server(), { venue: { venue: 'Harbour Hall', city: 'Boston' } });
    free = await makeSeat(server(), event, 100_000, { name: 'Standing', price: '0' });
    rsvp = await makeRsvp(server(), event);
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    server().clock.now = NOON;
    for (const table of ['mails', 'announcements', 'jobs', 'mail_optouts', 'event_reminders'] as const)
      await db().query.deleteFrom(table).execute();
  });

  const db = () => server().context.db;
  const rows = () => db().query.selectFrom('mails').selectAll().orderBy('id').execute();
  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  /** Opens the door with a code of a mail. */
  const scan = async (code: string) => {
    const { searchParams } = new URL(code);
    const body = JSON.stringify({ ...Object.fromEntries(searchParams), api_key: KEY });
    const headers = { 'content-type': 'application/json' };
    return (await server().request(`/${searchParams.get('path')}`, { method: 'POST', headers, body })).status;
  };

  describe('of an RSVP', () => {
    const reply = (fields: Record<string, unknown> = {}, language = 'en') =>
      server().ask('POST tickets:/replies', {
        body: { ticket_id: rsvp, full_name: 'Ada Park', email: ADA.email, ...fields },
        headers: { 'accept-language': language },
      });
    const change = (id: number, url: string, attendee_status: string) =>
      server().ask(`POST tickets:/replies/${id}`, { body: { attendee_status }, headers: asHolder(url) });

    usually('bring the codes of its places, and the page to change it', async () => {
      const { body } = await reply({ quantity: 2 });
      const [received, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(received?.mail.subject).toBe('You are coming: Evening');
      expect(received?.mail.text).toContain('2 places are reserved for you.');
      const page = new URL(body.attendees[0].url).pathname;
      expect(received?.mail.text).toContain(SITE + page);
      const codes = received ? await codesIn(received.mail) : [];
      expect(codes).toHaveLength(2);
      for (const code of codes) expect(await scan(code)).toBe(201);
      expect(received && calendarIn(received.mail)).toContain('SUMMARY:Evening');
    });

    usually('bring its places as PDF, with the codes of the mail and no link', async () => {
      const { body } = await reply({ quantity: 2 });
      const [received] = await arrived();
      const pages = received ? await paperIn(received.mail, /^tickets.*\.pdf$/) : [];
      expect(await Promise.all(pages.map(({ code }) => code()))).toEqual(received && (await codesIn(received.mail)));
      const words = pages.map(({ text }) => text).join(' ');
      for (const part of ['Evening', 'Harbour Hall', 'Ada Park', body.attendees[1].security_code])
        expect(words).toContain(part);
      for (const { url } of body.attendees) expect(words).not.toContain(asHolder(url)['x-ticket-token']);
      // Only the companions are still coming.
      const own = { body: { attendee_status: 'no', scope: 'place' }, headers: asHolder(body.attendees[0].url) };
      expect((await server().ask(`PATCH tickets:/replies/${body.id}`, own)).status).toBe(200);
      wait(server(), 1);
      const [changed] = await arrived();
      const left = changed ? await paperIn(changed.mail, /^tickets.*\.pdf$/) : [];
      expect(left).toHaveLength(1);
      expect(left[0]?.text).not.toContain(body.attendees[0].security_code);
    });

    it('confirm a no without a code, in the language of the reader', async () => {
      const other = (await makeRsvp(server(), event)) ?? 0;
      await db().query.updateTable('tickets').set({ not_going: 1 }).where('id', '=', other).execute();
      await reply({ ticket_id: other, attendee_status: 'no' }, 'de');
      const [received] = await arrived();
      expect(received?.mail.subject).toBe('Ihre Absage: Evening');
      expect(received?.mail.attachments).toEqual([]);
      expect(received?.mail.text).toContain(`${SITE}/de/ticket/`);
    });

    it('say that only the reader is not coming, with the codes of the companions', async () => {
      const { body } = await reply({ quantity: 3 });
      await arrived();
      const { id, attendees } = body;
      const headers = asHolder(attendees[0].url);
      const change = { attendee_status: 'no', scope: 'place' };
      expect((await server().ask(`PATCH tickets:/replies/${id}`, { body: change, headers })).status).toBe(200);
      wait(server(), 1);
      const [received] = await arrived();
      expect(received?.mail.subject).toBe('Changed – You are not coming, others are: Evening');
      expect(received?.mail.text).toContain('2 places stay reserved for your companions.');
      const codes = received ? await codesIn(received.mail) : [];
      expect(codes).toHaveLength(2);
      for (const code of codes) expect(await scan(code)).toBe(201);
      expect(received?.mail.text).not.toContain(attendees[0].security_code);
    });

    usually('tell of a change once, with the last answer', async () => {
      const { body } = await reply();
      await arrived();
      const { id, attendees } = body;
      for (const answer of ['no', 'yes', 'no']) expect((await change(id, attendees[0].url, answer)).status).toBe(200);
      expect(await arrived()).toEqual([]);
      wait(server(), 1);
      expect((await arrived()).map(({ mail }) => mail.subject)).toEqual(['Changed – You are not coming: Evening']);
    });

    it('are not written for attendees that programs create, nor for samples', async () => {
      await makeAttendee(server(), rsvp);
      await reply({ email: 'ada@lantern.example' });
      expect(await rows()).toEqual([]);
    });

    it('are limited, however often the answer changes', async () => {
      const { id, attendees } = (await reply()).body;
      for (let index = 0; index < MAX_PER_RECORD + 3; index += 1) {
        await change(id, attendees[0].url, index % 2 === 0 ? 'no' : 'yes');
        wait(server(), 2);
        await arrived();
      }
      const sent = (await rows()).filter(({ status }) => status === 'sent');
      expect(sent).toHaveLength(MAX_PER_RECORD);
    });
  });

  describe('of a transfer', () => {
    const transfer = (attendee: { id: number; url: string } | undefined, to: Record<string, string>) =>
      server().ask(`POST tickets:/attendees/${attendee?.id}/transfer`, { body: to, headers: asHolder(attendee?.url) });
    const BO = { full_name: 'Bo Lin', email: 'bo@example.test' };

    usually('bring the ticket with its new code to the new holder, and tell the former one without', async () => {
      const { id, token, attendees } = await buy(server(), [free]);
      await db().query.deleteFrom('mails').execute();
      const { body } = await transfer(attendees[0], BO);
      const [received, told] = await arrived();
      expect([received?.to, told?.to]).toEqual([[BO.email], [ADA.email]]);
      expect(received?.mail.subject).toBe('Your ticket: Evening');
      expect(received?.mail.text).toContain(body.security_code);
      expect(received?.mail.text).toContain(SITE + new URL(body.url).pathname);
      expect(received?.raw).not.toContain(`/order/${id}`);
      expect(received?.raw).not.toContain(token);
      const [code] = received ? await codesIn(received.mail) : [];
      expect(code && (await scan(code))).toBe(201);
      expect(told?.mail.subject).toBe('Ticket transferred: Evening');
      expect(told?.mail.text).toContain('Bo Lin');
      for (const secret of [body.security_code, attendees[0]?.security_code, '/ticket/', BO.email])
        expect(told?.raw).not.toContain(secret);
    });

    usually('bring it as PDF, with nothing of the other tickets, the order or the page of the ticket', async () => {
      const { id, token, attendees } = await buy(server(), [free, free]);
      await db().query.deleteFrom('mails').execute();
      const { body: given } = await transfer(attendees[0], BO);
      const [received] = await arrived();
      const [page, ...others] = received ? await paperIn(received.mail, /^tickets.*\.pdf$/) : [];
      expect([page?.text.includes('Bo Lin'), others]).toEqual([true, []]);
      const code = (await page?.code()) ?? '';
      expect(received && (await codesIn(received.mail))).toEqual([code]);
      expect(await scan(code)).toBe(201);
      const [kept, former] = [attendees[1], attendees[0]].map((one) => one?.security_code ?? '');
      const secrets = [token, `/order/${id}`, kept, former, asHolder(attendees[1]?.url)['x-ticket-token']];
      const own = asHolder(given.url)['x-ticket-token'];
      const read = [received?.mail.text, received?.mail.html, received && calendarIn(received.mail), page?.text, code];
      for (const secret of secrets) expect(read.filter((part) => part?.includes(secret ?? ''))).toEqual([]);
      // Attachments may be handed on, so none opens the page of the ticket.
      for (const file of received?.mail.attachments ?? [])
        expect(Buffer.from(file.content as ArrayBuffer).toString('latin1')).not.toContain(own);
      expect(`${page?.text} ${code}`).not.toContain(own);
    });

    usually('do not bring a ticket that was passed on meanwhile', async () => {
      const { attendees } = await buy(server(), [free]);
      await db().query.deleteFrom('mails').execute();
      const { body } = await transfer(attendees[0], BO);
      await transfer(body, { full_name: 'Cy', email: 'cy@example.test' });
      const received = (await arrived()).filter(({ mail }) => mail.subject?.startsWith('Your ticket'));
      expect(received.map(({ to }) => to)).toEqual([['cy@example.test']]);
    });

    describe('that staff send again', () => {
      const again = (id: number | undefined, body: object = {}) =>
        server().ask(`POST admin:/mails/${id}/send`, { as: 'editor', body });
      const read = async (id: number | undefined) =>
        (await server().ask(`GET admin:/mails/${id}`, { as: 'editor' })).body;
      const reply = async () =>
        (
          await server().ask('POST tickets:/replies', {
            body: { ticket_id: rsvp, full_name: 'Ada Park', email: ADA.email },
          })
        ).body.attendees[0];

      it.each(['sent', 'failed', 'held'] as const)(
        'do not open the ticket for its former holder, if they were %s',
        async (status) => {
          const held = await reply();
          await arrived();
          const [mail] = await rows();
          await db().query.updateTable('mails').set({ status }).execute();
          expect(await read(mail?.id)).toMatchObject({ send_to: ADA.email, text: expect.stringContaining('/ticket/') });
          const { body } = await transfer(held, BO);
          expect(await read(mail?.id)).toMatchObject({ send_to: null, text: null });
          for (const to of [undefined, ADA.email, ADA.email.toUpperCase()])
            expect((await again(mail?.id, { to })).body.code).toBe('mail-outdated');
          await db().query.deleteFrom('mails').where('kind', '<>', 'rsvp').execute();
          wait(server(), 1);
          const sent = await again(mail?.id, { to: 'desk@example.test' });
          expect(sent.body).toMatchObject({ to: 'desk@example.test', status: 'queued' });
          expect((await again(mail?.id, { to: BO.email })).status).toBe(201);
          const received = await arrived();
          expect(received.map(({ to }) => to)).toEqual([['desk@example.test'], [BO.email]]);
          for (const { mail } of received) expect(mail.text).toContain(new URL(body.url).pathname);
        },
      );

      usually('do not open a ticket that is transferred before they are sent', async () => {
        const held = await reply();
        await arrived();
        const [mail] = await rows();
        for (const to of [undefined, 'desk@example.test']) expect((await again(mail?.id, { to })).status).toBe(201);
        await transfer(held, BO);
        expect((await arrived()).map(({ to }) => to)).toEqual([[BO.email], [ADA.email]]);
      });

      it('go to the corrected address of the holder, and not to the one before', async () => {
        const held = await reply();
        await arrived();
        const [mail] = await rows();
        await server().make(`PATCH tickets:/attendees/${held.id}`, { email: 'ada@home.test' });
        expect(await read(mail?.id)).toMatchObject({
          send_to: 'ada@home.test',
          text: expect.stringContaining('/ticket/'),
        });
        expect((await again(mail?.id, { to: ADA.email })).body.code).toBe('mail-outdated');
        expect((await again(mail?.id)).status).toBe(201);
        expect((await arrived()).map(({ to }) => to)).toEqual([['ada@home.test']]);
      });

      usually('tell the former holder again that the ticket is transferred', async () => {
        const { attendees } = await buy(server(), [free]);
        await db().query.deleteFrom('mails').execute();
        await transfer(attendees[0], BO);
        await arrived();
        const told = (await rows()).find(({ kind }) => kind === 'ticket_transferred');
        expect((await again(told?.id)).body).toMatchObject({ to: ADA.email });
      });
    });

    it('of a pass are about its next date, as long as one is left', async () => {
      const { events, dates } = await makeSeason(server(), {}, 3);
      const order = await buy(server(), [dates[0] ?? 0], { payment: 'transfer' });
      await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
      await db().query.deleteFrom('mails').execute();
      server().clock.now = new Date('2027-03-03T12:00:00Z');
      const first = order.attendees[0]?.id ?? 0;
      const { body } = await transfer({ id: first, url: await pageOf(server(), first) }, BO);
      expect(await rows()).toMatchObject([{ event_id: events[1] }, { event_id: events[1] }]);
      const [received, told] = await arrived();
      expect([received?.to, told?.to]).toEqual([[BO.email], [ADA.email]]);
      expect(received?.mail.text).toContain(body.security_code);
      expect(received?.mail.text).toContain('Monday 8 March');
      expect(received && calendarIn(received.mail)).toContain('20270308T190000');
      const [page] = received ? await paperIn(received.mail, /^tickets.*\.pdf$/) : [];
      for (const date of ['Monday 1 March 2027', 'Monday 15 March 2027']) expect(page?.text).toContain(date);
      // A mail that waits is about the date that is next by then; none is left after the last one.
      for (const [now, count] of [
        ['2027-03-10T12:00:00Z', 1],
        ['2027-03-20T12:00:00Z', 0],
      ] as const) {
        await db().query.updateTable('mails').set({ status: 'queued' }).where('kind', '=', 'ticket_received').execute();
        server().clock.now = new Date(now);
        const again = await arrived();
        expect(again.map(({ mail }) => mail.text?.includes('Monday 15 March'))).toEqual(Array(count).fill(true));
      }
    });

    usually('of one ticket are limited, also to many recipients', async () => {
      let held: { id: number; url: string } | undefined = (await buy(server(), [free])).attendees[0];
      await db().query.deleteFrom('mails').execute();
      let count = 0;
      for (let index = 0; index < 15; index += 1) {
        held = (await transfer(held, { full_name: 'Spam', email: `victim${index}@example.test` })).body;
        count += (await arrived()).length;
      }
      expect(count).toBe(MAX_PER_RECORD);
      expect((await rows()).some(({ status }) => status === 'queued')).toBe(true);
    });

    usually('take no headers, recipients or markup from the name', async () => {
      const { attendees } = await buy(server(), [free]);
      await db().query.deleteFrom('mails').execute();
      const name = 'Bo <b>Lin</b>\r\nBcc: eve@example.test';
      await transfer(attendees[0], { ...BO, full_name: name });
      for (const { mail, to } of await arrived()) {
        expect(to).toHaveLength(1);
        expect(mail.html).not.toContain('<b>');
        expect(mail.headers.filter(({ key }) => key === 'bcc')).toEqual([]);
      }
    });
  });

  describe('of cancelled places', () => {
    const buyPaid = async (count = 2) => {
      const seat = await makeSeat(server(), event, 10, { name: 'Stalls', price: '20' });
      const order = await buy(server(), Array(count).fill(seat), { payment: 'transfer' });
      await db().query.deleteFrom('mails').execute();
      return order;
    };

    usually('tell the customer once staff can no longer undo it', async () => {
      const { id, body } = await buyPaid();
      await server().make(`PATCH admin:/orders/${id}`, { status: 'voided' });
      expect(await arrived()).toEqual([]);
      wait(server(), 1);
      const [received, ...others] = await arrived();
      expect([received?.mail.subject, others]).toEqual([`Places cancelled: order ${body.order.number}`, []]);
      expect(received?.mail.text).toContain('2 × Stalls');
    });

    usually('name those of a part of an order', async () => {
      const { id, attendees } = await buyPaid();
      await server().make(`POST admin:/orders/${id}/cancel-places`, { attendees: [attendees[0]?.id] });
      const [received] = await arrived();
      expect(received?.mail.text).toContain('your other tickets stay valid');
      expect(received?.mail.text).toContain('1 × Stalls');
    });

    usually('name those of the last step only, also when they are sent again', async () => {
      const { id, attendees } = await buyPaid(3);
      for (const place of attendees.slice(0, 2)) {
        await server().make(`POST admin:/orders/${id}/cancel-places`, { attendees: [place.id] });
        const [received] = await arrived();
        expect(received?.mail.text).toContain('1 × Stalls');
      }
      await server().make(`PATCH admin:/orders/${id}`, { status: 'voided' });
      wait(server(), 1);
      expect((await arrived())[0]?.mail.text).toContain('1 × Stalls');
      const [first] = await rows();
      await server().make(`POST admin:/mails/${first?.id}/send`, {});
      expect((await arrived())[0]?.mail.text).toContain('1 × Stalls');
    });

    it.each(['a part', 'all'])(
      'tell the holder of a transferred ticket without the order, of %s of it',
      async (what) => {
        const { id, token, body, attendees } = await buy(server(), [free, free]);
        const held = attendees[0];
        const given = await server().ask(`POST tickets:/attendees/${held?.id}/transfer`, {
          body: { full_name: 'Bo Lin', email: 'bo@example.test' },
          headers: asHolder(held?.url),
        });
        await db().query.deleteFrom('mails').execute();
        await (what === 'all'
          ? server().make(`PATCH admin:/orders/${id}`, { status: 'voided' })
          : server().make(`POST admin:/orders/${id}/cancel-places`, { attendees: [held?.id] }));
        wait(server(), 1);
        const received = await arrived();
        const told = received.find(({ to }) => to[0] === 'bo@example.test');
        expect([received.length, told?.mail.subject]).toEqual([2, 'Place cancelled: Evening']);
        for (const secret of [token, body.order.number, given.body.security_code, '/ticket/', ADA.email])
          expect(told?.raw).not.toContain(secret);
      },
    );

    usually('do not tell a holder whose place staff have restored', async () => {
      const { id, attendees } = await buy(server(), [free]);
      await server().ask(`POST tickets:/attendees/${attendees[0]?.id}/transfer`, {
        body: { full_name: 'Bo Lin', email: 'bo@example.test' },
        headers: asHolder(attendees[0]?.url),
      });
      await db().query.deleteFrom('mails').execute();
      for (const status of ['not-completed', 'completed']) await server().make(`PATCH admin:/orders/${id}`, { status });
      wait(server(), 1);
      expect((await arrived()).filter(({ to }) => to[0] === 'bo@example.test')).toEqual([]);
    });

    it('say that an order was not paid in time', async () => {
      await buyPaid();
      server().clock.now = new Date(NOON.getTime() + 40 * 86_400_000);
      await expireUnpaid(server().context);
      const [received] = await arrived();
      expect(received?.mail.text).toContain('was not paid in time');
    });

    usually('are in the mail about the money, if it is given back with them', async () => {
      const { id, attendees } = await buyPaid();
      await server().make(`POST admin:/orders/${id}/payments`, {});
      wait(server(), 1);
      await arrived();
      await server().make(`POST admin:/orders/${id}/refunds`, { attendees: [attendees[0]?.id] });
      const received = await arrived();
      expect(received.map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^Refund/)]);
      expect(received[0]?.mail.text).toContain('1 × Stalls');
    });
  });

  describe('of reminders', () => {
    const remind = async () => {
      await writeReminders(server().context);
      return arrived();
    };
    const dayBefore = () => {
      server().clock.now = new Date('2027-03-06T00:00:00Z');
    };
    const hold = async (email: string, language = 'en') => {
      const order = await buy(server(), [free], { purchaser: { name: 'Ada', email } }, language);
      await db().query.deleteFrom('mails').execute();
      return order;
    };
    const transferTo = async (held: { id: number; url: string } | undefined) => {
      const body = { full_name: 'Bo Lin', email: 'bo@example.test' };
      await server().ask(`POST tickets:/attendees/${held?.id}/transfer`, { body, headers: asHolder(held?.url) });
    };
    const choose = (own: boolean | null) => server().make(`PUT admin:/events/${event}/reminder`, { own });
    const unsubscribeOf = (raw: string) => /^List-Unsubscribe: <(\S+)>\r$/m.exec(raw)?.[1] ?? '';
    const post = (url: string, body = 'List-Unsubscribe=One-Click') =>
      server().request(new URL(url).pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });

    it('are off by default, and on for the site or the event', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      await hold('ada@one.test');
      dayBefore();
      expect(await remind()).toEqual([]);
      await server().make('PATCH admin:/site', { sends_reminders: true });
      await choose(false);
      expect(await remind()).toEqual([]);
      await choose(null);
      expect((await remind()).map(({ to }) => to)).toEqual([['ada@one.test']]);
      expect(await remind()).toEqual([]);
      await server().make('PATCH admin:/site', { sends_reminders: null });
    });

    it('have the place, the time and the ticket, and end by one POST', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      const { attendees } = await hold('ada@one.test');
      await hold('bo@one.test', 'fr');
      await choose(true);
      dayBefore();
      const received = await remind();
      expect(received.map(({ mail }) => mail.subject).sort()).toEqual([
        'Coming soon: Evening',
        'C’est bientôt\u00a0: Evening',
      ]);
      const ada = received.find(({ to }) => to[0] === 'ada@one.test');
      expect(ada?.mail.text).toContain('Harbour Hall');
      expect(ada?.mail.text).toContain(SITE + new URL(attendees[0]?.url ?? '').pathname);
      expect(ada?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      const url = unsubscribeOf(ada?.raw ?? '');
      expect(url).toMatch(/^https:\/\/events\.test\/unsubscribe\/[\w-]+\/$/);
      expect(Buffer.from(url.split('/').at(-2) ?? '', 'base64url').toString('latin1')).not.toMatch(/ada|[0-9a-f]{64}/);
      // A program that checks links ends nothing.
      expect((await server().request(new URL(url).pathname)).status).toBe(200);
      expect(await db().query.selectFrom('mail_optouts').selectAll().execute()).toEqual([]);
      for (const _time of [1, 2]) expect((await post(url)).status).toBe(200);
      expect(await db().query.selectFrom('mail_optouts').selectAll().execute()).toHaveLength(1);
      await db().query.deleteFrom('announcements').execute();
      await db().query.deleteFrom('mails').execute();
      expect((await remind()).map(({ to }) => to)).toEqual([['bo@one.test']]);
    });

    it('are not written to a mailbox that has returned two mails', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      await choose(true);
      for (const email of ['ada@one.test', 'bo@one.test']) await hold(email);
      for (const [email, returned] of [
        ['ada@one.test', 2],
        ['bo@one.test', 1],
      ] as const) {
        for (let index = 0; index < returned; index += 1) {
          const key = `${email}-${index}`;
          await queueMail(db(), {
            ...{ kind: 'order', key, to: email, language: 'en', now: NOON },
            ...{ record_kind: 'order', record_id: 0 },
          });
          await db().query.updateTable('mails').set({ status: 'bounced' }).where('key', '=', key).execute();
        }
      }
      dayBefore();
      expect((await remind()).map(({ to }) => to)).toEqual([['bo@one.test']]);
    });

    it('that wait are not sent to a mailbox that has ended them', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      await hold('ada@one.test');
      await choose(true);
      dayBefore();
      await writeReminders(server().context);
      await runJobs(server().context);
      const [mail] = await rows();
      await db()
        .query.insertInto('mail_optouts')
        .values({ mailbox: mail?.mailbox ?? '', created_utc: '' })
        .execute();
      expect(await arrived()).toEqual([]);
      expect(await rows()).toEqual([]);
    });

    it('that wait are not sent for a start that has changed, and again for the new one', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      await hold('ada@one.test');
      await choose(true);
      dayBefore();
      await writeReminders(server().context);
      await runJobs(server().context);
      const move = (day: string) =>
        server().make(`PATCH events:/events/${event}`, { start_date: `${day} 18:30`, end_date: `${day} 21:00` });
      await move('2027-03-20');
      expect(await remind()).toEqual([]);
      server().clock.now = new Date('2027-03-20T00:00:00Z');
      expect(await remind()).toHaveLength(1);
      await move('2027-03-06');
    });

    usually('that wait are about a ticket that still admits', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      const first = await hold('ada@one.test');
      const second = await hold('ada@one.test');
      const third = await hold('ada@one.test');
      const write = async () => {
        await writeReminders(server().context);
        await runJobs(server().context);
      };
      const cancel = ({ id }: { id: number }) => server().make(`PATCH admin:/orders/${id}`, { status: 'voided' });
      await choose(true);
      dayBefore();
      await write();
      await transferTo(first.attendees[0]);
      await cancel(second);
      const [reminder] = (await arrived()).filter(({ mail }) => mail.subject?.startsWith('Coming soon'));
      expect(reminder?.to).toEqual(['ada@one.test']);
      expect(reminder?.mail.text).toContain(SITE + new URL(third.attendees[0]?.url ?? '').pathname);
      await db().query.deleteFrom('announcements').execute();
      await write();
      await cancel(third);
      const left = (await arrived()).filter(({ mail }) => mail.subject?.startsWith('Coming soon'));
      expect(left.map(({ to }) => to)).toEqual([['bo@example.test']]);
    });

    it.each(['x', 'QUJD', `${'A'.repeat(600)}`])('a forged address ends nothing: %s', async (token) => {
      expect((await post(`${SITE}/unsubscribe/${token}/`)).status).toBe(400);
      expect(await db().query.selectFrom('mail_optouts').selectAll().execute()).toEqual([]);
    });

    usually('are sent again for another day, and not for events that do not take place', async () => {
      await db().query.updateTable('attendees').set({ status: 'trash' }).execute();
      await hold('ada@one.test');
      await choose(true);
      dayBefore();
      expect(await remind()).toHaveLength(1);
      await server().make(`PATCH events:/events/${event}`, {
        start_date: '2027-03-07 18:30',
        end_date: '2027-03-07 21:00',
      });
      expect(await remind()).toEqual([]);
      server().clock.now = new Date('2027-03-07T12:00:00Z');
      expect(await remind()).toHaveLength(1);
      await server().make(`PATCH events:/events/${event}`, {
        start_date: '2027-03-06 18:30',
        end_date: '2027-03-06 21:00',
        event_status: 'cancelled',
      });
      await db().query.deleteFrom('announcements').execute();
      dayBefore();
      expect(await remind()).toEqual([]);
      await server().make(`PATCH events:/events/${event}`, { event_status: 'scheduled' });
    });

    it('are chosen by users who manage the attendees of the event', async () => {
      const asked = async (as: 'editor' | 'author' | 'door') =>
        (await server().ask(`PUT admin:/events/${event}/reminder`, { as, body: { own: true } })).status;
      expect([await asked('editor'), await asked('author'), await asked('door')]).toEqual([200, 403, 403]);
    });
  });
});

describe.each(BOTH_DATABASES)('mails about failed payments and refunds, on %s', (kind) => {
  let paying: PayingServer;
  let smtp: MailServer;
  beforeAll(async () => {
    [paying, smtp] = await Promise.all([startPaying(kind), startMailServer()]);
  });
  afterAll(() => Promise.all([paying.close(), smtp.close()]));

  it('have a link to pay again', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    await paying.server.context.db.query.deleteFrom('mails').execute();
    const session = await paying.open(order);
    paying.standIn.account.debit(session);
    await paying.deliver();
    paying.standIn.account.settleDebit(session, false);
    await paying.deliver();
    await sendMails(paying.server.context, smtp.settings);
    const [received, ...others] = smtp.take();
    expect([received?.mail.subject, others]).toEqual([`Payment failed: order ${order.body.order.number}`, []]);
    expect(received?.mail.text).toContain(`\n\nOrder ${order.body.order.number}\n\n-- `);
    expect(received?.mail.text).toContain(`${SITE}/order/${order.id}/${order.token}/pay/`);
  });

  /** Cancels one of two paid places with its money, which the service is slow to give back. */
  const refundOne = async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5), 2);
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    await paying.server.context.db.query.deleteFrom('mails').execute();
    paying.standIn.account.refundsPend = true;
    const places = [order.attendees[0]?.id];
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { attendees: places });
    await paying.work();
    return order;
  };
  const texts = async () => {
    await sendMails(paying.server.context, smtp.settings);
    return smtp
      .take()
      .map(({ mail }) => [mail.subject?.replace(/(:| for order).*/, ''), /\d × .*/.exec(mail.text ?? '')?.[0]]);
  };

  it.each([
    [true, ['Refund', '1 × Seat']],
    [false, ['Places cancelled', '1 × Seat']],
  ])('tell of cancelled places once, whether the money goes back (%s)', async (isDone, expected) => {
    const known = new Set(paying.standIn.account.refunds.keys());
    await refundOne();
    const made = [...paying.standIn.account.refunds.keys()].find((id) => !known.has(id)) ?? '';
    paying.standIn.account.settleRefund(made, isDone);
    await paying.deliver();
    await paying.work();
    expect(await texts()).toEqual([expected]);
    paying.reset();
  });

  it('tell of a place that is cancelled in the second of a refund of another reason', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5), 2);
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    await paying.server.context.db.query.deleteFrom('mails').execute();
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { amount: 100 });
    await paying.server.make(`POST admin:/orders/${order.id}/cancel-places`, { attendees: [order.attendees[0]?.id] });
    expect((await texts()).map(([subject]) => subject)).toEqual(['Refund', 'Places cancelled']);
    paying.reset();
  });
});
