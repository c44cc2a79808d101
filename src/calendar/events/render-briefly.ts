import type { z } from 'zod';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { isLocked } from '../posts/event-password.ts';
import { pageUrl } from '../posts/view.ts';
import { getEvents } from './store.ts';
import type { eventSchema } from './view.ts';

/** What a sheet of the calendar shows of an event. */
export type BriefEvent = Pick<
  z.output<typeof eventSchema>,
  'id' | 'url' | 'title' | 'all_day' | 'start_date' | 'end_date' | 'utc_end_date' | 'event_status'
>;

/** Renders events without what they are linked to. */
export async function renderBriefly(ctx: RequestContext, ids: readonly number[]): Promise<BriefEvent[]> {
  const events = await getEvents(ctx.context.db, ids);
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
