import { z } from 'zod';
import { ANY_TIME, endpoint } from '../../../http/core/endpoint.ts';
import { boolean } from '../../../http/input/schemas.ts';
import { bySlug, readProperties } from '../access.ts';
import type { EventTickets } from '../ticketing.ts';
import { eventFilters, findTargets } from './event-filters.ts';
import { type CalendarEvent, type EventFeed, eventFeed, readFeedEvent } from './feed.ts';

/** Events of a feed, for pages of this process; not a route. */
export const eventFeedEndpoint = (tickets: EventTickets) =>
  endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: '/events.feed',
    name: 'events.feed',
    summary: 'The events of a feed',
    input: { ...eventFilters, has_last: boolean('Whether a feed without room for all events leaves out the first.') },
    responses: { 200: z.custom<EventFeed>() },
    errors: [],
    find: findTargets,
    async handle(ctx, { has_last: hasLast, ...input }, target) {
      const body = await eventFeed(ctx, input, { target, hasLast, tickets });
      return { body, freshUntil: body.freshUntil };
    },
  });

/** One event of a feed, for pages of this process; not a route. */
export const feedEventEndpoint = (tickets: EventTickets) => {
  const { input, errors, find } = readProperties(bySlug);
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: '/events.feed/{slug}',
    name: 'events.feed_event',
    summary: 'An event as feeds show it',
    input,
    responses: { 200: z.custom<CalendarEvent>() },
    errors,
    find,
    async handle(ctx, asked, target) {
      return { body: await readFeedEvent(ctx, asked, { target, tickets }), freshUntil: ANY_TIME };
    },
  });
};
