import { z } from 'zod';
import {
  eventFilters,
  type FilterInput,
  findTargets,
  listForFeed,
  type Target,
} from '../../calendar/events/lists/list.ts';
import { renderEvents } from '../../calendar/events/lists/render-listed.ts';
import { renderWithRelations } from '../../calendar/events/render-event.ts';
import { bySlug, getReadable, reading } from '../../calendar/events/single.ts';
import { type Event, latestOf } from '../../calendar/events/store.ts';
import type { EventTickets } from '../../calendar/events/ticketing.ts';
import type { eventSchema } from '../../calendar/events/view.ts';
import { isLocked } from '../../calendar/posts/event-password.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { ANY_TIME, type AnyEndpoint, endpoint, type GuardedContext } from '../../http/core/endpoint.ts';
import { boolean } from '../../http/input/schemas.ts';
import type { CalendarBody, EventFeed } from '../frame/bodies.ts';

/** Maximum number of events of a calendar. News feeds contain only the latest. */
export const MAX_EVENTS = 2000;
export const MAX_NEWS = 100;
/** Maximum characters of their descriptions: a hundred of the longest would be 18 MB and delay other requests. */
const MAX_NEWS_TEXT = 1_000_000;
/** Number of events loaded and rendered without a pause. */
const CHUNK = 100;
/** Events of a calendar for each point under the limit on heavy reads: about 60 milliseconds. */
const EVENTS_PER_POINT = 300;

interface FeedOptions {
  target: Target;
  hasLast?: boolean;
  tickets: EventTickets;
}

/** Events of a feed, as the viewer sees them in lists. */
export async function eventFeed(
  ctx: GuardedContext,
  input: FilterInput,
  { target, hasLast, tickets }: FeedOptions,
): Promise<EventFeed> {
  const { ids, ...found } = await listForFeed(ctx, input, { target, hasLast, limit: MAX_EVENTS });
  const render = async (some: readonly number[]) => {
    const rendered = await renderEvents(ctx, some, { tickets, password: input.password });
    return rendered.map(({ event, body }) => calendarBody(body, event));
  };
  return {
    ...found,
    count: ids.length,
    calendarId: await getCalendarId(ctx.context.db),
    events: inChunks(ids, { render, begin: () => countCalendar(ctx, ids.length) }),
    latest: async () => withinLength(await render(await latestOf(ctx.context.db, ids, MAX_NEWS))),
  };
}

/** First events whose descriptions fit the limit together. */
function withinLength(bodies: readonly CalendarBody[]): CalendarBody[] {
  let length = 0;
  return bodies.filter(({ description }) => {
    length += description.length;
    return length <= MAX_NEWS_TEXT;
  });
}

const calendarBody = (body: z.output<typeof eventSchema>, { ical_sequence }: Event): CalendarBody =>
  // Pages read venues and organizers as these types; the schema of events does not know their kinds.
  ({ ...body, ical_sequence }) as CalendarBody;

/**
 * Counts a calendar for a visitor; short ones, like most subscriptions, are free. The response has no headers about the
 * limit, since others may share it.
 * @throws {ApiError} too-many-requests
 */
async function countCalendar({ limits, client, viewer, context }: GuardedContext, events: number): Promise<void> {
  if (viewer.account || events <= CHUNK) return;
  // The largest calendar must be possible under any limit.
  const points = Math.min(Math.ceil(events / EVENTS_PER_POINT), context.config.heavyReads);
  await limits.countRequest('heavy-reads', { client, points });
}

interface Chunks {
  /** Called before the first chunk. */
  begin(): Promise<void>;
  render(some: readonly number[]): Promise<CalendarBody[]>;
}

async function* inChunks(ids: readonly number[], { begin, render }: Chunks): AsyncGenerator<CalendarBody> {
  await begin();
  for (let from = 0; from < ids.length; from += CHUNK) yield* await render(ids.slice(from, from + CHUNK));
}

/** Feed for the pages of this process, which call it by name; it has no route. The body is an `EventFeed`. */
export const eventFeedEndpoint = (tickets: EventTickets): AnyEndpoint =>
  endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: '/events.feed',
    name: 'events.feed',
    summary: 'The events of a feed',
    input: { ...eventFilters, has_last: boolean('Whether a feed without room for all events leaves out the first.') },
    answers: { 200: z.unknown() },
    errors: [],
    find: findTargets,
    async handle(ctx, { has_last: hasLast, ...input }, target) {
      const body = await eventFeed(ctx, input, { target, hasLast, tickets });
      return { body, freshUntil: body.freshUntil };
    },
  });

/** Event as in feeds. An event with a password is masked as in lists, unless the password was given. */
export async function readFeedEvent(
  ctx: GuardedContext,
  asked: Readonly<Record<string, unknown>> & { password?: string },
  { target, tickets }: { target: Parameters<typeof getReadable>[0]; tickets: EventTickets },
): Promise<CalendarBody> {
  const event = await getReadable(target, asked, ctx);
  const masked = isLocked(event, ctx.viewer, asked.password);
  return calendarBody(await renderWithRelations(event, ctx, tickets, { masked }), event);
}

/** One event as in feeds, for the pages of this process; it has no route. The body is a `CalendarBody`. */
export const feedEventEndpoint = (tickets: EventTickets): AnyEndpoint => {
  const { input, errors, find } = reading(bySlug);
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: '/events.feed/{slug}',
    name: 'events.feed_event',
    summary: 'An event as feeds show it',
    input,
    answers: { 200: z.unknown() },
    errors,
    find,
    async handle(ctx, asked, target) {
      return { body: await readFeedEvent(ctx, asked, { target, tickets }), freshUntil: ANY_TIME };
    },
  });
};
