import type { Context } from '../../../base/context.ts';
import type { GuardedContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import type { Actor } from '../../../lib/actor.ts';
import { secretHash } from '../../../lib/hash.ts';
import { seal, unseal } from '../../../lib/seal.ts';
import { matchingStep } from '../../../lib/totp.ts';
import { logChange } from '../../audit/log.ts';
import { queueAccountMail } from '../account-mails.ts';
import { auditedUser } from '../audited.ts';
import { randomCharacters } from '../generate.ts';
import { accountSubject } from '../password-check.ts';
import {
  endSessions,
  findUser,
  removeMailedLinks,
  type UserRow,
  type UserWithRules,
  withAccountsLocked,
} from '../store.ts';

/** The second factor of accounts: codes of an authenticator app, or recovery codes. */

/** Bytes; the length of a SHA-1 digest (RFC 4226, 4). */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Characters of a recovery code; 79 bits, so that its hash needs no salt. */
const RECOVERY_LENGTH = 16;
/** Excludes characters that look alike. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export const hasSecondFactor = ({ totp_secret }: UserRow): boolean => totp_secret !== '';

/** Whether the site requires a second factor for the role of an account. */
export const needsSecondFactor = ({ role, second_factor_roles }: UserWithRules): boolean =>
  // Written by `saveSiteSettings`.
  (JSON.parse(second_factor_roles ?? '[]') as string[]).includes(role);

/** Begins the set-up of another second factor, which takes effect once it is confirmed. */
export async function beginSecondFactor({ db, random, siteKey }: Context, userId: number): Promise<Buffer> {
  const secret = random(SECRET_BYTES);
  const totp_pending = seal(secret.toString('base64'), { sealing: siteKey('second-factor') }, random);
  await db.transaction(async ({ query }) => {
    const { numUpdatedRows } = await query
      .updateTable('users')
      .set({ totp_pending })
      .where('id', '=', userId)
      .where('totp_secret', '=', '')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new ApiError('second-factor-exists');
  });
  return secret;
}

interface Confirmation {
  userId: number;
  code: string;
  /** Session that does not end. */
  session?: number;
  actor?: Actor | undefined;
}

interface Removal extends Omit<Confirmation, 'code'> {
  /** Checks the account at the moment of the removal; throws to refuse it. */
  check?: (user: UserRow) => void;
}

/**
 * Confirms a pending factor with its first code, ends all other sessions and revokes the links that were mailed. Returns
 * the recovery codes; undefined if the code is wrong.
 */
export const confirmSecondFactor = (
  context: Context,
  { userId, code, session, actor }: Confirmation,
): Promise<string[] | undefined> =>
  context.db.transaction(async (trx) => {
    await trx.dialect.lockRow(trx, { table: 'users', id: userId });
    const user = await findUser(trx, userId);
    if (!user || hasSecondFactor(user)) throw new ApiError('second-factor-exists');
    const secret = secretIn(user.totp_pending, context);
    const step = secret && matchingStep(bareCode(code), secret, context.now());
    if (step === undefined) return undefined;
    const values = { totp_secret: user.totp_pending, totp_pending: '', totp_step: step };
    return logChange(trx, actor, { kind: auditedUser, id: userId }, async () => {
      await trx.query.updateTable('users').set(values).where('id', '=', userId).execute();
      await endSessions(trx, userId, session);
      await removeMailedLinks(trx, userId);
      return replaceRecoveryCodes({ ...context, db: trx }, { userId });
    });
  });

/** Removes the second factor of an account and ends its other sessions. */
export const removeSecondFactor = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  { userId, session, actor, check }: Removal,
): Promise<void> =>
  withAccountsLocked(db, async (trx) => {
    const user = await findUser(trx, userId);
    if (!user) throw new ApiError('user-not-found');
    check?.(user);
    await logChange(trx, actor, { kind: auditedUser, id: userId }, async () => {
      const none = { totp_secret: '', totp_pending: '', totp_step: 0 };
      await trx.query.updateTable('users').set(none).where('id', '=', userId).execute();
      await trx.query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      await endSessions(trx, userId, session);
      await queueAccountMail(trx, user, {
        ...{ kind: 'factor-removed', key: `factor-removed-${userId}-${user.credentials_version}`, now: now() },
        record: { record_kind: 'user', record_id: userId },
      });
    });
  });

/** Replaces all recovery codes. The new ones are shown only now. */
export async function replaceRecoveryCodes(
  { db, random }: Pick<Context, 'db' | 'random'>,
  { userId, actor }: Pick<Confirmation, 'userId' | 'actor'>,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomCharacters(random, RECOVERY_LENGTH, RECOVERY_ALPHABET),
  );
  const rows = codes.map((code) => ({ user_id: userId, hash: secretHash(code) }));
  await db.transaction((trx) =>
    logChange(trx, actor, { kind: auditedUser, id: userId }, async () => {
      await trx.query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      await trx.query.insertInto('recovery_codes').values(rows).execute();
    }),
  );
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** Number of unused recovery codes of an account. */
export async function countRecoveryCodes({ query }: Context['db'], userId: number): Promise<number> {
  const codes = query.selectFrom('recovery_codes').where('user_id', '=', userId);
  return (await codes.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
}

/**
 * Uses a code of the second factor or a recovery code. Each works once, across all processes.
 * @throws {ApiError} too_many_attempts
 */
export async function consumeCode(
  { context, client, limits }: GuardedContext,
  user: UserRow,
  code: string,
): Promise<boolean> {
  const bare = bareCode(code);
  const attempt = {
    kind: 'second-factor',
    subject: accountSubject(user.id),
    secret: bare,
    stored: user.totp_secret,
    client,
    isSpent: true,
  } as const;
  const { isRight, spend } = /^\d{6}$/.test(bare) ? totpCode(context, user, bare) : recoveryCode(context, user, bare);
  return (await limits.checkSecret(attempt, isRight)) && spend();
}

/** A sent code. If it is sent several times at once, one request succeeds. */
interface SentCode {
  isRight(): boolean | Promise<boolean>;
  spend(): Promise<boolean>;
}

/** Removes the spaces and dashes that group the digits of codes. */
const bareCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

function totpCode(context: Context, { id, totp_secret, totp_step }: UserRow, code: string): SentCode {
  const secret = secretIn(totp_secret, context);
  const step = (secret && matchingStep(code, secret, context.now())) ?? 0;
  return {
    isRight: () => step > totp_step,
    spend: () =>
      context.db.transaction(async ({ query }) => {
        const { numUpdatedRows } = await query
          .updateTable('users')
          .set({ totp_step: step })
          .where('id', '=', id)
          .where('totp_secret', '=', totp_secret)
          .where('totp_step', '<', step)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
  };
}

function recoveryCode({ db }: Context, { id }: UserRow, code: string): SentCode {
  const hash = secretHash(code);
  return {
    async isRight() {
      const own = db.query.selectFrom('recovery_codes').select('hash').where('user_id', '=', id);
      return (await own.where('hash', '=', hash).executeTakeFirst()) !== undefined;
    },
    spend: () =>
      db.transaction(async ({ query }) => {
        const own = query.deleteFrom('recovery_codes').where('user_id', '=', id).where('hash', '=', hash);
        return (await own.executeTakeFirstOrThrow()).numDeletedRows > 0n;
      }),
  };
}

/** Unseals a secret; undefined if there is none, or it was sealed under another secret of the site. */
function secretIn(sealed: string, { siteKey }: Context): Buffer | undefined {
  if (sealed === '') return undefined;
  try {
    return Buffer.from(unseal(sealed, { sealing: siteKey('second-factor') }), 'base64');
  } catch {
    return undefined;
  }
}
