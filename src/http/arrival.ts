import { BlockList, isIP } from 'node:net';
import type { Config } from '../config.ts';
import { type NamespaceName, Urls } from './urls.ts';

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
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

interface Connection {
  /** Address of the other end of the socket. */
  socketAddress: string;
  config: Config;
  /** Says which addresses are proxies that count. */
  isTrusted: (address: string) => boolean;
}

export interface Peer {
  /** Address of the client, past trusted proxies. */
  address: string;
  /** Scheme, host and port as the client wrote them. */
  origin: string;
}

/**
 * Who asks, and under which origin. `X-Forwarded-For`, `-Proto` and `-Host` count only when the connection comes from a
 * trusted proxy; of the addresses the last one that is not a trusted proxy is the client.
 */
export function peerOf(request: Request, { socketAddress, config, isTrusted }: Connection): Peer {
  const socket = plainAddress(socketAddress);
  const url = new URL(request.url);
  if (!isTrusted(socket)) return { address: socket, origin: config.url ?? url.origin };
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((item) => plainAddress(item.trim()));
  const client = forwarded.filter((item) => isIP(item) !== 0).findLast((item) => !isTrusted(item));
  return { address: client ?? socket, origin: config.url ?? forwardedOrigin(request, url) };
}

function forwardedOrigin(request: Request, url: URL): string {
  const scheme = firstOf(request.headers.get('x-forwarded-proto')) ?? url.protocol.slice(0, -1);
  const host = firstOf(request.headers.get('x-forwarded-host')) ?? url.host;
  const origin = URL.parse(`${scheme === 'https' ? 'https' : 'http'}://${host}`);
  return origin?.origin ?? url.origin;
}

const firstOf = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined;

const NAMESPACE = /^(\/wp-json)?\/(calendar|tribe)\/(events|tickets|admin)\/v1(\/.*)?$/i;

/** Splits the path of a request for the REST interface; undefined for any other path. */
export function namespaceOf(
  pathname: string,
  origin: string,
): { namespace: NamespaceName; path: string; urls: Urls } | undefined {
  const [, prefix, word = '', name = '', path = ''] = NAMESPACE.exec(pathname) ?? [];
  const spoken = word.toLowerCase();
  if (spoken === '' || (spoken === 'tribe' && !prefix)) return undefined;
  const urls = new Urls(origin, prefix ? '/wp-json' : '', spoken);
  // The pattern allows these three names only.
  return { namespace: name.toLowerCase() as NamespaceName, path, urls };
}
