import { findEvent } from '../../../calendar/events/store.ts';
import { modifiedTimes } from '../../../calendar/posts/post.ts';
import type { Database } from '../../../db/database.ts';
import { EditConflict } from '../../../db/errors.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { includedAt } from '../../../lib/money/rates.ts';
import { logChange } from '../../../platform/audit/log.ts';
import { auditedAttendee } from '../../attendees/audited.ts';
import { checkOut } from '../../attendees/check-in.ts';
import { siteSource } from '../../attendees/create.ts';
import { newSecurityCode } from '../../attendees/new-attendee.ts';
import { changeOthers } from '../../attendees/pass-attendees.ts';
import { type Attendee, findAttendee, updateAttendee } from '../../attendees/store.ts';
import { leaveRsvp } from '../../attendees/transfers.ts';
import { lockAttendee } from '../../attendees/update.ts';
import { enqueueCorrection } from '../../ledger/invoices.ts';
import { exchangeSeat, seatErrorOf, withExpiredReleased } from '../../seats/seat-counters.ts';
import { takesSeat } from '../../seats/seats.ts';
import type { Ticket } from '../../tickets/store.ts';
import { logStep } from '../order-log.ts';
import { creditOrder } from '../staff-charges.ts';
import { findItems, findOrder, type Order, taxOfPlaces } from '../store.ts';

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
  const attendee = await lockAttendee(db, known);
  checkRevision(ctx, attendee);
  return { attendee, order: order_id === null ? undefined : await findOrder(db, order_id) };
}

const staffOf = ({ viewer, now }: RequestContext) => ({ userId: viewer.account?.id ?? 0, now });

/** Gives an attendee, or a series pass, another security code; the earlier one and its links become invalid at once. */
export async function renewCode(ctx: RequestContext, id: number): Promise<void> {
  const { db, random } = ctx.context;
  await db.transaction(async (trx) => {
    const { attendee, order } = await lockWithOrder(trx, id, ctx);
    const renewed = { security_code: newSecurityCode(random), ...modifiedTimes(ctx) };
    await logChange(trx, ctx.actor, { kind: auditedAttendee, id }, () => updateAttendee(trx, attendee, renewed));
    await changeOthers(trx, attendee, renewed);
    if (order) await logStep(trx, order, { action: 'new-code', details: { attendees: [id] }, ...staffOf(ctx) });
  });
}

/**
 * Moves an attendee with the seat to another ticket, also of another event, where the attendee must check in anew. The
 * paid price stays unchanged.
 * @throws {ApiError} attendee-not-found, attendee-archived, event-cancelled, tec-tc-insufficient-stock
 * @throws {InvalidParams} for a ticket of another kind, and for series passes
 */
export async function moveAttendee(ctx: RequestContext, id: number, ticket: Ticket): Promise<void> {
  const { db } = ctx.context;
  try {
    await withExpiredReleased(db, ctx.now, () => db.transaction((trx) => move(trx, { id, ticket }, ctx)));
  } catch (error) {
    throw await seatErrorOf(db, error, ctx.now);
  }
}

async function move(db: Database, { id, ticket }: { id: number; ticket: Ticket }, ctx: RequestContext): Promise<void> {
  const { attendee, order } = await lockWithOrder(db, id, ctx);
  const isOfPass = attendee.pass_id !== null || ticket.pass_id !== null;
  if (isOfPass || attendee.provider !== ticket.provider) throw invalidParam('ticket_id', 'param.ticket_move');
  if (attendee.status !== 'publish') throw new ApiError('attendee-archived');
  if (attendee.ticket_id === ticket.id) return;
  if (attendee.event_id !== ticket.event_id) await leaveEvent(db, attendee, ticket, ctx);
  await logChange(db, ctx.actor, { kind: auditedAttendee, id }, () => changeTicket(db, attendee, ticket, ctx));
  if (order) {
    await moveItem(db, order, { attendee, ticket });
    const details = { attendees: [id], ticket_id: ticket.id };
    await logStep(db, order, { action: 'moved', details, ...staffOf(ctx) });
    await enqueueCorrection(db, { orderId: order.id, now: ctx.now });
    // The place may have left a tax rate at which money was given back.
    await creditOrder(db, order, { amount: 0, config: ctx.context.config, now: ctx.now });
  }
  if (takesSeat(attendee)) await exchangeSeat(db, { from: attendee.ticket_id, to: ticket.id });
}

/** @throws {ApiError} event-cancelled */
async function leaveEvent(db: Database, { id }: Attendee, ticket: Ticket, ctx: RequestContext): Promise<void> {
  const { id: ticket_id, event_id: post_id } = ticket;
  if ((await findEvent(db, post_id))?.event_status === 'cancelled')
    throw new ApiError('event-cancelled', { data: { ticket_id, post_id } });
  await checkOut(db, id, siteSource(ctx));
  await leaveRsvp(db, id);
}

/**
 * Compares the status too: a holder may change an RSVP at the same time, which returns or takes the seat of the
 * attendee's ticket at that moment.
 * @throws {EditConflict}
 */
async function changeTicket(db: Database, attendee: Attendee, ticket: Ticket, ctx: RequestContext): Promise<void> {
  const changed = await db.query
    .updateTable('attendees')
    .set({ ticket_id: ticket.id, event_id: ticket.event_id, ticket_title: ticket.title, ...modifiedTimes(ctx) })
    .where('id', '=', attendee.id)
    .where('ticket_id', '=', attendee.ticket_id)
    .where('status', '=', attendee.status)
    .where('attendance_status', '=', attendee.attendance_status)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw new EditConflict({ table: 'attendees', id: attendee.id });
}

/**
 * Moves one seat of an order from the item of one ticket to the item of another with the same price. Its tax goes with it:
 * at the rate of the order's places of the other ticket at this price, otherwise at its own.
 */
async function moveItem(
  db: Database,
  { id: order_id }: Order,
  { attendee, ticket }: { attendee: Attendee; ticket: Ticket },
): Promise<void> {
  const { price, ticket_id: from } = attendee;
  const { id: ticket_id, event_id } = ticket;
  const items = await findItems(db, order_id);
  const itemOf = (id: number) => items.find((item) => item.ticket_id === id && item.price === price);
  const [left, joined] = [itemOf(from), itemOf(ticket_id)];
  if (!left) throw new Error(`attendee ${attendee.id} has no item in order ${order_id}`);
  const part = taxOfPlaces(left, 1);
  const tax_rate = joined?.tax_rate ?? left.tax_rate;
  const tax = tax_rate === left.tax_rate ? part : includedAt(price, tax_rate);
  await db.query
    .updateTable('order_items')
    .set({ quantity: left.quantity - 1, tax: left.tax - part })
    .where('order_id', '=', order_id)
    .where('ticket_id', '=', from)
    .where('price', '=', price)
    .execute();
  await db.query
    .insertInto('order_items')
    .values({ order_id, ticket_id, event_id, quantity: 1, price, tax_rate, tax })
    .onConflict((conflict) =>
      conflict.columns(['order_id', 'ticket_id', 'price']).doUpdateSet((eb) => ({
        quantity: eb('order_items.quantity', '+', 1),
        tax: eb('order_items.tax', '+', tax),
      })),
    )
    .execute();
  await db.query.deleteFrom('order_items').where('order_id', '=', order_id).where('quantity', '=', 0).execute();
}
