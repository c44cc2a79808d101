import { InvalidParams } from '../../http/core/errors.ts';
import { pageOf } from '../calendar/event-windows.ts';
import { venuesOf } from '../cards/place.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Maximum number of further events. */
const COUNT = 3;

/** Next events at the venue of an event or, if these are few, in its categories. */
export async function moreLike(visit: Visit, event: Event): Promise<Event[]> {
  const places = venuesOf(event).map(({ id }) => id);
  const kinds = event.categories.map(({ id }) => id);
  const found = new Map<number, Event>();
  for (const [name, ids] of Object.entries({ venue: places, categories: kinds })) {
    if (ids.length === 0 || found.size >= COUNT) continue;
    const events = await comingOf(visit, { [name]: ids.slice(0, MOST_NAMED).join(',') }, COUNT + 1 + found.size);
    for (const one of events) if (one.id !== event.id) found.set(one.id, one);
  }
  return [...found.values()].slice(0, COUNT);
}

/** Maximum number of venues or categories used in the search. */
const MOST_NAMED = 10;

/** Next events with a filter; none if it names a venue hidden from visitors. */
async function comingOf(visit: Visit, filter: Readonly<Record<string, string>>, count: number): Promise<Event[]> {
  try {
    return (await pageOf(visit, { ...filter, start_date: visit.today, per_page: count })).events;
  } catch (error) {
    if (error instanceof InvalidParams) return [];
    throw error;
  }
}
