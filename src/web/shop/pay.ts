import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { notice } from '../frame/notice.ts';
import { type Page, type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { CustomerOrder, PaymentWay } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { type OrderAddress, pathOf, readOrder } from './order-address.ts';
import { keptUntil, orderTotal, payPath, unpaidWays } from './order-payment.ts';

/** Way from an order to the page of its payment service. */

/** Codes of refusals that another attempt or another payment method may avoid. */
const REFUSALS = {
  'payment-unavailable': 'pay.unavailable',
  'payment-refused': 'pay.refused',
  'too-many-requests': 'pay.too_many',
} as const;

const isRefusal = (code: string | undefined): code is keyof typeof REFUSALS =>
  code !== undefined && Object.hasOwn(REFUSALS, code);

/**
 * Begins or continues the payment of an order by its own method, which may be repeated, and leads to it by a page. A
 * redirect would not do: browsers apply `form-action` of the content security policy to the redirects after a form, too.
 */
export async function payPage(visit: Visit, address: OrderAddress): Promise<PageResponse> {
  const { query, link, origin } = visit;
  const order = await readOrder(visit, address);
  const back = seeOther(link(pathOf(address)));
  if (order.pay_url === null) return back;
  const { online } = await unpaidWays(visit);
  const way = chosenWay(order, online, query);
  if (!way) return choicePage(visit, { order, address });
  const submitted = await beginPayment(visit, address, way.id);
  if (submitted.isDone) {
    const { redirect_url } = submitted.body;
    return redirect_url.startsWith(`${origin}/`) ? back : leavePage(visit, { order, address, url: redirect_url });
  }
  const { code } = submitted.body;
  if (!isRefusal(code)) return back;
  const page = await choicePage(visit, { order, address, problem: { text: visit.t(REFUSALS[code]), way } });
  const { status, retryAfter } = submitted;
  return { ...page, status, ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }) };
}

const beginPayment = (visit: Visit, address: OrderAddress, payment: string) =>
  visit.submit('buyers_orders.pay', {
    id: address.id,
    body: { payment, return_url: `${visit.origin}${visit.link(pathOf(address))}?paid=1` },
    // The token is the right to pay, whichever site the customer comes from.
    headers: { 'X-Order-Token': address.token, Origin: visit.origin },
  });

/** Pays an order by another method, which ends a payment that is open; the page then leads to it, or says what failed. */
export async function postPay(visit: Visit, address: OrderAddress, form: Form): Promise<PageResponse> {
  await readOrder(visit, address);
  const path = visit.link(payPath(address));
  const way = (await unpaidWays(visit)).online.find(({ id }) => id === form.payment);
  if (!way) return seeOther(`${path}?choose=1`);
  await beginPayment(visit, address, way.id);
  return seeOther(path);
}

/** Payment method of the order, or the only one. */
function chosenWay({ payment }: CustomerOrder, online: readonly PaymentWay[], query: URLSearchParams) {
  if (query.has('choose')) return undefined;
  return online.find(({ id }) => id === payment?.id) ?? (online.length === 1 ? online[0] : undefined);
}

interface Shown {
  order: CustomerOrder;
  address: OrderAddress;
}

/** Page that leads to the payment service at once, without scripts, and by a link. */
function leavePage(visit: Visit, { order, address, url }: Shown & { url: string }): Page {
  const { t, link } = visit;
  const title = t('pay.leaving');
  const main = html`<h1>${title}</h1>
<p class="lead">${t('pay.leaving_text', { total: orderTotal(order, visit) })}</p>
<p class="acts"><a class="button" rel="noreferrer" href="${url}">${t('pay.continue')}</a> <a href="${link(pathOf(address))}">${t('pay.back')}</a></p>`;
  const head = html`<meta http-equiv="refresh" content="0; url=${url}">`;
  return { ...personal(visit, { title, main, kind: 'pay' }), head };
}

/** Payment methods of an order, after a problem with one or by request. */
async function choicePage(
  visit: Visit,
  { order, address, problem }: Shown & { problem?: { text: string; way: PaymentWay } },
): Promise<Page> {
  const { t, link } = visit;
  const { online, offline } = await unpaidWays(visit);
  const others = online.filter(({ id }) => id !== problem?.way.id);
  const action = link(payPath(address));
  const title = t('pay.heading', { total: orderTotal(order, visit) });
  const names = offline.map(({ name }) => name).join(', ');
  const main = html`<h1>${title}</h1>
${problem && notice('bad', problem.text)}
${problem && html`<p class="acts"><a class="button" href="${action}">${t('pay.again')}</a></p>`}
<p>${keptUntil(order, visit)}</p>
${problem && others.length > 0 && html`<h2>${t('pay.others')}</h2>`}
${others.length > 0 && html`<ul class="pay-ways">${others.map((way) => wayItem(way, action))}</ul>`}
${names !== '' && order.may_cancel && html`<p>${t('pay.offline', { names })} <a href="${link(`${pathOf(address)}cancel/`)}">${t('order.cancel')}</a></p>`}
<p><a href="${link(pathOf(address))}">${t('pay.back')}</a></p>`;
  return personal(visit, { title, main, kind: 'pay' });
}

const wayItem = ({ id, name, text }: PaymentWay, action: string): Html =>
  html`<li><form method="post" action="${action}"><button class="quiet" name="payment" value="${id}">${name}</button></form>${text !== '' && html`<p class="hint">${text}</p>`}</li>`;
