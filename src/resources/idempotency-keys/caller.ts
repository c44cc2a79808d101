import type { Call } from '../../http/endpoint.ts';
import { networkOf } from '../../lib/addresses.ts';
import { visitorOf } from '../cart/identity.ts';

export interface Caller {
  /** Whose keys are meant: those of others never meet them. */
  name: string;
  /** Whether it showed a credential that was checked. */
  isKnown: boolean;
}

/**
 * Who sends a key: an account, however it signed in, a check-in key, a cart, or whoever is behind a network address.
 * Strangers have no common name, since the answer of one may be a cart of its own.
 */
export function callerOf(call: Call): Caller {
  const { account, key } = call.viewer;
  if (account) return { name: `account ${account.id}`, isKnown: true };
  if (key) return { name: `check-in key ${key.id ?? 'of the settings'}`, isKnown: true };
  const { tokenHash } = visitorOf(call);
  const name = tokenHash === undefined ? `network ${networkOf(call.client.address)}` : `cart ${tokenHash}`;
  return { name, isKnown: false };
}
