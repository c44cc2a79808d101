/** Parses and resolves dates written by people and programs, for all code that reads dates from outside. */
import { type DateExpression, isDay } from './date-expression.ts';
import { parseExpression } from './date-parser.ts';
import { resolvedTime } from './date-resolver.ts';
import { addDays, addSeconds, DAY_MS, dayStart, fromMs, fromUtc, isInRange, type LocalTime } from './local-time.ts';
import { getZone, instantOf, localToUtc, offsetAt, utcToLocal, type Zone } from './zones.ts';

// biome-ignore lint/performance/noBarrelFile: single public entry point for dates
export { type DateExpression, isAbsolute } from './date-expression.ts';
export {
  addDays,
  addMonths,
  addSeconds,
  dateDetails,
  dayEnd,
  dayStart,
  fromMs,
  fromUtc,
  isLocalTime,
  type LocalTime,
  monthStart,
  secondsBetween,
  toUtc,
} from './local-time.ts';
export {
  clockChanges,
  hoursFromUtc,
  isOnlyInstant,
  isoWithOffset,
  isZone,
  localDay,
  localToUtc,
  offsetOf,
  offsetText,
  utcToLocal,
  zoneId,
} from './zones.ts';
export { zoneAbbreviation } from './zones-abbreviations.ts';

/** A resolved date: `local` had no zone, `instant` had one (its UTC time is given), `epoch` was a count of seconds. */
export type ResolvedDate =
  | { kind: 'local'; local: LocalTime }
  | { kind: 'instant'; utc: LocalTime }
  | { kind: 'epoch'; utc: LocalTime };

/** Zone and time for resolving a date: relative words refer to the local time in `zone` at `now`. */
export interface DateContext {
  zone: string;
  now: Date;
}

const MAX_LENGTH = 100;

/** Rejected in every form: API clients use it for an empty date. */
const EPOCH_ZERO = '1970-01-01 00:00:00';

/** Arbitrary context for checks that do not depend on it: whether an expression can be a date, and its time of day. */
const ANY_CONTEXT: DateContext = { zone: 'UTC', now: new Date(Date.UTC(2000, 0, 15, 12)) };

/**
 * Parses a date: ISO 8601, the usual written forms, epoch seconds, relative words (`tomorrow 9am`, `+1 week 2 days`,
 * `first day of next month`); see `date-parser.ts`. Undefined for text that is not a date, dates that do not exist
 * (February 30, 24:00), years outside 1 to 9999, and zero (`0`, 1970-01-01 00:00:00). Never throws.
 * @example
 * const date = parseDate('tomorrow 9am');
 * // On 4 July 2026 in Paris: { kind: 'local', local: '2026-07-05 09:00:00' }
 * date && resolveDate(date, { zone: 'Europe/Paris', now });
 */
export function parseDate(text: string): DateExpression | undefined {
  const expression = text.length > MAX_LENGTH ? undefined : parseExpression(text);
  return expression && resolveDate(expression, ANY_CONTEXT) && expression;
}

/**
 * Resolves a date. Without a time it is midnight, except that units alone (`+5 days`) keep the current time. Undefined
 * if there is no such date, such as `February 29` in most years or `fifth saturday of` in most months.
 * @throws RangeError for an unknown `zone`
 */
export function resolveDate(expression: DateExpression, context: DateContext): ResolvedDate | undefined {
  if (expression.epoch === undefined) return resolveWords(expression, context);
  const utc = nonZero(expression.epoch);
  return utc === undefined ? undefined : { kind: 'epoch', utc };
}

function resolveWords(expression: DateExpression, context: DateContext): ResolvedDate | undefined {
  const clock = expression.zone ?? getZone(context.zone);
  const ms = resolvedIn(clock, expression, context.now);
  if (ms === undefined) return undefined;
  const time = nonZero(expression.zone ? instantOf(clock, ms) : ms);
  if (time === undefined) return undefined;
  return expression.zone ? { kind: 'instant', utc: time } : { kind: 'local', local: time };
}

/** The local time in ms of an expression in a zone. */
function resolvedIn(clock: Zone, expression: DateExpression, now: Date): number | undefined {
  const utcNow = Math.floor(now.getTime() / 1000) * 1000;
  return resolvedTime(expression, clock, utcNow + offsetAt(clock, utcNow));
}

function nonZero(ms: number): LocalTime | undefined {
  const time = isInRange(ms) ? fromMs(ms) : EPOCH_ZERO;
  return time === EPOCH_ZERO ? undefined : time;
}

/** Resolves a date to a UTC time; a date without a zone is read as UTC. Undefined if there is no such date. */
export function resolveUtc(expression: DateExpression, now: Date): LocalTime | undefined {
  const resolved = resolveDate(expression, { zone: 'UTC', now });
  return resolved?.kind === 'local' ? resolved.local : resolved?.utc;
}

/**
 * Resolves a date to a UTC time; a date without a zone is read in the zone of the context. Undefined if there is no
 * such date.
 */
export function resolveIn(expression: DateExpression, context: DateContext): LocalTime | undefined {
  const resolved = resolveDate(expression, context);
  return resolved?.kind === 'local' ? localToUtc(resolved.local, context.zone).utc : resolved?.utc;
}

/**
 * Like `resolveIn`, for the end of a period: a day without a time ends one second before the next day, however many
 * hours it has. `23:59:59` would be wrong where the last minute occurs twice.
 */
export function resolveEndIn(expression: DateExpression, context: DateContext): LocalTime | undefined {
  const start = resolveIn(expression, context);
  if (start === undefined || !isDay(expression)) return start;
  const clock = expression.zone ?? getZone(context.zone);
  const ms = resolvedIn(clock, expression, context.now);
  return ms === undefined ? undefined : fromMs(instantOf(clock, ms + DAY_MS) - 1000);
}

/** The time of day of a written date: `HH:MM:SS`. Undefined for text that is not a date or names a zone. */
export function parseTimeOfDay(text: string): string | undefined {
  const expression = parseDate(text);
  const resolved = expression && resolveDate(expression, ANY_CONTEXT);
  return resolved?.kind === 'local' ? resolved.local.slice(11) : undefined;
}

/**
 * The last second of a day (`YYYY-MM-DD`) in a zone, as UTC. Where clocks go back at midnight, 23:59:59 occurs twice.
 * @throws RangeError for an unknown zone or an invalid day
 */
export const dayEndUtc = (day: string, zone: string): LocalTime =>
  addSeconds(localToUtc(addDays(`${day} 00:00:00`, 1), zone).utc, -1);

/** Start of the next day in a zone after a moment (UTC), in epoch milliseconds. */
export function nextDay(now: LocalTime, zone: string): number {
  const today = dayStart(utcToLocal(now, zone));
  return fromUtc(localToUtc(addDays(today, 1), zone).utc).getTime();
}
