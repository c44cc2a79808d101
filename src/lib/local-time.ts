/** A time on a clock on the wall, no zone: `YYYY-MM-DD HH:MM:SS`, years 0001 to 9999. Sorts as text. */
export type LocalTime = string;

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Whether milliseconds fall into the years a Wall can hold; false for NaN. */
export function isWallMs(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS + 999;
}

/**
 * Milliseconds since 1970 of a wall clock read as UTC.
 * @throws RangeError when the text is not a Wall (an empty or zero date is the caller's matter)
 */
export function wallMs(wall: LocalTime): number {
  const ms = Date.parse(`${wall.slice(0, 10)}T${wall.slice(11)}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`Not a wall clock time: ${wall}`);
  return ms;
}

/**
 * Wall clock of milliseconds read as UTC; parts of a second are dropped. What lies outside the years 1 to 9999 becomes
 * the nearest end of that range, so the result is a Wall whatever the input.
 * @throws RangeError for NaN
 */
export function msWall(ms: number): LocalTime {
  const text = new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** UTC wall clock of a Date. */
export function toWall(date: Date): LocalTime {
  return msWall(date.getTime());
}

/** Date of a UTC wall clock. */
export function fromUtc(utc: LocalTime): Date {
  return new Date(wallMs(utc));
}

/** 00:00:00 of the same day. */
export function dayStart(wall: LocalTime): LocalTime {
  return `${wall.slice(0, 10)} 00:00:00`;
}

/** 23:59:59 of the same day. */
export function dayEnd(wall: LocalTime): LocalTime {
  return `${wall.slice(0, 10)} 23:59:59`;
}

/** Number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Milliseconds of 00:00:00 on a day of the proleptic Gregorian calendar. */
export function dayMs(year: number, month: number, day: number): number {
  // Date.UTC would read years below 100 as 19xx.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Milliseconds moved by whole months, the day lowered to the last one of the month; NaN outside the years 1 to 9999. */
export function shiftMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(total / 12);
  const month = total - year * 12 + 1;
  if (year < 1 || year > 9999) return Number.NaN;
  const timeOfDay = ((ms % DAY_MS) + DAY_MS) % DAY_MS;
  return dayMs(year, month, Math.min(date.getUTCDate(), daysInMonth(year, month))) + timeOfDay;
}

/** Moves by months (may be negative); January 31 plus one month is the last of February. Ends are clamped as in `msWall`. */
export function addMonths(wall: LocalTime, months: number): LocalTime {
  const ms = shiftMonths(wallMs(wall), months);
  if (Number.isNaN(ms)) return msWall(months < 0 ? FIRST_MS : LAST_MS);
  return msWall(ms);
}

/** Moves by days (may be negative), same time of day. */
export function addDays(wall: LocalTime, days: number): LocalTime {
  return msWall(wallMs(wall) + days * DAY_MS);
}

/** Moves by seconds (may be negative). */
export function addSeconds(wall: LocalTime, seconds: number): LocalTime {
  return msWall(wallMs(wall) + seconds * 1000);
}

/** Seconds from `a` to `b`; negative when `b` is earlier. */
export function secondsBetween(a: LocalTime, b: LocalTime): number {
  return (wallMs(b) - wallMs(a)) / 1000;
}

/** The parts of a wall clock as zero-padded texts; of an empty text all are empty. */
export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

/** Cuts a wall clock into its parts. Plain string work: it runs for every event of a list. */
export function dateDetails(wall: LocalTime): DateDetails {
  return {
    year: wall.slice(0, 4),
    month: wall.slice(5, 7),
    day: wall.slice(8, 10),
    hour: wall.slice(11, 13),
    minutes: wall.slice(14, 16),
    seconds: wall.slice(17, 19),
  };
}
