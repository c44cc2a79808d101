import { InvalidParams } from '../../http/core/errors.ts';
import { isDay } from '../../lib/dates/month.ts';
import { type CalendarAddress, calendarPath, type View } from '../frame/address.ts';
import { html } from '../frame/html.ts';
import { isPage, movedTo, type PageResponse } from '../frame/page-response.ts';
import { apiRootOf, findSubject, NotFound, type Subject } from '../frame/subject.ts';
import { queryText, type Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { venuesInCity } from './city.ts';
import { dayPage } from './day-page.ts';
import { emptyState } from './empty-state.ts';
import { eventListPage, photoPage } from './event-list.ts';
import { calendarFeed } from './feed.ts';
import { DATED, type Filters, hasEmptyFilters, isFiltered, readFilters, without, withoutDates } from './filters.ts';
import { monthPage } from './month-page.ts';
import { placesPage } from './places-page.ts';
import { weekPage } from './week-page.ts';

const VIEWS: Readonly<Record<View, (visit: Visit, request: CalendarRequest) => Promise<PageResponse>>> = {
  list: eventListPage,
  month: monthPage,
  week: weekPage,
  day: dayPage,
  photo: photoPage,
  places: placesPage,
};

/**
 * Page of events: `/events/…` and the views of a category, tag, venue or organizer.
 * @throws {NotFound}
 */
export async function calendarPage(visit: Visit, asked: CalendarAddress): Promise<PageResponse> {
  const subject = await findSubject(visit, asked.scope);
  const address = { ...asked, scope: scopeOf(subject, visit) ?? asked.scope };
  const path = calendarPath(address);
  const filters = filtersOf(visit, subject);
  const venues = filters.city === undefined ? undefined : await venuesInCity(visit, filters.city);
  const request = { address, subject, filters, ...(venues !== undefined && { venuesInCity: venues }) };
  // Some feed readers do not follow redirects.
  if (address.format !== 'page' && venues === '') throw new NotFound();
  if (address.format !== 'page') return calendarFeed(visit, withoutOtherDays(request), address.format);
  if (path !== visit.path) return movedTo(`${visit.link(path)}${queryText(visit.query)}`);
  const elsewhere = plainAddress(visit, request);
  if (elsewhere !== undefined) return { redirect: elsewhere, status: 302 };
  if (venues === '') return unknownFilter(visit, request);
  const page = await VIEWS[address.view](visit, request).catch((error: unknown) => {
    if (error instanceof InvalidParams && isFiltered(request.filters)) return unknownFilter(visit, request);
    throw error;
  });
  return isPage(page) ? { ...page, apiRoot: apiRootOf(subject, visit.origin) } : page;
}

/** Canonical scope of a record: a category has its ancestors in the address, a slug its own spelling. */
function scopeOf(subject: Subject, { origin }: Visit): CalendarAddress['scope'] | undefined {
  if (subject.kind === 'all') return undefined;
  const slugs = new URL(subject.record.url, origin).pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (subject.kind === 'category') return { kind: 'category', slugs: slugs.slice(2) };
  return { kind: subject.kind, slug: slugs.at(-1) ?? '' };
}

/** A city replaces a venue, and a venue is in one city only. */
function filtersOf({ query }: Visit, { kind }: Subject): Filters {
  const filters = readFilters(query);
  if (kind === 'venue') return without(filters, 'city');
  return filters.city === undefined ? filters : without(filters, 'venue');
}

/** Views whose address contains their days have no date filters. */
const withoutOtherDays = (request: CalendarRequest): CalendarRequest =>
  DATED.has(request.address.view) ? { ...request, filters: withoutDates(request.filters) } : request;

/**
 * Canonical address of a submitted form: without empty fields, and with the date in the path for views whose address
 * contains their days. Undefined if it is the requested address.
 */
function plainAddress(visit: Visit, request: CalendarRequest): string | undefined {
  const { address, filters } = request;
  const { start_date: day } = filters;
  const isDated = DATED.has(address.view) && (day !== undefined || filters.end_date !== undefined);
  if (!isDated) return hasEmptyFilters(visit.query) ? linkTo(visit, request, { page: address.page }) : undefined;
  const date = day !== undefined && isDay(day) && (address.view === 'month' ? day.slice(0, 7) : day);
  return linkTo(visit, request, { ...(date && { date }), filters: withoutDates(filters) });
}

/** Empty page, for a filter with an unknown value. */
const unknownFilter = async (visit: Visit, request: CalendarRequest): Promise<PageResponse> =>
  calendarFrame(visit, request, { status: 404, total: 0, main: html`${await emptyState(visit, request)}` });
