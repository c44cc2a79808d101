import type { Database } from '../../db/database.ts';
import { newRecordIds } from '../../db/record-ids.ts';
import type { Actor } from '../../lib/actor.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { fold, plainText } from '../../lib/text/text.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { createdAttendee } from '../attendees/audited.ts';
import { type AttendeeOrigin, attendeeRow, type Guest } from '../attendees/new-attendee.ts';
import { type Attendee, insertAttendees } from '../attendees/store.ts';
import { sellHeldSeats, type Ticket, takeSeats } from '../tickets/seats/stock.ts';
import { createdOrder } from './audited.ts';
import type { PurchaserChange } from './holder-input.ts';
import type { UnpaidTerms } from './seat-limits.ts';
import { type Order, updatePurchaser } from './store.ts';

export interface NewOrder {
  purchaser: { name: string; email: string };
  /** `manual`, `free`, or the id of a payment method or of a payment provider. */
  gateway: string;
  status: 'pending' | 'completed';
  /** ISO 4217. */
  currency: string;
  /** Whether its seats must still be taken, or are held by a cart. */
  seats: 'take' | 'held';
  /** Terms of an unpaid order; the default is MARQUEE_ORDER_HOLD. */
  terms?: Partial<UnpaidTerms>;
  /** One per ticket. Prices are per seat, in minor units. */
  items: readonly { ticket: Ticket; price: number; attendees: readonly Guest[] }[];
  /** Seller for the audit log; absent for visitors, whose orders it does not record. */
  seller?: Actor;
}

/** Statuses in the log of a new order. */
const STATUS_PATH = { pending: ['created', 'pending'], completed: ['created', 'pending', 'completed'] } as const;

/**
 * Creates an order with one attendee for each seat, and takes the seats, in the transaction of the caller. The seats
 * come last, so that on PostgreSQL the most contended rows are locked for the shortest time.
 * @throws {SoldOut} when there are not enough; the transaction must then be rolled back
 */
export async function placeOrder(
  db: Database,
  order: NewOrder,
  origin: AttendeeOrigin,
): Promise<{ order: Order; attendees: Attendee[] }> {
  const newAttendees = order.items.flatMap(({ ticket, price, attendees }) =>
    attendees.map((guest) => ({ ticket, price, guest, attendance_status: order.status })),
  );
  const [orderId, ...attendeeIds] = await newRecordIds(db, ['order', ...newAttendees.map(() => 'attendee' as const)]);
  const keys = { id: orderId, access_version: firstAccessVersion(origin) };
  const placed = await insertOrder(db, keys, { order, origin });
  const rows = attendeeIds.flatMap((id, position) => {
    const attendee = newAttendees[position];
    return attendee ? attendeeRow(id, { ...attendee, order_id: orderId }, origin) : [];
  });
  const attendees = await insertAttendees(db, rows);
  await logCreations(db, order.seller, [createdOrder(placed), ...attendees.map(createdAttendee)]);
  const seats = order.items.map(({ ticket, attendees }) => ({ ticket_id: ticket.id, quantity: attendees.length }));
  if (order.seats === 'held') await sellHeldSeats(db, seats);
  else await takeSeats(db, seats, 'sold');
  return { order: placed, attendees };
}

/**
 * Random number below 2^30, which leaves room for increments that revoke a link. After a backup is restored, ids are
 * assigned again: the link of a lost order must not open the order that now has its id.
 */
const firstAccessVersion = ({ random }: Pick<AttendeeOrigin, 'random'>): number => random(4).readUInt32BE() >>> 2;

async function insertOrder(
  db: Database,
  keys: Pick<Order, 'id' | 'access_version'>,
  { order, origin }: { order: NewOrder; origin: AttendeeOrigin },
): Promise<Order> {
  const { status, gateway, currency, items } = order;
  const purchaser = { name: plainText(order.purchaser.name), email: order.purchaser.email.trim() };
  const date_utc = toUtc(origin.now);
  const placed = await db.query
    .insertInto('orders')
    .values({
      ...keys,
      status,
      gateway,
      purchaser_name: purchaser.name,
      purchaser_email: purchaser.email,
      search_text: purchaserKey(purchaser),
      user_id: origin.userId,
      currency,
      total: items.reduce((sum, { price, attendees }) => sum + price * attendees.length, 0),
      date: utcToLocal(date_utc, origin.timezone),
      date_utc,
      modified_utc: date_utc,
      ...order.terms,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const lines = items.map(({ ticket, price, attendees }) => ({
    order_id: keys.id,
    ticket_id: ticket.id,
    event_id: ticket.event_id,
    quantity: attendees.length,
    price,
  }));
  if (lines.length > 0) await db.query.insertInto('order_items').values(lines).execute();
  const steps = STATUS_PATH[status].map((to_status, position, path) => ({
    order_id: keys.id,
    from_status: path[position - 1] ?? '',
    to_status,
    user_id: origin.authorId,
    date_utc,
  }));
  await db.query.insertInto('order_log').values(steps).execute();
  return placed;
}

/** Search key of an order's customer. */
const purchaserKey = ({ name, email }: { name: string; email: string }): string => fold(`${name}\n${email}`);

/** Changes the customer of an order, in the transaction of the caller. */
export async function changePurchaser(db: Database, order: Order, change: PurchaserChange): Promise<void> {
  const name = change.name ?? order.purchaser_name;
  const email = change.email?.trim() ?? order.purchaser_email;
  const search_text = purchaserKey({ name, email });
  await updatePurchaser(db, order.id, { purchaser_name: name, purchaser_email: email, search_text });
}
