import { type Answer, type Page, seeOther } from '../frame/answer.ts';
import { textField, trap } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal } from '../frame/refusal.ts';
import type { PaymentWay } from '../frame/responses.ts';
import { siteTextPath } from '../frame/site-text.ts';
import type { Visit } from '../frame/visit.ts';
import { heldUntil } from './cart.ts';
import { type CartContent, readCart } from './cart-content.ts';
import { findLost, type LostPlaces, lostList, placesLeft } from './cart-recovery.ts';
import { type Places, placesText, readPlaces } from './places.ts';

export const MAX_NAME = 200;
const MAX_EMAIL = 254;

interface CheckoutOptions {
  /** Values typed before. */
  form?: Form;
  refusal?: Refusal;
  cookies?: readonly string[];
}

/** Checkout of the cart, on one page. */
export async function checkoutPage(visit: Visit, options: CheckoutOptions = {}): Promise<Answer> {
  const { form = {}, refusal } = options;
  const content = await readCart(visit);
  if (content.cart.tickets.length > 0) return checkoutForm(visit, content, options);
  const lost = refusal ? await findLost(visit, readPlaces(form.places)) : [];
  return lost.length > 0 ? recoveryForm(visit, lost, options) : seeOther(visit.link('/cart/'));
}

async function checkoutForm(
  visit: Visit,
  { cart, events }: CartContent,
  { form = {}, refusal = NO_REFUSAL, cookies }: CheckoutOptions,
): Promise<Page> {
  const { t, link } = visit;
  const total = cart.totals?.total;
  const isFree = total?.minor === 0;
  const main = html`<h1>${t('checkout.heading')}</h1>
${errorSummary(refusal.errors, visit)}
${heldUntil(cart, visit)}
<form method="post" action="${link('/checkout/')}" class="checkout">
<input type="hidden" name="key" value="${form.key ?? visit.newKey()}">
<input type="hidden" name="places" value="${placesText(cart.tickets)}">
<input type="hidden" name="total" value="${total?.minor}">
<div class="checkout-fields">
${buyer(form, visit)}
${guests(cart.tickets, { visit, form })}
<p class="field check"><label><input type="checkbox" name="show" value="1"${form.show === '1' && html` checked`}> ${t('checkout.show')}</label></p>
${!isFree && payment(await waysOf(visit), { visit, form })}
${trap}
</div>
<section class="summary"><h2>${t('checkout.summary')}</h2>
<ul>${cart.tickets.map(({ quantity, title, post_id, subtotal }) => html`<li><span>${quantity} × ${title}${events.get(post_id) && html`, ${events.get(post_id)?.title}`}</span> <span class="amount">${subtotal.formatted}</span></li>`)}</ul>
<p class="total">${t('cart.total')} <strong class="amount">${total?.formatted}</strong></p>
${terms({ visit, form })}
<button>${isFree ? t('checkout.order_free') : t('checkout.order', { total: total?.formatted ?? '' })}</button>
<p class="acts"><button class="quiet" name="take" value="${placesText(cart.tickets)}" formnovalidate>${t('cart.keep')}</button> <a href="${link('/cart/')}">${t('checkout.back')}</a></p></section>
</form>`;
  return personal(visit, { title: t('checkout.heading'), main, kind: 'checkout', refusal, cookies });
}

/** Replaces the checkout after the hold expired: takes the remaining places and preserves the typed values. */
function recoveryForm(
  visit: Visit,
  lost: readonly LostPlaces[],
  { form = {}, refusal = NO_REFUSAL }: CheckoutOptions,
): Page {
  const { t, link } = visit;
  const left = placesLeft(lost);
  const typed = Object.entries(form).filter(([name]) => name !== 'take' && name !== 'total');
  const main = html`<h1>${t('checkout.heading')}</h1>
${errorSummary(refusal.errors, visit)}
${lostList(lost, visit)}
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

const buyer = (form: Form, { t }: Visit): Html => html`<fieldset><legend>${t('checkout.buyer')}</legend>
${textField({ name: 'name', label: t('checkout.name'), value: form.name, autocomplete: 'name', isRequired: true, maxLength: MAX_NAME })}
${textField({ name: 'email', label: t('checkout.email'), value: form.email, type: 'email', autocomplete: 'email', isRequired: true, maxLength: MAX_EMAIL })}
</fieldset>`;

/** Field for the name on a place of a ticket, counted from 1. */
export const guestField = (ticketId: number, place: number): string => `guest-${ticketId}-${place}`;

/** Name fields for each place; empty ones get the customer's name. */
function guests(tickets: readonly (Places & { title: string })[], { visit: { t }, form }: FormContext) {
  const places = tickets.flatMap(({ ticket_id, quantity, title }) =>
    Array.from({ length: quantity }, (_, index) => ({
      name: guestField(ticket_id, index + 1),
      title,
      number: index + 1,
    })),
  );
  if (places.length < 2) return undefined;
  return html`<details class="guests"${places.some(({ name }) => form[name]) && html` open`}><summary>${t('checkout.guests')}</summary>
<p class="hint">${t('checkout.guests_hint')}</p>
${places.map(({ name, title, number }) => textField({ name, label: `${title} ${number}`, value: form[name], maxLength: MAX_NAME, autocomplete: 'off' }))}</details>`;
}

const waysOf = async ({ ask }: Visit): Promise<readonly PaymentWay[]> => (await ask('site.read')).payment_ways;

function payment(ways: readonly PaymentWay[], { visit: { t }, form }: FormContext): Html {
  if (ways.length === 0) return html`<p class="notice info">${t('checkout.unpaid')}</p>`;
  return html`<fieldset id="payment"><legend>${t('checkout.payment')}</legend>
${ways.map(
  (
    { id, name, text },
    index,
  ) => html`<div class="field check"><label><input type="radio" name="payment" value="${id}" required${text !== '' && html` aria-describedby="way-${index}"`}${(form.payment ?? ways[0]?.id) === id && html` checked`}> ${name}</label>
${text !== '' && html`<p class="hint" id="way-${index}">${text}</p>`}</div>`,
)}</fieldset>`;
}

/** Terms of the site, if any. */
const terms = ({ visit: { t, link, site }, form }: FormContext): Html | undefined =>
  site?.terms
    ? html`<p class="field check"><label><input type="checkbox" id="terms" name="terms" value="1" required${form.terms === '1' && html` checked`}> ${t('checkout.accept')}</label>
<a href="${link(siteTextPath('terms'))}" target="_blank">${t('checkout.terms')}</a></p>`
    : undefined;
