import { presentPrice, saleOf } from '../cards/sale.ts';
import { type Html, html } from '../frame/html.ts';
import type { Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { priceInWords } from './ticket-form.ts';

/** On narrow screens a bar that stays in sight: from how much there are tickets, and the way to them. */
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
