import { type Html, html } from '../html.ts';
import { textField } from '../parts/field.ts';
import { errorSummary, type FormError, notice } from '../parts/notice.ts';
import { type Answer, seeOther } from './answer.ts';
import type { HeldTicketBody, OrderBody } from './bodies.ts';
import type { Form } from './form.ts';
import { personal } from './personal-page.ts';
import { orNotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** An order, named by its id and the token in its address. */
export interface OrderAddress {
  id: string;
  token: string;
}

const pathOf = ({ id, token }: OrderAddress): string => `/order/${id}/${encodeURIComponent(token)}/`;

const readOrder = ({ ask }: Visit, { id, token }: OrderAddress): Promise<OrderBody> =>
  orNotFound(ask('buyers_orders.read', { id }, { 'x-order-token': token }));

/** An order and its tickets, for whoever has the link. */
export async function orderPage(
  visit: Visit,
  address: OrderAddress,
  errors: readonly FormError[] = [],
): Promise<Answer> {
  const { t, link } = visit;
  const order = await readOrder(visit, address);
  const heading = t('order.heading', { id: String(order.id) });
  const main = html`<h1 data-order="${[order.attendees[0]?.event?.title, heading].filter(Boolean).join(', ')}">${heading}</h1>
${errorSummary(errors, visit)}
${stateOf(order, visit)}
<table class="cart"><thead><tr><th scope="col">${t('cart.ticket')}</th><th scope="col">${t('cart.quantity')}</th><th scope="col" class="amount">${t('cart.subtotal')}</th></tr></thead>
<tbody>${order.items.map((item) => html`<tr><td>${item.title}</td><td>${item.quantity}</td><td class="amount">${item.subtotal.formatted}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">${t('cart.total')}</th><td class="amount">${order.total.formatted}</td></tr></tfoot></table>
<section><h2>${t('order.tickets')}</h2>
<ol class="tickets-held">${order.attendees.map((ticket) => html`<li>${heldTicket(ticket, visit)}</li>`)}</ol></section>
${names(order, address, visit)}
<section><h2>${t('order.keep')}</h2><p>${t('order.keep_text')}</p>
<p><button class="quiet" data-copy="${order.url}" hidden>${t('share.copy')}</button></p></section>
${order.may_cancel && html`<p><a href="${link(`${pathOf(address)}cancel/`)}">${t('order.cancel')}</a></p>`}`;
  return personal(visit, { title: heading, main, kind: 'order', errors });
}

/** What has become of an order, and what its buyer has to do next. */
function stateOf({ status, payment, expires_utc }: OrderBody, { t, dates, localTime }: Visit): Html {
  if (status === 'completed') return notice('good', t('order.completed'));
  if (status !== 'pending' && status !== 'approved' && status !== 'action-req') return notice('bad', t('order.over'));
  const until = expires_utc && localTime(expires_utc);
  return html`<div class="notice warn"><p>${t('order.pending')}</p>
${payment && html`<p><strong>${payment.name}</strong> ${payment.text}</p>`}
${until && html`<p>${t('order.until', { when: dates.range(until, until, false) })}</p>`}</div>`;
}

function heldTicket(
  { title, full_name, event, url, status, checked_in }: HeldTicketBody,
  { t, link, dates }: Visit,
): Html {
  return html`<article class="ticket-held"><h3>${title}</h3><p>${full_name}</p>
${event && html`<p><a href="${link(event.url)}">${event.title}</a>, ${dates.range(event.start_date, event.end_date, event.all_day)}</p>`}
${url ? html`<p><img class="code" src="${new URL(url).pathname}code.png" width="200" height="200" alt="${t('ticket.code_of', { name: full_name })}"></p><p><a class="button" href="${link(url)}">${t('order.open')}</a></p>` : html`<p>${stateOfTicket({ status, checked_in }, t)}</p>`}</article>`;
}

const stateOfTicket = (
  { status, checked_in }: Pick<HeldTicketBody, 'status' | 'checked_in'>,
  t: Visit['t'],
): string => {
  if (status === 'trash') return t('ticket.cancelled');
  return checked_in ? t('ticket.used') : t('ticket.not_yet');
};

/** Changing the names on the tickets and the address of the buyer. */
function names(
  { attendees, purchaser, status }: OrderBody,
  address: OrderAddress,
  { t, link }: Visit,
): Html | undefined {
  const own = attendees.filter((ticket) => ticket.status === 'publish' && !ticket.checked_in);
  if (own.length === 0 || status === 'voided') return undefined;
  return html`<details><summary>${t('order.change')}</summary>
<form method="post" action="${link(pathOf(address))}">
${textField({ name: 'email', label: t('checkout.email'), value: purchaser.email, type: 'email', autocomplete: 'email', maxLength: 254 })}
${own.map(({ id, title, full_name }) => textField({ name: `name-${id}`, label: title, value: full_name, maxLength: 200 }))}
<button>${t('form.save')}</button></form></details>`;
}

/** Changes names and the address of the buyer. */
export async function postOrder(visit: Visit, address: OrderAddress, form: Form): Promise<Answer> {
  await readOrder(visit, address);
  const attendees = Object.entries(form).flatMap(([name, full_name]) => {
    const [, id] = /^name-(\d{1,15})$/.exec(name) ?? [];
    return id !== undefined && full_name !== '' ? [{ id: Number(id), full_name }] : [];
  });
  const { isDone, body } = await visit.submit({
    method: 'PATCH',
    target: `tickets:/orders/${address.id}`,
    body: { ...(form.email && { purchaser: { email: form.email } }), attendees },
    headers: { 'X-Order-Token': address.token },
  });
  if (!isDone) return orderPage(visit, address, [{ message: body.message ?? '' }]);
  return seeOther(visit.link(pathOf(address)));
}

/** Asks whether an order is to be cancelled, and says what that does. */
export async function cancelPage(
  visit: Visit,
  address: OrderAddress,
  errors: readonly FormError[] = [],
): Promise<Answer> {
  const { t, link } = visit;
  const order = await readOrder(visit, address);
  const places = order.attendees.filter(({ status }) => status === 'publish').length;
  const main = html`<h1>${t('cancel.heading')}</h1>
${errorSummary(errors, visit)}
${order.may_cancel ? html`<p>${t('cancel.text', { count: places })}</p><form method="post" action="${link(`${pathOf(address)}cancel/`)}"><button class="bad">${t('cancel.act', { count: places })}</button></form>` : html`<p>${t('cancel.closed')}</p>`}
<p><a href="${link(pathOf(address))}">${t('cancel.back')}</a></p>`;
  return personal(visit, { title: t('cancel.heading'), main, kind: 'order', errors });
}

export async function postCancel(visit: Visit, address: OrderAddress): Promise<Answer> {
  await readOrder(visit, address);
  const { isDone, body } = await visit.submit({
    method: 'POST',
    target: `tickets:/orders/${address.id}/cancel`,
    body: {},
    headers: { 'X-Order-Token': address.token },
  });
  if (!isDone) return cancelPage(visit, address, [{ message: body.message ?? '' }]);
  return seeOther(visit.link(pathOf(address)));
}
