import { sql } from 'kysely';
import type {
  Attendance,
  EventTicket,
  EventTickets,
  Ticketing,
  TicketingRequest,
} from '../../calendar/events/ticketing.ts';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { ANY_TIME } from '../../http/core/endpoint.ts';
import { freshUntil } from './freshness.ts';
import { withdrawTicketsOf } from './save.ts';
import { findAvailability } from './seats/seats.ts';
import type { Ticket } from './seats/stock.ts';
import { findTicketsOfEvents, isOnSaleAt } from './store.ts';

const NO_ATTENDEES: Attendance = { total_attendees: 0, checked_in: 0, not_checked_in: 0 };

async function loadTicketing(
  db: Database,
  eventIds: readonly number[],
  { now, timezone, attendanceOf: visible, withAvailability }: TicketingRequest,
): Promise<Ticketing> {
  const tickets = (await findTicketsOfEvents(db, eventIds)).filter(({ status }) => status === 'publish');
  const isTimed = withAvailability && tickets.length > 0;
  const shown = withAvailability ? await addAvailability(db, tickets, now) : tickets;
  return {
    tickets: Map.groupBy(shown, ({ event_id }) => event_id),
    attendance: await attendanceOf(db, countable(eventIds, visible)),
    freshUntil: isTimed ? await freshUntil(db, tickets, { now, timezone }) : ANY_TIME,
  };
}

async function addAvailability(db: Database, tickets: readonly Ticket[], now: string): Promise<EventTicket[]> {
  const left = await findAvailability(
    db,
    tickets.map(({ id }) => id),
    now,
  );
  return tickets.map((ticket) => ({
    ...ticket,
    isAvailable: isOnSaleAt(ticket, now) && left.get(ticket.id)?.available !== 0,
  }));
}

function countable(eventIds: readonly number[], scope: TicketingRequest['attendanceOf']): readonly number[] {
  if (scope === 'all') return eventIds;
  return scope === 'none' ? [] : eventIds.filter((id) => id === scope);
}

const countAttendees = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .select(['event_id', sql<number>`count(*)`.as('total'), sql<number>`sum(checked_in)`.as('checked_in')])
    .where('event_id', 'in', ids)
    .where('status', '=', 'publish')
    .groupBy('event_id'),
);

/** Counts every attendee except archived ones, including declined RSVPs. */
async function attendanceOf(db: Database, eventIds: readonly number[]): Promise<Map<number, Attendance>> {
  const found = new Map(eventIds.map((id) => [id, NO_ATTENDEES]));
  for (const row of await countAttendees(db, eventIds)) {
    const [total, inside] = [Number(row.total), Number(row.checked_in)];
    found.set(row.event_id, { total_attendees: total, checked_in: inside, not_checked_in: total - inside });
  }
  return found;
}

/** Ticket functions that events need. */
export const eventTickets: EventTickets = { load: loadTicketing, withdraw: withdrawTicketsOf };
