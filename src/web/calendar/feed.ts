import type { EventFeed } from '../../calendar/events/lists/feed.ts';
import { dayAfter, lastDayOf, weekStart } from '../../lib/dates/month.ts';
import { atomFeed } from '../feeds/atom.ts';
import type { CancelledMark, FeedDescription } from '../feeds/feed-event.ts';
import { icalFeed } from '../feeds/ical.ts';
import { jsonFeed } from '../feeds/json-feed.ts';
import type { NewsFeed } from '../feeds/news-item.ts';
import { rssFeed } from '../feeds/rss.ts';
import { type CalendarAddress, FEED_TYPES, type FeedFormat } from '../frame/address.ts';
import type { File } from '../frame/answer.ts';
import { pageIn } from '../frame/old-addresses.ts';
import { orNotFound } from '../frame/subject.ts';
import { queryText, type Visit } from '../frame/visit.ts';
import { headingOf } from './calendar-frame.ts';
import { type CalendarRequest, linkTo, selectionOf } from './calendar-request.ts';
import { during, overBy, presentMinute } from './event-windows.ts';

/** The events of a calendar address, or one event, as feeds. */

const NEWS: Readonly<Record<Exclude<FeedFormat, 'ical'>, (feed: NewsFeed) => string>> = {
  rss: rssFeed,
  atom: atomFeed,
  json: jsonFeed,
};

/**
 * The feed at a calendar address, of the events that the page there is about.
 * @throws {NotFound} for filters by something that does not exist
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

/** A feed is one page. Programs that ask for further ones stop at the first without events. */
const NO_EVENTS = { events: [], count: 0, total: 0, latest: async () => [] } satisfies Partial<EventFeed>;

/** How the address asks for cancelled events to be marked. */
export const cancelledMark = ({ query }: Visit): CancelledMark =>
  query.getAll('cancelled').at(-1) === 'title' ? 'title' : 'status';

/** The days that an address names. A list has those of every feed, or what its filters say. */
function windowOf(visit: Visit, { view, date, isPast }: CalendarAddress): Readonly<Record<string, unknown>> {
  const { today, dates } = visit;
  // What is latest is nearest: of a long past the first events are left out.
  if (isPast) return { ...overBy(presentMinute(visit)), has_last: true };
  if (view === 'day') return during(date ?? today, date ?? today);
  if (view === 'month') {
    const month = date ?? today.slice(0, 7);
    return during(`${month}-01`, lastDayOf(month));
  }
  if (view !== 'week') return {};
  const first = weekStart(date ?? today, dates.firstWeekday);
  return during(first, dayAfter(first, 6));
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

/** What a downloaded calendar is called. */
const nameOf = ({ subject }: CalendarRequest): string =>
  (subject.kind === 'all' ? undefined : subject.record.slug) ?? 'events';

/** Says how many of the matching events the feed leaves out. */
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
  // Search engines list the page of the same events.
  headers: { 'X-Robots-Tag': 'noindex', 'Content-Language': language, ...headers },
});

interface CalendarFile {
  body: string;
  /** Without its ending. */
  name: string;
  headers?: Readonly<Record<string, string>>;
}

/** An iCalendar file, which browsers offer to a calendar program. */
export const calendarFile = (visit: Visit, { body, name, headers }: CalendarFile): File =>
  feedFile(visit, 'ical', body, {
    'Content-Disposition': `attachment; filename="${encodeURIComponent(name)}.ics"`,
    ...headers,
  });

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
 * `/event/SLUG/feed/`: the event as the only item of a feed; of an event with a password what lists show of it.
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
