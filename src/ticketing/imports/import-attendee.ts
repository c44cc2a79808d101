import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { fromUtc, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { createdAttendee } from '../attendees/audited.ts';
import { originOf } from '../attendees/create.ts';
import { attendeeRow } from '../attendees/new-attendee.ts';
import { type Attendee, insertAttendees } from '../attendees/store.ts';
import { receiveOffline } from '../orders/status-money.ts';
import { CANCELLED_SEAT, type OrderStatus } from '../orders/statuses.ts';
import { findOrder, type Order } from '../orders/store.ts';
import { countImported } from '../seats/seat-counters.ts';
import { isCountedStatus, takesSeat } from '../seats/seats.ts';
import type { Ticket } from '../tickets/store.ts';
import { IMPORTED, insertImportedOrder } from './import-order.ts';

/** An attendee of another site, who keeps the seat whether or not there is room. */
export interface ImportedAttendee {
  ticket: Ticket;
  /** `publish` or `trash`. */
  status: string;
  full_name: string;
  email: string;
  optout: boolean;
  information: unknown;
  /** UTC. */
  date_utc: LocalTime;
  /** Kept security code; a new one by default. */
  securityCode?: string;
  checkIn?: { date_utc: LocalTime; source: 'site' | 'app' };
  /** RSVP answer. */
  answer: 'yes' | 'no';
  /** Order of a paid seat. */
  order?: {
    /** Order that exists already. */
    id?: number;
    /** Whether that order has its total and its money already, and only lacks the line of the seat. */
    isSettled?: boolean;
    /** Id that a new order keeps. */
    keptId?: number;
    status: OrderStatus;
    /** Minor units paid for the seat. */
    price: number;
    currency: string;
  };
}

/**
 * Inserts an attendee with a given id, and the order or the line of it, in the transaction of the caller. Nothing is
 * mailed and no invoice issued, since the other site has done both.
 * @returns ids of the attendee and of the order
 */
export async function importAttendee(
  db: Database,
  attendee: ImportedAttendee,
  ctx: RequestContext,
): Promise<{ id: number; orderId: number | null }> {
  const { ticket, order: sold } = attendee;
  const order = sold && (await orderOf(db, attendee, sold, ctx));
  const id = await newRecordId(db, 'attendee', ctx.keptId);
  const row = attendeeRow(
    id,
    {
      ticket,
      holder: { ...attendee, optout: attendee.optout ? 1 : 0 },
      attendance_status: order ? statusIn(order, attendee) : attendee.answer,
      order_id: order?.id ?? null,
      price: sold?.price ?? 0,
    },
    { ...originOf(ctx), authorId: 0, now: fromUtc(attendee.date_utc) },
  );
  const [added] = await insertAttendees(db, [
    {
      ...row,
      status: order && !isCountedStatus(order.status) ? 'trash' : attendee.status,
      security_code: attendee.securityCode ?? row.security_code,
      ...checkInColumns(attendee),
    },
  ]);
  if (!added) throw new Error('an inserted row was not returned');
  if (order && sold) await addToOrder(db, order, { added, sold, ctx });
  if (attendee.checkIn) await logCheckIn(db, id, attendee.checkIn);
  if (takesSeat(added)) await countImported(db, [{ ticket_id: ticket.id, quantity: 1 }]);
  await logCreations(db, ctx.actor, [createdAttendee(added)]);
  return { id, orderId: order?.id ?? null };
}

/** Gives an imported attendee the security code of the other site, which was not known before. */
export async function replaceSecurityCode(db: Database, id: number, security_code: string): Promise<void> {
  await db.query.updateTable('attendees').set({ security_code }).where('id', '=', id).execute();
}

/**
 * A place that was given up while its order stays valid has a status of its own; any other has the status of its order.
 */
function statusIn(order: Order, { status, order: sold }: ImportedAttendee): string {
  if (status !== 'trash' || !sold) return order.status;
  return sold.isSettled && isCountedStatus(order.status) ? CANCELLED_SEAT : sold.status;
}

const checkInColumns = ({ checkIn }: ImportedAttendee) =>
  checkIn && { checked_in: 1 as const, checkin_utc: checkIn.date_utc, checkin_source: checkIn.source };

async function logCheckIn(
  db: Database,
  attendee_id: number,
  { date_utc, source }: { date_utc: string; source: string },
) {
  await db.query
    .insertInto('check_ins')
    .values({ attendee_id, action: 'in', date_utc, source, user_id: 0, key_id: null, device: '' })
    .execute();
}

async function orderOf(
  db: Database,
  attendee: ImportedAttendee,
  { id, keptId, status, currency }: NonNullable<ImportedAttendee['order']>,
  ctx: RequestContext,
): Promise<Order> {
  const known = id === undefined ? undefined : await findOrder(db, id);
  if (known) return known;
  const { full_name, email, date_utc } = attendee;
  const values = { status, currency, total: 0, date_utc, note: '', keptId };
  return insertImportedOrder(db, { ...values, purchaser_name: full_name, purchaser_email: email }, ctx);
}

/** Adds the seat to the lines, the total and the received money of its order. */
async function addToOrder(
  db: Database,
  order: Order,
  { added, sold, ctx }: { added: Attendee; sold: NonNullable<ImportedAttendee['order']>; ctx: RequestContext },
): Promise<void> {
  const { query } = db;
  const { price, isSettled = false } = sold;
  const isGivenUp = added.attendance_status === CANCELLED_SEAT && order.status !== CANCELLED_SEAT;
  const cancelled = isGivenUp ? 1 : 0;
  const { ticket_id, event_id } = added;
  const grown = await query
    .updateTable('order_items')
    .set((eb) => ({ quantity: eb('quantity', '+', 1), cancelled: eb('cancelled', '+', cancelled) }))
    .where('order_id', '=', order.id)
    .where('ticket_id', '=', ticket_id)
    .where('price', '=', price)
    .returning('order_id')
    .executeTakeFirst();
  if (!grown)
    await query
      .insertInto('order_items')
      .values({ order_id: order.id, ticket_id, event_id, quantity: 1, price, cancelled })
      .execute();
  if (isGivenUp || price === 0 || isSettled) return;
  await query
    .updateTable('orders')
    .set((eb) => ({ total: eb('total', '+', price) }))
    .where('id', '=', order.id)
    .execute();
  if (order.status !== 'completed') return;
  const now = fromUtc(added.date_utc <= toUtc(ctx.now) ? added.date_utc : toUtc(ctx.now));
  await bookReceived(db, order, { price, now });
}

/** Books the price of a seat as received, in one payment for all seats of an order. */
async function bookReceived(db: Database, order: Order, { price, now }: { price: number; now: Date }): Promise<void> {
  const booked = await db.query
    .updateTable('payments')
    .set((eb) => ({ amount: eb('amount', '+', price) }))
    .where('order_id', '=', order.id)
    .where('method', '=', IMPORTED)
    .where('status', '=', 'paid')
    .returning('id')
    .executeTakeFirst();
  if (!booked) await receiveOffline(db, order, { amount: price, entry: { source: IMPORTED, userId: 0, now } });
}
