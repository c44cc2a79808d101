/** Resolves a date expression to a local time, given a time zone and the current time. */
import type { DateExpression } from './date-expression.ts';
import { DAY_MS, dayMs, daysInMonth, isInRange, shiftMonths } from './local-time.ts';
import { instantOf, offsetAt, type Zone } from './zones.ts';

function weekdayOf(ms: number): number {
  return new Date(ms).getUTCDay();
}

/** The given day, or today; NaN if it is not in the calendar. */
function baseDay(expression: DateExpression, nowMs: number): number {
  if (!expression.date) return Math.floor(nowMs / DAY_MS) * DAY_MS;
  const { month, day, year = new Date(nowMs).getUTCFullYear() } = expression.date;
  const isReal = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return isReal ? dayMs(year, month, day) : Number.NaN;
}

/** Days from a weekday to the requested one: today counts unless the expression says next or last. */
function daysToWeekday(from: number, { weekday, inWeek, date }: DateExpression): number {
  if (!weekday) return 0;
  // "Tue, 15 Jun 2030": next to a date the weekday is only a comment.
  if (date && weekday.direction === undefined) return 0;
  if (inWeek) return ((weekday.day + 6) % 7) - ((from + 6) % 7);
  const ahead = (weekday.day - from + 7) % 7;
  if (weekday.direction === -1) return ahead - 7;
  return ahead === 0 && weekday.direction === 1 ? 7 : ahead;
}

/**
 * The day meant by `first day of`, `last day of` or `second friday of` in the month of `ms`; NaN for a fifth that does
 * not exist.
 */
function dayInMonth(ms: number, { nth, weekday }: NonNullable<DateExpression['inMonth']>): number {
  const date = new Date(ms);
  const length = daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1);
  const first = ms - (date.getUTCDate() - 1) * DAY_MS;
  // Nth 0 is the last.
  if (weekday === undefined) return nth === 0 ? first + (length - 1) * DAY_MS : first;
  const day = (weekday - weekdayOf(first) + 7) % 7;
  const at = nth === 0 ? day + Math.floor((length - 1 - day) / 7) * 7 : day + (nth - 1) * 7;
  return at < length ? first + at * DAY_MS : Number.NaN;
}

/**
 * Shifts by working days, Monday to Friday. A weekend counts as the nearest working day against the direction of the
 * shift.
 */
function shiftBusinessDays(ms: number, count: number): number {
  if (count === 0) return ms;
  const step = Math.sign(count) * DAY_MS;
  const isWeekend = (at: number) => weekdayOf(at) % 6 === 0;
  let at = ms;
  while (isWeekend(at)) at -= step;
  at += Math.trunc(count / 5) * 7 * DAY_MS;
  for (let left = Math.abs(count % 5); left > 0 && isInRange(at); left -= 1) {
    at += step;
    while (isWeekend(at)) at += step;
  }
  return at;
}

/** The resolved day in ms; NaN if there is none. */
function resolvedDay(expression: DateExpression, nowMs: number): number {
  const base = baseDay(expression, nowMs);
  const onWeekday = base + daysToWeekday(weekdayOf(base), expression) * DAY_MS;
  const moved = shiftMonths(onWeekday, expression.months) + expression.days * DAY_MS;
  const inMonth = expression.inMonth && isInRange(moved) ? dayInMonth(moved, expression.inMonth) : moved;
  return isInRange(inMonth) ? shiftBusinessDays(inMonth, expression.businessDays) : Number.NaN;
}

/**
 * The resolved local time in ms. Days and months are calendar units; hours and smaller units are elapsed time in the
 * zone. Undefined if a date does not exist or the result is outside the years 1 to 9999.
 * @param nowMs the current local time in `zone`, in whole seconds
 */
export function resolvedTime(expression: DateExpression, zone: Zone, nowMs: number): number | undefined {
  const timeNow = nowMs - Math.floor(nowMs / DAY_MS) * DAY_MS;
  const unsaidTime = expression.date || expression.wholeDay ? 0 : timeNow;
  const ms = resolvedDay(expression, nowMs) + (expression.time === undefined ? unsaidTime : expression.time * 1000);
  if (!isInRange(ms)) return undefined;
  if (expression.seconds === 0) return ms;
  const utc = instantOf(zone, ms) + expression.seconds * 1000;
  if (!isInRange(utc)) return undefined;
  const later = utc + offsetAt(zone, utc);
  return isInRange(later) ? later : undefined;
}
