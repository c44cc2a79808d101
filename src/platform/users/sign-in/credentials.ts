import type { Context } from '../../../base/context.ts';
import {
  type Account,
  ANONYMOUS,
  type Authenticate,
  SCOPES,
  type Scope,
  type Viewer,
  viewerOf,
} from '../../../http/core/auth.ts';
import { ApiError } from '../../../http/core/errors.ts';
import type { CheckSecret } from '../../../http/core/limits.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { secretHash } from '../../../lib/hash.ts';
import { findAppPassword, findTokenWithOwner, recordUse } from '../credential-store.ts';
import { appPasswordHash, isAppPassword } from '../generate.ts';
import { isPasswordOf, matchForeignAppPassword, type PasswordCheck } from '../password-check.ts';
import { accountOf, findUserByLogin, type UserRow } from '../store.ts';
import { hasSecondFactor, needsSecondFactor } from './second-factor.ts';
import { findSessionWithOwner, recordUseOfSession, type SessionWithOwner } from './session-store.ts';

/** How an account signed in. */
export type AuthMethod =
  | { kind: 'password' }
  | { kind: 'app-password' }
  | { kind: 'token'; scopes: Scope[] }
  | {
      kind: 'session';
      id: number;
      /** Whether the session began with a link, and may set a password without the current one. */
      maySetPassword: boolean;
      /** Last re-authentication by password or second factor; null if there was none. */
      confirmedUtc: string | null;
    };

/** Credential stored as a record. */
interface Named {
  id: number;
  name: string;
}

export interface SignedIn extends Viewer {
  account: Account;
  means: AuthMethod;
}

/** The viewer with its authentication method; undefined for visitors. */
export const signedInOf = (viewer: Viewer): SignedIn | undefined =>
  'means' in viewer ? (viewer as SignedIn) : undefined;

export const authMethodOf = (viewer: Viewer): AuthMethod | undefined => signedInOf(viewer)?.means;

/** The session of a viewer; undefined for other methods. */
export function sessionOfViewer(viewer: Viewer): (AuthMethod & { kind: 'session' }) | undefined {
  const means = authMethodOf(viewer);
  return means?.kind === 'session' ? means : undefined;
}

const signedIn = (user: UserRow, means: AuthMethod, { id, name }: Partial<Named> = {}): SignedIn => {
  const account = accountOf(user);
  const credential = { means: means.kind, id: id ?? null, name: name ?? '' };
  return { ...viewerOf(account, means.kind === 'token' ? means.scopes : undefined), account, means, credential };
};

/** The viewer of a session. Without a required second factor, an account may only set one up. */
export function viewerOfSession({ session, ...user }: SessionWithOwner): SignedIn {
  const { id, may_set_password, confirmed_utc: confirmedUtc } = session;
  const means = { kind: 'session', id, maySetPassword: may_set_password === 1, confirmedUtc } as const;
  const viewer = signedIn(user, means);
  const needsSetUp = needsSecondFactor(user) && !hasSecondFactor(user);
  return needsSetUp ? { ...viewer, capabilities: new Set(), needsSetUp } : viewer;
}

/**
 * Checks the `Authorization` header, or else the session of a request. Wrong credentials are an error even where none
 * are needed: a client must not mistake the public response for its own.
 * Only passwords chosen by people can be guessed, so only they are limited (platform/limits/secret-guard.ts).
 * Application passwords and tokens always work, and wrong tokens are not counted. A session that has ended is ignored:
 * pages continue as for any visitor.
 */
export function createAuthenticator(checkSecret: CheckSecret): Authenticate {
  return async (context, { authorization, session, ...client }) => {
    if (authorization === undefined) return session === undefined ? ANONYMOUS : bySession(session, context);
    try {
      const presented = readAuthorization(authorization);
      if (!presented) throw unauthorized('invalid_token');
      return await (presented.scheme === 'bearer'
        ? byToken(presented.token, context)
        : byPassword(presented, { context, checkSecret, client, tellsUnknownNames: client.tellsUnknownNames }));
    } catch (error) {
      // Logged for tools that detect guessing, without the secret: it may be correct except for one letter.
      if (error instanceof ApiError)
        context.log.info({ address: client.address, code: error.code }, 'credentials refused');
      throw error;
    }
  };
}

type CredentialError =
  | 'invalid_token'
  | 'invalid_username'
  | 'incorrect_password'
  | 'second-factor-required'
  | 'second-factor-invalid'
  | 'sign-in-link-invalid';

/**
 * A 401 must name a scheme. It is Bearer, because for Basic a browser would show its own dialog over the page whose
 * script sent the request; clients that use Basic send it without a challenge.
 */
export function unauthorized(code: CredentialError): ApiError {
  const challenge = `Bearer realm="Marquee"${code === 'invalid_token' ? ', error="invalid_token"' : ''}`;
  return new ApiError(code, { headers: { 'WWW-Authenticate': challenge } });
}

async function byPassword(
  sent: PresentedCredential & { scheme: 'basic' },
  { tellsUnknownNames, ...check }: PasswordCheck & { tellsUnknownNames?: boolean },
): Promise<Viewer> {
  const { context } = check;
  const user = await findUserByLogin(context.db, sent.name);
  // Also runs for unknown names: response times must not reveal which names exist.
  const app = await usedAppPassword(user, sent.secret, check);
  if (user && app) return signedIn(user, { kind: 'app-password' }, app);
  const isRight = await isPasswordOf(user, sent, check);
  if (!user && tellsUnknownNames) throw unauthorized('invalid_username');
  if (!user || !isRight) throw unauthorized('incorrect_password');
  // The password alone is not enough here; creating application passwords and tokens requires both factors.
  if (hasSecondFactor(user) || needsSecondFactor(user)) throw unauthorized('second-factor-required');
  return signedIn(user, { kind: 'password' });
}

async function usedAppPassword(
  user: UserRow | undefined,
  secret: string,
  check: PasswordCheck,
): Promise<Named | undefined> {
  const { context } = check;
  if (!isAppPassword(secret)) return undefined;
  const findOwn = () => findAppPassword(context.db, user?.id ?? 0, appPasswordHash(secret));
  const known = (await findOwn()) ?? (user && (await matchForeignAppPassword(user, secret, check)));
  // A concurrent request may have hashed it anew since the first look.
  const found = known ?? (user && (await findOwn()));
  if (found) noteLater(context, { ...found, table: 'app_passwords' });
  return found && { id: found.id, name: found.name };
}

async function byToken(token: string, context: Context): Promise<Viewer> {
  const found = await findTokenWithOwner(context.db, secretHash(token));
  const isValid = found && (found.expires_utc === null || found.expires_utc > toUtc(context.now()));
  if (!isValid) throw unauthorized('invalid_token');
  noteLater(context, { table: 'tokens', id: found.token_id, last_used_utc: found.last_used_utc });
  const { token_id: id, token_name: name } = found;
  return signedIn(found, { kind: 'token', scopes: scopesOf(found.scopes) }, { id, name });
}

async function bySession(token: string, context: Context): Promise<Viewer> {
  const now = context.now();
  const found = await findSessionWithOwner(context.db, secretHash(token), now);
  if (!found) return ANONYMOUS;
  noted(context, recordUseOfSession(context.db, found, now));
  return viewerOfSession(found);
}

/** The scopes of a stored list. Unknown ones, from a newer version, grant nothing. */
export const scopesOf = (stored: string): Scope[] =>
  stored.split(',').filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope));

const noteLater = (context: Context, use: Parameters<typeof recordUse>[1]): void =>
  noted(context, recordUse(context.db, use, context.now()));

/** Records the use of a credential in the background; the request neither waits for it nor fails with it. */
function noted({ log }: Context, note: Promise<void>): void {
  note.catch((error: unknown) => log.debug({ err: error }, 'last use of a credential not noted'));
}

/** The credentials in an `Authorization` header. */
export type PresentedCredential =
  | { scheme: 'basic'; name: string; secret: string; pair: string }
  | { scheme: 'bearer'; token: string };

/** Maximum length of the header: several times the longest name and password. */
const MAX_HEADER = 4096;

const BASIC = /^basic +([\w+/-]+=*)$/i;
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/** Parses the header (RFC 7617, RFC 6750); undefined for other schemes and malformed values. */
export function readAuthorization(header: string): PresentedCredential | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const token = BEARER.exec(header.trim())?.[1];
  if (token !== undefined) return { scheme: 'bearer', token };
  const encoded = BASIC.exec(header.trim())?.[1];
  const pair = encoded === undefined ? undefined : utf8(Buffer.from(encoded, 'base64'));
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return undefined;
  return { scheme: 'basic', name: pair.slice(0, colon), secret: pair.slice(colon + 1), pair };
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
