import { lookup as dnsLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedHost, isPublicAddress, isUsualPort } from '../addresses.ts';
import { withoutEnds } from '../text/text.ts';

type Address = { address: string; family: number };

/**
 * - `not-a-url`: not an absolute http or https URL, or one with credentials in it
 * - `address-not-allowed`: leads (possibly by redirect or DNS) to a port or an address that anonymous users may not
 *   reach
 * - `unreachable`: no such host, no connection, an incomplete response, a status other than 200, too many redirects
 * - `not-an-image`: the declared type is not a supported image format
 */
export type FetchFailure =
  | 'not-a-url'
  | 'address-not-allowed'
  | 'unreachable'
  | 'too-large'
  | 'not-an-image'
  | 'timeout';

export type FetchedImage = { bytes: Buffer; finalUrl: string; fileName: string };

export type FetchOptions = {
  /** Hosts that may have private addresses, in the notation of `readHostEntry`. */
  allowedHosts: readonly string[];
  maxBytes: number;
  /** Aborts name look-ups, redirects and the download. */
  signal: AbortSignal;
  lookup?: (hostname: string) => Promise<Address[]>;
};

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const TYPES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'image/avif'];

const HEADERS = {
  'user-agent': 'Marquee',
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
  'accept-encoding': 'identity',
};

/**
 * Downloads an image from an untrusted URL. Never throws. `finalUrl` is the URL after redirects, `fileName` its
 * sanitised last segment; neither the extension nor the declared type proves the format.
 */
export async function fetchImage(
  url: string,
  options: FetchOptions,
): Promise<FetchedImage | { failure: FetchFailure }> {
  try {
    return await follow(url, options);
  } catch {
    return { failure: options.signal.aborted ? 'timeout' : 'unreachable' };
  }
}

async function follow(url: string, options: FetchOptions) {
  let next = URL.parse(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const outcome = await visit(next, options);
    if ('failure' in outcome || 'bytes' in outcome) return outcome;
    next = outcome.redirect;
  }
  return failed('unreachable');
}

async function visit(url: URL | null, options: FetchOptions) {
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return failed('not-a-url');
  const trusted = isAllowedHost(url, options.allowedHosts);
  if (!trusted && !isUsualPort(url)) return failed('address-not-allowed');

  const addresses = await resolve(url, options);
  if (!trusted && !addresses.every(({ address }) => isPublicAddress(address))) return failed('address-not-allowed');

  const response = await get(url, addresses, options.signal);
  try {
    if (REDIRECTS.includes(response.statusCode ?? 0)) return redirectOf(response, url);
    if (response.statusCode !== 200) return failed('unreachable');
    return await download(response, url, options.maxBytes);
  } finally {
    response.destroy();
  }
}

function redirectOf(response: IncomingMessage, url: URL) {
  const { location } = response.headers;
  return location === undefined ? failed('unreachable') : { redirect: URL.parse(location, url) };
}

async function download(response: IncomingMessage, url: URL, maxBytes: number) {
  if (!isImage(response)) return failed('not-an-image');
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return failed('too-large');

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return failed('too-large');
    chunks.push(chunk);
  }
  url.hash = '';
  return { bytes: Buffer.concat(chunks, size), finalUrl: url.href, fileName: fileNameOf(url) };
}

/** Rejects compressed bodies: they were not requested, and their true size is unknown. */
function isImage({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPES.includes(type) && (headers['content-encoding'] ?? 'identity') === 'identity';
}

/** Connects to the checked addresses only, so that a second look-up cannot return others. */
function get(url: URL, addresses: Address[], signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const pinned: LookupFunction = (_hostname, { all }, callback) => {
    if (all) return callback(null, addresses);
    callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
  return new Promise((resolve, reject) => {
    // Without an agent, the rest of the process shares no connection, proxy or TLS session.
    request(url, { agent: false, headers: HEADERS, lookup: pinned, signal })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Addresses of the host, at least one. The URL parser has already normalised 0x7f.1, 2130706433 and the like. */
async function resolve(url: URL, options: FetchOptions): Promise<Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];

  const lookup = options.lookup ?? ((hostname) => dnsLookup(hostname, { all: true }));
  const addresses = await Promise.race([lookup(host), abortOf(options.signal)]);
  if (addresses.length === 0) throw new Error('the name has no address');
  return addresses;
}

/** A name look-up cannot be cancelled, only abandoned. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function fileNameOf(url: URL): string {
  const segment = url.pathname.split('/').pop() ?? '';
  const name = decoded(segment)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-');
  return withoutEnds(withoutEnds(name, '.-').slice(-100), '.-') || 'image';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function failed(failure: FetchFailure): { failure: FetchFailure } {
  return { failure };
}
