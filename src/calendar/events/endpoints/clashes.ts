import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { mayEdit } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { dayText, link, localTime } from '../../../http/output/output.ts';
import type { Day } from '../../../lib/recurrence/recurrence.ts';
import { isLocked } from '../../posts/event-password.ts';
import { ownedAs } from '../../posts/post.ts';
import { pageUrl } from '../../posts/view.ts';
import { isVisibleTo, maySeeHidden } from '../../posts/visibility.ts';
import { movedTimes } from '../copy.ts';
import type { Event } from '../store.ts';
import type { EventTimes } from '../times.ts';

/** Other events at the venues of a series at the same time. */

export const clashSchema = z
  .object({
    date: dayText,
    event: z.object({ id: z.int(), title: z.string(), start_date: localTime, end_date: localTime, url: link }),
  })
  .meta({ id: 'SeriesClash' });

const MAX_CLASHES = 100;
/** Events at the venues that are compared. */
const MAX_COMPARED = 5000;

/** Columns of the events that are compared; texts may be long. */
const COMPARED = [
  ...(['id', 'series_id', 'author_id', 'status', 'trashed_from', 'password', 'hide_from_listings'] as const),
  ...(['title', 'slug', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date'] as const),
] as const;

type Other = Pick<Event, (typeof COMPARED)[number]>;
type Interval = Pick<Event, 'utc_start_date' | 'utc_end_date'>;

interface Dates {
  days: readonly Day[];
  /** Times of the first occurrence. */
  times: EventTimes;
  venues: readonly number[];
  /** Series whose own occurrences are no clash. */
  seriesId?: number;
  /** Event that is no clash. */
  eventId?: number;
}

/** The clashes of some days with events that the viewer may see. */
export async function findClashes(ctx: RequestContext, dates: Dates) {
  const planned = dates.days.map((day) => ({
    day,
    ...movedTimes(dates.times, `${day} ${dates.times.start_date.slice(11)}`),
  }));
  const [first, last] = [planned.at(0), planned.at(-1)];
  if (!first || !last || dates.venues.length === 0) return [];
  const range = { from: first.utc_start_date, until: last.utc_end_date };
  const others = (await eventsAt(ctx.context.db, dates.venues, range)).filter(
    (event) =>
      isShown(ctx, event) &&
      event.id !== dates.eventId &&
      (dates.seriesId === undefined || event.series_id !== dates.seriesId),
  );
  return overlaps(planned, others).map(({ day, event }) => {
    const { id, title, start_date, end_date } = event;
    return { date: day, event: { id, title, start_date, end_date, url: pageUrl('event', event, ctx.urls) } };
  });
}

/** The first pairs of overlapping times. Both lists are in order of their starts, so that each is read once. */
function overlaps(planned: readonly (Interval & { day: Day })[], others: readonly Other[]) {
  const found: { day: Day; event: Other }[] = [];
  let current: Other[] = [];
  let next = 0;
  for (const { day, utc_start_date, utc_end_date } of planned) {
    const first = next;
    while ((others[next]?.utc_start_date ?? utc_end_date) < utc_end_date) next++;
    current = [...current, ...others.slice(first, next)].filter((event) => event.utc_end_date > utc_start_date);
    found.push(...current.map((event) => ({ day, event })));
    if (found.length >= MAX_CLASHES) break;
  }
  return found.slice(0, MAX_CLASHES);
}

/** Whether a clash may name an event: neither its venue is masked for the viewer, nor the event hidden from listings. */
const isShown = ({ viewer }: RequestContext, event: Other): boolean =>
  isVisibleTo(viewer, event) &&
  !isLocked(event, viewer, undefined) &&
  (event.hide_from_listings === 0 || maySeeHidden(viewer) || mayEdit(viewer, ownedAs(event)));

/** The events at some venues in a time, by start. */
const eventsAt = (
  { query }: Database,
  venues: readonly number[],
  { from, until }: { from: string; until: string },
): Promise<Other[]> =>
  query
    .selectFrom('events')
    .select(COMPARED)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('event_links')
        .select('event_id')
        .where('kind', '=', 'venue')
        .where('target_id', 'in', [...venues])
        .where('status', '<>', 'trash')
        .where('utc_end_date', '>', from)
        .where('utc_start_date', '<', until),
    )
    .where('event_status', '<>', 'cancelled')
    .orderBy('utc_start_date')
    .orderBy('id')
    .limit(MAX_COMPARED)
    .execute();
