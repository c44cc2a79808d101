import { type Expression, type ExpressionBuilder, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import type { OrderItemsTable, OrderLogTable, OrdersTable } from '../../db/tables/ticketing.ts';
import type { Tables } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';
import type { EventScope } from '../../http/core/auth.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { searchWords } from '../../lib/text/text.ts';
import { orderIdsFor } from '../attendees/filter.ts';
import { isSettledSql } from '../ledger/payment-statuses.ts';
import { isCountedStatusSql } from '../seats/seats.ts';
import { orderConditionsOf } from './order-scope.ts';

export type Order = Selectable<OrdersTable>;
export type OrderItem = Selectable<OrderItemsTable>;
export type OrderLogEntry = Selectable<OrderLogTable>;

export const findOrder = (db: Database, id: number): Promise<Order | undefined> =>
  db.query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();

/** @throws {ApiError} order-not-found */
export async function getOrder(db: Database, id: number): Promise<Order> {
  const order = await findOrder(db, id);
  if (!order) throw new ApiError('order-not-found');
  return order;
}

/**
 * Sets the expiry of an unpaid order, which then no longer counts towards the limits of its customer.
 * @returns whether the order is unpaid
 */
export async function setOrderExpiry(
  db: Database,
  order: Order,
  { expires, now }: { expires: LocalTime | null; now: LocalTime },
): Promise<boolean> {
  if (order.status !== 'pending') return false;
  await updateUnlessEdited(db, 'orders', order, {
    expires_utc: expires,
    hold_until: null,
    modified_utc: now,
    network: '',
    email_key: '',
  });
  return true;
}

/** Changes the customer. Keeps the time of the last change, since orders may expire by it. */
export async function updateCustomer(
  db: Database,
  id: number,
  change: Pick<Order, 'purchaser_name' | 'purchaser_email' | 'search_text'>,
): Promise<void> {
  await db.query.updateTable('orders').set(change).where('id', '=', id).execute();
}

/** Revokes the existing order tokens, in the transaction that read the order. */
export const revokeAccess = (db: Database, order: Order): Promise<void> =>
  updateUnlessEdited(db, 'orders', order, { access_version: order.access_version + 1 });

export const findItems = (db: Database, orderId: number): Promise<OrderItem[]> =>
  db.query
    .selectFrom('order_items')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('ticket_id')
    .orderBy('price')
    .execute();

/** Part of the tax of an item in some of its places that are not cancelled; the whole tax in all of them. */
export function taxOfPlaces({ quantity, cancelled, tax }: OrderItem, places: number): number {
  const left = quantity - cancelled;
  return tax - Math.round((tax * (left - places)) / left);
}

/** Log of an order, oldest step first. */
export const findLog = (db: Database, orderId: number): Promise<OrderLogEntry[]> =>
  db.query.selectFrom('order_log').selectAll().where('order_id', '=', orderId).orderBy('id').execute();

/** Orders by id. */
export async function getOrders(db: Database, ids: readonly number[]): Promise<Map<number, Order>> {
  return new Map((await ordersById(db, ids)).map((order) => [order.id, order]));
}

const ordersById = byIds((query, ids) => query.selectFrom('orders').selectAll().where('id', 'in', ids));

/** Filters of a list of orders: absent members do not restrict. */
export interface OrderFilter {
  statuses?: readonly string[];
  gateways?: readonly string[];
  /** Words that must each be part of the name or e-mail address of the customer, or be the number or the id of the order. */
  search?: string;
  /** Orders with a ticket of this event. */
  event?: number;
  /** Orders whose tickets and attendees all belong to these events. */
  within: EventScope;
  /** UTC, both included. */
  after?: string;
  before?: string;
  /** Minor units, both included. */
  totalMin?: number;
  totalMax?: number;
  /** Whether money of the order is to be given back. */
  moneyOwed?: boolean;
}

const matching = (db: Database, filter: OrderFilter) =>
  db.query.selectFrom('orders').where((eb) => eb.and(orderConditions(db, filter, eb)));

function orderConditions(
  db: Database,
  { statuses, gateways, search, event, within, after, before, totalMin, totalMax, moneyOwed }: OrderFilter,
  eb: ExpressionBuilder<Tables, 'orders'>,
): Expression<SqlBool>[] {
  return [
    ...(statuses ? [isOneOf(eb.ref('status'), statuses)] : []),
    ...(gateways ? [isOneOf(eb.ref('gateway'), gateways)] : []),
    ...(after === undefined ? [] : [eb('date_utc', '>=', after)]),
    ...(before === undefined ? [] : [eb('date_utc', '<=', before)]),
    ...(totalMin === undefined ? [] : [eb('total', '>=', totalMin)]),
    ...(totalMax === undefined ? [] : [eb('total', '<=', totalMax)]),
    ...searchWords(search ?? '').map((word) => {
      const isCustomer = db.dialect.contains(eb.ref('search_text'), word);
      return eb.or([isCustomer, ...orderIdsFor(word).map((id) => eb('id', '=', id))]);
    }),
    ...(event === undefined ? [] : [hasEvent(event, eb)]),
    ...(moneyOwed === undefined ? [] : [moneyOwed ? hasMoneyOwed : eb.not(hasMoneyOwed)]),
    ...orderConditionsOf(within, sql.ref('orders.id')),
  ];
}

const hasEvent = (event: number, eb: ExpressionBuilder<Tables, 'orders'>): Expression<SqlBool> =>
  eb.exists(
    eb
      .selectFrom('order_items')
      .select('order_id')
      .whereRef('order_items.order_id', '=', 'orders.id')
      .where('order_items.event_id', '=', event),
  );

/**
 * Condition on rows of `orders`: more was received than they cost, as in `owedOf`. Reads the payments in the order of
 * their index; the maximum of one value is that value.
 */
const hasMoneyOwed: RawBuilder<SqlBool> = sql<SqlBool>`orders.id IN (
  SELECT p.order_id FROM payments AS p JOIN orders AS o ON o.id = p.order_id
  WHERE ${isSettledSql('p')} AND p.amount > p.refunded
  GROUP BY p.order_id
  HAVING sum(p.amount - p.refunded) > CASE WHEN ${isCountedStatusSql(sql`max(o.status)`)} THEN max(o.total)
    ELSE (SELECT coalesce(sum(c.amount), 0) FROM order_charges AS c WHERE c.order_id = p.order_id AND c.kind = 'kept') END)`;

/** The matching orders, latest first, and their total. */
export async function listOrders(
  db: Database,
  filter: OrderFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ orders: Order[]; total: number }> {
  const total = await countOrders(db, filter);
  const orders = await matching(db, filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { orders, total };
}

export async function countOrders(db: Database, filter: OrderFilter): Promise<number> {
  const count = matching(db, filter).select((eb) => eb.fn.countAll<number>().as('total'));
  return Number((await count.executeTakeFirstOrThrow()).total);
}

/** The matching orders after an id, by id. */
export const findOrdersAfter = (
  db: Database,
  filter: OrderFilter,
  { after, limit }: { after: number; limit: number },
): Promise<Order[]> => matching(db, filter).where('id', '>', after).selectAll().orderBy('id').limit(limit).execute();

/** Whether an id belongs to an event, or to a deleted event with orders. */
export async function hasEventOrOrders(db: Database, id: number): Promise<boolean> {
  const event = db.query.selectFrom('events').select('id').where('id', '=', id);
  const item = db.query.selectFrom('order_items').select('event_id as id').where('event_id', '=', id);
  return (await event.unionAll(item).limit(1).executeTakeFirst()) !== undefined;
}
