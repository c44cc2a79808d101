import { fromUtc } from '../../lib/dates/local-time.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { donationInput, priceField, priceInput, readSuggested, readTyped } from '../cards/chosen-price.ts';
import { periodOf } from '../cards/event-card.ts';
import { priceInWords } from '../cards/price.ts';
import { mostPerOrderOf } from '../cards/sale.ts';
import { eventPage } from '../event/event.ts';
import { codeField, codeOf, codeForm as enterCode } from '../event/promotion-code.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, type FormError, notice } from '../frame/notice.ts';
import { type Page, type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal, refusalOf } from '../frame/refusal.ts';
import type { Cart, Event } from '../frame/responses.ts';
import { type SentForm, sentForm, showAgain } from '../frame/sent-form.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type CartContent, readCart } from './cart-content.ts';
import {
  cartCookies,
  cartPassword,
  type Places,
  passwordCookies,
  placesText,
  readPlaces,
  wantedPlaces,
} from './cart-cookies.ts';
import { findLost, lostPlaces, placesLeft } from './cart-recovery.ts';
import { closedNotice, openedTickets } from './opened-tickets.ts';
import { lastOrder, orderAddressAt, readOrder } from './order-address.ts';
import { priceLines } from './price-lines.ts';

/** Cart of this visitor. */
export async function cartPage(visit: Visit, sent: SentForm = sentForm(visit)): Promise<Page> {
  const { t } = visit;
  const { form, refusal, notice: told } = sent;
  const content = await readCart(visit);
  const { cart } = content;
  const isEmpty = cart.tickets.length === 0;
  const opened = await openedTickets(visit, cart, sent);
  const errors = [...refusal.errors, ...opened.refusal.errors];
  // Only existing fields are linked.
  const fields = new Set([
    ...cart.tickets.flatMap(({ ticket_id: id }) => [fieldOf(id), priceField(id)]),
    ...(cart.promotion ? [] : ['code']),
    ...(visit.site?.accepts_donations && !isEmpty ? ['donation'] : []),
  ]);
  const linked = errors.map(({ message, field = '' }) => (fields.has(field) ? { message, field } : { message }));
  const main = html`<h1>${t('cart.heading')}</h1>
${told !== undefined && notice('warn', told)}
${
  isEmpty
    ? html`${await withoutItems(visit, sent, linked)}
${enterCode('/cart/', codeOf(visit, form), visit)}`
    : html`${errorSummary(linked, visit)}
${items(content, { visit, form })}
${codeForm(cart, { visit, form })}`
}
${opened.list}`;
  const shown = refusal.errors.length > 0 ? refusal : opened.refusal;
  return personal(visit, { title: t('cart.heading'), kind: 'cart', refusal: shown, main });
}

/** Empty or expired cart, with the places that are still available. */
async function withoutItems(visit: Visit, { form, refusal }: SentForm, errors: readonly FormError[]): Promise<Html> {
  const { t, link } = visit;
  const wanted = placesIn(form).filter(({ quantity }) => quantity > 0);
  const lost = await findLost(visit, wanted.length > 0 ? wanted : wantedPlaces(visit));
  const onward = html`<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  if (lost.length === 0) {
    const order = lastOrder(visit);
    const payUrl = await unpaidAt(visit, order);
    return html`${errorSummary(errors, visit)}
<p class="empty">${t('cart.empty')}</p>
${order !== undefined && html`<p><a href="${link(order)}">${t('cart.last_order')}</a>${payUrl !== undefined && html` – ${t('order.pending')} <a href="${link(payUrl)}">${t('pay.now')}</a>`}</p>`}
${onward}`;
  }
  const left = placesLeft(lost);
  const isRefused = refusal.errors.length > 0;
  return html`${!isRefused && errorSummary(errors, visit)}
${lostPlaces(lost, { visit, isRefused })}
${
  left.length > 0
    ? html`<form method="post" action="${link('/cart/')}">${left.map(({ ticket_id, quantity }) => html`<input type="hidden" name="${fieldOf(ticket_id)}" value="${quantity}">`)}
<button name="next" value="checkout">${t('cart.take_again')}</button></form>`
    : onward
}`;
}

/** Where the last order is paid; undefined if it is not to be paid online. */
async function unpaidAt(visit: Visit, path: string | undefined): Promise<string | undefined> {
  const address = path === undefined ? undefined : orderAddressAt(path);
  if (!address) return undefined;
  const order = await readOrder(visit, address).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  return order?.pay_url ?? undefined;
}

interface Shown {
  visit: Visit;
  form: Form;
}

/** The first submit button handles Enter, so it must save the quantities. */
function items({ cart, events }: CartContent, { visit, form }: Shown): Html {
  const { t, link } = visit;
  return html`<form method="post" action="${link('/cart/')}" class="cart">
<div class="held">${heldUntil(cart, visit)}<button class="quiet" name="update" value="1">${t('cart.keep')}</button></div>
<table><thead><tr><th scope="col">${t('cart.ticket')}</th><th scope="col">${t('cart.quantity')}</th><th scope="col" class="amount">${t('cart.subtotal')}</th></tr></thead>
<tbody>${cart.tickets.map((item) => cartRow(item, { event: events.get(item.post_id), visit, form }))}</tbody>
<tfoot>${priceLines(cart.totals, visit).map(({ name, amount, isNote }) => html`<tr${isNote && html` class="price-note"`}><th scope="row" colspan="2">${name}</th><td class="amount">${amount}</td></tr>`)}</tfoot></table>
${donationInput(cart.totals?.donation?.minor ?? 0, form.donation, visit)}
<p class="acts"><button class="quiet" name="update" value="1">${t('cart.update')}</button> <button name="next" value="checkout">${t('cart.checkout')}</button></p>
</form>`;
}

/** Form for a promotion code, or the code of the cart with a button that removes it. */
function codeForm({ promotion }: Cart, { visit, form }: Shown): Html {
  const { t, link } = visit;
  const used =
    promotion &&
    html`<p>${t('cart.code_used', { code: promotion.code })} <button class="quiet" name="code" value="">${t('cart.code_remove')}</button></p>
${promotion.reason && html`<p class="hint">${t(`promotion.${promotion.reason}`)}${promotion.reason !== 'opens-nothing' && html` ${t('promotion.remove')}`}</p>`}`;
  return html`<form method="post" action="${link('/cart/')}">${used ?? codeField(codeOf(visit, form), visit)}</form>`;
}

type Item = Cart['tickets'][number];

const fieldOf = (ticketId: number): string => `ticket-${ticketId}`;

function cartRow(
  { ticket_id, quantity, title, price, min_price, subtotal, max_per_order, pass }: Item,
  { event, visit, form }: Shown & { event?: Event },
): Html {
  const { t, link } = visit;
  const name = fieldOf(ticket_id);
  return html`<tr><td><label for="${name}" dir="auto">${title}</label>
${event && html`<br><a dir="auto" href="${link(event.url)}">${event.title}</a>, ${pass ? t('pass.dates', { count: pass.dates }) : periodOf(event, visit)}`}
${min_price && priceInput({ id: ticket_id, title, minor: price.minor, typed: form[priceField(ticket_id)] }, visit)}</td>
<td><div class="quantity"><input type="number" id="${name}" name="${name}" min="0" max="${mostPerOrderOf({ max_per_order })}" value="${form[name] ?? quantity}" inputmode="numeric">
<button class="quiet" name="remove" value="${ticket_id}" formnovalidate>${t('cart.remove')}<span class="visually-hidden"> ${title}</span></button></div></td>
<td class="amount">${priceInWords(subtotal.minor, visit)}</td></tr>`;
}

/** End of the hold, in the time zone of the site. */
export function heldUntil({ held_until_utc }: Cart, { t, dates, localTime, zoneAt, now }: Visit): Html | undefined {
  if (held_until_utc === undefined) return undefined;
  const time = `${dates.time(localTime(held_until_utc))} ${zoneAt(held_until_utc)}`;
  const seconds = Math.round((fromUtc(held_until_utc).getTime() - now.getTime()) / 1000);
  const left = (count: number) => t('cart.minutes_left', { count });
  return html`<p class="notice info" data-seconds="${seconds}" data-at-5="${left(5)}" data-at-2="${left(2)}" data-over="${t('cart.time_over')}">${t('cart.held', { time })}</p>`;
}

const QUANTITY = /^ticket-(\d{1,15})$/;

/** A ticket of a form, as typed. */
interface Line {
  ticket_id: number;
  quantity: string;
  /** Chosen price; blank for the suggested one, undefined for a fixed one. */
  price: string | undefined;
}

/** Tickets of a form with their quantities. */
const linesIn = (form: Form): Line[] =>
  Object.entries(form).flatMap(([name, quantity]) => {
    const id = Number(QUANTITY.exec(name)?.[1] ?? Number.NaN);
    return Number.isNaN(id) ? [] : [{ ticket_id: id, quantity, price: form[priceField(id)] }];
  });

/** Amounts of a form in minor units, and the problems of unreadable ones, which stay as typed. */
interface Amounts {
  tickets: object[];
  donation: number | undefined;
  problems: FormError[];
}

function amountsIn(form: Form, lines: readonly Line[], visit: Visit): Amounts {
  const prices = lines.map((line) => ({ ...line, read: priceOf(line, visit) }));
  const isEmptied = lines.length > 0 && lines.every(({ quantity }) => quantity === '0');
  const donation = isEmptied ? undefined : donationOf(form, visit);
  const amounts = [
    ...prices.map(({ ticket_id, read }) => ({ field: priceField(ticket_id), read })),
    { field: 'donation', read: donation },
  ];
  return {
    tickets: prices.map(({ ticket_id, quantity, read }) => ({
      ticket_id,
      quantity,
      ...(read !== undefined && typeof read !== 'string' && { price: read }),
    })),
    donation: typeof donation === 'string' ? undefined : donation,
    problems: amounts.flatMap(({ field, read }) => (typeof read === 'string' ? [{ field, message: read }] : [])),
  };
}

/** Chosen price of a line in minor units, or a message; null for the suggested one, undefined for a fixed one. */
function priceOf({ price, quantity }: Line, visit: Visit): number | string | null | undefined {
  if (price === undefined || quantity === '0') return undefined;
  return price.trim() === '' ? null : readTyped(price, visit);
}

/** Donation of a form in minor units, suggested or typed, or a message; undefined without a field. */
function donationOf({ donate, donation }: Form, visit: Visit): number | string | undefined {
  if (donate !== undefined) return readSuggested(donate, visit);
  return donation?.trim() === '' ? 0 : donation && readTyped(donation, visit);
}

const placesIn = (form: Form): Places[] => readPlaces(placesText(linesIn(form).map(asPlaces)));

const asPlaces = ({ ticket_id, quantity }: Line): Places => ({
  ticket_id,
  quantity: Number(quantity),
});

/** Adds the tickets of a form to the cart, from the page of an event or the cart itself. */
export async function postCart(visit: Visit, form: Form): Promise<PageResponse> {
  const { submit, link } = visit;
  const isNew = form.event !== undefined;
  const asked = linesIn(form)
    .map((line) => (form.remove === String(line.ticket_id) ? { ...line, quantity: '0' } : line))
    .filter(({ quantity }) => !(isNew && quantity === '0'));
  if (asked.length === 0 && isNew)
    return formAgain(visit, form, { errors: [{ message: visit.t('tickets.none_chosen'), field: 'tickets' }] });
  const { tickets, donation, problems } = amountsIn(form, asked, visit);
  // A typo must not keep a ticket in the cart.
  if (problems.length > 0 && form.remove === undefined) return formAgain(visit, form, { errors: problems });
  const promotion = form.code === undefined ? {} : { promotion: form.code };
  const before = await visit.ask('cart.read');
  const submitted = await submit('cart.save', {
    body: { provider: 'tc', tickets, password: cartPassword(visit, form), donation, ...promotion },
  });
  if (!submitted.isDone) {
    const { code = '', data } = submitted.body;
    const ids = asked.map((line) => line.ticket_id);
    const about = ids.find((id) => id === data?.ticket_id) ?? ids[0];
    // For the interface, tickets that need another code have already left the cart.
    const isCodeNeeded = code === 'cart-is-empty' && before.tickets.length > 0;
    const message = isCodeNeeded ? visit.t('cart.code_needed') : undefined;
    return formAgain(visit, form, refusalOf(submitted, { field: fieldAbout(code, about), message }));
  }
  const cart = submitted.body;
  const events = new Set(cart.tickets.map(({ post_id }) => post_id));
  const isOrdered = isNew ? events.size === 1 : form.next === 'checkout' && events.size > 0;
  const cookies = [...submitted.cookies, ...cartCookies(cart, visit), ...passwordCookies(visit, form)];
  const lost = before.tickets.filter(
    ({ ticket_id: id }) => ![...cart.tickets, ...asked].some(({ ticket_id }) => ticket_id === id),
  );
  const closed = await closedNotice(visit, lost);
  if (closed !== undefined) return cartWithNotice(visit, closed, cookies);
  return { ...seeOther(link(isOrdered ? '/checkout/' : '/cart/')), cookies };
}

function cartWithNotice(visit: Visit, notice: string, cookies: readonly string[]): Promise<PageResponse> {
  const sent = { form: {}, refusal: NO_REFUSAL, notice };
  return showAgain(visit, { ...sent, path: '/cart/', page: () => cartPage(visit, sent), cookies, needsCookies: true });
}

/** Field that a refusal is about. */
function fieldAbout(code: string, ticketId: number | undefined): string {
  if (ticketId === undefined || code.startsWith('promotion-') || code === 'too_many_attempts') return 'code';
  return code === 'price-not-accepted' ? priceField(ticketId) : fieldOf(ticketId);
}

/** Submitted form with its errors, on the page of the event or in the cart. */
function formAgain(visit: Visit, form: Form, refusal: Refusal): Promise<PageResponse> {
  const { event } = form;
  const path = event === undefined ? '/cart/' : `/event/${storedSlug(event)}/`;
  const sent = { form, refusal };
  const page = async () => (event === undefined ? cartPage(visit, sent) : eventPage(visit, event, sent));
  return showAgain(visit, { ...sent, path, page, needsCookies: true });
}
