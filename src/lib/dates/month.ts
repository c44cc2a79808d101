import { addDays, daysInMonth, type LocalTime, secondsBetween, toMs } from './local-time.ts';

/** Layout of month calendars: days are `2027-03-06`, months `2027-03`. */

/** Whether a text is a valid day of the years 1 to 9999. */
export function isDay(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Adds days (may be negative). */
export const addDaysToDay = (day: string, days = 1): string => addDays(`${day} 00:00:00`, days).slice(0, 10);

/** Adds months (may be negative). */
export function monthAfter(month: string, months = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const total = year * 12 + number - 1 + months;
  return `${String(Math.floor(total / 12)).padStart(4, '0')}-${String((total % 12) + 1).padStart(2, '0')}`;
}

/** All days of a range, both ends included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDaysToDay(day)) days.push(day);
  return days;
}

export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return `${month}-${daysInMonth(year, number)}`;
}

/** Column of a day in a week that begins with `firstWeekday` (1 for Monday): 1 to 7. */
export function columnOf(day: string, firstWeekday: number): number {
  const weekday = new Date(toMs(`${day} 00:00:00`)).getUTCDay();
  return ((weekday - firstWeekday + 7) % 7) + 1;
}

/** First day of the week that contains a day. */
export const weekStart = (day: string, firstWeekday: number): string =>
  addDaysToDay(day, 1 - columnOf(day, firstWeekday));

/** An event that began the day before and ends by this hour counts as one day. */
const MORNING = '06:00:00';
const NIGHT_SECONDS = 12 * 3600;

/** First and last day of a range; an event ending after midnight counts as one day. */
export function daySpanOf(start: LocalTime, end: LocalTime): DaySpan {
  const first = start.slice(0, 10);
  if (end.slice(0, 10) === first) return { first, last: first };
  if (end < start) return { first, last: first };
  const until = end.slice(11);
  const last = until === '00:00:00' ? addDaysToDay(end.slice(0, 10), -1) : end.slice(0, 10);
  const isNight = until <= MORNING && last === addDaysToDay(first) && secondsBetween(start, end) <= NIGHT_SECONDS;
  return { first, last: isNight ? first : last };
}

/** Whether an event lasts whole days. `all_day` of a locked event is null; its times are not masked and show it. */
export const takesWholeDays = (event: {
  all_day: boolean | null;
  start_date: LocalTime;
  end_date: LocalTime;
}): boolean => event.all_day ?? (event.start_date.endsWith(' 00:00:00') && event.end_date.endsWith(' 23:59:59'));

/** Range of days, both ends included. */
export interface DaySpan {
  first: string;
  last: string;
}

/** Part of an entry within one week of the month. */
interface Bar<T> {
  entry: T;
  /** From 1 at the top. */
  lane: number;
  /** Number of days in this week. */
  length: number;
  /** Whether the entry began before this day. */
  isContinued: boolean;
  /** Whether the entry continues after this week or month. */
  goesOn: boolean;
}

export interface SheetDay<T> {
  day: string;
  /** From 1 to 7. */
  column: number;
  /** Bars that start on this day, or continue here from an earlier week or month, from the top. */
  bars: Bar<T>[];
  /** Number of entries on this day without a lane. */
  hidden: number;
  /** Entries without a lane that start on this day, or continue here from an earlier month. */
  others: T[];
}

interface SheetOptions<T> {
  firstWeekday: number;
  /** Number of lanes per day. */
  lanes: number;
  spanOf: (entry: T) => DaySpan;
}

export const monthSheet = <T>(entries: readonly T[], { month, ...options }: SheetOptions<T> & { month: string }) =>
  sheetOfDays(entries, { ...options, days: daysBetween(`${month}-01`, lastDayOf(month)) });

/**
 * Arranges entries in successive days: each has the same lane on all its days of a week, long ones above short ones.
 * Entries otherwise keep their order; those outside these days are left out.
 */
export function sheetOfDays<T>(
  entries: readonly T[],
  { days: names, ...options }: SheetOptions<T> & { days: readonly string[] },
): SheetDay<T>[] {
  const { firstWeekday } = options;
  const days = names.map(
    (day): SheetDay<T> => ({ day, column: columnOf(day, firstWeekday), bars: [], hidden: 0, others: [] }),
  );
  for (const week of weeksOf(days)) arrangeWeek(week, entries, options);
  return days;
}

function weeksOf<T>(days: readonly SheetDay<T>[]): SheetDay<T>[][] {
  const weeks: SheetDay<T>[][] = [];
  for (const day of days) {
    if (day.column === 1 || weeks.length === 0) weeks.push([]);
    weeks.at(-1)?.push(day);
  }
  return weeks;
}

function arrangeWeek<T>(week: readonly SheetDay<T>[], entries: readonly T[], { lanes, spanOf }: SheetOptions<T>): void {
  const from = week[0]?.day ?? '';
  const to = week.at(-1)?.day ?? '';
  const parts = entries.flatMap((entry) => {
    const span = spanOf(entry);
    if (span.first > to || span.last < from) return [];
    const days = week.filter(({ day }) => day >= span.first && day <= span.last);
    return [{ entry, days, isContinued: span.first < from, goesOn: span.last > to }];
  });
  const startOf = ({ days }: (typeof parts)[number]) => days[0]?.day ?? '';
  const isLong = ({ days, isContinued, goesOn }: (typeof parts)[number]) => days.length > 1 || isContinued || goesOn;
  parts.sort(
    (a, b) =>
      Number(isLong(b)) - Number(isLong(a)) || startOf(a).localeCompare(startOf(b)) || b.days.length - a.days.length,
  );
  const taken = new Map(week.map((day) => [day, new Set<number>()]));
  const longLanes = new Set<number>();
  const countOn = (day: SheetDay<T> | undefined) =>
    parts.filter((part) => part.days[0] === day && !isLong(part)).length;
  for (const part of parts) {
    const { days, ...bar } = part;
    const own = days.map((day) => taken.get(day) ?? new Set<number>());
    // Keep short entries at the same height on all days: outside the lanes of long ones, if there is room.
    const isSeparate = !isLong(part) && countOn(days[0]) <= lanes - longLanes.size;
    const lane = firstFree(isSeparate ? [...own, longLanes] : own, lanes);
    if (lane !== undefined && isLong(part)) longLanes.add(lane);
    if (lane === undefined) {
      for (const day of days) day.hidden += 1;
      if (!bar.isContinued || from.endsWith('-01')) days[0]?.others.push(bar.entry);
    } else {
      for (const day of days) taken.get(day)?.add(lane);
      days[0]?.bars.push({ ...bar, lane, length: days.length });
    }
  }
  for (const { bars } of week) bars.sort((a, b) => a.lane - b.lane);
}

/** The topmost lane that is free on all days; undefined if there is none. */
function firstFree(days: readonly ReadonlySet<number>[], lanes: number): number | undefined {
  for (let lane = 1; lane <= lanes; lane += 1) if (days.every((taken) => !taken.has(lane))) return lane;
  return undefined;
}
