import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findUnreachable } from '../src/platform/mails/bounces.ts';
import { readDeliveryReport } from '../src/platform/mails/delivery-report.ts';
import { queueAccountMail } from '../src/platform/users/account-mails.ts';
import { mailCommands } from '../src/server/cli/mails.ts';
import { makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { type MailServer, sendMails, startMailServer } from './mail-server.ts';
import { BOTH_DATABASES, useTestServer } from './server.ts';
import { ADA } from './shopper.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

/** A report of a mail server, as Postfix writes them. */
const report = (to: string, { action = 'failed', ending = '\r\n' } = {}): string =>
  [
    'Return-Path: <>',
    `Delivered-To: ${to}`,
    'From: MAILER-DAEMON@relay.test (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="B1"',
    '',
    'This is a MIME-encapsulated message.',
    '--B1',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--B1',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.test',
    'Arrival-Date: Thu, 26 Nov 2026 12:00:00 +0000',
    '',
    'Final-Recipient: rfc822; ada@example.test',
    `Action: ${action}`,
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 <ada@example.test>: no such',
    '    user here',
    '',
    '--B1',
    'Content-Type: message/rfc822',
    '',
    'Subject: Your tickets: Evening',
    '--B1--',
    '',
  ].join(ending);

describe.each(BOTH_DATABASES)('mails that come back on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  let smtp: MailServer;
  let seat: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    seat = await makeSeat(server(), await makeEvent(server()), 1000, { price: '0' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    await server().context.db.query.deleteFrom('mails').execute();
  });

  const settings = () => ({ ...smtp.settings, bounceDomain: 'bounces.events.test' });
  /** Buys a ticket, and returns its order, mail and envelope sender. */
  const sent = async (purchaser = ADA) => {
    const order = await buy(server(), [seat], { purchaser });
    await sendMails(server().context, settings());
    const [received] = smtp.take();
    const { mails } = (await server().ask('GET admin:/mails', { as: 'editor', query: { order: order.id } })).body;
    return { order: order.id, id: mails[0].id as number, from: received?.from ?? '', raw: received?.raw ?? '' };
  };
  const statusOf = async (id: number) => {
    const { status, reply } = (await server().ask(`GET admin:/mails/${id}`, { as: 'editor' })).body;
    return { status, reply };
  };
  const chunks = async function* (text: string | Buffer, size = 1000) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  async function pipe(text: string | Buffer, ...words: string[]): Promise<[number | undefined, string]> {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const { context } = server();
    const openContext = async () => ({ ...context, close: async () => undefined, writeLine: () => undefined });
    const deps = { openContext, print, printError: print, readSecret: async () => '', input: chunks(text) };
    const command = mailCommands.find(({ name }) => name === 'mail bounce');
    return [await command?.run(words, deps), printed.join('\n')];
  }
  const post = (body: object) => server().ask('POST admin:/mail-bounces', { as: 'editor', body });

  it('have an envelope sender of their own, where a domain for them is set, and only there', async () => {
    const { id, from, raw } = await sent();
    expect(from).toMatch(new RegExp(`^bounce\\+${id}\\.[0-9a-f]{20}@bounces\\.events\\.test$`));
    expect(raw).toMatch(/^From: .*<noreply@events\.test>\r$/m);
    await buy(server(), [seat]);
    await sendMails(server().context, smtp.settings);
    expect(smtp.take().map((one) => one.from)).toEqual(['noreply@events.test']);
  });

  it.each([
    ['named by its headers', '\r\n', (_from: string) => []],
    ['named by the mail server, in capitals', '\n', (from: string) => [from.toUpperCase()]],
    ['with the line ends of another century', '\r', (_from: string) => []],
  ])('are marked by a report through the pipe of a mail server: %s', async (_name, ending, words) => {
    const { id, from } = await sent();
    expect(await pipe(report(from, { ending }), ...words(from))).toEqual([0, `Mail ${id} came back.`]);
    expect(await statusOf(id)).toEqual({
      status: 'bounced',
      reply: '550 5.1.1 <ada@example.test>: no such user here',
    });
    expect(await pipe(report(from))).toEqual([0, `Mail ${id} came back.`]);
  });

  usually('have the reason in the words of a server that has not asked another one', async () => {
    const { id, from } = await sent();
    await pipe(report(from).replace(/smtp; 550[^\r]*\r\n[^\r]*/, 'X-Postfix; unknown user: "ada"'));
    expect(await statusOf(id)).toEqual({ status: 'bounced', reply: 'unknown user: "ada"' });
  });

  it.each([
    ['a delay', (from: string) => report(from, { action: 'delayed' })],
    ['a delivery', (from: string) => report(from, { action: 'delivered' })],
    [
      'an automatic reply',
      (from: string) => `From: ada@example.test\r\nTo: ${from}\r\nSubject: Away\r\n\r\nAction: failed`,
    ],
    ['nothing', () => ''],
    ['bytes', () => Buffer.alloc(300_000, 0xff)],
    ['a header without end', (from: string) => `To: ${from}\r\nX: ${'a'.repeat(3_000_000)}`],
  ])('are not marked by %s', async (_name, message) => {
    const { id, from } = await sent();
    expect(await pipe(message(from))).toEqual([1, 'The message is not a report of a failed delivery.']);
    expect((await statusOf(id)).status).toBe('sent');
  });

  usually('are marked by a report of any size, of which only the beginning is read', async () => {
    const { id, from } = await sent();
    expect((await pipe(report(from) + 'x'.repeat(5_000_000)))[0]).toBe(0);
    expect((await statusOf(id)).status).toBe('bounced');
  });

  usually('are not marked by forged addresses, of other mails, sites and times', async () => {
    const first = await sent();
    const second = await sent({ name: 'Bo', email: 'bo@example.test' });
    const mac = /\.([0-9a-f]{20})@/.exec(first.from)?.[1] ?? '';
    const forged = [
      `bounce+${second.id}.${mac}@bounces.events.test`,
      `bounce+${first.id}.${'0'.repeat(20)}@bounces.events.test`,
      `bounce+${first.id}.${mac.slice(0, 19)}@bounces.events.test`,
      `bounce+999999999999999.${mac}@bounces.events.test`,
      `bounce+${first.id}@bounces.events.test`,
      `x@elsewhere.test`,
    ];
    for (const address of forged) {
      expect(await pipe(report(address))).toEqual([
        1,
        'The address is not the envelope sender of a mail of this site.',
      ]);
      expect((await post({ address, reason: 'no such user' })).body.code).toBe('bounce-invalid');
    }
    expect([(await statusOf(first.id)).status, (await statusOf(second.id)).status]).toEqual(['sent', 'sent']);
  });

  it('are no longer marked by reports about an address that the mail does not have any more', async () => {
    const { id, from } = await sent();
    const { db } = server().context;
    await db.query.updateTable('mails').set({ status: 'failed' }).where('id', '=', id).execute();
    await server().make(`POST admin:/mails/${id}/send`, { to: 'ada@home.test' });
    await sendMails(server().context, settings());
    expect((await pipe(report(from)))[0]).toBe(1);
    expect((await statusOf(id)).status).toBe('sent');
  });

  it('are marked by providers over HTTP: by address, Message-ID or report, and logged', async () => {
    const by = [
      async ({ from }: { from: string }) => ({ address: from, reason: '550 no such user' }),
      async ({ raw }: { raw: string }) => ({
        message_id: /^Message-ID: (.*)\r$/im.exec(raw)?.[1],
        reason: '550 no such user',
      }),
      async ({ from }: { from: string }) => ({ message: report(from) }),
    ];
    for (const name of by) {
      const mail = await sent();
      const { status, body } = await post(await name(mail));
      expect([status, body]).toEqual([200, expect.objectContaining({ id: mail.id, status: 'bounced' })]);
      expect(body.reply).toMatch(/^550 /);
      const log = await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'mail' } });
      expect(log.body.audit[0]).toMatchObject({ record_id: mail.id, fields: ['is_returned'] });
    }
    expect((await post({ message_id: '<mail-1-1@elsewhere.test>' })).body.code).toBe('mail-not-found');
    expect((await post({})).body.code).toBe('bounce-invalid');
  });

  usually('have a Message-ID that cannot be guessed, and with a part of it are not found', async () => {
    const ids = [await sent(), await sent()].map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? '');
    const parts = ids.map((id) => /^<mail-\d+-([0-9a-f]{20})@/.exec(id)?.[1]);
    expect(parts).toEqual([expect.any(String), expect.any(String)]);
    expect(parts[0]).not.toBe(parts[1]);
    const [own = '', other = ''] = ids;
    for (const message_id of [
      own.replace(/-[0-9a-f]+@/, '-20261121170000@'),
      own.replace(parts[0] ?? '', parts[1] ?? ''),
    ])
      expect((await post({ message_id })).body.code).toBe('mail-not-found');
    for (const message_id of [other.slice(1, -1), own]) expect((await post({ message_id })).status).toBe(200);
  });

  it('tell users who do not manage accounts the status only of a mail to an account', async () => {
    const { context, userId } = server();
    const mailTo = async (key: string) => {
      const user = { id: userId('administrator'), email: 'administrator@example.test', language: '' };
      await queueAccountMail(context.db, user, {
        ...{ kind: 'password-changed', key, now: context.now() },
        record: { record_kind: 'user', record_id: user.id },
      });
      await sendMails(context, settings());
      return smtp.take()[0];
    };
    const answers: unknown[] = [];
    for (const as of ['editor', 'administrator'] as const) {
      const byAddress = await mailTo(`address-${as}`);
      const byId = await mailTo(`id-${as}`);
      for (const body of [{ address: byAddress?.from }, { message_id: byId?.mail.messageId }])
        answers.push((await server().ask('POST admin:/mail-bounces', { as, body })).body);
    }
    const whole = expect.objectContaining({
      kind: 'password-changed',
      to: 'administrator@example.test',
      status: 'bounced',
    });
    expect(answers).toEqual([{ status: 'bounced' }, { status: 'bounced' }, whole, whole]);
  });

  it('are counted by address, whatever its letter case, but not for another spelling of its mailbox', async () => {
    const addresses = ['ADA@Example.test', 'ada+news@example.test', 'bo@example.test'];
    for (const expected of [[], ['ada@example.test']]) {
      const { from } = await sent();
      await pipe(report(from));
      expect(await findUnreachable(server().context.db, addresses)).toEqual(expected);
    }
  });

  usually('are for users who manage all orders', async () => {
    const { from } = await sent();
    for (const [as, status] of [
      ['author', 403],
      ['subscriber', 403],
      ['editor', 200],
    ] as const)
      expect((await server().ask('POST admin:/mail-bounces', { as, body: { address: from } })).status).toBe(status);
  });
});

describe.each(BOTH_DATABASES)('guessing the addresses of returned mails on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 3, perAccount: 10 } }, { isFreshEachTime: true });
  it('ends after some attempts, which does not keep out the right ones', async () => {
    const seat = await makeSeat(server(), await makeEvent(server()), 10, { price: '0' });
    const smtp = await startMailServer();
    await buy(server(), [seat]);
    await sendMails(server().context, { ...smtp.settings, bounceDomain: 'bounces.events.test' });
    const [received] = smtp.take();
    await smtp.close();
    const post = (body: object) => server().ask('POST admin:/mail-bounces', { as: 'editor', body });
    const statuses: number[] = [];
    for (let guess = 0; guess < 3; guess += 1) {
      const mac = guess.toString(16).padStart(20, '0');
      statuses.push((await post({ address: `bounce+1.${mac}@bounces.events.test` })).status);
      statuses.push((await post({ message_id: `<mail-1-${mac}@events.test>` })).status);
    }
    expect(statuses).toEqual([400, 404, 400, 429, 429, 429]);
    expect((await post({ address: received?.from })).status).toBe(200);
    expect((await post({ message_id: received?.mail.messageId })).status).toBe(200);
  });
});

describe('the pipe of a mail server', () => {
  it('is told to try again while the database cannot be reached', async () => {
    const printed: string[] = [];
    const openContext = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const print = (line: string) => void printed.push(line);
    const deps = { openContext, print, printError: print, readSecret: async () => '' };
    const command = mailCommands.find(({ name }) => name === 'mail bounce');
    expect([await command?.run([], deps), printed]).toEqual([75, ['connect ECONNREFUSED']]);
  });
});

describe('a report', () => {
  it('has a reason of one line of printable characters', () => {
    const { reason } = readDeliveryReport(
      report('x@events.test').replace('no such', `no\0 such \u001b[31m ${'y'.repeat(900)}`),
    );
    expect(reason).toMatch(/^[\x20-\x7e]{1,500}$/);
  });
});
