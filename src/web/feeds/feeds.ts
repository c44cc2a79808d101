import { z } from 'zod';
import { type Address, byId, bySlug, readProperties } from '../../calendar/events/access.ts';
import { eventFilters, findTargets } from '../../calendar/events/lists/event-filters.ts';
import type { EventFeed } from '../../calendar/events/lists/feed.ts';
import { eventFeed, MAX_EVENTS, MAX_NEWS, readFeedEvent } from '../../calendar/events/lists/feed.ts';
import type { EventTickets } from '../../calendar/events/ticketing.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { fileHeader } from '../../http/core/content-disposition.ts';
import { ANY_TIME, type EndpointResponse, endpoint, type HandlerContext } from '../../http/core/endpoint.ts';
import { encodeQuery, type QueryValue } from '../../http/core/urls.ts';
import { oneOf, sharedParameter, withDefault } from '../../http/input/schemas.ts';
import { getSite } from '../../platform/site/settings.ts';
import { atomFeed } from './atom.ts';
import type { FeedDescription } from './feed-event.ts';
import { icalEvent, icalFeed } from './ical.ts';
import { jsonFeed } from './json-feed.ts';
import type { NewsFeed } from './news-item.ts';
import { rssFeed } from './rss.ts';

/** Feeds of the event list, with the same filters and rights. */

/** Seconds for which a client may use a feed without revalidation. */
const MAX_AGE = 300;

const ICAL = 'text/calendar';

const feedFields = {
  cancelled: sharedParameter(
    'cancelled',
    withDefault(
      oneOf('How a cancelled event is marked: `title` for programs that drop entries with that status.', [
        'status',
        'title',
      ]),
      'status',
    ),
  ),
};

/** Body in the format of a feed. */
const textSchema = z.string().describe('The feed.');

/** Response of a feed. */
const feedResponse = (type: string, content: string, headers: Record<string, string | number>): EndpointResponse => ({
  // Used by `_envelope`.
  body: content,
  raw: { type: `${type}; charset=UTF-8`, content },
  headers,
  maxAge: MAX_AGE,
});

/** Metadata of a feed. */
async function descriptionOf(ctx: HandlerContext, feedUrl: string): Promise<FeedDescription> {
  const { context, urls, language } = ctx;
  const { name: title } = await getSite(context, language);
  return { title, url: urls.page('/events/'), feedUrl, language };
}

const feedUrl = ({ urls }: HandlerContext, path: string, params: Record<string, QueryValue>): string => {
  const query = encodeQuery(params);
  return urls.rest('events', query === '' ? path : `${path}?${query}`);
};

/** Header of truncated feeds. */
const truncation = ({ total }: EventFeed, count: number): Record<string, number> =>
  total > count ? { 'X-Marquee-Truncated': total - count } : {};

const calendar = (tickets: EventTickets) => {
  const path = '/events.ics';
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path,
    name: 'events.ical',
    summary: 'Subscribe to events as iCalendar',
    description:
      'The filters are those of the list. Without dates: from 30 days back to 24 months ahead. ' +
      `Up to ${MAX_EVENTS} events, in order of start.`,
    input: { ...eventFilters, ...feedFields },
    responses: { 200: textSchema },
    media: [ICAL],
    responseHeaders: ['Content-Disposition', 'X-Marquee-Truncated'],
    errors: ['too-many-requests'],
    find: findTargets,
    async handle(ctx, input, target) {
      const { cancelled, ...filters } = input;
      const feed = await eventFeed(ctx, filters, { target, tickets });
      const text = await icalFeed({
        ...(await descriptionOf(ctx, feedUrl(ctx, path, { ...feed.params, cancelled }))),
        ...feed,
        cancelled,
      });
      const headers = { ...truncation(feed, feed.count), ...fileHeader('attachment', 'events.ics') };
      return { ...feedResponse(ICAL, text, headers), freshUntil: feed.freshUntil };
    },
  });
};

interface NewsFormat {
  name: string;
  path: string;
  type: string;
  summary: string;
  write(feed: NewsFeed): string;
}

const NEWS: readonly NewsFormat[] = [
  {
    name: 'events.rss',
    path: '/events.rss',
    type: 'application/rss+xml',
    summary: 'Read the latest events as RSS',
    write: rssFeed,
  },
  {
    name: 'events.atom',
    path: '/events.atom',
    type: 'application/atom+xml',
    summary: 'Read the latest events as Atom',
    write: atomFeed,
  },
  {
    name: 'events.json_feed',
    path: '/events.feed.json',
    type: 'application/feed+json',
    summary: 'Read the latest events as JSON Feed',
    write: jsonFeed,
  },
];

const news = ({ name, path, type, summary, write }: NewsFormat, tickets: EventTickets) =>
  endpoint({
    namespace: 'events',
    methods: ['GET'],
    path,
    name,
    summary,
    description: `Of the events of \`/events.ics\` the ${MAX_NEWS} that were published last, the last one first.`,
    input: { ...eventFilters, ...feedFields },
    responses: { 200: textSchema },
    media: [type],
    responseHeaders: ['X-Marquee-Truncated'],
    errors: [],
    find: findTargets,
    async handle(ctx, { cancelled, ...filters }, target) {
      const feed = await eventFeed(ctx, filters, { target, tickets });
      const events = await feed.latest();
      const address = feedUrl(ctx, path, { ...feed.params, cancelled });
      const text = write({ ...(await descriptionOf(ctx, address)), cancelled, events });
      return { ...feedResponse(type, text, truncation(feed, events.length)), freshUntil: feed.freshUntil };
    },
  });

const oneEvent = <S extends Address['suffix']>(address: Address<S>, tickets: EventTickets) => {
  const { input, errors, find } = readProperties(address);
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `${address.path}/event.ics`,
    name: `events.read_ical${address.suffix}`,
    summary: 'Add an event to a calendar as iCalendar',
    description: 'An event with a password is shown as in lists without it.',
    input: { ...input, ...feedFields },
    responses: { 200: textSchema },
    media: [ICAL],
    responseHeaders: ['Content-Disposition'],
    errors,
    find,
    async handle(ctx, { cancelled, ...asked }, target) {
      const event = await readFeedEvent(ctx, asked, { target, tickets });
      const calendarId = await getCalendarId(ctx.context.db);
      const text = await icalEvent({ event, calendarId, language: ctx.language, cancelled });
      const headers = fileHeader('attachment', `event-${event.id}.ics`);
      return { ...feedResponse(ICAL, text, headers), freshUntil: ANY_TIME };
    },
  });
};

/** `/events.ics`, `/events.rss`, `/events.atom`, `/events.feed.json`, and `event.ics` below each event. */
export const feedEndpoints = (tickets: EventTickets) => [
  calendar(tickets),
  ...NEWS.map((format) => news(format, tickets)),
  oneEvent(byId, tickets),
  oneEvent(bySlug, tickets),
];
