import type { Refused, Submitted } from '../../http/pipeline/submit.ts';
import { isRecord } from '../../lib/text/list.ts';
import { priceInWords } from '../cards/price.ts';
import { type Form, isTrapped } from '../frame/form.ts';
import type { FormError } from '../frame/notice.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { NO_REFUSAL, type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import type { Responses } from '../frame/responses.ts';
import { showAgain } from '../frame/sent-form.ts';
import { submitOnce } from '../frame/submit-once.ts';
import type { Visit } from '../frame/visit.ts';
import { cartCookies, cartPassword, EMPTY_CART, type Places, readPlaces } from './cart-cookies.ts';
import { billingIn, checkoutPage, holderField } from './checkout.ts';
import { orderAddressAt, orderedCookie, orderOf, readOrder } from './order-address.ts';

/**
 * Orders the cart, once for each key: a second press of the button finds the first order. The button `take` extends the
 * hold, or takes the remaining places again.
 */
export async function postCheckout(visit: Visit, form: Form): Promise<PageResponse> {
  const before = orderOf(visit, form.key);
  if (before !== undefined) return seeOther(visit.link(await continuedAt(visit, before)));
  if (form.take !== undefined) return takePlaces(visit, form);
  const refusal = problemsOf(visit, form);
  if (refusal) return formAgain(visit, form, { refusal });
  const submitted = await order(visit, form);
  return isReleased(submitted) ? orderReleased(visit, form, submitted) : ordered(visit, form, submitted);
}

type Ordered = Submitted<Responses['cart.checkout']>;

/** Redirects to the new order, or to the refused form. */
async function ordered(visit: Visit, form: Form, submitted: Ordered): Promise<PageResponse> {
  if (!submitted.isDone) return refused(visit, form, submitted);
  const {
    order: { url },
    payment,
  } = submitted.body;
  const cookies = [...submitted.cookies, ...cartCookies(EMPTY_CART, visit), orderedCookie(visit, form.key, url)];
  return { ...seeOther(visit.link(payment?.redirect_url ?? url)), cookies };
}

/** Path after the checkout: to the payment service if the order is still to be paid there, else to its own page. */
async function continuedAt(visit: Visit, path: string): Promise<string> {
  const address = orderAddressAt(path);
  const order = address && (await readOrder(visit, address));
  return order?.payment_status === 'created' || order?.payment_status === 'open' ? (order.pay_url ?? path) : path;
}

/** Whether the hold of the cart expired and its places were released. */
const isReleased = (ordered: Ordered): ordered is Refused =>
  !ordered.isDone && ordered.body.code === 'cart-expired' && isEmptyList(ordered.body.data?.tickets);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Takes the places of an expired cart again, if all of them are still available, and orders them. */
async function orderReleased(visit: Visit, form: Form, submitted: Refused): Promise<PageResponse> {
  const tickets = readPlaces(form.places);
  if (tickets.length === 0) return refused(visit, form, submitted);
  const taken = await savePlaces(visit, form, tickets);
  if (!taken.isDone) return formAgain(visit, form, { refusal: refusalOf(taken) });
  const cookies = [...taken.cookies, ...cartCookies(taken.body, visit)];
  const again = await order(visit, form);
  return again.isDone ? ordered(visit, form, again) : refused(visit, form, again, cookies);
}

/** Shows the refused form again, with a new key if another order used the old one. */
async function refused(
  visit: Visit,
  form: Form,
  submitted: Refused,
  cookies: readonly string[] = [],
): Promise<PageResponse> {
  // The cart was checked out in another window.
  if (submitted.body.code === 'cart-is-empty') return seeOther(visit.link('/cart/'));
  const { key: _used, ...withoutKey } = form;
  const again = submitted.body.code === 'idempotency-key-reused' ? withoutKey : form;
  const refusal = refusalOf(submitted, { message: messageOf(submitted, visit), field: fieldOf(submitted) });
  return formAgain(visit, again, { refusal, cookies });
}

/** Message of a refusal if the page can say more: the new total, which the button shows too, or what to do about a code. */
function messageOf(refused: Refused, visit: Visit): string | undefined {
  const { code, message, data } = refused.body;
  if (refusedParams(refused).includes('billing')) return visit.t('checkout.wrong_billing');
  if (code === 'promotion-not-valid') return `${message} ${visit.t('promotion.remove')}`;
  const { totals } = data ?? {};
  if (code !== 'total-changed' || !isRecord(totals) || !isRecord(totals.total)) return undefined;
  const { minor } = totals.total;
  return typeof minor === 'number' ? visit.t('checkout.changed', { total: priceInWords(minor, visit) }) : undefined;
}

const formAgain = (visit: Visit, form: Form, shown: { refusal: Refusal; cookies?: readonly string[] }) =>
  showAgain(visit, {
    ...shown,
    form,
    path: '/checkout/',
    page: () => checkoutPage(visit, { form, refusal: shown.refusal }),
    needsCookies: true,
  });

const NEEDED = ['name', 'email'] as const;

function problemsOf({ t, site }: Visit, form: Form): Refusal | undefined {
  if (isTrapped(form)) return { errors: [{ message: t('form.trapped') }] };
  const needed = [...NEEDED, ...(site?.terms ? (['terms'] as const) : [])];
  const errors: FormError[] = needed
    .filter((name) => !form[name])
    .map((field) => ({ message: t(`checkout.missing_${field}`), field }));
  return errors.length > 0 ? { errors } : undefined;
}

function fieldOf(refused: Refused): string | undefined {
  if (refused.body.code === 'invalid-purchaser-info') return 'email';
  if (refusedParams(refused).includes('billing')) return 'company';
  return refusedParams(refused).includes('payment') ? 'payment' : undefined;
}

function order(visit: Visit, form: Form) {
  const billing = billingIn(form);
  return submitOnce(visit, form.key, 'cart.checkout', {
    body: {
      purchaser: { name: form.name, email: form.email },
      attendees: holdersIn(form),
      ...(billing && { billing }),
      ...(form.payment !== undefined && { payment: form.payment }),
      ...(form.total !== undefined && { expected_total: form.total }),
    },
  });
}

/** Puts places into the cart and shows the form again with its values. */
async function takePlaces(visit: Visit, { take, ...form }: Form): Promise<PageResponse> {
  const submitted = await savePlaces(visit, form, readPlaces(take));
  if (!submitted.isDone) return formAgain(visit, form, { refusal: refusalOf(submitted) });
  const cookies = [...submitted.cookies, ...cartCookies(submitted.body, visit)];
  return formAgain(visit, form, { refusal: NO_REFUSAL, cookies });
}

const savePlaces = (visit: Visit, form: Form, tickets: readonly Places[]) =>
  visit.submit('cart.save', { body: { provider: 'tc', tickets, password: cartPassword(visit, form) } });

/** Attendees for the interface: a name for each place, or none to use the customer's. */
function holdersIn(form: Form) {
  const optout = form.show !== '1';
  return readPlaces(form.places).flatMap(({ ticket_id, quantity }) =>
    Array.from({ length: quantity }, (_, index) => {
      const name = form[holderField(ticket_id, index + 1)] ?? '';
      return { ticket_id, ...(name !== '' && { full_name: name }), optout };
    }),
  );
}
