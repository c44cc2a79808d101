import type { Event, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { fewLeft, openTickets, saleOf } from './sale.ts';

/** Notable availability of an event. */
export type Stock = 'sold_out' | 'few_left';

/** Milliseconds for which availability may be cached; the cart is exact. */
const STOCK_AGE_MS = 10_000;
const MOST = 100;

/** Events with few or no seats left. */
export async function stockOf(visit: Visit, events: readonly Event[]): Promise<ReadonlyMap<number, Stock>> {
  const byEvent = await ticketsOfEvents(visit, events);
  return new Map(
    [...byEvent].flatMap(([id, tickets]) => {
      const stock = stockOfTickets(tickets, visit);
      return stock ? [[id, stock] as const] : [];
    }),
  );
}

/** Public tickets of events, by event. */
export async function ticketsOfEvents(
  visit: Visit,
  events: readonly Event[],
): Promise<ReadonlyMap<number, readonly Ticket[]>> {
  const ticketed = events.filter(({ ticketed: providers }) => providers).map(({ id }) => id);
  if (ticketed.length === 0) return new Map();
  const until = visit.now.getTime() + STOCK_AGE_MS;
  const list = await visit.ask('tickets.list', { include_post: ticketed, per_page: MOST }, {}, until);
  return Map.groupBy(openTickets(list), ({ post_id }) => post_id);
}

/** Availability of an event with these tickets. */
export function stockOfTickets(tickets: readonly Ticket[], visit: Pick<Visit, 'config' | 'now'>): Stock | undefined {
  const sold = tickets.filter((ticket) => saleOf(ticket, visit) !== 'over');
  if (sold.length === 0) return undefined;
  if (sold.every(({ is_available }) => !is_available)) return 'sold_out';
  return sold.every((ticket) => fewLeft(ticket) !== undefined) ? 'few_left' : undefined;
}
