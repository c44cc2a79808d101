import { BlockList, isIP } from 'node:net';
import type { Config } from '../config.ts';
import { restPath } from './rest-path.ts';
import { type NamespaceName, Urls } from './urls.ts';

/** Characters of a host: a name of 253 with a dot at its end, a colon and a port. Every link of an answer repeats it. */
export const MAX_HOST = 260;

/** Whether a peer is one of the proxies of MARQUEE_TRUST_PROXY. */
export function proxyTrust(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries.flatMap((item) => (item === 'loopback' ? ['127.0.0.0/8', '::1'] : [item]))) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 addresses arrive as `::ffff:10.0.0.1` on a socket that serves both families. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** An address of `X-Forwarded-For`, to which some proxies add a port. */
function addressIn(item: string): string | undefined {
  const text = item.trim();
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/**
 * The last address that is not a trusted proxy, or the first of all when they are. What stands before something that is
 * no address counts for nothing: the client may have written it.
 */
function clientOf(forwarded: string, isTrusted: (address: string) => boolean): string | undefined {
  let furthest: string | undefined;
  for (const item of forwarded.split(',').reverse()) {
    const address = addressIn(item);
    if (address === undefined) return furthest;
    furthest = address;
    if (!isTrusted(address)) return address;
  }
  return furthest;
}

interface Connection {
  /** Address of the other end of the socket. */
  socketAddress: string;
  config: Config;
  /** Says which addresses are proxies that count. */
  isTrusted: (address: string) => boolean;
  /** Records the headers of an untrusted peer and returns whether it appears to be a proxy. */
  isUndeclared?: (socketAddress: string, headers: Headers) => boolean;
}

/** Origin of a request, for limits. */
export interface ClientAddress {
  /** Past trusted proxies. */
  address: string;
  /** Whether the address is that of an undeclared proxy, and so of all its visitors. */
  isShared?: boolean;
}

export interface ClientInfo extends ClientAddress {
  /** Scheme, host and port as the client wrote them. */
  origin: string;
}

/**
 * Who asks, and under which origin. `X-Forwarded-For`, `-Proto` and `-Host` count only when the connection comes from a
 * trusted proxy.
 */
export function clientInfoOf(
  request: Request,
  { socketAddress, config, isTrusted, isUndeclared }: Connection,
): ClientInfo {
  const socket = plainAddress(socketAddress);
  const url = new URL(request.url);
  if (!isTrusted(socket)) {
    const isShared = isUndeclared?.(socket, request.headers) ?? false;
    return { address: socket, isShared, origin: config.url ?? url.origin };
  }
  const client = clientOf(request.headers.get('x-forwarded-for') ?? '', isTrusted);
  return { address: client ?? socket, origin: config.url ?? forwardedOrigin(request, url) };
}

function forwardedOrigin(request: Request, url: URL): string {
  const scheme = firstOf(request.headers.get('x-forwarded-proto')) ?? url.protocol.slice(0, -1);
  const forwarded = firstOf(request.headers.get('x-forwarded-host'));
  const host = forwarded === undefined || forwarded.length > MAX_HOST ? url.host : forwarded;
  const origin = URL.parse(`${scheme === 'https' ? 'https' : 'http'}://${host}`);
  return origin?.origin ?? url.origin;
}

const firstOf = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined;

const NAMESPACE = /^(\/wp-json)?\/(calendar|tribe)\/(events|tickets|admin)\/v1(\/.*)?$/i;
/** The core namespace has no word of its own; its links and its names are those of the reference. */
const CORE_NAMESPACE = /^\/wp-json\/wp\/v2(\/.*)?$/i;

/** What a request of the REST interface asks for. */
export interface RequestTarget {
  namespace: NamespaceName;
  /** Below the namespace, beginning with a slash or empty. */
  path: string;
  /** The query, with its question mark or empty. */
  search: string;
  urls: Urls;
}

const REFERENCE_ROOT = /^\/wp-json(\/.*)?$/i;

/** The target of a request in a namespace or below `/wp-json`; undefined for any other. */
export function requestTargetOf(url: URL, origin: string): RequestTarget | undefined {
  const { path, search } = restPath(url);
  const found = namespaceOf(path, origin);
  if (found) return { ...found, search };
  const below = REFERENCE_ROOT.exec(path);
  return below ? { namespace: 'root', path: below[1] ?? '', search, urls: new Urls(origin, '/wp-json') } : undefined;
}

/** Splits a path; undefined for one that is in none of the namespaces. */
export function namespaceOf(
  pathname: string,
  origin: string,
): { namespace: NamespaceName; path: string; urls: Urls } | undefined {
  const core = CORE_NAMESPACE.exec(pathname);
  if (core) return { namespace: 'wp', path: core[1] ?? '', urls: new Urls(origin, '/wp-json', 'tribe') };
  const [, prefix, word = '', name = '', path = ''] = NAMESPACE.exec(pathname) ?? [];
  const spoken = word.toLowerCase();
  if (spoken === '' || (spoken === 'tribe' && !prefix)) return undefined;
  const urls = new Urls(origin, prefix ? '/wp-json' : '', spoken);
  // The pattern allows these three names only.
  return { namespace: name.toLowerCase() as NamespaceName, path, urls };
}
