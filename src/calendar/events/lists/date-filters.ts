import { ANY_TIME } from '../../../http/core/endpoint.ts';
import { resolveDateParam } from '../../../http/input/date-param.ts';
import {
  addDays,
  addMonths,
  addSeconds,
  type DateExpression,
  dayEnd,
  dayStart,
  isAbsolute,
  type LocalTime,
  localToUtc,
  nextDay,
  type ResolvedDate,
  toUtc,
  utcToLocal,
} from '../../../lib/dates/dates.ts';

/** Date filters of the event list: their meaning, and their form in links. */

export const DATE_FILTERS = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

export interface Bound {
  /** Whether the start or the end of an event is compared. */
  edge: 'start' | 'end';
  operator: '>=' | '<=' | '>' | '<';
  /** A UTC time, or a local time of each event. */
  clock: 'utc' | 'event';
  value: LocalTime;
}

const MEANING: Readonly<Record<DateFilter, Pick<Bound, 'edge' | 'operator'> & { day: 'start' | 'end' }>> = {
  start_date: { edge: 'start', operator: '>=', day: 'start' },
  end_date: { edge: 'end', operator: '<=', day: 'end' },
  starts_before: { edge: 'start', operator: '<', day: 'end' },
  starts_after: { edge: 'start', operator: '>', day: 'end' },
  ends_before: { edge: 'end', operator: '<', day: 'end' },
  ends_after: { edge: 'end', operator: '>', day: 'end' },
};

export interface DateWindow {
  bounds: Bound[];
  /** Effective dates for links, which select the same events. */
  shown: Partial<Record<DateFilter, string>>;
  /**
   * Time in milliseconds until which the same request has the same window; absent if the window changes all the time.
   */
  freshUntil?: number;
}

interface WindowOptions {
  siteZone: string;
  now: Date;
  /** Whether times of day matter. */
  strict: boolean;
}

/** Window of a list without any date filter. */
type DefaultWindow = (options: WindowOptions) => DateWindow;

const WINDOW_MONTHS = 24;
/** Days for which an event stays in feeds after its end, so that subscribed calendars do not lose recent events. */
const FEED_DAYS = 30;

/**
 * The bounds of a list. Without any date filter, by default, `start_date` is today in site time and `end_date` the same
 * day 24 months later.
 * Unless strict, a filter means a whole day and is compared with the local time of each event. If strict, it means an
 * instant; a date without a zone is UTC, as in the reference. `now` is always an instant.
 * @throws {InvalidParams} naming the parameter whose date does not exist
 */
export function dateWindow(
  sent: Partial<Record<DateFilter, DateExpression>>,
  options: WindowOptions,
  preset: DefaultWindow = listWindow,
): DateWindow {
  const filters = DATE_FILTERS.flatMap((name) => (sent[name] ? [{ name, date: sent[name] }] : []));
  if (filters.length === 0) return preset(options);
  const isFixed = filters.every(({ date }) => isAbsolute(date));
  const window: DateWindow = { bounds: [], shown: {}, ...(isFixed && { freshUntil: ANY_TIME }) };
  for (const { name, date } of filters) {
    const { edge, operator } = MEANING[name];
    const { clock, value, shown } = boundOf(name, date, options);
    window.bounds.push({ edge, operator, clock, value });
    window.shown[name] = shown;
  }
  return window;
}

function listWindow(options: WindowOptions): DateWindow {
  const { today, value, clock, freshUntil } = dayOf(options);
  const [first, last] = [value(today), value(dayEnd(addMonths(today, WINDOW_MONTHS)))];
  return {
    bounds: [
      { edge: 'start', operator: '>=', clock, value: first },
      { edge: 'end', operator: '<=', clock, value: last },
    ],
    shown: { start_date: first, end_date: last },
    freshUntil,
  };
}

/** The window of a feed: events that end up to 30 days before today or later, and start within 24 months. */
export function feedWindow(options: WindowOptions): DateWindow {
  const { today, value, clock, freshUntil } = dayOf(options);
  const last = dayEnd(addMonths(today, WINDOW_MONTHS));
  return {
    bounds: [
      { edge: 'end', operator: '>=', clock, value: value(addDays(today, -FEED_DAYS)) },
      { edge: 'start', operator: '<=', clock, value: value(last) },
    ],
    // Links of feeds have no dates, since the window moves every day.
    shown: {},
    freshUntil,
  };
}

/** Today in site time, and the values of bounds given in site time. */
function dayOf({ siteZone, now, strict }: WindowOptions) {
  const today = dayStart(utcToLocal(toUtc(now), siteZone));
  const clock: Bound['clock'] = strict ? 'utc' : 'event';
  return {
    today,
    clock,
    value: (local: LocalTime) => (strict ? localToUtc(local, siteZone).utc : local),
    freshUntil: nextDay(toUtc(now), siteZone),
  };
}

function boundOf(
  name: DateFilter,
  date: DateExpression,
  { siteZone, now, strict }: WindowOptions,
): Pick<Bound, 'clock' | 'value'> & { shown: string } {
  if (date.text.trim().toLowerCase() === 'now') return { clock: 'utc', value: toUtc(now), shown: 'now' };
  const isLocal = isRelative(date);
  const resolved = resolveDateParam(name, date, { zone: isLocal ? siteZone : 'UTC', now });
  if (strict) {
    const utc = resolved.kind === 'local' && isLocal ? localToUtc(resolved.local, siteZone).utc : timeOf(resolved);
    return { clock: 'utc', value: utc, shown: utc };
  }
  const local = resolved.kind === 'instant' ? utcToLocal(resolved.utc, siteZone) : timeOf(resolved);
  const value = MEANING[name].day === 'start' ? dayStart(local) : dayEnd(local);
  return { clock: 'event', value, shown: value };
}

const timeOf = (resolved: ResolvedDate): LocalTime => (resolved.kind === 'local' ? resolved.local : resolved.utc);

/** Words such as `today` refer to the site's calendar; a numeric date is a day in any zone. */
const isRelative = ({ text }: DateExpression): boolean => !/\d{4}/.test(text);

/** Largest offset from UTC in seconds. Before zones were standardised, Manila was almost 16 hours behind. */
const WIDEST_OFFSET = 16 * 3600;

/**
 * A UTC condition implied by a bound on local times, wide enough for every zone, so that an index on UTC times can be
 * used. An event that ends before a time also starts before it.
 */
export function utcEnvelope({ edge, operator, value }: Bound): Pick<Bound, 'edge' | 'operator' | 'value'> {
  if (operator.startsWith('>')) return { edge, operator: '>=', value: addSeconds(value, -WIDEST_OFFSET) };
  return { edge: 'start', operator: '<=', value: addSeconds(value, WIDEST_OFFSET) };
}

/** A UTC time from which every event that starts later meets a lower bound on the start or end, whatever its zone. */
export const utcLimit = ({ clock, value }: Bound): LocalTime =>
  clock === 'utc' ? value : addSeconds(value, WIDEST_OFFSET);
