import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { addDays, dayStart } from '../../lib/dates.ts';
import { type Bound, utcEnvelope, utcLimit } from './date-filters.ts';
import { type Condition, conditionsOf, type EventFilter, type ListConditions, listedColumn } from './filter.ts';

/**
 * How to read a list of what ends after a time, such as the present, without the events of all years before. Such an
 * event has started in the month of that time or later, or it lasts from one month to another: of these there are few,
 * and they have indexes of their own, `events_long` and `event_links_long`.
 */
export interface TimeRanges {
  /** The list in disjoint parts, in order of start. */
  parts: readonly ListConditions[];
  /** The same list in parts to count: the few events that start before a midnight, and the others. */
  counted: {
    few: readonly ListConditions[];
    /** The same list all day long, so that its count can be cached. */
    others: ListConditions;
  };
}

/** The time ranges of a list; undefined for a list without a lower bound on the end, or with one on the start. */
export function timeRanges(db: Database, filter: EventFilter, list: ListConditions): TimeRanges | undefined {
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
