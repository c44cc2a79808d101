import { type Html, html } from '../html.ts';
import { errorSummary, type FormError } from '../parts/notice.ts';
import { type Answer, type Page, seeOther } from './answer.ts';
import type { CartBody, EventBody } from './bodies.ts';
import { eventPage } from './event.ts';
import type { Form } from './form.ts';
import { personal } from './personal-page.ts';
import type { Visit } from './visit.ts';

/** A cart with the events of its tickets. */
export interface CartContent {
  cart: CartBody;
  events: ReadonlyMap<number, EventBody>;
}

export async function readCart({ ask }: Visit): Promise<CartContent> {
  const cart = await ask('cart.read');
  const ids = [...new Set(cart.tickets.map(({ post_id }) => post_id))];
  const { events } =
    ids.length === 0 ? { events: [] } : await ask('events.list', { include: ids, per_page: ids.length });
  return { cart, events: new Map(events.map((event) => [event.id, event])) };
}

/** The cart of this visitor. */
export async function cartPage(visit: Visit, errors: readonly FormError[] = []): Promise<Page> {
  const { t, link } = visit;
  const content = await readCart(visit);
  const main = html`<h1>${t('cart.heading')}</h1>
${errorSummary(errors, visit)}
${content.cart.tickets.length === 0 ? html`<p>${t('cart.empty')}</p><p><a href="${link('/events/')}">${t('not_found.events')}</a></p>` : items(content, visit)}`;
  return personal(visit, { title: t('cart.heading'), main, kind: 'cart', errors });
}

function items({ cart, events }: CartContent, visit: Visit): Html {
  const { t, link } = visit;
  return html`${heldUntil(cart, visit)}
<form method="post" action="${link('/cart/')}" class="cart">
<table><thead><tr><th scope="col">${t('cart.ticket')}</th><th scope="col">${t('cart.quantity')}</th><th scope="col" class="amount">${t('cart.subtotal')}</th></tr></thead>
<tbody>${cart.tickets.map((item) => cartRow(item, { event: events.get(item.post_id), visit }))}</tbody>
<tfoot><tr><th scope="row" colspan="2">${t('cart.total')}</th><td class="amount">${cart.totals?.total.formatted}</td></tr></tfoot></table>
<p class="acts"><button class="quiet" name="update" value="1">${t('cart.update')}</button> <a class="button" href="${link('/checkout/')}">${t('cart.checkout')}</a></p>
</form>`;
}

type Item = CartBody['tickets'][number];

function cartRow(
  { ticket_id, quantity, title, subtotal }: Item,
  { event, visit }: { event?: EventBody; visit: Visit },
): Html {
  const { t, link, dates } = visit;
  const name = `ticket-${ticket_id}`;
  return html`<tr><td><label for="${name}">${title}</label>
${event && html`<br><a href="${link(event.url)}">${event.title}</a>, ${dates.range(event.start_date, event.end_date, event.all_day === true)}`}</td>
<td><input type="number" id="${name}" name="${name}" min="0" max="100" value="${quantity}" inputmode="numeric">
<button class="quiet" name="remove" value="${ticket_id}">${t('cart.remove')}<span class="visually-hidden"> ${title}</span></button></td>
<td class="amount">${subtotal.formatted}</td></tr>`;
}

/** Until when the places are kept, on the clock of the site. */
export function heldUntil({ held_until_utc }: CartBody, { t, dates, localTime }: Visit): Html | undefined {
  if (held_until_utc === undefined) return undefined;
  const until = localTime(held_until_utc);
  return html`<p class="notice info" data-until="${held_until_utc.replace(' ', 'T')}Z">${t('cart.held', { time: dates.time(until) })}</p>`;
}

const QUANTITY = /^ticket-(\d{1,15})$/;

/** Takes the tickets of a form: of the page of an event, or the cart itself. */
export async function postCart(visit: Visit, form: Form): Promise<Answer> {
  const { submit, link } = visit;
  const isRemoved = (id: string) => form.remove === id;
  const asked = Object.entries(form).flatMap(([name, value]) => {
    const id = QUANTITY.exec(name)?.[1];
    if (id === undefined || (form.event !== undefined && value === '0')) return [];
    return [{ ticket_id: Number(id), quantity: isRemoved(id) ? '0' : value }];
  });
  if (asked.length === 0 && form.event !== undefined)
    return withErrors(visit, form, [{ message: visit.t('tickets.none_chosen'), field: 'tickets' }]);
  const { isDone, body, cookies } = await submit({
    method: 'POST',
    target: 'tickets:/cart',
    body: { provider: 'tc', tickets: asked, password: form.password },
  });
  if (!isDone)
    return withErrors(visit, form, [
      { message: body.message ?? '', field: asked[0] && `ticket-${asked[0].ticket_id}` },
    ]);
  const quantity = (body as unknown as CartBody).totals?.quantity ?? 0;
  const target = form.event === undefined ? '/cart/' : '/checkout/';
  return { ...seeOther(link(target)), cookies: [...cookies, countCookie(quantity, visit)] };
}

/** How many places are in the cart, for the sign: scripts may read it, and it says nothing else. */
export const countCookie = (quantity: number, { origin }: Pick<Visit, 'origin'>): string =>
  `marquee-cart-count=${quantity}; Path=/; Max-Age=${quantity === 0 ? 0 : 86_400}; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** The form once more, as it was sent, with what is wrong. */
const withErrors = (visit: Visit, form: Form, errors: readonly FormError[]): Promise<Answer> =>
  form.event === undefined ? cartPage(visit, errors) : eventPage(visit, form.event, { errors, chosen: form });
