import { daySpanOf, takesWholeDays } from '../../lib/dates/month.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { type BadgeOptions, badges, isCancelled } from './event-status.ts';
import { picture } from './picture.ts';
import { placeLine } from './place.ts';
import { priceLine } from './price.ts';

interface CardOptions extends BadgeOptions {
  /** True to show the day, if there is no heading with it. */
  withDay?: boolean;
  /** How often its series takes place. */
  series?: string | undefined;
}

/** Event in a list: one link with time, title, venue and price. */
export function eventCard(event: Event, visit: Visit, { withDay = false, series, ...options }: CardOptions = {}): Html {
  const { link } = visit;
  return html`<article class="card h-event${isCancelled(event) && ' is-cancelled'}">
<a class="card-link u-url" href="${link(event.url)}">
<span class="card-when"><time class="dt-start" datetime="${event.utc_start_date.replace(' ', 'T')}Z">${timesOf(event, visit, withDay)}</time>${zoneOf(event, visit)}</span>
<span dir="auto" class="card-title p-name">${event.title}</span>
${series !== undefined && html`<span class="card-series">${series}</span>`}
${badges(event, visit, options)}
${placeLine(event, visit)}
${priceLine(event, visit)}
</a>
${picture(event.image, { size: 'medium', alt: '' })}
</article>`;
}

/** Time zone of an event that has another clock than the site. */
export function zoneOf(event: Timed & Pick<Event, 'timezone' | 'timezone_abbr'>, { config }: Visit): Html | undefined {
  const isOwn = event.timezone === config.timezone || takesWholeDays(event);
  return isOwn ? undefined : html` <span class="zone">${event.timezone_abbr}</span>`;
}

/** Date and time of an event, with its time zone if the site has another one. */
export const periodOf = (event: Event, visit: Visit): Html =>
  html`${visit.dates.range(event.start_date, event.end_date, event.all_day === true)}${zoneOf(event, visit)}`;

type Timed = Pick<Event, 'start_date' | 'end_date' | 'all_day'>;

/** Time of an event in a list under its day; for a running event, its end. */
export function timesOf(event: Timed, { dates, t, today }: Visit, withDay = false): string {
  const { start_date: start, end_date: end } = event;
  const { first, last } = daySpanOf(start, end);
  if (first < today && last >= today && first !== last) return t('event.until', { day: dates.shortDay(last) });
  if (withDay) return first === last ? dayAndTime(event, dates) : dates.range(start, end, true);
  if (first !== last) return dates.range(`${first} 00:00:00`, `${last} 00:00:00`, true);
  return takesWholeDays(event) ? t('event.all_day') : dates.times(start, `${start.slice(0, 10)}${end.slice(10)}`);
}

function dayAndTime(event: Timed, dates: Visit['dates']): string {
  const { start_date: start } = event;
  return takesWholeDays(event) ? dates.shortDay(start) : `${dates.shortDay(start)}, ${dates.time(start)}`;
}
