import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { timesOf, zoneOf } from './event-card.ts';
import { badges, isCancelled } from './event-status.ts';
import { picture } from './picture.ts';
import { placeLine } from './place.ts';
import type { Stock } from './sale.ts';

/** Events with their images. The first image is loaded at once because it is visible first. */
export const posters = (events: readonly Event[], visit: Visit, stock: ReadonlyMap<number, Stock>): Html =>
  html`<ol class="posters">${events.map((event, index) => html`<li>${poster(event, visit, { stock: stock.get(event.id), isFirst: index === 0 })}</li>`)}</ol>`;

interface PosterOptions {
  stock?: Stock | undefined;
  isFirst: boolean;
}

/** Event with its image in its natural ratio; without one, the date in large figures. */
function poster(event: Event, visit: Visit, { stock, isFirst }: PosterOptions): Html {
  const { link } = visit;
  return html`<article class="poster h-event${isCancelled(event) && ' is-cancelled'}">
${picture(event.image, { size: 'medium_large', alt: '', isFirst }) ?? datePanel(event, visit)}
<a class="card-link u-url" href="${link(event.url)}"><span dir="auto" class="card-title p-name">${event.title}</span>
<time class="card-when dt-start" datetime="${event.utc_start_date.replace(' ', 'T')}Z">${timesOf(event, visit, true)}${zoneOf(event, visit)}</time>
${badges(event, visit, { stock })}
${placeLine(event, visit)}</a>
</article>`;
}

function datePanel({ start_date: start }: Event, { dates }: Visit): Html {
  const name = dates.month(start).replace(start.slice(0, 4), '').trim();
  return html`<span class="date-panel" aria-hidden="true"><b>${Number(start.slice(8, 10))}</b><span>${name}</span></span>`;
}
