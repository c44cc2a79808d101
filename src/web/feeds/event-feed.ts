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

/** Events of a feed at most. News are for readers that show the latest. */
export const MAX_EVENTS = 2000;
export const MAX_NEWS = 100;
/** Characters of their descriptions: a hundred of the longest would be 18 MB, and keep other requests waiting. */
const MAX_NEWS_TEXT = 1_000_000;
/** Events that are loaded and rendered at a stretch. */
const CHUNK = 100;
/** Events of a calendar for each point under the limit on heavy reads: some 60 milliseconds. */
const EVENTS_PER_POINT = 300;

interface FeedOptions {
  target: Target;
  hasLast?: boolean;
  tickets: EventTickets;
}

/** The events of a feed, as the caller sees them in lists. */
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

/** The first events whose descriptions are not too long together. */
function withinLength(bodies: readonly CalendarBody[]): CalendarBody[] {
  let length = 0;
  return bodies.filter(({ description }) => {
    length += description.length;
    return length <= MAX_NEWS_TEXT;
  });
}

const calendarBody = (body: z.output<typeof eventSchema>, { ical_sequence }: Event): CalendarBody =>
  // Venues and organizers have the types that pages read; the schema of events does not know their kinds.
  ({ ...body, ical_sequence }) as CalendarBody;

/**
 * Counts a calendar that is made for a stranger; short ones, as most subscriptions are, are free. The answer has no
 * headers about the limit: others may share it.
 * @throws {ApiError} too-many-requests
 */
async function countCalendar({ limits, client, viewer, context }: GuardedContext, events: number): Promise<void> {
  if (viewer.account || events <= CHUNK) return;
  // The largest has to be possible under any limit.
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

/** The same for the pages of this process, which ask by name; it is no route. The body is an `EventFeed`. */
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

/** An event as feeds show it: an event with a password as lists do, unless it was given. */
export async function readFeedEvent(
  ctx: GuardedContext,
  asked: Readonly<Record<string, unknown>> & { password?: string },
  { target, tickets }: { target: Parameters<typeof getReadable>[0]; tickets: EventTickets },
): Promise<CalendarBody> {
  const event = await getReadable(target, asked, ctx);
  const masked = isLocked(event, ctx.viewer, asked.password);
  return calendarBody(await renderWithRelations(event, ctx, tickets, { masked }), event);
}

/** One event as feeds show it, for the pages of this process; no route either. The body is a `CalendarBody`. */
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
