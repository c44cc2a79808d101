import type { HandlerContext } from '../../http/endpoint.ts';
import { networkOf } from '../../lib/addresses.ts';
import { visitorOf } from '../cart/visitor-token.ts';

export interface Caller {
  /** Namespace of the caller's keys, separate from those of others. */
  name: string;
  /** Whether its credential was verified. */
  isKnown: boolean;
}

/**
 * The owner of a key: an account, however it signed in, a check-in key, a cart, or a network address. Callers without
 * credentials share no scope, since the answer to one may contain a cart.
 */
export function callerOf(ctx: HandlerContext): Caller {
  const { account, key } = ctx.viewer;
  if (account) return { name: `account ${account.id}`, isKnown: true };
  if (key) return { name: `check-in key ${key.id ?? 'of the settings'}`, isKnown: true };
  const { tokenHash } = visitorOf(ctx);
  const name = tokenHash === undefined ? `network ${networkOf(ctx.client.address)}` : `cart ${tokenHash}`;
  return { name, isKnown: false };
}
