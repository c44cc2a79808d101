import { can } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { consume, createLimiter, tooMany } from '../../../platform/limits/limits.ts';
import { accountSubject } from '../../../platform/users/password-check.ts';

/**
 * Runs work that has a series make events, and counts them for the account. Events of work that fails do not count, nor
 * those of accounts that may edit the events of others.
 * @throws {ApiError} too-many-series-events
 */
export async function withinSeriesLimit<T>(ctx: RequestContext, events: number, work: () => Promise<T>): Promise<T> {
  const { viewer, context } = ctx;
  const limiter = can(viewer, 'edit_others') ? undefined : createLimiter(context, 'series-events');
  if (!limiter || !viewer.account || events <= 0) return work();
  const key = accountSubject(viewer.account.id);
  const { consumed, isOver, time } = await consume(limiter, key, events);
  if (isOver) {
    await limiter.reward(key, events);
    const available = Math.max(0, limiter.points - consumed + events);
    throw tooMany('too-many-series-events', { limit: limiter.points, seconds: time / 1000, data: { available } });
  }
  try {
    return await work();
  } catch (error) {
    await limiter.reward(key, events);
    throw error;
  }
}
