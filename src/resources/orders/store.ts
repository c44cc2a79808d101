import type { Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import { updateRead } from '../../db/guarded-update.ts';
import type { OrderItemsTable, OrderLogTable, OrdersTable } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';
import type { Actor } from '../../lib/actor.ts';
import type { LocalTime } from '../../lib/dates.ts';
import { searchWords } from '../../lib/text.ts';
import { logChange } from '../audit/log.ts';
import { auditedOrder } from './audited.ts';

export type Order = Selectable<OrdersTable>;
export type OrderItem = Selectable<OrderItemsTable>;
export type OrderLogEntry = Selectable<OrderLogTable>;

export const findOrder = (db: Database, id: number): Promise<Order | undefined> =>
  db.query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();

interface Extension {
  expires: LocalTime | null;
  now: LocalTime;
  /** Refuses the current order by throwing. */
  check(order: Order): void;
  actor?: Actor;
}

/**
 * Sets the expiry of an unpaid order, which then no longer counts towards the limits of its buyer.
 * @returns whether the order is unpaid
 */
export const keepOrder = (db: Database, id: number, { expires, now, check, actor }: Extension): Promise<boolean> =>
  db.transaction(async (trx) => {
    const order = await findOrder(trx, id);
    if (!order) return false;
    check(order);
    if (order.status !== 'pending') return false;
    await logChange(trx, actor, { kind: auditedOrder, id }, () =>
      updateRead(trx, 'orders', order, { expires_utc: expires, modified_utc: now, network: '', email_key: '' }),
    );
    return true;
  });

/** Changes the buyer. The time of the last change stays, since orders may expire by it. */
export async function updatePurchaser(
  db: Database,
  id: number,
  change: Pick<Order, 'purchaser_name' | 'purchaser_email' | 'search_text'>,
): Promise<void> {
  await db.query.updateTable('orders').set(change).where('id', '=', id).execute();
}

/**
 * Makes the order tokens that there are void.
 * @param check refuses the current order by throwing
 */
export const revokeAccess = (
  db: Database,
  id: number,
  { check, actor }: Partial<Pick<Extension, 'check' | 'actor'>> = {},
): Promise<void> =>
  db.transaction(async (trx) => {
    const order = await trx.query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    check?.(order);
    await logChange(trx, actor, { kind: auditedOrder, id }, () =>
      updateRead(trx, 'orders', order, { access_version: order.access_version + 1 }),
    );
  });

export const findItems = (db: Database, orderId: number): Promise<OrderItem[]> =>
  db.query.selectFrom('order_items').selectAll().where('order_id', '=', orderId).orderBy('ticket_id').execute();

/** The status changes of an order, oldest first. */
export const findLog = (db: Database, orderId: number): Promise<OrderLogEntry[]> =>
  db.query.selectFrom('order_log').selectAll().where('order_id', '=', orderId).orderBy('id').execute();

export interface OrderFilter {
  statuses?: readonly string[];
  search?: string;
  /** Orders with a ticket of this event. */
  event?: number;
}

/** The matching orders, latest first, and their total. */
export async function listOrders(
  db: Database,
  { statuses, search, event }: OrderFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ orders: Order[]; total: number }> {
  const matching = db.query
    .selectFrom('orders')
    .where((eb) =>
      eb.and([
        ...(statuses ? [isOneOf(eb.ref('status'), statuses)] : []),
        ...searchWords(search ?? '').map((word) => db.dialect.contains(eb.ref('search_text'), word)),
        ...(event === undefined
          ? []
          : [
              eb.exists(
                eb
                  .selectFrom('order_items')
                  .select('order_id')
                  .whereRef('order_items.order_id', '=', 'orders.id')
                  .where('order_items.event_id', '=', event),
              ),
            ]),
      ]),
    );
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const orders = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { orders, total: Number(total) };
}

/** Whether an id is that of an event, or of a deleted event that has orders. */
export async function isSoldEvent(db: Database, id: number): Promise<boolean> {
  const event = db.query.selectFrom('events').select('id').where('id', '=', id);
  const item = db.query.selectFrom('order_items').select('event_id as id').where('event_id', '=', id);
  return (await event.unionAll(item).limit(1).executeTakeFirst()) !== undefined;
}
