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
import type { ClientAddress } from '../../http/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import type { CheckSecret } from '../../http/limits.ts';
import { toUtc } from '../../lib/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { type PresentedCredential, readAuthorization } from './authorization.ts';
import { findAppPassword, findTokenWithOwner, recordUse } from './credential-store.ts';
import { appPasswordHash, isAppPassword } from './generate.ts';
import { unmatchableHash, verifyPassword } from './passwords.ts';
import { accountKey, accountOf, findUserByLogin, type UserRow } from './store.ts';

/** The method by which an account signed in. */
export type AuthMethod = { kind: 'password' } | { kind: 'app-password' } | { kind: 'token'; scopes: Scope[] };

/** A credential that is a record of its own. */
interface Named {
  id: number;
  name: string;
}

interface SignedIn extends Viewer {
  account: Account;
  means: AuthMethod;
}

/** The method of the viewer; undefined without credentials in the `Authorization` header. */
export const meansOf = (viewer: Viewer): AuthMethod | undefined =>
  'means' in viewer ? (viewer as SignedIn).means : undefined;

const signedIn = (user: UserRow, means: AuthMethod, { id, name }: Partial<Named> = {}): SignedIn => {
  const account = accountOf(user);
  const credential = { means: means.kind, id: id ?? null, name: name ?? '' };
  return { ...viewerOf(account, means.kind === 'token' ? means.scopes : undefined), account, means, credential };
};

/** How name and password are checked. */
interface PasswordCheck extends ClientAddress {
  context: Context;
  checkSecret: CheckSecret;
  /**
   * The hash that passwords of unknown names are checked against. Constant, so that concurrent checks of the same
   * password are shared for these too.
   */
  nobodysHash: string;
  tellsUnknownNames?: boolean;
}

/**
 * Checks the `Authorization` header. Wrong credentials are an error even where none are needed: a client must not
 * mistake the public answer for its own.
 *
 * Only passwords that people choose can be guessed, so only they are limited (resources/limits/secret-guard.ts).
 * Application passwords and tokens always work, and wrong tokens are not counted.
 */
export function createAuthenticator(checkSecret: CheckSecret): Authenticate {
  let nobodysHash: string | undefined;
  return async (context, { authorization, ...client }) => {
    if (authorization === undefined) return ANONYMOUS;
    try {
      const presented = readAuthorization(authorization);
      if (!presented) throw refused('invalid_token');
      nobodysHash ??= unmatchableHash(context);
      return await (presented.scheme === 'bearer'
        ? byToken(presented.token, context)
        : byPassword(presented, { context, checkSecret, nobodysHash, ...client }));
    } catch (error) {
      // For tools that watch the log for guessing. The secret is not logged: it may be correct except for one letter.
      if (error instanceof ApiError)
        context.log.info({ address: client.address, code: error.code }, 'credentials refused');
      throw error;
    }
  };
}

/**
 * A 401 has to name a scheme. It is Bearer, because for Basic a browser would show its own dialog over the page whose
 * script sent the request; clients that use Basic send it without a challenge.
 */
function refused(code: 'invalid_token' | 'invalid_username' | 'incorrect_password'): ApiError {
  const challenge = `Bearer realm="Marquee"${code === 'invalid_token' ? ', error="invalid_token"' : ''}`;
  return new ApiError(code, { headers: { 'WWW-Authenticate': challenge } });
}

async function byPassword(
  sent: PresentedCredential & { scheme: 'basic' },
  { context, checkSecret, nobodysHash, tellsUnknownNames, ...client }: PasswordCheck,
): Promise<Viewer> {
  const user = await findUserByLogin(context.db, sent.name);
  const stored = user?.password_hash ?? nobodysHash;
  // Also done for unknown names: response times must not reveal which names exist.
  const app = await usedAppPassword(user?.id ?? 0, sent.secret, context);
  if (user && app) return signedIn(user, { kind: 'app-password' }, app);
  const attempt = {
    // A client with a revoked application password must not block its account.
    kind: isAppPassword(sent.secret) ? 'app-password' : 'account-password',
    subject: subjectOf(user, sent.name),
    secret: sent.pair,
    stored,
    client,
  } as const;
  const isRight = await checkSecret(attempt, () => verifyPassword(sent.secret, stored));
  if (!user && tellsUnknownNames) throw refused('invalid_username');
  if (!user || !isRight) throw refused('incorrect_password');
  return signedIn(user, { kind: 'password' });
}

/** Hexadecimal digits: few enough that the input cannot be recovered from them. */
const TYPED_DIGITS = 6;

/**
 * Name and e-mail address of an account share a count, and unknown names are counted too. They may be passwords typed
 * into the wrong field, so only a part of their hash is kept.
 */
const subjectOf = (user: UserRow | undefined, name: string): string =>
  user ? accountSubject(user.id) : `nobody-${secretHash(accountKey(name)).slice(0, TYPED_DIGITS)}`;

/** The key under which failures of an account are counted. */
export const accountSubject = (id: number): string => `user-${id}`;

async function usedAppPassword(userId: number, secret: string, context: Context): Promise<Named | undefined> {
  if (!isAppPassword(secret)) return undefined;
  const found = await findAppPassword(context.db, userId, appPasswordHash(secret));
  if (found) noteLater(context, { ...found, table: 'app_passwords' });
  return found && { id: found.id, name: found.name };
}

async function byToken(token: string, context: Context): Promise<Viewer> {
  const found = await findTokenWithOwner(context.db, secretHash(token));
  const isValid = found && (found.expires_utc === null || found.expires_utc > toUtc(context.now()));
  if (!isValid) throw refused('invalid_token');
  noteLater(context, { table: 'tokens', id: found.token_id, last_used_utc: found.last_used_utc });
  const { token_id: id, token_name: name } = found;
  return signedIn(found, { kind: 'token', scopes: scopesOf(found.scopes) }, { id, name });
}

/** The scopes of a stored list. Unknown ones, from a newer version, grant nothing. */
export const scopesOf = (stored: string): Scope[] =>
  stored.split(',').filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope));

/** The request does not wait for this, nor fail with it. */
function noteLater(context: Context, use: Parameters<typeof recordUse>[1]): void {
  recordUse(context.db, use, context.now()).catch((error: unknown) => {
    context.log.debug({ err: error }, 'last use of a credential not noted');
  });
}
