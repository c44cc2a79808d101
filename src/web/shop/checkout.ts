import { periodOf } from '../cards/event-card.ts';
import { placeLine } from '../cards/place.ts';
import { priceInWords } from '../cards/price.ts';
import { textArea, textField, trap } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { type Page, type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { Refusal } from '../frame/refusal.ts';
import type { PaymentWay } from '../frame/responses.ts';
import { type SentForm, sentForm } from '../frame/sent-form.ts';
import { siteTextPath } from '../frame/site-text.ts';
import type { Visit } from '../frame/visit.ts';
import { heldUntil } from './cart.ts';
import { type CartContent, readCart } from './cart-content.ts';
import { type Places, placesText, readPlaces } from './cart-cookies.ts';
import { findLost, type LostPlaces, lostPlaces, placesLeft } from './cart-recovery.ts';
import { availableWays, isOnline } from './order-payment.ts';
import { priceLines } from './price-lines.ts';

export const MAX_NAME = 200;
const MAX_EMAIL = 254;

/** Checkout of the cart, on one page. */
export async function checkoutPage(visit: Visit, sent: SentForm = sentForm(visit)): Promise<PageResponse> {
  const content = await readCart(visit);
  if (content.cart.tickets.length > 0) return checkoutForm(visit, content, sent);
  const lost = await findLost(visit, readPlaces(sent.form.places));
  return lost.length > 0 ? recoveryForm(visit, lost, sent) : seeOther(visit.link('/cart/'));
}

async function checkoutForm(visit: Visit, { cart, events }: CartContent, { form, refusal }: SentForm): Promise<Page> {
  const { t, link } = visit;
  const total = cart.totals?.total;
  const isFree = total?.minor === 0;
  const { invoices: hasInvoices } = await visit.ask('site.read');
  const main = html`<h1>${t('checkout.heading')}</h1>
${errorSummary(refusal.errors, visit)}
${heldUntil(cart, visit)}
<form method="post" action="${link('/checkout/')}" class="checkout">
<input type="hidden" name="key" value="${form.key ?? visit.newKey()}">
<input type="hidden" name="places" value="${placesText(cart.tickets)}">
<input type="hidden" name="total" value="${total?.minor}">
<div class="checkout-fields">
${customerFields(form, visit)}
${holderFields(cart.tickets, { visit, form })}
<p class="field check"><label><input type="checkbox" name="show" value="1"${form.show === '1' && html` checked`}> ${t('checkout.show')}</label></p>
${!isFree && hasInvoices && billing(form, refusal, visit)}
${!isFree && payment(await availableWays(visit), { visit, form })}
${trap}
</div>
<section class="summary"><h2>${t('checkout.summary')}</h2>
${chosen({ cart, events }, visit)}
${priceLines(cart.totals, visit).map(({ name, amount, isNote }) => html`<p class="total${isNote && ' price-note'}">${name} <strong class="amount">${amount}</strong></p>`)}
${terms({ visit, form })}
<button>${isFree ? t('checkout.order_free') : orderButton(total ? priceInWords(total.minor, visit) : '', visit)}</button>
<p class="acts"><button class="quiet" name="take" value="${placesText(cart.tickets)}" formnovalidate>${t('cart.keep')}</button> <a href="${link('/cart/')}">${t('checkout.back')}</a></p></section>
</form>`;
  return personal(visit, { title: t('checkout.heading'), main, kind: 'checkout', refusal });
}

/** Action of the button; the style sheet shows the one of the chosen payment method. */
const orderButton = (total: string, { t }: Visit): Html =>
  html`<span class="if-offline">${t('checkout.order', { total })}</span><span class="if-online">${t('checkout.pay', { total })}</span>`;

/** Tickets of the cart by event, with its date and place. */
const chosen = ({ cart, events }: CartContent, visit: Visit): Html[] =>
  [...Map.groupBy(cart.tickets, ({ post_id }) => post_id)].map(([id, tickets]) => {
    const event = events.get(id);
    const place = event && placeLine(event, visit);
    return html`${
      event &&
      html`<h3 dir="auto">${event.title}</h3>
${tickets.some(({ pass }) => !pass) && html`<p class="hint">${periodOf(event, visit)}${place && html`<br>${place}`}</p>`}`
    }
<ul>${tickets.map(({ quantity, title, subtotal, pass }) => html`<li><span dir="auto">${quantity} × ${title}</span>${pass && html` (${visit.t('pass.dates', { count: pass.dates })})`} <span class="amount">${priceInWords(subtotal.minor, visit)}</span></li>`)}</ul>`;
  });

/** Replaces the checkout after the hold expired: takes the remaining places and preserves the typed values. */
function recoveryForm(visit: Visit, lost: readonly LostPlaces[], { form, refusal }: SentForm): Page {
  const { t, link } = visit;
  const left = placesLeft(lost);
  const typed = Object.entries(form).filter(([name]) => name !== 'take' && name !== 'total');
  const main = html`<h1>${t('checkout.heading')}</h1>
${lostPlaces(lost, { visit, isRefused: refusal.errors.length > 0 })}
${
  left.length > 0
    ? html`<form method="post" action="${link('/checkout/')}">
${typed.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button name="take" value="${placesText(left)}">${t('cart.take_again')}</button></form>`
    : html`<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`
}`;
  return personal(visit, { title: t('checkout.heading'), main, kind: 'checkout', refusal });
}

interface FormContext {
  visit: Visit;
  form: Form;
}

const customerFields = (form: Form, { t }: Visit): Html => html`<fieldset><legend>${t('checkout.buyer')}</legend>
${textField({ name: 'name', label: t('checkout.name'), value: form.name, autocomplete: 'name', isRequired: true, maxLength: MAX_NAME })}
${textField({ name: 'email', label: t('checkout.email'), value: form.email, type: 'email', autocomplete: 'email', isRequired: true, maxLength: MAX_EMAIL })}
</fieldset>`;

const BILLING = ['company', 'vat_number', 'address'] as const;

/** Data of a company for the invoice. */
function billing(form: Form, { errors }: Refusal, { t }: Visit): Html {
  const isOpen = BILLING.some((name) => form[name] || errors.some(({ field }) => field === name));
  return html`<details class="guests"${isOpen && html` open`}><summary>${t('checkout.billing')}</summary>
${textField({ name: 'company', label: t('checkout.company'), value: form.company, autocomplete: 'organization', maxLength: 200 })}
${textField({ name: 'vat_number', label: t('invoice.vat_number'), value: form.vat_number, autocomplete: 'off', maxLength: 50 })}
${textArea({ name: 'address', label: t('checkout.billing_address'), value: form.address, autocomplete: 'street-address', maxLength: 500 })}</details>`;
}

/** Data for the invoice in a form; undefined if there are none. */
export function billingIn(form: Form): Record<string, string> | undefined {
  const typed = BILLING.flatMap((name) => (form[name]?.trim() ? [[name, form[name]]] : []));
  return typed.length > 0 ? Object.fromEntries(typed) : undefined;
}

/** Field for the name on a place of a ticket, counted from 1. */
export const holderField = (ticketId: number, place: number): string => `guest-${ticketId}-${place}`;

/** Name fields for each place; empty ones get the customer's name. */
function holderFields(tickets: readonly (Places & { title: string })[], { visit: { t }, form }: FormContext) {
  const places = tickets.flatMap(({ ticket_id, quantity, title }) =>
    Array.from({ length: quantity }, (_, index) => ({
      name: holderField(ticket_id, index + 1),
      title,
      number: index + 1,
    })),
  );
  if (places.length < 2) return undefined;
  return html`<details class="guests"${places.some(({ name }) => form[name]) && html` open`}><summary>${t('checkout.guests')}</summary>
<p class="hint">${t('checkout.guests_hint')}</p>
${places.map(({ name, title, number }) => textField({ name, label: `${title} ${number}`, value: form[name], maxLength: MAX_NAME, autocomplete: 'off' }))}</details>`;
}

function payment(ways: readonly PaymentWay[], { visit: { t }, form }: FormContext): Html {
  if (ways.length === 0) return html`<p class="notice info">${t('checkout.unpaid')}</p>`;
  return html`<fieldset id="payment"><legend>${t('checkout.payment')}</legend>
${ways.map((way, index) => {
  const text = way.text || (isOnline(way) ? t('checkout.online') : '');
  return html`<div class="field check"><label><input type="radio" name="payment" value="${way.id}" required${isOnline(way) && html` data-online`}${text !== '' && html` aria-describedby="way-${index}"`}${(form.payment ?? ways[0]?.id) === way.id && html` checked`}> ${way.name}</label>
${text !== '' && html`<p class="hint" id="way-${index}">${text}</p>`}</div>`;
})}</fieldset>`;
}

/** Terms of the site, if any. */
const terms = ({ visit: { t, link, site }, form }: FormContext): Html | undefined =>
  site?.terms
    ? html`<p class="field check"><label><input type="checkbox" id="terms" name="terms" value="1" required${form.terms === '1' && html` checked`}> ${t('checkout.accept')}</label>
<a href="${link(siteTextPath('terms'))}" target="_blank">${t('checkout.terms')}</a></p>`
    : undefined;
