import { fold, searchWords } from '../../lib/text/text.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Venue } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { MOST, notOver, upcoming } from './event-windows.ts';
import { without } from './filters.ts';

/** Venues and organizers that a search names; the list of events searches the texts of the events only. */

/** Number of venues, and of organizers, that are shown. */
const SHOWN = 4;
/** Number of records that are read, since the words may be in their other texts. */
const READ = 100;

/** Tests if all words of a search occur in a text. */
const hasWords = (search: string, texts: readonly (string | undefined)[]): boolean => {
  const text = fold(texts.filter(Boolean).join(' '));
  return searchWords(search).every((word) => text.includes(fold(word)));
};

/** Venues with events whose name or address has the words. */
async function venuesNamed({ ask }: Visit, search: string): Promise<Venue[]> {
  const { venues } = await ask('venues.list', { search, has_events: true, per_page: READ });
  return venues.filter(({ venue, address, city, zip, province, state, country }) =>
    hasWords(search, [venue, address, city, zip, province, state, country]),
  );
}

async function organizersNamed({ ask }: Visit, search: string) {
  const { organizers } = await ask('organizers.list', { search, has_events: true, per_page: READ });
  return organizers.filter(({ organizer }) => hasWords(search, [organizer]));
}

/** Coming events of the venues that a search names, with all other filters of the page. */
export async function eventsAtVenuesNamed(visit: Visit, request: CalendarRequest): Promise<readonly Event[]> {
  const { filters, venuesInCity, subject } = request;
  const { search } = filters;
  if (search === undefined || subject.kind === 'venue') return [];
  const wanted = (venuesInCity ?? filters.venue)?.split(',');
  const ids = (await venuesNamed(visit, search))
    .map(({ id }) => String(id))
    .filter((id) => wanted?.includes(id) ?? true);
  if (ids.length === 0) return [];
  const own = { ...request, filters: without(filters, 'search'), venuesInCity: ids.join(',') };
  return (await upcoming(visit, own, { page: 1, per_page: MOST })).events;
}

interface Found {
  name: string;
  /** City of a venue. */
  part?: string | undefined;
  url: string;
  /** Parameters of the list of its events. */
  selection: { venue: number } | { organizer: number };
}

/** Links to the venues and organizers that the search of a page names, with the number of their coming events. */
export async function foundRecords(visit: Visit, request: CalendarRequest): Promise<Html | undefined> {
  const { address, subject, filters } = request;
  const { search } = filters;
  if (search === undefined || subject.kind !== 'all' || address.page > 1 || address.view === 'places') return undefined;
  const [venues, organizers] = await Promise.all([venuesNamed(visit, search), organizersNamed(visit, search)]);
  const records: Found[] = [
    ...venues
      .slice(0, SHOWN)
      .map(({ id, venue, city, url }) => ({ name: venue, part: city, url, selection: { venue: id } })),
    ...organizers
      .slice(0, SHOWN)
      .map(({ id, organizer, url }) => ({ name: organizer, url, selection: { organizer: id } })),
  ];
  if (records.length === 0) return undefined;
  const { t, link, ask } = visit;
  const items = records.map(async ({ name, part, url, selection }) => {
    const { total } = await ask('events.list', { ...selection, ...notOver(visit), per_page: 1 });
    return html`<li><article class="place"><h3><a href="${link(url)}" dir="auto">${name}</a></h3>
<p>${part && html`<span dir="auto">${part}</span> · `}${t('found.coming', { count: total })}</p></article></li>`;
  });
  const all = linkTo(visit, request, { ...PLAIN, view: 'places', filters: { search } });
  return html`<section class="city"><h2>${t('found.heading')}</h2>
<ul class="places">${await Promise.all(items)}</ul>
${venues.length > SHOWN && html`<p><a href="${all}">${t('found.all')}</a></p>`}</section>`;
}
