import { toUtc } from '../../lib/dates/local-time.ts';
import type { MessageKey } from '../../lib/i18n.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import type { Stock } from './stock.ts';

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
