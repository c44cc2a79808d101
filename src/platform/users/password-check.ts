import type { Context } from '../../base/context.ts';
import type { ClientAddress } from '../../http/core/client-address.ts';
import type { CheckSecret } from '../../http/core/limits.ts';
import { isForeignHash, verifyForeignHash, withoutBlanks } from '../../lib/foreign-hash.ts';
import { secretHash } from '../../lib/hash.ts';
import { type AppPasswordRow, listAppPasswords } from './credential-store.ts';
import { appPasswordHash, isAppPassword } from './generate.ts';
import { hashPassword, unmatchableHash, verifyPassword } from './passwords.ts';
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
  const isRight = await checkSecret(attempt, () => verifyStored(secret, stored, context));
  if (!isRight || user === undefined) return false;
  if (isForeignHash(stored)) await replaceForeignHash(context, user, secret);
  return true;
}

/** Whether a password matches. A foreign hash takes at least the time of an unknown name, since both run ours. */
async function verifyStored(secret: string, stored: string, context: Context): Promise<boolean> {
  if (!isForeignHash(stored)) return verifyPassword(secret, stored);
  const [isRight] = await Promise.all([
    verifyForeignHash(secret, stored),
    verifyPassword(secret, hashOfUnknownUser(context)),
  ]);
  return isRight;
}

/**
 * Hashes an imported password anew, after its first sign-in. Its sessions go on: the password is the same. A password
 * that was set meanwhile stays.
 */
async function replaceForeignHash(context: Context, { id, password_hash }: UserRow, secret: string): Promise<void> {
  // Blanks around it did not count so far, and are no part of it.
  const hashed = await hashPassword(withoutBlanks(secret), context);
  await context.db.query
    .updateTable('users')
    .set({ password_hash: hashed })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute();
}

/**
 * The application password of an account that another site hashed and that a secret matches, now hashed as ours are.
 * Guesses at it count as those at the password of the account.
 * @throws {ApiError} too_many_attempts
 */
export async function matchForeignAppPassword(
  user: UserRow,
  secret: string,
  { context, client, checkSecret }: PasswordCheck,
): Promise<AppPasswordRow | undefined> {
  const rows = (await listAppPasswords(context.db, user.id)).filter(({ hash }) => isForeignHash(hash)).slice(0, MOST);
  if (rows.length === 0) return undefined;
  const bare = secret.replace(/\s/g, '');
  let found: AppPasswordRow | undefined;
  const match = async () => {
    for (const row of rows) if (!found && (await verifyForeignHash(bare, row.hash))) found = row;
    return found !== undefined;
  };
  const attempt = {
    kind: 'app-password',
    subject: accountSubject(user.id),
    secret: `${user.username}:${bare}`,
    stored: rows.map(({ hash }) => hash).join(),
    client,
  } as const;
  // A concurrent request with the same secret may have been checked in place of this one.
  if ((await checkSecret(attempt, match)) && !found) await match();
  if (!found) return undefined;
  await context.db.query
    .updateTable('app_passwords')
    .set({ hash: appPasswordHash(secret) })
    .where('id', '=', found.id)
    .where('hash', '=', found.hash)
    .execute();
  return found;
}

/** Foreign application passwords of an account that one request may check. */
const MOST = 20;

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
