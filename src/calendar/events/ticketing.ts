import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { formatMoney, type MoneyFormat, numberOf } from '../../lib/money/money.ts';
import { escapeHtml } from '../../lib/text/text.ts';
import type { Event } from './store.ts';

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
  /** Not null for a series pass. */
  pass_id: number | null;
  /** Whether seats are left, on sale now or later; only for single reads. */
  offered?: 'now' | 'later' | 'no';
}

export interface Attendance {
  total_attendees: number;
  checked_in: number;
  not_checked_in: number;
  /** RSVPs with the answer no, which the other numbers include. */
  declined: number;
}

export interface Ticketing {
  tickets: ReadonlyMap<number, readonly EventTicket[]>;
  /** By event; only for viewers who may read attendees. */
  attendance: ReadonlyMap<number, Attendance>;
  /** Ids of the events with tickets that a promotion code may open or reduce; in full only with `withAvailability`. */
  takingCodes: ReadonlySet<number>;
  /** Time in milliseconds until which visitors see the same ticket data, unless the data change. */
  freshUntil: number;
}

export interface TicketingRequest {
  /** UTC. */
  now: string;
  /** Time zone of the site. */
  timezone: string;
  /** Ids of the events whose attendance may be shown. */
  attendanceOf: readonly number[];
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
  /** Moves the sale periods of an event's tickets with its start, in the same transaction. */
  moveSales(db: Database, move: { from: Event; to: Event; ctx: RequestContext }): Promise<void>;
  /** Copies the tickets of an event to another one, with seats of their own, in the same transaction. */
  copy(db: Database, copy: { from: Event; to: Event; maker: TicketMaker }): Promise<void>;
  /**
   * Lets pending changes of the tickets of a series also reach the series that continues it from a day on, in the
   * transaction of the split.
   */
  continueChanges(db: Database, split: { from: number; to: number; now: Date }): Promise<void>;
  /** Has the passes of a series cover its events, also restored ones, after the commit. */
  coverSeries(db: Database, series: number, now: Date): Promise<void>;
  /** Counts the people with a ticket for some events, and the seats that carts hold. */
  countHolders(db: Database, eventIds: readonly number[]): Promise<Holders>;
}

/** Request or job that makes tickets. */
export type TicketMaker = Pick<RequestContext, 'context' | 'now' | 'actor'>;

export interface Holders {
  holders: number;
  held: number;
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
 * The cost of an event with tickets: the range of their prices replaces its own cost, without series passes unless there
 * is nothing else. An event with RSVPs only is free, unless it has a cost of its own.
 */
export function costOfTickets(
  tickets: readonly EventTicket[],
  own: EventCost,
  money: { format: () => MoneyFormat; free: string },
): EventCost {
  const paid = tickets.filter(({ provider }) => provider === 'tc');
  const single = paid.filter(({ pass_id }) => pass_id === null);
  const counted = single.length > 0 ? single : paid;
  const prices = [...new Set(counted.map(({ price }) => price))].sort((a, b) => a - b);
  const [lowest] = prices;
  const highest = prices.at(-1);
  if (lowest === undefined || highest === undefined)
    return tickets.length > 0 && own.cost === '' ? { ...own, cost: money.free } : own;
  const format = money.format();
  const shown = [...new Set([lowest, highest])].map((price) => (price === 0 ? money.free : formatMoney(price, format)));
  return {
    cost: escapeHtml(shown.join(' – ')),
    cost_details: {
      currency_symbol: format.symbol,
      currency_code: format.currency,
      currency_position: format.position,
      values: prices.map((price) => numberOf(price, format.decimals)),
    },
  };
}

const SCHEMA = 'https://schema.org/';

interface OfferOptions {
  url: string;
  format: MoneyFormat;
  /** Whether the status of the event closes the sale. */
  isClosed: boolean;
}

const AVAILABILITY = { now: 'InStock', later: 'PreOrder', no: 'SoldOut' };

/** One schema.org offer per ticket. */
export const offersOf = (tickets: readonly EventTicket[], { url, format, isClosed }: OfferOptions) =>
  tickets.map((ticket) => ({
    '@type': 'Offer',
    name: ticket.title,
    price: numberOf(ticket.price, format.decimals),
    priceCurrency: format.currency,
    url,
    category: 'primary',
    availability: `${SCHEMA}${AVAILABILITY[isClosed ? 'no' : (ticket.offered ?? 'no')]}`,
    ...(ticket.sale_start_utc && { validFrom: `${ticket.sale_start_utc.replace(' ', 'T')}Z` }),
    ...(ticket.sale_end_utc && { validThrough: `${ticket.sale_end_utc.replace(' ', 'T')}Z` }),
  }));
