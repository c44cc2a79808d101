import { sessionCookie } from '../../../http/core/cookies.ts';
import type { GuardedContext, HandlerContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { shortenedNetwork } from '../../../lib/addresses.ts';
import { secretHash } from '../../../lib/hash.ts';
import { plainText } from '../../../lib/text/text.ts';
import { isPasswordOf } from '../password-check.ts';
import { findUserByLogin, type UserRow } from '../store.ts';
import { type SignedIn, sessionOfViewer, unauthorized, viewerOfSession } from './credentials.ts';
import { consumeCode, hasSecondFactor } from './second-factor.ts';
import { findSessionWithOwner, insertSession, removeSession } from './session-store.ts';
import { consumeSignInLink, findSignInLink, isMailed } from './sign-in-links.ts';

/** Signing in. */

const TOKEN_BYTES = 32;
/** Characters. */
const MAX_AGENT = 200;

interface SentCredentials {
  name: string;
  password: string;
  code?: string;
}

/** A new session. */
export interface NewSession {
  viewer: SignedIn;
  /** Value of `Set-Cookie`. */
  cookie: string;
}

/**
 * Signs in with name, password and, if the account has a second factor, a code.
 * @throws {ApiError} incorrect_password, second-factor-required, second-factor-invalid, too_many_attempts
 */
export async function signIn(ctx: HandlerContext, sent: SentCredentials): Promise<NewSession> {
  const user = await logged(ctx, checkCredentials(ctx, sent));
  return beginSession(ctx, { user, maySetPassword: false, refusal: 'incorrect_password' });
}

/**
 * Signs in with a one-time link. One that an administrator hands over needs no code: it is for people who lost their
 * password or phone. One that arrives by mail does not replace the second factor of the account, and is not used up
 * until the code is right.
 * @throws {ApiError} sign-in-link-invalid, second-factor-required, second-factor-invalid, too_many_attempts
 */
export async function signInByLink(ctx: HandlerContext, { token, code }: SentLink): Promise<NewSession> {
  const { context, now } = ctx;
  const found = await findSignInLink(context.db, token, now);
  if (!found) throw unauthorized('sign-in-link-invalid');
  if (isMailed(found.link)) await logged(ctx, checkCode(ctx, found.user, code));
  const consumed = await consumeSignInLink(context.db, token, now);
  if (!consumed) throw unauthorized('sign-in-link-invalid');
  // The account that was checked: a second factor confirmed since ends the session at once.
  const user = { ...consumed, credentials_version: found.user.credentials_version };
  const maySetPassword = found.link.may_set_password === 1;
  return beginSession(ctx, { user, maySetPassword, refusal: 'sign-in-link-invalid' });
}

interface SentLink {
  token: string;
  code?: string;
}

async function checkCredentials(ctx: GuardedContext, { name, password, code }: SentCredentials): Promise<UserRow> {
  const { context, client, limits } = ctx;
  const user = await findUserByLogin(context.db, name);
  const check = { context, client, checkSecret: limits.checkSecret };
  const isRight = await isPasswordOf(user, { name, secret: password }, check);
  if (!user || !isRight) throw unauthorized('incorrect_password');
  await checkCode(ctx, user, code);
  return user;
}

/** @throws {ApiError} second-factor-required, second-factor-invalid, too_many_attempts */
async function checkCode(ctx: GuardedContext, user: UserRow, code: string | undefined): Promise<void> {
  if (!hasSecondFactor(user)) return;
  if (code === undefined) throw unauthorized('second-factor-required');
  if (!(await consumeCode(ctx, user, code))) throw unauthorized('second-factor-invalid');
}

/** Logs failures for tools that detect guessing, without the credentials. */
async function logged<T>({ context, client }: GuardedContext, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof ApiError)
      context.log.info({ address: client.address, code: error.code }, 'credentials refused');
    throw error;
  });
}

interface SessionStart {
  user: UserRow;
  maySetPassword: boolean;
  /** Code for an account that was removed or changed since its credentials were checked. */
  refusal: 'incorrect_password' | 'sign-in-link-invalid';
}

/** Begins a session, always with a new token; ends the browser's earlier session. */
async function beginSession(ctx: HandlerContext, start: SessionStart): Promise<NewSession> {
  const { user, maySetPassword, refusal } = start;
  const { context, viewer, client, header, now } = ctx;
  const token = context.random(TOKEN_BYTES).toString('base64url');
  const hash = secretHash(token);
  const session = {
    user,
    hash,
    maySetPassword,
    address: shortenedNetwork(client.address),
    user_agent: plainText(header('user-agent') ?? '').slice(0, MAX_AGENT),
  };
  await insertSession(context.db, session, now);
  const before = sessionOfViewer(viewer)?.id;
  if (before !== undefined) await context.db.transaction((db) => removeSession(db, before));
  const begun = await findSessionWithOwner(context.db, hash, now);
  if (!begun) throw unauthorized(refusal);
  return { viewer: viewerOfSession(begun), cookie: sessionCookie(token, ctx.urls) };
}
