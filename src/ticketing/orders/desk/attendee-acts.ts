import { modifiedNow } from '../../../calendar/posts/post.ts';
import type { Database } from '../../../db/database.ts';
import { EditedMeanwhile } from '../../../db/errors.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { logChange } from '../../../platform/audit/log.ts';
import { auditedAttendee } from '../../attendees/audited.ts';
import { newSecurityCode } from '../../attendees/new-attendee.ts';
import { type Attendee, findAttendee, updateAttendee } from '../../attendees/store.ts';
import { lockAttendee } from '../../attendees/update.ts';
import { takesSeat } from '../../tickets/seats/seats.ts';
import { exchangeSeat, type Ticket, withExpiredReleased } from '../../tickets/seats/stock.ts';
import { findOrder, type Order } from '../store.ts';
import { stockErrorOf } from './act-on-order.ts';
import { logStep } from './order-log.ts';

/** Actions of staff on single attendees, logged in the attendee's order, if there is one. */

interface Locked {
  attendee: Attendee;
  order: Order | undefined;
}

/**
 * The current attendee and order, under locks that exclude other actions on them.
 * @throws {ApiError} attendee-not-found
 * @throws {OutdatedRevision}
 */
async function lockWithOrder(db: Database, id: number, ctx: RequestContext): Promise<Locked> {
  const known = await findAttendee(db, id);
  if (!known) throw new ApiError('attendee-not-found');
  const { order_id } = known;
  if (order_id !== null) await db.dialect.lockRow(db, { table: 'orders', id: order_id });
  const attendee = await lockAttendee(db, id);
  checkRevision(ctx, attendee);
  return { attendee, order: order_id === null ? undefined : await findOrder(db, order_id) };
}

const staffOf = ({ viewer, now }: RequestContext) => ({ userId: viewer.account?.id ?? 0, now });

/** Gives an attendee another security code; the earlier one and its links become invalid at once. */
export async function renewCode(ctx: RequestContext, id: number): Promise<void> {
  const { db, random } = ctx.context;
  await db.transaction(async (trx) => {
    const { attendee, order } = await lockWithOrder(trx, id, ctx);
    await logChange(trx, ctx.actor, { kind: auditedAttendee, id }, () =>
      updateAttendee(trx, attendee, { security_code: newSecurityCode(random), ...modifiedNow(ctx) }),
    );
    if (order) await logStep(trx, order, { action: 'new-code', details: { attendees: [id] }, ...staffOf(ctx) });
  });
}

/**
 * Moves an attendee with the seat to another ticket of the event. The paid price stays unchanged.
 * @throws {ApiError} attendee-not-found, attendee-archived, tec-tc-insufficient-stock
 * @throws {InvalidParams} for a ticket of another event or kind
 */
export async function moveAttendee(ctx: RequestContext, id: number, ticket: Ticket): Promise<void> {
  const { db } = ctx.context;
  try {
    await withExpiredReleased(db, ctx.now, () => db.transaction((trx) => move(trx, { id, ticket }, ctx)));
  } catch (error) {
    throw await stockErrorOf(error, ctx);
  }
}

async function move(db: Database, { id, ticket }: { id: number; ticket: Ticket }, ctx: RequestContext): Promise<void> {
  const { attendee, order } = await lockWithOrder(db, id, ctx);
  if (attendee.event_id !== ticket.event_id || attendee.provider !== ticket.provider)
    throw invalidParam('ticket_id', 'param.ticket_move');
  if (attendee.status !== 'publish') throw new ApiError('attendee-archived');
  if (attendee.ticket_id === ticket.id) return;
  await logChange(db, ctx.actor, { kind: auditedAttendee, id }, () => changeTicket(db, attendee, ticket, ctx));
  if (order) {
    await moveItem(db, order, { attendee, ticket });
    const details = { attendees: [id], ticket_id: ticket.id };
    await logStep(db, order, { action: 'moved', details, ...staffOf(ctx) });
  }
  if (takesSeat(attendee)) await exchangeSeat(db, { from: attendee.ticket_id, to: ticket.id });
}

/**
 * Compares the status too: a holder may change an RSVP at the same time, which returns or takes the seat of the
 * attendee's ticket at that moment.
 * @throws {EditedMeanwhile}
 */
async function changeTicket(db: Database, attendee: Attendee, ticket: Ticket, ctx: RequestContext): Promise<void> {
  const changed = await db.query
    .updateTable('attendees')
    .set({ ticket_id: ticket.id, ticket_title: ticket.title, ...modifiedNow(ctx) })
    .where('id', '=', attendee.id)
    .where('ticket_id', '=', attendee.ticket_id)
    .where('status', '=', attendee.status)
    .where('attendance_status', '=', attendee.attendance_status)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw new EditedMeanwhile({ table: 'attendees', id: attendee.id });
}

/** Moves one seat of an order from the item of one ticket to the item of another with the same price. */
async function moveItem(
  db: Database,
  { id: order_id }: Order,
  { attendee, ticket }: { attendee: Attendee; ticket: Ticket },
): Promise<void> {
  const { price, event_id } = attendee;
  await db.query
    .updateTable('order_items')
    .set((eb) => ({ quantity: eb('quantity', '-', 1) }))
    .where('order_id', '=', order_id)
    .where('ticket_id', '=', attendee.ticket_id)
    .where('price', '=', price)
    .execute();
  await db.query
    .insertInto('order_items')
    .values({ order_id, ticket_id: ticket.id, event_id, quantity: 1, price })
    .onConflict((conflict) =>
      conflict
        .columns(['order_id', 'ticket_id', 'price'])
        .doUpdateSet((eb) => ({ quantity: eb('order_items.quantity', '+', 1) })),
    )
    .execute();
  await db.query.deleteFrom('order_items').where('order_id', '=', order_id).where('quantity', '=', 0).execute();
}
