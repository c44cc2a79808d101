import { type Html, html } from '../html.ts';
import type { EventBody } from '../public/bodies.ts';
import type { Visit } from '../public/visit.ts';
import { picture } from './picture.ts';
import { placeLine } from './place.ts';
import { priceLine } from './price.ts';

/** An event in a list: one link, with its time, title, place and price. */
export function eventCard(event: EventBody, visit: Visit): Html {
  const { dates, link, today } = visit;
  const { start_date: start, end_date: end } = event;
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const when =
    isOneDay && start.slice(0, 10) >= today ? timesOf(event, visit) : dates.range(start, end, event.all_day === true);
  return html`<article class="card h-event">
<a class="card-link u-url" href="${link(event.url)}">
<span class="card-when"><time class="dt-start" datetime="${event.utc_start_date.replace(' ', 'T')}Z">${when}</time></span>
<span class="card-title p-name">${event.title}</span>
${placeLine(event)}
${priceLine(event)}
</a>
${picture(event.image, { size: 'medium', alt: '' })}
</article>`;
}

function timesOf({ start_date, end_date, all_day }: EventBody, { dates, t }: Visit): string {
  return all_day ? t('event.all_day') : dates.times(start_date, end_date);
}
