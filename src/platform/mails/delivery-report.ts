/** Reports of mail servers about mails that came back (RFC 3464). They may come from anywhere and contain anything. */

/** Bytes of a report that are read: its facts come first, the returned mail follows. */
export const REPORT_BYTES = 256 * 1024;
/** Maximum characters of a reason. */
const MAX_REASON = 500;
const MAX_ADDRESSES = 20;

export interface DeliveryReport {
  /** Addresses of ours to which it was delivered, from its headers. */
  addresses: readonly string[];
  /** Whether it says that a delivery has failed for good. Reports of delays and automatic replies do not. */
  isFailure: boolean;
  /** Reason in the words of the server; empty if there is none. */
  reason: string;
}

/** Headers that name the recipient of a message; the first ones are written by the receiving mail server. */
const RECIPIENT_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];

/** Reads a report, or any other message. */
export function readDeliveryReport(message: Uint8Array | string): DeliveryReport {
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  // The facts are ASCII, so any decoding of other bytes is fine.
  const text = Buffer.from(bytes.subarray(0, REPORT_BYTES)).toString('latin1').replaceAll('\r\n', '\n');
  const lines = text.replaceAll('\r', '\n').split('\n');
  const end = lines.indexOf('');
  const headers = fieldsOf(end === -1 ? lines : lines.slice(0, end));
  const recipients = statusFields(lines);
  const failed = recipients.find((fields) => fieldOf(fields, 'action').toLowerCase() === 'failed');
  const isFromDaemon = /^(?:[^<]*<)?mailer-daemon@/i.test(fieldOf(headers, 'from'));
  return {
    addresses: addressesOf(headers),
    isFailure: failed !== undefined || (recipients.length === 0 && isFromDaemon),
    reason: cleaned(failed ? reasonOf(failed) : fieldOf(headers, 'subject')),
  };
}

type Field = readonly [name: string, value: string];

/** Fields of a block of lines, with continued lines joined. */
function fieldsOf(lines: readonly string[]): Field[] {
  const joined: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && joined.length > 0) joined.push(`${joined.pop()} ${line.trim()}`);
    else joined.push(line);
  }
  return joined.flatMap((line): Field[] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
  });
}

const fieldOf = (fields: readonly Field[], name: string): string => fields.find(([one]) => one === name)?.[1] ?? '';

const addressesOf = (headers: readonly Field[]): string[] =>
  RECIPIENT_HEADERS.flatMap((name) => headers.filter(([one]) => one === name))
    .flatMap(([, value]) => value.split(/[\s,;<>"]+/))
    .filter((word) => word.includes('@'))
    .slice(0, MAX_ADDRESSES);

const STATUS_TYPE = /^content-type:\s*message\/delivery-status\b/i;

/** The blocks of fields of each recipient in the part with the status. */
function statusFields(lines: readonly string[]): Field[][] {
  const type = lines.findIndex((line) => STATUS_TYPE.test(line));
  if (type === -1) return [];
  const start = lines.indexOf('', type);
  if (start === -1) return [];
  const end = lines.findIndex((line, index) => index > start && line.startsWith('--'));
  const part = lines.slice(start + 1, end === -1 ? undefined : end);
  const blocks: string[][] = [[]];
  for (const line of part) {
    if (line.trim() === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.map(fieldsOf).filter((fields) => fieldOf(fields, 'action') !== '');
}

/** The reply of the other server, such as `550 5.1.1 no such user`, or the status code. */
const reasonOf = (fields: readonly Field[]): string =>
  fieldOf(fields, 'diagnostic-code').replace(/^[\w-]+\s*;\s*/, '') || fieldOf(fields, 'status');

/** One line of printable characters. */
const cleaned = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON);
