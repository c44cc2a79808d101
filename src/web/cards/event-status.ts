import { toUtc } from '../../lib/dates/local-time.ts';
import type { MessageKey } from '../../lib/i18n.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import type { Stock } from './sale.ts';

/** Words about an event that does not take place as planned, and badges, which also show whether seats are left. */

type Announced = Pick<Event, 'event_status' | 'event_status_reason' | 'previous_start_date'> & {
  title: string;
  all_day?: boolean | null | undefined;
};

/** Banner with the status of an event and the note of its organizer; undefined for an event that takes place as planned. */
export function statusBanner(event: Announced, { t }: Pick<Visit, 't'>, withTitle = false): Html | undefined {
  const status = event.event_status ?? 'scheduled';
  if (status === 'scheduled') return undefined;
  const reason = event.event_status_reason ?? '';
  const name = t(`status.${status}`);
  return html`<p class="notice ${isCancelled(event) ? 'bad' : 'warn'}">${withTitle && html`<bdi>${event.title}</bdi> `}<strong>${reason === '' ? name : t('event.status_reason', { status: name })}</strong>${reason !== '' && html` <span dir="auto">${reason}</span>`}</p>`;
}

/** Former date of a rescheduled event; note that a postponed one has no new date yet. */
export function otherDate(
  { event_status, previous_start_date: former, all_day }: Announced,
  { t, dates }: Pick<Visit, 't' | 'dates'>,
): Html | undefined {
  if (event_status === 'postponed') return html`<p class="event-former">${t('event.date_open')}</p>`;
  if (event_status !== 'rescheduled' || !former) return undefined;
  return html`<p class="event-former">${t('event.former')} <s>${dates.range(former, former, all_day === true)}</s></p>`;
}

/** Label of an event, with its colours. */
interface Badge {
  key: MessageKey;
  tone: 'good' | 'warn' | 'bad' | 'info' | 'plain';
}

const STATUSES: Readonly<Record<string, Badge>> = {
  cancelled: { key: 'badge.cancelled', tone: 'bad' },
  postponed: { key: 'badge.postponed', tone: 'warn' },
  rescheduled: { key: 'badge.rescheduled', tone: 'warn' },
  moved_online: { key: 'badge.moved_online', tone: 'info' },
};

const STOCKS: Readonly<Record<Stock, Badge>> = {
  sold_out: { key: 'badge.sold_out', tone: 'bad' },
  few_left: { key: 'badge.few_left', tone: 'warn' },
};

export const isCancelled = ({ event_status }: Pick<Event, 'event_status'>): boolean => event_status === 'cancelled';

/** Whether the status of the event closes the sale of its tickets. */
export const isSaleClosed = (event: Pick<Event, 'event_status' | 'sale_stays_open'>): boolean =>
  isCancelled(event) || (event.event_status === 'postponed' && event.sale_stays_open !== true);

export interface BadgeOptions {
  stock?: Stock | undefined;
  /** True to mark past events, on pages with other events too. */
  withPast?: boolean;
  /** True if the page shows the status elsewhere. */
  isStatusSaid?: boolean;
}

/** Labels of an event for lists: its status and availability. */
export function badges(
  event: Pick<Event, 'event_status' | 'sale_stays_open' | 'utc_end_date'>,
  { t, now }: Visit,
  { stock, withPast, isStatusSaid }: BadgeOptions = {},
): Html | undefined {
  const status = STATUSES[event.event_status ?? ''];
  if (!status && !stock && !withPast) return undefined;
  const isOver = event.utc_end_date < toUtc(now);
  const words: Badge[] = [
    ...(status && !isStatusSaid ? [status] : []),
    ...(isOver && withPast ? [{ key: 'badge.past', tone: 'plain' } as const] : []),
    ...(stock && !isOver && !isSaleClosed(event) ? [STOCKS[stock]] : []),
  ];
  if (words.length === 0) return undefined;
  return html`<span class="badges">${words.map(({ key, tone }) => html`<span class="badge ${tone}">${t(key)}</span> `)}</span>`;
}
