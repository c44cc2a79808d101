import { utcToLocal } from '../../lib/dates.ts';
import { toUtc } from '../../lib/local-time.ts';
import { formatMoney, parsePrice, siteMoney } from '../../lib/money.ts';
import { Html, html } from '../html.ts';
import type { EventBody, TicketBody } from '../public/bodies.ts';
import { sealedPassword } from '../public/event-password.ts';
import type { Visit } from '../public/visit.ts';

/** Places that can be chosen at once; more need another visit to the cart. */
const MAX_CHOICE = 20;
/** From so few on, how many are left is said. */
const FEW = 10;

/** The tickets of an event, with what is left of each and how many to take. */
export function ticketForm(
  event: EventBody,
  tickets: readonly TicketBody[],
  { visit, chosen = {} }: { visit: Visit; chosen?: Readonly<Record<string, string>> },
): Html | undefined {
  const { t, link } = visit;
  const paid = tickets.filter(({ provider }) => provider === 'tc');
  if (paid.length === 0) return undefined;
  const sealed = sealedPassword(visit, event.slug);
  const isAnyOnSale = paid.some(({ is_available }) => is_available);
  return html`<section class="tickets" id="tickets" aria-labelledby="tickets-heading"><h2 id="tickets-heading">${t('tickets.heading')}</h2>
<form method="post" action="${link('/cart/')}">
<input type="hidden" name="event" value="${event.slug}">${
    sealed !== undefined &&
    html`
<input type="hidden" name="pass" value="${sealed}">`
  }
<ul class="ticket-list">${paid.map((ticket) => ticketRow(ticket, { visit, chosen }))}</ul>
${isAnyOnSale && html`<button>${t('tickets.take')}</button>`}
</form></section>`;
}

interface RowOptions {
  visit: Visit;
  chosen: Readonly<Record<string, string>>;
}

function ticketRow(ticket: TicketBody, { visit, chosen }: RowOptions): Html {
  const name = `ticket-${ticket.id}`;
  const most = mostOf(ticket);
  const state = ticketState(ticket, visit);
  const title = ticket.is_available
    ? html`<label for="${name}" class="ticket-title">${ticket.title}</label>`
    : html`<span id="${name}" class="ticket-title">${ticket.title}</span>`;
  return html`<li class="ticket">
<div>${title}
${ticket.description !== '' && html`<div class="ticket-text">${new Html(ticket.description)}</div>`}
<p class="ticket-price">${priceOf(ticket, visit)}${state !== '' && html` <span class="badge">${state}</span>`}</p></div>
${ticket.is_available && html`<input type="number" id="${name}" name="${name}" min="0" max="${most}" value="${chosen[name] ?? '0'}" inputmode="numeric">`}
</li>`;
}

const leftOf = ({ capacity_details: { available } }: TicketBody): number =>
  available < 0 ? Number.POSITIVE_INFINITY : available;

const mostOf = (ticket: TicketBody): number => Math.min(MAX_CHOICE, leftOf(ticket));

/** What keeps a ticket from being sold, or that few are left. */
export function ticketState(ticket: TicketBody, { t, now, config, dates }: Visit): string {
  const left = leftOf(ticket);
  const local = utcToLocal(toUtc(now), config.timezone);
  if (ticket.available_from !== '' && ticket.available_from > local)
    return t('tickets.from', { when: dates.range(ticket.available_from, ticket.available_from, false) });
  if (ticket.available_until !== '' && ticket.available_until < local) return t('tickets.over');
  if (left === 0) return t('tickets.sold_out');
  if (!ticket.is_available) return t('tickets.unavailable');
  return left <= FEW ? t('tickets.left', { count: left }) : '';
}

/** The price, and where a reduced one applies today the regular one struck out. */
function priceOf({ cost, on_sale, sale_price_data }: TicketBody, { t, config, dates }: Visit): Html {
  const regular = cost === '' ? t('label.free') : cost;
  if (!on_sale || Array.isArray(sale_price_data)) return html`${regular}`;
  const format = siteMoney(config);
  const minor = parsePrice(sale_price_data.sale_price, format.decimals);
  if (minor === undefined) return html`${regular}`;
  const until =
    sale_price_data.end_date === '' ? '' : t('tickets.until', { when: dates.day(sale_price_data.end_date) });
  return html`<s>${regular}</s> <strong>${formatMoney(minor, format)}</strong>${until !== '' && html` ${until}`}`;
}
