import { ApiError } from '../../http/errors.ts';
import { type Html, html } from '../html.ts';
import { directions } from '../parts/directions.ts';
import { emptyState } from '../parts/empty-state.ts';
import { timesOf } from '../parts/event-card.ts';
import { pager } from '../parts/pager.ts';
import { addressLines, venuesOf } from '../parts/place.ts';
import type { Page } from './answer.ts';
import type { EventBody, VenueBody } from './bodies.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { MINUTE_MS, MOST, upcoming } from './event-windows.ts';
import { isFiltered } from './filters.ts';
import { NotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** Venues of one page: each has its next event looked up. */
const PER_PAGE = 30;

/** A venue and what takes place there next. */
interface Place {
  venue: VenueBody;
  next: EventBody | undefined;
}

interface Places {
  places: Place[];
  total: number;
  pages: number;
}

/** The venues of the events to come, by city, each with what is next there. */
export async function placesPage(visit: Visit, request: CalendarRequest): Promise<Page> {
  const { t, language } = visit;
  const { address, subject, filters } = request;
  const isWhole = subject.kind === 'all' && !isFiltered(filters) && !address.isFeatured;
  const { places, total, pages } = await (isWhole ? allPlaces(visit, request) : placesOfNext(visit, request));
  const { page } = address;
  const before = page > 1 ? linkTo(visit, request, { page: page - 1 }) : undefined;
  const after = page < pages ? linkTo(visit, request, { page: page + 1 }) : undefined;
  const byName = places.toSorted((a, b) => a.venue.venue.localeCompare(b.venue.venue, language));
  const cities = [...Map.groupBy(byName, ({ venue }) => venue.city ?? '')].sort(
    ([a], [b]) => Number(a === '') - Number(b === '') || a.localeCompare(b, language),
  );
  const sections = cities.map(
    ([city, own]) => html`<section class="city"><h2>${city || t('place.elsewhere')}</h2>
<ul class="places">${own.map((place) => html`<li>${placeOf(place, visit)}</li>`)}</ul></section>`,
  );
  const position = t('pager.position', { page: String(page), pages: String(pages) });
  return calendarFrame(visit, request, {
    total,
    notice: t('place.count', { count: total }),
    main: html`${places.length > 0 ? sections : await emptyState(visit, request)}${pager(visit, { earlier: before, later: after, position, isByName: true })}`,
    ...(before !== undefined && { previous: before }),
    ...(after !== undefined && { next: after }),
  });
}

/** A page of all venues with events to come. */
async function allPlaces(visit: Visit, request: CalendarRequest): Promise<Places> {
  const { ask, now } = visit;
  const { page } = request.address;
  const until = now.getTime() + MINUTE_MS;
  const listed = ask('venues.list', { only_with_upcoming: true, page, per_page: PER_PAGE }, until);
  const {
    venues,
    total,
    total_pages: pages,
  } = await listed.catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'venue-archive-page-not-found' ? new NotFound() : error;
  });
  const places = venues.map(async (venue): Promise<Place> => {
    const { events } = await upcoming(
      visit,
      { ...request, filters: { venue: String(venue.id) } },
      { page: 1, per_page: 1 },
    );
    return { venue, next: events[0] };
  });
  return { places: await Promise.all(places), total, pages };
}

/** The venues of the next events that match. */
async function placesOfNext(visit: Visit, request: CalendarRequest): Promise<Places> {
  const { events } = await upcoming(visit, request, { page: request.address.page, per_page: MOST });
  const places = new Map<number, Place>();
  for (const event of events)
    for (const venue of venuesOf(event)) if (!places.has(venue.id)) places.set(venue.id, { venue, next: event });
  return { places: [...places.values()], total: places.size, pages: 1 };
}

function placeOf({ venue, next }: Place, visit: Visit): Html {
  const { link, t } = visit;
  const { city: _city, ...inCity } = venue;
  const ways = directions(venue, visit);
  return html`<article class="place">
<h3><a href="${link(venue.url)}">${venue.venue}</a></h3>
<p class="place-address">${addressLines(inCity).slice(0, 1)}${ways && html` · ${ways}`}</p>
${next && html`<p class="place-next"><span>${t('place.next', { when: timesOf(next, visit, true) })}</span> <a href="${link(next.url)}">${next.title}</a></p>`}
</article>`;
}
