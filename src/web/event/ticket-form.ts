import { utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { formatMoney, siteMoney } from '../../lib/money/money.ts';
import { fewLeft, mostOf, orderLimit, presentPrice, saleOf, saleStartOf } from '../cards/sale.ts';
import { salePath } from '../frame/address.ts';
import { Html, html } from '../frame/html.ts';
import type { Event, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { sealedPassword } from './event-password.ts';

/** Tickets of an event, with available seats and a quantity field. */
export function ticketForm(
  event: Event,
  tickets: readonly Ticket[],
  { visit, chosen = {} }: { visit: Visit; chosen?: Readonly<Record<string, string>> },
): Html | undefined {
  const { t, link } = visit;
  const paid = tickets.filter(({ provider }) => provider === 'tc');
  if (paid.length === 0) return undefined;
  const sealed = sealedPassword(visit, event.slug);
  const isAnyOnSale = paid.some((ticket) => saleOf(ticket, visit) === 'open');
  return html`<section class="tickets" id="tickets" aria-labelledby="tickets-heading"><h2 id="tickets-heading">${t('tickets.heading')}</h2>
<form method="post" action="${link('/cart/')}">
<input type="hidden" name="event" value="${event.slug}">${sealed !== undefined && html`<input type="hidden" name="pass" value="${sealed}">`}
<ul class="ticket-list" data-fewer="${t('tickets.fewer')}" data-more="${t('tickets.more')}">${paid.map((ticket) => ticketRow(ticket, { event, visit, chosen }))}</ul>
${isAnyOnSale && html`<button>${t('tickets.take')}</button>`}
</form></section>`;
}

interface RowOptions {
  event: Event;
  visit: Visit;
  chosen: Readonly<Record<string, string>>;
}

function ticketRow(ticket: Ticket, { event, visit, chosen }: RowOptions): Html {
  const name = `ticket-${ticket.id}`;
  const isOpen = saleOf(ticket, visit) === 'open';
  const limit = isOpen ? orderLimit(ticket, visit) : undefined;
  const title = isOpen
    ? html`<label for="${name}" class="ticket-title">${ticket.title}</label>`
    : html`<span id="${name}" class="ticket-title">${ticket.title}</span>`;
  return html`<li class="ticket">
<div>${title}
<p class="ticket-price">${priceOf(ticket, visit)}${ticketState(ticket, visit)}</p>
${ticket.description !== '' && html`<div class="ticket-text">${new Html(ticket.description)}</div>`}
${limit !== undefined && html`<p class="ticket-text" id="${name}-limit">${limit}</p>`}
${saleStart(event, ticket, visit)}</div>
${isOpen && html`<input type="number" id="${name}" name="${name}" min="0" max="${mostOf(ticket)}" value="${chosen[name] ?? '0'}" inputmode="numeric"${limit !== undefined && html` aria-describedby="${name}-limit"`}>`}
</li>`;
}

/** Reason why a ticket is unavailable, or a note that few seats are left. */
export function ticketState(ticket: Ticket, visit: Visit): Html | undefined {
  const { t } = visit;
  switch (saleOf(ticket, visit)) {
    case 'soon':
      return undefined;
    case 'over':
      return badge(t(ticket.provider === 'rsvp' ? 'reply.over' : 'tickets.over'), 'plain');
    case 'sold_out':
      return badge(t('tickets.sold_out'), 'bad');
    case 'open': {
      const left = fewLeft(ticket);
      return left === undefined ? undefined : badge(t('tickets.left', { count: left }), 'warn');
    }
  }
}

const badge = (words: string, tone: 'plain' | 'bad' | 'warn'): Html =>
  html` <span class="badge ${tone}">${words}</span>`;

/** Start of a later sale in the time zone of the event, with a calendar reminder. */
export function saleStart(event: Event, ticket: Ticket, visit: Visit): Html | undefined {
  if (saleOf(ticket, visit) !== 'soon') return undefined;
  const { t, link, dates } = visit;
  const utc = saleStartOf(ticket, visit);
  const start = utcToLocal(utc, event.timezone);
  const when = `${dates.range(start, start, false)} ${zoneAbbreviation(utc, event.timezone)}`;
  return html`<p class="ticket-text">${t(`sale.from.${ticket.provider}`, { when })}<br><a rel="nofollow" href="${link(salePath(event.slug, ticket.id))}">${t('sale.remind')}</a></p>`;
}

/** Price; during a sale, the regular price is struck out. */
function priceOf(ticket: Ticket, visit: Visit): Html {
  const { t, dates } = visit;
  const { cost, cost_details, on_sale, sale_price_data } = ticket;
  const regular = Number(cost_details.values[0]) === 0 ? t('label.free') : cost;
  if (on_sale !== true || Array.isArray(sale_price_data)) return html`${regular}`;
  const { end_date: end } = sale_price_data;
  return html`<s>${regular}</s> <strong>${priceInWords(presentPrice(ticket, visit), visit)}</strong>${end !== '' && html` ${t('tickets.until', { when: dates.day(end) })}`}`;
}

/** Formats an amount in minor units. */
export const priceInWords = (minor: number, { t, config }: Visit): string =>
  minor === 0 ? t('label.free') : formatMoney(minor, siteMoney(config));
