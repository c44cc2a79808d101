import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { logChange } from '../../platform/audit/log.ts';
import { removeTranslations } from '../../platform/translations/store.ts';
import { auditedAttendee } from '../attendees/audited.ts';
import type { Attendee } from '../attendees/store.ts';
import { auditedOrder } from '../orders/audited.ts';
import { CANCELLED_SEAT } from '../orders/statuses.ts';
import { findOrder, type Order } from '../orders/store.ts';
import { recountShared, returnSeats } from '../seats/seat-counters.ts';
import { takesSeat } from '../seats/seats.ts';
import { findTicket } from '../tickets/store.ts';
import { withdrawTickets } from '../tickets/withdraw-ticket.ts';
import { IMPORTED } from './import-order.ts';

/**
 * Removes records that an import created, permanently, in the transaction of the caller. No endpoint does so: attendees and
 * orders of this site are archived or void instead.
 */

/**
 * Removes an attendee with the seat, and with the part of the order that `importAttendee` added.
 * @param isSettled whether the money was booked with the order
 */
export async function removeImportedAttendee(
  db: Database,
  attendee: Attendee,
  { ctx, isSettled }: { ctx: RequestContext; isSettled: boolean },
): Promise<void> {
  const { id } = attendee;
  if (takesSeat(attendee)) await returnSeats(db, [{ ticket_id: attendee.ticket_id, quantity: 1 }], 'sold');
  await logChange(db, ctx.actor, { kind: auditedAttendee, id }, async () => {
    await db.query.deleteFrom('check_ins').where('attendee_id', '=', id).execute();
    await db.query.deleteFrom('attendees').where('id', '=', id).execute();
    await db.query.deleteFrom('records').where('id', '=', id).execute();
  });
  const order = attendee.order_id === null ? undefined : await findOrder(db, attendee.order_id);
  if (order) await takeFromOrder(db, order, { attendee, isSettled });
}

async function takeFromOrder(
  { query }: Database,
  { id, status }: Order,
  { attendee, isSettled }: { attendee: Attendee; isSettled: boolean },
): Promise<void> {
  const { ticket_id, price } = attendee;
  const isGivenUp = attendee.attendance_status === CANCELLED_SEAT && status !== CANCELLED_SEAT;
  const items = query.updateTable('order_items').where('order_id', '=', id);
  await items
    .set((eb) => ({ quantity: eb('quantity', '-', 1), cancelled: eb('cancelled', '-', isGivenUp ? 1 : 0) }))
    .where('ticket_id', '=', ticket_id)
    .where('price', '=', price)
    .execute();
  await query.deleteFrom('order_items').where('order_id', '=', id).where('quantity', '=', 0).execute();
  if (isGivenUp || price === 0 || isSettled) return;
  await query
    .updateTable('orders')
    .set((eb) => ({ total: eb('total', '-', price) }))
    .where('id', '=', id)
    .execute();
  if (status !== 'completed') return;
  await query
    .updateTable('payments')
    .set((eb) => ({ amount: eb('amount', '-', price) }))
    .where('order_id', '=', id)
    .where('method', '=', IMPORTED)
    .where('status', '=', 'paid')
    .execute();
  await removePayments(query, id, { onlyEmpty: true });
}

async function removePayments(
  query: Database['query'],
  orderId: number,
  { onlyEmpty }: { onlyEmpty: boolean },
): Promise<void> {
  const payments = query
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .$if(onlyEmpty, (only) => only.where('amount', '=', 0));
  const ids = (await payments.execute()).map(({ id }) => id);
  if (ids.length === 0) return;
  await query.deleteFrom('payment_log').where('payment_id', 'in', ids).execute();
  await query.deleteFrom('payments').where('id', 'in', ids).execute();
}

/** Removes an order without attendees, with its money. */
export async function removeImportedOrder(db: Database, id: number, ctx: RequestContext): Promise<void> {
  const { query } = db;
  await logChange(db, ctx.actor, { kind: auditedOrder, id }, async () => {
    await removePayments(query, id, { onlyEmpty: false });
    for (const table of ['order_charges', 'order_items', 'order_log'] as const)
      await query.deleteFrom(table).where('order_id', '=', id).execute();
    await query.deleteFrom('orders').where('id', '=', id).execute();
    await query.deleteFrom('records').where('id', '=', id).execute();
  });
}

/**
 * Withdraws a ticket, and removes it.
 * @returns false if it has attendees or orders; the caller undoes the withdrawal
 */
export async function removeImportedTicket(db: Database, id: number, ctx: RequestContext): Promise<boolean> {
  const { query } = db;
  const ticket = await findTicket(db, id);
  // Holds its row, so that no seat is taken meanwhile.
  if (ticket) await withdrawTickets(db, [ticket], ctx);
  const row = await query.selectFrom('tickets').select('event_id').where('id', '=', id).executeTakeFirst();
  if (!row) return true;
  for (const table of ['attendees', 'order_items', 'cart_items'] as const)
    if (await query.selectFrom(table).select('ticket_id').where('ticket_id', '=', id).limit(1).executeTakeFirst())
      return false;
  await removeTranslations(db, { kind: 'ticket', id });
  await query.deleteFrom('tickets').where('id', '=', id).execute();
  await query.deleteFrom('records').where('id', '=', id).execute();
  const others = query.selectFrom('tickets').select('id').where('event_id', '=', row.event_id);
  if (await others.where('is_deleted', '=', 0).limit(1).executeTakeFirst()) await recountShared(db, row.event_id);
  else await query.deleteFrom('event_stock').where('event_id', '=', row.event_id).execute();
  return true;
}
