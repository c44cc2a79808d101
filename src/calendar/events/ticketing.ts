import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { formatMoney, type MoneyFormat, plainAmount } from '../../lib/money/money.ts';
import { escapeHtml } from '../../lib/text/text.ts';

/** Contribution of tickets to events: providers, attendance, cost and availability. */

/** Part of a ticket shown by its event. */
export interface EventTicket {
  id: number;
  event_id: number;
  provider: Provider;
  title: string;
  /** Minor units. */
  price: number;
  sale_start_utc: string;
  sale_end_utc: string;
  /** Whether it is on sale and seats are left; only for single reads. */
  isAvailable?: boolean;
}

export interface Attendance {
  total_attendees: number;
  checked_in: number;
  not_checked_in: number;
}

export interface Ticketing {
  tickets: ReadonlyMap<number, readonly EventTicket[]>;
  /** By event; only for viewers who may read attendees. */
  attendance: ReadonlyMap<number, Attendance>;
  /** Time in milliseconds until which anonymous viewers see the same ticket data, as long as the data do not change. */
  freshUntil: number;
}

export interface TicketingRequest {
  /** UTC. */
  now: string;
  /** Time zone of the site. */
  timezone: string;
  /** Events whose attendance may be shown: all, none, or one. */
  attendanceOf: 'all' | 'none' | number;
  withAvailability: boolean;
}

/**
 * Ticket functions that events need. Tickets import events, so `app.ts` passes the implementation to the endpoints of
 * events.
 */
export interface EventTickets {
  load(db: Database, eventIds: readonly number[], request: TicketingRequest): Promise<Ticketing>;
  /** Withdraws the tickets of a permanently deleted event, in the same transaction. */
  withdraw(db: Database, eventId: number, ctx: RequestContext): Promise<void>;
}

/** Providers of an event's tickets, in the order of the tickets. */
export function ticketedBy(tickets: readonly EventTicket[] = []): false | string[] {
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
 * The cost of an event with tickets: the range of their prices replaces its own cost. An event with RSVPs only is free,
 * unless it has a cost of its own.
 */
export function costOfTickets(
  tickets: readonly EventTicket[],
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

interface OfferOptions {
  url: string;
  format: MoneyFormat;
  /** Whether the event is cancelled, so that nothing is sold. */
  isCancelled: boolean;
}

/** One schema.org offer per ticket. */
export const offersOf = (tickets: readonly EventTicket[], { url, format, isCancelled }: OfferOptions) =>
  tickets.map((ticket) => ({
    '@type': 'Offer',
    name: ticket.title,
    price: plainAmount(ticket.price, format.decimals),
    priceCurrency: format.currency,
    url,
    category: 'primary',
    availability: ticket.isAvailable && !isCancelled ? `${SCHEMA}InStock` : `${SCHEMA}SoldOut`,
    ...(ticket.sale_start_utc && { validFrom: `${ticket.sale_start_utc.replace(' ', 'T')}Z` }),
    ...(ticket.sale_end_utc && { validThrough: `${ticket.sale_end_utc.replace(' ', 'T')}Z` }),
  }));
