import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { updateRead } from '../../../db/guarded-update.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { invalidParam } from '../../../http/core/errors.ts';
import { logChanges } from '../../../platform/audit/log.ts';
import { auditedAttendee } from '../../attendees/audited.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { isCountedStatus } from '../../tickets/seats/seats.ts';
import { returnSeats, seatsOf } from '../../tickets/seats/stock.ts';
import { cancellationRefused } from '../cancellation.ts';
import { CANCELLED_PLACE } from '../statuses.ts';
import { findOrder, type Order } from '../store.ts';
import { changeStatus } from '../transitions.ts';
import { logStep } from './order-log.ts';

interface CancelledPlaces {
  /** Ids of attendees of the order. */
  attendees: readonly number[];
  reason?: string;
}

/**
 * Cancels seats of an order in the transaction of `actOnOrder`: their attendees are archived for good and the seats
 * returned. An order without any other seat becomes `voided`. Cancelled seats stay cancelled.
 * @throws {ApiError} order-not-cancellable
 * @throws {InvalidParams} for attendees of other orders
 */
export async function cancelPlaces(
  db: Database,
  order: Order,
  { attendees: ids, reason }: CancelledPlaces,
  ctx: RequestContext,
): Promise<void> {
  const all = await findAttendeesOfOrder(db, order.id);
  const wanted = new Set(ids);
  if (all.filter(({ id }) => wanted.has(id)).length < wanted.size) throw invalidParam('attendees', 'param.holders');
  const open = all.filter(({ status }) => status === 'publish');
  const chosen = open.filter(({ id }) => wanted.has(id));
  if (chosen.length === 0) return;
  if (!isCountedStatus(order.status)) throw cancellationRefused('status');
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const records = chosen.map(({ id }) => ({ kind: auditedAttendee, id }));
  await logChanges(db, ctx.actor, records, () =>
    chosen.length === open.length
      ? changeStatus(db, { orderId: order.id, to: 'voided', unlessCheckedIn: true, ...by })
      : cancelSome(db, order, chosen),
  );
  const amount = chosen.reduce((sum, { price }) => sum + price, 0);
  const current = (await findOrder(db, order.id)) ?? order;
  const details = { attendees: chosen.map(({ id }) => id), amount, ...(reason !== undefined && { reason }) };
  await logStep(db, current, { action: 'places', details, ...by });
}

/** Keeps the time of the last change of the order, which may determine when it expires. */
async function cancelSome(db: Database, order: Order, chosen: readonly Attendee[]): Promise<void> {
  const rows = await db.query
    .updateTable('attendees')
    .set({ attendance_status: CANCELLED_PLACE, status: 'trash' })
    .where(
      'id',
      'in',
      chosen.map(({ id }) => id),
    )
    .where('status', '=', 'publish')
    .where('checked_in', '=', 0)
    .returning(['id', 'ticket_id', 'price'])
    .execute();
  if (rows.length < chosen.length) throw cancellationRefused('checked-in');
  const lines = Map.groupBy(rows, ({ ticket_id, price }) => `${ticket_id} ${price}`);
  for (const [first, ...others] of lines.values()) {
    if (!first) continue;
    await db.query
      .updateTable('order_items')
      .set({ cancelled: sql<number>`cancelled + ${others.length + 1}` })
      .where('order_id', '=', order.id)
      .where('ticket_id', '=', first.ticket_id)
      .where('price', '=', first.price)
      .execute();
  }
  const total = order.total - rows.reduce((sum, { price }) => sum + price, 0);
  await updateRead(db, 'orders', order, { total });
  await returnSeats(db, seatsOf(rows), 'sold');
}
