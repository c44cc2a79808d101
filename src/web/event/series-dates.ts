import type { BriefEvent } from '../../calendar/events/render-event.ts';
import { capitalised } from '../cards/series-words.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Responses } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

export type SeriesDates = Responses['series.dates'];

/** Number of other dates beside an event. */
const SHOWN = 8;

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
<ul class="terms">${others.slice(0, SHOWN).map((one) => html`<li>${dateLink(one, visit)}</li>`)}${others.length > SHOWN && html`<li><a href="${link(dates.series.url)}">${t('series.all_dates')}</a></li>`}</ul></section>`;
}

function dateLink({ url, start_date, event_status }: BriefEvent, { link, dates, t }: Visit): Html {
  const isOff = event_status === 'cancelled';
  const day = dates.shortDay(start_date);
  return html`<a href="${link(url)}">${isOff ? html`<s>${day}</s> <span class="visually-hidden">${t('status.cancelled')}</span>` : day}</a>`;
}
