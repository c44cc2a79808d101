import type { z } from 'zod';
import { getCalendarId } from '../../../db/site-settings.ts';
import type { GuardedContext, RequestContext } from '../../../http/core/endpoint.ts';
import type { QueryValue } from '../../../http/core/urls.ts';
import { isLocked } from '../../posts/event-password.ts';
import { mayRead } from '../../posts/visibility.ts';
import { getReadable } from '../access.ts';
import { renderWithRelations } from '../render-event.ts';
import { type Event, findLatest } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import type { eventSchema } from '../view.ts';
import type { FilterInput, Target } from './event-filters.ts';
import { listForFeed } from './list.ts';
import { renderEvents } from './render-event-list.ts';

/** Maximum number of events of a feed. */
export const MAX_EVENTS = 2000;
/** Maximum number of events of a news feed, whose readers show the latest. */
export const MAX_NEWS = 100;
/** Maximum characters of its descriptions: a hundred of the longest would be 18 MB and delay other requests. */
const MAX_NEWS_TEXT = 1_000_000;
/** Number of events loaded and rendered at a time. */
const CHUNK = 100;
/** Events of a calendar per point of the limit on heavy reads: about 60 milliseconds. */
const EVENTS_PER_POINT = 300;

/** An event as in lists, with its `SEQUENCE` in calendars. */
export interface CalendarEvent extends z.output<typeof eventSchema> {
  ical_sequence: number;
}

/** Events of a feed in no format yet. */
export interface EventFeed {
  /** In order of start; rendered on demand, so that a long feed does not delay other requests. */
  events: Iterable<CalendarEvent> | AsyncIterable<CalendarEvent>;
  /** Number of `events`. */
  count: number;
  /** Number of events that match. */
  total: number;
  /** Events published last, the latest first. */
  latest(): Promise<CalendarEvent[]>;
  /** Name of the calendar in the `UID` of its events. */
  calendarId: string;
  /** Filters in the form that links repeat. */
  params: Record<string, QueryValue>;
  /** See `EndpointResponse`. */
  freshUntil?: number;
}

interface FeedOptions {
  target: Target;
  hasLast?: boolean;
  tickets: EventTickets;
}

/** Lists the events of a feed as the viewer sees them. */
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
    latest: async () => withinLength(await render(await findLatest(ctx.context.db, ids, MAX_NEWS))),
  };
}

/** Selects events in order while the total length of their descriptions allows. */
function withinLength(bodies: readonly CalendarEvent[]): CalendarEvent[] {
  let length = 0;
  return bodies.filter(({ description }) => {
    length += description.length;
    return length <= MAX_NEWS_TEXT;
  });
}

/** Published events by their ids, as calendars show them to visitors. */
export async function findCalendarEvents(
  ctx: RequestContext,
  ids: readonly number[],
  tickets: EventTickets,
): Promise<CalendarEvent[]> {
  if (ids.length === 0) return [];
  const rendered = await renderEvents(ctx, ids, { tickets });
  return rendered.flatMap(({ event, body }) => (mayRead(ctx.viewer, event) ? calendarEvent(body, event) : []));
}

const calendarEvent = (body: z.output<typeof eventSchema>, { ical_sequence }: Event): CalendarEvent => ({
  ...body,
  ical_sequence,
});

/**
 * Counts a calendar for a visitor against the limit; short ones, like most subscriptions, are free. The response has no
 * headers about the limit, since caches may share it.
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
  render(some: readonly number[]): Promise<CalendarEvent[]>;
}

async function* inChunks(ids: readonly number[], { begin, render }: Chunks): AsyncGenerator<CalendarEvent> {
  await begin();
  for (let from = 0; from < ids.length; from += CHUNK) yield* await render(ids.slice(from, from + CHUNK));
}

/** Reads an event for a feed; without its password, a protected event is masked as in lists. */
export async function readFeedEvent(
  ctx: GuardedContext,
  asked: Readonly<Record<string, unknown>> & { password?: string },
  { target, tickets }: { target: Parameters<typeof getReadable>[0]; tickets: EventTickets },
): Promise<CalendarEvent> {
  const event = await getReadable(target, asked, ctx);
  const masked = isLocked(event, ctx.viewer, asked.password);
  return calendarEvent(await renderWithRelations(event, ctx, tickets, { masked }), event);
}
