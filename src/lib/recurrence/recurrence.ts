import { addMonths, type LocalTime, localDay, localToUtc, toUtc, utcToLocal } from '../dates/dates.ts';
import { addDaysToDay } from '../dates/month.ts';
import { createRecencyCache } from '../recency-cache.ts';
import { formatRule, type RecurrenceRule } from './recurrence-rule.ts';

/** The days of a series. The only file that uses rrule-temporal, loaded with the first rule that is expanded. */

/** A day: `YYYY-MM-DD`. */
export type Day = string;

export interface Recurrence {
  /** Absent for a series on the days of `rdates` alone. */
  rule?: RecurrenceRule;
  /** Days in addition to the days of the rule. */
  rdates: readonly Day[];
  /** Days on which nothing takes place. */
  exdates: readonly Day[];
}

export interface Expansion {
  /** Start of the series, in `zone`. */
  start: LocalTime;
  zone: string;
  /** All-day events also take place on days whose midnight does not exist. */
  isAllDay: boolean;
  /** First day to return; by default, the day of the start. */
  from?: Day;
  /** Last day to return. */
  until: Day;
}

export interface OccurrenceDays {
  days: Day[];
  /** Days left out because the clocks skip the time of the start. */
  skipped: Day[];
  /** Whether no later days exist. */
  hasEnded: boolean;
}

/** Maximum number of coming occurrences of a series. */
export const MAX_OCCURRENCES = 500;
const MONTHS_AHEAD = 24;
/** Maximum age of the start of a rule in years, which bounds the work of expanding it. */
export const MAX_YEARS = 20;

/** Last day for which occurrences are made. */
export const lastDay = (now: Date, zone: string): Day =>
  addMonths(utcToLocal(toUtc(now), zone), MONTHS_AHEAD).slice(0, 10);

/** Earliest day on which a series may have started. */
export const earliestStart = (now: Date, zone: string): Day =>
  addMonths(utcToLocal(toUtc(now), zone), -12 * MAX_YEARS).slice(0, 10);

/**
 * The days of a series in order. A day on which clocks skip the start time is left out and does not count towards
 * `COUNT`; a repeated time means its first occurrence.
 */
export async function expand(recurrence: Recurrence, expansion: Expansion): Promise<OccurrenceDays> {
  const { start, zone, isAllDay, until } = expansion;
  const from = expansion.from ?? start.slice(0, 10);
  const time = start.slice(11);
  const exists = (day: Day): boolean => isAllDay || localToUtc(`${day} ${time}`, zone).local === `${day} ${time}`;
  const excluded = new Set(recurrence.exdates);
  const ofRule = recurrence.rule
    ? await daysOfRule(recurrence.rule, { ...expansion, exists })
    : { days: [], hasEnded: true };
  const wanted = [...new Set([...ofRule.days, ...recurrence.rdates])]
    .filter((day) => day >= from && day <= until && !excluded.has(day))
    .toSorted();
  const skipped = new Set(wanted.filter((day) => !exists(day)));
  return {
    days: wanted.filter((day) => !skipped.has(day)),
    skipped: [...skipped],
    hasEnded: ofRule.hasEnded && recurrence.rdates.every((day) => day <= until),
  };
}

/** Maximum number of days of a cached expansion: the coming ones of a series and its latest past ones. */
const MAX_KEPT = 2 * MAX_OCCURRENCES;
/** Cached expansions by their parameters, some hundreds. */
const EXPANSIONS = createRecencyCache<Promise<OccurrenceDays>>(100_000);

/**
 * Like `expand`, but cached for validation, preview, job and reads of a series; long results are shared only until
 * done.
 */
export function expandOnce(recurrence: Recurrence, expansion: Expansion): Promise<OccurrenceDays> {
  const { start, zone, isAllDay, from = start.slice(0, 10), until } = expansion;
  const { rule, rdates, exdates } = recurrence;
  const key = JSON.stringify([rule && formatRule(rule), rdates, exdates, start, zone, isAllDay, from, until]);
  const known = EXPANSIONS.get(key);
  if (known !== undefined) return known;
  const expanding = expand(recurrence, expansion);
  EXPANSIONS.set(key, expanding);
  const forget = () => EXPANSIONS.delete(key);
  // A failure may be temporary: only the requests that already wait get it.
  expanding.then(({ days }) => days.length > MAX_KEPT && forget(), forget);
  return expanding;
}

/** The days of a rule up to its end, including days on which clocks skip the start time. */
async function daysOfRule(
  rule: RecurrenceRule,
  { start, zone, until, exists }: Expansion & { exists(day: Day): boolean },
): Promise<{ days: Day[]; hasEnded: boolean }> {
  const isPast = pastEnd(rule, { time: start.slice(11), zone });
  const days = (await candidates(rule, { start, until })).filter((day) => !isPast(day));
  const { count } = rule;
  if (count === undefined) return { days, hasEnded: isPast(addDaysToDay(until)) };
  let counted = 0;
  const within = days.filter((day) => {
    const isWithin = counted < count;
    if (exists(day)) counted += 1;
    return isWithin;
  });
  return { days: within, hasEnded: counted >= count };
}

/** Whether a day is after the `UNTIL` of a rule. */
function pastEnd({ until }: RecurrenceRule, { time, zone }: { time: string; zone: string }): (day: Day) => boolean {
  if (until === undefined) return () => false;
  if (until.length === 8) return (day) => day > readDay(until);
  const end = readTime(until);
  return until.endsWith('Z') ? (day) => localToUtc(`${day} ${time}`, zone).utc > end : (day) => `${day} ${time}` > end;
}

const readDay = (basic: string): Day => `${basic.slice(0, 4)}-${basic.slice(4, 6)}-${basic.slice(6, 8)}`;

const readTime = (basic: string): LocalTime =>
  `${readDay(basic)} ${basic.slice(9, 11)}:${basic.slice(11, 13)}:${basic.slice(13, 15)}`;

/** The last possible day of a rule in a zone; undefined without `UNTIL`. */
export function endDay({ until }: RecurrenceRule, zone: string): Day | undefined {
  if (until === undefined) return undefined;
  return until.endsWith('Z') ? localDay(readTime(until), zone) : readDay(until);
}

/** Ends a rule before a day, unless it ends earlier. */
export function ruleBefore(rule: RecurrenceRule, day: Day, zone: string): RecurrenceRule {
  const end = endDay(rule, zone);
  if (end !== undefined && end < day) return rule;
  return { ...rule, count: undefined, until: addDaysToDay(day, -1).replaceAll('-', '') };
}

/** Years of a rule that are expanded in one step, and maximum number of steps. */
const YEARS_AT_ONCE = 4;
const MAX_PARTS = 10;

/**
 * The days of a rule without its own end, from the start to the last day, in steps: 20 years of some rules take a
 * quarter of a second. They are computed in UTC, which has no clock changes; `UNTIL` bounds the work for rules without
 * matches.
 */
async function candidates(rule: RecurrenceRule, { start, until }: Pick<Expansion, 'start' | 'until'>): Promise<Day[]> {
  if (until < start.slice(0, 10)) return [];
  const { RRuleTemporal } = await import('rrule-temporal');
  const midnight = (day: Day): string => `${day.replaceAll('-', '')}T000000Z`;
  const rruleString = [
    `DTSTART:${midnight(start.slice(0, 10))}`,
    `RRULE:${formatRule(rule, { isEndless: true })};UNTIL=${midnight(until)}`,
  ].join('\n');
  const expansion = new RRuleTemporal({ rruleString });
  const days: Day[] = [];
  const [first, last] = [Number(start.slice(0, 4)), Number(until.slice(0, 4))];
  const years = Math.max(YEARS_AT_ONCE, Math.ceil((last - first + 1) / MAX_PARTS));
  for (let year = first; year <= last; year += years) {
    // Let waiting requests run before each step.
    await new Promise((resolve) => setImmediate(resolve));
    const found = expansion.between(new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + years, 0, 0)), true);
    days.push(...found.map((moment) => moment.toString().slice(0, 10)));
  }
  return days;
}
