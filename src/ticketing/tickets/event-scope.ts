import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { EVENT_RIGHTS, type EventRight, type EventScope, eventScope, type OwnedEvent } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';

/** The rule `isInScope` of http/core/auth.ts, for records that refer to events by id. */

const authorsById = byIds((query, ids) =>
  query.selectFrom('events').select(['id', 'author_id']).where('id', 'in', ids),
);

/** Tests by id which of some events are within a scope, with one query at most. */
export async function testerOf(
  db: Database,
  scope: EventScope,
  eventIds: Iterable<number>,
): Promise<(eventId: number) => boolean> {
  if (typeof scope === 'string') return () => scope === 'all';
  if (scope.author === undefined) return (id) => id === scope.event;
  const events = await authorsById(db, eventIds);
  const own = new Set(events.filter(({ author_id }) => author_id === scope.author).map(({ id }) => id));
  return (id) => own.has(id) || id === scope.event;
}

/** Events of a record with their authors, which are read only if rights of the viewer depend on them. */
export async function findOwners(
  { context, viewer }: Pick<RequestContext, 'context' | 'viewer'>,
  eventIds: readonly number[],
): Promise<OwnedEvent[]> {
  const isAuthor = EVENT_RIGHTS.some((right) => {
    const scope = eventScope(viewer, right);
    return typeof scope !== 'string' && scope.author !== undefined;
  });
  const authors = isAuthor ? await authorsById(context.db, eventIds) : [];
  const known = new Map(authors.map(({ id, author_id }) => [id, author_id]));
  return [...new Set(eventIds)].map((id) => ({ id, author_id: known.get(id) ?? 0 }));
}

/** Tests by id for which of some events the viewer has a right. */
export const eventRightTester = (
  { context, viewer }: Pick<RequestContext, 'context' | 'viewer'>,
  right: EventRight,
  eventIds: Iterable<number>,
): Promise<(eventId: number) => boolean> => testerOf(context.db, eventScope(viewer, right), eventIds);

/** Tests if the viewer has a right for an event. */
export async function hasRightById(
  ctx: Pick<RequestContext, 'context' | 'viewer'>,
  right: EventRight,
  eventId: number,
): Promise<boolean> {
  return (await eventRightTester(ctx, right, [eventId]))(eventId);
}

/** The condition that an event, by its id, is within a scope; none for all events. */
export function scopeConditions(scope: EventScope, id: RawBuilder<unknown>): RawBuilder<SqlBool>[] {
  if (scope === 'all') return [];
  if (scope === 'none') return [sql`1 = 0`];
  const { author, event } = scope;
  if (author === undefined) return [sql`${id} = ${event}`];
  const isOwn = sql<SqlBool>`${id} IN (SELECT own.id FROM events AS own WHERE own.author_id = ${author})`;
  return [event === undefined ? isOwn : sql<SqlBool>`(${isOwn} OR ${id} = ${event})`];
}
