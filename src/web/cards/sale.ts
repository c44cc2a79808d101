import { localToUtc } from '../../lib/dates/dates.ts';
import { type LocalTime, toUtc } from '../../lib/dates/local-time.ts';
import { parsePrice, siteMoney } from '../../lib/money/money.ts';
import { DEFAULT_PER_ORDER, MAX_PER_ORDER } from '../../ticketing/tickets/store.ts';
import type { Event, ShownTicket, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Tickets of a list, without tickets hidden by the password of an event. */
export const openTickets = ({ tickets }: { tickets: readonly ShownTicket[] }): Ticket[] =>
  tickets.filter((ticket): ticket is Ticket => ticket.id !== 0);

/** Id of the element with the tickets, or with the RSVPs of an event without others. */
export const offerId = (tickets: readonly Pick<Ticket, 'provider'>[]): 'tickets' | 'replies' =>
  tickets.some(({ provider }) => provider === 'tc') ? 'tickets' : 'replies';

/** Availability of a ticket: `open`, or the reason why it is not for sale. */
export type Sale = 'soon' | 'over' | 'sold_out' | 'open';

export function saleOf(ticket: Ticket, visit: Pick<Visit, 'config' | 'now'>): Sale {
  const now = toUtc(visit.now);
  if (saleStartOf(ticket, visit) > now) return 'soon';
  const end = momentOf(ticket.available_until, '23:59:59', visit);
  if (end !== '' && end < now) return 'over';
  return ticket.is_available ? 'open' : 'sold_out';
}

/** Start of the sale of a ticket, in UTC; empty without one. */
export const saleStartOf = ({ available_from }: Ticket, visit: Pick<Visit, 'config'>): LocalTime =>
  momentOf(available_from, '00:00:00', visit);

/** As in the interface, a day without a time counts from its beginning or to its end. */
function momentOf(sent: string, open: string, { config }: Pick<Visit, 'config'>): LocalTime {
  if (sent === '') return '';
  return localToUtc(sent.length > 10 ? sent : `${sent} ${open}`, config.timezone).utc;
}

/** Current price of a ticket, in minor units; at least the one that customers may choose. */
export function presentPrice({ cost_details, on_sale, sale_price_data, min_price }: Ticket, { config }: Visit): number {
  const { decimals } = siteMoney(config);
  const isReduced = on_sale === true && !Array.isArray(sale_price_data);
  const price = parsePrice(isReduced ? sale_price_data.sale_price : cost_details.values[0], decimals) ?? 0;
  return Math.max(price, parsePrice(min_price, decimals) ?? 0);
}

/** Maximum number of seats of a ticket in one order. */
export const mostPerOrderOf = ({ max_per_order: most = DEFAULT_PER_ORDER }: Pick<Ticket, 'max_per_order'>): number =>
  most || MAX_PER_ORDER;

/** Number of seats of a ticket that can be taken at once now. */
export function mostOf(ticket: Ticket): number {
  const { available } = ticket.capacity_details;
  const most = mostPerOrderOf(ticket);
  return available < 0 ? most : Math.min(most, available);
}

/** Limit per order, if the organizer set one and more seats are available. */
export const orderLimit = (ticket: Ticket, { t }: Pick<Visit, 't'>): string | undefined => {
  const { max_per_order: most = 0, capacity_details } = ticket;
  const isLess = capacity_details.available < 0 || capacity_details.available > most;
  return most > 0 && isLess ? t('tickets.per_order', { count: most }) : undefined;
};

/** Minimum per order, if the organizer set one. */
export const orderMinimum = ({ min_per_order: least = 0 }: Ticket, { t }: Pick<Visit, 't'>): string | undefined =>
  least > 1 ? t('tickets.least_per_order', { count: least }) : undefined;

/** Number or percentage of seats that counts as few. */
const FEW = 10;
/** Percentage of seats above which none count as few: at least two thirds must be sold. */
const THIRD = 100 / 3;

/** Number of available seats of a ticket if they are few and most are sold; otherwise undefined. */
export function fewLeft({ capacity_details: { available, available_percentage: share } }: Ticket) {
  const isFew = available !== -1 && share <= THIRD && (available <= FEW || share <= FEW);
  return isFew ? available : undefined;
}

/** Notable availability of an event. */
export type Stock = 'sold_out' | 'few_left';

/** Milliseconds for which availability may be cached; the cart is exact. */
const STOCK_AGE_MS = 10_000;
const MOST_TICKETS = 100;

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
  const list = await visit.ask('tickets.list', { include_post: ticketed, per_page: MOST_TICKETS }, {}, until);
  return Map.groupBy(openTickets(list), ({ post_id }) => post_id);
}

/** Availability of an event with these tickets. */
export function stockOfTickets(tickets: readonly Ticket[], visit: Pick<Visit, 'config' | 'now'>): Stock | undefined {
  const sold = tickets.filter((ticket) => saleOf(ticket, visit) !== 'over');
  if (sold.length === 0) return undefined;
  if (sold.every(({ is_available }) => !is_available)) return 'sold_out';
  return sold.every((ticket) => fewLeft(ticket) !== undefined) ? 'few_left' : undefined;
}
