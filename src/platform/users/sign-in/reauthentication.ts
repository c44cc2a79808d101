import type { GuardedContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { isPasswordOf } from '../password-check.ts';
import type { UserRow } from '../store.ts';
import { authMethodOf } from './credentials.ts';
import { getOwnUser } from './rights.ts';
import { consumeCode, hasSecondFactor } from './second-factor.ts';
import { recordReauthentication } from './session-store.ts';

/** Re-authentication: protects against open browsers and stolen credentials. */

/** Lifetime of a re-authentication in seconds. */
export const REAUTHENTICATION_LIFETIME = 10 * 60;

/** Password or second-factor code of the viewer's own account. */
export interface Reauthentication {
  password?: string;
  code?: string;
}

/**
 * Whether the viewer has re-authenticated: with Basic and the account password, or with a proof sent in this request or
 * in the same session within the last ten minutes. A correct proof counts for the session from now on. Signing in does
 * not count, and tokens and application passwords cannot re-authenticate. Must not be called within a transaction.
 * @throws {ApiError} confirmation-required for a wrong proof, too_many_attempts
 */
async function isConfirmed(ctx: GuardedContext, proof: Reauthentication = {}): Promise<boolean> {
  const means = authMethodOf(ctx.viewer);
  if (means?.kind === 'password') return true;
  if (means?.kind !== 'session') return false;
  if (proof.password === undefined && proof.code === undefined)
    return means.confirmedUtc !== null && addSeconds(means.confirmedUtc, REAUTHENTICATION_LIFETIME) > toUtc(ctx.now);
  if (!(await isProof(ctx, await getOwnUser(ctx), proof))) throw new ApiError('confirmation-required');
  await recordReauthentication(ctx.context.db, means.id, ctx.now);
  return true;
}

/** @throws {ApiError} confirmation-required unless `isConfirmed` */
export async function requireReauthentication(ctx: GuardedContext, proof?: Reauthentication): Promise<void> {
  if (!(await isConfirmed(ctx, proof))) throw new ApiError('confirmation-required');
}

async function isProof(ctx: GuardedContext, user: UserRow, { password, code }: Reauthentication): Promise<boolean> {
  if (code !== undefined) return hasSecondFactor(user) && consumeCode(ctx, user, code);
  if (password === undefined) return false;
  const { context, client, limits } = ctx;
  const check = { context, client, checkSecret: limits.checkSecret };
  return isPasswordOf(user, { name: user.username, secret: password }, check);
}

/**
 * Returns a check for the moment of a write: an account may have become an administrator since it was read.
 * @param isNeeded whether the write of an account requires re-authentication
 * @throws {ApiError} confirmation-required for a wrong proof, too_many_attempts
 */
export async function reauthenticationFor(
  ctx: GuardedContext,
  isNeeded: (user: UserRow) => boolean,
  proof: Reauthentication,
): Promise<(user: UserRow) => void> {
  const isDone = await isConfirmed(ctx, proof);
  return (user) => {
    if (isNeeded(user) && !isDone) throw new ApiError('confirmation-required');
  };
}
