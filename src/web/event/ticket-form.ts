import { utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { parsePrice, siteMoney } from '../../lib/money/money.ts';
import { priceField, priceInput } from '../cards/chosen-price.ts';
import { priceInWords, taxName } from '../cards/price.ts';
import { fewLeft, mostOf, orderLimit, orderMinimum, presentPrice, saleOf, saleStartOf } from '../cards/sale.ts';
import { salePath } from '../frame/address.ts';
import { Html, html } from '../frame/html.ts';
import type { Event, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { sealedPassword } from './event-password.ts';
import { codeForm, withCode } from './promotion-code.ts';

interface FormOptions {
  visit: Visit;
  /** Submitted values that need correction. */
  chosen?: Readonly<Record<string, string>>;
  heading?: string;
  /** Code that the visitor has entered. */
  entered?: string | undefined;
  /** The entered code, if it is valid. A refused one must not keep visitors from other tickets. */
  accepted?: string | undefined;
  /** Path to which a code is sent; by default, the path of the event. */
  path?: string;
  /** Whether the event has tickets that a code opens; known for an event from a list. */
  takes_codes?: Event['takes_codes'];
}

/** Tickets of an event, with available seats and a quantity field. */
export function ticketForm(
  event: Event,
  tickets: readonly Ticket[],
  { visit, chosen = {}, heading, entered, accepted, path = event.url, takes_codes = event.takes_codes }: FormOptions,
): Html | undefined {
  const { t, link } = visit;
  const paid = tickets.filter(({ provider }) => provider === 'tc');
  const takesCode = takes_codes === true || entered !== undefined;
  if (paid.length === 0 && !takesCode) return undefined;
  const sealed = sealedPassword(visit, event.slug);
  const isAnyOnSale = paid.some((ticket) => saleOf(ticket, visit) === 'open');
  return html`<section class="tickets" id="tickets" aria-labelledby="tickets-heading"><h2 id="tickets-heading">${heading ?? t('tickets.heading')}</h2>
${
  paid.length > 0 &&
  html`<form method="post" action="${link('/cart/')}">
<input type="hidden" name="event" value="${event.slug}">${sealed !== undefined && html`<input type="hidden" name="pass" value="${sealed}">`}${accepted !== undefined && html`<input type="hidden" name="code" value="${accepted}">`}
<ul class="ticket-list" data-fewer="${t('tickets.fewer')}" data-more="${t('tickets.more')}">${paid.map((ticket) => ticketRow(ticket, { event, visit, chosen, accepted }))}</ul>
${isAnyOnSale && html`<button>${t('tickets.take')}</button>`}
</form>`
}
${takesCode && codeForm(new URL(path, visit.origin).pathname, entered, visit)}</section>`;
}

interface RowOptions {
  event: Event;
  visit: Visit;
  chosen: Readonly<Record<string, string>>;
  accepted: string | undefined;
}

function ticketRow(ticket: Ticket, { event, visit, chosen, accepted }: RowOptions): Html {
  const name = `ticket-${ticket.id}`;
  const isOpen = saleOf(ticket, visit) === 'open';
  const limits = isOpen ? [orderMinimum(ticket, visit), orderLimit(ticket, visit)].filter(Boolean).join(' · ') : '';
  const title = isOpen
    ? html`<label for="${name}" class="ticket-title">${ticket.title}</label>`
    : html`<span id="${name}" class="ticket-title">${ticket.title}</span>`;
  return html`<li class="ticket">
<div>${title}
${ticket.pass && html`<p class="ticket-text">${visit.t('pass.dates', { count: ticket.pass.dates })}. ${visit.t('pass.one_place')}</p>`}
<p class="ticket-price">${priceOf(ticket, visit)}${addedTax(ticket, visit)}${ticketState(ticket, visit)}</p>
${ticket.description !== '' && html`<div class="ticket-text">${new Html(ticket.description)}</div>`}
${limits !== '' && html`<p class="ticket-text" id="${name}-limit">${limits}</p>`}
${saleStart(event, ticket, visit, accepted)}
${isOpen && ticket.min_price !== undefined && priceInput({ ...ticket, minor: presentPrice(ticket, visit), typed: chosen[priceField(ticket.id)] }, visit)}</div>
${isOpen && html`<input type="number" id="${name}" name="${name}" min="0" max="${mostOf(ticket)}" value="${chosen[name] ?? '0'}" inputmode="numeric"${limits !== '' && html` aria-describedby="${name}-limit"`}>`}
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
export function saleStart(event: Event, ticket: Ticket, visit: Visit, code?: string): Html | undefined {
  if (saleOf(ticket, visit) !== 'soon') return undefined;
  const { t, link, dates } = visit;
  const utc = saleStartOf(ticket, visit);
  const start = utcToLocal(utc, event.timezone);
  const when = `${dates.range(start, start, false)} ${zoneAbbreviation(utc, event.timezone)}`;
  return html`<p class="ticket-text">${t(`sale.from.${ticket.provider}`, { when })}<br><a rel="nofollow" href="${withCode(link(salePath(event.slug, ticket.id)), code)}">${t('sale.remind')}</a></p>`;
}

/** Tax that is added to the price of a ticket. */
const addedTax = ({ tax, ...ticket }: Ticket, visit: Visit): Html | undefined =>
  tax && !tax.included && presentPrice(ticket, visit) > 0
    ? html` <small>${visit.t('tickets.plus_tax', { tax: taxName(tax, visit) })}</small>`
    : undefined;

/** Price, or the suggested and the least one; during a sale, the regular price is struck out. */
function priceOf(ticket: Ticket, visit: Visit): Html {
  const { t, dates, config } = visit;
  const { cost_details, on_sale, sale_price_data, min_price } = ticket;
  const regular = priceInWords(parsePrice(cost_details.values[0], siteMoney(config).decimals) ?? 0, visit);
  if (min_price !== undefined) {
    const least = parsePrice(min_price, siteMoney(config).decimals) ?? 0;
    const price = priceInWords(presentPrice(ticket, visit), visit);
    return html`${least === 0 ? t('tickets.choose_price', { price }) : t('tickets.choose_price_from', { price, least: priceInWords(least, visit) })}`;
  }
  if (on_sale !== true || Array.isArray(sale_price_data)) return html`${regular}`;
  const { end_date: end } = sale_price_data;
  return html`<s>${regular}</s> <strong>${priceInWords(presentPrice(ticket, visit), visit)}</strong>${end !== '' && html` ${t('tickets.until', { when: dates.day(end) })}`}`;
}
