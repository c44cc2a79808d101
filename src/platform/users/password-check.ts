import type { Context } from '../../base/context.ts';
import type { ClientAddress } from '../../http/core/client-address.ts';
import type { CheckSecret } from '../../http/core/limits.ts';
import { secretHash } from '../../lib/hash.ts';
import { isAppPassword } from './generate.ts';
import { unmatchableHash, verifyPassword } from './passwords.ts';
import { accountKey, type UserRow } from './store.ts';

/** Name and password as sent. */
interface SentPassword {
  name: string;
  secret: string;
}

export interface PasswordCheck {
  context: Context;
  client: ClientAddress;
  checkSecret: CheckSecret;
}

/**
 * Whether the password of an account is correct, with the same work for unknown names: response times must not reveal
 * which names exist.
 * @throws {ApiError} too_many_attempts
 */
export async function isPasswordOf(
  user: UserRow | undefined,
  { name, secret }: SentPassword,
  { context, client, checkSecret }: PasswordCheck,
): Promise<boolean> {
  const stored = user?.password_hash ?? hashOfUnknownUser(context);
  const attempt = {
    // A client with a revoked application password must not block its account.
    kind: isAppPassword(secret) ? 'app-password' : 'account-password',
    subject: subjectOf(user, name),
    secret: `${name}:${secret}`,
    stored,
    client,
  } as const;
  const isRight = await checkSecret(attempt, () => verifyPassword(secret, stored));
  return isRight && user !== undefined;
}

const UNKNOWN_USERS = new WeakMap<Context['config'], string>();

/**
 * Hash against which passwords of unknown names are checked. Constant, so that concurrent checks of the same password
 * are shared for these too.
 */
function hashOfUnknownUser(context: Context): string {
  const hash = UNKNOWN_USERS.get(context.config) ?? unmatchableHash(context);
  UNKNOWN_USERS.set(context.config, hash);
  return hash;
}

/** Hexadecimal digits: few enough that the input cannot be recovered from them. */
const TYPED_DIGITS = 6;

/**
 * Name and e-mail address of an account share a count; unknown names are counted too. They may be passwords typed into
 * the wrong field, so only a part of their hash is stored.
 */
const subjectOf = (user: UserRow | undefined, name: string): string =>
  user ? accountSubject(user.id) : `nobody-${secretHash(accountKey(name)).slice(0, TYPED_DIGITS)}`;

/** Key under which failures of an account are counted. */
export const accountSubject = (id: number): string => `user-${id}`;
