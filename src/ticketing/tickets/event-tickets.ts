import { sql } from 'kysely';
import type {
  Attendance,
  EventTicket,
  EventTickets,
  Holders,
  Ticketing,
  TicketingRequest,
} from '../../calendar/events/ticketing.ts';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { ANY_TIME } from '../../http/core/endpoint.ts';
import { enqueuePassesOf } from '../passes/pass-tickets.ts';
import { findAvailability, takesSeatSql } from '../seats/seats.ts';
import { copyTickets } from './copy.ts';
import { continueChanges } from './follow-series.ts';
import { freshUntil } from './freshness.ts';
import { moveSales } from './move-sales.ts';
import { withdrawTicketsOf } from './save.ts';
import type { Ticket } from './store.ts';
import { findTicketsOfEvents, isOnSaleAt } from './store.ts';

const NO_ATTENDEES: Attendance = { total_attendees: 0, checked_in: 0, not_checked_in: 0, declined: 0 };

/** Loads the tickets that visitors see without a code, for all viewers alike: responses with events are shared. */
async function loadTicketing(
  db: Database,
  eventIds: readonly number[],
  { now, timezone, attendanceOf: visible, withAvailability }: TicketingRequest,
): Promise<Ticketing> {
  const all = (await findTicketsOfEvents(db, eventIds)).filter(({ status }) => status === 'publish');
  const tickets = all.filter(({ requires_code }) => requires_code === 0);
  // An event without other tickets is known to take codes, so the times of hidden ones may show.
  const timed = tickets.length > 0 ? tickets : all;
  const isTimed = withAvailability && timed.length > 0;
  const shown = withAvailability ? await addAvailability(db, tickets, now) : tickets;
  return {
    tickets: Map.groupBy(shown, ({ event_id }) => event_id),
    attendance: await attendanceOf(db, visible),
    takingCodes: takingCodes([...shown, ...all.filter(({ requires_code }) => requires_code === 1)], now),
    freshUntil: isTimed ? await freshUntil(db, timed, { now, timezone }) : ANY_TIME,
  };
}

/** Events with tickets that a promotion code may open or reduce, now or later. */
const takingCodes = (tickets: readonly (Ticket & Pick<EventTicket, 'offered'>)[], now: string): Set<number> =>
  new Set(
    tickets
      .filter(({ provider, price, requires_code, offered, sale_end_utc: end }) => {
        const isLeft = offered !== 'no' && (end === '' || end >= now);
        return provider === 'tc' && isLeft && (requires_code === 1 || price > 0);
      })
      .map(({ event_id }) => event_id),
  );

async function addAvailability(
  db: Database,
  tickets: readonly Ticket[],
  now: string,
): Promise<(Ticket & EventTicket)[]> {
  const left = await findAvailability(
    db,
    tickets.map(({ id }) => id),
    now,
  );
  return tickets.map((ticket) => ({
    ...ticket,
    offered: left.get(ticket.id)?.available === 0 ? 'no' : saleAt(ticket, now),
  }));
}

function saleAt(ticket: Ticket, now: string): EventTicket['offered'] {
  if (isOnSaleAt(ticket, now)) return 'now';
  return ticket.sale_start_utc > now ? 'later' : 'no';
}

const countAttendees = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .select([
      'event_id',
      sql<number>`count(*)`.as('total'),
      sql<number>`sum(checked_in)`.as('checked_in'),
      sql<number>`sum(CASE WHEN attendance_status = 'no' THEN 1 ELSE 0 END)`.as('declined'),
    ])
    .where('event_id', 'in', ids)
    .where('status', '=', 'publish')
    .groupBy('event_id'),
);

/** Counts every attendee except archived ones, including declined RSVPs. */
async function attendanceOf(db: Database, eventIds: readonly number[]): Promise<Map<number, Attendance>> {
  const found = new Map(eventIds.map((id) => [id, NO_ATTENDEES]));
  for (const row of await countAttendees(db, eventIds)) {
    const [total, inside] = [Number(row.total), Number(row.checked_in)];
    found.set(row.event_id, {
      ...{ total_attendees: total, checked_in: inside, not_checked_in: total - inside },
      declined: Number(row.declined),
    });
  }
  return found;
}

const countSold = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .select(sql<number>`count(*)`.as('total'))
    .where('event_id', 'in', ids)
    .where(takesSeatSql('attendees')),
);

const countHeld = byIds((query, ids) =>
  query.selectFrom('tickets').select(sql<number>`coalesce(sum(held), 0)`.as('total')).where('event_id', 'in', ids),
);

async function countHolders(db: Database, eventIds: readonly number[]): Promise<Holders> {
  const sum = (rows: readonly { total: number }[]) => rows.reduce((all, { total }) => all + Number(total), 0);
  return { holders: sum(await countSold(db, eventIds)), held: sum(await countHeld(db, eventIds)) };
}

/** Ticket functions that events need. */
export const eventTickets: EventTickets = {
  load: loadTicketing,
  withdraw: withdrawTicketsOf,
  moveSales,
  copy: copyTickets,
  continueChanges,
  coverSeries: enqueuePassesOf,
  countHolders,
};
