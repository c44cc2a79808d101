import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { loadRelations } from './relations.ts';
import { type Event, findEvent } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { type RenderOptions, renderEvent, renderOptions } from './view.ts';

/** Loads the related data of one event and renders it for the caller. */
export async function renderWithRelations(
  event: Event,
  ctx: RequestContext,
  tickets: EventTickets,
  options: Pick<RenderOptions, 'masked'> = {},
) {
  const relations = await loadRelations(ctx, [event], tickets);
  return renderEvent(event, relations, { ...renderOptions(ctx), ...options });
}

/** As `renderWithRelations`, for a single read: with the seats that are left, and until when those stay the same. */
export async function renderAlone(event: Event, ctx: RequestContext, tickets: EventTickets) {
  const relations = await loadRelations(ctx, [event], tickets, { withAvailability: true });
  const body = renderEvent(event, relations, { ...renderOptions(ctx), withJsonLd: true });
  return { body, freshUntil: relations.ticketing.freshUntil };
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
