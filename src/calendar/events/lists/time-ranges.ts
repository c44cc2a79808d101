import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { addDays, addMonths, dayStart, monthStart } from '../../../lib/dates/dates.ts';
import { type Bound, utcEnvelope, utcLimit } from './date-filters.ts';
import { type Condition, conditionsOf, type EventFilter, type ListConditions, listedColumn } from './filter.ts';

/** How to read and count a list in parts, so that what is known of another list need not be read again. */
export interface TimeRanges {
  /** The list in disjoint parts, in order of start. */
  parts: readonly ListConditions[];
  /** The same list in parts to count. */
  counted: {
    /** The few events that start before a certain time. */
    few: readonly ListConditions[];
    /** What starts later, in many other lists too. */
    others: ListConditions;
  };
}

export const inOnePart = (list: ListConditions): TimeRanges => ({
  parts: [list],
  counted: { few: [], others: list },
});

/** The time ranges of a list. */
export function timeRanges(db: Database, filter: EventFilter, list: ListConditions): TimeRanges {
  const { bounds } = filter;
  const ranges =
    bounds.length > 0 && bounds.every(isLowerStart) ? countedByMonth(db, filter, list) : notOverYet(db, filter, list);
  return ranges ?? inOnePart(list);
}

/**
 * What starts after a time: what starts in later months is the same for all times of a month, and is counted once for
 * them. Undefined at the end of the calendar.
 */
function countedByMonth(db: Database, filter: EventFilter, list: ListConditions): TimeRanges | undefined {
  const limit = filter.bounds.map(utcLimit).reduce((a, b) => (a > b ? a : b));
  const nextMonth = addMonths(monthStart(limit), 1);
  if (nextMonth <= limit) return undefined;
  const start = listedColumn(list.driver)<string>('utc_start_date');
  return {
    parts: [list],
    counted: {
      few: [restricted(list, [sql`${start} < ${db.dialect.bound(nextMonth)}`])],
      others: conditionsOf(db, { ...filter, bounds: [from(nextMonth)] }),
    },
  };
}

/**
 * What ends after a time, such as the present, without the events of all years before. Such an event has started in the
 * month of that time or later, or it lasts from one month to another: of these there are few, and they have indexes of
 * their own, `events_long` and `event_links_long`. What starts after the next midnight is the same all day. Undefined
 * for a list without a lower bound on the end, or with one on the start.
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
  // As in the indexes, or they would not be used.
  const isLong = sql<boolean>`substr(${column('utc_end_date')}, 1, 7) > substr(${start}, 1, 7)`;
  const long = restricted(list, [isLong, sql`${start} < ${month}`]);
  const since = (...conditions: Condition[]) => restricted(list, [sql`${start} >= ${month}`, ...conditions]);
  return {
    parts: [long, since()],
    counted: {
      few: [long, since(sql`${start} < ${db.dialect.bound(midnight)}`)],
      others: conditionsOf(db, {
        ...filter,
        bounds: [...filter.bounds.filter((one) => !isLowerEnd(one)), from(midnight)],
      }),
    },
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
