import type { PathAlias } from '../../db/site-settings.ts';
import { fromMs, toMs } from '../../lib/dates/local-time.ts';
import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import { type CalendarAddress, calendarAddress, calendarPath, segmentsOf, type View } from './address.ts';

/** Path with its query. */
export interface Target {
  path: string;
  query: URLSearchParams;
}

const POST_TYPES: ReadonlySet<string> = new Set(['tribe_events', 'calendar_events']);

/** Records that the front page of the reference finds by a parameter with their slug. */
const BY_SLUG: Readonly<Record<string, string>> = {
  tribe_events: 'event',
  calendar_events: 'event',
  ...Object.fromEntries(LINKED_KIND_NAMES.map((kind) => [`tribe_${kind}`, kind])),
};

/** Parameters for the calendar on the front page of the reference. */
const CALENDAR_PARAMS = ['ical', 'outlook-ical', 's', 'tribe_events_cat', 'tribe-bar-search', 'tribe-bar-date'];

/**
 * Translates an address of the reference, with its views in the query, into its path on this site. Other addresses
 * remain unchanged. Subscriptions, search engines and printed posters still use the old ones.
 * @returns the target, and whether it differs from the requested address
 */
export function modernised(asked: Target): Target & { isOld: boolean } {
  const query = new URLSearchParams(asked.query);
  const path = throughCalendar(pathOf(asked.path, query), query);
  const isOld = path !== asked.path || query.size !== asked.query.size || `${query}` !== `${asked.query}`;
  return { path, query, isOld };
}

/** Reads and removes a parameter; of several the last counts. */
function take(query: URLSearchParams, name: string): string | undefined {
  const value = query.getAll(name).at(-1);
  query.delete(name);
  return value;
}

/** Pages of the reference and its extensions, under the names of this site. */
const OLD_PAGES: Readonly<Record<string, string>> = {
  '/feed': '/events/feed/',
  '/tickets-checkout': '/cart/',
  '/tickets-order': '/my-tickets/',
  '/attendee-registration': '/cart/',
  '/events/all': '/events/',
  '/events/category': '/events/',
  '/venue': '/events/places/',
  '/venues': '/events/places/',
  '/organizer': '/organizers/',
};

/** All dates of a series, or the calendar file of one of them: `/event/walk/all/`, `/event/walk/2026-11-29/?ical=1`. */
const DATES_OF_SERIES = /^(\/event\/[^/]+\/)(all|\d{4}-\d\d-\d\d)\/?$/;

function pathOf(path: string, query: URLSearchParams): string {
  const present = Object.entries(OLD_PAGES).find(([old]) => path === old || path === `${old}/`)?.[1];
  if (present !== undefined) return present;
  const [, ofSeries, date] = DATES_OF_SERIES.exec(path) ?? [];
  const isFile = query.has('ical') || query.has('outlook-ical');
  if (ofSeries !== undefined && (date === 'all' || isFile)) return pathOf(ofSeries, query);
  if (path === '/' || path === '/index.php') return fromFrontPage(query);
  if (/^\/page\/\d+\/?$/.test(path)) return fromFrontPage(query) === '/events/' ? `/events${path}` : path;
  const [, slug] = /^\/event\/([^/]+)\/?$/.exec(path) ?? [];
  if (slug === undefined) return path;
  return takeFeed(query) === undefined ? path : `/event/${slug}/ical/`;
}

function fromFrontPage(query: URLSearchParams): string {
  for (const [name, kind] of Object.entries(BY_SLUG)) {
    const slug = take(query, name);
    if (slug) return pathOf(`/${kind}/${encodeURIComponent(slug)}/`, query);
  }
  if (query.has('p')) return '/';
  const isOfEvents = POST_TYPES.has(take(query, 'post_type') ?? '');
  return isOfEvents || CALENDAR_PARAMS.some((name) => query.has(name)) ? '/events/' : '/';
}

/** As in the reference, the presence of the parameters is enough. */
function takeFeed(query: URLSearchParams): 'ical' | undefined {
  const [plain, outlook] = [take(query, 'ical'), take(query, 'outlook-ical')];
  return plain === undefined && outlook === undefined ? undefined : 'ical';
}

/** Address of a further page that only feeds have: `/events/month/page/2/?ical=1`. */
const feedAddress = (path: string, query: URLSearchParams): CalendarAddress | undefined =>
  takeFeed(new URLSearchParams(query)) && calendarAddress(`${path}/ical/`);

/** Moves the parameters of a view into the path. */
function throughCalendar(path: string, query: URLSearchParams): string {
  const address = calendarAddress(path) ?? calendarAddress(rolledOver(path)) ?? feedAddress(path, query);
  if (!address) return path;
  const word = take(query, 'tribe-bar-search') ?? take(query, 's');
  if (word) query.set('search', word);
  const ids = take(query, 'event_ids');
  if (ids) query.set('include', ids);
  for (const name of ['posts_per_page', 'post_type', 'hide_subsequent_recurrences']) query.delete(name);
  const said = { ...address, ...scopeIn(query, address), ...displayIn(query, address), ...pageIn(query) };
  const date = dayIn(take(query, 'tribe-bar-date') ?? take(query, 'eventDate'));
  const dated = withDate(said, date, query);
  const isRead = calendarAddress(calendarPath(dated)) !== undefined;
  return isRead ? calendarPath(dated) : path;
}

function scopeIn(query: URLSearchParams, { scope }: CalendarAddress): Partial<CalendarAddress> {
  const [category, tag] = [take(query, 'tribe_events_cat'), take(query, 'tag')];
  if (scope.kind !== 'all') return {};
  if (category) return { scope: { kind: 'category', slugs: category.toLowerCase().split('/').filter(Boolean) } };
  return tag ? { scope: { kind: 'tag', slug: tag.toLowerCase() } } : {};
}

const DISPLAYS: Readonly<Record<string, Partial<CalendarAddress>>> = {
  list: { view: 'list' },
  past: { view: 'list', isPast: true },
  month: { view: 'month' },
  week: { view: 'week' },
  day: { view: 'day' },
  photo: { view: 'photo' },
  map: { view: 'places' },
};

function displayIn(query: URLSearchParams, { date }: CalendarAddress): Partial<CalendarAddress> {
  const format = takeFeed(query);
  const [plain, prefixed] = [take(query, 'eventDisplay'), take(query, 'tribe_event_display')];
  const display = plain || prefixed || '';
  const shown = date === undefined && Object.hasOwn(DISPLAYS, display) ? DISPLAYS[display] : {};
  return { ...shown, ...(format && { format }) };
}

/** Reads and removes the page of a list. */
export function pageIn(query: URLSearchParams): Partial<CalendarAddress> {
  const page = take(query, 'tribe_paged') ?? take(query, 'paged') ?? '';
  return /^[1-9]\d{0,5}$/.test(page) ? { page: Number(page) } : {};
}

/** Date in a format of the reference: `2027-3-6`, or `2027-03` for a month. Anything else is ignored. */
function dayIn(text: string | undefined): string | undefined {
  const [, year, month = '', day = ''] = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(text ?? '') ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return undefined;
  if (day === '') return `${year}-${month.padStart(2, '0')}`;
  return rolledDay(`${year}-${month.padStart(2, '0')}`, Number(day));
}

/** A day after the end of its month rolls over: 31 February is 3 March. */
function rolledDay(month: string, day: number): string | undefined {
  if (day < 1 || day > 31) return undefined;
  return fromMs(toMs(`${month}-01 00:00:00`) + (day - 1) * DAY_MS).slice(0, 10);
}

const DAY_MS = 86_400_000;

/** Path with rolled-over dates. */
const rolledOver = (path: string): string =>
  path.replace(/\/(\d{4}-(?:0[1-9]|1[0-2]))-(\d\d)(?=\/|$)/, (all, month: string, day: string) => {
    const rolled = rolledDay(month, Number(day));
    return rolled === undefined ? all : `/${rolled}`;
  });

const DATED: ReadonlySet<View> = new Set(['day', 'week']);

/** A month uses the month of a date, a day the day; a list begins there. */
function withDate(address: CalendarAddress, date: string | undefined, query: URLSearchParams): CalendarAddress {
  if (date === undefined) return address;
  if (address.view === 'month') return { ...address, date: date.slice(0, 7) };
  const day = date.length === 7 ? `${date}-01` : date;
  if (DATED.has(address.view)) return { ...address, date: day };
  query.set('start_date', day);
  return address;
}

/**
 * Path on this site for a path of a former site in another language. The longest prefix counts; undefined if none
 * matches.
 */
export function withPresentWords(path: string, words: readonly PathAlias[]): string | undefined {
  const segments = segmentsOf(path) ?? [];
  const known = segments.map((segment) => segment.normalize('NFC').toLowerCase());
  const [word] = words
    .map(({ from, to }) => ({ from: from.split('/'), to }))
    .filter(({ from }) => from.every((part, index) => part === known[index]))
    .toSorted((a, b) => b.from.length - a.from.length);
  if (!word) return undefined;
  const rest = segments.slice(word.from.length).map(encodeURIComponent);
  return `/${[word.to, ...rest].join('/')}/`;
}
