import { ApiError } from '../../http/core/errors.ts';
import { fromUtc, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { otherDate, statusBanner } from '../cards/event-status.ts';
import { addressLines, onlineLink, venuesOf } from '../cards/place.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import type { File, PageResponse } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { Refusal } from '../frame/refusal.ts';
import type { Event, HeldTicket } from '../frame/responses.ts';
import { sentForm } from '../frame/sent-form.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { MAX_NAME } from './checkout.ts';
import { eventOf, isTransferred, pathOf, readTicket, type TicketAddress } from './ticket-address.ts';
import { isEventOff, stateOf, unpaidOrderText, validUntil } from './ticket-state.ts';

/** Forms of a ticket. */
export type TicketForm = 'rename' | 'transfer' | 'reply';

interface FormAgain {
  /** Submitted values; `sent` names the form that needs correction. */
  form: Form & { sent?: TicketForm };
  refusal: Refusal;
}

/** Ticket with its QR code, for anyone with the link; after a transfer the former link says so. */
export async function ticketPage(
  visit: Visit,
  address: TicketAddress,
  again: FormAgain = sentForm(visit),
): Promise<PageResponse> {
  const ticket = await readTicket(visit, address).catch((error: unknown) => {
    if (isTransferred(error)) return undefined;
    throw error;
  });
  return ticket ? pageOf(ticket, { visit, address, again }) : transferredPage(visit);
}

async function pageOf(ticket: HeldTicket, { visit, address, again }: Options): Promise<PageResponse> {
  const { refusal } = again;
  const { title, event, provider } = ticket;
  const shown = await eventOf(visit, ticket);
  const options = { visit, address, again };
  const heading = event?.title ?? title;
  const wallet = await walletLinks(ticket, options);
  const main = html`<article class="ticket-page">
${errorSummary(refusal.errors, visit)}
<h1${provider === 'rsvp' && html` data-order="${[heading, whenOf(ticket, visit), ticket.full_name].filter(Boolean).join(', ')}"`}>${heading}</h1>
${event && statusBanner(event, visit)}
${codeOf(ticket, options)}
${factsOf(ticket, shown, visit)}
${passDates(ticket, visit)}
${provider === 'rsvp' && answerForm(ticket, options)}
${ticket.security_code !== undefined && acts(ticket, { ...options, isPublic: shown !== undefined, wallet })}
</article>`;
  return personal(visit, { title: heading, main, kind: 'ticket', refusal });
}

interface Options {
  visit: Visit;
  address: TicketAddress;
  again: FormAgain;
}

function codeOf(ticket: HeldTicket, { visit, address }: Options): Html {
  const { t } = visit;
  const { security_code, full_name } = ticket;
  const state = stateOf(ticket);
  if (security_code === undefined) return notice(state.kind, state.textIn(visit));
  return html`${unpaidNotice(ticket, visit)}<figure class="code-box" data-awake><img class="code" src="${pathOf(address)}code.png" width="600" height="600" alt="${t('ticket.code_of', { name: full_name ?? '' })}">
<figcaption class="code-text">${security_code}</figcaption></figure>`;
}

/** Amount to be paid at the door, and until when the place is kept. */
function unpaidNotice({ unpaid }: HeldTicket, visit: Visit): Html | undefined {
  if (!unpaid) return undefined;
  const { t } = visit;
  const until = validUntil(visit, unpaid.expires_utc);
  return html`<div class="notice warn"><p><strong>${unpaidOrderText(unpaid, visit)}</strong>${until && html`<br>${until}`}</p>
<p>${t('ticket.pay_at_door')}</p></div>`;
}

/** Date of the ticket's event, with its time zone. */
export function whenOf({ event }: Pick<HeldTicket, 'event'>, { dates }: Pick<Visit, 'dates'>): string | undefined {
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
${event && html`<div><dt>${t('event.when')}</dt><dd>${whenOf(ticket, visit)}${otherDate(event, visit)}</dd></div>`}
${shown && venuesOf(shown).map((venue) => html`<div><dt>${t('ticket.where')}</dt><dd><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).map((line) => html`<br>${line}`)}</dd></div>`)}
${event?.online_url !== undefined && html`<div><dt>${t('event.online')}</dt><dd>${onlineLink(event.online_url, t('event.online_join'))}</dd></div>`}
${shown && html`<div><dt>${t('ticket.event')}</dt><dd><a href="${link(shown.url)}">${shown.title}</a></dd></div>`}
<div><dt>${t('ticket.state')}</dt><dd><span class="badge ${state.kind}">${state.textIn(visit)}</span></dd></div></dl>`;
}

/** Dates of a series pass, with which of them are used. */
function passDates({ pass }: HeldTicket, visit: Visit): Html | undefined {
  if (!pass?.dates) return undefined;
  const { t, dates, link } = visit;
  return html`<section><h2>${t('pass.heading')}</h2>
<ol class="pass-dates">${pass.dates.map(
    (date) =>
      html`<li><a href="${link(date.event.url)}">${dates.range(date.event.start_date, date.event.end_date, date.event.all_day)}</a>${dateState(date, visit)}</li>`,
  )}</ol></section>`;
}

function dateState(date: PassDate, { t, now }: Visit): Html | undefined {
  const isOff = isEventOff(date);
  if (isOff || date.status === 'trash')
    return html` <span class="badge bad">${t(isOff ? 'ticket.event_cancelled' : 'ticket.cancelled')}</span>`;
  if (date.checked_in) return html` <span class="badge info">${t('ticket.used')}</span>`;
  const isOver = fromUtc(date.event.utc_end_date) <= now;
  return isOver ? html` <span class="badge plain">${t('pass.missed')}</span>` : undefined;
}

type PassDate = NonNullable<NonNullable<HeldTicket['pass']>['dates']>[number];

/** Form to change an RSVP, unless its ticket is cancelled or used, or its event does not take place. */
function answerForm(ticket: HeldTicket, { visit, address }: Options) {
  const { admits, status, checked_in } = ticket;
  const { t, link } = visit;
  if (status !== 'publish' || checked_in || isEventOff(ticket)) return undefined;
  const answer = admits ? 'no' : 'yes';
  const companions = companionsOf(ticket, answer);
  return html`<form method="post" action="${link(`${pathOf(address)}reply/`)}">${companions.length > 0 ? scopes(ticket, companions, visit) : html`<input type="hidden" name="scope" value="place">`}
<p><button id="answer" name="answer" value="${answer}" class="quiet">${t(`reply.change_${answer}`)}</button></p></form>`;
}

type Companion = NonNullable<HeldTicket['companions']>[number];

/** The others of an RSVP whose answer would change to this one. */
export const companionsOf = ({ companions = [] }: HeldTicket, answer: string): Companion[] =>
  companions.filter(({ attendee_status, checked_in }) => attendee_status !== answer && !checked_in);

/** Question for whom the holder of the first ticket answers, with the names of the others. Neither is chosen. */
function scopes({ full_name = '' }: HeldTicket, companions: readonly Companion[], { t }: Visit): Html {
  const names = [...new Set(companions.map((one) => one.full_name))].filter((name) => name !== full_name);
  const choice = (value: string, words: Html) =>
    html`<p class="field check"><label><input type="radio" name="scope" value="${value}" required> ${words}</label></p>`;
  return html`<fieldset id="scope"><legend>${t('reply.for_whom')}</legend>
${choice('place', html`${t('reply.for_one')} <bdi class="hint">${full_name}</bdi>`)}
${choice('reply', html`${t('reply.for_all', { count: companions.length })}${names.length > 0 && html` <bdi class="hint">${names.join(', ')}</bdi>`}`)}</fieldset>`;
}

type ActOptions = Options & { isPublic: boolean; wallet: Html | undefined };

/** Actions of the holder on a ticket with a code. */
function acts(ticket: HeldTicket, options: ActOptions): Html {
  const { visit, address, isPublic, wallet } = options;
  const { t, link } = visit;
  const path = pathOf(address);
  return html`<p class="acts"><a class="button" href="${link(`${path}ticket.png`)}" download="ticket-${ticket.id}.png">${t('ticket.save')}</a> <a href="${link(`${path}ticket.pdf`)}">${t('paper.ticket')}</a>${isPublic && html` <a href="${link(`${path}ical/`)}">${t('calendar.add')}</a>`}</p>
${wallet}
${!ticket.checked_in && renameForm(ticket, options)}
${!ticket.checked_in && ticket.admits && transferForm(options)}`;
}

/** Links that add the ticket to the wallet of a phone, if the site is set up for it. */
async function walletLinks({ security_code }: HeldTicket, { visit, address }: Options): Promise<Html | undefined> {
  const { t, link, wallets } = visit;
  if (security_code === undefined || !(wallets.apple || wallets.google)) return undefined;
  const google = wallets.google ? await googleLink(visit, address) : undefined;
  return html`<p class="acts">${wallets.apple && html`<a class="button quiet" href="${link(`${pathOf(address)}ticket.pkpass`)}">${t('wallet.apple')}</a>`} ${google !== undefined && html`<a class="button quiet" rel="noopener noreferrer nofollow" href="${google}">${t('wallet.google')}</a>`}</p>`;
}

/** Address at Google; undefined if the key of the site cannot be used. */
async function googleLink({ ask }: Visit, { id, token }: TicketAddress): Promise<string | undefined> {
  try {
    return (await ask('held_tickets.google_wallet', { id }, { 'x-ticket-token': token })).url;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Typed values of a refused form; undefined for the others. */
const typedIn = ({ again }: Options, form: TicketForm): Form | undefined =>
  again.form.sent === form ? again.form : undefined;

function renameForm({ full_name }: HeldTicket, options: ActOptions): Html {
  const { t, link } = options.visit;
  const typed = typedIn(options, 'rename');
  return html`<details${typed && html` open`}><summary>${t('ticket.rename')}</summary><form method="post" action="${link(pathOf(options.address))}">
${textField({ name: 'full_name', label: t('ticket.name'), value: typed?.full_name ?? full_name, maxLength: MAX_NAME, isRequired: true })}<button>${t('form.save')}</button></form></details>`;
}

function transferForm(options: ActOptions): Html {
  const { t, link, newKey } = options.visit;
  const typed = typedIn(options, 'transfer');
  return html`<details${typed && html` open`}><summary>${t('ticket.transfer')}</summary><p class="hint">${t('ticket.transfer_text')}</p><form method="post" action="${link(`${pathOf(options.address)}transfer/`)}">
<input type="hidden" name="key" value="${typed?.key ?? newKey()}">
${textField({ name: 'full_name', id: 'transfer-name', label: t('ticket.new_holder'), value: typed?.full_name, maxLength: MAX_NAME, isRequired: true, autocomplete: 'off' })}
${textField({ name: 'email', id: 'transfer-email', label: t('ticket.new_email'), value: typed?.email, type: 'email', maxLength: 254, isRequired: true, autocomplete: 'off' })}<button>${t('ticket.transfer_act')}</button></form></details>`;
}

/** Page at the former address of a transferred ticket, and behind its former code. */
export function transferredPage(visit: Visit): PageResponse {
  const { t } = visit;
  const main = html`<h1>${t('transfer.former_heading')}</h1>\n<p class="lead">${t('transfer.former')}</p>`;
  const refusal = { status: 410, errors: [{ message: t('transfer.former') }] };
  return personal(visit, { title: t('transfer.former_heading'), main, kind: 'ticket', refusal });
}

/**
 * Page behind the code of a ticket, which any camera opens: event, date, and whether the ticket is valid. The code opens
 * the door only, so the page has neither the name nor actions.
 */
export async function codePage(visit: Visit, { id, code }: { id: string; code: string }): Promise<PageResponse> {
  const { t } = visit;
  const read = visit.ask('held_tickets.read', { id, security_code: code });
  const ticket = await orNotFound(read).catch((error: unknown) => {
    if (isTransferred(error)) return undefined;
    throw error;
  });
  if (!ticket) return transferredPage(visit);
  const { event, title, status, admits, checked_in } = ticket;
  const state = stateOf(ticket);
  const isKnown = checked_in || admits || status !== 'publish' || ticket.provider === 'tc';
  const heading = event?.title ?? title;
  const when = whenOf(ticket, visit);
  const main = html`<article class="ticket-page"><h1>${heading}</h1>
${when && html`<p class="lead">${when}</p>`}
${event && statusBanner(event, visit)}
${isKnown ? notice(state.kind, state.textIn(visit)) : notice('bad', t('ticket.void'))}
<p>${t('ticket.code_only')}</p></article>`;
  return personal(visit, { title: heading, main, kind: 'ticket' });
}

/**
 * Image of the QR code, for scanning at the door.
 * @throws {NotFound} also for a wrong token
 */
export async function codePicture(visit: Visit, address: TicketAddress): Promise<File> {
  const { id, security_code } = await readTicket(visit, address);
  if (security_code === undefined) throw new NotFound();
  const picture = await orNotFound(visit.askFile('qr.read', { id, security_code }, { accept: 'image/png' }));
  if (!picture) throw new NotFound();
  return { ...picture, isPersonal: true };
}
