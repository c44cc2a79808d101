import { setCookie } from '../../http/core/cookies.ts';
import type { Refused } from '../../http/pipeline/submit.ts';
import { type Answer, seeOther } from '../frame/answer.ts';
import { type Form, isTrapped } from '../frame/form.ts';
import type { FormError } from '../frame/notice.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import { submitOnce } from '../frame/submit-once.ts';
import type { Visit } from '../frame/visit.ts';
import { cartCookies, cartPassword, EMPTY_CART } from './cart-cookies.ts';
import { checkoutPage, guestField } from './checkout.ts';
import { readPlaces } from './places.ts';

/**
 * Orders what is in the cart, once for each key: a second press of the button finds the order of the first. The button
 * `take` keeps the places for longer, or takes back those that are left.
 */
export async function postCheckout(visit: Visit, form: Form): Promise<Answer> {
  const { link } = visit;
  const before = orderOf(visit, form.key);
  if (before !== undefined) return seeOther(link(before));
  if (form.take !== undefined) return takePlaces(visit, form);
  const refusal = problemsOf(visit, form) ?? (await changedTotal(visit, form));
  if (refusal) return checkoutPage(visit, { form, refusal });
  const answer = await order(visit, form);
  if (!answer.isDone) return refused(visit, form, answer);
  const { url } = answer.body.order;
  const cookies = [...answer.cookies, ...cartCookies(EMPTY_CART, visit), orderedCookie(visit, form.key, url)];
  return { ...seeOther(link(url)), cookies };
}

/** What the interface refused: with a key that another order has, the form gets a new one. */
async function refused(visit: Visit, form: Form, answer: Refused): Promise<Answer> {
  // What was in it was bought from another window, or given up long ago.
  if (answer.body.code === 'cart-is-empty') return seeOther(visit.link('/cart/'));
  const { key: _used, ...withoutKey } = form;
  const again = answer.body.code === 'idempotency-key-reused' ? withoutKey : form;
  return checkoutPage(visit, { form: again, refusal: refusalOf(answer, { field: fieldOf(answer) }) });
}

const NEEDED = ['name', 'email'] as const;

function problemsOf({ t, site }: Visit, form: Form): Refusal | undefined {
  if (isTrapped(form)) return { errors: [{ message: t('form.trapped') }] };
  const needed = [...NEEDED, ...(site?.terms ? (['terms'] as const) : [])];
  const errors: FormError[] = needed
    .filter((name) => !form[name])
    .map((field) => ({ message: t(`checkout.missing_${field}`), field }));
  return errors.length > 0 ? { errors } : undefined;
}

/** The button says a sum: nobody buys for another one, after a change of the price or of the cart in another window. */
async function changedTotal({ ask, t }: Visit, { total }: Form): Promise<Refusal | undefined> {
  if (total === undefined) return undefined;
  const { totals } = await ask('cart.read');
  if (totals === undefined || String(totals.total.minor) === total) return undefined;
  return { errors: [{ message: t('checkout.changed', { total: totals.total.formatted }) }], status: 409 };
}

function fieldOf(answer: Refused): string | undefined {
  if (answer.body.code === 'invalid-purchaser-info') return 'email';
  return refusedParams(answer).includes('payment') ? 'payment' : undefined;
}

const order = (visit: Visit, form: Form) =>
  submitOnce(visit, form.key, 'cart.checkout', {
    body: {
      purchaser: { name: form.name, email: form.email },
      attendees: guestsIn(form),
      ...(form.payment !== undefined && { payment: form.payment }),
    },
  });

/** Puts places into the cart, and shows the form again as it was typed. */
async function takePlaces(visit: Visit, { take, ...form }: Form): Promise<Answer> {
  const tickets = readPlaces(take);
  const body = { provider: 'tc', tickets, password: cartPassword(visit, form) };
  const answer = await visit.submit('cart.save', { body });
  if (!answer.isDone) return checkoutPage(visit, { form, refusal: refusalOf(answer) });
  const cookies = [...answer.cookies, ...cartCookies(answer.body, visit)];
  return checkoutPage(visit, { form, cookies });
}

/** The order that a form has led to is remembered, for presses after its cart is empty. */
const ORDERED = 'marquee-ordered';
/** Seconds. */
const DAY = 86_400;

function orderedCookie({ seal, link, origin }: Visit, key: string | undefined, url: string): string {
  const value = seal('ordered', JSON.stringify([key, new URL(url, origin).pathname]));
  return setCookie({ name: ORDERED, value, origin, path: link('/checkout/'), maxAge: DAY });
}

function orderOf({ cookie, unseal }: Visit, key: string | undefined): string | undefined {
  const sealed = cookie(ORDERED);
  const opened = sealed === undefined ? undefined : unseal('ordered', sealed);
  const [forKey, url] = opened === undefined ? [] : (JSON.parse(opened) as [string | undefined, string]);
  return key !== undefined && forKey === key ? url : undefined;
}

/** Who comes, as the interface takes it: a name for each place, or none for the buyer. */
function guestsIn(form: Form) {
  const optout = form.show !== '1';
  return readPlaces(form.places).flatMap(({ ticket_id, quantity }) =>
    Array.from({ length: quantity }, (_, index) => {
      const name = form[guestField(ticket_id, index + 1)] ?? '';
      return { ticket_id, ...(name !== '' && { full_name: name }), optout };
    }),
  );
}
