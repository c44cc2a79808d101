import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMailSender } from '../src/jobs/mail-sender.ts';
import { pruneMails } from '../src/jobs/remove-expired.ts';
import { MAX_PER_MAILBOX } from '../src/platform/mails/limits.ts';
import { queueMail, queueMails } from '../src/platform/mails/outbox.ts';
import { renderMail } from '../src/web/mails/render-mail.ts';
import { makeAttendee, makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { type PayingServer, startPaying } from './gateways/paying.ts';
import { runJobs } from './jobs.ts';
import {
  calendarIn,
  codesIn,
  type MailServer,
  paperIn,
  SITE,
  sendMails,
  shownIn,
  startMailServer,
} from './mail-server.ts';
import { makeSeason } from './season.ts';
import { BOTH_DATABASES, NOON, useTestServer } from './server.ts';
import { ADA, shopperOf, wait } from './shopper.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const KEY = 'the key of the door';

const TRANSFER = { id: 'transfer', gateway: 'transfer', text: 'To Harbour Hall, IBAN DE02 1203 0000 0000 2020 51' };

describe.each(BOTH_DATABASES)('mails on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { qrApiKey: KEY, languages: ['en', 'de', 'fr'] });
  let smtp: MailServer;
  let event: number;
  let free: number;
  let paid: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    await server().make('PATCH admin:/site', { payment_ways: [TRANSFER, { id: 'door' }] });
    event = await makeEvent(server(), { venue: { venue: 'Harbour Hall', city: 'Boston' } });
    free = await makeSeat(server(), event, 100_000, { name: 'Standing', price: '0' });
    paid = await makeSeat(server(), event, 100_000, { name: 'Stalls', price: '20' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.refuse = () => undefined;
    smtp.onArrival = async () => undefined;
    smtp.take();
    server().clock.now = NOON;
    await db().query.deleteFrom('mails').execute();
  });

  const db = () => server().context.db;
  const rows = () => db().query.selectFrom('mails').selectAll().orderBy('id').execute();
  const send = (settings: Parameters<typeof sendMails>[1] = {}) =>
    sendMails(server().context, { ...smtp.settings, ...settings });
  const arrived = async () => {
    await send();
    return smtp.take();
  };
  const buyPaid = (checkout: Record<string, unknown> = {}) =>
    buy(server(), [paid], { payment: 'transfer', ...checkout });

  describe('at the checkout', () => {
    it('bring the tickets of a free order, with codes that open the door and a calendar', async () => {
      const order = await buy(server(), [free, free]);
      const [received, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(received?.to).toEqual([ADA.email]);
      const { mail, raw } = received ?? { mail: undefined, raw: '' };
      expect(mail).toMatchObject({
        subject: 'Your tickets: Evening',
        from: { name: 'Marquee', address: 'noreply@events.test' },
        to: [{ name: '', address: ADA.email }],
      });
      expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      for (const text of [mail?.text, mail?.html]) {
        expect(text).toContain(`${SITE}/order/${order.id}/${order.token}/`);
        for (const { security_code } of order.attendees) expect(text).toContain(security_code);
        expect(text).toContain('Harbour Hall');
        expect(text).toContain('Saturday 6 March 2027, 18:30–21:00 EST');
      }
      expect(mail && calendarIn(mail)).toMatch(/METHOD:PUBLISH\r?\n[\s\S]*SUMMARY:Evening\r?\n/);
      expect(mail && calendarIn(mail)).not.toContain(order.token);
      const codes = mail ? await codesIn(mail) : [];
      expect(codes).toHaveLength(2);
      for (const code of codes) {
        const { origin, pathname, searchParams } = new URL(code);
        expect(origin + pathname).toBe(`${SITE}/`);
        const path = `/${searchParams.get('path')}`;
        const body = { ...Object.fromEntries(searchParams), api_key: KEY };
        const scan = await server().request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(scan.status).toBe(201);
      }
      expect(await rows()).toEqual([expect.objectContaining({ kind: 'tickets', status: 'sent', attempts: 1 })]);
      expect(await arrived()).toEqual([]);
    });

    usually('say what to pay, how and until when, and bring the tickets once that is booked', async () => {
      const order = await buyPaid();
      const { number } = order.body.order;
      const [placed] = await arrived();
      expect(placed?.mail.subject).toBe(`Order ${number}: Evening`);
      for (const text of [placed?.mail.text, placed && shownIn(placed.mail)]) {
        expect(text).toContain('$20.00');
        expect(text).toContain(TRANSFER.text);
        expect(text).toContain(number);
        expect(text).toContain('Pay by Saturday 28 November, 12:00 EST');
      }
      expect(placed?.mail.attachments).toEqual([]);
      for (const status of [201, 409])
        expect(
          (await server().ask(`POST admin:/orders/${order.id}/payments`, { as: 'administrator', body: {} })).status,
        ).toBe(status);
      // Staff may have marked the wrong order as paid.
      expect(await arrived()).toEqual([]);
      wait(server(), 1);
      const [tickets, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(tickets?.mail.subject).toBe('Your tickets: Evening');
      expect(tickets && (await codesIn(tickets.mail))).toHaveLength(1);
    });

    it.each([
      ['de', 'Ihre Tickets: Evening', '/de/order/'],
      ['fr', 'Vos billets\u00a0: Evening', '/fr/order/'],
    ])('are in the language of the order: %s', async (language, subject, path) => {
      await buy(server(), [free], {}, language);
      const [received] = await arrived();
      expect(received?.mail.subject).toBe(subject);
      expect(received?.mail.html).toContain(`<html lang="${language}">`);
      expect(received?.mail.text).toContain(SITE + path);
    });

    usually(
      'bring the codes of an order that is to be paid at the door, and nothing more once it is paid',
      async () => {
        const order = await buy(server(), [paid], { payment: 'door' });
        const [received] = await arrived();
        expect(received?.mail.subject).toBe(`Order ${order.body.order.number}: Evening`);
        expect(received?.mail.text).toContain('Unpaid: $20.00');
        expect(received && (await codesIn(received.mail))).toHaveLength(1);
        await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
        wait(server(), 2);
        expect(await arrived()).toEqual([]);
      },
    );

    it('name a series once, with all dates of its pass', async () => {
      const { dates } = await makeSeason(server(), {}, 3);
      const order = await buy(server(), [dates[0] ?? 0], { payment: 'door' });
      const { mail } = (await arrived())[0] ?? {};
      expect(mail?.text).toContain(
        'Pottery\n-------\n\nWhen: Monday 1 March 2027, 19:00–21:00 EST\n  Monday 8 March 2027, 19:00–21:00 EST\n  Monday 15 March',
      );
      expect(mail && shownIn(mail).match(/Pottery/g)).toHaveLength(1);
      expect(mail?.text).toContain(`Order ${order.body.order.number}\n`);
    });

    usually('begin in lists of mails with the introduction and the date', async () => {
      await buy(server(), [free]);
      const [received] = await arrived();
      const preview = /<div style="display:none[^>]*>([^<]*)</.exec(received?.mail.html ?? '')?.[1];
      expect(preview).toMatch(/^Your order is complete\. Show this code .* · Saturday 6 March 2027, 18:30/);
    });

    usually('have the codes of the first twenty tickets, and say where the others are', async () => {
      const other = await makeSeat(server(), event, 50, { name: 'Gallery', price: '0' });
      await buy(server(), [...Array(11).fill(free), ...Array(11).fill(other)]);
      const [received] = await arrived();
      expect(received && (await codesIn(received.mail))).toHaveLength(20);
      expect(received?.mail.text).toContain('The page of the order has the codes of all 22 tickets.');
    });

    usually('bring the tickets as PDF, or link to it above ten', async () => {
      const order = await buy(server(), Array(10).fill(free));
      const [received] = await arrived();
      const pages = received ? await paperIn(received.mail, /^tickets-\w+\.pdf$/) : [];
      expect(pages).toHaveLength(10);
      const content = new URL((await pages[9]?.code()) ?? '');
      expect(content.origin).toBe(SITE);
      const { security_code = '' } = order.attendees[9] ?? {};
      expect(content.searchParams.get('security_code')).toBe(security_code);
      expect(pages.map(({ text }) => text).join()).not.toContain(order.token);

      const large = await buy(server(), Array(11).fill(free));
      const [linked] = await arrived();
      expect(linked?.mail.attachments.map(({ mimeType }) => mimeType)).not.toContain('application/pdf');
      expect(linked?.mail.text).toContain(`${SITE}/order/${large.id}/${large.token}/tickets.pdf`);
    });

    it('are written once, however often the checkout is repeated, and not when it fails', async () => {
      const headers = { 'idempotency-key': 'once' };
      const shopper = shopperOf(server());
      await shopper.put([{ ticket_id: free, quantity: 1 }]);
      for (const _time of [1, 2]) expect((await shopper.checkout({}, { headers })).status).toBe(201);
      expect(await rows()).toHaveLength(1);
      await shopper.put([{ ticket_id: paid, quantity: 1 }]);
      expect((await shopper.checkout({ payment: 'transfer', expected_total: 1 })).status).toBe(409);
      expect(await rows()).toHaveLength(1);
    });

    it('are not written for attendees that programs create, nor for a sale without an address', async () => {
      await makeAttendee(server(), free);
      const sale = { items: [{ ticket_id: paid, quantity: 1 }], payment: 'cash' };
      await server().make('POST admin:/orders', sale);
      expect(await rows()).toEqual([]);
      await server().make('POST admin:/orders', { ...sale, purchaser: ADA });
      expect(await rows()).toEqual([expect.objectContaining({ kind: 'tickets', to_email: ADA.email })]);
    });
  });

  it('bring the invoice, and the credit note with the money, but neither with a cancelled place', async () => {
    server().restart({ qrApiKey: KEY, invoices: 'paid' });
    await server().make('PATCH admin:/site', { seller: { name: 'Harbour Hall Ltd' } });
    const order = await buy(server(), [paid, paid], { payment: 'transfer' });
    await arrived();
    await server().make(`POST admin:/orders/${order.id}/payments`, {});
    await runJobs(server().context);
    wait(server(), 1);
    const invoiceIn = async (name: RegExp): Promise<string> => {
      const [received] = await arrived();
      return received ? ((await paperIn(received.mail, name))[0]?.text ?? '') : '';
    };
    expect(await invoiceIn(/^invoice-2026-\d+\.pdf$/)).toMatch(/Harbour Hall Ltd[\s\S]*Invoice 2026-/);
    // The mail does not say what the invoice states.
    const [{ id: place } = { id: 0 }] = order.attendees;
    await server().make(`POST admin:/orders/${order.id}/cancel-places`, { attendees: [place] });
    const [cancelled] = await arrived();
    expect(cancelled?.mail.subject).toMatch(/^Places cancelled/);
    expect(cancelled?.mail.attachments).toEqual([]);
    await server().make(`POST admin:/orders/${order.id}/refunds`, {});
    await runJobs(server().context);
    expect(await invoiceIn(/^credit-note-2026-\d+\.pdf$/)).toMatch(/Harbour Hall Ltd[\s\S]*Credit note 2026-/);
    server().restart({ qrApiKey: KEY });
  });

  usually('say that money is given back', async () => {
    const order = await buyPaid();
    await server().make(`POST admin:/orders/${order.id}/payments`, {});
    wait(server(), 1);
    await arrived();
    await server().make(`POST admin:/orders/${order.id}/refunds`, {});
    const [received, ...others] = await arrived();
    expect(others).toEqual([]);
    expect(received?.mail.subject).toBe(`Refund for order ${order.body.order.number}`);
    expect(received?.mail.text).toContain('$20.00 was refunded to you.');
  });

  it('are not sent once they make no sense', async () => {
    const order = await buyPaid();
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    await buy(server(), [free]);
    server().clock.now = new Date('2027-03-07T12:00:00Z');
    // Only that the places are cancelled is still true.
    expect((await arrived()).map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^Places cancelled/)]);
    expect((await rows()).map((row) => row.kind)).toEqual(['place_cancelled']);
  });

  usually('go to the corrected address of the customer', async () => {
    const order = await buy(server(), [free]);
    await server().make(`PATCH admin:/orders/${order.id}`, { purchaser: { email: 'ada.park@example.test' } });
    expect((await arrived()).map(({ to }) => to)).toEqual([['ada.park@example.test']]);
  });

  usually('about refunds and payments go to the corrected address too', async () => {
    const [order, other] = [await buyPaid(), await buyPaid()];
    for (const { id } of [order, other]) {
      await server().make(`POST admin:/orders/${id}/payments`, {});
      await server().make(`POST admin:/orders/${id}/refunds`, { amount: 500 });
      const payment = await db()
        .query.selectFrom('payments')
        .select('id')
        .where('order_id', '=', id)
        .executeTakeFirst();
      await queueMail(db(), {
        ...{ kind: 'payment_failed', key: `failed-${id}`, language: 'en', to: ADA.email, now: NOON },
        ...{ record_kind: 'payment', record_id: payment?.id ?? 0 },
      });
    }
    await server().make(`PATCH admin:/orders/${order.id}`, { purchaser: { email: 'ada.park@example.test' } });
    const addresses = (await rows()).map(({ kind, to_email }) => `${kind} ${to_email}`).toSorted();
    const kinds = ['order', 'payment_failed', 'refund', 'tickets'];
    expect(addresses).toEqual(
      kinds.flatMap((kind) => ['ada.park@example.test', ADA.email].map((to) => `${kind} ${to}`)),
    );
  });

  describe.each(usualOf(kind))('when the server', () => {
    const later = async (seconds: number) => {
      server().clock.now = new Date(server().clock.now.getTime() + seconds * 1000);
      return arrived();
    };

    it('asks for another attempt, are repeated with the same Message-ID', async () => {
      smtp.refuse = () => ({ code: 451, text: 'greylisted, come back' });
      await buy(server(), [free]);
      expect(await arrived()).toEqual([]);
      const [row] = await rows();
      expect(row).toMatchObject({ status: 'queued', attempts: 1, sent_utc: '' });
      expect(row?.smtp_reply).toContain('451 greylisted, come back');
      smtp.refuse = () => undefined;
      expect(await later(5)).toEqual([]);
      expect((await later(20)).map(({ mail }) => mail.messageId)).toEqual([row?.message_id]);
      expect(await rows()).toEqual([expect.objectContaining({ status: 'sent', attempts: 2 })]);
    });

    it('refuses one for good, are marked as failed, and the others arrive', async () => {
      smtp.refuse = (recipient) => (recipient === ADA.email ? { code: 550, text: 'no such mailbox' } : undefined);
      await buy(server(), [free]);
      await buy(server(), [free], { purchaser: { name: 'Bo', email: 'bo@example.test' } });
      expect((await arrived()).map(({ to }) => to)).toEqual([['bo@example.test']]);
      const [failed, sent] = await rows();
      expect(failed).toMatchObject({ status: 'failed', attempts: 1 });
      expect(failed?.smtp_reply).toContain('550 no such mailbox');
      expect(sent?.status).toBe('sent');
      expect(await later(86_400)).toEqual([]);
    });

    describe.each([
      ['commands sent together', {}],
      ['one command at a time', { hidePIPELINING: true }],
    ])('with %s', (_, options) => {
      let relay: MailServer;
      beforeAll(async () => {
        relay = await startMailServer(options);
      });
      afterAll(() => relay.close());

      it.each([451, 421])('puts one recipient off with %i, delay that mail only', async (code) => {
        const addresses = ['bo@one.test', 'ada@slow.test', 'ada@slow.test', 'cy@one.test'];
        relay.refuse = (to) => (to.endsWith('@slow.test') ? { code, text: 'come back later' } : undefined);
        // First over a new connection, then over one of an earlier mail.
        for (const to of ['ada@slow.test', ...addresses])
          await buy(server(), [free], { purchaser: { name: 'Ada', email: to } });
        await send(relay.settings);
        expect(relay.take().map(({ to }) => to)).toEqual([['bo@one.test'], ['cy@one.test']]);
        const waiting = (await rows()).filter(({ status }) => status === 'queued');
        expect(waiting.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
        for (const { smtp_reply } of waiting) expect(smtp_reply).toContain(`${code} come back later`);
        relay.refuse = () => undefined;
        wait(server(), 1);
        await send(relay.settings);
        expect(relay.take()).toHaveLength(3);
      });
    });

    it('ends the connection after each mail, are sent over a new one', async () => {
      const sessions = new Set<string>();
      const relay = await startMailServer({
        onMailFrom(_address, { id }, done) {
          done(sessions.has(id) ? Object.assign(new Error('one mail each'), { responseCode: 421 }) : undefined);
          sessions.add(id);
        },
      });
      for (const _ of [1, 2, 3]) await buy(server(), [free]);
      await send(relay.settings);
      await relay.close();
      expect([relay.take().length, sessions.size]).toEqual([3, 3]);
    });

    it.each([421, 554])('greets with %i, wait with a pause for all', async (responseCode) => {
      const closed = await startMailServer({
        onConnect: (_session, done) => done(Object.assign(new Error('closed for now'), { responseCode })),
      });
      await buy(server(), [free]);
      await buy(server(), [free]);
      await send(closed.settings);
      await closed.close();
      const waiting = await rows();
      expect(waiting.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(['queued 1', 'queued 0']);
      expect(waiting[0]?.smtp_reply).toContain(`${responseCode} closed for now`);
      expect(await later(60)).toHaveLength(2);
    });

    it('cannot be reached, wait with a pause for all', async () => {
      await buy(server(), [free]);
      await buy(server(), [free]);
      await send({ smtp: { host: '127.0.0.1', port: 1, secure: false, isPlain: true, login: undefined } });
      const waiting = await rows();
      expect(waiting.map(({ status, attempts }) => [status, attempts])).toEqual([
        ['queued', 1],
        ['queued', 0],
      ]);
      expect(waiting[0]?.smtp_reply).toContain('ECONNREFUSED');
      expect(await later(60)).toHaveLength(2);
    });

    it('does not respond, do not keep the process from ending', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answering = Promise.withResolvers<void>();
      smtp.onArrival = () => {
        resolve();
        return answering.promise;
      };
      await buy(server(), [free]);
      const { context } = server();
      const config = { ...context.config, ...smtp.settings };
      const sender = startMailSender({ ...context, config }, renderMail, 50);
      await promise;
      await sender.stop();
      expect(await rows()).toEqual([expect.objectContaining({ status: 'queued', attempts: 1 })]);
      answering.resolve();
    });

    it('has a certificate that is not trusted, get nothing if encryption is required', async () => {
      const selfSigned = await startMailServer({ disabledCommands: [] });
      const address = selfSigned.settings.smtp;
      await buy(server(), [free]);
      await send({ smtp: address && { ...address, isPlain: false } });
      expect(selfSigned.take()).toEqual([]);
      const [row] = await rows();
      expect(row).toMatchObject({ status: 'queued', attempts: 1 });
      expect(row?.smtp_reply).toMatch(/certificate/);
      // A relay on this machine, or with `?tls=off`, may use such a certificate: nothing would need to be encrypted.
      server().clock.now = new Date(NOON.getTime() + 60_000);
      await send({ smtp: address && { ...address, isPlain: true } });
      expect(selfSigned.take()).toHaveLength(1);
      await selfSigned.close();
    });

    it('lacks encryption, get nothing from a sender that requires it', async () => {
      await buy(server(), [free]);
      const { smtp: address } = smtp.settings;
      await send({ smtp: address && { ...address, isPlain: false } });
      expect(smtp.take()).toEqual([]);
      expect(await rows()).toEqual([expect.objectContaining({ status: 'queued', attempts: 1 })]);
    });
  });

  it('are sent by one of two processes at a time', async () => {
    for (let index = 0; index < 5; index += 1) await buy(server(), [free]);
    await Promise.all([send(), send(), send()]);
    expect(smtp.take()).toHaveLength(5);
  });

  usually(`are at most ${MAX_PER_MAILBOX} a day for one mailbox, in any spelling`, async () => {
    const spellings = ['ada@example.test', 'ADA@example.test', 'ada+more@example.test'];
    for (let index = 0; index < MAX_PER_MAILBOX + 2; index += 1)
      await buy(server(), [free], { purchaser: { name: 'Ada', email: spellings[index % 3] } });
    await buy(server(), [free], { purchaser: { name: 'Bo', email: 'bo@example.test' } });
    const received = await arrived();
    expect(received).toHaveLength(MAX_PER_MAILBOX + 1);
    const due_utc = '2026-11-22 17:00:00';
    const waiting = (await rows()).filter(({ status }) => status === 'queued');
    expect(waiting).toMatchObject([1, 2].map(() => ({ due_utc, attempts: 0 })));
    wait(server(), 24 * 60 - 1);
    expect(await arrived()).toEqual([]);
    wait(server(), 1);
    expect(await arrived()).toHaveLength(2);
  });

  describe('beyond the limit of a mailbox', () => {
    type Written = Parameters<typeof queueMail>[1];
    /** Mails that were sent to Ada within the day. */
    const sent = async (count: number, mail: Partial<Written>) => {
      const usual = { language: 'en', to: ADA.email, now: NOON, record_kind: 'attendee', record_id: 1 } as const;
      const mails = Array.from({ length: count }, (_, index): Written => {
        return { ...usual, kind: 'rsvp', key: `${mail.kind} ${mail.userId} ${mail.isBulk} ${index}`, ...mail };
      });
      await queueMails(db(), mails);
      const update = db().query.updateTable('mails').set({ status: 'sent', sent_utc: '2026-11-21 09:59:00' });
      await update.where('status', '=', 'queued').execute();
    };
    const arrives = async (mail: Partial<Written> = {}) => {
      await queueMail(db(), {
        ...{ kind: 'tickets', key: 'asked', language: 'en', to: ADA.email, now: server().clock.now },
        ...{ record_kind: 'order', record_id: order },
        ...mail,
      });
      const received = await arrived();
      return received.length === 1;
    };
    let order: number;
    beforeEach(async () => {
      order = (await buy(server(), [free])).id;
      await db().query.deleteFrom('mails').execute();
    });

    it.each<[string, Partial<Written>]>([
      ['replies', { kind: 'rsvp' }],
      ['transfers', { kind: 'ticket_received' }],
      ['announcements', { kind: 'announcement', isBulk: true }],
      ['tickets that staff sent again', { kind: 'tickets', userId: 1, record_kind: 'order' }],
    ])('%s do not delay the tickets of an order', async (_of, mail) => {
      await sent(MAX_PER_MAILBOX, { record_id: order, ...mail });
      expect(await arrives()).toBe(true);
    });

    it.each<[string, Partial<Written>]>([
      ['of other orders', { kind: 'order', record_kind: 'order', record_id: 1 }],
      ['about money', { kind: 'refund', record_kind: 'refund' }],
    ])('mails %s do, unless staff ask for them', async (_of, mail) => {
      await sent(MAX_PER_MAILBOX, mail);
      expect(await arrives()).toBe(false);
      expect(await arrives({ key: 'by staff', userId: 1 })).toBe(true);
    });

    it('announcements count for themselves', async () => {
      const bulk = { kind: 'announcement', isBulk: true } as const;
      await sent(MAX_PER_MAILBOX, { kind: 'rsvp' });
      await sent(MAX_PER_MAILBOX, { kind: 'tickets', record_kind: 'order' });
      expect(await arrives({ ...bulk, kind: 'tickets' })).toBe(true);
      await sent(MAX_PER_MAILBOX, bulk);
      expect(await arrives({ ...bulk, kind: 'tickets', key: 'another' })).toBe(false);
    });

    it('a mail is held after a week', async () => {
      await sent(MAX_PER_MAILBOX, { kind: 'order', record_kind: 'order' });
      const created_utc = '2026-11-14 10:00:00';
      expect(await arrives()).toBe(false);
      await db()
        .query.updateTable('mails')
        .set({ created_utc, due_utc: created_utc })
        .where('key', '=', 'asked')
        .execute();
      expect(await arrived()).toEqual([]);
      expect((await rows()).find(({ key }) => key === 'asked')).toMatchObject({ status: 'held', sent_utc: '' });
    });
  });

  usually('are signed for the domain of their sender', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const dkimKey = join(server().context.config.data, 'dkim.pem');
    await writeFile(dkimKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await buy(server(), [free]);
    const mailFrom = { name: 'Harbour Hall', address: 'tickets@hall.test' };
    await send({ dkimKey, dkimSelector: 'autumn', mailFrom, mailReplyTo: { name: '', address: 'desk@hall.test' } });
    const [received] = smtp.take();
    expect(received?.raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;.*\sd=hall\.test;.*\ss=autumn;/ms);
    expect(received).toMatchObject({
      from: 'tickets@hall.test',
      mail: {
        from: mailFrom,
        replyTo: [{ address: 'desk@hall.test' }],
        messageId: expect.stringMatching(/@hall\.test>$/),
      },
    });
  });

  it('without a server are held, and never sent by themselves', async () => {
    await buy(server(), [free]);
    await send({ smtp: undefined });
    expect(await rows()).toEqual([expect.objectContaining({ status: 'held', attempts: 0, message_id: '' })]);
    expect(await arrived()).toEqual([]);
  });

  describe('as staff see them', () => {
    const list = async (query: Record<string, string | number>) => {
      const { status, body } = await server().ask('GET admin:/mails', { as: 'editor', query });
      expect(status).toBe(200);
      return body.mails;
    };
    const read = async (id: number) => (await server().ask(`GET admin:/mails/${id}`, { as: 'editor' })).body;
    const again = (id: number, body: object = {}) =>
      server().ask(`POST admin:/mails/${id}/send`, { as: 'editor', body });

    it('are listed by status, kind, mailbox and order, with what became of them', async () => {
      const one = await buy(server(), [free]);
      const other = await buyPaid({ purchaser: { name: 'Bo', email: 'bo@example.test' } });
      smtp.refuse = (recipient) => (recipient === ADA.email ? { code: 550, text: 'no such mailbox' } : undefined);
      await arrived();
      const [failed, sent] = [
        { order: one.id, status: 'failed' },
        { order: other.id, status: 'sent' },
      ];
      expect(await list({})).toMatchObject([sent, failed]);
      expect(await list({ status: 'failed' })).toMatchObject([failed]);
      expect(await list({ kind: 'order' })).toMatchObject([sent]);
      expect(await list({ to: 'BO+x@example.test' })).toMatchObject([sent]);
      const [only] = await list({ order: one.id });
      expect(only).toMatchObject({ to: ADA.email, attempts: 1, due_utc: null, sent_utc: null, user: 0 });
      expect(only.reply).toContain('550 no such mailbox');
      expect(await list({ order: 1 })).toEqual([]);
      expect(await list({ event })).toMatchObject([sent, failed]);
      expect(await list({ event: 1 })).toEqual([]);
      expect(await list({ attendee: one.attendees[0]?.id ?? 0 })).toMatchObject([failed]);
    });

    it('of a refund belong to its order', async () => {
      const order = await buyPaid();
      await server().make(`POST admin:/orders/${order.id}/payments`, {});
      await server().make(`POST admin:/orders/${order.id}/refunds`, { amount: 500 });
      const [refund, ...others] = await list({ order: order.id });
      expect(others).toHaveLength(2);
      expect(refund).toMatchObject({ kind: 'refund', order: order.id });
      expect((await read(refund.id)).text).toContain('$5.00 was refunded to you.');
    });

    it('have the text as it would be sent now', async () => {
      const order = await buyPaid();
      const [{ id }] = await list({ order: order.id });
      expect(await read(id)).toMatchObject({
        subject: `Order ${order.body.order.number}: Evening`,
        text: expect.stringContaining(TRANSFER.text),
        html: expect.stringContaining('<html lang="en">'),
      });
      await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
      expect(await read(id)).toMatchObject({ subject: null, text: null, html: null });
      expect((await again(id)).body.code).toBe('mail-outdated');
    });

    it('are sent again, also to another address, and beyond the limit of a mailbox', async () => {
      const order = await buy(server(), [free]);
      const [first] = await arrived();
      const [{ id }] = await list({ order: order.id });
      const sent = await again(id, { to: 'ada@work.test' });
      expect([sent.status, sent.body]).toEqual([
        201,
        expect.objectContaining({
          kind: 'tickets',
          to: 'ada@work.test',
          status: 'queued',
          user: server().userId('editor'),
        }),
      ]);
      expect(sent.body.id).not.toBe(id);
      const [second, ...others] = await arrived();
      expect([second?.to, others]).toEqual([['ada@work.test'], []]);
      expect(second?.mail.messageId).not.toBe(first?.mail.messageId);
      const log = await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'mail' } });
      expect(log.body.audit[0]).toMatchObject({ action: 'created', record_id: sent.body.id });
      expect(log.text).not.toContain('ada@work.test');
    });

    it.each(['sent', 'failed'] as const)('are sent again to the present address, if they were %s', async (status) => {
      const order = await buy(server(), [free]);
      await arrived();
      await db().query.updateTable('mails').set({ status }).execute();
      await server().make(`PATCH admin:/orders/${order.id}`, { purchaser: { email: 'ada.park@example.test' } });
      const [{ id }] = await list({ order: order.id });
      expect(await read(id)).toMatchObject({ to: ADA.email, send_to: 'ada.park@example.test' });
      expect((await again(id)).body).toMatchObject({ to: 'ada.park@example.test' });
      expect((await arrived()).map(({ to }) => to)).toEqual([['ada.park@example.test']]);
    });

    it('are a task for users who manage all orders, while they wait or have failed', async () => {
      smtp.refuse = () => ({ code: 550, text: 'no such mailbox' });
      await buy(server(), [free]);
      await arrived();
      await buy(server(), [free]);
      await send({ smtp: undefined });
      const tasks = async (as: 'editor' | 'author') =>
        (await server().ask('GET admin:/overview', { as })).body.tasks.mails;
      expect(await tasks('editor')).toEqual({ held: 1, failed: 1, bounced: 0, has_server: false });
      expect(await tasks('author')).toBeNull();
    });

    usually('are tried again once they failed, to the corrected address', async () => {
      smtp.refuse = () => ({ code: 550, text: 'no such mailbox' });
      const order = await buy(server(), [free]);
      await arrived();
      smtp.refuse = () => undefined;
      const [{ id }] = await list({ order: order.id });
      expect((await again(id, { to: 'ada@home.test' })).body).toMatchObject({ id, status: 'queued', attempts: 0 });
      expect((await arrived()).map(({ to }) => to)).toEqual([['ada@home.test']]);
      expect(await list({ order: order.id })).toMatchObject([{ id, status: 'sent' }]);
    });
  });

  usually('leave neither addresses nor secrets in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const order = await buy(server(), [free]);
    await buy(server(), [free], { purchaser: { name: 'Bo', email: 'bo@example.test' } });
    await buy(server(), [free], { purchaser: { name: 'Cy', email: 'cy@example.test' } });
    const refusals = new Map([
      ['ada@example.test', { code: 550, text: 'ada@example.test is unknown' }],
      ['bo@example.test', { code: 451, text: 'bo@example.test is busy' }],
    ]);
    smtp.refuse = (recipient) => refusals.get(recipient);
    await sendMails({ ...server().context, log }, smtp.settings);
    const unreachable = smtp.settings.smtp && { ...smtp.settings.smtp, port: 1 };
    await buy(server(), [free]);
    await sendMails({ ...server().context, log }, { ...smtp.settings, smtp: unreachable });
    const text = lines.join('');
    for (const said of ['a mail was sent', 'a mail was refused', 'tried again', 'cannot be used'])
      expect(text).toContain(said);
    for (const secret of ['example.test', 'Ada', order.token, order.attendees[0]?.security_code ?? ''])
      expect(text).not.toContain(secret);
  });

  usually('respect the rate', async () => {
    for (let index = 0; index < 4; index += 1) await buy(server(), [free]);
    const began = performance.now();
    await send({ mailRate: 10 });
    expect(smtp.take()).toHaveLength(4);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('are forgotten after 400 days', async () => {
    await buy(server(), [free]);
    server().clock.now = new Date(NOON.getTime() + 399 * 86_400_000);
    expect(await pruneMails(server().context)).toBe(0);
    server().clock.now = new Date(NOON.getTime() + 401 * 86_400_000);
    expect(await pruneMails(server().context)).toBe(1);
  });

  describe('with hostile texts', () => {
    it.each([
      'ada@example.test\r\nBcc: eve@example.test',
      'ada@example.test, eve@example.test',
      'ada@example.test;eve@example.test',
      'Eve <eve@example.test>',
      '"eve@example.test" <ada@example.test>',
      'ada@example.test\u2028eve@example.test',
      'ada@example.test\0',
      // Too long for SMTP: the mail about the order would silently be missing.
      `${'a'.repeat(65)}@example.test`,
    ])('an address cannot add a recipient or a header: %j', async (email) => {
      const shopper = shopperOf(server());
      await shopper.put([{ ticket_id: free, quantity: 1 }]);
      const { status } = await shopper.checkout({ purchaser: { name: 'Ada', email } });
      // Rows that other versions or programs wrote.
      await db().transaction((trx) =>
        queueMail(trx, {
          ...{ kind: 'tickets', key: email, to: email, language: '', record_kind: 'order', record_id: 1, now: NOON },
        }),
      );
      expect([status, await rows()]).toEqual([400, []]);
    });

    usually('titles and names are text, and cannot add headers', async () => {
      const title = 'Night\r\nBcc: eve@example.test\u202e <b>"Gala"</b> & <script>alert(1)</script>';
      const hostile = await makeEvent(server(), { title });
      const seat = await makeSeat(server(), hostile, 10, { name: 'Seat <i>one</i>\r\nX-Evil: 1', price: '0' });
      const name = 'Ada <img src=x onerror=alert(1)>\r\nBcc: eve@example.test';
      await buy(server(), [seat], { purchaser: { name, email: ADA.email } });
      const [received] = await arrived();
      expect(received?.to).toEqual([ADA.email]);
      expect(received?.mail.headers.filter(({ key }) => /^(bcc|cc|x-evil)$/.test(key))).toEqual([]);
      expect(received?.mail.to).toHaveLength(1);
      expect(received?.mail.html).not.toMatch(/<(script|b|i|img src=x)\b/);
      expect(received?.mail.subject).toMatch(/^Your tickets: Night/);
    });

    usually('encoded words of a title are shown as they are written', async () => {
      const title = 'Gala =?utf-8?b?4oCuZ25wLmV4ZQ==?= =?utf-8?q?=0D=0ABcc:_eve?=';
      const seat = await makeSeat(server(), await makeEvent(server(), { title }), 10, { price: '0' });
      await buy(server(), [seat]);
      const [received] = await arrived();
      expect(received?.mail.subject).toBe(`Your tickets: ${title.replaceAll('=?', '= ?')}`);
    });

    it('a forged host does not get into links', async () => {
      const shopper = shopperOf(server());
      await shopper.put([{ ticket_id: free, quantity: 1 }]);
      const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' };
      expect((await shopper.checkout({}, { headers })).status).toBe(201);
      const [received] = await arrived();
      expect(received?.raw).not.toContain('evil.test');
      expect(received?.mail.text).toContain(`${SITE}/order/`);
    });
  });
});

describe.each(BOTH_DATABASES)('mails about payments at a service, on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  let smtp: MailServer;
  beforeAll(async () => {
    [paying, smtp] = await Promise.all([startPaying(kind), startMailServer()]);
  });
  afterAll(() => Promise.all([paying.close(), smtp.close()]));
  afterEach(async () => {
    paying.reset();
    await paying.server.context.db.query.deleteFrom('mails').execute();
  });

  const subjects = async () => {
    await sendMails(paying.server.context, smtp.settings);
    return smtp.take().map(({ mail }) => mail.subject);
  };

  usually('bring the tickets once, however often the service tells of the payment', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    expect(await subjects()).toEqual([]);
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    await paying.comeBack(order);
    await paying.pass(60);
    expect(await subjects()).toEqual(['Your tickets: Evening']);
  });

  it('remind of an order that is still unpaid after ten minutes, with a link to the payment', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    await paying.pass(11);
    await sendMails(paying.server.context, smtp.settings);
    const [received] = smtp.take();
    expect(received?.mail.subject).toBe(`Order ${order.body.order.number}: Evening`);
    expect(received?.mail.text).toContain(`${SITE}/order/${order.id}/${order.token}/pay/`);
    await paying.pass(60);
    expect(await subjects()).toEqual([]);
  });

  it('say that money is on its way back while the service has not given it back yet', async () => {
    const seat = await paying.makeSeat(1);
    const order = await paying.buyByCard(seat);
    const session = await paying.open(order);
    paying.standIn.account.refundsPend = true;
    paying.standIn.account.pay(session);
    await paying.deliver();
    expect(await subjects()).toEqual(['Your tickets: Evening']);
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, {});
    await sendMails(paying.server.context, smtp.settings);
    const [received] = smtp.take();
    expect(received?.mail.text).toContain('$20.00 is on its way back to you.');
  });
});
