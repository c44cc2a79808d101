import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../../base/config.ts';
import { isPrivateAddress } from '../../lib/addresses.ts';
import type { RequestHeaders } from './request.ts';

/**
 * Maximum length of a host: a name of 253 characters, a trailing dot, a colon and a port. It is limited because every
 * link in a response contains the host.
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

/** Address of the peer of a connection; empty, and therefore untrusted, if unknown. */
export const addressOf = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  plainAddress(socket.remoteAddress ?? '');

/** Parses an address in `X-Forwarded-For`. Some proxies append a port. */
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
  /** Address of the peer of the socket. */
  socketAddress: string;
  config: Config;
  /** Tests if an address is a trusted proxy. */
  isTrusted: (address: string) => boolean;
  /** Records the headers of an untrusted peer. Returns true if it appears to be a proxy. */
  isUndeclared?: (socketAddress: string, headers: RequestHeaders) => boolean;
}

/** Address of a client, for limits. */
export interface ClientAddress {
  /** Address behind trusted proxies. */
  address: string;
  /** True for the address of an undeclared proxy, shared by its visitors. */
  isShared?: boolean;
}

/** Client of a request, and the origin under which it reached the server. */
export interface ClientInfo extends ClientAddress {
  /** Scheme, host and port as the client sent them. */
  origin: string;
}

/**
 * Client and origin of a request. `X-Forwarded-For`, `-Proto` and `-Host` count only on connections from trusted
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

/** Origin named by a trusted proxy in `X-Forwarded-Proto` and `-Host`. */
function forwardedOrigin(url: URL, named: { scheme: string | null; host: string | null }): string {
  const scheme = firstOf(named.scheme) ?? url.protocol.slice(0, -1);
  const forwarded = firstOf(named.host);
  const host = forwarded === undefined || forwarded.length > MAX_HOST ? url.host : forwarded;
  const origin = URL.parse(`${scheme === 'https' ? 'https' : 'http'}://${host}`);
  return origin?.origin ?? url.origin;
}

const firstOf = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined;

/** Headers in which proxies pass on the client's address. */
export const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];
/** Milliseconds without such a header after which a peer no longer counts as a proxy. */
const MEMORY = 15 * 60_000;
const MAX_PEERS = 1000;

export interface UndeclaredProxies {
  /** Records the headers of an untrusted peer. Returns true if it appears to be a proxy. */
  isOne(peer: string, headers: RequestHeaders): boolean;
  /** Advice for the operator; undefined if there are no such proxies. */
  notice(): string | undefined;
}

/**
 * Peers on this machine or a private network that send forwarding headers but are not listed in MARQUEE_TRUST_PROXY:
 * most likely proxies, behind which all visitors share one address. A public peer may forge such headers and is
 * ignored.
 */
export function createUndeclaredProxies({ log, now }: { log: Logger; now(): Date }): UndeclaredProxies {
  const until = new Map<string, number>();
  const said = new Set<string>();
  const isRecent = (peer: string) => (until.get(peer) ?? 0) > now().getTime();
  const note = (peer: string, header: string) => {
    if (until.size >= MAX_PEERS && !until.has(peer)) until.delete(until.keys().next().value ?? '');
    until.set(peer, now().getTime() + MEMORY);
    if (said.has(peer) || said.size >= MAX_PEERS) return;
    said.add(peer);
    log.warn(
      { peer, header },
      `${peer} sends ${header} but is not in MARQUEE_TRUST_PROXY, so all its visitors share one address: if it is your proxy, set MARQUEE_TRUST_PROXY=${peer}`,
    );
  };
  return {
    isOne(peer, headers) {
      if (!isPrivateAddress(peer)) return false;
      const header = FORWARDING_HEADERS.find((name) => headers.has(name));
      if (header !== undefined) note(peer, header);
      return header !== undefined || isRecent(peer);
    },
    notice() {
      const peers = [...until.keys()].filter(isRecent);
      if (peers.length === 0) return undefined;
      return `${peers.join(', ')} sent forwarding headers without being listed in MARQUEE_TRUST_PROXY: all visitors share one address`;
    },
  };
}
