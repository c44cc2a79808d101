import { mostOf, openTickets } from '../cards/sale.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import type { Event, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { eventsOf } from './cart-content.ts';
import type { Places } from './cart-cookies.ts';

/** Places of an expired cart, with the number that are still available. */
export interface LostPlaces extends Places {
  title: string;
  event: Event | undefined;
  left: number;
}

/** Available places, without tickets that are no longer public. */
export async function findLost(visit: Visit, places: readonly Places[]): Promise<LostPlaces[]> {
  if (places.length === 0) return [];
  const include = places.map(({ ticket_id }) => ticket_id);
  const tickets = openTickets(await visit.ask('tickets.list', { include, per_page: include.length }));
  const events = await eventsOf(visit, tickets);
  return places.flatMap((line) => {
    const ticket = tickets.find(({ id }) => id === line.ticket_id);
    return ticket
      ? [{ ...line, title: ticket.title, event: events.get(ticket.post_id), left: leftOf(ticket, line) }]
      : [];
  });
}

const leftOf = (ticket: Ticket, { quantity }: Places): number =>
  ticket.is_available ? Math.min(quantity, mostOf(ticket)) : 0;

/** Places that are still available. */
export const placesLeft = (lost: readonly LostPlaces[]): Places[] =>
  lost.filter(({ left }) => left > 0).map(({ ticket_id, left }) => ({ ticket_id, quantity: left }));

interface LostOptions {
  visit: Visit;
  /** True if the visitor has tried to get the places. */
  isRefused: boolean;
}

/** Expired places with the numbers that are still available, below one message. */
export function lostPlaces(lost: readonly LostPlaces[], { visit, isRefused }: LostOptions): Html {
  const { t, link, dates } = visit;
  const message = t(messageOf(lost));
  return html`${isRefused ? errorSummary([{ message }], visit) : notice('warn', message)}
<ul class="lost">${lost.map(
    ({ title, quantity, left, event }) =>
      html`<li>${quantity} × ${title}${event && html`, <a href="${link(event.url)}">${event.title}</a>, ${dates.range(event.start_date, event.end_date, event.all_day === true)}`} ${stillAvailable({ left, quantity }, t)}</li>`,
  )}</ul>`;
}

function messageOf(lost: readonly LostPlaces[]) {
  if (lost.every(({ left }) => left === 0)) return 'cart.gone';
  return lost.every(({ left, quantity }) => left === quantity) ? 'cart.over' : 'cart.partly_gone';
}

function stillAvailable({ left, quantity }: Pick<LostPlaces, 'left' | 'quantity'>, t: Visit['t']): Html {
  if (left === 0) return html`<span class="badge bad">${t('tickets.sold_out')}</span>`;
  if (left === quantity) return html`<span class="badge good">${t('cart.still_available')}</span>`;
  return html`<span class="badge warn">${t('cart.left_of', { left, quantity })}</span>`;
}
