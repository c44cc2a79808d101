import type { BriefEvent } from '../../calendar/events/render-event.ts';
import { timesOf } from '../cards/event-card.ts';
import { type Html, html } from '../frame/html.ts';
import type { Neighbours } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Links to the events before and after one. */
export function neighbourLinks({ before, after }: Neighbours, visit: Visit): Html | undefined {
  if (!before && !after) return undefined;
  const { t } = visit;
  return html`<nav class="neighbours" aria-label="${t('event.neighbours')}">
${before && neighbour(before, 'prev', visit)}
${after && neighbour(after, 'next', visit)}
</nav>`;
}

function neighbour(event: BriefEvent, rel: 'prev' | 'next', visit: Visit): Html {
  const { t, link } = visit;
  return html`<a class="neighbour ${rel}" rel="${rel}" href="${link(event.url)}"><span class="neighbour-when">${t(`event.${rel}`)} · ${timesOf(event, visit, true)}</span> <bdi>${event.title}</bdi></a>`;
}
