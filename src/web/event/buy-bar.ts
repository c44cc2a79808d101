import { priceInWords } from '../cards/price.ts';
import { offerId, presentPrice, saleOf } from '../cards/sale.ts';
import { type Html, html } from '../frame/html.ts';
import type { Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Sticky bar for narrow screens with the lowest price and a link to the tickets. */
export function buyBar(tickets: readonly Ticket[], visit: Visit): Html | undefined {
  const { t } = visit;
  const open = tickets.filter((ticket) => saleOf(ticket, visit) === 'open');
  const prices = open.map((ticket) => presentPrice(ticket, visit));
  if (prices.length === 0) return undefined;
  const lowest = Math.min(...prices);
  const highest = Math.max(...prices);
  const price = priceInWords(lowest, visit);
  // "From free" is no price.
  const range = lowest === 0 ? `${price} – ${priceInWords(highest, visit)}` : t('tickets.from_price', { price });
  const target = offerId(open);
  return html`<p class="buy-bar" data-bar><span>${lowest === highest ? price : range}</span>
<a class="button" href="#${target}">${t(target === 'tickets' ? 'event.get_tickets' : 'event.reply')}</a></p>`;
}
