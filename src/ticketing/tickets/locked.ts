import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import { idsOf, isAuthor, isLocked, lockedConditions, type Reader } from '../../calendar/posts/event-password.ts';
import { PUBLISHED } from '../../calendar/posts/visibility.ts';
import { can, eventScope, hasEventRight, mayManageTickets, type Viewer } from '../../http/core/auth.ts';
import { scopeConditions } from './event-scope.ts';

/**
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
export function managed(viewer: Viewer): RawBuilder<SqlBool>[] {
  const statuses = [
    ...(can(viewer, 'manage_own_published_tickets') ? [sql<SqlBool>`x.status IN (${PUBLISHED})`] : []),
    ...(can(viewer, 'manage_own_tickets') ? [sql<SqlBool>`x.status NOT IN (${PUBLISHED})`] : []),
  ];
  if (statuses.length === 0) return [];
  return [sql<SqlBool>`(${isAuthor(viewer)} AND (${sql.join(statuses, sql` OR `)}))`];
}
