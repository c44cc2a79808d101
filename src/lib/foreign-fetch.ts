import { lookup as dnsLookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedHost, isPublicAddress, isUsualPort } from './addresses.ts';

/** Requests to addresses that users name: never to the private network of the server, unless its operator allows it. */

type Address = { address: string; family: number };

/**
 * - `not-a-url`: not an absolute http or https URL, or one with credentials in it
 * - `address-not-allowed`: leads (possibly by redirect or DNS) to a port or an address that visitors may not reach
 * - `unreachable`: no such host, no connection, an incomplete response, too many redirects
 */
export type ForeignFailure = 'not-a-url' | 'address-not-allowed' | 'unreachable' | 'too-large' | 'timeout';

export interface ForeignOptions {
  /** Hosts that may have private addresses, in the notation of `readHostEntry`. */
  allowedHosts: readonly string[];
  /** Headers of the request; the headers for a redirect may differ. */
  headersFor: (url: URL) => Readonly<Record<string, string>>;
  /** Aborts name look-ups, redirects and the download. */
  signal: AbortSignal;
  lookup?: (hostname: string) => Promise<Address[]>;
}

/** A response whose body has not been read, and its URL after redirects. */
export interface ForeignResponse {
  url: URL;
  response: IncomingMessage;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Requests an address by GET, follows redirects, and reads the response. Never throws. */
export async function fetchForeign<T extends object>(
  url: string,
  options: ForeignOptions,
  read: (response: ForeignResponse) => Promise<T>,
): Promise<T | { failure: ForeignFailure }> {
  try {
    return await follow(url, options, read);
  } catch {
    return { failure: options.signal.aborted ? 'timeout' : 'unreachable' };
  }
}

async function follow<T extends object>(
  url: string,
  options: ForeignOptions,
  read: (response: ForeignResponse) => Promise<T>,
): Promise<T | { failure: ForeignFailure }> {
  let next = URL.parse(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const opened = await open(next, options);
    if ('failure' in opened) return opened;
    const { response, url: at } = opened;
    try {
      if (!REDIRECTS.includes(response.statusCode ?? 0)) return await read(opened);
      const { location } = response.headers;
      if (location === undefined) return { failure: 'unreachable' };
      next = URL.parse(location, at);
    } finally {
      response.destroy();
    }
  }
  return { failure: 'unreachable' };
}

async function open(url: URL | null, options: ForeignOptions): Promise<ForeignResponse | { failure: ForeignFailure }> {
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return { failure: 'not-a-url' };
  const trusted = isAllowedHost(url, options.allowedHosts);
  if (!trusted && !isUsualPort(url)) return { failure: 'address-not-allowed' };

  const addresses = await resolve(url, options);
  if (!trusted && !addresses.every(({ address }) => isPublicAddress(address)))
    return { failure: 'address-not-allowed' };
  return { url, response: await get(url, addresses, options) };
}

/** The body of a response. Throws if it is cut off. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { failure: 'too-large' }> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return { failure: 'too-large' };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return { failure: 'too-large' };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks, size) };
}

/** Connects to the checked addresses only, so that a second look-up cannot return others. */
function get(url: URL, addresses: Address[], { signal, headersFor }: ForeignOptions): Promise<IncomingMessage> {
  // Loaded as in `src/http/connection/server.ts`, and only with the first fetch.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const pinned: LookupFunction = (_hostname, { all }, callback) => {
    if (all) return callback(null, addresses);
    callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
  return new Promise((resolve, reject) => {
    // Without an agent, the rest of the process shares no connection, proxy or TLS session.
    request(url, { agent: false, headers: headersFor(url), lookup: pinned, signal })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Addresses of the host, at least one. The URL parser has already normalised 0x7f.1, 2130706433 and the like. */
async function resolve(url: URL, options: ForeignOptions): Promise<Address[]> {
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
