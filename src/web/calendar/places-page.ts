import { timesOf } from '../cards/event-card.ts';
import { badges, isCancelled } from '../cards/event-status.ts';
import { directions, venuesOf } from '../cards/place.ts';
import { assetPath } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Event, Venue } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { positionOf } from './event-list.ts';
import { MOST, upcoming } from './event-windows.ts';
import { without } from './filters.ts';
import { eventsAtVenuesNamed } from './found-records.ts';
import { pager } from './period-nav.ts';

/** Number of list pages whose venues are shown together. */
const LISTS = 3;

/** Venue with its next event. */
interface Place {
  venue: Venue;
  next: Event;
}

/** Venues of coming events by city, each with its next event; the first page replaces pages past the end. */
export const placesPage = (visit: Visit, request: CalendarRequest): Promise<Page> =>
  placesOn(visit, request).catch((error: unknown) => {
    if (!(error instanceof NotFound) || request.address.page === 1) throw error;
    return placesOn(visit, { ...request, address: { ...request.address, page: 1 } }, { isPastEnd: true });
  });

async function placesOn(visit: Visit, request: CalendarRequest, { isPastEnd = false } = {}): Promise<Page> {
  const { t, language } = visit;
  const { page } = request.address;
  const first = (page - 1) * LISTS + 1;
  const list = await upcoming(visit, request, { page: first, per_page: MOST });
  const others = [first + 1, first + 2].filter((number) => number <= list.total_pages);
  const more = await Promise.all(others.map((number) => upcoming(visit, request, { page: number, per_page: MOST })));
  const events = [list, ...more].flatMap((one) => one.events);
  const named = page === 1 ? await eventsAtVenuesNamed(visit, request) : [];
  const places = placesOf(byStart([...events, ...named])).sort((a, b) =>
    a.venue.venue.localeCompare(b.venue.venue, language),
  );
  const cities = [...Map.groupBy(places, ({ venue }) => venue.city ?? '')].sort(
    ([a], [b]) => Number(a === '') - Number(b === '') || a.localeCompare(b, language),
  );
  const sections = cities.map(
    ([city, own]) => html`<section class="city"><h2>${city || t('place.elsewhere')}</h2>
<ul class="places">${own.map((place) => html`<li>${placeOf(place, visit)}</li>`)}</ul></section>`,
  );
  const earlier = page > 1 ? linkTo(visit, request, { page: page - 1 }) : undefined;
  const later = first + 2 < list.total_pages ? linkTo(visit, request, { page: page + 1 }) : undefined;
  const frame = await calendarFrame(visit, request, {
    total: places.length,
    venues: places.map(({ venue }) => venue),
    notice: isPastEnd ? t('list.past_the_end') : t('place.count', { count: places.length }),
    ...(isPastEnd && { status: 404 }),
    main: html`${request.subject.kind !== 'venue' && nearForm(visit, request, cities.map(([city]) => city).filter(Boolean))}${places.length > 0 ? sections : await emptyState(visit, request)}${pager(visit, { earlier, later, position: positionOf(visit, events) })}`,
    ...(earlier !== undefined && { previous: earlier }),
    ...(later !== undefined && { next: later }),
  });
  return { ...frame, head: html`${frame.head}<script src="${assetPath('nearest.js')}" type="module"></script>` };
}

const byStart = (events: readonly Event[]): Event[] =>
  [...events].sort((a, b) => a.utc_start_date.localeCompare(b.utc_start_date));

/** Venues of events in order of time, each with its first event, a cancelled one only if there is no other. */
function placesOf(events: readonly Event[]): Place[] {
  const places = new Map<number, Place>();
  for (const event of events)
    for (const venue of venuesOf(event)) {
      const known = places.get(venue.id);
      if (!known || (isCancelled(known.next) && !isCancelled(event))) places.set(venue.id, { venue, next: event });
    }
  return [...places.values()];
}

function placeOf({ venue, next }: Place, visit: Visit): Html {
  const { link, t } = visit;
  const ways = directions(venue, visit);
  const position = venue.geo_lat !== undefined && html` data-lat="${venue.geo_lat}" data-lng="${venue.geo_lng}"`;
  return html`<article class="place"${position}>
<h3><a href="${link(venue.url)}">${venue.venue}</a></h3>
<p class="place-address">${venue.address}${ways && html`${venue.address && ' · '}${ways}`}</p>
<p class="place-next"><span>${t('place.next', { when: timesOf(next, visit, true) })}</span> <a href="${link(next.url)}">${next.title}</a> ${badges(next, visit)}</p>
</article>`;
}

/**
 * Form that selects venues by city and, with scripts, sorts them by distance from the visitor. The position stays in
 * the browser.
 * @param cities suggestions for the input
 */
function nearForm(visit: Visit, request: CalendarRequest, cities: readonly string[]): Html {
  const { t } = visit;
  const { city = '', ...others } = without(request.filters, 'venue');
  return html`<form class="near" action="${linkTo(visit, request, { filters: {} })}">
<input class="near-city" name="city" maxlength="100" list="cities" value="${city}" required aria-label="${t('near.city')}" placeholder="${t('near.city')}">
<datalist id="cities">${cities.map((one) => html`<option value="${one}"></option>`)}</datalist>
${Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${t('near.find')}</button>
<button type="button" class="quiet" hidden data-near data-failed="${t('near.failed')}" data-done="${t('near.done')}">${t('near.me')}</button>
<p class="near-said" role="status" data-near-said hidden>${t('near.about')}</p>
</form>`;
}
