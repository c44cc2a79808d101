import type { HandlerContext } from '../../http/core/endpoint.ts';
import { networkOf } from '../../lib/addresses.ts';
import { type AuthMethod, type SignedIn, signedInOf } from '../users/credentials.ts';
import { visitorOf } from '../users/visitor-token.ts';

export interface Caller {
  /** Namespace of the caller's keys, separate from those of others. */
  name: string;
  /** Whether its credential was verified. */
  isKnown: boolean;
}

/**
 * The owner of a key: an account with certain rights, a check-in key, a cart, or a network address. With other rights,
 * an account is another caller: a kept reply must not show it what it may no longer see. Callers without credentials
 * share no scope, since the answer to one may contain a cart.
 */
export function callerOf(ctx: HandlerContext): Caller {
  const { key } = ctx.viewer;
  const viewer = signedInOf(ctx.viewer);
  const names = [viewer && accountName(viewer), key && `check-in key ${key.id ?? 'of the settings'}`];
  const known = names.filter((name) => name !== undefined);
  if (known.length > 0) return { name: known.join(' with '), isKnown: true };
  const { tokenHash } = visitorOf(ctx);
  const name = tokenHash === undefined ? `network ${networkOf(ctx.client.address)}` : `cart ${tokenHash}`;
  return { name, isKnown: false };
}

const accountName = ({ account, means }: SignedIn): string =>
  `account ${account.id} ${account.role} ${rightsOf(means)}`;

/** What of a sign-in its rights depend on, besides the role: a person may do things that programs may not. */
function rightsOf(means: AuthMethod): string {
  if (means.kind === 'token') return `token ${means.scopes.toSorted().join()}`;
  return means.kind === 'app-password' ? 'app-password' : 'person';
}
