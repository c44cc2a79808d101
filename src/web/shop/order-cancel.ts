import { utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { fromUtc, toUtc } from '../../lib/dates/local-time.ts';
import { cancellableUntil } from '../../platform/site/cancellation.ts';
import { cancellationRefusal, REFUSALS } from '../../ticketing/orders/cancellation.ts';
import { priceInWords } from '../cards/price.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { refusalOf } from '../frame/refusal.ts';
import type { CustomerOrder, HeldTicket } from '../frame/responses.ts';
import { type SentForm, sentForm, showAgain } from '../frame/sent-form.ts';
import type { Visit } from '../frame/visit.ts';
import { type OrderAddress, pathOf, readOrder } from './order-address.ts';

/** Confirmation page for cancelling an order, with the consequences, or the reason why it is impossible. */
export async function cancelPage(
  visit: Visit,
  address: OrderAddress,
  { refusal }: Pick<SentForm, 'refusal'> = sentForm(visit),
): Promise<PageResponse> {
  const { t, link } = visit;
  const order = await readOrder(visit, address);
  const main = html`<h1>${t('cancel.heading')}</h1>
${errorSummary(refusal.errors, visit)}
${order.may_cancel ? question(order, { visit, address }) : html`<p class="lead">${t(reasonOf(order, visit))}</p>`}
<p><a href="${link(pathOf(address))}">${t('cancel.back')}</a></p>`;
  return personal(visit, { title: t('cancel.heading'), main, kind: 'order', refusal });
}

function question(order: CustomerOrder, { visit, address }: { visit: Visit; address: OrderAddress }): Html {
  const { t, link } = visit;
  const own = order.attendees.filter(({ status }) => status === 'publish');
  return html`<p class="lead">${t('cancel.text', { count: own.length })}</p>
<ul>${own.map(({ full_name, title, event }) => html`<li>${full_name}, ${title}${event && html`, ${event.title}`}</li>`)}</ul>
${order.status === 'completed' && order.total.minor > 0 && notice('warn', t('cancel.money', { total: priceInWords(order.total.minor, visit, order.currency) }))}
<p>${cancellableText(order, visit)}</p>
<form method="post" action="${link(`${pathOf(address)}cancel/`)}"><button class="bad">${t('cancel.act', { count: own.length })}</button></form>`;
}

/** First event of an order. */
function firstEvent({ attendees }: CustomerOrder): HeldTicket['event'] {
  const events = attendees.flatMap(({ event }) => event ?? []);
  return events.toSorted((a, b) => (a.utc_start_date < b.utc_start_date ? -1 : 1))[0] ?? null;
}

/** End of the cancellation period in the time zone of the event; empty if there is none. */
export function cancellableText(order: CustomerOrder, { t, dates, site }: Visit): string {
  const event = firstEvent(order);
  if (order.status !== 'completed' || !event || !site) return '';
  const isFree = order.total.minor === 0;
  const until = cancellableUntil(site.cancellation, { starts: fromUtc(event.utc_start_date), isFree });
  if (!until) return '';
  const local = utcToLocal(toUtc(until), event.timezone);
  const zone = zoneAbbreviation(toUtc(until), event.timezone);
  return t('cancel.until', { when: `${dates.range(local, local, false)} ${zone}` });
}

function reasonOf(order: CustomerOrder, { site, now }: Visit): Parameters<Visit['t']>[0] {
  const cancelled = {
    order: { status: order.status, total: order.total.minor },
    begins: firstEvent(order)?.utc_start_date,
    isAnyCheckedIn: order.attendees.some(({ status, checked_in }) => status === 'publish' && checked_in),
  };
  const reason = site && cancellationRefusal(cancelled, site.cancellation, now);
  return reason ? REFUSALS[reason] : 'cancel.closed';
}

/** Cancels an order. */
export async function postCancel(visit: Visit, address: OrderAddress): Promise<PageResponse> {
  await readOrder(visit, address);
  const submitted = await visit.submit('buyers_orders.cancel', {
    id: address.id,
    body: {},
    headers: { 'X-Order-Token': address.token },
  });
  if (submitted.isDone) return seeOther(visit.link(pathOf(address)));
  const sent = { form: {}, refusal: refusalOf(submitted) };
  return showAgain(visit, { ...sent, path: `${pathOf(address)}cancel/`, page: () => cancelPage(visit, address, sent) });
}
