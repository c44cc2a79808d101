import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { EventStockTable, TicketsTable } from '../../db/tables/ticketing.ts';
import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { isShared, seatsLeft, sharedSum } from './seats.ts';

/**
 * The only writer of the seat counters: `sold` (attendees that count) and `held` (in carts) of each ticket and of the
 * shared seats of each event. Each move is one guarded statement inside the transaction of its cause, so that together
 * they never exceed the capacity, across all processes.
 */

export type SharedSeats = Selectable<EventStockTable>;

/** A number of seats of a ticket. */
export interface Seats {
  ticket_id: number;
  quantity: number;
}

/** Seats of attendees, by ticket. */
export function seatsOf(attendees: readonly { ticket_id: number }[]): Seats[] {
  const groups = Map.groupBy(attendees, ({ ticket_id }) => ticket_id);
  return [...groups].map(([ticket_id, members]) => ({ ticket_id, quantity: members.length }));
}

/** Seats of several carts, by ticket. */
export function totalsOf(items: readonly Seats[]): Seats[] {
  const byTicket = new Map<number, number>();
  for (const { ticket_id, quantity } of items) byTicket.set(ticket_id, quantity + (byTicket.get(ticket_id) ?? 0));
  return [...byTicket].map(([ticket_id, quantity]) => ({ ticket_id, quantity }));
}

type Counter = 'sold' | 'held';

/** Thrown when there are not enough seats; nothing was taken. */
export class SoldOut extends Error {
  readonly ticketId: number;
  constructor(ticketId: number) {
    super(`ticket ${ticketId} has not enough seats`);
    this.ticketId = ticketId;
  }
}

/**
 * Turns `SoldOut` into the error for clients, with the seats that are left; returns any other error unchanged.
 * @returns {ApiError} tec-tc-insufficient-stock
 */
export async function seatErrorOf(db: Database, error: unknown, now: Date): Promise<unknown> {
  if (!(error instanceof SoldOut)) return error;
  const available = await seatsLeft(db, error.ticketId, now);
  return new ApiError('tec-tc-insufficient-stock', { data: { ticket_id: error.ticketId, available } });
}

/**
 * Takes seats of each ticket, and of the shared seats that it draws on. Must run in a transaction that is rolled back
 * if this throws.
 * @throws {SoldOut} for the first ticket that has too few seats or is deleted
 * @example
 * await takeSeats(trx, [{ ticket_id: ticket.id, quantity: 2 }], 'sold');
 */
export const takeSeats = (db: Database, seats: readonly Seats[], counter: Counter): Promise<void> =>
  moveSeats(db, seats, { change: { [counter]: 1 }, isGuarded: true, includesDeleted: false });

/** Returns seats, including those of deleted tickets. */
export const returnSeats = (db: Database, seats: readonly Seats[], counter: Counter): Promise<void> =>
  moveSeats(db, seats, { change: { [counter]: -1 }, isGuarded: false, includesDeleted: true });

/**
 * Turns seats held by a cart into sold ones. Needs no guard: they are already taken.
 * @throws {SoldOut} for a deleted ticket
 */
export const sellHeldSeats = (db: Database, seats: readonly Seats[]): Promise<void> =>
  moveSeats(db, seats, { change: { held: -1, sold: 1 }, isGuarded: false, includesDeleted: false });

/**
 * Moves a sold seat from one ticket to another, so that no other request can take it in between. Must
 * run in a transaction that is rolled back if this throws.
 * @throws {SoldOut} if the other ticket has no seat left or is deleted
 */
export async function exchangeSeat(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  const taken: Move = { change: { sold: 1 }, isGuarded: true, includesDeleted: false };
  const returned: Move = { change: { sold: -1 }, isGuarded: false, includesDeleted: true };
  const shared = new Map<number, number>();
  for (const ticket_id of [from, to].sort((a, b) => a - b)) {
    const move = ticket_id === to ? taken : returned;
    const ticket = await moveOfTicket(db, { ticket_id, quantity: 1 }, move);
    if (!ticket && ticket_id === to) throw new SoldOut(to);
    if (!ticket || !isShared(ticket.mode)) continue;
    shared.set(ticket.event_id, (shared.get(ticket.event_id) ?? 0) + (ticket_id === to ? 1 : -1));
  }
  for (const [eventId, change] of [...shared].sort(([a], [b]) => a - b)) {
    if (change === 0) continue;
    const isMoved = await moveShared(db, eventId, 1, change > 0 ? taken : returned);
    if (!isMoved && change > 0) throw new SoldOut(to);
  }
}

interface Move {
  /** Change of each counter per seat. */
  change: Partial<Record<Counter, 1 | -1>>;
  /** Whether the statement checks the capacity too, so that no other writer fits between check and change. */
  isGuarded: boolean;
  includesDeleted: boolean;
}

/** Moves tickets before shared seats, and both in the order of their ids, so that writers cannot deadlock. */
async function moveSeats(db: Database, seats: readonly Seats[], move: Move): Promise<void> {
  const shared = new Map<number, Seats>();
  const moved = seats.filter(({ quantity }) => quantity > 0).sort((a, b) => a.ticket_id - b.ticket_id);
  for (const { ticket_id, quantity } of moved) {
    const ticket = await moveOfTicket(db, { ticket_id, quantity }, move);
    if (!ticket && !move.includesDeleted) throw new SoldOut(ticket_id);
    if (!ticket || !isShared(ticket.mode)) continue;
    const soFar = shared.get(ticket.event_id)?.quantity ?? 0;
    shared.set(ticket.event_id, { ticket_id, quantity: quantity + soFar });
  }
  for (const [eventId, { ticket_id, quantity }] of [...shared].sort(([a], [b]) => a - b)) {
    const isMoved = await moveShared(db, eventId, quantity, move);
    if (!isMoved && move.isGuarded) throw new SoldOut(ticket_id);
  }
}

const moveOfTicket = (
  db: Database,
  { ticket_id, quantity }: Seats,
  { change, isGuarded, includesDeleted }: Move,
): Promise<Pick<TicketsTable, 'mode' | 'event_id'> | undefined> =>
  db.query
    .updateTable('tickets')
    .set(changed(change, quantity))
    .where('id', '=', ticket_id)
    .$if(!includesDeleted, (update) => update.where('is_deleted', '=', 0))
    .$if(isGuarded, (update) => update.where(isWithinCapacity(quantity)))
    .returning(['mode', 'event_id'])
    .executeTakeFirst();

async function moveShared(
  db: Database,
  eventId: number,
  quantity: number,
  { change, isGuarded }: Move,
): Promise<boolean> {
  const moved = await db.query
    .updateTable('event_stock')
    .set(changed(change, quantity))
    .where('event_id', '=', eventId)
    .$if(isGuarded, (update) => update.where(isWithinCapacity(quantity)))
    .returning('event_id')
    .executeTakeFirst();
  return moved !== undefined;
}

const changed = (change: Move['change'], quantity: number) =>
  Object.fromEntries(
    Object.entries(change).map(([counter, sign]) => [counter, sql<number>`${sql.ref(counter)} + ${sign * quantity}`]),
  );

const isWithinCapacity = (quantity: number) =>
  sql<boolean>`(capacity IS NULL OR sold + held + ${quantity} <= capacity)`;

/**
 * Releases the seats of expired holds. The process that deletes a cart item returns its seats, so several may run
 * concurrently, and an earlier checkout wins.
 * @returns the number of released items
 */
export async function releaseExpired(db: Database, now: string): Promise<number> {
  if (!(await hasExpiredItems(db, now))) return 0;
  return db.transaction(async (trx) => {
    const items = await trx.query
      .deleteFrom('cart_items')
      .where('expires_utc', '<=', now)
      .returning(['ticket_id', 'quantity'])
      .execute();
    await returnSeats(trx, totalsOf(items), 'held');
    return items.length;
  });
}

/** Checks without a lock, so that a refused request needs no transaction if there is nothing to release. */
async function hasExpiredItems(db: Database, now: string): Promise<boolean> {
  const item = await db.query
    .selectFrom('cart_items')
    .select('ticket_id')
    .where('expires_utc', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return item !== undefined;
}

/** Counts the seats of attendees that an import brings, who have them already: also beyond the capacity. */
export const countImported = (db: Database, seats: readonly Seats[]): Promise<void> =>
  moveSeats(db, seats, { change: { sold: 1 }, isGuarded: false, includesDeleted: true });

/** Sets the counters of an event's shared seats to the sums of its tickets, after a ticket starts or stops sharing. */
export async function recountShared(db: Database, eventId: number): Promise<void> {
  const event = sql.ref('event_stock.event_id');
  await db.query
    .updateTable('event_stock')
    .set({ sold: sharedSum('sold', event), held: sharedSum('held', event) })
    .where('event_id', '=', eventId)
    .execute();
}

/**
 * Runs work that takes seats. If there are not enough, expired holds are released, and if that or a concurrent release
 * frees any seats, the work is retried once.
 * @throws {SoldOut} if there are still not enough
 */
export async function withExpiredReleased<T>(db: Database, now: Date, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    await releaseExpired(db, toUtc(now));
    if ((await seatsLeft(db, error.ticketId, now)) === 0) throw error;
    return work();
  }
}
