import type { Context } from '../../context.ts';
import {
  type Account,
  ANONYMOUS,
  type Authenticate,
  SCOPES,
  type Scope,
  type Viewer,
  viewerOf,
} from '../../http/auth.ts';
import { ApiError } from '../../http/errors.ts';
import { toWall } from '../../lib/dates.ts';
import { secretHash } from '../../lib/secret.ts';
import { type Presented, readAuthorization } from './authorization.ts';
import { type CheckedPasswords, createCheckedPasswords } from './checked-passwords.ts';
import { findAppPassword, findTokenWithOwner, noteUse } from './credential-store.ts';
import { createGuessLimits, type GuessLimits, networkOf } from './guesses.ts';
import { unmatchableHash, verifyPassword } from './passwords.ts';
import { appPasswordHash, isAppPassword } from './secrets.ts';
import { accountKey, accountOf, findUserByLogin, type UserRow } from './store.ts';

/** What an account signed in with. */
export type Means = { kind: 'password' } | { kind: 'app-password' } | { kind: 'token'; scopes: Scope[] };

interface SignedIn extends Viewer {
  account: Account;
  means: Means;
}

/** What the viewer signed in with; undefined for nobody, and for ways other than the `Authorization` header. */
export const meansOf = (viewer: Viewer): Means | undefined =>
  'means' in viewer ? (viewer as SignedIn).means : undefined;

const signedIn = (user: UserRow, means: Means): SignedIn => {
  const account = accountOf(user);
  return { ...viewerOf(account, means.kind === 'token' ? means.scopes : undefined), account, means };
};

interface Checking {
  context: Context;
  address: string;
  limits: GuessLimits;
  passwords: CheckedPasswords;
  /**
   * What the password of a name without an account is checked against. Always the same, so that passwords that come
   * several times at once are checked once there too.
   */
  nobodysHash: string;
  tellsUnknownNames?: boolean;
}

/**
 * Checks the `Authorization` header. Wrong credentials are an error even where none are needed: a program must not take
 * the public answer for its own.
 *
 * Only passwords that people choose can be guessed, so only they are held up by failures. Application passwords and tokens
 * always work. A password that was right before keeps working from the same network while its account is held up, so
 * nobody elsewhere can shut out a program that runs; once that network itself fails too often, it no longer does, for
 * else guesses from there would have no limit.
 */
export function createAuthenticator(): Authenticate {
  const limits = createGuessLimits();
  const passwords = createCheckedPasswords();
  let nobodysHash: string | undefined;
  return async (context, { authorization, address, tellsUnknownNames }) => {
    if (authorization === undefined) return ANONYMOUS;
    try {
      const presented = readAuthorization(authorization);
      if (!presented) throw refused('invalid_token');
      nobodysHash ??= unmatchableHash(context);
      const checking = { context, address, limits, passwords, nobodysHash, tellsUnknownNames };
      return await (presented.scheme === 'bearer'
        ? byToken(presented.token, checking)
        : byPassword(presented, checking));
    } catch (error) {
      // For tools that watch the log for guesses. What was sent is not logged: it may be right but for one letter.
      if (error instanceof ApiError) context.log.info({ address, code: error.code }, 'credentials refused');
      throw error;
    }
  };
}

/**
 * A 401 has to name a scheme. It is Bearer, because for Basic a browser would put its own dialog before a page whose script
 * asked; clients that use Basic here send it unasked, since nothing but a wrong password would ever ask for it.
 */
function refused(code: 'invalid_token' | 'invalid_username' | 'incorrect_password'): ApiError {
  const challenge = `Bearer realm="Marquee"${code === 'invalid_token' ? ', error="invalid_token"' : ''}`;
  return new ApiError(code, { headers: { 'WWW-Authenticate': challenge } });
}

async function byPassword(sent: Presented & { scheme: 'basic' }, checking: Checking): Promise<Viewer> {
  const { context, limits, passwords, address } = checking;
  const user = await findUserByLogin(context.db, sent.name);
  const stored = user?.password_hash ?? checking.nobodysHash;
  const check = { pair: sent.pair, stored, network: networkOf(address) };
  if (user && passwords.remembers(check) && (await limits.isOpen(address))) return signedIn(user, { kind: 'password' });
  // Asked for nobody too: how long the answer takes must not tell which names there are.
  const hasApp = await hasAppPassword(user?.id ?? 0, sent.secret, context);
  if (user && hasApp) return signedIn(user, { kind: 'app-password' });

  // Name and e-mail address of one account share a count.
  const guess = { account: user?.username_key ?? accountKey(sent.name), address };
  const isRight = await passwords.check(check, async () => {
    await limits.spend(guess);
    const isRight = await verifyPassword(sent.secret, stored);
    if (isRight) await limits.forgive(guess);
    return isRight;
  });
  if (!user && checking.tellsUnknownNames) throw refused('invalid_username');
  if (!user || !isRight) throw refused('incorrect_password');
  return signedIn(user, { kind: 'password' });
}

async function hasAppPassword(userId: number, secret: string, context: Context): Promise<boolean> {
  if (!isAppPassword(secret)) return false;
  const found = await findAppPassword(context.db, userId, appPasswordHash(secret));
  if (found) noteLater(context, { ...found, table: 'app_passwords' });
  return found !== undefined;
}

async function byToken(token: string, { context, address, limits }: Checking): Promise<Viewer> {
  const found = await findTokenWithOwner(context.db, secretHash(token));
  const isValid = found && (found.expires_utc === null || found.expires_utc > toWall(context.now()));
  if (!isValid) {
    await limits.spendToken(address);
    throw refused('invalid_token');
  }
  noteLater(context, { table: 'tokens', id: found.token_id, last_used_utc: found.last_used_utc });
  return signedIn(found, { kind: 'token', scopes: scopesOf(found.scopes) });
}

/** The scopes of a stored list. One this program does not know (of a newer one) grants nothing. */
export const scopesOf = (stored: string): Scope[] =>
  stored.split(',').filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope));

/** The request neither waits for the note nor fails with it. */
function noteLater(context: Context, use: Parameters<typeof noteUse>[1]): void {
  noteUse(context.db, use, context.now()).catch((error: unknown) => {
    context.log.debug({ err: error }, 'last use of a credential not noted');
  });
}
