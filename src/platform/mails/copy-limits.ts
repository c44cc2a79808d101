import type { Context } from '../../base/context.ts';
import { consume, createLimiter, type LimitName, tooMany } from '../limits/limits.ts';

/** Limits of the mails that accounts ask for: their addresses and texts may be those of the account. */

/** Mails that count under a limit. */
export interface CountedMails {
  limit: Extract<
    LimitName,
    'copies-by-mail' | 'copies-by-mailbox' | 'copies-by-account' | 'announced-mails-by-account'
  >;
  key: string | number;
  /** One by default. */
  mails?: number;
}

/**
 * Counts mails and writes them. Nothing is counted for a refusal, or if the work fails. Never inside a transaction.
 * @throws {ApiError} too-many-mails
 */
export async function withinMailLimits<T>(
  context: Context,
  counted: readonly CountedMails[],
  work: () => Promise<T>,
): Promise<T> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const { limit, key, mails = 1 } of counted) {
      const limiter = mails > 0 ? createLimiter(context, limit) : undefined;
      if (!limiter) continue;
      undo.push(() => limiter.reward(key, mails));
      const { consumed, isOver, time } = await consume(limiter, String(key), mails);
      if (!isOver) continue;
      const available = Math.max(0, limiter.points - consumed + mails);
      throw tooMany('too-many-mails', { limit: limiter.points, seconds: time / 1000, data: { available } });
    }
    return await work();
  } catch (error) {
    for (const giveBack of undo) await giveBack();
    throw error;
  }
}
