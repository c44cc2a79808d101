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
 * Orders the cart, once for each key: a second press of the button finds the first order. The button `take` extends the
 * hold, or takes the remaining places again.
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

/** Shows the refused form again, with a new key if another order used the old one. */
async function refused(visit: Visit, form: Form, answer: Refused): Promise<Answer> {
  // The cart was checked out in another window or has expired.
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

/** The button shows a total. If price or cart changed meanwhile, the customer must confirm the new one. */
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

/** Puts places into the cart and shows the form again with its values. */
async function takePlaces(visit: Visit, { take, ...form }: Form): Promise<Answer> {
  const tickets = readPlaces(take);
  const body = { provider: 'tc', tickets, password: cartPassword(visit, form) };
  const answer = await visit.submit('cart.save', { body });
  if (!answer.isDone) return checkoutPage(visit, { form, refusal: refusalOf(answer) });
  const cookies = [...answer.cookies, ...cartCookies(answer.body, visit)];
  return checkoutPage(visit, { form, cookies });
}

/** Cookie with the order of a form, for repeated presses after the cart is empty. */
const ORDERED = 'marquee-ordered';
/** In seconds. */
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

/** Attendees for the interface: a name for each place, or none to use the customer's. */
function guestsIn(form: Form) {
  const optout = form.show !== '1';
  return readPlaces(form.places).flatMap(({ ticket_id, quantity }) =>
    Array.from({ length: quantity }, (_, index) => {
      const name = form[guestField(ticket_id, index + 1)] ?? '';
      return { ticket_id, ...(name !== '' && { full_name: name }), optout };
    }),
  );
}
