import { createRecencyCache, type RecencyCache } from '../recency-cache.ts';
import { type LocalTime, toMs } from './local-time.ts';

/**
 * Formats dates and times for people, in the language of a page. All are local times of an event, so no zone is
 * involved.
 */
export interface DateFormats {
  /** `Saturday 6 March`, with the year unless it is the year of `today`. */
  day(local: LocalTime): string;
  /** `6 March`, with the year unless it is the year of `today`. */
  date(local: LocalTime): string;
  /** `Sat 6 Mar`, with the year unless it is the year of `today`. */
  shortDay(local: LocalTime): string;
  /** `March 2027`. */
  month(local: LocalTime): string;
  /** `1–7 March 2027`, or a range across months or years. */
  days(first: LocalTime, last: LocalTime): string;
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
export function dateFormats(language: string, today: string): DateFormats {
  const formats = formatsOf(language);
  const once = (key: string, format: () => string) => {
    const text = formats.timesOfDay.get(key) ?? format();
    formats.timesOfDay.set(key, text);
    return text;
  };
  const isThisYear = (local: LocalTime) => local.slice(0, 4) === today.slice(0, 4);
  const at = (local: LocalTime) => toMs(local.length === 10 ? `${local} 00:00:00` : local);
  const day = (local: LocalTime) => (isThisYear(local) ? formats.day : formats.dayOfYear)(at(local));
  const shortDay = (local: LocalTime) => (isThisYear(local) ? formats.shortDay : formats.shortDayOfYear)(at(local));
  const time = (local: LocalTime) => formats.time.format(at(local));
  const times = (start: LocalTime, end: LocalTime) => {
    if (start.slice(0, 16) === end.slice(0, 16)) return time(start);
    const range = () => formats.time.formatRange(at(start), at(end));
    return start.slice(0, 10) === end.slice(0, 10) ? once(`${start.slice(11)} ${end.slice(11)}`, range) : range();
  };
  return {
    day,
    date: (local) => (isThisYear(local) ? formats.date : formats.dateOfYear)(at(local)),
    shortDay,
    days: (first, last) => formats.days(at(first), at(last)),
    month: (local) => formats.month(local.slice(0, 7)),
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

/** Formats a moment in milliseconds. */
type Format = (ms: number) => string;

interface Formats {
  day: Format;
  dayOfYear: Format;
  date: Format;
  dateOfYear: Format;
  shortDay: Format;
  shortDayOfYear: Format;
  /** Cached by month: a month page names two dozen months. */
  month: (month: string) => string;
  days: (first: number, last: number) => string;
  weekday: Intl.DateTimeFormat;
  shortWeekday: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  /** Cached times of day from start to end: formatting them takes longer than the rest of a card. */
  timesOfDay: RecencyCache<string>;
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
  const written = (one: Intl.DateTimeFormat) => writtenIn(locale, one);
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const month = format({ month: 'long', year: 'numeric' });
  const months = createRecencyCache<string>(100_000);
  const range = format(date);
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const short = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const made: Formats = {
    day: written(format(long)),
    dayOfYear: written(format({ ...long, year: 'numeric' })),
    date: written(format({ day: 'numeric', month: 'long' })),
    dateOfYear: written(range),
    shortDay: written(format(short)),
    shortDayOfYear: written(format({ ...short, year: 'numeric' })),
    month(name) {
      const text = months.get(name) ?? capitalized(month.format(toMs(`${name}-01 00:00:00`)), locale);
      months.set(name, text);
      return text;
    },
    days: (first, last) => joined(range.formatRangeToParts(first, last), locale),
    weekday: format({ weekday: 'long' }),
    shortWeekday: format({ weekday: 'short' }),
    time: format({ timeStyle: 'short' }),
    timesOfDay: createRecencyCache(100_000),
    firstWeekday: new Intl.Locale(locale).getWeekInfo().firstDay,
  };
  FORMATS.set(language, made);
  return made;
}

/** Adapts the output of `Intl` to printed usage of the language: `Mon 1 March 2027`, `lundi 1er mars`. */
function writtenIn(locale: string, format: Intl.DateTimeFormat): Format {
  if (locale === 'en-GB') return (ms) => format.format(ms).replace(', ', ' ');
  if (!isFrench(locale)) return (ms) => format.format(ms);
  return (ms) => (new Date(ms).getUTCDate() === 1 ? joined(format.formatToParts(ms), locale) : format.format(ms));
}

const isFrench = (locale: string): boolean => locale.split('-')[0] === 'fr';

/** Joins the parts of a date; in French, the first day of a month is an ordinal. */
const joined = (parts: readonly Intl.DateTimeFormatPart[], locale: string): string =>
  parts.map(({ type, value }) => (type === 'day' && value === '1' && isFrench(locale) ? '1er' : value)).join('');

/** Begins the name of a month with a capital: it is mostly a heading, even in languages that write months in lower case. */
const capitalized = (text: string, locale: string): string =>
  text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);

/** English without a country follows the most common usage: the day first and 24 hours. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);
