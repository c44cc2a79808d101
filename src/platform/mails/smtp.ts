import { readFile } from 'node:fs/promises';
import type { Config } from '../../base/config.ts';

/** Connection to the SMTP server. Its library is loaded with the first mail. */

/** A mail, rendered. */
export interface Message {
  to: string;
  /** Address to which servers return the mail; by default the sender. */
  envelopeFrom?: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** Name of the site, for a sender without one. */
  senderName: string;
  /** Empty for none. */
  replyTo: string;
  messageId: string;
  /** Address to which one POST ends further mails of the kind (RFC 8058). */
  unsubscribe?: string;
  /** Files; a file with a `cid` is shown within the text. */
  files: readonly { name: string; type: string; content: Uint8Array | string; cid?: string }[];
}

/** A mail that was not accepted. The message is the reply of the server, or describes the fault. */
export class MailRefused extends Error {
  /**
   * `final`: the server refuses this mail. `later`: it asks for another attempt. `connection`: no mail can be sent now.
   */
  readonly kind: 'final' | 'later' | 'connection';
  constructor(kind: MailRefused['kind'], reply: string) {
    super(reply);
    this.kind = kind;
  }
}

export interface Smtp {
  /**
   * @returns the reply of the server
   * @throws {MailRefused}
   */
  send(message: Message): Promise<string>;
  /** Ends the connection, and a mail that is being sent. */
  close(): void;
}

const CONNECT_TIMEOUT = 10_000;
/** Milliseconds without a response to one command. */
const SOCKET_TIMEOUT = 30_000;
/** Milliseconds of a whole attempt, however slow the server is. */
const TOTAL_TIMEOUT = 60_000;

/** Sender of mails: the setting, or `noreply` at the host of the site. */
export function senderOf({ mailFrom, url }: Pick<Config, 'mailFrom' | 'url'>): { name: string; address: string } {
  return mailFrom ?? { name: '', address: `noreply@${new URL(url ?? 'http://localhost').hostname}` };
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** @throws {MailRefused} if the key for signatures cannot be read */
export async function openSmtp(config: Config): Promise<Smtp> {
  const { smtp: server } = config;
  if (!server) throw new MailRefused('connection', 'MARQUEE_SMTP_URL is not set');
  const { createTransport } = await import('nodemailer');
  const from = senderOf(config);
  const privateKey = await readKey(config.dkimKey);
  const transport = createTransport({
    ...connectionOf(server),
    ...(privateKey && {
      dkim: {
        ...{ domainName: domainOf(from.address), keySelector: config.dkimSelector, privateKey },
        headerFieldNames: SIGNED.join(':'),
      },
    }),
  });
  return {
    async send(message) {
      const mail = { ...mailOf(message, from), signal: AbortSignal.timeout(TOTAL_TIMEOUT) };
      try {
        const { response } = await transport.sendMail(mail).catch((error: unknown) => {
          if (!isUnsent(error as SmtpError)) throw error;
          return transport.sendMail(mail);
        });
        return response;
      } catch (error) {
        throw refusalOf(error);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** One connection to a server, as nodemailer takes it. */
const connectionOf = ({ host, port, secure, isPlain, login }: NonNullable<Config['smtp']>) => ({
  pool: true as const,
  maxConnections: 1,
  // The outbox repeats attempts.
  maxRequeues: 0,
  ...{ host, port, secure },
  requireTLS: !isPlain,
  // Where no encryption is needed, a relay may offer it with a certificate of its own, as Debian's Postfix does.
  tls: { rejectUnauthorized: secure || !isPlain },
  ...(login && { auth: { user: login.user, pass: login.password } }),
  connectionTimeout: CONNECT_TIMEOUT,
  greetingTimeout: CONNECT_TIMEOUT,
  socketTimeout: SOCKET_TIMEOUT,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** A message as nodemailer takes it. */
const mailOf = (
  { to, envelopeFrom, subject, senderName, replyTo, files, unsubscribe, ...message }: Message,
  from: ReturnType<typeof senderOf>,
) => ({
  ...message,
  subject: asWritten(subject),
  from: { name: asWritten(from.name || senderName), address: from.address },
  to: { name: '', address: to },
  ...(replyTo !== '' && { replyTo: { name: '', address: replyTo } }),
  // Keeps the library from reading addresses out of the headers.
  envelope: { from: envelopeFrom ?? from.address, to: [to] },
  headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe !== undefined && listHeaders(unsubscribe)) },
  attachments: files.map(({ name, type, content, cid }) => ({
    filename: name,
    contentType: type,
    content: typeof content === 'string' ? content : Buffer.from(content),
    contentDisposition: cid === undefined ? ('attachment' as const) : ('inline' as const),
    ...(cid !== undefined && { cid }),
  })),
});

/**
 * Text for a header that mail programs show as it is. ASCII is not encoded, so a title or name could contain encoded
 * words (RFC 2047), which would decode to characters that are refused elsewhere.
 */
const asWritten = (text: string): string => text.replaceAll('=?', '= ?');

/** Headers that a signature covers; RFC 8058 requires both of lists. */
const SIGNED = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
];

/** Not folded: some mailbox providers read the address from one line only. */
const listHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

async function readKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new MailRefused('connection', `the file of MARQUEE_DKIM_KEY cannot be read (${error.code})`);
  });
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

/** Commands that concern a single mail. A refusal of any other command concerns all mails. */
const OF_ONE_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
const CLOSING = 421;

/**
 * Whether the server had ended the connection of earlier mails, so that nothing of this one was sent. The library then
 * names no command.
 */
const isUnsent = ({ code, command }: SmtpError): boolean => code === 'ECONNECTION' && command === undefined;

/**
 * Whether the server ended the connection at the recipient of a mail. After commands sent together, the library names
 * none of them; 421 in reply to a greeting has another code.
 */
const isClosedAtRecipient = ({ code, command, responseCode }: SmtpError): boolean =>
  code === 'ECONNECTION' && command === 'CONN' && responseCode === CLOSING;

/** Distinguishes a refusal of one mail from a fault that concerns all mails, such as a rejected password. */
function refusalOf(error: unknown): MailRefused {
  if (error instanceof MailRefused) return error;
  const { message, code, command = '', responseCode = 0, response } = error as SmtpError;
  const reply = response ?? message;
  // For example, the address has letters that the server does not support.
  if (code === 'EENVELOPE' && responseCode === 0) return new MailRefused('final', reply);
  if (isClosedAtRecipient(error as SmtpError)) return new MailRefused('later', reply);
  if (!OF_ONE_MAIL.has(command) || responseCode === 0) return new MailRefused('connection', reply);
  return new MailRefused(responseCode >= 500 ? 'final' : 'later', reply);
}
