import { createRecentMap, type RecentMap } from '../recent-map.ts';
import { type LocalTime, toMs } from './local-time.ts';

/**
 * Formats dates and times for people, in the language of a page. All are local times of an event, so no zone is
 * involved.
 */
export interface ShownDates {
  /** `Saturday 6 March`, with the year unless it is the year of `today`. */
  day(local: LocalTime): string;
  /** `Sat 6 Mar`, with the year unless it is the year of `today`. */
  shortDay(local: LocalTime): string;
  /** `March 2027`. */
  month(local: LocalTime): string;
  /** `Saturday`. */
  weekday(local: LocalTime): string;
  /** `Sat`. */
  shortWeekday(local: LocalTime): string;
  /** `18:30`. */
  time(local: LocalTime): string;
  /** `18:30–21:00` on one day. */
  times(start: LocalTime, end: LocalTime): string;
  /** `Saturday 6 March, 18:30–21:00`, or a range of several days. */
  range(start: LocalTime, end: LocalTime, isAllDay: boolean): string;
  /** First day of the week, 1 (Monday) to 7 (Sunday). */
  firstWeekday: number;
}

/** The date formats of a language; `today` is the current day of the site, `2027-03-06`. */
export function shownDates(language: string, today: string): ShownDates {
  const formats = formatsOf(language);
  const once = (key: string, format: () => string) => {
    const text = formats.timesOfDay.get(key) ?? format();
    formats.timesOfDay.set(key, text);
    return text;
  };
  const isThisYear = (local: LocalTime) => local.slice(0, 4) === today.slice(0, 4);
  const at = (local: LocalTime) => toMs(local.length === 10 ? `${local} 00:00:00` : local);
  const day = (local: LocalTime) => (isThisYear(local) ? formats.day : formats.dayOfYear).format(at(local));
  const shortDay = (local: LocalTime) =>
    (isThisYear(local) ? formats.shortDay : formats.shortDayOfYear).format(at(local));
  const time = (local: LocalTime) => formats.time.format(at(local));
  const times = (start: LocalTime, end: LocalTime) => {
    if (start.slice(0, 16) === end.slice(0, 16)) return time(start);
    const range = () => formats.time.formatRange(at(start), at(end));
    return start.slice(0, 10) === end.slice(0, 10) ? once(`${start.slice(11)} ${end.slice(11)}`, range) : range();
  };
  return {
    day,
    shortDay,
    month: (local) => formats.month.format(at(`${local.slice(0, 7)}-01`)),
    weekday: (local) => formats.weekday.format(at(local)),
    shortWeekday: (local) => formats.shortWeekday.format(at(local)),
    time,
    times,
    range(start, end, isAllDay) {
      const isOneDay = start.slice(0, 10) === end.slice(0, 10);
      if (isAllDay) return isOneDay ? day(start) : `${shortDay(start)} – ${shortDay(end)}`;
      if (isOneDay) return `${day(start)}, ${times(start, end)}`;
      return `${shortDay(start)}, ${time(start)} – ${shortDay(end)}, ${time(end)}`;
    },
    firstWeekday: formats.firstWeekday,
  };
}

interface Formats {
  day: Intl.DateTimeFormat;
  dayOfYear: Intl.DateTimeFormat;
  shortDay: Intl.DateTimeFormat;
  shortDayOfYear: Intl.DateTimeFormat;
  month: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  shortWeekday: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  /** Cached times of day from start to end: formatting them takes longer than the rest of a card. */
  timesOfDay: RecentMap<string>;
  firstWeekday: number;
}

/** One entry per language, because creating the formats takes longer than rendering a page. */
const FORMATS = new Map<string, Formats>();

function formatsOf(language: string): Formats {
  const cached = FORMATS.get(language);
  if (cached) return cached;
  const locale = localeOf(language);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const short = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const made: Formats = {
    day: format(long),
    dayOfYear: format({ ...long, year: 'numeric' }),
    shortDay: format(short),
    shortDayOfYear: format({ ...short, year: 'numeric' }),
    month: format({ month: 'long', year: 'numeric' }),
    weekday: format({ weekday: 'long' }),
    shortWeekday: format({ weekday: 'short' }),
    time: format({ timeStyle: 'short' }),
    timesOfDay: createRecentMap(100_000),
    firstWeekday: new Intl.Locale(locale).getWeekInfo().firstDay,
  };
  FORMATS.set(language, made);
  return made;
}

/** English without a country follows the most common usage: the day first and 24 hours. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);
