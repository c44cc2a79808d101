import { can } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { withinLimits } from '../../../platform/limits/limits.ts';
import { accountSubject } from '../../../platform/users/password-check.ts';

/**
 * Runs work that has a series make events, and counts them for the account. Events of work that fails do not count, nor
 * those of accounts that may edit the events of others.
 * @throws {ApiError} too-many-series-events
 */
export function withinSeriesLimit<T>(ctx: RequestContext, events: number, work: () => Promise<T>): Promise<T> {
  const { viewer, context } = ctx;
  if (!viewer.account || can(viewer, 'edit_others')) return work();
  const key = accountSubject(viewer.account.id);
  return withinLimits(context, 'too-many-series-events', [{ limit: 'series-events', key, points: events }], work);
}
