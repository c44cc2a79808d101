import { z } from 'zod';
import { currentCache } from '../../../db/current-cache.ts';
import { ANY_TIME, type EndpointResponse, endpoint, type RequestContext } from '../../../http/core/endpoint.ts';
import { filledText, integer } from '../../../http/input/schemas.ts';
import { addDaysToDay, daysBetween } from '../../../lib/dates/month.ts';
import { parsed } from '../../../lib/rendered-json.ts';
import { findStarts } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import type { eventSchema } from '../view.ts';
import type { Bound } from './date-filters.ts';
import { eventFilters, type FilterInput, findTargets, type Target } from './event-filters.ts';
import { listWithin } from './list.ts';
import { renderMonthEvents } from './month-events.ts';
import { renderListed } from './render-event-list.ts';

const fields = {
  ...eventFilters,
  first: filledText('First day, in the time zone of each event.'),
  last: filledText('Last day.'),
  per_day: integer('Maximum number of events per day.', { min: 1, max: 100 }),
};

/** Numbers of events of a range of days. */
interface Counted {
  total: number;
  /** Number of events that start on a day, unless all events are returned. */
  totals: ReadonlyMap<string, number>;
}

interface IdsOfDays extends Counted {
  /** Ids of events that began earlier, then of events that start on each day, by start. */
  ids: readonly number[];
}

export interface EventsOfDays<T> extends Counted {
  events: T[];
}

interface Period {
  first: string;
  last: string;
  perDay: number;
}

interface Rendered<T> extends Pick<EndpointResponse, 'showsSeats'> {
  events: T[];
  freshUntil: number;
}

type Render<T> = (ctx: RequestContext, ids: readonly number[]) => Promise<Rendered<T>>;

const daysEndpoint = <N extends string, T>(name: N, render: Render<T>) =>
  endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${name}`,
    name,
    summary: 'Events of a range of days',
    input: fields,
    required: ['first', 'last', 'per_day'],
    responses: { 200: z.custom<EventsOfDays<T>>() },
    errors: [],
    find: findTargets,
    async handle(ctx, { first, last, per_day: perDay, ...filters }, target) {
      const { ids, ...counted } = await listDays(ctx, filters, { target, period: { first, last, perDay } });
      const { events, ...kept } = await render(ctx, ids);
      return { body: { ...counted, events }, ...kept };
    },
  });

/**
 * Events of a range of days, in full and in brief, for pages of this process; not routes. Date filters have no effect.
 */
export const eventDaysEndpoints = (tickets: EventTickets) => [
  daysEndpoint('events.days', renderFully(tickets)),
  daysEndpoint('events.brief_days', (ctx, ids) => renderMonthEvents(ctx, ids, tickets)),
];

/** Maximum number of events that are grouped by day after one query; beyond, each day has a query of its own. */
const MAX_GROUPED = 2000;

/** Lists a period with many events: only the first events of each day, and the first events that began earlier. */
async function listDays(
  ctx: RequestContext,
  filters: FilterInput,
  { target, period }: { target: Target; period: Period },
): Promise<IdsOfDays> {
  const { first, last, perDay } = period;
  const days = daysBetween(first, last);
  const state = await currentCache(ctx.context);
  const list = (bounds: Bound[], limit: number) => listWithin(ctx, filters, { target, bounds, limit, state });
  const most = days.length * perDay;
  const all = await list([endsAfter(first), startsBefore(addDaysToDay(last))], MAX_GROUPED);
  if (all.total <= most) return { ...all, totals: new Map() };
  if (all.total <= MAX_GROUPED) return { ...(await byStart(ctx, all.ids, { days, perDay })), total: all.total };
  const [before, ...lists] = await Promise.all([
    list([endsAfter(first), startsBefore(first)], perDay),
    ...days.map((day) => list([startsFrom(day), startsBefore(addDaysToDay(day))], perDay)),
  ]);
  return {
    ids: [before, ...lists].flatMap((page) => page?.ids ?? []),
    total: all.total,
    totals: new Map(days.map((day, index) => [day, lists[index]?.total ?? 0])),
  };
}

/** The first events of each day, and events that began before the first day, in the given order. */
async function byStart(
  { context }: RequestContext,
  ids: readonly number[],
  { days, perDay }: { days: readonly string[]; perDay: number },
): Promise<Omit<IdsOfDays, 'total'>> {
  const starts = new Map(
    (await findStarts(context.db, ids)).map(({ id, start_date }) => [id, start_date.slice(0, 10)]),
  );
  const known = new Set(days);
  const groups = Map.groupBy(ids, (id) => {
    const day = starts.get(id) ?? '';
    return known.has(day) ? day : BEFORE;
  });
  const startingOn = (day: string) => groups.get(day) ?? [];
  return {
    ids: [BEFORE, ...days].flatMap((day) => startingOn(day).slice(0, perDay)),
    totals: new Map(days.map((day) => [day, startingOn(day).length])),
  };
}

const BEFORE = 'before';

const midnight = (day: string) => ({ clock: 'event', value: `${day} 00:00:00` }) as const;
const startsFrom = (day: string): Bound => ({ edge: 'start', operator: '>=', ...midnight(day) });
const startsBefore = (day: string): Bound => ({ edge: 'start', operator: '<', ...midnight(day) });
const endsAfter = (day: string): Bound => ({ edge: 'end', operator: '>', ...midnight(day) });

const renderFully =
  (tickets: EventTickets): Render<z.output<typeof eventSchema>> =>
  async (ctx, ids) => {
    const state = await currentCache(ctx.context);
    const rendered = await renderListed(ctx, ids, { tickets, state });
    // `renderEvent` made the values by this schema.
    const events = rendered.map((event) => parsed(event) as z.output<typeof eventSchema>);
    return { events, freshUntil: ANY_TIME };
  };
