import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { addDaysToDay, daySpanOf } from '../../lib/dates/month.ts';
import type { Event, Responses } from '../frame/responses.ts';
import { filterOf, NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, selectionOf } from './calendar-request.ts';

/** Periods of the events on a page. */

export type EventPage = Responses['events.list'];

/** Resolution of lists of coming events, which change as events end. */
const MINUTE_MS = 60_000;
/** Maximum number of events per request. */
export const MOST = 100;

/** Start of the current minute in UTC; the page is fresh until its end. */
export function presentMinute({ now, limitFreshness }: Visit): string {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  limitFreshness(minute + MINUTE_MS);
  return toUtc(new Date(minute));
}

/** Parameters for events that have not ended. */
export const notOver = (visit: Visit) => ({ ends_after: presentMinute(visit), strict_dates: true });

/** Parameters for lists that have each series once, if the site chooses that. Months and weeks show every date. */
export const collapsed = ({ site }: Visit): { collapse?: 'series' } =>
  site?.collapse_series ? { collapse: 'series' } : {};

/** Tests if a start day is requested; the list validates it. */
const hasStart = ({ filters }: CalendarRequest): boolean => filters.start_date !== undefined;

/** Page of events that have not ended, or that start on the requested day or later. */
export function upcoming(visit: Visit, request: CalendarRequest, range: Range): Promise<EventPage> {
  const window = hasStart(request) ? {} : notOver(visit);
  return pageOf(visit, { ...selectionOf(request), ...window, ...range });
}

/** Page of past events, newest first. */
export function past(visit: Visit, request: CalendarRequest, range: Range): Promise<EventPage> {
  return pageOf(visit, { ...selectionOf(request), ...overBy(presentMinute(visit)), order: 'desc', ...range });
}

/**
 * Parameters for events that ended before a time in UTC. They have also begun: without that, a list from the newest on
 * would read all coming events.
 */
export const overBy = (now: string) => ({ starts_before: now, ends_before: now, strict_dates: true });

interface Range {
  page: number;
  per_page: number;
  collapse?: 'series';
}

/** @throws {NotFound} after the last page */
export async function pageOf({ ask }: Visit, params: Readonly<Record<string, unknown>>): Promise<EventPage> {
  try {
    return await ask('events.list', params);
  } catch (error) {
    throw error instanceof ApiError && error.code === 'event-archive-page-not-found' ? new NotFound() : error;
  }
}

/** Parameters for events between two days, each in its own time zone. */
export const during = (first: string, last: string) => ({ ends_after: addDaysToDay(first, -1), starts_before: last });

interface Days {
  days: readonly string[];
  /** Maximum number of events returned per day. */
  perDay: number;
}

/** Events of several days, in brief, for the month grid. */
export const briefEventsOfDays = (visit: Visit, request: CalendarRequest, days: Days) =>
  visit.ask('events.brief_days', paramsOf(request, days));

const paramsOf = (request: CalendarRequest, { days, perDay }: Days) => ({
  ...selectionOf(request),
  ...{ first: days[0], last: days.at(-1), per_day: perDay },
});

/** Number of days around a day that are searched first, since that is fast. */
const NEAR = 60;

interface Around {
  before: string;
  after: string;
  count: number;
}

/** Next events that start after a day, and last ones that started before another, by start. */
export async function around(visit: Visit, request: CalendarRequest, { before, after, count }: Around) {
  const selection = selectionOf(request);
  const earlierThan = { ...selection, starts_before: addDaysToDay(before, -1), order: 'desc', per_page: count };
  const laterThan = { ...selection, starts_after: after, per_page: count };
  const [earlier, later] = await Promise.all([
    enough(count, [
      () => pageOf(visit, { ...earlierThan, start_date: addDaysToDay(before, -NEAR) }),
      () => pageOf(visit, earlierThan),
    ]),
    enough(count, [
      () => pageOf(visit, { ...laterThan, starts_before: addDaysToDay(after, NEAR) }),
      () => pageOf(visit, laterThan),
    ]),
  ]);
  return { earlier: [...earlier].reverse(), later };
}

/** First response with enough events, or the last one. */
async function enough(count: number, asks: readonly (() => Promise<EventPage>)[]): Promise<Event[]> {
  let events: Event[] = [];
  for (const ask of asks) {
    if (events.length >= count) break;
    ({ events } = await ask());
  }
  return events;
}

/** Days between which a subject has events; false if it has none. */
export function boundsOf(visit: Visit, { subject }: CalendarRequest): Promise<Bounds | false> {
  const selection = filterOf(subject);
  return visit.once(`bounds ${JSON.stringify(selection)}`, () => readBounds(visit, { ...selection, ...EVER }));
}

/** First day of the first event, and last day of the event that starts last. */
export interface Bounds {
  first: string;
  last: string;
}

async function readBounds(visit: Visit, all: Readonly<Record<string, unknown>>): Promise<Bounds | false> {
  const [first] = (await pageOf(visit, { ...all, per_page: 1 })).events;
  if (!first) return false;
  const end = (await pageOf(visit, { ...all, order: 'desc', per_page: 1 })).events[0] ?? first;
  return { first: first.start_date.slice(0, 10), last: daySpanOf(end.start_date, end.end_date).last };
}

/** Unlimited period: the list limits it by default. */
const EVER = { start_date: '0001-01-01' };
