import type { EventFeed } from '../../calendar/events/lists/feed.ts';
import { fileHeader } from '../../http/core/content-disposition.ts';
import { addDaysToDay, lastDayOf, weekStart } from '../../lib/dates/month.ts';
import { atomFeed } from '../feeds/atom.ts';
import type { CancelledMark, FeedDescription } from '../feeds/feed-event.ts';
import { icalFeed } from '../feeds/ical.ts';
import { jsonFeed } from '../feeds/json-feed.ts';
import type { NewsFeed } from '../feeds/news-item.ts';
import { rssFeed } from '../feeds/rss.ts';
import { type CalendarAddress, FEED_TYPES, type FeedFormat } from '../frame/address.ts';
import { pageIn } from '../frame/old-addresses.ts';
import type { File } from '../frame/page-response.ts';
import { orNotFound } from '../frame/subject.ts';
import { queryText, type Visit } from '../frame/visit.ts';
import { headingOf } from './calendar-frame.ts';
import { type CalendarRequest, linkTo, selectionOf } from './calendar-request.ts';
import { during, overBy, presentMinute } from './event-windows.ts';

/** Feeds of a calendar address or of one event. */

const NEWS: Readonly<Record<Exclude<FeedFormat, 'ical'>, (feed: NewsFeed) => string>> = {
  rss: rssFeed,
  atom: atomFeed,
  json: jsonFeed,
};

/**
 * Feed at a calendar address, with the events of its subject.
 * @throws {NotFound} for filters with unknown values
 */
export async function calendarFeed(visit: Visit, request: CalendarRequest, format: FeedFormat): Promise<File> {
  const include = visit.query.getAll('include').at(-1) || undefined;
  const params = { ...selectionOf(request), ...windowOf(visit, request.address), include };
  const found = await orNotFound(visit.ask('events.feed', params));
  const feed = request.address.page > 1 ? { ...found, ...NO_EVENTS } : found;
  const description = descriptionOf(visit, request);
  if (format === 'ical') {
    const body = await icalFeed({ ...feed, ...description });
    return calendarFile(visit, { body, name: nameOf(request), headers: truncation(feed, feed.count) });
  }
  const events = await feed.latest();
  return feedFile(visit, format, NEWS[format]({ ...description, events }), truncation(feed, events.length));
}

/** A feed has one page. Programs that request further ones stop at the first empty one. */
const NO_EVENTS = { events: [], count: 0, total: 0, latest: async () => [] } satisfies Partial<EventFeed>;

/** Requested mark of cancelled events. */
export const cancelledMark = ({ query }: Visit): CancelledMark =>
  query.getAll('cancelled').at(-1) === 'title' ? 'title' : 'status';

/** Days of an address. A list has the days of every feed, or of its filters. */
function windowOf(visit: Visit, { view, date, isPast }: CalendarAddress): Readonly<Record<string, unknown>> {
  const { today, dates } = visit;
  // For a long past, the oldest events are omitted.
  if (isPast) return { ...overBy(presentMinute(visit)), has_last: true };
  if (view === 'day') return during(date ?? today, date ?? today);
  if (view === 'month') {
    const month = date ?? today.slice(0, 7);
    return during(`${month}-01`, lastDayOf(month));
  }
  if (view !== 'week') return {};
  const first = weekStart(date ?? today, dates.firstWeekday);
  return during(first, addDaysToDay(first, 6));
}

function descriptionOf(visit: Visit, request: CalendarRequest): FeedDescription {
  const { origin, config, language, path, query, link } = visit;
  const { address, subject } = request;
  const isWhole = subject.kind === 'all' && !address.isPast && !address.isFeatured;
  return {
    title: isWhole ? config.siteName : `${headingOf(visit, request)} – ${config.siteName}`,
    url: `${origin}${linkTo(visit, request, { format: 'page' })}`,
    feedUrl: `${origin}${link(path)}${queryText(query)}`,
    language,
    cancelled: cancelledMark(visit),
  };
}

/** File name of a downloaded calendar. */
const nameOf = ({ subject }: CalendarRequest): string =>
  (subject.kind === 'all' ? undefined : subject.record.slug) ?? 'events';

/** Header with the number of omitted events. */
const truncation = ({ total }: EventFeed, count: number): Record<string, string> =>
  total > count ? { 'X-Marquee-Truncated': String(total - count) } : {};

const feedFile = (
  { language }: Visit,
  format: FeedFormat,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): File => ({
  type: `${FEED_TYPES[format]}; charset=UTF-8`,
  body,
  // Search engines list the page with the same events.
  headers: { 'X-Robots-Tag': 'noindex', 'Content-Language': language, ...headers },
});

interface CalendarFile {
  body: string;
  /** Without extension. */
  name: string;
  headers?: Readonly<Record<string, string>>;
}

/** iCalendar file, which browsers offer to a calendar program. */
export const calendarFile = (visit: Visit, { body, name, headers }: CalendarFile): File =>
  feedFile(visit, 'ical', body, { ...fileHeader('attachment', `${name}.ics`), ...headers });

/**
 * `/event/SLUG/ical/`
 * @throws {NotFound}
 */
export async function eventCalendar(visit: Visit, slug: string): Promise<File> {
  if (isFurtherPage(visit)) {
    const body = await icalFeed({ ...(await oneEventFeed(visit, slug)), ...NO_EVENTS, calendarId: '', isNamed: false });
    return calendarFile(visit, { body, name: slug });
  }
  const body = await orNotFound(visit.ask('events.read_ical_by_slug', { slug, cancelled: cancelledMark(visit) }));
  return calendarFile(visit, { body, name: slug });
}

/**
 * `/event/SLUG/feed/`: feed with one event; an event with a password is masked as in lists.
 * @throws {NotFound}
 */
export async function eventNews(visit: Visit, slug: string): Promise<File> {
  const feed = await oneEventFeed(visit, slug);
  return feedFile(visit, 'rss', rssFeed(isFurtherPage(visit) ? { ...feed, events: [] } : feed));
}

const isFurtherPage = ({ query }: Visit): boolean => (pageIn(new URLSearchParams(query)).page ?? 1) > 1;

/** @throws {NotFound} */
async function oneEventFeed(visit: Visit, slug: string): Promise<NewsFeed> {
  const { origin, language, link, path, query } = visit;
  const event = await orNotFound(visit.ask('events.feed_event', { slug }));
  return {
    title: event.title,
    url: event.url,
    feedUrl: `${origin}${link(path)}${queryText(query)}`,
    language,
    cancelled: cancelledMark(visit),
    events: [event],
  };
}
