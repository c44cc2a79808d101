import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import { idsOf } from '../../calendar/posts/event-password.ts';
import { isOneOf } from '../../db/value-list.ts';
import { can, eventScope, hasEventRight, mayManageTickets, type Viewer } from '../../http/core/auth.ts';
import { opener, opensEvent, type Promotion, ticketsOf } from '../prices/promotion-rules.ts';
import { scopeConditions } from './event-scope.ts';
import { managed } from './locked.ts';
import type { Ticket } from './store.ts';

/**
 * Hidden tickets: unknown to all but the staff of their event until a promotion code opens them. `isHidden` and
 * `isShownSql` are the same rule in TypeScript and in SQL; hidden-tickets.test.ts compares them.
 */

export type Hideable = Pick<Ticket, 'id' | 'event_id' | 'pass_id' | 'requires_code'>;

/** Whether a ticket is hidden from a viewer with a promotion. */
export const isHidden = (
  ticket: Hideable,
  event: Pick<Event, 'id' | 'author_id' | 'status'> | undefined,
  { viewer, promotion }: { viewer: Viewer; promotion?: Promotion },
): boolean =>
  ticket.requires_code === 1 &&
  !opener(promotion)(ticket) &&
  !(event && (hasEventRight(viewer, 'read_attendees', event) || mayManageTickets(viewer, event)));

/** Condition: the ticket `t` is not hidden from a viewer with a promotion; none if nothing is. */
export function isShownSql(viewer: Viewer, promotion: Promotion | undefined): RawBuilder<SqlBool>[] {
  const scope = eventScope(viewer, 'read_attendees');
  if (scope === 'all' || can(viewer, 'manage_tickets')) return [];
  const read = scope === 'none' ? [] : scopeConditions(scope, sql.ref('x.id'));
  const staffed = [...read, ...managed(viewer)];
  const shown = [
    sql<SqlBool>`t.requires_code = 0`,
    ...(promotion ? [isOpenedSql(promotion)] : []),
    ...(staffed.length > 0 ? [sql<SqlBool>`t.event_id IN (${idsOf([sql`(${sql.join(staffed, sql` OR `)})`])})`] : []),
  ];
  return [sql<SqlBool>`(${sql.join(shown, sql` OR `)})`];
}

/** `opener` for tickets `t`. */
function isOpenedSql(promotion: Promotion): RawBuilder<SqlBool> {
  const named = isOneOf(sql`coalesce(t.pass_id, t.id)`, ticketsOf(promotion));
  const { event_id } = promotion;
  if (event_id === null) return named;
  const isOfEvent = sql<SqlBool>`t.event_id = ${event_id}`;
  if (opensEvent(promotion)) return sql<SqlBool>`(t.pass_id IS NULL AND ${isOfEvent})`;
  return sql<SqlBool>`(${named} AND (t.pass_id IS NOT NULL OR ${isOfEvent}))`;
}
