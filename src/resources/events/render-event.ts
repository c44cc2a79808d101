import { can, eventOfKey } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { toUtc } from '../../lib/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { siteMoney } from '../../lib/money.ts';
import { loadEventRelations } from './relations.ts';
import { type Event, findEvent } from './store.ts';
import type { EventTickets, TicketingRequest } from './ticketing.ts';
import { type RenderOptions, renderEvent } from './view.ts';

/** How events are rendered for the caller. */
export const renderOptionsFor = ({ urls, viewer, context, language }: RequestContext): RenderOptions => ({
  urls,
  viewer,
  format: siteMoney(context.config),
  free: translate(language, 'label.free'),
});

/** The ticket data to load for the caller: attendance only where the caller may read attendees. */
export const ticketingFor = ({ viewer, now }: RequestContext, withAvailability = false): TicketingRequest => ({
  now: toUtc(now),
  attendanceOf: can(viewer, 'read_attendees') ? (eventOfKey(viewer, 'read_attendees') ?? 'all') : 'none',
  withAvailability,
});

/** Loads the related data of one event and renders it for the caller. */
export async function renderWithRelations(
  event: Event,
  ctx: RequestContext,
  tickets: EventTickets,
  options: Pick<RenderOptions, 'withJsonLd' | 'masked'> = {},
) {
  const relations = await loadEventRelations(ctx, [event], tickets, ticketingFor(ctx, options.withJsonLd));
  return renderEvent(event, relations, { ...renderOptionsFor(ctx), ...options });
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
