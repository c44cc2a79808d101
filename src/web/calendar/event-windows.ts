import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { dayAfter, daysOf } from '../../lib/dates/month.ts';
import type { Event, Responses } from '../frame/responses.ts';
import { filterOf, NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, selectionOf } from './calendar-request.ts';

/** Which events a page asks for, by time. */

export type EventPage = Responses['events.list'];

/** Lists of what is to come change while events end, which is looked at so often. */
const MINUTE_MS = 60_000;
/** Events of one answer of the interface at most. */
export const MOST = 100;

/** The beginning of the present minute, UTC; the page is fresh until its end. */
export function presentMinute({ now, limitFreshness }: Visit): string {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  limitFreshness(minute + MINUTE_MS);
  return toUtc(new Date(minute));
}

/** A date that the site's visitors mean by its day; other forms of dates are left to the list. */
const hasStart = ({ filters }: CalendarRequest): boolean => filters.start_date !== undefined;

/** A page of the events that are not over yet, or that start on the day asked for or later. */
export function upcoming(visit: Visit, request: CalendarRequest, range: Range): Promise<EventPage> {
  const window = hasStart(request) ? {} : { ends_after: presentMinute(visit), strict_dates: true };
  return pageOf(visit, { ...selectionOf(request), ...window, ...range });
}

/** A page of the events that are over, the newest first. */
export function past(visit: Visit, request: CalendarRequest, range: Range): Promise<EventPage> {
  return pageOf(visit, { ...selectionOf(request), ...overBy(presentMinute(visit)), order: 'desc', ...range });
}

/**
 * The parameters for what is over by a moment in UTC. What is over has begun: without that, a list from the newest on
 * would read all that is to come.
 */
export const overBy = (now: string) => ({ starts_before: now, ends_before: now, strict_dates: true });

interface Range {
  page: number;
  per_page: number;
}

/**
 * @throws {NotFound} past the last page
 */
export async function pageOf({ ask }: Visit, params: Readonly<Record<string, unknown>>): Promise<EventPage> {
  try {
    return await ask('events.list', params);
  } catch (error) {
    throw error instanceof ApiError && error.code === 'event-archive-page-not-found' ? new NotFound() : error;
  }
}

/** The parameters for what takes place from one day to another, on the clock of each event. */
export const during = (first: string, last: string) => ({ ends_after: dayAfter(first, -1), starts_before: last });

interface Days {
  days: readonly string[];
  /** Events of each day that are given where there are many. */
  perDay: number;
}

/** What takes place on some days. */
export const eventsOfDays = (visit: Visit, request: CalendarRequest, days: Days) =>
  visit.ask('events.days', paramsOf(request, days));

/** What takes place on some days, for a sheet of the calendar. */
export const briefEventsOfDays = (visit: Visit, request: CalendarRequest, days: Days) =>
  visit.ask('events.brief_days', paramsOf(request, days));

const paramsOf = (request: CalendarRequest, { days, perDay }: Days) => ({
  ...selectionOf(request),
  ...{ first: days[0], last: days.at(-1), per_day: perDay },
});

/** Days in which the events around a day are looked for first, since that is quick. */
const NEAR = 60;

interface Around {
  before: string;
  after: string;
  count: number;
}

/** The next events that start later than a day, and the last ones that started before another, by start. */
export async function around(visit: Visit, request: CalendarRequest, { before, after, count }: Around) {
  const selection = selectionOf(request);
  const earlierThan = { ...selection, starts_before: dayAfter(before, -1), order: 'desc', per_page: count };
  const laterThan = { ...selection, starts_after: after, per_page: count };
  const [earlier, later] = await Promise.all([
    enough(count, [
      () => pageOf(visit, { ...earlierThan, start_date: dayAfter(before, -NEAR) }),
      () => pageOf(visit, earlierThan),
    ]),
    enough(count, [
      () => pageOf(visit, { ...laterThan, starts_before: dayAfter(after, NEAR) }),
      () => pageOf(visit, laterThan),
    ]),
  ]);
  return { earlier: [...earlier].reverse(), later };
}

/** The first answer with so many events, or the last one. */
async function enough(count: number, asks: readonly (() => Promise<EventPage>)[]): Promise<Event[]> {
  let events: Event[] = [];
  for (const ask of asks) {
    if (events.length >= count) break;
    ({ events } = await ask());
  }
  return events;
}

/** The days between which a subject has events; false if it has none. */
export function boundsOf(visit: Visit, { subject }: CalendarRequest): Promise<Bounds | false> {
  const selection = filterOf(subject);
  return visit.once(`bounds ${JSON.stringify(selection)}`, () => readBounds(visit, { ...selection, ...EVER }));
}

/** The first day of the first event, and the last day of the event that starts last. */
export interface Bounds {
  first: string;
  last: string;
}

async function readBounds(visit: Visit, all: Readonly<Record<string, unknown>>): Promise<Bounds | false> {
  const [first] = (await pageOf(visit, { ...all, per_page: 1 })).events;
  if (!first) return false;
  const end = (await pageOf(visit, { ...all, order: 'desc', per_page: 1 })).events[0] ?? first;
  return { first: first.start_date.slice(0, 10), last: daysOf(end.start_date, end.end_date).last };
}

/** A window without limits: that of the list has some by default. */
const EVER = { start_date: '0001-01-01' };
