import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { can, type EventScope, eventScope, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { resolveDateParam } from '../../http/input/date-param.ts';
import { date, ids, integer } from '../../http/input/schemas.ts';
import { addDays, type DateExpression, localDay, toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { scopeConditions } from '../tickets/event-scope.ts';

/** Events and days of a report. */

/** Events whose sales a viewer may see: those whose orders the viewer may see, and their own. */
export const salesScope = (viewer: Viewer): EventScope => withOwn(viewer, eventScope(viewer, 'read_orders'));

/** Events whose attendance a viewer may see: those whose attendees the viewer may see, and their own. */
export const attendanceScope = (viewer: Viewer): EventScope => withOwn(viewer, eventScope(viewer, 'read_attendees'));

/** Adds the viewer's own events to a scope. */
function withOwn(viewer: Viewer, scope: EventScope): EventScope {
  if (scope === 'all' || !viewer.account || !can(viewer, 'read_own')) return scope;
  return { author: viewer.account.id, event: scope === 'none' ? undefined : scope.event };
}

export const reportFields = {
  event: integer('Only this event.', { min: 1 }),
  events: ids('Only these events.'),
  category: ids('Only events with one of these categories, by id.'),
  from: date('First day, in the time zone of the site; by default 29 days before the last one.'),
  to: date('Last day, included; by default today.'),
};

/** Fields of reports on money. */
export const moneyFields = {
  event: integer('Only orders with tickets of this event.', { min: 1 }),
  from: reportFields.from,
  to: reportFields.to,
};

export interface ReportInput {
  event?: number;
  events?: number[];
  category?: number[];
  from?: DateExpression;
  to?: DateExpression;
}

/** Conditions on the event of a row. */
export function eventConditions(
  { event, events, category }: ReportInput,
  scope: EventScope,
  id: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] {
  const among = (values: readonly number[]) =>
    values.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${id} IN (${sql.join(values)})`;
  return [
    ...scopeConditions(scope, id),
    ...(event === undefined ? [] : [among([event])]),
    ...(events ? [among(events)] : []),
    ...(category
      ? [
          category.length === 0
            ? sql<SqlBool>`1 = 0`
            : sql<SqlBool>`${id} IN (SELECT link.event_id FROM event_links AS link
              WHERE link.kind = 'category' AND link.target_id IN (${sql.join(category)}))`,
        ]
      : []),
  ];
}

/** Range of days of the site (`YYYY-MM-DD`), both ends included. */
export interface Days {
  from: string;
  to: string;
}

/** Default length of a report in days. */
const DEFAULT_DAYS = 30;

/**
 * The days of a report: by default the last 30.
 * @throws {InvalidParams} if the last one is before the first
 */
export function daysOf({ from, to }: ReportInput, { context, now }: RequestContext): Days {
  const zone = context.config.timezone;
  const dayOf = (name: string, sent: DateExpression): string => {
    const resolved = resolveDateParam(name, sent, { zone, now });
    return (resolved.kind === 'local' ? resolved.local : utcToLocal(resolved.utc, zone)).slice(0, 10);
  };
  const last = to ? dayOf('to', to) : localDay(toUtc(now), zone);
  const first = from ? dayOf('from', from) : addDays(`${last} 00:00:00`, 1 - DEFAULT_DAYS).slice(0, 10);
  if (last < first) throw invalidParam('to', 'param.ends_early');
  return { from: first, to: last };
}

/** Maximum number of periods in a report: three years of days, or six weeks of hours. */
const MAX_PERIODS = 1100;

/** @throws {InvalidParams} if the days have more periods than allowed */
export function checkLength(by: string, { from, to }: Days): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const count = by === 'hour' ? days * 24 : days;
  if ((by === 'hour' || by === 'day') && count > MAX_PERIODS)
    throw invalidParam('from', 'param.report_days', {
      max: Math.floor(by === 'hour' ? MAX_PERIODS / 24 : MAX_PERIODS),
    });
}
