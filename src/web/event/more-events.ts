import { InvalidParams } from '../../http/core/errors.ts';
import { pageOf } from '../calendar/event-windows.ts';
import { venuesOf } from '../cards/place.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Further events offered. */
const COUNT = 3;

/** What comes next at the place of an event or, where that is too little, in its categories. */
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

/** Places or categories by which others are looked for. */
const MOST_NAMED = 10;

/** The next events with a filter; none where it names a place that strangers may not read. */
async function comingOf(visit: Visit, filter: Readonly<Record<string, string>>, count: number): Promise<Event[]> {
  try {
    return (await pageOf(visit, { ...filter, start_date: visit.today, per_page: count })).events;
  } catch (error) {
    if (error instanceof InvalidParams) return [];
    throw error;
  }
}
