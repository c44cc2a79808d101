import { sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { formatMoney, type MoneyFormat, plainAmount } from '../../lib/money.ts';
import { escapeHtml } from '../../lib/text.ts';
import { type Availability, findAvailability } from '../tickets/seats.ts';
import type { Ticket } from '../tickets/stock.ts';
import { findTicketsOfEvents, isOnSaleAt } from '../tickets/store.ts';

/** What tickets add to events: who sells, who comes, what it costs, what is left. */

export interface Attendance {
  total_attendees: number;
  checked_in: number;
  not_checked_in: number;
}

export interface Ticketing {
  tickets: ReadonlyMap<number, readonly Ticket[]>;
  /** By ticket; only for single reads. */
  left: ReadonlyMap<number, Availability>;
  /** By event; only for callers who may read attendees. */
  attendance: ReadonlyMap<number, Attendance>;
}

export interface TicketingRequest {
  /** UTC. */
  now: string;
  /** Whose attendance may be shown: of every event, of one, or of none. */
  attendanceOf: 'all' | 'none' | number;
  withAvailability: boolean;
}

const NOBODY: Attendance = { total_attendees: 0, checked_in: 0, not_checked_in: 0 };

export async function loadTicketing(
  db: Database,
  eventIds: readonly number[],
  request: TicketingRequest,
): Promise<Ticketing> {
  const tickets = (await findTicketsOfEvents(db, eventIds)).filter(({ status }) => status === 'publish');
  return {
    tickets: Map.groupBy(tickets, ({ event_id }) => event_id),
    left: request.withAvailability
      ? await findAvailability(
          db,
          tickets.map(({ id }) => id),
          request.now,
        )
      : new Map(),
    attendance: await attendanceOf(db, countable(eventIds, request.attendanceOf)),
  };
}

function countable(eventIds: readonly number[], of: TicketingRequest['attendanceOf']): readonly number[] {
  if (of === 'all') return eventIds;
  return of === 'none' ? [] : eventIds.filter((id) => id === of);
}

const countAttendees = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .select(['event_id', sql<number>`count(*)`.as('total'), sql<number>`sum(checked_in)`.as('checked_in')])
    .where('event_id', 'in', ids)
    .where('status', '=', 'publish')
    .groupBy('event_id'),
);

/** Every attendee counts, those who do not come too; archived ones do not. */
async function attendanceOf(db: Database, eventIds: readonly number[]): Promise<Map<number, Attendance>> {
  const found = new Map(eventIds.map((id) => [id, NOBODY]));
  for (const row of await countAttendees(db, eventIds)) {
    const [total, inside] = [Number(row.total), Number(row.checked_in)];
    found.set(row.event_id, { total_attendees: total, checked_in: inside, not_checked_in: total - inside });
  }
  return found;
}

/** The providers that have tickets for an event, in the order of its tickets. */
export function ticketedBy(tickets: readonly Ticket[] = []): false | string[] {
  return tickets.length > 0 ? [...new Set(tickets.map(({ provider }) => provider))] : false;
}

interface EventCost {
  cost: string;
  cost_details: {
    currency_symbol: string;
    currency_code: string;
    currency_position: 'prefix' | 'postfix' | '';
    values: string[];
  };
}

/**
 * The cost that an event's tickets make: the range of their prices, in place of what was written. An event where
 * people only reply is free, unless it says otherwise itself.
 */
export function costOfTickets(
  tickets: readonly Ticket[],
  own: EventCost,
  { format, free }: { format: MoneyFormat; free: string },
): EventCost {
  const prices = [...new Set(tickets.filter(({ provider }) => provider === 'tc').map(({ price }) => price))].sort(
    (a, b) => a - b,
  );
  const [lowest] = prices;
  const highest = prices.at(-1);
  if (lowest === undefined || highest === undefined)
    return tickets.length > 0 && own.cost === '' ? { ...own, cost: free } : own;
  const shown = [...new Set([lowest, highest])].map((price) => (price === 0 ? free : formatMoney(price, format)));
  return {
    cost: escapeHtml(shown.join(' – ')),
    cost_details: {
      currency_symbol: format.symbol,
      currency_code: format.currency,
      currency_position: format.position,
      values: prices.map((price) => plainAmount(price, format.decimals)),
    },
  };
}

const SCHEMA = 'https://schema.org/';

/** One offer of schema.org for each ticket. */
export function offersOf(
  tickets: readonly Ticket[],
  left: Ticketing['left'],
  shown: { url: string; format: MoneyFormat; now: string },
) {
  return tickets.map((ticket) => {
    const isLeft = left.get(ticket.id)?.available !== 0;
    const isOpen = isOnSaleAt(ticket, shown.now);
    return {
      '@type': 'Offer',
      name: ticket.title,
      price: plainAmount(ticket.price, shown.format.decimals),
      priceCurrency: shown.format.currency,
      url: shown.url,
      category: 'primary',
      availability: isLeft && isOpen ? `${SCHEMA}InStock` : `${SCHEMA}SoldOut`,
      ...(ticket.sale_start_utc && { validFrom: `${ticket.sale_start_utc.replace(' ', 'T')}Z` }),
      ...(ticket.sale_end_utc && { validThrough: `${ticket.sale_end_utc.replace(' ', 'T')}Z` }),
    };
  });
}
