/** What a written date says, and how each kind of token adds to it; a note that gives false refuses the whole text. */
import { findZone, type Zone } from './zones.ts';

/** What a text says. Months are 1 to 12, weekdays 0 (Sunday) to 6; numbers are as written and may be impossible. */
export interface DateExpression {
  /** Without a year it is the current one. */
  date?: { year?: number; month: number; day: number };
  /** Seconds after midnight. */
  time?: number;
  zone?: Zone;
  /** A word such as `tomorrow` or a weekday: the time is midnight unless one is said. */
  wholeDay: boolean;
  /** `direction` 1 is next, -1 last, 0 this one; undefined when the name stands alone. */
  weekday?: { day: number; direction?: number };
  /** `next week` and the like: a weekday is the one of that week, Monday first. */
  inWeek: boolean;
  /** `first day of`, `last day of` (`last`), or with a weekday `second friday of`. */
  inMonth?: { nth: number; weekday?: number };
  months: number;
  days: number;
  businessDays: number;
  seconds: number;
  /** Relative units such as `+2 days` or `next month` were said. */
  units: boolean;
  /** A word such as `now` or `tomorrow` was said. */
  word: boolean;
}

/** Named groups of a token. */
export type Parts = Record<string, string | undefined>;
/** Notes what a token says; false refuses the whole text. */
export type Note = (said: DateExpression, parts: Parts) => boolean;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Words of `first monday of`; `last` comes beside them. */
export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const DIRECTIONS: Parts = { next: '1', this: '0', last: '-1', previous: '-1' };

/** Unit -> where it counts, and how many. */
export const UNITS: Record<string, ['months' | 'days' | 'businessDays' | 'seconds', number]> = {
  sec: ['seconds', 1],
  second: ['seconds', 1],
  min: ['seconds', 60],
  minute: ['seconds', 60],
  hour: ['seconds', 3600],
  day: ['days', 1],
  weekday: ['businessDays', 1],
  week: ['days', 7],
  fortnight: ['days', 14],
  month: ['months', 1],
  year: ['months', 12],
};

/** Where reading starts. */
export function emptyExpression(): DateExpression {
  return {
    wholeDay: false,
    inWeek: false,
    months: 0,
    days: 0,
    businessDays: 0,
    seconds: 0,
    units: false,
    word: false,
  };
}

/** Whether there is more than a zone. */
export function saysDate({ date, time, weekday, inMonth, units, word }: DateExpression): boolean {
  return time !== undefined || units || word || Boolean(date || weekday || inMonth);
}

export function noteDate(said: DateExpression, { year, month = '', day = '1' }: Parts): boolean {
  if (said.date) return false;
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  said.date = { month: named || Number(month), day: Number(day) };
  if (year !== undefined) said.date.year = Number(year);
  return true;
}

export function noteTime(said: DateExpression, { hour, minute = '0', second = '0', half }: Parts): boolean {
  const given = Number(hour);
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (half !== undefined && (given < 1 || given > 12)) return false;
  if (said.time !== undefined || hours > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  said.time = hours * 3600 + Number(minute) * 60 + Number(second);
  return true;
}

export function noteZone(said: DateExpression, { name = '' }: Parts): boolean {
  if (said.zone) return false;
  said.zone = findZone(name.toLowerCase() === 'z' ? 'UTC' : name);
  return said.zone !== undefined;
}

export function noteOffset(said: DateExpression, { sign = '', hour = '', minute = '00' }: Parts): boolean {
  return noteZone(said, { name: `${sign}${hour.padStart(2, '0')}:${minute}` });
}

export function noteUnits(said: DateExpression, { count = '', unit = '' }: Parts): boolean {
  const [field, size] = UNITS[unit.toLowerCase()] ?? ['days', Number.NaN];
  said[field] += Number(count) * size;
  said.units = true;
  return true;
}

export function noteNamedUnit(said: DateExpression, { which = '', unit = '' }: Parts): boolean {
  if (unit.toLowerCase() === 'week') said.inWeek = true;
  return noteUnits(said, { count: DIRECTIONS[which.toLowerCase()], unit });
}

export function noteAgo(said: DateExpression): boolean {
  if (!said.units) return false;
  said.months = -said.months;
  said.days = -said.days;
  said.businessDays = -said.businessDays;
  said.seconds = -said.seconds;
  return true;
}

function weekdayNumber(name: string): number {
  return WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());
}

export function noteWeekday(said: DateExpression, { weekday = '', which }: Parts): boolean {
  if (said.weekday) return false;
  said.weekday = { day: weekdayNumber(weekday) };
  if (which !== undefined) said.weekday.direction = Number(DIRECTIONS[which.toLowerCase()]);
  said.wholeDay = true;
  return true;
}

export function noteInMonth(said: DateExpression, { nth = '', weekday, month, year }: Parts): boolean {
  if (said.inMonth) return false;
  said.inMonth = { nth: ORDINALS.indexOf(nth.toLowerCase()) + 1 };
  if (weekday !== undefined) {
    said.inMonth.weekday = weekdayNumber(weekday);
    said.wholeDay = true;
  }
  return month === undefined || noteDate(said, { month, year });
}

export function noteDayWord(said: DateExpression, { word = '' }: Parts): boolean {
  const name = word.toLowerCase();
  said.word = true;
  if (name === 'noon') return noteTime(said, { hour: '12' });
  if (name !== 'now') said.wholeDay = true;
  if (name === 'tomorrow') said.days += 1;
  if (name === 'yesterday') said.days -= 1;
  return true;
}
