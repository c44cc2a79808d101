import { zoneAbbreviation } from '../../lib/dates/dates.ts';
import { addressLines, venuesOf } from '../cards/place.ts';
import type { Answer, File } from '../frame/answer.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal } from '../frame/refusal.ts';
import type { Event, HeldTicket } from '../frame/responses.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { MAX_NAME } from './checkout.ts';
import { eventOf, pathOf, readTicket, type TicketAddress } from './ticket-address.ts';
import { stateOf } from './ticket-state.ts';

/** Forms of a ticket. */
export type TicketForm = 'rename' | 'transfer' | 'reply';

interface FormAgain {
  /** Submitted form that needs correction, with its values. */
  sent?: TicketForm;
  form?: Form;
  refusal?: Refusal;
}

/** Ticket with its QR code, for anyone with the link. */
export async function ticketPage(visit: Visit, address: TicketAddress, again: FormAgain = {}): Promise<Answer> {
  const { refusal = NO_REFUSAL } = again;
  const ticket = await readTicket(visit, address);
  const { title, event, provider } = ticket;
  const shown = await eventOf(visit, ticket);
  const options = { visit, address, again };
  const heading = event?.title ?? title;
  const main = html`<article class="ticket-page">
${errorSummary(refusal.errors, visit)}
<h1${provider === 'rsvp' && html` data-order="${heading}"`}>${heading}</h1>
${statusOf(shown, visit)}
${codeOf(ticket, options)}
${factsOf(ticket, shown, visit)}
${provider === 'rsvp' && answerForm(ticket, options)}
${ticket.security_code !== undefined && acts(ticket, { ...options, isPublic: shown !== undefined })}
</article>`;
  return personal(visit, { title: heading, main, kind: 'ticket', refusal });
}

interface Options {
  visit: Visit;
  address: TicketAddress;
  again: FormAgain;
}

/** Note about an event that does not take place as planned. */
function statusOf(event: Event | undefined, { t }: Visit): Html | undefined {
  const status = event?.event_status ?? 'scheduled';
  if (status === 'scheduled') return undefined;
  const text = html`<strong>${t(`status.${status}`)}</strong> ${event?.event_status_reason}`;
  return notice(status === 'cancelled' ? 'bad' : 'warn', text);
}

function codeOf(ticket: HeldTicket, { visit, address }: Options): Html {
  const { t } = visit;
  const { security_code, full_name } = ticket;
  const state = stateOf(ticket);
  if (security_code === undefined) return notice(state.kind, state.textIn(visit));
  return html`<figure class="code-box" data-awake><img class="code" src="${pathOf(address)}code.png" width="600" height="600" alt="${t('ticket.code_of', { name: full_name })}">
<figcaption class="code-text">${security_code}</figcaption></figure>`;
}

/** Date of the ticket's event, with its time zone. */
export function whenOf({ event }: HeldTicket, { dates }: Visit): string | undefined {
  if (!event) return undefined;
  const when = dates.range(event.start_date, event.end_date, event.all_day);
  return event.all_day ? when : `${when} ${zoneAbbreviation(event.utc_start_date, event.timezone)}`;
}

function factsOf(ticket: HeldTicket, shown: Event | undefined, visit: Visit): Html {
  const { t, link } = visit;
  const { title, full_name, event } = ticket;
  const state = stateOf(ticket);
  return html`<dl class="facts"><div><dt>${t('ticket.name')}</dt><dd>${full_name}</dd></div>
<div><dt>${t('cart.ticket')}</dt><dd>${title}</dd></div>
${event && html`<div><dt>${t('event.when')}</dt><dd>${whenOf(ticket, visit)}</dd></div>`}
${shown && venuesOf(shown).map((venue) => html`<div><dt>${t('ticket.where')}</dt><dd><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).map((line) => html`<br>${line}`)}</dd></div>`)}
${shown && html`<div><dt>${t('ticket.event')}</dt><dd><a href="${link(shown.url)}">${shown.title}</a></dd></div>`}
<div><dt>${t('ticket.state')}</dt><dd><span class="badge ${state.kind}">${state.textIn(visit)}</span></dd></div></dl>`;
}

/** Form to change an RSVP, unless its ticket is cancelled or used. */
function answerForm({ security_code, status, checked_in }: HeldTicket, { visit, address }: Options) {
  const { t, link } = visit;
  if (status !== 'publish' || checked_in) return undefined;
  const answer = security_code === undefined ? 'yes' : 'no';
  return html`<form method="post" action="${link(`${pathOf(address)}reply/`)}"><p class="hint" id="answer-hint">${t('reply.change_hint')}</p>
<p><button id="answer" name="answer" value="${answer}" class="quiet" aria-describedby="answer-hint">${t(`reply.change_${answer}`)}</button></p></form>`;
}

/** Actions of the holder on a valid ticket. */
function acts(
  { full_name, checked_in, id }: HeldTicket,
  { visit, address, again, isPublic }: Options & { isPublic: boolean },
) {
  const { t, link } = visit;
  const path = pathOf(address);
  const typed = (form: TicketForm): Form => (again.sent === form ? (again.form ?? {}) : {});
  const open = (form: TicketForm) => again.sent === form && html` open`;
  const save = html`<p class="acts"><a class="button" href="${link(`${path}ticket.png`)}" download="ticket-${id}.png">${t('ticket.save')}</a>${isPublic && html` <a href="${link(`${path}ical/`)}">${t('calendar.add')}</a>`}</p>`;
  if (checked_in) return save;
  return html`${save}
<details${open('rename')}><summary>${t('ticket.rename')}</summary><form method="post" action="${link(path)}">
${textField({ name: 'full_name', label: t('ticket.name'), value: typed('rename').full_name ?? full_name, maxLength: MAX_NAME, isRequired: true })}<button>${t('form.save')}</button></form></details>
<details${open('transfer')}><summary>${t('ticket.transfer')}</summary><p class="hint">${t('ticket.transfer_text')}</p><form method="post" action="${link(`${path}transfer/`)}">
<input type="hidden" name="key" value="${typed('transfer').key ?? visit.newKey()}">
${textField({ name: 'full_name', id: 'transfer-name', label: t('ticket.new_holder'), value: typed('transfer').full_name, maxLength: MAX_NAME, isRequired: true, autocomplete: 'off' })}
${textField({ name: 'email', id: 'transfer-email', label: t('ticket.new_email'), value: typed('transfer').email, type: 'email', maxLength: 254, isRequired: true, autocomplete: 'off' })}<button>${t('ticket.transfer_act')}</button></form></details>`;
}

/**
 * Image of the QR code, for scanning at the door.
 * @throws {NotFound} also for a security code of another ticket
 */
export async function codePicture(visit: Visit, { id, code }: TicketAddress): Promise<File> {
  const picture = await orNotFound(visit.askFile('qr.read', { id, security_code: code }, { accept: 'image/png' }));
  if (!picture) throw new NotFound();
  return { ...picture, isPersonal: true };
}
