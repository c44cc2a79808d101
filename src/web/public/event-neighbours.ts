import { InvalidParams } from '../../http/errors.ts';
import { addDays, addSeconds } from '../../lib/dates.ts';
import { venuesOf } from '../parts/place.ts';
import type { EventBody } from './bodies.ts';
import { MOST, pageOf } from './event-windows.ts';
import type { Visit } from './visit.ts';

/** Other events that the page of an event leads to. */

export interface Neighbours {
  before?: EventBody | undefined;
  after?: EventBody | undefined;
}

/** Days in which a neighbour is looked for first: few events have to be counted. */
const NEAR = 7;

/** The public events before and after one, by start and id. */
export async function neighboursOf(
  visit: Visit,
  { id, utc_start_date: start }: Pick<EventBody, 'id' | 'utc_start_date'>,
): Promise<Neighbours> {
  const list = async (params: Readonly<Record<string, unknown>>): Promise<EventBody[]> =>
    (await pageOf(visit, { ...params, strict_dates: true })).events;
  const nearest = async (params: Readonly<Record<string, unknown>>, near: Readonly<Record<string, unknown>>) => {
    const [found] = await list({ ...params, ...near, per_page: 1 });
    return found ?? (await list({ ...params, per_page: 1 }))[0];
  };
  const [together, before, after] = await Promise.all([
    list({ start_date: start, starts_before: addSeconds(start, 1), per_page: MOST }),
    nearest({ starts_before: start, order: 'desc' }, { starts_after: addDays(start, -NEAR) }),
    nearest({ starts_after: start }, { starts_before: addDays(start, NEAR) }),
  ]);
  return {
    before: together.findLast((one) => one.id < id) ?? before,
    after: together.find((one) => one.id > id) ?? after,
  };
}

/** Further events offered. */
const COUNT = 3;

/** What comes next at the place of an event or, where that is too little, in its categories. */
export async function moreLike(visit: Visit, event: EventBody): Promise<EventBody[]> {
  const places = venuesOf(event).map(({ id }) => id);
  const kinds = event.categories.map(({ id }) => id);
  const found = new Map<number, EventBody>();
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
async function comingOf(visit: Visit, filter: Readonly<Record<string, string>>, count: number): Promise<EventBody[]> {
  try {
    return (await pageOf(visit, { ...filter, start_date: visit.today, per_page: count })).events;
  } catch (error) {
    if (error instanceof InvalidParams) return [];
    throw error;
  }
}
