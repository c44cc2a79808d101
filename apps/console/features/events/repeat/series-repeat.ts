import { isProblem, parseRule, type RecurrenceRule } from '../../../../../src/lib/recurrence/recurrence-rule.ts';
import {
  monthlyChoices,
  NO_REPEAT,
  type Pattern,
  type Repeat,
  recurrenceOf,
  WEEKDAYS,
  weekdayOf,
} from './repeat-rule.ts';

/** The recurrence of a series as the form shows it. */

/** A recurrence with all of its members; without a rule, `rrule` is empty. */
export interface SeriesRecurrence {
  [name: string]: unknown;
  rrule: string;
  rdates: string[];
  exdates: string[];
}

const PATTERN_OF = {
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  YEARLY: 'yearly',
} as const satisfies Readonly<Record<RecurrenceRule['frequency'], Pattern>>;

/** The input of the form for a series that begins on a day; its rule is kept as it is if the form cannot show it. */
export function repeatOf({ rrule, rdates, exdates }: SeriesRecurrence, day: string): Repeat {
  const weekdays = [weekdayOf(day)];
  const present: Repeat = { ...NO_REPEAT, isChange: true, weekdays, added: rdates, leftOut: exdates };
  if (rrule === '') {
    const days = rdates.filter((one) => !exdates.includes(one));
    const added = days.filter((one) => one !== day);
    return { ...present, pattern: 'dates', added, leftOut: days.includes(day) ? [] : [day] };
  }
  const rule = parseRule(rrule);
  const inForm = isProblem(rule) ? [] : candidates(rule, { present, day });
  const wanted = canonical(rrule, day);
  const shown = inForm.find((one) => canonical(recurrenceOf(one, day)?.rrule ?? '', day) === wanted);
  return shown ?? { ...present, pattern: 'rule', rule: rrule };
}

/** Inputs that may mean a rule; what the form cannot show is missing in them. */
function candidates(rule: RecurrenceRule, { present, day }: { present: Repeat; day: string }): Repeat[] {
  const pattern = PATTERN_OF[rule.frequency];
  const named = rule.byDay.map(({ weekday }) => weekday);
  const one: Repeat = {
    ...present,
    ...endOf(rule),
    pattern,
    interval: String(rule.interval),
    ...(pattern === 'weekly' && named.length > 0 && { weekdays: named }),
    ...(pattern === 'daily' && named.length > 0 && { except: WEEKDAYS.filter((weekday) => !named.includes(weekday)) }),
  };
  return pattern === 'monthly' ? monthlyChoices(day).map((monthly) => ({ ...one, monthly })) : [one];
}

function endOf({ count, until }: RecurrenceRule): Pick<Repeat, 'end'> & Partial<Repeat> {
  if (count !== undefined) return { end: 'count', count: String(count) };
  if (until === undefined) return { end: 'open' };
  return { end: 'until', until: `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}` };
}

/**
 * A text that is equal only for rules with the same days from a day on. Rules that name their days in different ways may
 * still differ in it, and then count as changed.
 */
function canonical(rrule: string, day: string): string {
  const rule = parseRule(rrule);
  if (isProblem(rule)) return rrule;
  const { frequency, interval, weekStart } = rule;
  const [, month, date] = day.split('-').map(Number);
  const isOnDate = rule.byDay.length === 0 && String(rule.byMonthDay) === String(date);
  const isAnniversary = frequency === 'YEARLY' && isOnDate && String(rule.byMonth) === String(month);
  return JSON.stringify({
    ...rule,
    byDay: (frequency === 'WEEKLY' && rule.byDay.length === 0 ? [{ weekday: weekdayOf(day) }] : rule.byDay)
      .map(({ position = '', weekday }) => `${position}${weekday}`)
      .toSorted(),
    // Other programs send the first start among the single dates.
    ...(((frequency === 'MONTHLY' && isOnDate) || isAnniversary) && { byMonthDay: [] }),
    ...(isAnniversary && { byMonth: [] }),
    weekStart: interval === 1 ? 'MO' : weekStart,
  });
}
