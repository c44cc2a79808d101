import { fromUtc } from '../../lib/dates/local-time.ts';
import { mostPerOrderOf } from '../cards/sale.ts';
import { eventPage } from '../event/event.ts';
import { type Answer, type Page, seeOther } from '../frame/answer.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal, refusalOf } from '../frame/refusal.ts';
import type { Cart, Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { type CartContent, readCart } from './cart-content.ts';
import { cartCookies, cartPassword, passwordCookies, wantedPlaces } from './cart-cookies.ts';
import { findLost, lostList, placesLeft } from './cart-recovery.ts';
import { type Places, placesText, readPlaces } from './places.ts';

interface FormAgain {
  form?: Form;
  refusal?: Refusal;
}

/** Cart of this visitor. */
export async function cartPage(visit: Visit, { form = {}, refusal = NO_REFUSAL }: FormAgain = {}): Promise<Page> {
  const { t } = visit;
  const content = await readCart(visit);
  const { tickets } = content.cart;
  const fields = new Set(tickets.map(({ ticket_id }) => fieldOf(ticket_id)));
  // Only existing fields are linked.
  const errors = refusal.errors.map(({ message, field = '' }) =>
    fields.has(field) ? { message, field } : { message },
  );
  const main = html`<h1>${t('cart.heading')}</h1>
${errorSummary(errors, visit)}
${tickets.length === 0 ? await withoutItems(visit, form) : items(content, { visit, form })}`;
  return personal(visit, { title: t('cart.heading'), main, kind: 'cart', refusal });
}

/** Empty or expired cart, with the places that are still available. */
async function withoutItems(visit: Visit, form: Form): Promise<Html> {
  const { t, link } = visit;
  const wanted = placesIn(form).filter(({ quantity }) => quantity > 0);
  const lost = await findLost(visit, wanted.length > 0 ? wanted : wantedPlaces(visit));
  const onward = html`<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  if (lost.length === 0) return html`<p class="empty">${t('cart.empty')}</p>${onward}`;
  const left = placesLeft(lost);
  return html`${lostList(lost, visit)}
${
  left.length > 0
    ? html`<form method="post" action="${link('/cart/')}">${left.map(({ ticket_id, quantity }) => html`<input type="hidden" name="${fieldOf(ticket_id)}" value="${quantity}">`)}
<button name="next" value="checkout">${t('cart.take_again')}</button></form>`
    : onward
}`;
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
<tfoot><tr><th scope="row" colspan="2">${t('cart.total')}</th><td class="amount">${cart.totals?.total.formatted}</td></tr></tfoot></table>
<p class="acts"><button class="quiet" name="update" value="1">${t('cart.update')}</button> <button name="next" value="checkout">${t('cart.checkout')}</button></p>
</form>`;
}

type Item = Cart['tickets'][number];

const fieldOf = (ticketId: number): string => `ticket-${ticketId}`;

function cartRow(
  { ticket_id, quantity, title, subtotal, max_per_order }: Item,
  { event, visit, form }: Shown & { event?: Event },
): Html {
  const { t, link, dates } = visit;
  const name = fieldOf(ticket_id);
  return html`<tr><td><label for="${name}">${title}</label>
${event && html`<br><a href="${link(event.url)}">${event.title}</a>, ${dates.range(event.start_date, event.end_date, event.all_day === true)}`}</td>
<td><div class="quantity"><input type="number" id="${name}" name="${name}" min="0" max="${mostPerOrderOf({ max_per_order })}" value="${form[name] ?? quantity}" inputmode="numeric">
<button class="quiet" name="remove" value="${ticket_id}" formnovalidate>${t('cart.remove')}<span class="visually-hidden"> ${title}</span></button></div></td>
<td class="amount">${subtotal.formatted}</td></tr>`;
}

/** End of the hold, in the time zone of the site. */
export function heldUntil({ held_until_utc }: Cart, { t, dates, localTime, now }: Visit): Html | undefined {
  if (held_until_utc === undefined) return undefined;
  const until = localTime(held_until_utc);
  const seconds = Math.round((fromUtc(held_until_utc).getTime() - now.getTime()) / 1000);
  const left = (count: number) => t('cart.minutes_left', { count });
  return html`<p class="notice info" data-seconds="${seconds}" data-at-5="${left(5)}" data-at-2="${left(2)}" data-over="${t('cart.over')}">${t('cart.held', { time: dates.time(until) })}</p>`;
}

const QUANTITY = /^ticket-(\d{1,15})$/;

/** Quantities of a form, as typed. */
const quantitiesIn = (form: Form): { ticket_id: number; quantity: string }[] =>
  Object.entries(form).flatMap(([name, quantity]) => {
    const id = QUANTITY.exec(name)?.[1];
    return id === undefined ? [] : [{ ticket_id: Number(id), quantity }];
  });

const placesIn = (form: Form): Places[] => readPlaces(placesText(quantitiesIn(form).map(asPlaces)));

const asPlaces = ({ ticket_id, quantity }: { ticket_id: number; quantity: string }): Places => ({
  ticket_id,
  quantity: Number(quantity),
});

/** Adds the tickets of a form to the cart, from the page of an event or the cart itself. */
export async function postCart(visit: Visit, form: Form): Promise<Answer> {
  const { submit, link } = visit;
  const isNew = form.event !== undefined;
  const asked = quantitiesIn(form)
    .map((line) => (form.remove === String(line.ticket_id) ? { ...line, quantity: '0' } : line))
    .filter(({ quantity }) => !(isNew && quantity === '0'));
  if (asked.length === 0 && isNew)
    return formAgain(visit, form, { errors: [{ message: visit.t('tickets.none_chosen'), field: 'tickets' }] });
  const answer = await submit('cart.save', {
    body: { provider: 'tc', tickets: asked, password: cartPassword(visit, form) },
  });
  if (!answer.isDone) {
    const ticket_id = answer.body.data?.ticket_id;
    const ids = asked.map((line) => line.ticket_id);
    const about = ids.find((id) => id === ticket_id) ?? ids[0];
    return formAgain(visit, form, refusalOf(answer, { field: about === undefined ? undefined : fieldOf(about) }));
  }
  const cart = answer.body;
  const events = new Set(cart.tickets.map(({ post_id }) => post_id));
  const isOrdered = isNew ? events.size === 1 : form.next === 'checkout' && events.size > 0;
  const cookies = [...answer.cookies, ...cartCookies(cart, visit), ...passwordCookies(visit, form)];
  return { ...seeOther(link(isOrdered ? '/checkout/' : '/cart/')), cookies };
}

/** Submitted form with its errors. */
const formAgain = (visit: Visit, form: Form, refusal: Refusal): Promise<Answer> =>
  form.event === undefined
    ? cartPage(visit, { form, refusal })
    : eventPage(visit, form.event, { refusal, chosen: form });
