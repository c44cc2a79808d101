import { can, eventOfKey } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { loadRelations } from './relations.ts';
import { type Event, findEvent } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { renderEvent, renderOptions } from './view.ts';

/** How events are rendered for the caller. */
export const renderOptionsFor = ({ urls, viewer, context, language }: RequestContext): RenderOptions => ({
  urls,
  viewer,
  format: siteMoney(context.config),
  free: translate(language, 'label.free'),
});

/** One event as answers show it. */
export async function show(event: Event, ctx: RequestContext, tickets: EventTickets, options: ShowOptions = {}) {
  const relations = await loadRelations(ctx, [event], tickets, { withAvailability: options.withJsonLd });
  return renderEvent(event, relations, { ...renderOptions(ctx), ...options });
}

/**
 * An event as it is after a write.
 * @throws {ApiError} rest-event-not-found when it has been removed in the meantime
 */
export async function reload(id: number, ctx: RequestContext): Promise<Event> {
  const event = await findEvent(ctx.context.db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}
