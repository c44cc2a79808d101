import type { Logger } from 'pino';
import { isPrivateAddress } from '../../lib/addresses.ts';
import type { RequestHeaders } from './request.ts';

/** Headers in which proxies name the client. */
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
      return `${peers.join(', ')} sent forwarding headers but is not in MARQUEE_TRUST_PROXY: visitors are not told apart by address`;
    },
  };
}
