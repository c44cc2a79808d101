import { type Insertable, sql, type Updateable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { TicketsTable } from '../../db/tables.ts';
import { fold, foldAll, htmlToText } from '../../lib/text.ts';
import type { RecordTexts } from '../translations/rules.ts';
import { saveTranslations } from '../translations/store.ts';
import { type Availability, availabilityOf, type EventStock, type Ticket } from './stock.ts';

/** The ticket of an id; a deleted one counts as absent. */
export const findTicket = (db: Database, id: number): Promise<Ticket | undefined> =>
  db.query.selectFrom('tickets').selectAll().where('id', '=', id).where('is_deleted', '=', 0).executeTakeFirst();

/** As `findTicket`, if the event of the ticket is still there. */
export const findTicketOfEvent = (db: Database, id: number): Promise<Ticket | undefined> =>
  db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .where('tickets.id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();

const ticketsById = byIds((query, ids) => query.selectFrom('tickets').selectAll().where('id', 'in', ids));

/** Tickets by id, deleted ones too: attendees go on pointing at them. */
export async function getTickets(db: Database, ids: readonly number[]): Promise<Map<number, Ticket>> {
  return new Map((await ticketsById(db, ids)).map((row) => [row.id, row]));
}

/** Tickets of some events that are not deleted, in the order events show them. */
export const findTicketsOfEvents: (db: Database, eventIds: readonly number[]) => Promise<Ticket[]> = byIds(
  (query, ids) =>
    query
      .selectFrom('tickets')
      .selectAll()
      .where('event_id', 'in', ids)
      .where('is_deleted', '=', 0)
      .orderBy('menu_order')
      .orderBy('id'),
);

export const findEventStock = (db: Database, eventId: number): Promise<EventStock | undefined> =>
  db.query.selectFrom('event_stock').selectAll().where('event_id', '=', eventId).executeTakeFirst();

/** What a name and a description are sorted and searched by. */
export const ticketKeys = ({ title, description }: Pick<TicketsTable, 'title' | 'description'>) => ({
  title_key: fold(title),
  search_text: foldAll([title, htmlToText(description)]),
});

/** Replaces the translations of a ticket, whose own texts are those of the first language. */
export const saveTicketTexts = (db: Database, id: number, { own, translations }: RecordTexts): Promise<void> =>
  saveTranslations(
    db,
    { kind: 'ticket', id },
    {
      own,
      translations,
      keysOf({ title = '', description = '' }) {
        const { title_key, search_text } = ticketKeys({ title, description });
        return { name_key: title_key, search_text };
      },
    },
  );

/** Stores a new ticket, whose values may depend on its id, and gives the id. */
export async function insertTicket(db: Database, values: (id: number) => Omit<Insertable<TicketsTable>, 'id'>) {
  const id = await newRecordId(db, 'ticket');
  await db.query
    .insertInto('tickets')
    .values({ id, ...values(id) })
    .execute();
  return id;
}

/** Everything of a ticket but the counters, which only stock.ts moves. */
export type TicketChange = Omit<Updateable<TicketsTable>, 'id' | 'sold' | 'held'>;

export async function updateTicket(db: Database, id: number, change: TicketChange): Promise<void> {
  await db.query.updateTable('tickets').set(change).where('id', '=', id).execute();
}

/** Gives an event shared places, or another number of them; null is no limit. The counters stay as they are. */
export async function setShared(db: Database, eventId: number, capacity: number | null): Promise<void> {
  await db.query
    .insertInto('event_stock')
    .values({ event_id: eventId, capacity, sold: 0, held: 0 })
    .onConflict((conflict) => conflict.column('event_id').doUpdateSet({ capacity }))
    .execute();
}

/** No ticket may have more of the shared places than there are. */
export async function lowerCapped(db: Database, eventId: number, capacity: number): Promise<void> {
  await db.query
    .updateTable('tickets')
    .set({ capacity })
    .where('event_id', '=', eventId)
    .where('mode', '=', 'capped')
    .where('is_deleted', '=', 0)
    .where((eb) => eb.or([eb('capacity', 'is', null), eb('capacity', '>', capacity)]))
    .execute();
}

/** What is left of each ticket at a moment (UTC), cart items whose time is over not counted. */
export async function availabilities(
  db: Database,
  tickets: readonly Ticket[],
  now: string,
): Promise<Map<number, Availability>> {
  if (tickets.length === 0) return new Map();
  const events = [...new Set(tickets.map(({ event_id }) => event_id))];
  const stocks = await db.query.selectFrom('event_stock').selectAll().where('event_id', 'in', events).execute();
  const stockOf = new Map(stocks.map((stock) => [stock.event_id, stock]));
  const expired = await expiredHolds(db, events, now);
  return new Map(
    tickets.map((ticket) => {
      const shared = [...expired.values()].filter((hold) => hold.event_id === ticket.event_id && hold.isShared);
      const counts = {
        own: expired.get(ticket.id)?.quantity ?? 0,
        shared: shared.reduce((sum, { quantity }) => sum + quantity, 0),
      };
      return [ticket.id, availabilityOf(ticket, stockOf.get(ticket.event_id), counts)];
    }),
  );
}

interface ExpiredHold {
  event_id: number;
  quantity: number;
  isShared: boolean;
}

/** Places by ticket that carts held until before now and that no sweep has given back yet. */
async function expiredHolds(db: Database, events: readonly number[], now: string): Promise<Map<number, ExpiredHold>> {
  const rows = await db.query
    .selectFrom('cart_items')
    .innerJoin('tickets', 'tickets.id', 'cart_items.ticket_id')
    .select(['cart_items.ticket_id', 'cart_items.event_id', 'tickets.mode'])
    .select(sql<number>`sum(cart_items.quantity)`.as('quantity'))
    .where('cart_items.event_id', 'in', [...events])
    .where('cart_items.expires_utc', '<=', now)
    .groupBy(['cart_items.ticket_id', 'cart_items.event_id', 'tickets.mode'])
    .execute();
  return new Map(
    rows.map(({ ticket_id, event_id, mode, quantity }) => [
      ticket_id,
      { event_id, quantity: Number(quantity), isShared: mode === 'global' || mode === 'capped' },
    ]),
  );
}

/** Whether a ticket is on sale at a moment (UTC). */
export const isOnSaleAt = (
  { sale_start_utc, sale_end_utc }: Pick<TicketsTable, 'sale_start_utc' | 'sale_end_utc'>,
  now: string,
): boolean => (sale_start_utc === '' || sale_start_utc <= now) && (sale_end_utc === '' || now <= sale_end_utc);

/** What a place costs on a day of the site's calendar (`YYYY-MM-DD`), in minor units. */
export function priceOn(ticket: Ticket, day: string): number {
  return ticket.sale_price !== null && isDiscounted(ticket, day) ? ticket.sale_price : ticket.price;
}

/** Whether the reduced price holds on a day of the site's calendar. */
export function isDiscounted({ sale_price, sale_price_start, sale_price_end }: Ticket, day: string): boolean {
  if (sale_price === null) return false;
  return (sale_price_start === '' || sale_price_start <= day) && (sale_price_end === '' || day <= sale_price_end);
}
