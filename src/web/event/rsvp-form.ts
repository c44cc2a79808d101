import { mostOf, orderLimit, saleOf } from '../cards/sale.ts';
import { textField, trap } from '../frame/field.ts';
import { Html, html } from '../frame/html.ts';
import type { Event, Ticket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { codeOf, withCode } from './promotion-code.ts';
import { saleStart, ticketState } from './ticket-form.ts';

const MAX_NAME = 200;
const MAX_EMAIL = 254;

/** Fields of an RSVP for a ticket. An event may have several such forms. */
export const rsvpField = (ticketId: number | string, name: 'name' | 'email' | 'answer' | 'places'): string =>
  `reply-${ticketId}-${name}`;

interface RsvpOptions {
  visit: Visit;
  /** Ids of tickets that accept "no". */
  declinable: readonly number[];
  /** Submitted values that need correction. */
  chosen: Readonly<Record<string, string>>;
}

/** One RSVP form for each ticket of an event. */
export function rsvpForms(event: Event, tickets: readonly Ticket[], options: RsvpOptions): Html | undefined {
  const forms = tickets.filter(({ provider }) => provider === 'rsvp');
  if (forms.length === 0) return undefined;
  return html`<section class="tickets" id="replies" aria-labelledby="replies-heading"><h2 id="replies-heading">${options.visit.t('reply.heading')}</h2>
${forms.map((ticket) => rsvpForm(event, ticket, options))}</section>`;
}

function rsvpForm(event: Event, ticket: Ticket, { visit, declinable, chosen }: RsvpOptions): Html {
  const { t, link } = visit;
  const isOpen = saleOf(ticket, visit) === 'open';
  const field = (name: Parameters<typeof rsvpField>[1]) => rsvpField(ticket.id, name);
  // Errors about seats of a closed ticket link to its name.
  const about = html`<h3${!isOpen && html` id="${field('places')}"`}>${ticket.title}${ticketState(ticket, visit)}</h3>
${ticket.description !== '' && html`<div class="ticket-text">${new Html(ticket.description)}</div>`}`;
  if (!isOpen) return html`${about}${saleStart(event, ticket, visit)}`;
  const [answer, places] = [field('answer'), field('places')];
  const limit = orderLimit(ticket, visit);
  const choice = (value: 'yes' | 'no') =>
    html`<label><input type="radio" name="${answer}" value="${value}"${(chosen[answer] ?? 'yes') === value && html` checked`}> ${t(`reply.${value}`)}</label>`;
  const answers =
    declinable.includes(ticket.id) &&
    html`<fieldset id="${answer}"><legend>${t('reply.answer')}</legend>
<p class="field check">${choice('yes')}</p><p class="field check">${choice('no')}</p></fieldset>`;
  return html`${about}
<form method="post" action="${withCode(link(event.url), codeOf(visit))}">
<input type="hidden" name="reply_to" value="${ticket.id}">
${trap}
${textField({ name: field('name'), label: t('checkout.name'), value: chosen[field('name')], autocomplete: 'name', isRequired: true, maxLength: MAX_NAME })}
${textField({ name: field('email'), label: t('checkout.email'), value: chosen[field('email')], type: 'email', autocomplete: 'email', isRequired: true, maxLength: MAX_EMAIL })}
${answers}
<div class="field"><label for="${places}">${t('reply.places')}</label>
<input type="number" id="${places}" name="${places}" min="1" max="${mostOf(ticket)}" value="${chosen[places] ?? '1'}" inputmode="numeric"${limit !== undefined && html` aria-describedby="${places}-limit"`}>
${limit !== undefined && html`<p class="ticket-text" id="${places}-limit">${limit}</p>`}</div>
<button>${t(answers ? 'reply.act' : 'reply.heading')}</button></form>`;
}
