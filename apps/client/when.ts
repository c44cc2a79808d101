/** Readable days and times. Times of records are local times of their own zone and are never converted. */

/** A local time such as `2027-03-06 18:30:00` read as UTC, so that it is formatted unchanged. */
const asUtc = (local: string): Date => new Date(`${local.replace(' ', 'T')}Z`);

interface Span {
  start_date: string;
  end_date: string;
  all_day?: boolean | null;
}

/** Prevents line breaks within a time or a range of times. */
const unbroken = (text: string): string => text.replace(/\s/g, '\u00a0').replace('–', '–\u2060');

/** Formats of a language, such as `Sat, 6 Mar 2027, 18:30 – 21:00`, with or without the year. */
export function createWhen(language: string, { hasYear = true } = {}) {
  const date = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const day: Intl.DateTimeFormatOptions = hasYear ? { ...date, year: 'numeric' } : date;
  const days = new Intl.DateTimeFormat(language, day);
  const moments = new Intl.DateTimeFormat(language, { ...day, hour: 'numeric', minute: '2-digit' });
  const times = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  /** Prevents line breaks within the time of a text. */
  const withTime = (text: string, time: string) => text.replace(time, unbroken(time));
  return {
    /** Day of a local time. */
    day: (local: string): string => days.format(asUtc(local)),
    time: (local: string): string => times.format(asUtc(local)),
    /** Range of times, which may end on the next day. */
    times: (from: string, to: string): string =>
      from.slice(0, 10) === to.slice(0, 10)
        ? unbroken(times.formatRange(asUtc(from), asUtc(to)))
        : `${times.format(asUtc(from))} – ${times.format(asUtc(to))}`,
    moment: (local: string): string => withTime(moments.format(asUtc(local)), times.format(asUtc(local))),
    span({ start_date, end_date, all_day }: Span): string {
      const [from, to] = [asUtc(start_date), asUtc(end_date)];
      if (all_day) return days.formatRange(from, to);
      return withTime(moments.formatRange(from, to), times.formatRange(from, to));
    },
    /** Distance of a UTC time from now, in its largest unit. */
    ago(utc: string, now = Date.now()): string {
      const seconds = (asUtc(utc).getTime() - now) / 1000;
      const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / length), unit);
    },
  };
}

/**
 * Form of a language in the region that the browser prefers, such as `en-GB`, for dates; the language itself for other
 * browsers. Without extensions, such as another calendar, since days are those of the interface.
 */
export function regionalForm(language: string, preferred: readonly string[]): string {
  const regional = preferred.find((tag) => new RegExp(`^${language}(-|$)`, 'i').test(tag));
  try {
    return regional ? new Intl.Locale(regional).baseName : language;
  } catch {
    return language;
  }
}

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

/** Local time of a zone, such as `2027-03-06 18:30:00`. */
export const nowIn = (timeZone: string, now = new Date()): string => clockIn(timeZone).format(now);

/** A UTC time of a record as local time of a zone. */
export const localIn = (timeZone: string, utc: string): string => nowIn(timeZone, asUtc(utc));

/** Day in a zone, such as `2027-03-06`. */
export const todayIn = (timeZone: string, now = new Date()): string => nowIn(timeZone, now).slice(0, 10);

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time in UTC as the wall clock of the browser; empty for none. */
export function localOf(utc: string | null): string {
  if (utc === null) return '';
  const at = new Date(`${utc.replace(' ', 'T')}Z`);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The reverse of `localOf`. */
export const utcOf = (local: string): string | null =>
  local === '' ? null : new Date(local.replace(' ', 'T')).toISOString().slice(0, 19).replace('T', ' ');
