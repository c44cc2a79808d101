import { Resolver } from 'node:dns/promises';
import { withPresentChoices } from '../../base/site-config.ts';
import { MAIL_STATUSES, type MailStatus } from '../../db/tables/platform.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { isMailAddress } from '../../lib/text/email.ts';
import { findBouncedMail, markBounced } from '../../platform/mails/bounces.ts';
import { REPORT_BYTES, readDeliveryReport } from '../../platform/mails/delivery-report.ts';
import { domainOf, MailRefused, openSmtp, senderOf } from '../../platform/mails/smtp.ts';
import { countUnsentMails, releaseHeldMails } from '../../platform/mails/store.ts';
import { listMails } from '../../ticketing/mails/mail-list.ts';
import { testMessage } from '../../web/mails/render-mail.ts';
import { type Command, CommandError, command } from './command.ts';
import { columns } from './input.ts';

/** Maximum number of listed mails. */
const MOST = 100;
const DNS_TIMEOUT = 2000;

const test = command({
  name: 'mail test',
  summary: 'Sends a test mail at once, and explains why if it is refused.',
  words: ['ADDRESS'],
  notes: 'Also looks up the SPF, DKIM and DMARC records of the sender in DNS.',
  async work({ context: opened, words: [address = ''], print }) {
    const context = await withPresentChoices(opened);
    const { config } = context;
    if (!isMailAddress(address)) throw new CommandError(`"${address}" is not an e-mail address.`);
    if (!config.smtp) throw new CommandError('MARQUEE_SMTP_URL is not set: mails are held.');
    const domain = domainOf(senderOf(config).address);
    try {
      const smtp = await openSmtp(config);
      const message = await testMessage(context, {
        to: address,
        messageId: `<test-${context.now().getTime()}@${domain}>`,
      });
      const reply = await smtp.send(message).finally(() => smtp.close());
      print(`The server has accepted the mail: ${reply}`);
    } catch (error) {
      if (error instanceof MailRefused) throw new CommandError(`The mail was not sent: ${error.message}.`);
      throw error;
    }
    for (const line of await recordsOf(domain, config.dkimKey && config.dkimSelector)) print(line);
  },
});

/** Reports which DNS records of the sender exist, by which mail servers trust its mails. */
async function recordsOf(domain: string, selector: string | undefined): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 1 });
  const wanted = [
    ['SPF', domain, 'v=spf1'],
    ['DMARC', `_dmarc.${domain}`, 'v=DMARC1'],
    ...(selector ? [['DKIM', `${selector}._domainkey.${domain}`, 'p=']] : []),
  ] as const;
  return Promise.all(
    wanted.map(async ([record, name = '', mark = '']) => {
      const texts = await resolver.resolveTxt(name).catch(() => []);
      const isFound = texts.some((parts) => parts.join('').includes(mark));
      return `${record}: ${isFound ? 'found' : 'not found'} at ${name}`;
    }),
  );
}

function readStatus(given: string | boolean | undefined): MailStatus | undefined {
  const status = MAIL_STATUSES.find((one) => one === given);
  if (given !== undefined && !status) throw new CommandError(`--status must be one of: ${MAIL_STATUSES.join(', ')}.`);
  return status;
}

const list = command({
  name: 'mail list',
  summary: 'Lists mails, the latest first.',
  words: [],
  options: { status: { value: 'STATUS', about: `Only mails that are ${MAIL_STATUSES.join(', ')}.` } },
  notes: `At most ${MOST} mails are listed; those that were not sent are all counted.`,
  async work({ context: { db }, options, print }) {
    const filter = { status: readStatus(options.status), within: 'all', withAccounts: true } as const;
    const { mails, total } = await listMails(db, filter, { limit: MOST, offset: 0 });
    const rows = mails.map((mail) => [
      ...[mail.id, mail.kind, `${mail.record_kind} ${mail.record_id}`, mail.to_email, mail.status],
      ...[mail.sent_utc || mail.due_utc, mail.attempts, mail.smtp_reply],
    ]);
    const heading = ['ID', 'KIND', 'ABOUT', 'TO', 'STATUS', 'SENT OR DUE (UTC)', 'TRIES', 'REPLY'];
    if (total === 0) print('There are no such mails.');
    else for (const line of columns(heading, rows)) print(line);
    const counts = Object.entries(await countUnsentMails(db)).filter(([, count]) => count > 0);
    if (total > MOST) for (const [status, count] of counts) print(`${status}: ${count}`);
  },
});

const UNITS: Readonly<Record<string, number>> = { h: 3600, d: 86_400 };

const sendHeld = command({
  name: 'mail send-held',
  summary: 'Sends the mails that were held because no mail server was set.',
  words: [],
  options: { since: { value: 'TIME', about: 'Maximum age of the mails, such as 12h or 7d; by default 7d.' } },
  notes: 'Mails that no longer make sense, such as tickets of events in the past, are dropped.',
  async work({ context: { config, db, now }, options, print }) {
    const [, count = '', unit = ''] = /^([1-9]\d{0,3})([hd])$/.exec(String(options.since ?? '7d')) ?? [];
    const seconds = Number(count) * (UNITS[unit] ?? 0);
    if (seconds === 0) throw new CommandError('--since must be a time such as 12h or 7d.');
    if (!config.smtp) throw new CommandError('MARQUEE_SMTP_URL is not set: mails are held.');
    const utc = toUtc(now());
    const sent = await releaseHeldMails(db, { since: addSeconds(utc, -seconds), now: utc });
    print(`Mails that the server sends now: ${sent}.`);
  },
});

const reportBounce = command({
  name: 'mail bounce',
  summary: 'Marks a mail that came back, from a message on standard input.',
  words: ['[ADDRESS]'],
  notes:
    'For the pipe of a mail server. ADDRESS is the recipient of the message, by default the one in its headers.\nExits with status 1 for a message that is not a report of a failed delivery or has a forged address, and with 75 if\nthe mail server should try again.',
  async work({ context, words: [address], input, print }) {
    const report = readDeliveryReport(await readFirst(input ?? [], REPORT_BYTES));
    if (!report.isFailure) throw new CommandError('The message is not a report of a failed delivery.');
    const mail = await findBouncedMail(context, address === undefined ? report.addresses : [address]);
    if (!mail) throw new CommandError('The address is not the envelope sender of a mail of this site.');
    const { id, status } = await context.db.transaction((trx) => markBounced(trx, mail, report.reason));
    print(status === 'bounced' ? `Mail ${id} came back.` : `Mail ${id} stays as it is: ${status}.`);
  },
});

/** Status by which a mail server tries again later (sysexits.h, EX_TEMPFAIL). */
const TRY_AGAIN = 75;

/** A database that cannot be reached must not lose a message. */
const bounce: Command = {
  ...reportBounce,
  run: (args, deps) =>
    reportBounce.run(args, deps).catch((error: unknown) => {
      deps.printError(error instanceof Error ? error.message : 'The message could not be read.');
      return TRY_AGAIN;
    }),
};

/** Reads everything, so that the writer is not interrupted, and keeps the first bytes. */
async function readFirst(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length < most) chunks.push(chunk.subarray(0, most - length));
    length += chunk.length;
  }
  return Buffer.concat(chunks);
}

export const mailCommands: readonly Command[] = [test, list, sendHeld, bounce];
