import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { EventScope, OwnedEvent } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { findOwners, scopeConditions, testerOf } from '../tickets/event-scope.ts';

/**
 * Orders that a viewer with rights for some events sees and changes: those whose tickets and attendees all belong to
 * these events. `ordersInScope` and `orderConditionsOf` are the same rule in TypeScript and in SQL.
 */

const eventsOfOrders = byIds((query, ids) =>
  query
    .selectFrom('order_items')
    .select(['order_id', 'event_id'])
    .where('order_id', 'in', ids)
    .union(
      query
        .selectFrom('attendees')
        .select(['order_id', 'event_id'])
        .where('order_id', 'in', ids)
        .$narrowType<{ order_id: number }>(),
    ),
);

/** Ids of the orders that are within a scope. */
export async function ordersInScope(
  db: Database,
  scope: EventScope,
  orderIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (scope === 'all') return new Set(orderIds);
  const lines = scope === 'none' ? [] : await eventsOfOrders(db, orderIds);
  const isIncluded = await testerOf(
    db,
    scope,
    lines.map(({ event_id }) => event_id),
  );
  const byOrder = Map.groupBy(lines, ({ order_id }) => order_id);
  return new Set([...byOrder].filter(([, own]) => own.every((line) => isIncluded(line.event_id))).map(([id]) => id));
}

/** Order that a request names: its status, and the events of its tickets and attendees. */
export interface NamedOrder {
  /** Undefined if it does not exist. */
  status: string | undefined;
  events: OwnedEvent[];
}

export async function findNamedOrder(ctx: RequestContext, id = 0): Promise<NamedOrder> {
  const { db } = ctx.context;
  const order = await db.query.selectFrom('orders').select('status').where('id', '=', id).executeTakeFirst();
  const lines = order ? await eventsOfOrders(db, [id]) : [];
  const eventIds = lines.map(({ event_id }) => event_id);
  return { status: order?.status, events: await findOwners(ctx, eventIds) };
}

/**
 * The condition that an order, by its id, is within a scope; none for all events.
 * @param from where a query begins: at the `events`, best for a list of all orders, or at the `orders` that other
 *   conditions find by an index
 */
export function orderConditionsOf(
  scope: EventScope,
  id: RawBuilder<unknown>,
  from: 'events' | 'orders' = 'events',
): RawBuilder<SqlBool>[] {
  if (typeof scope === 'string') return scope === 'all' ? [] : [sql`1 = 0`];
  const isIncluded = sql.join(scopeConditions(scope, sql.ref('line.event_id')), sql` AND `);
  return [
    from === 'events'
      ? sql`${id} IN (SELECT line.order_id FROM order_items AS line WHERE ${isIncluded})`
      : sql`EXISTS (SELECT 1 FROM order_items AS line WHERE line.order_id = ${id} AND ${isIncluded})`,
    sql`NOT EXISTS (SELECT 1 FROM order_items AS line WHERE line.order_id = ${id} AND NOT (${isIncluded}))`,
    sql`NOT EXISTS (SELECT 1 FROM attendees AS line WHERE line.order_id = ${id} AND NOT (${isIncluded}))`,
  ];
}
