import type { z } from 'zod';
import { getCalendarId } from '../../../db/site-settings.ts';
import type { GuardedContext } from '../../../http/core/endpoint.ts';
import type { QueryValue } from '../../../http/core/urls.ts';
import { isLocked } from '../../posts/event-password.ts';
import { renderWithRelations } from '../render-event.ts';
import { getReadable } from '../single.ts';
import { type Event, latestOf } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import type { eventSchema } from '../view.ts';
import { type FilterInput, listForFeed, type Target } from './list.ts';
import { renderEvents } from './render-listed.ts';

/** Events of a feed at most. News are for readers that show the latest. */
export const MAX_EVENTS = 2000;
export const MAX_NEWS = 100;
/** Characters of their descriptions: a hundred of the longest would be 18 MB, and keep other requests waiting. */
const MAX_NEWS_TEXT = 1_000_000;
/** Events that are loaded and rendered at a stretch. */
const CHUNK = 100;
/** Events of a calendar for each point under the limit on heavy reads: some 60 milliseconds. */
const EVENTS_PER_POINT = 300;

/** An event as lists show it, with its `SEQUENCE` in calendars. */
export interface CalendarEvent extends z.output<typeof eventSchema> {
  ical_sequence: number;
}

/** The events of a feed, before they have a format. */
export interface EventFeed {
  /** In order of start; rendered as they are taken, so that a long feed keeps nobody waiting. */
  events: Iterable<CalendarEvent> | AsyncIterable<CalendarEvent>;
  /** How many these are. */
  count: number;
  /** How many events match. */
  total: number;
  /** Those of them that were published last, the last one first. */
  latest(): Promise<CalendarEvent[]>;
  /** The name of the calendar in the `UID` of its events. */
  calendarId: string;
  /** The filters, as links repeat them. */
  params: Record<string, QueryValue>;
  /** See `EndpointResponse`. */
  freshUntil?: number;
}

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
    return rendered.map(({ event, body }) => calendarEvent(body, event));
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
function withinLength(bodies: readonly CalendarEvent[]): CalendarEvent[] {
  let length = 0;
  return bodies.filter(({ description }) => {
    length += description.length;
    return length <= MAX_NEWS_TEXT;
  });
}

const calendarEvent = (body: z.output<typeof eventSchema>, { ical_sequence }: Event): CalendarEvent => ({
  ...body,
  ical_sequence,
});

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
  render(some: readonly number[]): Promise<CalendarEvent[]>;
}

async function* inChunks(ids: readonly number[], { begin, render }: Chunks): AsyncGenerator<CalendarEvent> {
  await begin();
  for (let from = 0; from < ids.length; from += CHUNK) yield* await render(ids.slice(from, from + CHUNK));
}

/** An event as feeds show it: an event with a password as lists do, unless it was given. */
export async function readFeedEvent(
  ctx: GuardedContext,
  asked: Readonly<Record<string, unknown>> & { password?: string },
  { target, tickets }: { target: Parameters<typeof getReadable>[0]; tickets: EventTickets },
): Promise<CalendarEvent> {
  const event = await getReadable(target, asked, ctx);
  const masked = isLocked(event, ctx.viewer, asked.password);
  return calendarEvent(await renderWithRelations(event, ctx, tickets, { masked }), event);
}
