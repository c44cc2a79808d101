import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import type { TicketsTable } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { fold, foldAll, htmlToText } from '../../lib/text/text.ts';
import type { RecordTexts } from '../../platform/translations/rules.ts';
import { loadTranslations, saveTranslations } from '../../platform/translations/store.ts';
import type { SharedSeats } from '../seats/seat-counters.ts';
import { expiredSeats, isSharedSql, type SeatCounts, SHARED_SEATS, withCounts } from '../seats/seats.ts';

export type Ticket = Selectable<TicketsTable>;

/** Finds a ticket by id; a deleted one counts as absent. */
export const findTicket = (db: Database, id: number): Promise<Ticket | undefined> =>
  db.query.selectFrom('tickets').selectAll().where('id', '=', id).where('is_deleted', '=', 0).executeTakeFirst();

/** Like `findTicket`, if the event of the ticket still exists. */
export const findTicketOfEvent = (db: Database, id: number): Promise<Ticket | undefined> =>
  db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .where('tickets.id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();

/** A ticket with its seat counts at the time of reading. */
export interface CountedTicket extends Ticket {
  counts: SeatCounts;
}

/** Like `findTicketOfEvent`, with the counts at a time (UTC), since a sale should need few round trips. */
export async function findCountedTicket(db: Database, id: number, now: string): Promise<CountedTicket | undefined> {
  const [row] = await countedTickets(db, [id], now);
  return row && withCounts(row);
}

const countedTickets = byIds((query, ids, now: string) =>
  query
    .selectFrom('tickets as t')
    .innerJoin('events', 'events.id', 't.event_id')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .selectAll('t')
    .select([...SHARED_SEATS, ...expiredSeats(now)])
    .where('t.id', 'in', ids)
    .where('t.is_deleted', '=', 0),
);

const ticketsById = byIds((query, ids) => query.selectFrom('tickets').selectAll().where('id', 'in', ids));

/** Tickets by id, including deleted ones, because attendees still refer to them. */
export async function getTickets(db: Database, ids: readonly number[]): Promise<Map<number, Ticket>> {
  return new Map((await ticketsById(db, ids)).map((row) => [row.id, row]));
}

/** Like `getTickets`, with the texts in the language of the request. */
export async function getTranslatedTickets(ctx: RequestContext, ids: readonly number[]): Promise<Map<number, Ticket>> {
  const [tickets, texts] = await Promise.all([
    getTickets(ctx.context.db, ids),
    loadTranslations(
      ctx,
      ids.map((id) => ({ kind: 'ticket', id })),
    ),
  ]);
  return new Map([...tickets].map(([id, ticket]) => [id, texts.show('ticket', ticket)]));
}

/** Tickets of events, except deleted ones, in the display order of events. */
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

/** The shared seats of an event, if it has any. */
export const findSharedSeats = (db: Database, eventId: number): Promise<SharedSeats | undefined> =>
  db.query.selectFrom('event_stock').selectAll().where('event_id', '=', eventId).executeTakeFirst();

/** Sort and search keys of a name and a description. */
export const ticketKeys = ({ title, description }: Pick<TicketsTable, 'title' | 'description'>) => ({
  title_key: fold(title),
  search_text: foldAll([title, htmlToText(description)]),
});

/** Replaces the translations of a ticket, whose own texts are in the first language. */
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

/** Default SKU of a ticket. */
export const defaultSku = ({ id, author_id, title }: Pick<Ticket, 'id' | 'author_id' | 'title'>): string =>
  `${id}-${author_id}-${title.toUpperCase().replaceAll(' ', '-')}`;

export async function insertTicket({ query }: Database, row: Insertable<TicketsTable>): Promise<void> {
  await query.insertInto('tickets').values(row).execute();
}

/** Columns of a ticket except the counters, which only seat-counters.ts changes. */
export type TicketChange = Omit<Updateable<TicketsTable>, 'id' | 'sold' | 'held'>;

/**
 * Changes a ticket, as it was read in the same transaction.
 * @throws {EditConflict} if it has been edited since
 */
export const updateTicket = (db: Database, ticket: Ticket, change: TicketChange): Promise<void> =>
  updateUnlessEdited(db, 'tickets', ticket, change);

/** Sets the capacity of an event's shared seats; null is no limit. The counters stay unchanged. */
export async function setSharedCapacity(db: Database, eventId: number, capacity: number | null): Promise<void> {
  await db.query
    .insertInto('event_stock')
    .values({ event_id: eventId, capacity, sold: 0, held: 0 })
    .onConflict((conflict) => conflict.column('event_id').doUpdateSet({ capacity }))
    .execute();
}

/** Lowers the limits of capped tickets to the capacity of the shared seats. */
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

/** Whether a ticket is on sale at a moment (UTC). */
export const isOnSaleAt = (
  { sale_start_utc, sale_end_utc }: Pick<TicketsTable, 'sale_start_utc' | 'sale_end_utc'>,
  now: string,
): boolean => (sale_start_utc === '' || sale_start_utc <= now) && (sale_end_utc === '' || now <= sale_end_utc);

/** Columns that determine the price of a seat. */
export type PriceColumn = 'price' | 'sale_price' | 'sale_price_start' | 'sale_price_end';

/** Price of a seat on a day of the site (`YYYY-MM-DD`), in minor units. */
export function priceOn(ticket: Pick<Ticket, PriceColumn>, day: string): number {
  return ticket.sale_price !== null && isDiscounted(ticket, day) ? ticket.sale_price : ticket.price;
}

/**
 * Price of a seat for a customer who chose one, or null for the suggested one. A choice counts only where customers may
 * choose, and never below the minimum price, which may have changed since.
 */
export function chosenPrice(
  ticket: Pick<Ticket, PriceColumn | 'min_price'>,
  { chosen, day }: { chosen: number | null; day: string },
): number {
  const suggested = priceOn(ticket, day);
  return ticket.min_price === null ? suggested : Math.max(chosen ?? suggested, ticket.min_price);
}

/** Whether `chosenPrice` is 0, for rows of `cart_items` with their tickets. */
export const isFreeSql = (day: string): RawBuilder<SqlBool> => sql<SqlBool>`coalesce(min_price, 0) = 0 AND (CASE
  WHEN min_price IS NOT NULL AND chosen_price IS NOT NULL THEN chosen_price
  WHEN sale_price IS NOT NULL AND (sale_price_start = '' OR sale_price_start <= ${day})
    AND (sale_price_end = '' OR ${day} <= sale_price_end) THEN sale_price
  ELSE price END) = 0`;

/** Maximum number of seats of one ticket in a cart or RSVP, whatever the settings. */
export const MAX_PER_ORDER = 100;

/** Default maximum of seats per order. */
export const DEFAULT_PER_ORDER = 20;

/** Maximum number of seats per order; Infinity without a limit. */
export const maxPerOrder = ({ max_per_order }: Pick<Ticket, 'max_per_order'>): number => max_per_order || Infinity;

/** Whether the discounted price applies on a day of the site. */
export function isDiscounted(
  { sale_price, sale_price_start, sale_price_end }: Pick<Ticket, PriceColumn>,
  day: string,
): boolean {
  if (sale_price === null) return false;
  return (sale_price_start === '' || sale_price_start <= day) && (sale_price_end === '' || day <= sale_price_end);
}

/** Sold places and capacities of events with tickets; a capacity is -1 if a ticket has no limit. */
export async function findSoldPlaces(db: Database, events: readonly number[]) {
  const rows = await placesOfEvents(db, events);
  return rows.map(({ event_id, sold, own, shared, unlimited }) => ({
    event_id,
    sold: Number(sold),
    capacity: Number(unlimited) > 0 ? -1 : Number(own) + Number(shared ?? 0),
  }));
}

const placesOfEvents = byIds((query, eventIds) =>
  query
    .selectFrom('tickets as t')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .select(({ fn }) => [
      't.event_id',
      fn.sum<number>('t.sold').as('sold'),
      sql<number>`sum(CASE WHEN ${isSharedSql('t')} THEN 0 ELSE coalesce(t.capacity, 0) END)`.as('own'),
      sql<number | null>`max(CASE WHEN ${isSharedSql('t')} THEN s.capacity END)`.as('shared'),
      sql<number>`sum(CASE WHEN (CASE WHEN ${isSharedSql('t')} THEN s.capacity ELSE t.capacity END) IS NULL
        THEN 1 ELSE 0 END)`.as('unlimited'),
    ])
    .where('t.event_id', 'in', eventIds)
    .where('t.is_deleted', '=', 0)
    .groupBy('t.event_id')
    .orderBy('t.event_id'),
);
