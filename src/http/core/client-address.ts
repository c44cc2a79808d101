import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../../base/config.ts';
import type { RequestHeaders } from './request.ts';

/**
 * Maximum length of a host: a name of 253 characters, a trailing dot, a colon and a port. Every link in an answer
 * contains it.
 */
export const MAX_HOST = 260;

/** Predicate for the proxies in MARQUEE_TRUST_PROXY. */
export function proxyTrust(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
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

/** Address of the other end of a connection; empty, which nobody trusts, when the system does not say. */
export const addressOf = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  plainAddress(socket.remoteAddress ?? '');

/** Parses an address of `X-Forwarded-For`, to which some proxies append a port. */
function addressIn(item: string): string | undefined {
  const text = item.trim();
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/**
 * The last address that is not a trusted proxy, or the first if all are. Items before an invalid one are ignored, since
 * the client may have forged them.
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
  /** Whether an address is a trusted proxy. */
  isTrusted: (address: string) => boolean;
  /** Records the headers of an untrusted peer and returns whether it appears to be a proxy. */
  isUndeclared?: (socketAddress: string, headers: RequestHeaders) => boolean;
}

/** Address of a client, for limits. */
export interface ClientAddress {
  /** Past trusted proxies. */
  address: string;
  /** Whether it is the address of an undeclared proxy, shared by its visitors. */
  isShared?: boolean;
}

/** Client of a request, and the origin under which it reached the server. */
export interface ClientInfo extends ClientAddress {
  /** Scheme, host and port as the client wrote them. */
  origin: string;
}

/**
 * The client and origin of a request. `X-Forwarded-For`, `-Proto` and `-Host` count only on connections from trusted
 * proxies.
 */
export function clientInfoOf(
  { url, headers }: { url: URL; headers: RequestHeaders },
  { socketAddress, config, isTrusted, isUndeclared }: Connection,
): ClientInfo {
  const socket = plainAddress(socketAddress);
  if (!isTrusted(socket)) {
    const isShared = isUndeclared?.(socket, headers) ?? false;
    return { address: socket, isShared, origin: config.url ?? url.origin };
  }
  const client = clientOf(headers.get('x-forwarded-for') ?? '', isTrusted);
  const forwarded = {
    scheme: headers.get('x-forwarded-proto'),
    host: headers.get('x-forwarded-host'),
  };
  return { address: client ?? socket, origin: config.url ?? forwardedOrigin(url, forwarded) };
}

/** The origin that a trusted proxy names by `X-Forwarded-Proto` and `-Host`. */
function forwardedOrigin(url: URL, named: { scheme: string | null; host: string | null }): string {
  const scheme = firstOf(named.scheme) ?? url.protocol.slice(0, -1);
  const forwarded = firstOf(named.host);
  const host = forwarded === undefined || forwarded.length > MAX_HOST ? url.host : forwarded;
  const origin = URL.parse(`${scheme === 'https' ? 'https' : 'http'}://${host}`);
  return origin?.origin ?? url.origin;
}

const firstOf = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined;
