import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { isCancelled } from './badges.ts';

/** Words about an event that does not take place as planned. */

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
