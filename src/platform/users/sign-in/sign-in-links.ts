import type { Selectable } from 'kysely';
import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import type { SignInLinksTable } from '../../../db/tables/accounts.ts';
import { ApiError } from '../../../http/core/errors.ts';
import type { Actor } from '../../../lib/actor.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { secretHash } from '../../../lib/hash.ts';
import { logChange } from '../../audit/log.ts';
import { auditedUser } from '../audited.ts';
import { findUser, type UserRow, withAccountsLocked } from '../store.ts';

/** Lifetime of a sign-in link in seconds. */
const LIFETIME = 24 * 60 * 60;
const TOKEN_BYTES = 32;

interface LinkOptions {
  userId: number;
  /** Seconds. */
  lifetime?: number;
  actor?: Actor | undefined;
  /** Checks the account at the moment the link is created; throws to refuse it. */
  check?: (user: UserRow) => void;
}

export interface SignInLink {
  token: string;
  expires_utc: string;
}

/**
 * Creates the secret of a one-time sign-in link. It goes behind the `#` of a URL, so that neither servers nor proxies
 * log it; only its hash is stored.
 * @throws {ApiError} user-not-found, and errors of `check`
 */
export async function createSignInLink(
  { db, random, now }: Pick<Context, 'db' | 'random' | 'now'>,
  { userId, lifetime = LIFETIME, actor, check }: LinkOptions,
): Promise<SignInLink> {
  const token = random(TOKEN_BYTES).toString('base64url');
  const expires_utc = addSeconds(toUtc(now()), lifetime);
  const row = { user_id: userId, hash: secretHash(token), expires_utc };
  // Locks accounts like `updateUser`, so that a change of the account either precedes the link or revokes it.
  await withAccountsLocked(db, async (trx) => {
    const user = await findUser(trx, userId);
    if (!user) throw new ApiError('user-not-found');
    check?.(user);
    await logChange(trx, actor, { kind: auditedUser, id: userId }, () =>
      trx.query.insertInto('sign_in_links').values(row).execute(),
    );
  });
  return { token, expires_utc };
}

/** An unused link with its account; undefined if it was used before or has expired. */
export async function findSignInLink(
  { query }: Database,
  token: string,
  now: Date,
): Promise<{ link: SignInLinkRow; user: UserRow } | undefined> {
  const link = await query
    .selectFrom('sign_in_links')
    .selectAll()
    .where('hash', '=', secretHash(token))
    .where('expires_utc', '>', toUtc(now))
    .executeTakeFirst();
  const user = link && (await query.selectFrom('users').selectAll().where('id', '=', link.user_id).executeTakeFirst());
  return user && { link, user };
}

/** Uses a link. Returns its user; undefined if it was used before or has expired. */
export const consumeSignInLink = (db: Database, token: string, now: Date): Promise<UserRow | undefined> =>
  db.transaction(async (trx) => {
    const link = await trx.query
      .deleteFrom('sign_in_links')
      .where('hash', '=', secretHash(token))
      .where('expires_utc', '>', toUtc(now))
      .returning('user_id')
      .executeTakeFirst();
    return link && findUser(trx, link.user_id);
  });

/** Whether a link was sent by mail. It replaces the password, but not the second factor. */
export const isMailed = ({ salt }: SignInLinkRow): boolean => salt !== '';

export type SignInLinkRow = Selectable<SignInLinksTable>;

/** Unused links of an account, oldest first. */
export const listSignInLinks = ({ query }: Database, userId: number, now: Date): Promise<SignInLinkRow[]> =>
  query
    .selectFrom('sign_in_links')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_utc', '>', toUtc(now))
    .orderBy('id')
    .execute();

interface Removal {
  id: number;
  userId: number;
  now: Date;
  actor: Actor | undefined;
}

/** Revokes a link of an account and returns it; undefined if it was used, has expired or belongs to another account. */
export const removeSignInLink = (
  db: Database,
  { id, userId, now, actor }: Removal,
): Promise<SignInLinkRow | undefined> =>
  db.transaction((trx) =>
    logChange(trx, actor, { kind: auditedUser, id: userId }, () =>
      trx.query
        .deleteFrom('sign_in_links')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('expires_utc', '>', toUtc(now))
        .returningAll()
        .executeTakeFirst(),
    ),
  );

/** URL of a sign-in link. */
export const signInUrl = (origin: string, { token }: SignInLink): string => `${origin}/console/#sign-in=${token}`;
