import type { BriefEvent } from '../../calendar/events/render-event.ts';
import { InvalidParams } from '../../http/core/errors.ts';
import { pageOf } from '../calendar/event-windows.ts';
import { timesOf } from '../cards/event-card.ts';
import { venuesOf } from '../cards/place.ts';
import { capitalised } from '../cards/series-words.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Neighbours, Responses } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Ways from an event to others: the dates of its series, the events before and after it, and similar ones. */

export type SeriesDates = Responses['series.dates'];

/** Maximum number of other dates beside an event. */
const MOST_DATES = 8;

/** The series of an event; undefined if it has none. */
export async function seriesOf({ ask }: Visit, event: Event): Promise<SeriesDates | undefined> {
  return event.series ? orNotFound(ask('series.dates', { id: event.series.id })) : undefined;
}

/** Line below the date of an event: how often it takes place, and all of its dates. */
export function seriesLine(dates: SeriesDates | undefined, { t, link, language }: Visit): Html | undefined {
  if (!dates) return undefined;
  const { url, text } = dates.series;
  return html`<p class="event-series hint">${capitalised(text, language)} · <a href="${link(url)}">${t('series.all_dates')}</a></p>`;
}

const othersOf = (dates: SeriesDates | undefined, { id: own }: Event): BriefEvent[] =>
  (dates?.dates ?? []).filter(({ id }) => id !== own);

/** Button to the other dates, for an event that is sold out; undefined if none of them takes place. */
export function wayToOtherDates(dates: SeriesDates | undefined, event: Event, { t }: Visit): Html | undefined {
  if (!othersOf(dates, event).some(({ event_status }) => event_status !== 'cancelled')) return undefined;
  return html`<p class="way-in"><a class="button quiet" href="#other-dates">${t('series.other_dates')}</a></p>`;
}

/** Other dates of the series of an event. */
export function otherDates(dates: SeriesDates | undefined, event: Event, visit: Visit): Html | undefined {
  const others = othersOf(dates, event);
  if (!dates || others.length === 0) return undefined;
  const { t, link } = visit;
  return html`<section class="event-dates-other"><h2 id="other-dates">${t('series.other_dates')}</h2>
<ul class="terms">${others.slice(0, MOST_DATES).map((one) => html`<li>${dateLink(one, visit)}</li>`)}${others.length > MOST_DATES && html`<li><a href="${link(dates.series.url)}">${t('series.all_dates')}</a></li>`}</ul></section>`;
}

function dateLink({ url, start_date, event_status }: BriefEvent, { link, dates, t }: Visit): Html {
  const isOff = event_status === 'cancelled';
  const day = dates.shortDay(start_date);
  return html`<a href="${link(url)}">${isOff ? html`<s>${day}</s> <span class="visually-hidden">${t('status.cancelled')}</span>` : day}</a>`;
}

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

/** Maximum number of further events. */
const MOST_SUGGESTED = 3;

/** Next events at the venue of an event or, if these are few, in its categories. */
export async function moreLike(visit: Visit, event: Event): Promise<Event[]> {
  const places = venuesOf(event).map(({ id }) => id);
  const kinds = event.categories.map(({ id }) => id);
  const found = new Map<number, Event>();
  for (const [name, ids] of Object.entries({ venue: places, categories: kinds })) {
    if (ids.length === 0 || found.size >= MOST_SUGGESTED) continue;
    const events = await comingOf(
      visit,
      { [name]: ids.slice(0, MOST_NAMED).join(',') },
      MOST_SUGGESTED + 1 + found.size,
    );
    for (const one of events) if (one.id !== event.id) found.set(one.id, one);
  }
  return [...found.values()].slice(0, MOST_SUGGESTED);
}

/** Maximum number of venues or categories used in the search. */
const MOST_NAMED = 10;

/** Next events with a filter; none if it names a venue hidden from visitors. */
async function comingOf(visit: Visit, filter: Readonly<Record<string, string>>, count: number): Promise<Event[]> {
  try {
    return (await pageOf(visit, { ...filter, start_date: visit.today, per_page: count })).events;
  } catch (error) {
    if (error instanceof InvalidParams) return [];
    throw error;
  }
}
