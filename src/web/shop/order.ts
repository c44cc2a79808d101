import { type Answer, seeOther } from '../frame/answer.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import type { BuyersOrder, HeldTicket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { MAX_NAME } from './checkout.ts';
import { type OrderAddress, pathOf, readOrder } from './order-address.ts';
import { cancellableText } from './order-cancel.ts';
import { stateOf } from './ticket-state.ts';

/** Submitted values that need correction, with their errors. */
interface FormAgain {
  form?: Form;
  refusal?: Refusal;
}

/** Order with its tickets, for anyone with the link. */
export async function orderPage(visit: Visit, address: OrderAddress, again: FormAgain = {}): Promise<Answer> {
  const { t, link } = visit;
  const { refusal = NO_REFUSAL } = again;
  const order = await readOrder(visit, address);
  const heading = t('order.heading', { id: String(order.id) });
  const tickets = order.attendees.map((ticket) => html`<li>${heldTicket(ticket, visit)}</li>`);
  const main = html`<h1 data-order="${[order.attendees[0]?.event?.title, heading].filter(Boolean).join(', ')}">${heading}</h1>
${errorSummary(refusal.errors, visit)}
${progressOf(order, visit)}
<table class="cart"><thead><tr><th scope="col">${t('cart.ticket')}</th><th scope="col">${t('cart.quantity')}</th><th scope="col" class="amount">${t('cart.subtotal')}</th></tr></thead>
<tbody>${order.items.map((item) => html`<tr><td>${item.title}</td><td>${item.quantity}</td><td class="amount">${item.subtotal.formatted}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">${t('cart.total')}</th><td class="amount">${order.total.formatted}</td></tr></tfoot></table>
${tickets.length > 0 && html`<section><h2>${t('order.tickets')}</h2>\n<ol class="tickets-held">${tickets}</ol></section>`}
${names(order, { visit, address, again })}
<section><h2>${t('order.keep')}</h2><p>${t('order.keep_text')}</p>
<p class="acts"><button class="quiet" data-copy="${order.url}" hidden>${t('share.copy')}</button> <button class="quiet" data-print hidden>${t('order.print')}</button></p></section>
${order.may_cancel && html`<p>${cancellableText(order, visit)} <a href="${link(`${pathOf(address)}cancel/`)}">${t('order.cancel')}</a></p>`}`;
  return personal(visit, { title: heading, main, kind: 'order', refusal });
}

const UNPAID: ReadonlySet<string> = new Set(['pending', 'approved', 'action-req']);

/** Status of an order, with the next step for the customer. */
function progressOf({ status, payment, expires_utc }: BuyersOrder, { t, dates, localTime }: Visit): Html {
  if (status === 'completed') return notice('good', t('order.completed'));
  if (status === 'voided') return notice('bad', t('order.cancelled'));
  if (status === 'refunded' || status === 'reversed') return notice('bad', t('order.refunded'));
  if (!UNPAID.has(status)) return notice('bad', t('order.over'));
  const until = expires_utc && localTime(expires_utc);
  return html`<div class="notice warn"><p>${t('order.pending')}</p>
${payment ? html`<p><strong>${payment.name}</strong> ${payment.text}</p>` : html`<p>${t('order.pay_elsewhere')}</p>`}
${until && html`<p>${t('order.until', { when: dates.range(until, until, false) })}</p>`}</div>`;
}

function heldTicket(ticket: HeldTicket, visit: Visit): Html {
  const { t, link, dates } = visit;
  const { title, full_name, event, url } = ticket;
  return html`<article class="ticket-held"><h3>${full_name}</h3><p>${title}</p>
${event && html`<p><a href="${link(event.url)}">${event.title}</a>, ${dates.range(event.start_date, event.end_date, event.all_day)}</p>`}
<p><span class="badge ${stateOf(ticket).kind}">${stateOf(ticket).textIn(visit)}</span></p>
${
  url !== undefined &&
  html`<p><img class="code" src="${new URL(url).pathname}code.png" width="200" height="200" alt="${t('ticket.code_of', { name: full_name })}"></p>
<p class="acts"><a class="button" href="${link(url)}">${t('order.open')}</a>${event && html` <a href="${link(`${new URL(url).pathname}ical/`)}">${t('calendar.add')}</a>`}</p>`
}</article>`;
}

interface NamesOptions {
  visit: Visit;
  address: OrderAddress;
  again: FormAgain;
}

const nameField = (id: number): string => `name-${id}`;

/** Form to change the names on the tickets and the customer's address. */
function names(
  { attendees, purchaser, status }: BuyersOrder,
  { visit: { t, link }, address, again: { form, refusal } }: NamesOptions,
): Html | undefined {
  const own = attendees.filter((ticket) => ticket.status === 'publish' && !ticket.checked_in);
  if (own.length === 0 || status === 'voided') return undefined;
  const value = (name: string, present: string) => form?.[name] ?? present;
  return html`<details${refusal && html` open`}><summary>${t('order.change')}</summary>
<form method="post" action="${link(pathOf(address))}">
${textField({ name: 'email', label: t('checkout.email'), value: value('email', purchaser.email), type: 'email', autocomplete: 'email', maxLength: 254, isRequired: true })}
${own.map(({ id, title, full_name }, index) => textField({ name: nameField(id), label: `${title} ${index + 1}`, value: value(nameField(id), full_name), maxLength: MAX_NAME, isRequired: true, autocomplete: 'off' }))}
<button>${t('form.save')}</button></form></details>`;
}

/** Changes names and the customer's address. */
export async function postOrder(visit: Visit, address: OrderAddress, form: Form): Promise<Answer> {
  await readOrder(visit, address);
  const attendees = Object.entries(form).flatMap(([name, full_name]) => {
    const [, id] = /^name-(\d{1,15})$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id: Number(id), full_name }];
  });
  const answer = await visit.submit('buyers_orders.update', {
    id: address.id,
    body: { ...(form.email !== undefined && { purchaser: { email: form.email } }), attendees },
    headers: { 'X-Order-Token': address.token },
  });
  if (answer.isDone) return seeOther(visit.link(pathOf(address)));
  return orderPage(visit, address, { form, refusal: refusalIn(answer, attendees, visit) });
}

function refusalIn(
  answer: Parameters<typeof refusalOf>[0],
  attendees: readonly { id: number; full_name: string }[],
  { t }: Visit,
): Refusal {
  const params = refusedParams(answer);
  if (params.includes('purchaser')) return refusalOf(answer, { message: t('reply.wrong_email'), field: 'email' });
  if (!params.includes('attendees')) return refusalOf(answer);
  const wrong = attendees.find(({ full_name }) => full_name === '' || full_name.length > MAX_NAME) ?? attendees[0];
  return refusalOf(answer, { message: t('reply.wrong_name'), field: wrong && nameField(wrong.id) });
}
