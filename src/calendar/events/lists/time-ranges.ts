import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { addDays, addMonths, dayStart, monthStart } from '../../../lib/dates/dates.ts';
import { type Bound, utcEnvelope, utcLimit } from './date-filters.ts';
import { type Condition, conditionsOf, type EventFilter, type ListConditions, listedColumn } from './filter.ts';

/** Splits a list into time ranges, so that cached counts can be reused. */
export interface TimeRanges {
  /** Disjoint parts of the list, in order of start. */
  parts: readonly ListConditions[];
  /** The same list in parts for counting. */
  counted(): CountedRanges;
}

interface CountedRanges {
  /** The few events that start before a certain time. */
  few: readonly ListConditions[];
  /** Later events, which many other lists include. */
  others: ListConditions;
}

export const wholeRange = (list: ListConditions): TimeRanges => ({
  parts: [list],
  counted: () => ({ few: [], others: list }),
});

/** The time ranges of a list. */
export function timeRanges(db: Database, filter: EventFilter, list: ListConditions): TimeRanges {
  const { bounds } = filter;
  const ranges =
    bounds.length > 0 && bounds.every(isLowerStart) ? countedByMonth(db, filter, list) : notOverYet(db, filter, list);
  return ranges ?? wholeRange(list);
}

/**
 * Splits a list with a lower bound on the start: the count of later months is the same for all bounds within a month,
 * and is cached for them. Undefined at the end of the calendar.
 */
function countedByMonth(db: Database, filter: EventFilter, list: ListConditions): TimeRanges | undefined {
  const limit = filter.bounds.map(utcLimit).reduce((a, b) => (a > b ? a : b));
  const nextMonth = addMonths(monthStart(limit), 1);
  if (nextMonth <= limit) return undefined;
  const start = listedColumn(list.driver)<string>('utc_start_date');
  return {
    parts: [list],
    counted: () => ({
      few: [restricted(list, [sql`${start} < ${db.dialect.bound(nextMonth)}`])],
      others: conditionsOf(db, { ...filter, bounds: [from(nextMonth)] }),
    }),
  };
}

/**
 * Splits a list with a lower bound on the end, such as the current time, without reading the events of all earlier
 * years. Such an event either starts in the month of the bound or later, or spans several months: these are few and
 * have indexes of their own, `events_long` and `event_links_long`. Events after the next midnight are the same all day.
 * Undefined for a list without a lower bound on the end, or with one on the start.
 */
function notOverYet(db: Database, filter: EventFilter, list: ListConditions): TimeRanges | undefined {
  const bound = filter.bounds.find(isLowerEnd);
  if (!bound || filter.bounds.some(isLowerStart)) return undefined;
  const limit = utcLimit(bound);
  const midnight = dayStart(addDays(limit, 1));
  // The last day of the calendar has no next one.
  if (midnight <= limit) return undefined;
  const column = listedColumn(list.driver);
  const start = column<string>('utc_start_date');
  const month = db.dialect.bound(utcEnvelope(bound).value.slice(0, 7));
  // Repeats the condition of the indexes, or they would not be used.
  const isLong = sql<boolean>`substr(${column('utc_end_date')}, 1, 7) > substr(${start}, 1, 7)`;
  const long = restricted(list, [isLong, sql`${start} < ${month}`]);
  const since = (...conditions: Condition[]) => restricted(list, [sql`${start} >= ${month}`, ...conditions]);
  return {
    parts: [long, since()],
    counted: () => ({
      few: [long, since(sql`${start} < ${db.dialect.bound(midnight)}`)],
      others: conditionsOf(db, {
        ...filter,
        bounds: [...filter.bounds.filter((bound) => !isLowerEnd(bound)), from(midnight)],
      }),
    }),
  };
}

const isLowerStart = ({ edge, operator }: Bound): boolean => edge === 'start' && operator.startsWith('>');
const isLowerEnd = ({ edge, operator }: Bound): boolean => edge === 'end' && operator.startsWith('>');

const from = (value: string): Bound => ({ edge: 'start', operator: '>=', clock: 'utc', value });

/** A list with further conditions on its driving table. */
const restricted = (list: ListConditions, conditions: readonly Condition[]): ListConditions => ({
  ...list,
  listed: [...list.listed, ...conditions],
});
