import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import { idsOf, isAuthor, isLocked, lockedConditions, type Reader } from '../../calendar/posts/event-password.ts';
import { mayRead, PUBLISHED, readableBy } from '../../calendar/posts/visibility.ts';
import { isOneOf } from '../../db/value-list.ts';
import { can, eventScope, hasEventRight, mayManageTickets, type Viewer } from '../../http/core/auth.ts';
import { opener, opensEvent, type Promotion, ticketsOf } from '../prices/promotion-rules.ts';
import { scopeConditions } from './event-scope.ts';
import type { Ticket } from './store.ts';

/** Which tickets a viewer may see: by publication, by the password of their event, and hidden ones by code. */

/** Tickets that a viewer may see. Undefined: every status except trash. */
export interface TicketVisibility {
  eventStatuses?: readonly string[];
  ticketStatuses?: readonly string[];
  /** If set, unpublished records match only for events of this account. */
  ownOf?: number;
}

/**
 * The meaning of the requested statuses for a viewer. Viewers who see published records only may name other statuses,
 * which then match nothing; unknown ones match nothing either.
 */
export function ticketVisibilityFor(
  viewer: Viewer,
  { post_status, status }: { post_status?: readonly string[]; status?: readonly string[] },
): TicketVisibility {
  const readable = readableBy(viewer);
  const meaningOf = (requested: readonly string[] | undefined): readonly string[] | undefined => {
    const isAny = requested === undefined || requested.includes('any');
    if (!readable.statuses) return isAny ? undefined : requested.filter((status) => status !== 'trash');
    return isAny || requested.includes('publish') ? readable.statuses : [];
  };
  return { eventStatuses: meaningOf(post_status), ticketStatuses: meaningOf(status), ownOf: readable.ownOf };
}

/** Whether a viewer without a code may see a ticket. */
export const maySeeTicket = (viewer: Viewer, ticket: Ticket, event: Event | undefined): boolean =>
  mayReadTicket(viewer, ticket, event) && !isHidden(ticket, event, { viewer });

/** Whether a viewer may see a ticket, as far as publication goes. */
export const mayReadTicket = (viewer: Viewer, ticket: Ticket, event: Event | undefined): event is Event =>
  event !== undefined &&
  mayRead(viewer, event) &&
  mayRead(viewer, { author_id: event.author_id, status: ticket.status });

/*
 * The rule of calendar/posts/event-password.ts for the tickets of an event: viewers who manage them or read their
 * attendees need no password. `areTicketsLocked` and `eventsWithLockedTickets` are the same rule in TypeScript and in SQL.
 */

type Lockable = Pick<Event, 'id' | 'password' | 'author_id' | 'status' | 'trashed_from'>;

/** Whether the tickets of an event are locked for a viewer. */
export const areTicketsLocked = (event: Lockable, viewer: Viewer, password: string | undefined): boolean =>
  isLocked(event, viewer, password) &&
  !hasEventRight(viewer, 'read_attendees', event) &&
  !mayManageTickets(viewer, event);

/** Subquery for the ids of all events whose tickets are locked for a reader; undefined if there can be none. */
export function eventsWithLockedTickets(reader: Reader): RawBuilder<number> | undefined {
  const { viewer } = reader;
  const locked = lockedConditions(reader);
  const scope = eventScope(viewer, 'read_attendees');
  if (!locked || scope === 'all' || can(viewer, 'manage_tickets')) return undefined;
  const isUnread =
    scope === 'none' ? [] : scopeConditions(scope, sql.ref('x.id')).map((own) => sql<SqlBool>`NOT ${own}`);
  return idsOf([...locked, ...isUnread, ...managed(viewer).map((own) => sql<SqlBool>`NOT ${own}`)]);
}

/** Events whose tickets the viewer manages: `mayManageTickets` for `events AS x`, unless they are all events. */
function managed(viewer: Viewer): RawBuilder<SqlBool>[] {
  const statuses = [
    ...(can(viewer, 'manage_own_published_tickets') ? [sql<SqlBool>`x.status IN (${PUBLISHED})`] : []),
    ...(can(viewer, 'manage_own_tickets') ? [sql<SqlBool>`x.status NOT IN (${PUBLISHED})`] : []),
  ];
  if (statuses.length === 0) return [];
  return [sql<SqlBool>`(${isAuthor(viewer)} AND (${sql.join(statuses, sql` OR `)}))`];
}

/*
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
