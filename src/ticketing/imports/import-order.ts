import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { fromUtc, type LocalTime, utcToLocal } from '../../lib/dates/dates.ts';
import { fold, plainText } from '../../lib/text/text.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { createdOrder } from '../orders/audited.ts';
import { receiveOffline } from '../orders/status-money.ts';
import type { OrderStatus } from '../orders/statuses.ts';
import type { Order } from '../orders/store.ts';

/** Orders of other sites, as they were settled there. */

/** Payment method of imported orders, whose money cannot be given back through a payment service. */
export const IMPORTED = 'imported';

export interface ImportedOrder {
  /** Id that it keeps if it is free. */
  keptId?: number;
  status: OrderStatus;
  currency: string;
  /** Minor units of the whole order. */
  total: number;
  /** UTC. */
  date_utc: LocalTime;
  purchaser_name: string;
  purchaser_email: string;
  /** Payment service of the other site and its reference, for staff. */
  note: string;
  /** Part of the total besides the prices of places: fees, or a discount. */
  charge?: { title: string; amount: number };
}

/**
 * Inserts an order with all its money, in the transaction of the caller. Its places and their lines follow with its attendees
 * (`importAttendee`, with `isSettled`). Nothing is mailed and no invoice issued.
 */
export async function importOrder(db: Database, imported: ImportedOrder, ctx: RequestContext): Promise<number> {
  const { keptId, charge, date_utc, status, total, ...values } = imported;
  const order = await insertImportedOrder(
    db,
    { ...values, purchaser_name: plainText(values.purchaser_name), status, total, date_utc, keptId },
    ctx,
  );
  if (charge)
    await db.query
      .insertInto('order_charges')
      .values({
        ...{ order_id: order.id, kind: charge.amount > 0 ? 'fee' : 'discount', title: plainText(charge.title) },
        ...{ amount: charge.amount, source_id: null, date_utc },
      })
      .execute();
  if (status === 'completed' && total > 0) {
    const entry = { source: IMPORTED, userId: 0, now: fromUtc(date_utc) };
    await receiveOffline(db, order, { amount: total, entry });
  }
  return order.id;
}

type OrderRow = Omit<ImportedOrder, 'charge'>;

/** Inserts the row of an order with its log. */
export async function insertImportedOrder(db: Database, row: OrderRow, ctx: RequestContext): Promise<Order> {
  const { keptId, date_utc, purchaser_name, purchaser_email, ...values } = row;
  const order = await db.query
    .insertInto('orders')
    .values({
      ...values,
      id: await newRecordId(db, 'order', keptId),
      access_version: ctx.context.random(4).readUInt32BE() >>> 2,
      ...{ gateway: IMPORTED, user_id: 0 },
      ...{ purchaser_name, purchaser_email, search_text: fold(`${purchaser_name}\n${purchaser_email}`) },
      ...{ date: utcToLocal(date_utc, ctx.context.config.timezone), date_utc, modified_utc: date_utc },
      expires_utc: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db.query
    .insertInto('order_log')
    .values({ order_id: order.id, from_status: '', to_status: order.status, user_id: 0, date_utc })
    .execute();
  await logCreations(db, ctx.actor, [createdOrder(order)]);
  return order;
}
