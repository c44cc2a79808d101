import { isIPv4 } from 'node:net';
import { networkOf } from './addresses.ts';

/** How somebody has proved who they are; commands on the machine of the server need not. */
export const MEANS = ['password', 'app-password', 'token', 'session', 'check-in-key', 'command-line'] as const;
export type Means = (typeof MEANS)[number];

/** The application password, token, session or check-in key that a request brought. */
export interface Credential {
  means: Means;
  id: number | null;
  /** Empty for those without one. */
  name: string;
}

/** Who acts, as the audit log records it. */
export interface Actor {
  /** null for a check-in key or a command. */
  account: { id: number; name: string } | null;
  credential: Credential;
  /** As `shortenedNetwork` gives it; empty for a command. */
  network: string;
  /** Empty for a command. */
  requestId: string;
  now: Date;
}

/** Somebody who runs a command on the machine of the server. */
export const commandLine = (now: Date): Actor => ({
  account: null,
  credential: { means: 'command-line', id: null, name: '' },
  network: '',
  requestId: '',
  now,
});

/** The network of an address, too short to tell single people apart: of IPv4 the /24, of IPv6 the /48. */
export function shortenedNetwork(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : '';
}
