import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import sharp from 'sharp';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Config } from '../src/base/config.ts';
import type { Context } from '../src/base/context.ts';
import { startMailSender } from '../src/jobs/mail-sender.ts';
import { renderMail } from '../src/web/mails/render-mail.ts';
import { readPaper, readQrCode } from './paper.ts';

/** A mail as it arrived. */
interface Received {
  from: string;
  to: string[];
  raw: string;
  mail: Email;
}

/** Refusal of a command: the code and text of the reply. */
interface Reply {
  code: number;
  text: string;
}

export interface MailServer {
  /** Settings with which a server sends its mails here. */
  settings: Pick<Config, 'smtp' | 'url' | 'mailRate'>;
  /** Mails since the last call. */
  take(): Received[];
  /** Decides about a recipient; accepts all by default. */
  refuse: (recipient: string) => Reply | undefined;
  /** Called once a mail has arrived, before it is confirmed. */
  onArrival: () => Promise<unknown>;
  close(): Promise<void>;
}

export const SITE = 'https://events.test';

/** A real SMTP server that keeps what it gets. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const arrived: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const refusal = mails.refuse(address);
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, { envelope }, done) {
      void readAll(stream)
        .then(async (raw) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          arrived.push({ from, to, raw, mail: await PostalMime.parse(raw) });
          await mails.onArrival();
          done();
        })
        .catch(done);
    },
    ...options,
  });
  // Clients that close the connection are part of the tests.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mails: MailServer = {
    settings: {
      smtp: { host: '127.0.0.1', port, secure: false, isPlain: true, login: undefined },
      url: SITE,
      mailRate: 1000,
    },
    take: () => arrived.splice(0),
    refuse: () => undefined,
    onArrival: async () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mails;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Tries every mail that is due. */
export async function sendMails(context: Context, settings: Partial<Config>): Promise<void> {
  const sender = startMailSender({ ...context, config: { ...context.config, ...settings } }, renderMail);
  await sender.settled();
  await sender.stop();
}

/** The contents of the QR codes in a mail, in the order of its pictures. */
export async function codesIn({ attachments }: Email): Promise<string[]> {
  const pictures = attachments.filter(({ mimeType }) => mimeType === 'image/png');
  return Promise.all(
    pictures.map(async ({ content }) => {
      // `parse` leaves attachments as bytes.
      const picture = sharp(Buffer.from(content as ArrayBuffer))
        .ensureAlpha()
        .raw();
      const { data, info } = await picture.toBuffer({ resolveWithObject: true });
      const code = await readQrCode({ data, width: info.width, height: info.height });
      if (code === undefined) throw new Error('a picture has no readable code');
      return code;
    }),
  );
}

/** The words of a mail that its reader sees as HTML. */
export const shownIn = ({ html = '' }: Email): string =>
  html
    .slice(html.indexOf('<h1'))
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

/** The text of an attached calendar. */
export function calendarIn({ attachments }: Email): string {
  const file = attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  if (!file) throw new Error('there is no calendar');
  return typeof file.content === 'string' ? file.content : Buffer.from(file.content as ArrayBuffer).toString('utf8');
}

/** The pages of an attached document. */
export async function paperIn({ attachments }: Email, name: RegExp) {
  const file = attachments.find(({ filename }) => name.test(filename ?? ''));
  if (file?.mimeType !== 'application/pdf' || file.disposition !== 'attachment')
    throw new Error(`there is no document ${name}`);
  return readPaper(new Uint8Array(file.content as ArrayBuffer));
}
