import type { Call } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { lookOf, ticketingFor } from './password.ts';
import { type Event, findEvent } from './store.ts';
import { loadSurroundings, renderEvent } from './view.ts';

interface Showing {
  withJsonLd?: boolean;
  masked?: boolean;
}

/** One event as answers show it. */
export async function show(event: Event, call: Call, showing: Showing = {}) {
  return renderEvent(event, await loadSurroundings(call, [event], ticketingFor(call, showing.withJsonLd)), {
    ...lookOf(call),
    ...showing,
  });
}

/**
 * An event as it is after a write.
 * @throws {ApiError} rest-event-not-found, when it was removed since
 */
export async function reload(id: number, call: Call): Promise<Event> {
  const event = await findEvent(call.context.db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}
