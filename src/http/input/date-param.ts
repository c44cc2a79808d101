import {
  type DateContext,
  type DateExpression,
  type LocalTime,
  type ResolvedDate,
  resolveDate,
  resolveEndIn,
  resolveIn,
  resolveUtc,
} from '../../lib/dates/dates.ts';
import { invalidParam } from '../core/errors.ts';

/** Resolves dates of requests. Dates that do not exist this year, such as `February 29`, are refused. */

/**
 * Resolves the date of a parameter.
 * @throws {InvalidParams} naming the parameter if there is no such date
 */
export function resolveDateParam(name: string, date: DateExpression, context: DateContext): ResolvedDate {
  const resolved = resolveDate(date, context);
  if (!resolved) throw invalidParam(name, 'param.date');
  return resolved;
}

/**
 * Resolves the date of a parameter to a UTC time.
 * @throws {InvalidParams} naming the parameter if there is no such date
 */
export function resolveUtcParam(name: string, date: DateExpression, now: Date): LocalTime {
  return found(name, resolveUtc(date, now));
}

/**
 * Resolves the date of a parameter to a UTC time. A date without a zone is in `zone`.
 * @throws {InvalidParams} naming the parameter if there is no such date
 */
export const resolveParamIn = (name: string, date: DateExpression, context: DateContext): LocalTime =>
  found(name, resolveIn(date, context));

/**
 * Like `resolveParamIn`, for the end of a period: a day without a time is included completely.
 * @throws {InvalidParams} naming the parameter if there is no such date
 */
export const resolveEndParamIn = (name: string, date: DateExpression, context: DateContext): LocalTime =>
  found(name, resolveEndIn(date, context));

function found(name: string, utc: LocalTime | undefined): LocalTime {
  if (utc === undefined) throw invalidParam(name, 'param.date');
  return utc;
}
