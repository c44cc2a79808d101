import type { z } from 'zod';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { isLocked } from '../posts/event-password.ts';
import { pageUrl } from '../posts/view.ts';
import { loadRelations } from './relations.ts';
import { type Event, findEvent, type StoredBrief } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { type eventSchema, type RenderOptions, renderEvent, renderOptions } from './view.ts';

/** Loads the related data of one event and renders it for the viewer. */
export async function renderWithRelations(
  event: Event,
  ctx: RequestContext,
  tickets: EventTickets,
  options: Pick<RenderOptions, 'masked'> = {},
) {
  const relations = await loadRelations(ctx, [event], tickets);
  return renderEvent(event, relations, { ...renderOptions(ctx), ...options });
}

/**
 * Reads an event after a write.
 * @throws {ApiError} rest-event-not-found when it has been removed in the meantime
 */
export async function reload(id: number, ctx: RequestContext): Promise<Event> {
  const event = await findEvent(ctx.context.db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}

/** Members of an event shown in a month view and in links to it. */
export type BriefEvent = Pick<
  z.output<typeof eventSchema>,
  'id' | 'url' | 'title' | 'all_day' | 'start_date' | 'end_date' | 'utc_end_date' | 'event_status'
>;

/** Renders events without linked records. */
export async function renderBriefEvents(ctx: RequestContext, events: readonly StoredBrief[]): Promise<BriefEvent[]> {
  const texts = await loadTranslations(
    ctx,
    events.map(({ id }) => ({ kind: 'event', id })),
  );
  return events.map((stored) => {
    const { id, title, start_date, end_date, utc_end_date, event_status } = texts.show('event', stored);
    const all_day = isLocked(stored, ctx.viewer, undefined) ? null : stored.all_day === 1;
    return {
      id,
      url: pageUrl('event', stored, ctx.urls),
      title,
      all_day,
      start_date,
      end_date,
      utc_end_date,
      event_status,
    };
  });
}
