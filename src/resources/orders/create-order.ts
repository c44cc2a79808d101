import type { Database } from '../../db/database.ts';
import { newRecordIds } from '../../db/record-ids.ts';
import { toWall, utcToWall } from '../../lib/dates.ts';
import { fold, plainText } from '../../lib/text.ts';
import { attendeeRow, type Guest, type Making } from '../attendees/new-attendee.ts';
import { insertAttendees } from '../attendees/store.ts';
import { sellHeldPlaces, type Ticket, takePlaces } from '../tickets/stock.ts';
import type { UnpaidTerms } from './seat-limits.ts';

export interface NewOrder {
  purchaser: { name: string; email: string };
  /** `manual`, `free`, or the name of a payment provider. */
  gateway: string;
  status: 'pending' | 'completed';
  /** ISO 4217. */
  currency: string;
  /** Whether its places are still to be taken, or are those that a cart holds. */
  places: 'take' | 'held';
  /** Expiry of an unpaid order without an account; for others MARQUEE_ORDER_HOLD applies. */
  terms?: UnpaidTerms;
  /** One for each ticket. Prices are minor units, for each place. */
  items: readonly { ticket: Ticket; price: number; attendees: readonly Guest[] }[];
}

/** The statuses an order goes through until it is what it was asked to be. */
const WAY = { pending: ['created', 'pending'], completed: ['created', 'pending', 'completed'] } as const;

/**
 * Writes an order with one attendee for each place, and takes the places, in the transaction of the caller. The
 * places come last: on PostgreSQL the rows that everybody wants are then locked for the shortest time.
 * @throws {SoldOut} when there are not enough; the transaction must then be rolled back
 */
export async function placeOrder(
  db: Database,
  order: NewOrder,
  by: Making,
): Promise<{ orderId: number; attendeeIds: number[] }> {
  const seats = order.items.flatMap(({ ticket, price, attendees }) =>
    attendees.map((guest) => ({ ticket, price, guest })),
  );
  const [orderId, ...attendeeIds] = await newRecordIds(db, ['order', ...seats.map(() => 'attendee' as const)]);
  await insertOrder(db, orderId, { order, by });
  const rows = attendeeIds.flatMap((id, position) => {
    const seat = seats[position];
    return seat ? attendeeRow(id, { ...seat, order_id: orderId, attendance_status: order.status }, by) : [];
  });
  await insertAttendees(db, rows);
  const places = order.items.map(({ ticket, attendees }) => ({ ticket_id: ticket.id, quantity: attendees.length }));
  if (order.places === 'held') await sellHeldPlaces(db, places);
  else await takePlaces(db, places, 'sold');
  return { orderId, attendeeIds };
}

async function insertOrder(db: Database, id: number, { order, by }: { order: NewOrder; by: Making }): Promise<void> {
  const { status, gateway, currency, items } = order;
  const purchaser = { name: plainText(order.purchaser.name), email: order.purchaser.email.trim() };
  const date_utc = toWall(by.now);
  await db.query
    .insertInto('orders')
    .values({
      id,
      status,
      gateway,
      purchaser_name: purchaser.name,
      purchaser_email: purchaser.email,
      search_text: fold(`${purchaser.name}\n${purchaser.email}`),
      user_id: by.userId,
      currency,
      total: items.reduce((sum, { price, attendees }) => sum + price * attendees.length, 0),
      date: utcToWall(date_utc, by.timezone),
      date_utc,
      modified_utc: date_utc,
      ...order.terms,
    })
    .execute();
  const lines = items.map(({ ticket, price, attendees }) => ({
    order_id: id,
    ticket_id: ticket.id,
    event_id: ticket.event_id,
    quantity: attendees.length,
    price,
  }));
  if (lines.length > 0) await db.query.insertInto('order_items').values(lines).execute();
  const steps = WAY[status].map((to_status, position, way) => ({
    order_id: id,
    from_status: way[position - 1] ?? '',
    to_status,
    user_id: by.authorId,
    date_utc,
  }));
  await db.query.insertInto('order_log').values(steps).execute();
}
