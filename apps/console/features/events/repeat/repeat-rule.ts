import { addDaysToDay, columnOf, lastDayOf } from '../../../../../src/lib/dates/month.ts';
import type { Weekday } from '../../../../../src/lib/recurrence/recurrence-rule.ts';

/** Recurrences as inputs of the form and as parameters of the interface. */

export const PATTERNS = ['none', 'daily', 'weekly', 'monthly', 'yearly', 'dates'] as const;
/** `rule`: by a rule of the series that the form cannot show. */
export type Pattern = (typeof PATTERNS)[number] | 'rule';

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const satisfies readonly Weekday[];

export const ENDS = ['count', 'until', 'open'] as const;

const MONTHLY = ['date', 'position', 'last_weekday', 'last_day'] as const;
export type Monthly = (typeof MONTHLY)[number];

/** Input of the form. Days are `2027-03-06`. */
export interface Repeat {
  pattern: Pattern;
  /** Number of days, weeks, months or years between two dates. */
  interval: string;
  /** Days of the week, for a new series without the weekday of the first date. */
  weekdays: readonly Weekday[];
  /** Days of the week that a daily recurrence leaves out. */
  except: readonly Weekday[];
  monthly: Monthly;
  end: (typeof ENDS)[number];
  count: string;
  /** Last day. */
  until: string;
  /** Single days, added to the rule. */
  added: readonly string[];
  /** Single days of the rule without an event. */
  leftOut: readonly string[];
  /** Whether a series changes: the weekday of its first date may be left out, and single days in the past stay. */
  isChange?: true;
  /** For the pattern `rule`. */
  rule?: string;
}

export const NO_REPEAT: Repeat = {
  pattern: 'none',
  interval: '1',
  weekdays: [],
  except: [],
  monthly: 'date',
  end: 'count',
  count: '10',
  until: '',
  added: [],
  leftOut: [],
};

/** A recurrence of the interface. */
export interface Recurrence {
  rrule?: string;
  rdates?: string[];
  exdates?: string[];
}

const MONDAY = 1;

export const weekdayOf = (day: string): Weekday => WEEKDAYS[columnOf(day, MONDAY) - 1] ?? 'MO';

/** Position of a day among the same days of the week in its month, from 1. */
export const positionOf = (day: string): number => Math.ceil(Number(day.slice(8)) / 7);

/** Monthly patterns that have a day. */
export function monthlyChoices(day: string): Monthly[] {
  const isPossible: Readonly<Record<Monthly, boolean>> = {
    date: true,
    position: positionOf(day) <= 4,
    last_weekday: addDaysToDay(day, 7).slice(0, 7) !== day.slice(0, 7),
    last_day: lastDayOf(day.slice(0, 7)) === day,
  };
  return MONTHLY.filter((one) => isPossible[one]);
}

/** The chosen monthly pattern, or the date if the day does not have it. */
export const monthlyOf = ({ monthly }: Repeat, day: string): Monthly =>
  monthlyChoices(day).includes(monthly) ? monthly : 'date';

const WHOLE = /^[1-9]\d{0,3}$/;

/** Maximum interval that the server takes. */
const MAX_INTERVAL = 1000;

export const isInterval = (text: string): boolean => WHOLE.test(text.trim()) && Number(text) <= MAX_INTERVAL;
export const isCount = (text: string): boolean => WHOLE.test(text.trim());

/** Whether the form is complete, for a series that begins on a day. */
export function isComplete(repeat: Repeat, day: string): boolean {
  const { pattern, interval, end, count, until } = repeat;
  if (pattern === 'none' || pattern === 'rule') return true;
  if (pattern === 'dates') return singleDays(repeat, day).length > 0;
  if (!isInterval(interval)) return false;
  if (pattern === 'weekly' && chosenWeekdays(repeat, day).length === 0) return false;
  if (pattern === 'daily' && daysLeft(repeat, day).length === 0) return false;
  if (end === 'count') return isCount(count);
  return end === 'open' || until >= day;
}

/** Days of the week of a weekly recurrence, in their order. */
export const chosenWeekdays = ({ weekdays, isChange }: Repeat, day: string): Weekday[] =>
  WEEKDAYS.filter((one) => (!isChange && one === weekdayOf(day)) || weekdays.includes(one));

/** Days of the week of a daily recurrence. */
const daysLeft = ({ except, isChange }: Repeat, day: string): Weekday[] =>
  WEEKDAYS.filter((one) => (!isChange && one === weekdayOf(day)) || !except.includes(one));

/** Days of a recurrence on single dates. */
const singleDays = ({ added, leftOut, isChange }: Repeat, day: string): string[] =>
  (isChange && leftOut.includes(day) ? added : [day, ...added]).toSorted();

const FREQUENCIES = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY', yearly: 'YEARLY' } as const;

/** Part of the rule that chooses days within its period. */
function daysPart(repeat: Repeat, day: string): string | undefined {
  const weekday = weekdayOf(day);
  if (repeat.pattern === 'weekly') return `BYDAY=${chosenWeekdays(repeat, day).join(',')}`;
  if (repeat.pattern === 'daily') {
    // Days of the week are left out of a recurrence on every day only.
    const rest = daysLeft(repeat, day);
    return rest.length < WEEKDAYS.length && Number(repeat.interval) === 1 ? `BYDAY=${rest.join(',')}` : undefined;
  }
  if (repeat.pattern !== 'monthly') return undefined;
  const parts: Readonly<Record<Monthly, string | undefined>> = {
    date: undefined,
    position: `BYDAY=${positionOf(day)}${weekday}`,
    last_weekday: `BYDAY=-1${weekday}`,
    last_day: 'BYMONTHDAY=-1',
  };
  return parts[monthlyOf(repeat, day)];
}

function endPart({ end, count, until }: Repeat): string | undefined {
  if (end === 'open') return undefined;
  return end === 'count' ? `COUNT=${count.trim()}` : `UNTIL=${until.replaceAll('-', '')}`;
}

/** The recurrence of a series that begins on a day; undefined without one, or while the form is incomplete. */
export function recurrenceOf(repeat: Repeat, day: string): Recurrence | undefined {
  const { pattern, isChange } = repeat;
  if (pattern === 'none' || day === '' || !isComplete(repeat, day)) return undefined;
  const isKept = (one: string) => isChange || one > day;
  const added = repeat.added.filter(isKept).toSorted();
  if (pattern === 'dates') {
    const rdates = singleDays({ ...repeat, added }, day);
    return isChange ? { rrule: '', rdates, exdates: [] } : { rdates };
  }
  const leftOut = repeat.leftOut.filter(isKept).toSorted();
  return {
    rrule: pattern === 'rule' ? repeat.rule : ruleOf({ ...repeat, pattern }, day),
    // A change replaces the days; members that are not sent would stay.
    ...((isChange || added.length > 0) && { rdates: added }),
    ...((isChange || leftOut.length > 0) && { exdates: leftOut }),
  };
}

function ruleOf(repeat: Repeat & { pattern: keyof typeof FREQUENCIES }, day: string): string {
  const interval = Number(repeat.interval);
  const every = interval === 1 ? undefined : `INTERVAL=${interval}`;
  const parts = [`FREQ=${FREQUENCIES[repeat.pattern]}`, every, daysPart(repeat, day), endPart(repeat)];
  return parts.filter(Boolean).join(';');
}

/** The input after a press on a day of the calendar: a date is left out, a left out one is back, another day is added. */
export function withDay(repeat: Repeat, day: string, { isDate, first }: { isDate: boolean; first: string }): Repeat {
  const { added, leftOut, pattern } = repeat;
  if (leftOut.includes(day)) return { ...repeat, leftOut: leftOut.filter((one) => one !== day) };
  if (added.includes(day)) return { ...repeat, added: added.filter((one) => one !== day) };
  return isDate && (pattern !== 'dates' || day === first)
    ? { ...repeat, leftOut: [...leftOut, day] }
    : { ...repeat, added: [...added, day] };
}
