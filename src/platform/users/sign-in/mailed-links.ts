import { createHmac } from 'node:crypto';
import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import type { HandlerContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import type { Actor } from '../../../lib/actor.ts';
import { networkOf } from '../../../lib/addresses.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { secretHash } from '../../../lib/hash.ts';
import type { LinkMailKind } from '../../../lib/mail-kinds.ts';
import { seal, unseal } from '../../../lib/seal.ts';
import type { SiteKey } from '../../../lib/site-keys.ts';
import { logChange } from '../../audit/log.ts';
import { defineJob } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { consume, createLimiter, type LimitName, tooMany } from '../../limits/limits.ts';
import { isReachable, queueAccountMail } from '../account-mails.ts';
import { auditedUser } from '../audited.ts';
import { accountKey, findUser, findUserByLogin, type UserRow } from '../store.ts';

/** Sign-in links that are sent by mail. */

const HOUR = 60 * 60;
/** Lifetime in seconds. */
const LIFETIMES: Readonly<Record<LinkMailKind, number>> = { invitation: 72 * HOUR, 'sign-in': HOUR, password: HOUR };
const SALT_BYTES = 16;
/** Unused links of an account that it may have asked for at the same time. */
const MAX_OPEN = 5;

/**
 * Token of a link that is sent by mail. It is derived from the secret of the site when the mail is rendered, so that
 * neither the mail nor the link contains it in the database.
 */
export const mailedToken = (siteKey: SiteKey, salt: string): string =>
  createHmac('sha256', siteKey('mailed-link')).update(salt).digest('base64url');

interface MailedLink {
  kind: LinkMailKind;
  now: Date;
  actor?: Actor | undefined;
  language?: string | undefined;
  /** Account that asks for the mail. */
  userId?: number | undefined;
}

/** Writes a link and the mail that brings it, in a transaction. Returns when it expires. */
export async function mailLink(
  { db, random, siteKey }: Pick<Context, 'db' | 'random' | 'siteKey'>,
  user: UserRow,
  { kind, now, actor, language, userId }: MailedLink,
): Promise<{ expires_utc: string }> {
  const salt = random(SALT_BYTES).toString('base64url');
  const expires_utc = addSeconds(toUtc(now), LIFETIMES[kind]);
  const { id } = await logChange(db, actor, { kind: auditedUser, id: user.id }, () =>
    db.query
      .insertInto('sign_in_links')
      .values({
        ...{ user_id: user.id, hash: secretHash(mailedToken(siteKey, salt)), expires_utc, salt },
        may_set_password: kind === 'sign-in' ? 0 : 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await queueAccountMail(db, user, {
    ...{ kind, now, language, userId, key: `link-${id}-${salt}` },
    record: { record_kind: 'sign_in_link', record_id: id },
  });
  return { expires_utc };
}

/**
 * Sends a link to an account, if its address can be reached.
 * @throws {ApiError} mail-not-configured, user-not-found
 */
export async function mailLinkTo(
  { context, actor, viewer, now }: Pick<HandlerContext, 'context' | 'actor' | 'viewer' | 'now'>,
  id: number,
): Promise<{ expires_utc: string }> {
  if (!context.config.smtp) throw new ApiError('mail-not-configured');
  return context.db.transaction(async (db) => {
    const user = await findUser(db, id);
    if (!user) throw new ApiError('user-not-found');
    if (!isReachable(user)) throw new ApiError('mail-not-configured');
    const isNew = user.last_seen_utc === null;
    return mailLink({ ...context, db }, user, {
      kind: isNew ? 'invitation' : 'password',
      now,
      actor,
      userId: viewer.account?.id,
    });
  });
}

const KIND = 'accounts.mail_link';

interface Asked {
  email: string;
  purpose: 'sign-in' | 'password';
}

/**
 * Takes the request of a person for a link. Neither the response nor its time depends on the account: whether there is
 * one is looked up by a background job. Beyond the limit of an address nothing is sent, which the response does not tell.
 * @throws {ApiError} mail-not-configured, too-many-requests
 */
export async function requestMailedLink(ctx: HandlerContext, { email, purpose }: Asked): Promise<void> {
  const { context, client, language, now } = ctx;
  if (!context.config.smtp) throw new ApiError('mail-not-configured');
  // As accounts are found: other spellings of a mailbox must not use up the requests of its account.
  const account = secretHash(`${purpose} ${accountKey(email)}`);
  if (!client.isShared) await count(context, 'mailed-links-by-network', networkOf(client.address));
  const limiter = createLimiter(context, 'mailed-links-by-mailbox');
  if (limiter && (await consume(limiter, account)).isOver) return;
  // Last, so that refused requests do not use up the limit that all share.
  await count(context, 'mailed-links', 'all');
  const sealed = seal(email, { sealing: context.siteKey('mailed-request') }, context.random);
  await enqueue(context.db, {
    ...{ kind: KIND, key: `${KIND}-${account}`, now },
    payload: { purpose, language, address: sealed },
  });
}

/** @throws {ApiError} too-many-requests */
async function count(context: Context, name: LimitName, key: string): Promise<void> {
  const limiter = createLimiter(context, name);
  if (!limiter) return;
  const { isOver, time } = await consume(limiter, key);
  if (isOver) throw tooMany('too-many-requests', { limit: limiter.points, seconds: time / 1000 });
}

type Payload = { purpose: Asked['purpose']; language: string; address: string };

/** Writes the mail that a person has asked for, if the address belongs to an account. */
export const mailLinkJob = defineJob<Payload>({
  kind: KIND,
  async work(context, { purpose, language, address }) {
    const { db, now, siteKey } = context;
    const email = opened(address, siteKey);
    const user = email === undefined ? undefined : await findUserByLogin(db, email);
    if (!user || email === undefined || user.email_key !== accountKey(email)) return undefined;
    if ((await countOpen(db, user.id, now())) >= MAX_OPEN) return undefined;
    return async (trx) => {
      await mailLink({ ...context, db: trx }, user, { kind: purpose, now: now(), language });
    };
  },
});

/** Undefined for an address that was sealed under another secret of the site. */
function opened(sealed: string, siteKey: SiteKey): string | undefined {
  try {
    return unseal(sealed, { sealing: siteKey('mailed-request') });
  } catch {
    return undefined;
  }
}

async function countOpen({ query }: Database, userId: number, now: Date): Promise<number> {
  const { count } = await query
    .selectFrom('sign_in_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('salt', '<>', '')
    .where('expires_utc', '>', toUtc(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}
