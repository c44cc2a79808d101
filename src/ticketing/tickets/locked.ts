import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import { idsOf, isAuthor, isLocked, lockedConditions, type Reader } from '../../calendar/posts/event-password.ts';
import { PUBLISHED } from '../../calendar/posts/visibility.ts';
import { can, eventOfKey, mayManageTickets, mayReadAttendees, type Viewer } from '../../http/core/auth.ts';

/**
 * The rule of calendar/posts/event-password.ts for the tickets of an event: viewers who manage them or read their
 * attendees need no password. `areTicketsLocked` and `lockedTicketEvents` are the same rule in TypeScript and in SQL.
 */

type Lockable = Pick<Event, 'id' | 'password' | 'author_id' | 'status' | 'trashed_from'>;

/** Whether the tickets of an event are locked for a viewer. */
export const areTicketsLocked = (event: Lockable, viewer: Viewer, password: string | undefined): boolean =>
  isLocked(event, viewer, password) && !mayReadAttendees(viewer, event.id) && !mayManageTickets(viewer, event);

/** Subquery for the ids of all events whose tickets are locked for a reader; undefined if there can be none. */
export function lockedTicketEvents(reader: Reader): RawBuilder<number> | undefined {
  const { viewer } = reader;
  const locked = lockedConditions(reader);
  const bound = eventOfKey(viewer, 'read_attendees');
  const readsAll = can(viewer, 'read_attendees') && bound === undefined;
  if (!locked || readsAll || can(viewer, 'manage_tickets')) return undefined;
  const isBound = can(viewer, 'read_attendees') ? [sql<SqlBool>`x.id <> ${bound}`] : [];
  return idsOf([...locked, ...isBound, ...notManaged(viewer)]);
}

/** Events whose tickets the viewer does not manage: `mayManageTickets` for `events AS x`. */
function notManaged(viewer: Viewer): RawBuilder<SqlBool>[] {
  const managed = [
    ...(can(viewer, 'manage_own_published_tickets') ? [sql<SqlBool>`x.status IN (${PUBLISHED})`] : []),
    ...(can(viewer, 'manage_own_tickets') ? [sql<SqlBool>`x.status NOT IN (${PUBLISHED})`] : []),
  ];
  if (managed.length === 0) return [];
  return [sql<SqlBool>`NOT (${isAuthor(viewer)} AND (${sql.join(managed, sql` OR `)}))`];
}
