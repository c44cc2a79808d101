import { fromUtc } from '../../lib/dates/local-time.ts';
import { badges, otherDate } from '../cards/event-status.ts';
import { addressLines, onlineLink, venuesOf } from '../cards/place.ts';
import { priceInWords } from '../cards/price.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import type { CustomerOrder, HeldTicket } from '../frame/responses.ts';
import { type SentForm, sentForm, showAgain } from '../frame/sent-form.ts';
import type { Visit } from '../frame/visit.ts';
import { MAX_NAME } from './checkout.ts';
import { invoiceTitle } from './invoice.ts';
import { type OrderAddress, pathOf, readOrder } from './order-address.ts';
import { cancellableText } from './order-cancel.ts';
import { lookOf, nextLook, payPath, progressOf, receipt, refreshHead } from './order-payment.ts';
import { orderPriceLines } from './price-lines.ts';
import { whenOf } from './ticket.ts';
import { eventOf } from './ticket-address.ts';
import { isEventOff, stateOf, statusBanners } from './ticket-state.ts';

/** Order with its tickets, for anyone with the link. */
export async function orderPage(
  visit: Visit,
  address: OrderAddress,
  again: SentForm = sentForm(visit),
): Promise<PageResponse> {
  const { t, link, canMail } = visit;
  const { refusal } = again;
  const order = await currentOrder(visit, address);
  const price = ({ minor }: { minor: number }) => priceInWords(minor, visit, order.currency);
  const heading = t('order.heading', { id: order.number ?? String(order.id) });
  const held = heldTickets(order.attendees, visit);
  const places = await placesOf(visit, held);
  const tickets = held.map(
    (ticket) =>
      html`<li>${heldTicket(ticket, visit, { place: ticket.event && places.get(ticket.event.id), dates: datesOf(ticket, order) })}</li>`,
  );
  const main = html`<h1 data-order="${nameOf(order, heading, visit)}"${payData(order, visit, address)}>${heading}</h1>
${errorSummary(refusal.errors, visit)}
${statusBanners(held, visit)}
${await progressOf(order, visit, address)}
<table class="cart"><thead><tr><th scope="col">${t('cart.ticket')}</th><th scope="col">${t('cart.quantity')}</th><th scope="col" class="amount">${t('cart.subtotal')}</th></tr></thead>
<tbody>${itemRows(order, visit).map((item) => html`<tr><td>${item.title}</td><td>${item.quantity}</td><td class="amount">${price(item)}</td></tr>`)}</tbody>
<tfoot>${orderPriceLines(order, visit).map(({ name, amount, isNote }) => html`<tr${isNote && html` class="price-note"`}><th scope="row" colspan="2">${name}</th><td class="amount">${amount}</td></tr>`)}</tfoot></table>
${receipt(order, visit)}
${invoices(order, visit)}
${tickets.length > 0 && html`<section><h2>${t('order.tickets')}</h2>\n${hasCodes(held) && html`<p class="acts"><a class="button quiet" href="${link(`${pathOf(address)}tickets.pdf`)}">${t('paper.tickets')}</a></p>`}<ol class="tickets-held">${tickets}</ol></section>`}
${names(order, { visit, address, again })}
<section><h2>${t('order.keep')}</h2><p>${t('order.keep_text')}${canMail && html` ${t('order.keep_mail', { email: order.purchaser.email })} <a href="${link('/my-tickets/')}">${t('mine.heading')}</a>`}</p>
<p class="acts"><button class="quiet" data-copy="${order.url}" hidden>${t('share.copy')}</button> <button class="quiet" data-print hidden>${t('order.print')}</button></p></section>
${order.may_cancel && html`<p>${cancellableText(order, visit)} <a href="${link(`${pathOf(address)}cancel/`)}">${t('order.cancel')}</a></p>`}`;
  const head = refreshHead(nextLook(order, visit, address));
  return { ...personal(visit, { title: heading, main, kind: 'order', refusal }), ...(head && { head }) };
}

const hasCodes = (held: readonly HeldTicket[]): boolean =>
  held.some(({ status, security_code }) => status === 'publish' && security_code !== undefined);

/** Links to the invoices and credit notes. */
const invoices = ({ invoices: documents }: CustomerOrder, visit: Visit): Html | undefined =>
  documents.length === 0
    ? undefined
    : html`<section><h2>${visit.t('invoice.heading')}</h2>
<ul>${documents.map((document) => html`<li><a href="${visit.link(document.url)}">${invoiceTitle(document, visit)}</a> (<a href="${visit.link(`${document.url}invoice.pdf`)}" aria-label="${invoiceTitle(document, visit)} ${visit.t('paper.document')}">${visit.t('paper.document')}</a>)</li>`)}</ul></section>`;

/** Order, after the payment service was asked for its payment if the customer comes from there. */
async function currentOrder(visit: Visit, address: OrderAddress): Promise<CustomerOrder> {
  const order = await readOrder(visit, address);
  if (lookOf(visit) === 0 || order.payment_status === null) return order;
  const checked = await visit.submit('buyers_orders.check_payment', {
    id: address.id,
    body: {},
    // Customers come from the site of the payment service.
    headers: { 'X-Order-Token': address.token, Origin: visit.origin },
  });
  return checked.isDone ? checked.body : order;
}

/** Where an unpaid order is paid, and until when, for My tickets. */
const payData = ({ pay_url, expires_utc }: CustomerOrder, { link }: Visit, address: OrderAddress): Html | undefined =>
  pay_url === null
    ? undefined
    : html` data-pay="${link(payPath(address))}" data-until="${expires_utc === null ? '' : fromUtc(expires_utc).toISOString()}"`;

interface ItemRow {
  title: string;
  quantity: number;
  minor: number;
}

/**
 * The lines of an order; a series pass is one, whatever its number of dates. The places of a ticket may differ in price by
 * a minor unit of tax.
 */
export function itemRows({ items }: CustomerOrder, { t }: Pick<Visit, 't'>): ItemRow[] {
  const groups = Map.groupBy(items, ({ ticket_id, pass, price }) => pass?.ticket_id ?? `${ticket_id} ${price.minor}`);
  return [...groups.values()].flatMap((lines) => {
    const [first] = lines;
    if (!first) return [];
    const minor = lines.reduce((sum, { subtotal }) => sum + subtotal.minor, 0);
    const dates = [...Map.groupBy(lines, ({ ticket_id }) => ticket_id).values()];
    const quantity = Math.max(...dates.map((date) => date.reduce((sum, line) => sum + line.quantity, 0)));
    const scope = first.pass ? ` (${t('pass.dates', { count: dates.length })})` : '';
    return [{ title: `${first.title}${scope}`, quantity, minor }];
  });
}

/** The tickets of an order; of a series pass the next date, which has the code of all. */
function heldTickets(attendees: readonly HeldTicket[], { now }: Visit): HeldTicket[] {
  const time = now.toISOString().slice(0, 19).replace('T', ' ');
  const groups = Map.groupBy(attendees, ({ id, pass }) => pass?.id ?? id);
  return [...groups.values()].flatMap((dates) => {
    const open = dates.filter(({ status }) => status === 'publish');
    const next = open.find(({ event }) => event !== null && event.utc_end_date > time);
    return next ?? open.at(-1) ?? dates[0] ?? [];
  });
}

/** Number of dates of the pass that a ticket belongs to; 0 without one. */
const datesOf = ({ pass }: HeldTicket, { attendees }: CustomerOrder): number =>
  pass === undefined ? 0 : attendees.filter((one) => one.pass?.id === pass.id && one.status === 'publish').length;

/** Name of an order in My tickets: its events, the first date and its number. */
function nameOf({ attendees }: CustomerOrder, heading: string, { dates }: Visit): string {
  const titles = new Set(attendees.flatMap(({ event }) => event?.title ?? []));
  const [first] = attendees.flatMap(({ event }) => event ?? []);
  const when = first && dates.range(first.start_date, first.end_date, first.all_day);
  return [...titles, when, heading].filter(Boolean).join(', ');
}

/** Venue and address of each event of an order that visitors may see. */
export async function placesOf(visit: Visit, tickets: readonly HeldTicket[]): Promise<ReadonlyMap<number, string>> {
  const byEvent = new Map(tickets.flatMap((ticket) => (ticket.event ? [[ticket.event.id, ticket] as const] : [])));
  const events = await Promise.all([...byEvent.values()].map((ticket) => eventOf(visit, ticket)));
  return new Map(
    events.flatMap((event) => {
      const [venue] = event ? venuesOf(event) : [];
      return event && venue ? [[event.id, [venue.venue, ...addressLines(venue)].join(', ')] as const] : [];
    }),
  );
}

interface Card {
  /** Venue and address. */
  place?: string | null;
  /** Number of dates of a series pass. */
  dates?: number;
}

/** Card of a ticket with its code. */
export function heldTicket(ticket: HeldTicket, visit: Visit, { place, dates = 0 }: Card): Html {
  const { t, link } = visit;
  const { title, full_name = '', event, url } = ticket;
  return html`<article class="ticket-held"><h3 dir="auto">${full_name}</h3><p dir="auto">${title}${dates > 0 && html` (${t('pass.dates', { count: dates })})`}</p>
${event && html`<p><a dir="auto" href="${link(event.url)}">${event.title}</a>, ${whenOf(ticket, visit)}${place && html`<br>${place}`}</p>${otherDate(event, visit)}`}
${event?.online_url !== undefined && html`<p>${t('event.online')}: ${onlineLink(event.online_url, t('event.online_join'))}</p>`}
<p><span class="badge ${stateOf(ticket).kind}">${stateOf(ticket).textIn(visit)}</span>${event && !isEventOff(ticket) && html` ${badges(event, visit)}`}</p>
${
  url !== undefined &&
  html`<p><img class="code" src="${new URL(url).pathname}code.png" width="200" height="200" alt="${t('ticket.code_of', { name: full_name })}"></p>
<p class="acts"><a class="button" href="${link(url)}">${t('order.open')}</a>${visit.wallets.apple && html` <a href="${link(`${new URL(url).pathname}ticket.pkpass`)}">${t('wallet.apple')}</a>`}${event && !isEventOff(ticket) && html` <a href="${link(`${new URL(url).pathname}ical/`)}">${t('calendar.add')}</a>`}</p>`
}</article>`;
}

interface NamesOptions {
  visit: Visit;
  address: OrderAddress;
  again: SentForm;
}

const nameField = (id: number): string => `name-${id}`;

/** Form to change the names on the tickets and the customer's address. */
function names(
  { attendees, purchaser, status }: CustomerOrder,
  { visit, address, again: { form, refusal } }: NamesOptions,
): Html | undefined {
  const { t, link } = visit;
  const own = heldTickets(attendees, visit).filter(
    ({ status, checked_in, transferred_utc }) => status === 'publish' && !checked_in && transferred_utc === undefined,
  );
  if (own.length === 0 || status === 'voided') return undefined;
  const value = (name: string, present: string) => form[name] ?? present;
  return html`<details${refusal.errors.length > 0 && html` open`}><summary>${t('order.change')}</summary>
<form method="post" action="${link(pathOf(address))}">
${textField({ name: 'email', label: t('checkout.email'), value: value('email', purchaser.email), type: 'email', autocomplete: 'email', maxLength: 254, isRequired: true })}
${own.map(({ id, title, full_name = '' }, index) => textField({ name: nameField(id), label: `${title} ${index + 1}`, value: value(nameField(id), full_name), maxLength: MAX_NAME, isRequired: true, autocomplete: 'off' }))}
<button>${t('form.save')}</button></form></details>`;
}

/** Changes names and the customer's address. */
export async function postOrder(visit: Visit, address: OrderAddress, form: Form): Promise<PageResponse> {
  await readOrder(visit, address);
  const attendees = Object.entries(form).flatMap(([name, full_name]) => {
    const [, id] = /^name-(\d{1,15})$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id: Number(id), full_name }];
  });
  const submitted = await visit.submit('buyers_orders.update', {
    id: address.id,
    body: { ...(form.email !== undefined && { purchaser: { email: form.email } }), attendees },
    headers: { 'X-Order-Token': address.token },
  });
  if (submitted.isDone) return seeOther(visit.link(pathOf(address)));
  const sent = { form, refusal: refusalIn(submitted, attendees, visit) };
  return showAgain(visit, { ...sent, path: pathOf(address), page: () => orderPage(visit, address, sent) });
}

function refusalIn(
  refused: Parameters<typeof refusalOf>[0],
  attendees: readonly { id: number; full_name: string }[],
  { t }: Visit,
): Refusal {
  const params = refusedParams(refused);
  if (params.includes('purchaser')) return refusalOf(refused, { message: t('reply.wrong_email'), field: 'email' });
  if (!params.includes('attendees')) return refusalOf(refused);
  const wrong = attendees.find(({ full_name }) => full_name === '' || full_name.length > MAX_NAME) ?? attendees[0];
  return refusalOf(refused, { message: t('reply.wrong_name'), field: wrong && nameField(wrong.id) });
}
