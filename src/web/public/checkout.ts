import { setTimeout as delay } from 'node:timers/promises';
import type { Submission, Submitted } from '../../http/submit.ts';
import { type Html, html } from '../html.ts';
import { textField, trap } from '../parts/field.ts';
import { errorSummary, type FormError } from '../parts/notice.ts';
import { type Answer, seeOther } from './answer.ts';
import type { CartBody, PaymentWayBody } from './bodies.ts';
import { countCookie, heldUntil, readCart } from './cart.ts';
import { type Form, isTrapped } from './form.ts';
import { personal } from './personal-page.ts';
import { siteTextPath } from './site-text.ts';
import type { Visit } from './visit.ts';

const MAX_NAME = 200;
const MAX_EMAIL = 254;

/** Buying what is in the cart, on one page. */
export async function checkoutPage(
  visit: Visit,
  { form = {}, errors = [] }: { form?: Form; errors?: readonly FormError[] } = {},
): Promise<Answer> {
  const { t, link } = visit;
  const { cart, events } = await readCart(visit);
  if (cart.tickets.length === 0) return seeOther(link('/cart/'));
  const total = cart.totals?.total;
  const isFree = total?.minor === 0;
  const main = html`<h1>${t('checkout.heading')}</h1>
${errorSummary(errors, visit)}
${heldUntil(cart, visit)}
<form method="post" action="${link('/checkout/')}" class="checkout">
<input type="hidden" name="key" value="${form.key ?? visit.newKey()}">
<input type="hidden" name="places" value="${cart.tickets.map(({ ticket_id, quantity }) => `${ticket_id}:${quantity}`).join()}">
<fieldset><legend>${t('checkout.buyer')}</legend>
${textField({ name: 'name', label: t('checkout.name'), value: form.name, autocomplete: 'name', isRequired: true, maxLength: MAX_NAME })}
${textField({ name: 'email', label: t('checkout.email'), value: form.email, type: 'email', autocomplete: 'email', isRequired: true, maxLength: MAX_EMAIL })}
</fieldset>
${guests(cart, { visit, form })}
<p class="field check"><label><input type="checkbox" name="show" value="1"${form.show === '1' && html` checked`}> ${t('checkout.show')}</label></p>
${!isFree && payment(await waysOf(visit), { visit, form })}
${trap}
<section class="summary"><h2>${t('checkout.summary')}</h2>
<ul>${cart.tickets.map(({ quantity, title, post_id, subtotal }) => html`<li>${quantity} × ${title}${events.get(post_id) && html`, ${events.get(post_id)?.title}`} <span class="amount">${subtotal.formatted}</span></li>`)}</ul>
<p class="total">${t('cart.total')} <strong class="amount">${total?.formatted}</strong></p></section>
${visit.site?.terms && html`<p><a href="${link(siteTextPath('terms'))}" target="_blank">${t('checkout.terms')}</a></p>`}
<button>${isFree ? t('checkout.order_free') : t('checkout.order', { total: total?.formatted ?? '' })}</button>
<p><a href="${link('/cart/')}">${t('checkout.back')}</a></p>
</form>`;
  return personal(visit, { title: t('checkout.heading'), main, kind: 'checkout', errors });
}

interface FormContext {
  visit: Visit;
  form: Form;
}

/** A name for each place; those that are left empty are for the buyer. */
function guests({ tickets }: CartBody, { visit: { t }, form }: FormContext): Html | undefined {
  const places = tickets.flatMap(({ ticket_id, quantity, title }) =>
    Array.from({ length: quantity }, (_, index) => ({
      name: `guest-${ticket_id}-${index + 1}`,
      title,
      number: index + 1,
    })),
  );
  if (places.length < 2) return undefined;
  return html`<details class="guests"${places.some(({ name }) => form[name]) && html` open`}><summary>${t('checkout.guests')}</summary>
<p class="hint">${t('checkout.guests_hint')}</p>
${places.map(({ name, title, number }) => textField({ name, label: `${title} ${number}`, value: form[name], maxLength: MAX_NAME, autocomplete: 'off' }))}</details>`;
}

const waysOf = async ({ ask }: Visit): Promise<readonly PaymentWayBody[]> => (await ask('site.read')).payment_ways;

function payment(ways: readonly PaymentWayBody[], { visit: { t }, form }: FormContext): Html {
  if (ways.length === 0) return html`<p class="notice info">${t('checkout.unpaid')}</p>`;
  return html`<fieldset><legend>${t('checkout.payment')}</legend>
${ways.map(
  (
    { id, name, text },
    index,
  ) => html`<p class="field check"><label><input type="radio" name="payment" value="${id}" required${(form.payment ?? ways[0]?.id) === id && html` checked`}> ${name}</label>
${text !== '' && html`<span class="hint" id="way-${index}">${text}</span>`}</p>`,
)}</fieldset>`;
}

/** Orders what is in the cart, once for each key: a second press of the button finds the order of the first. */
export async function postCheckout(visit: Visit, form: Form): Promise<Answer> {
  const { t, link } = visit;
  const before = orderOf(visit, form.key);
  if (before !== undefined) return seeOther(link(before));
  const errors = isTrapped(form)
    ? [{ message: t('form.trapped') }]
    : NEEDED.filter((name) => !form[name]).map((field) => ({ message: t(`checkout.missing_${field}`), field }));
  if (errors.length > 0) return checkoutPage(visit, { form, errors });
  const { isDone, body, cookies } = await order(visit, form);
  if (!isDone)
    return checkoutPage(visit, { form, errors: [{ message: body.message ?? '', field: fieldOf(body.code) }] });
  const { url } = body.order as { url: string };
  return { ...seeOther(link(url)), cookies: [...cookies, countCookie(0, visit), orderedCookie(visit, form.key, url)] };
}

const NEEDED = ['name', 'email'] as const;

const fieldOf = (code: string | undefined): string | undefined =>
  code === 'invalid-purchaser-info' ? 'email' : undefined;

/** As `newKey` makes them; a header cannot have every text. */
const KEY = /^[\w-]{1,100}$/;

/** While the first of two presses is carried out, the second waits for its answer. */
const PATIENCE = { tries: 20, milliseconds: 250 };

async function order(visit: Visit, form: Form): Promise<Submitted> {
  const submission: Submission = {
    method: 'POST',
    target: 'tickets:/cart/checkout',
    body: {
      purchaser: { name: form.name, email: form.email },
      attendees: guestsIn(form),
      ...(form.payment !== undefined && { payment: form.payment }),
    },
    headers: KEY.test(form.key ?? '') ? { 'Idempotency-Key': form.key ?? '' } : {},
  };
  for (let left = PATIENCE.tries; ; left -= 1) {
    const answer = await visit.submit(submission);
    if (answer.body.code !== 'request-in-progress' || left === 0) return answer;
    await delay(PATIENCE.milliseconds);
  }
}

/** The order that a form has led to is remembered, for presses after its cart is empty. */
const ORDERED = 'marquee-ordered';

function orderedCookie({ seal, link, origin }: Visit, key: string | undefined, url: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${ORDERED}=${seal(JSON.stringify([key, url]))}; Path=${link('/checkout/')}; Max-Age=86400; HttpOnly; SameSite=Lax${secure}`;
}

function orderOf({ cookie, unseal }: Visit, key: string | undefined): string | undefined {
  const sealed = cookie(ORDERED);
  const opened = sealed === undefined ? undefined : unseal(sealed);
  const [forKey, url] = opened === undefined ? [] : (JSON.parse(opened) as [string | undefined, string]);
  return key !== undefined && forKey === key ? url : undefined;
}

const PLACES = /^(\d{1,15}):(\d{1,3})$/;

/** Who comes, as the interface takes it: a name for each place, or none for the buyer. */
function guestsIn(form: Form) {
  const optout = form.show !== '1';
  return (form.places ?? '').split(',', MAX_NAME).flatMap((part) => {
    const [, id, quantity] = PLACES.exec(part) ?? [];
    return Array.from({ length: Number(quantity ?? 0) }, (_, index) => {
      const name = form[`guest-${id}-${index + 1}`] ?? '';
      return { ticket_id: Number(id), ...(name !== '' && { full_name: name }), optout };
    });
  });
}
