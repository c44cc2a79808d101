import { open } from 'node:fs/promises';
import type { Config } from '../../base/config.ts';
import { type ForeignFailure, type ForeignResponse, fetchForeign, readBody } from '../../lib/foreign-fetch.ts';
import { decodeText } from '../../lib/text/decode-text.ts';
import { SourceError } from '../source.ts';
import { isCalendar } from './calendar-lines.ts';

/** Reads calendars from files and web addresses, which may contain anything. */

const MAX_BYTES = 10_000_000;
const MAX_FILE_BYTES = 50_000_000;
const TIMEOUT_MS = 60_000;
/** Maximum characters of an address, which is indexed. */
const MAX_ADDRESS = 1000;

export interface FetchedCalendar {
  text: string;
  /** Entity tag; empty without one. */
  etag: string;
}

/**
 * The stored form of the address of a calendar: `webcal:` becomes `https:`.
 * @throws {SourceError} if it is not an address
 */
export function calendarAddress(text: string): string {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'));
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > MAX_ADDRESS)
    throw new SourceError(`This is not the web address of a calendar: ${text.slice(0, 100)}`);
  if (url.username || url.password) throw new SourceError('Leave the password out of the address.');
  url.hash = '';
  return url.href;
}

const FAILURES: Readonly<Record<ForeignFailure, string>> = {
  'not-a-url': 'The calendar has moved to something that is not a web address.',
  'address-not-allowed':
    'The address, or one that it leads to, is not public. MARQUEE_IMAGE_HOSTS names hosts that may be private.',
  unreachable: 'The calendar does not respond, or breaks off.',
  'too-large': 'The calendar is larger than 10 MB.',
  timeout: 'The calendar takes longer than a minute.',
};

/**
 * Reads a calendar; undefined if it has not changed since the entity tag.
 * @throws {SourceError} whose sentence omits the address, which may contain a secret
 */
export async function fetchCalendar(
  address: string,
  { config, etag = '' }: { config: Config; etag?: string },
): Promise<FetchedCalendar | undefined> {
  const headersFor = () => ({
    ...{ 'user-agent': 'Marquee import', accept: 'text/calendar', 'accept-encoding': 'identity' },
    ...(etag !== '' && { 'if-none-match': etag }),
  });
  const options = { allowedHosts: config.imageHosts, headersFor, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const fetched = await fetchForeign<CalendarResponse | { failure: ForeignFailure }>(address, options, readCalendar);
  if ('failure' in fetched) throw new SourceError(FAILURES[fetched.failure]);
  if (fetched.status === 304 && etag !== '') return undefined;
  if (fetched.status !== 200) throw new SourceError(`The calendar responded with status ${fetched.status}.`);
  if (fetched.isEncoded) throw new SourceError('The calendar is compressed, although this was not requested.');
  return { text: calendarText(fetched.bytes), etag: fetched.etag };
}

interface CalendarResponse {
  status: number;
  etag: string;
  isEncoded: boolean;
  bytes: Buffer;
}

async function readCalendar({ response }: ForeignResponse): Promise<CalendarResponse | { failure: ForeignFailure }> {
  const { statusCode: status = 0, headers } = response;
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
  const tag = headers.etag ?? '';
  const rest = { status, isEncoded, etag: tag.length <= 200 ? tag : '' };
  if (status !== 200 || isEncoded) return { ...rest, bytes: Buffer.alloc(0) };
  const body = await readBody(response, MAX_BYTES);
  return 'failure' in body ? body : { ...rest, bytes: body.bytes };
}

/** @throws {SourceError} */
function calendarText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (!isCalendar(text)) throw new SourceError('This is not a calendar: it does not begin with BEGIN:VCALENDAR.');
  return text;
}

/** @throws {SourceError} */
export async function readCalendarFile(path: string): Promise<string> {
  const file = await open(path).catch(() => {
    throw new SourceError(`The file "${path}" cannot be read.`);
  });
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw new SourceError('The file is larger than 50 MB.');
    return calendarText(await file.readFile());
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new SourceError(`The file "${path}" cannot be read.`);
    throw error;
  } finally {
    await file.close();
  }
}
