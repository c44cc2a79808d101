import { presentPrice, saleOf } from '../cards/sale.ts';
import { type Html, html } from '../frame/html.ts';
import type { Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { priceInWords } from './ticket-form.ts';

/** Sticky bar for narrow screens with the lowest price and a link to the tickets. */
export function buyBar(tickets: readonly Ticket[], visit: Visit): Html | undefined {
  const { t } = visit;
  const open = tickets.filter((ticket) => saleOf(ticket, visit) === 'open');
  const prices = open.map((ticket) => presentPrice(ticket, visit));
  if (prices.length === 0) return undefined;
  const lowest = Math.min(...prices);
  const price = priceInWords(lowest, visit);
  const isSold = open.some(({ provider }) => provider === 'tc');
  return html`<p class="buy-bar" data-bar><span>${lowest === Math.max(...prices) ? price : t('tickets.from_price', { price })}</span>
<a class="button" href="#${isSold ? 'tickets' : 'replies'}">${t(isSold ? 'tickets.heading' : 'reply.heading')}</a></p>`;
}
