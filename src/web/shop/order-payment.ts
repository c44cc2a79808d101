import { isRemoteGateway } from '../../platform/site/payment-gateways.ts';
import { priceInWords } from '../cards/price.ts';
import { type Html, html } from '../frame/html.ts';
import { notice } from '../frame/notice.ts';
import type { CustomerOrder, PaymentWay } from '../frame/responses.ts';
import type { Visit, Wording } from '../frame/visit.ts';
import { type OrderAddress, pathOf } from './order-address.ts';
import { isEventOff, unpaidText, validUntil } from './ticket-state.ts';

/** Payment of an order, on its page. */

export const payPath = (address: OrderAddress): string => `${pathOf(address)}pay/`;

/** Whether a payment method leads to a payment service. */
export const isOnline = ({ gateway }: Pick<PaymentWay, 'gateway'>): boolean => isRemoteGateway(gateway);

/** Available payment methods, in the order of the site. */
export const availableWays = async ({ ask }: Visit): Promise<PaymentWay[]> =>
  (await ask('site.read')).payment_ways.filter(({ available }) => available);

/** Available payment methods: at payment services, and others. */
export async function unpaidWays(visit: Visit): Promise<{ online: PaymentWay[]; offline: PaymentWay[] }> {
  const ways = await availableWays(visit);
  return { online: ways.filter(isOnline), offline: ways.filter((way) => !isOnline(way)) };
}

export const orderTotal = ({ total, currency }: CustomerOrder, visit: Wording): string =>
  priceInWords(total.minor, visit, currency);

/** Date and time in the time zone of the site. */
const timeOf = (utc: string, { dates, localTime, zoneAt }: Wording): string => {
  const local = localTime(utc);
  return `${dates.range(local, local, false)} ${zoneAt(utc)}`;
};

/** Until when an unpaid order keeps its places; for a transfer, the date by which to pay. */
export function keptUntil({ expires_utc, payment }: CustomerOrder, visit: Wording): string {
  if (!expires_utc) return '';
  const isTransfer = payment !== null && payment.reference !== null;
  return visit.t(isTransfer ? 'pay.transfer_until' : 'order.until', { when: timeOf(expires_utc, visit) });
}

/** Delays in seconds between checks after the return from a payment service; later checks need a click. */
const LOOKS = [3, 5, 10, 20];

/** Number of the check that an address requests; 0 for none. */
export const lookOf = ({ query }: Visit): number => {
  const look = Number(query.get('paid') ?? 0);
  return Number.isInteger(look) && look > 0 ? look : 0;
};

/** Address and delay of the next check of an order whose payment is unknown; undefined if there is none. */
export function nextLook(order: CustomerOrder, visit: Visit, address: OrderAddress) {
  const look = lookOf(visit);
  const seconds = LOOKS[look - 1];
  const isWaiting =
    order.status === 'pending' && (order.payment_status === 'created' || order.payment_status === 'open');
  if (!isWaiting || seconds === undefined) return undefined;
  return { seconds, url: visit.link(`${pathOf(address)}?paid=${look + 1}`) };
}

/** Refreshes the page in browsers without scripts; public.js does the same with the link of the page. */
export const refreshHead = (next: ReturnType<typeof nextLook>): Html | undefined =>
  next && html`<noscript><meta http-equiv="refresh" content="${next.seconds}; url=${next.url}"></noscript>`;

const UNDER_WAY: ReadonlySet<string> = new Set(['approved', 'action-req']);

/** Status of an order, with the next step for the customer. */
export async function progressOf(order: CustomerOrder, visit: Visit, address: OrderAddress): Promise<Html> {
  const { status } = order;
  const { t } = visit;
  const off = eventsOff(order);
  if (off) return notice('info', t(off));
  if (order.at_door) return atDoor(order, visit);
  if (status === 'completed') return notice('good', t('order.completed'));
  if (status === 'pending') return pending(order, visit, address);
  if (UNDER_WAY.has(status)) return notice('info', t(status === 'approved' ? 'pay.approved' : underWay(order)));
  return notice('bad', html`${t(endOf(order))}${moneyBack(order, visit)}${moneyLeft(order, visit)}`);
}

/** Text for an order whose events are all cancelled; undefined for others, and while a payment is under way. */
function eventsOff({ attendees, at_door, status }: CustomerOrder) {
  const held = attendees.filter((ticket) => ticket.status === 'publish');
  if (held.length === 0 || !held.every(isEventOff)) return undefined;
  if (status === 'completed') return 'order.off_paid';
  return at_door ? 'order.off_unpaid' : undefined;
}

/** Without a payment at a service, staff have set the status. */
const underWay = ({ payment_status }: CustomerOrder) => (payment_status === 'action' ? 'pay.action' : 'order.pending');

/** Reason why an order is no longer valid. */
function endOf(order: CustomerOrder) {
  const { status, refunds } = order;
  if (status === 'voided') return 'order.cancelled';
  if (status === 'refunded' || status === 'reversed') return 'order.refunded';
  if (refunds.some(({ cause }) => cause === 'late')) return 'pay.late';
  return hasFailed(order) ? 'pay.expired' : 'order.over';
}

/** Notice about refunded money. */
function moneyBack({ refunds, refunded, currency }: CustomerOrder, visit: Visit): Html | undefined {
  if (refunds.length === 0 || refunded.minor === 0) return undefined;
  const isDone = refunds.every(({ status }) => status === 'done');
  const total = priceInWords(refunded.minor, visit, currency);
  return html` ${visit.t(isDone ? 'pay.back_done' : 'pay.back_coming', { total })}`;
}

/** Money of an order without places that is neither refunded nor kept on purpose. */
function moneyLeft({ paid, charges, currency }: CustomerOrder, visit: Visit): Html | undefined {
  const kept = charges.filter(({ kind }) => kind === 'kept').reduce((sum, { amount }) => sum + amount.minor, 0);
  if (paid.minor <= kept) return undefined;
  return html` ${visit.t('order.money_left', { total: priceInWords(paid.minor - kept, visit, currency) })}`;
}

async function pending(order: CustomerOrder, visit: Visit, address: OrderAddress): Promise<Html> {
  const { t } = visit;
  const next = nextLook(order, visit, address);
  if (next)
    return html`<div class="notice info" role="status"><p><strong>${t('pay.waiting')}</strong></p>
<p>${t('pay.waiting_text')}</p>
<p><a href="${next.url}" data-refresh="${next.seconds}">${t('pay.look')}</a></p></div>`;
  const until = keptUntil(order, visit);
  return html`<div class="notice warn"><p>${t(pendingText(order, visit))}</p>
${order.pay_url === null || order.payment_status === null ? instructions(order, visit) : undefined}
${until !== '' && html`<p>${until}</p>`}
${order.pay_url !== null && (await payActs(order, visit, address))}</div>`;
}

const hasFailed = ({ payment_status }: CustomerOrder): boolean =>
  payment_status === 'failed' || payment_status === 'cancelled';

function pendingText(order: CustomerOrder, visit: Visit) {
  if (hasFailed(order)) return 'pay.failed';
  return lookOf(visit) > 0 ? 'pay.unknown' : 'order.pending';
}

/** Instructions of the payment method. */
function instructions({ payment }: CustomerOrder, { t }: Visit): Html {
  if (!payment) return html`<p>${t('order.pay_elsewhere')}</p>`;
  const { name, text, reference } = payment;
  return html`<p><strong>${name}</strong> ${text}</p>
${reference !== null && html`<p>${t('pay.reference')} <strong>${reference}</strong></p>`}`;
}

async function payActs(order: CustomerOrder, visit: Visit, address: OrderAddress): Promise<Html> {
  const { t, link } = visit;
  const { online, offline } = await unpaidWays(visit);
  const isOwn = online.some(({ id }) => id === order.payment?.id);
  const first = isOwn ? 'pay.now' : 'pay.online';
  const label = t(hasFailed(order) ? 'pay.again' : first);
  const isChoice = isOwn && online.length + offline.length > 1;
  return html`<p class="acts"><a class="button" href="${link(payPath(address))}">${label}</a>${isChoice && html` <a href="${link(`${payPath(address)}?choose=1`)}">${t('pay.choose')}</a>`}</p>`;
}

/** Amount to be paid at the door, until when the places are kept, and what to bring. */
function atDoor(order: CustomerOrder, visit: Visit): Html {
  const { payment, expires_utc, number = '' } = order;
  const { t } = visit;
  const until = validUntil(visit, expires_utc);
  return html`<div class="notice warn"><p><strong>${unpaidText(order, visit)}</strong>${until && html`<br>${until}`}</p>
<p>${t('order.bring', { number })}</p>
${payment?.text && html`<p>${payment.text}</p>`}</div>`;
}

/** Receipt: payments and refunds, with their dates and methods. */
export function receipt({ receipts, refunds, currency }: CustomerOrder, visit: Visit): Html | undefined {
  if (receipts.length + refunds.length === 0) return undefined;
  const { t } = visit;
  const rows = [
    ...receipts.map(({ name, instrument, amount, paid_utc }) => ({
      what: t('pay.paid_with', { how: [name, instrument].filter(Boolean).join(', ') || t('pay.by_hand') }),
      when: paid_utc,
      amount: priceInWords(amount.minor, visit, currency),
    })),
    ...refunds.map(({ status, amount, date_utc }) => ({
      what: t(status === 'done' ? 'pay.row_back' : 'pay.row_coming'),
      when: date_utc,
      amount: `\u2212${priceInWords(amount.minor, visit, currency)}`,
    })),
  ];
  return html`<section><h2>${t('pay.receipt')}</h2>
<table class="cart receipt"><thead><tr><th scope="col">${t('checkout.payment')}</th><th scope="col">${t('pay.when')}</th><th scope="col" class="amount">${t('pay.amount')}</th></tr></thead>
<tbody>${rows.map(({ what, when, amount }) => html`<tr><td>${what}</td><td>${visit.dates.date(visit.localTime(when))}</td><td class="amount">${amount}</td></tr>`)}</tbody></table></section>`;
}
