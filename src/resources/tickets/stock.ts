import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { EventStockTable, TicketsTable } from '../../db/tables.ts';

/**
 * Places. Two counters for each ticket and for each event's shared places: `sold` (attendees that count) and `held`
 * (in carts). They move only here, each move one guarded statement inside the transaction of whatever it is for, so
 * that together they never pass the capacity, whichever process moves them.
 */

export type Ticket = Selectable<TicketsTable>;
export type EventStock = Selectable<EventStockTable>;

/** So many places of a ticket. */
export interface Seats {
  ticket_id: number;
  quantity: number;
}

type Counter = 'sold' | 'held';

/** There are not enough places; nothing was taken. */
export class SoldOut extends Error {
  readonly ticketId: number;
  constructor(ticketId: number) {
    super(`ticket ${ticketId} has not enough places`);
    this.ticketId = ticketId;
  }
}

/** RSVP answers and order statuses whose attendees take a place. */
const COUNTING: ReadonlySet<string> = new Set(['yes', 'pending', 'action-req', 'approved', 'completed']);
export const COUNTED_STATUSES: readonly string[] = [...COUNTING];

/** Whether an attendee takes a place. */
export const takesPlace = ({ status, attendance_status }: { status: string; attendance_status: string }): boolean =>
  status === 'publish' && COUNTING.has(attendance_status);

export const isShared = (mode: string): boolean => mode === 'global' || mode === 'capped';

/** All writers touch tickets before shared places, and both in the order of their ids, so that they cannot deadlock. */
const inOrder = (seats: readonly Seats[]): Seats[] =>
  seats.filter(({ quantity }) => quantity > 0).sort((a, b) => a.ticket_id - b.ticket_id);

/**
 * Takes places: of each ticket, and of the shared ones where it draws from them. Inside a transaction that is rolled
 * back when this throws.
 * @throws {SoldOut} for the first ticket that has not enough, or is not there any more
 */
export async function takePlaces(db: Database, seats: readonly Seats[], counter: Counter): Promise<void> {
  const shared = new Map<number, Seats>();
  for (const { ticket_id, quantity } of inOrder(seats)) {
    const ticket = await moveTicket(db, { ticket_id, quantity }, counter);
    if (!ticket) throw new SoldOut(ticket_id);
    if (!isShared(ticket.mode)) continue;
    const soFar = shared.get(ticket.event_id);
    shared.set(ticket.event_id, { ticket_id, quantity: quantity + (soFar?.quantity ?? 0) });
  }
  for (const [eventId, { ticket_id, quantity }] of inOrderOfEvents(shared)) {
    if (!(await moveShared(db, { eventId, quantity }, counter))) throw new SoldOut(ticket_id);
  }
}

const inOrderOfEvents = (shared: ReadonlyMap<number, Seats>) => [...shared].sort(([a], [b]) => a - b);

/** The guarded step: one statement that both checks and takes, so that no other writer fits between. */
async function moveTicket(db: Database, { ticket_id, quantity }: Seats, counter: Counter) {
  return db.query
    .updateTable('tickets')
    .set((eb) => ({ [counter]: eb(counter, '+', quantity) }))
    .where('id', '=', ticket_id)
    .where('is_deleted', '=', 0)
    .where((eb) => eb.or([eb('capacity', 'is', null), eb(sql`sold + held + ${quantity}`, '<=', eb.ref('capacity'))]))
    .returning(['mode', 'event_id'])
    .executeTakeFirst();
}

async function moveShared(
  db: Database,
  { eventId, quantity }: { eventId: number; quantity: number },
  counter: Counter,
): Promise<boolean> {
  const moved = await db.query
    .updateTable('event_stock')
    .set((eb) => ({ [counter]: eb(counter, '+', quantity) }))
    .where('event_id', '=', eventId)
    .where((eb) => eb.or([eb('capacity', 'is', null), eb(sql`sold + held + ${quantity}`, '<=', eb.ref('capacity'))]))
    .returning('event_id')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Gives places back, of deleted tickets too. */
export async function returnPlaces(db: Database, seats: readonly Seats[], counter: Counter): Promise<void> {
  const shared = new Map<number, number>();
  for (const { ticket_id, quantity } of inOrder(seats)) {
    const ticket = await db.query
      .updateTable('tickets')
      .set((eb) => ({ [counter]: eb(counter, '-', quantity) }))
      .where('id', '=', ticket_id)
      .returning(['mode', 'event_id'])
      .executeTakeFirst();
    if (ticket && isShared(ticket.mode)) shared.set(ticket.event_id, quantity + (shared.get(ticket.event_id) ?? 0));
  }
  for (const [eventId, quantity] of [...shared].sort(([a], [b]) => a - b)) {
    await db.query
      .updateTable('event_stock')
      .set((eb) => ({ [counter]: eb(counter, '-', quantity) }))
      .where('event_id', '=', eventId)
      .execute();
  }
}

/** Turns places that a cart held into sold ones. There is nothing to guard: they are taken already. */
export async function sellHeldPlaces(db: Database, seats: readonly Seats[]): Promise<void> {
  const shared = new Map<number, number>();
  for (const { ticket_id, quantity } of inOrder(seats)) {
    const ticket = await db.query
      .updateTable('tickets')
      .set((eb) => ({ held: eb('held', '-', quantity), sold: eb('sold', '+', quantity) }))
      .where('id', '=', ticket_id)
      .where('is_deleted', '=', 0)
      .returning(['mode', 'event_id'])
      .executeTakeFirst();
    if (!ticket) throw new SoldOut(ticket_id);
    if (isShared(ticket.mode)) shared.set(ticket.event_id, quantity + (shared.get(ticket.event_id) ?? 0));
  }
  for (const [eventId, quantity] of [...shared].sort(([a], [b]) => a - b)) {
    await db.query
      .updateTable('event_stock')
      .set((eb) => ({ held: eb('held', '-', quantity), sold: eb('sold', '+', quantity) }))
      .where('event_id', '=', eventId)
      .execute();
  }
}

/** What can be said of a ticket's places. -1 stands for "no limit". */
export interface Availability {
  capacity: number;
  available: number;
  /** Places that carts hold and that nobody has bought yet. */
  held: number;
  sold: number;
}

/** `expired` are places of carts whose time is over, which the next sweep gives back. */
export function availabilityOf(
  ticket: Pick<Ticket, 'mode' | 'capacity' | 'sold' | 'held'>,
  stock: Omit<EventStock, 'event_id'> | undefined,
  expired: { own: number; shared: number },
): Availability {
  const held = ticket.held - expired.own;
  const own = ticket.capacity === null ? Infinity : ticket.capacity - ticket.sold - held;
  const pool = isShared(ticket.mode) ? sharedLeft(stock, expired.shared) : Infinity;
  const left = Math.max(0, Math.min(own, pool));
  const capacity = ticket.mode === 'global' ? (stock?.capacity ?? null) : ticket.capacity;
  return { capacity: capacity ?? -1, available: left === Infinity ? -1 : left, held, sold: ticket.sold };
}

function sharedLeft(stock: Omit<EventStock, 'event_id'> | undefined, expired: number): number {
  if (!stock) return 0;
  return stock.capacity === null ? Infinity : stock.capacity - stock.sold - stock.held + expired;
}

/**
 * Gives back the places of cart items whose time is over. Deleting an item is what decides who gives its places back,
 * so any number of processes may sweep, and a checkout that comes first wins.
 */
export async function releaseExpired(db: Database, now: string): Promise<number> {
  if (!(await hasExpiredItems(db, now))) return 0;
  return db.transaction(async (trx) => {
    const items = await trx.query
      .deleteFrom('cart_items')
      .where('expires_utc', '<=', now)
      .returning(['ticket_id', 'quantity'])
      .execute();
    const byTicket = new Map<number, number>();
    for (const { ticket_id, quantity } of items) byTicket.set(ticket_id, quantity + (byTicket.get(ticket_id) ?? 0));
    await returnPlaces(
      trx,
      [...byTicket].map(([ticket_id, quantity]) => ({ ticket_id, quantity })),
      'held',
    );
    return items.length;
  });
}

/** A look without a lock, so that everybody who is refused does not make a transaction to find nothing. */
async function hasExpiredItems(db: Database, now: string): Promise<boolean> {
  const item = await db.query
    .selectFrom('cart_items')
    .select('ticket_id')
    .where('expires_utc', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return item !== undefined;
}

/** Makes the shared counters of an event the sums of its tickets': after a ticket began or ceased to share. */
export async function recountShared(db: Database, eventId: number): Promise<void> {
  await sql`UPDATE event_stock SET
      sold = (SELECT coalesce(sum(sold), 0) FROM tickets WHERE tickets.event_id = event_stock.event_id AND mode IN ('global', 'capped')),
      held = (SELECT coalesce(sum(held), 0) FROM tickets WHERE tickets.event_id = event_stock.event_id AND mode IN ('global', 'capped'))
    WHERE event_id = ${eventId}`.execute(db.query);
}
