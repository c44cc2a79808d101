import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import {
  type AttendeesTable,
  type EventStockTable,
  SHARED_MODES,
  type TicketsTable,
} from '../../db/tables/ticketing.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { findPassDates, isPassDate } from '../passes/pass-dates.ts';

/**
 * Rules for counting seats: which attendees take one, which tickets draw on the shared seats of their event, which
 * holds have expired, how many are available. A rule that SQL needs too is next to its SQL form, where `t` is a row of
 * `tickets` and `s` the row of `event_stock` of its event, if any; seats.test.ts compares the two.
 */

type Counter = 'sold' | 'held';
/** Seats of a ticket, or the shared seats of an event. */
type Counters = Pick<EventStockTable, 'capacity' | Counter>;

const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** RSVP answers and order statuses whose attendees take a seat. */
const COUNTED_STATUSES: readonly string[] = ['yes', 'pending', 'action-req', 'approved', 'completed'];

/** Whether attendees with an RSVP answer or an order status take a seat. */
export const isCountedStatus = (status: string): boolean => COUNTED_STATUSES.includes(status);

/** `isCountedStatus` for a column. */
export const isCountedStatusSql = (column: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} IN (${literals(COUNTED_STATUSES)})`;

/** Whether an attendee takes a seat. */
export const takesSeat = ({
  status,
  attendance_status,
}: Pick<AttendeesTable, 'status' | 'attendance_status'>): boolean =>
  status === 'publish' && isCountedStatus(attendance_status);

/** `takesSeat` for rows of `attendees` under a name. */
export const takesSeatSql = (attendee: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${attendee}.status`)} = 'publish'
    AND ${isCountedStatusSql(sql.ref(`${attendee}.attendance_status`))})`;

/** Whether tickets of a mode draw on the shared seats of their event. */
export const isShared = (mode: string): boolean => SHARED_MODES.some((shared) => shared === mode);

/** `isShared` for rows of `tickets` under a name. */
export const isSharedSql = (ticket: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${ticket}.mode`)} IN (${literals(SHARED_MODES)})`;

/** The correct value of a counter of an event's shared seats: the sum over the tickets that draw on them. */
export const sharedSum = (counter: Counter, eventId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(SELECT coalesce(sum(${sql.ref(`ct.${counter}`)}), 0) FROM tickets AS ct
    WHERE ct.event_id = ${eventId} AND ${isSharedSql('ct')})`;

/** Seats of the ticket in carts whose hold expired by `now` (UTC) and that are not released yet. */
const expiredOwn = (now: string, t = 't') => sql<number>`(SELECT coalesce(sum(c.quantity), 0) FROM cart_items AS c
  WHERE c.ticket_id = ${sql.ref(`${t}.id`)} AND c.expires_utc <= ${now})`;

/** The same for all tickets that draw on the shared seats of the event. */
const expiredShared = (now: string, t = 't') => sql<number>`(SELECT coalesce(sum(c.quantity), 0)
  FROM cart_items AS c JOIN tickets AS ct ON ct.id = c.ticket_id
  WHERE c.event_id = ${sql.ref(`${t}.event_id`)} AND c.expires_utc <= ${now} AND ${isSharedSql('ct')})`;

/** Everything that determines the available seats of a ticket. */
export interface SeatCounts {
  ticket: Counters & Pick<TicketsTable, 'mode'>;
  /** Shared seats of the event, if it has any. */
  shared?: Counters;
  /** Seats of expired holds: included in `held`, but free. */
  expired: { own: number; shared: number };
}

/** -1 means no limit. */
export interface Availability {
  capacity: number;
  available: number;
  /** Seats in carts whose hold has not expired. */
  held: number;
  sold: number;
}

/** Seats left within the limit of the ticket, and within the shared seats it draws on; Infinity without a limit. */
export function seatsWithin({ ticket, shared, expired }: SeatCounts): { own: number; shared: number } {
  const left = ({ capacity, sold, held }: Counters, free: number) =>
    capacity === null ? Infinity : Math.max(0, capacity - sold - held + free);
  const drawn = shared ? left(shared, expired.shared) : 0;
  return { own: left(ticket, expired.own), shared: isShared(ticket.mode) ? drawn : Infinity };
}

/** The available seats of a ticket. */
export function availabilityOf(counts: SeatCounts): Availability {
  const { ticket, shared, expired } = counts;
  const within = seatsWithin(counts);
  const available = Math.min(within.own, within.shared);
  const capacity = ticket.mode === 'global' ? shared?.capacity : ticket.capacity;
  return {
    capacity: capacity ?? -1,
    available: available === Infinity ? -1 : available,
    held: ticket.held - expired.own,
    sold: ticket.sold,
  };
}

/** The capacity of `availabilityOf`; null without a limit. */
export const capacitySql = sql<number | null>`(CASE WHEN t.mode = 'global' THEN s.capacity ELSE t.capacity END)`;

/** Whether seats are left of a ticket itself, and of the shared ones that it draws on. */
export const hasOwnSeats = (now: string, { t, s }: { t: string; s: string }): RawBuilder<SqlBool> => {
  const [ticket, shared] = [sql.raw(t), sql.raw(s)];
  return sql<SqlBool>`(
    (${ticket}.capacity IS NULL OR ${ticket}.capacity - ${ticket}.sold - ${ticket}.held + ${expiredOwn(now, t)} > 0)
    AND (NOT ${isSharedSql(t)} OR (${shared}.event_id IS NOT NULL AND (${shared}.capacity IS NULL
      OR ${shared}.capacity - ${shared}.sold - ${shared}.held + ${expiredShared(now, t)} > 0))))`;
};

/**
 * Whether the available seats of `findAvailability` are above 0. The passes with seats in all their dates are found once
 * for all rows.
 */
export const hasSeatsSql = (now: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(CASE WHEN t.pass_id IS NULL THEN ${hasOwnSeats(now, { t: 't', s: 's' })}
    ELSE t.pass_id IN (SELECT pt.pass_id FROM tickets AS pt JOIN events AS pe ON pe.id = pt.event_id
      LEFT JOIN event_stock AS ps ON ps.event_id = pt.event_id
      WHERE pt.pass_id IS NOT NULL AND ${isPassDate({ t: 'pt', e: 'pe' }, now)}
      GROUP BY pt.pass_id HAVING min(CASE WHEN ${hasOwnSeats(now, { t: 'pt', s: 'ps' })} THEN 1 ELSE 0 END) = 1) END)`;

/** Columns of `s` selected by statements, for `withCounts`. */
export const SHARED_SEATS = [
  's.event_id as shared',
  's.capacity as shared_capacity',
  's.sold as shared_sold',
  's.held as shared_held',
] as const;

/** The same for expired holds, at a time (UTC). */
export const expiredSeats = (now: string) =>
  [expiredOwn(now).as('expired_own'), expiredShared(now).as('expired_shared')] as const;

interface SeatColumns {
  shared: number | null;
  shared_capacity: number | null;
  shared_sold: number | null;
  shared_held: number | null;
  expired_own: number;
  expired_shared: number;
}

/** Gathers the counts of a ticket from the columns of a row, which PostgreSQL may return as texts. */
export function withCounts<Row extends SeatCounts['ticket']>(row: Row & SeatColumns) {
  const { shared, shared_capacity, shared_sold, shared_held, expired_own, expired_shared, ...ticket } = row;
  const { mode, capacity, sold, held } = row;
  const counts: SeatCounts = {
    ticket: { mode, capacity, sold, held },
    shared: shared === null ? undefined : { capacity: shared_capacity, sold: shared_sold ?? 0, held: shared_held ?? 0 },
    expired: { own: Number(expired_own), shared: Number(expired_shared) },
  };
  return { ...ticket, counts };
}

const countsByIds = byIds((query, ids, now: string) =>
  query
    .selectFrom('tickets as t')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .select(['t.id', 't.pass_id', 't.mode', 't.capacity', 't.sold', 't.held', ...SHARED_SEATS])
    .select(expiredSeats(now))
    .where('t.id', 'in', ids)
    .where('t.is_deleted', '=', 0),
);

/** The counts of tickets by id, at a time (UTC), in one statement; without deleted tickets. */
export async function findSeatCounts(
  db: Database,
  ticketIds: readonly number[],
  now: string,
): Promise<Map<number, SeatCounts>> {
  const rows = await countsByIds(db, ticketIds, now);
  return new Map(rows.map((row) => [row.id, withCounts(row).counts]));
}

/**
 * The availability of tickets by id, at a time (UTC); without deleted tickets. A series pass has as many seats as the
 * occurrence with the fewest.
 */
export async function findAvailability(
  db: Database,
  ticketIds: readonly number[],
  now: string,
): Promise<Map<number, Availability>> {
  const rows = await countsByIds(db, ticketIds, now);
  const found = new Map(rows.map((row) => [row.id, availabilityOf(withCounts(row).counts)]));
  const passes = rows.filter(({ pass_id }) => pass_id !== null);
  const tightest = await findTightestDates(
    db,
    passes.map(({ pass_id }) => pass_id),
    now,
  );
  for (const { id, pass_id } of passes) {
    // Held and sold places are counted in the event of the row.
    const { held = 0, sold = 0 } = found.get(id) ?? {};
    const { capacity = 0, available = 0 } = tightest.get(pass_id ?? 0) ?? {};
    found.set(id, { capacity, available, held, sold });
  }
  return found;
}

/** The date of a series pass that has the fewest seats left. */
export interface TightestDate extends Availability {
  ticket_id: number;
  event_id: number;
}

/** The tightest dates of passes by `pass_id`, at a time (UTC); none of passes without a date that is sold. */
export async function findTightestDates(
  db: Database,
  passIds: readonly (number | null)[],
  now: string,
): Promise<Map<number, TightestDate>> {
  const dates = await findPassDates(db, passIds, now);
  const ids = [...dates.values()].flat().map(({ id }) => id);
  const counts = ids.length === 0 ? new Map<number, SeatCounts>() : await findSeatCounts(db, ids, now);
  const left = ({ available }: Availability): number => (available < 0 ? Infinity : available);
  return new Map(
    [...dates].flatMap(([pass, tickets]) => {
      const all = tickets.flatMap(({ id, event_id }) => {
        const counted = counts.get(id);
        return counted ? { ticket_id: id, event_id, ...availabilityOf(counted) } : [];
      });
      const [first] = all.toSorted((a, b) => left(a) - left(b));
      return first ? [[pass, first] as const] : [];
    }),
  );
}

/**
 * Number of available seats of a ticket; -1 without a limit, 0 for a deleted ticket. Not binding: used to avoid
 * transactions that would fail, and to report the number left after a refusal.
 */
export async function seatsLeft(db: Database, ticketId: number, now: Date): Promise<number> {
  return (await findAvailability(db, [ticketId], toUtc(now))).get(ticketId)?.available ?? 0;
}
