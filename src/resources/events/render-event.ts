import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { lookOf, ticketingFor } from './password.ts';
import { loadSurroundings } from './relations.ts';
import { type Event, findEvent } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { renderEvent } from './view.ts';

interface Showing {
  withJsonLd?: boolean;
  masked?: boolean;
}

/** One event as answers show it. */
export async function show(event: Event, ctx: RequestContext, tickets: EventTickets, showing: Showing = {}) {
  const relations = await loadSurroundings(ctx, [event], tickets, ticketingFor(ctx, showing.withJsonLd));
  return renderEvent(event, relations, { ...lookOf(ctx), ...showing });
}

/**
 * An event as it is after a write.
 * @throws {ApiError} rest-event-not-found, when it was removed since
 */
export async function reload(id: number, ctx: RequestContext): Promise<Event> {
  const event = await findEvent(ctx.context.db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}
