/**
 * A local time without a time zone: `YYYY-MM-DD HH:MM:SS`, years 0001 to 9999. Sorts as text. UTC times have the same
 * form.
 */
export type LocalTime = string;

export const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Whether milliseconds are within the range of a LocalTime; false for NaN. */
export function isInRange(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS + 999;
}

/** Whether a value from another system is a local time: well-formed, with a date and a time of day that exist. */
export const isLocalTime = (value: unknown): value is LocalTime =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value) &&
  isInRange(Date.parse(`${value.slice(0, 10)}T${value.slice(11)}Z`)) &&
  fromMs(toMs(value)) === value;

/**
 * Milliseconds since 1970 of a local time read as UTC.
 * @throws RangeError for any other text, including empty and zero dates
 */
export function toMs(local: LocalTime): number {
  const ms = Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`Not a local time: ${local}`);
  return ms;
}

/**
 * The UTC time of milliseconds since 1970; fractions of a second are dropped, and years are clamped to 1 to 9999.
 * @throws RangeError for NaN
 */
export function fromMs(ms: number): LocalTime {
  const text = new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

export function toUtc(date: Date): LocalTime {
  return fromMs(date.getTime());
}

export function fromUtc(utc: LocalTime): Date {
  return new Date(toMs(utc));
}

/** 00:00:00 of the same day. */
export function dayStart(local: LocalTime): LocalTime {
  return `${local.slice(0, 10)} 00:00:00`;
}

/** 00:00:00 of the first day of the same month. */
export function monthStart(local: LocalTime): LocalTime {
  return `${local.slice(0, 7)}-01 00:00:00`;
}

/** 23:59:59 of the same day. */
export function dayEnd(local: LocalTime): LocalTime {
  return `${local.slice(0, 10)} 23:59:59`;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Milliseconds at 00:00:00 of a day in the proleptic Gregorian calendar. */
export function dayMs(year: number, month: number, day: number): number {
  // Date.UTC would read years below 100 as 19xx.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/**
 * Adds whole months to milliseconds; the day is limited to the last one of the month. NaN outside the years 1 to 9999.
 */
export function shiftMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(total / 12);
  const month = total - year * 12 + 1;
  if (year < 1 || year > 9999) return Number.NaN;
  const timeOfDay = ((ms % DAY_MS) + DAY_MS) % DAY_MS;
  return dayMs(year, month, Math.min(date.getUTCDate(), daysInMonth(year, month))) + timeOfDay;
}

/** Adds months (may be negative); January 31 plus one month is the last day of February. Clamps like `fromMs`. */
export function addMonths(local: LocalTime, months: number): LocalTime {
  const ms = shiftMonths(toMs(local), months);
  if (Number.isNaN(ms)) return fromMs(months < 0 ? FIRST_MS : LAST_MS);
  return fromMs(ms);
}

/** Adds days (may be negative), keeping the time of day. */
export function addDays(local: LocalTime, days: number): LocalTime {
  return fromMs(toMs(local) + days * DAY_MS);
}

/** Adds seconds (may be negative). */
export function addSeconds(local: LocalTime, seconds: number): LocalTime {
  return fromMs(toMs(local) + seconds * 1000);
}

/** Seconds from `a` to `b`; negative if `b` is earlier. */
export function secondsBetween(a: LocalTime, b: LocalTime): number {
  return (toMs(b) - toMs(a)) / 1000;
}

/** Parts of a local time as zero-padded texts; all empty for an empty text. */
export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

/** Splits a local time into its parts. Plain string operations: it runs for every event of a list. */
export function dateDetails(local: LocalTime): DateDetails {
  return {
    year: local.slice(0, 4),
    month: local.slice(5, 7),
    day: local.slice(8, 10),
    hour: local.slice(11, 13),
    minutes: local.slice(14, 16),
    seconds: local.slice(17, 19),
  };
}
