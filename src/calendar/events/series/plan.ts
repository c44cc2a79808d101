import type { Database } from '../../../db/database.ts';
import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import {
  type Day,
  expandOnce,
  lastDay,
  MAX_OCCURRENCES,
  type OccurrenceDays,
  type Recurrence,
} from '../../../lib/recurrence/recurrence.ts';
import { isProblem, parseRule } from '../../../lib/recurrence/recurrence-rule.ts';
import { movedTimes } from '../copy.ts';
import { findOccurrences, type OccurrenceState, type Series } from './series-store.ts';

/** Days of a series within its limits. */
interface LimitedDays extends OccurrenceDays {
  /** Whether more days are to come than the limit allows. */
  isCut: boolean;
}

/** Differences between a series and its events. */
export interface Plan {
  make: readonly Day[];
  restore: readonly OccurrenceState[];
  remove: readonly OccurrenceState[];
  /** Occurrences that show an earlier version of the template. */
  change: readonly OccurrenceState[];
  /** Last day examined. */
  until: Day;
  days: LimitedDays;
}

export type Planned = Pick<
  Series,
  'id' | 'status' | 'template' | 'start_day' | 'rrule' | 'rdates' | 'exdates' | 'made_until' | 'version'
>;

export function recurrenceOf({ rrule, rdates, exdates }: Pick<Planned, 'rrule' | 'rdates' | 'exdates'>): Recurrence {
  if (rrule === '') return { rdates, exdates };
  const rule = parseRule(rrule);
  // Stored rules were checked by the same function.
  if (isProblem(rule)) throw new Error(`stored rule: ${rrule}`);
  return { rule, rdates, exdates };
}

/** Start of an occurrence on a day, in the time zone of the series. */
export const startOn = ({ template }: Pick<Planned, 'template'>, day: Day): string =>
  `${day} ${template.values.start_date.slice(11)}`;

/** The days of a series within a range. */
interface SeriesDays extends LimitedDays {
  from: Day;
  until: Day;
  /** All days, including days beyond the limit, and days of known occurrences beyond the 24 months. */
  all: readonly Day[];
}

/**
 * The days of a series: all of them until the first are made, later the coming ones. Coming days are limited, and so are
 * past ones, to the latest.
 * @param known days of existing occurrences, which may have been moved there from the past
 */
export async function daysOfSeries(series: Planned, now: Date, known: readonly Day[] = []): Promise<SeriesDays> {
  const { timezone: zone, all_day } = series.template.values;
  const today = localDay(toUtc(now), zone);
  // Nothing is made on past days that were added.
  const [first = today] = [series.start_day, ...series.rdates.filter((day) => day >= today)].toSorted();
  const [from = first] = [series.made_until === '' || first > today ? first : today, ...known].toSorted();
  const until = lastDay(now, zone);
  const end = [until, ...known].toSorted().at(-1) ?? until;
  const start = startOn(series, series.start_day);
  const range = { start, zone, isAllDay: all_day === 1, from, until: end };
  const expansion = await expandOnce(recurrenceOf(series), range);
  return { ...limitedDays(expansion, { today, until }), all: expansion.days, from, until };
}

/** The coming days of an unlimited expansion up to the limit, and as many of the latest past ones. */
export function limitedDays(
  { days, skipped, hasEnded }: OccurrenceDays,
  { today, until }: { today: Day; until: Day },
): LimitedDays {
  const past = days.filter((day) => day < today);
  const coming = days.filter((day) => day >= today && day <= until);
  const isCut = coming.length > MAX_OCCURRENCES;
  return {
    days: [...past.slice(-MAX_OCCURRENCES), ...coming.slice(0, MAX_OCCURRENCES)],
    skipped,
    isCut,
    hasEnded: hasEnded && !isCut && days.every((day) => day <= until),
  };
}

/** Plan of a series without days. */
const NOTHING: Plan = {
  ...{ make: [], restore: [], remove: [], change: [], until: '' },
  days: { days: [], skipped: [], isCut: false, hasEnded: true },
};

/**
 * Work that makes the events of a series agree with it. Past occurrences are never changed or removed; those that are to
 * come are, wherever they were moved from.
 */
export async function planSeries(db: Database, series: Planned, now: Date): Promise<Plan> {
  const known = await findOccurrences(db, series.id);
  const utcNow = toUtc(now);
  const isComing = (start: string): boolean => start > utcNow;
  const isTrashed = ({ status }: OccurrenceState): boolean => status === 'trash';
  const coming = known.filter(({ utc_start_date }) => isComing(utc_start_date));
  if (series.status === 'trash') return { ...NOTHING, remove: coming.filter((one) => !isTrashed(one)) };
  const days = await daysOfSeries(
    series,
    now,
    coming.map(({ recurrence_id }) => recurrence_id),
  );
  const wanted = new Set(days.all);
  const knownDays = new Set(known.map(({ recurrence_id }) => recurrence_id));
  const isFirst = series.made_until === '';
  const isFuture = (day: Day): boolean =>
    isComing(movedTimes(series.template.values, startOn(series, day)).utc_start_date);
  const isWanted = ({ recurrence_id }: OccurrenceState): boolean => wanted.has(recurrence_id);
  return {
    days,
    until: days.until,
    make: days.days.filter((day) => !knownDays.has(day) && (isFirst || isFuture(day))),
    restore: coming.filter((one) => isTrashed(one) && isWanted(one)),
    remove: coming.filter((one) => !isTrashed(one) && !isWanted(one)),
    change: coming.filter((one) => !isTrashed(one) && isWanted(one) && one.version < series.version),
  };
}

export const sizeOf = ({ make, restore, remove, change }: Plan): number =>
  make.length + restore.length + remove.length + change.length;
