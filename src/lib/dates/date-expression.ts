/** The content of a parsed date, and how each kind of token adds to it. */
import { findZone, type Zone } from './zones.ts';

/**
 * A parsed date that is not yet resolved to a time, because that may depend on a time zone and the clock. Months are 1
 * to 12, weekdays 0 (Sunday) to 6.
 */
export interface DateExpression {
  text: string;
  /** Time in ms if the text is a count of seconds; nothing else is set then. */
  epoch?: number;
  /** The year defaults to the current one. */
  date?: { year?: number; month: number; day: number };
  /** Seconds after midnight. */
  time?: number;
  zone?: Zone;
  /** Contains a word such as `tomorrow` or a weekday; without a time it means midnight. */
  wholeDay: boolean;
  /** `direction` 1 is next, -1 last, 0 this; undefined for the bare name. */
  weekday?: { day: number; direction?: number };
  /** Set by `next week` and the like: a weekday refers to that week, which begins on Monday. */
  inWeek: boolean;
  /** `first day of` (`nth` 1), `last day of` (0), or with a weekday `second friday of` (2). */
  inMonth?: { nth: number; weekday?: number };
  months: number;
  days: number;
  businessDays: number;
  seconds: number;
  /** Contains relative units, such as `+2 days` or `next month`. */
  units: boolean;
  /** Contains a word such as `now` or `tomorrow`. */
  word: boolean;
}

/** Named groups of a token's pattern. */
export type Parts = Record<string, string | undefined>;
/** Adds a token to the expression; returns false to reject the whole text. */
export type ApplyToken = (expression: DateExpression, parts: Parts) => boolean;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Ordinals of `first monday of`; `last` is handled separately. */
export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const DIRECTIONS: Parts = { next: '1', this: '0', last: '-1', previous: '-1' };

/** Unit -> the field it adds to, and the factor. */
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

/** An expression without tokens. */
export function emptyExpression(text: string): DateExpression {
  return {
    text,
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

/** Whether an expression means the same whenever it is resolved. */
export const isAbsolute = ({ epoch, date }: DateExpression): boolean => epoch !== undefined || date?.year !== undefined;

/** Whether an expression means a whole day rather than a moment. */
export const isDay = ({ epoch, date, wholeDay, time, seconds }: DateExpression): boolean =>
  epoch === undefined && time === undefined && seconds === 0 && (date !== undefined || wholeDay);

/** Whether an expression contains more than a time zone. */
export function hasDate({ date, time, weekday, inMonth, units, word }: DateExpression): boolean {
  return time !== undefined || units || word || Boolean(date || weekday || inMonth);
}

export function applyDate(expression: DateExpression, { year, month = '', day = '1' }: Parts): boolean {
  if (expression.date) return false;
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  expression.date = { month: named || Number(month), day: Number(day) };
  if (year !== undefined) expression.date.year = Number(year);
  return true;
}

export function applyTime(expression: DateExpression, { hour, minute = '0', second = '0', half }: Parts): boolean {
  const given = Number(hour);
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (half !== undefined && (given < 1 || given > 12)) return false;
  if (expression.time !== undefined || hours > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  expression.time = hours * 3600 + Number(minute) * 60 + Number(second);
  return true;
}

export function applyZone(expression: DateExpression, { name = '' }: Parts): boolean {
  if (expression.zone) return false;
  expression.zone = findZone(name.toLowerCase() === 'z' ? 'UTC' : name);
  return expression.zone !== undefined;
}

export function applyOffset(expression: DateExpression, { sign = '', hour = '', minute = '00' }: Parts): boolean {
  return applyZone(expression, { name: `${sign}${hour.padStart(2, '0')}:${minute}` });
}

export function applyUnits(expression: DateExpression, { count = '', unit = '' }: Parts): boolean {
  const [field, size] = UNITS[unit.toLowerCase()] ?? ['days', Number.NaN];
  expression[field] += Number(count) * size;
  expression.units = true;
  return true;
}

export function applyNamedUnit(expression: DateExpression, { which = '', unit = '' }: Parts): boolean {
  if (unit.toLowerCase() === 'week') expression.inWeek = true;
  return applyUnits(expression, { count: DIRECTIONS[which.toLowerCase()], unit });
}

export function applyAgo(expression: DateExpression): boolean {
  if (!expression.units) return false;
  expression.months = -expression.months;
  expression.days = -expression.days;
  expression.businessDays = -expression.businessDays;
  expression.seconds = -expression.seconds;
  return true;
}

function weekdayNumber(name: string): number {
  return WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());
}

export function applyWeekday(expression: DateExpression, { weekday = '', which }: Parts): boolean {
  if (expression.weekday) return false;
  expression.weekday = { day: weekdayNumber(weekday) };
  if (which !== undefined) expression.weekday.direction = Number(DIRECTIONS[which.toLowerCase()]);
  expression.wholeDay = true;
  return true;
}

export function applyInMonth(expression: DateExpression, { nth = '', weekday, month, year }: Parts): boolean {
  if (expression.inMonth) return false;
  expression.inMonth = { nth: ORDINALS.indexOf(nth.toLowerCase()) + 1 };
  if (weekday !== undefined) {
    expression.inMonth.weekday = weekdayNumber(weekday);
    expression.wholeDay = true;
  }
  return month === undefined || applyDate(expression, { month, year });
}

export function applyDayWord(expression: DateExpression, { word = '' }: Parts): boolean {
  const name = word.toLowerCase();
  expression.word = true;
  if (name === 'noon') return applyTime(expression, { hour: '12' });
  if (name !== 'now') expression.wholeDay = true;
  if (name === 'tomorrow') expression.days += 1;
  if (name === 'yesterday') expression.days -= 1;
  return true;
}
