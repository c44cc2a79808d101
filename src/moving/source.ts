import { setTimeout as sleep } from 'node:timers/promises';
import { type ForeignFailure, type ForeignResponse, fetchForeign, readBody } from '../lib/foreign-fetch.ts';
import { isRecord, membersOf } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { storable } from '../lib/text/text.ts';

/** The site that an import reads, one request at a time. Requests are repeated after temporary faults. */

/** Thrown to stop an import; the message is one sentence for the operator. */
export class SourceError extends Error {}

/** Thrown if the source has no such record or route, or does not show it. */
export class SourceRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`The source responded with status ${status}${code ? ` (${code})` : ''}.`);
    this.status = status;
    this.code = code;
  }
}

export interface SourceOptions {
  /** Address of the site. The operator typed it, so it may be private. */
  address: string;
  /** Address under which the site was imported, if it has another one now. */
  formerAddress?: string;
  credentials?: { user: string; password: string };
  /** Hosts that may have private addresses; by default the one of the address. */
  allowedHosts?: readonly string[];
  /** Waits some milliseconds before another attempt. */
  pause?: (milliseconds: number) => Promise<unknown>;
}

const MAX_BYTES = 30_000_000;
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
/** Longest wait that a source may ask for. */
const MAX_PAUSE_MS = 300_000;
/** Records per page: the most that the reference allows in lists of events. */
const PER_PAGE = 50;

export type Item = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string | number | undefined>>;

/** One page of a list. */
export interface Page {
  items: readonly Item[];
  /** Number of records in all pages, as far as the source says. */
  total: number;
  pages: number;
}

interface SourceResponse {
  body: unknown;
  headers: ForeignResponse['response']['headers'];
}

export interface Source {
  /** Address without a slash at its end; names the source in `import_links`. */
  address: string;
  hasCredentials: boolean;
  /** Hosts that may have private addresses; absent for files. */
  allowedHosts?: readonly string[];
  /**
   * Reads JSON below `/wp-json/`.
   * @throws {SourceRefusal} for a status of 4xx
   * @throws {SourceError} if several attempts fail
   */
  read(path: string, query?: Query): Promise<SourceResponse>;
  /** Reads a page of a list; its items are the member `key`, or the body itself. */
  page(path: string, query: Query & { page: number }, key?: string): Promise<Page>;
  /** The source as visitors see it. */
  asVisitor(): Source;
  /** Reads an image from a folder, in place of its address; undefined if it is not there. Absent for running sites. */
  file?(url: string): Promise<SourceFile | undefined>;
}

export interface SourceFile {
  bytes: Buffer;
  fileName: string;
}

/** @throws {SourceError} for an invalid address */
export function openSource({ address, credentials, pause = sleep, ...options }: SourceOptions): Source {
  const site = siteOf(address);
  const { formerAddress, allowedHosts = [site.host] } = options;
  const base = site.href.replace(/\/$/, '');
  const basic = credentials && Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');

  const read = async (path: string, query: Query = {}): Promise<SourceResponse> => {
    const url = new URL(`${base}/wp-json/${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    for (let left = ATTEMPTS - 1, wait = FIRST_PAUSE_MS; ; left--, wait *= 2) {
      const outcome = await ask(url, { site, basic, allowedHosts });
      if ('body' in outcome) return outcome;
      if (left === 0) throw new SourceError(`${outcome.fault} Asked for: ${url.pathname}${url.search}`);
      await pause(Math.min(outcome.wait ?? wait, MAX_PAUSE_MS));
    }
  };

  return {
    address: formerAddress === undefined ? base : siteOf(formerAddress).href.replace(/\/$/, ''),
    hasCredentials: basic !== undefined,
    allowedHosts,
    read,
    async page(path, query, key) {
      const asked = { per_page: PER_PAGE, ...query };
      const found = pageOf(await read(path, asked), key);
      // A page with too few records was truncated, or the list has changed: request it once more.
      return isShort(found, query.page) ? pageOf(await read(path, asked), key) : found;
    },
    asVisitor: () => openSource({ address, formerAddress, pause, allowedHosts }),
  };
}

/** @throws {SourceError} */
function siteOf(address: string): URL {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol)) throw new SourceError(`"${address}" is not a web address.`);
  if (url.username || url.password)
    throw new SourceError('Leave the password out of the address: use --user and --password-file.');
  url.hash = '';
  url.search = '';
  const end = `${url.pathname}/`.indexOf('/wp-json/');
  if (end >= 0) url.pathname = url.pathname.slice(0, end + 1);
  return url;
}

/** A temporary fault, with the milliseconds that the source asks to wait. */
interface PassingFault {
  fault: string;
  wait?: number;
}

interface RawResponse {
  status: number;
  headers: SourceResponse['headers'];
  url: URL;
  bytes: Buffer;
}

/**
 * One attempt. The password is sent only to the site itself, wherever redirects lead.
 * @throws {SourceError | SourceRefusal} for permanent faults
 */
async function ask(
  url: URL,
  { site, basic, allowedHosts }: { site: URL; basic: string | undefined; allowedHosts: readonly string[] },
): Promise<SourceResponse | PassingFault> {
  const headersFor = (at: URL) => ({
    'user-agent': 'Marquee import',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(basic !== undefined && at.origin === site.origin && { authorization: `Basic ${basic}` }),
  });
  const options = { allowedHosts, headersFor, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const raw = await fetchForeign<RawResponse | { failure: ForeignFailure }>(url.href, options, readRaw);
  if ('failure' in raw) return faultOf(raw.failure, url);
  if (raw.url.origin !== site.origin)
    throw new SourceError(`The source has moved to ${raw.url.origin}. Name that address instead.`);
  return readResponse(raw);
}

async function readRaw({ response, url }: ForeignResponse): Promise<RawResponse | { failure: ForeignFailure }> {
  const body = await readBody(response, MAX_BYTES);
  if ('failure' in body) return body;
  return { status: response.statusCode ?? 0, headers: response.headers, url, bytes: body.bytes };
}

/** @throws {SourceError} */
function faultOf(failure: ForeignFailure, url: URL): PassingFault {
  if (failure === 'address-not-allowed' || failure === 'not-a-url')
    throw new SourceError(`The source leads to an address that is not public, from ${url.origin}.`);
  if (failure === 'too-large') throw new SourceError(`A response of the source is too long: ${url.pathname}`);
  return {
    fault:
      failure === 'timeout' ? 'The source takes too long to respond.' : 'The source does not respond, or breaks off.',
  };
}

/** @throws {SourceRefusal} */
function readResponse({ status, headers, bytes }: RawResponse): SourceResponse | PassingFault {
  if (status === 429 || status >= 500)
    return { fault: `The source responded with status ${status}.`, wait: waitOf(headers['retry-after']) };
  const body = parsed(bytes);
  if (status >= 400) throw new SourceRefusal(status, isRecord(body) ? (scalarText(body.code) ?? '') : '');
  if (body === undefined) return { fault: 'The source sent something other than JSON.' };
  return { body, headers };
}

/** Parses JSON; undefined for anything else. Broken UTF-8 becomes replacement characters, which are reported later. */
function parsed(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    const storing = (_name: string, value: unknown) => (typeof value === 'string' ? storable(value) : value);
    return JSON.parse(text, /\\u(?:0000|d[89a-f])/i.test(text) ? storing : undefined);
  } catch {
    return undefined;
  }
}

/** Milliseconds of `Retry-After`. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** @throws {SourceError} if the response is not a list */
function pageOf({ body, headers }: SourceResponse, key?: string): Page {
  const list = key !== undefined && isRecord(body) ? body[key] : body;
  const items = membersOf(list);
  if (!items || (key !== undefined && list === body))
    throw new SourceError('The source sent something other than a list.');
  const number = (member: string, header: string): number => {
    const value = Number(
      scalarText(key !== undefined && isRecord(body) ? body[member] : undefined) ?? headers[header] ?? 0,
    );
    return Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return {
    items: items.filter(isRecord),
    total: number('total', 'x-wp-total'),
    pages: number('total_pages', 'x-wp-totalpages'),
  };
}

const isShort = ({ items, total, pages }: Page, page: number): boolean =>
  page < pages ? items.length < PER_PAGE : items.length < total - (page - 1) * PER_PAGE;
