import { localToUtc } from '../../lib/dates/dates.ts';
import { type LocalTime, toUtc } from '../../lib/dates/local-time.ts';
import { parsePrice, siteMoney } from '../../lib/money/money.ts';
import { MAX_PER_ORDER, PRESET_PER_ORDER } from '../../ticketing/tickets/store.ts';
import type { ShownTicket, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Tickets of a list, without tickets hidden by the password of an event. */
export const openTickets = ({ tickets }: { tickets: readonly ShownTicket[] }): Ticket[] =>
  tickets.filter((ticket): ticket is Ticket => ticket.id !== 0);

/** Whether a ticket can be had, and if not, why. */
export type Sale = 'soon' | 'over' | 'sold_out' | 'open';

export function saleOf(ticket: Ticket, visit: Pick<Visit, 'config' | 'now'>): Sale {
  const now = toUtc(visit.now);
  if (saleStartOf(ticket, visit) > now) return 'soon';
  const end = momentOf(ticket.available_until, '23:59:59', visit);
  if (end !== '' && end < now) return 'over';
  return ticket.is_available ? 'open' : 'sold_out';
}

/** When the sale of a ticket begins, UTC; empty if it always has been. */
export const saleStartOf = ({ available_from }: Ticket, visit: Pick<Visit, 'config'>): LocalTime =>
  momentOf(available_from, '00:00:00', visit);

/** A day without a time counts from its beginning or to its end, as for the interface. */
function momentOf(sent: string, open: string, { config }: Pick<Visit, 'config'>): LocalTime {
  if (sent === '') return '';
  return localToUtc(sent.length > 10 ? sent : `${sent} ${open}`, config.timezone).utc;
}

/** What a ticket costs today, in minor units. */
export function presentPrice({ cost_details, on_sale, sale_price_data }: Ticket, { config }: Visit): number {
  const { decimals } = siteMoney(config);
  const isReduced = on_sale === true && !Array.isArray(sale_price_data);
  return parsePrice(isReduced ? sale_price_data.sale_price : cost_details.values[0], decimals) ?? 0;
}

/** How many places of a ticket one order may have. */
export const mostPerOrderOf = ({ max_per_order: most = PRESET_PER_ORDER }: Pick<Ticket, 'max_per_order'>): number =>
  most || MAX_PER_ORDER;

/** How many places of a ticket can be taken at once now. */
export function mostOf(ticket: Ticket): number {
  const { available } = ticket.capacity_details;
  const most = mostPerOrderOf(ticket);
  return available < 0 ? most : Math.min(most, available);
}

/** Says how many places one order may have, if the organizer does and more are left. */
export const orderLimit = (ticket: Ticket, { t }: Pick<Visit, 't'>): string | undefined => {
  const { max_per_order: most = 0, capacity_details } = ticket;
  const isLess = capacity_details.available < 0 || capacity_details.available > most;
  return most > 0 && isLess ? t('tickets.per_order', { count: most }) : undefined;
};

/** Places, or per cent of them, that are few. */
const FEW = 10;

/** How many places are left of a ticket; undefined if they are many. */
export function fewLeft({ capacity_details: { available, available_percentage: share } }: Ticket) {
  return available !== -1 && (available <= FEW || share <= FEW) ? available : undefined;
}
