import {
  addDaysToDay,
  type DaySpan,
  daySpanOf,
  daysBetween,
  sheetOfDays,
  weekStart,
} from '../../../../../src/lib/dates/month.ts';

const MONDAY = 1;

/** Days of the week of a day `2027-03-06`, from Monday. */
export function weekOf(day: string): string[] {
  const monday = weekStart(day, MONDAY);
  return daysBetween(monday, addDaysToDay(monday, 6));
}

/** Weeks that a calendar of a month `2027-03` shows. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = [];
  for (let day = weekStart(`${month}-01`, MONDAY); day < `${month}-32`; day = addDaysToDay(day, 7))
    weeks.push(weekOf(day));
  return weeks;
}

interface Span {
  start_date: string;
  end_date: string;
}

/** A span moved to another day, at the same times. */
export function movedTo(day: string, { start_date, end_date }: Span): Span {
  const midnight = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  const days = Math.round((midnight(day) - midnight(start_date)) / 86_400_000);
  const move = (local: string) => `${addDaysToDay(local.slice(0, 10), days)}${local.slice(10)}`;
  return { start_date: move(start_date), end_date: move(end_date) };
}

/** An event of several days in a week of the calendar, as one bar. */
export interface Bar<E> {
  event: E;
  /** Number of its days in this week, from the day on. */
  days: number;
  /** Whether it begins on this day, or in the week before. */
  isFirst: boolean;
}

/** Events on a day: `lanes` has the bars, and undefined where a lane is empty. */
export interface CalendarDay<E> {
  day: string;
  lanes: readonly (Bar<E> | undefined)[];
  events: readonly E[];
}

/** Events on the days of a week; those of several days are bars, each in one lane for the whole week. */
export function daysOfWeek<E extends Span>(week: readonly string[], events: readonly E[]): CalendarDay<E>[] {
  const spanOf = ({ start_date, end_date }: E) => daySpanOf(start_date, end_date);
  const [short, long] = [
    events.filter((event) => !isLong(spanOf(event))),
    events.filter((event) => isLong(spanOf(event))),
  ];
  const options = { days: week, firstWeekday: MONDAY, lanes: long.length, spanOf };
  const bars = sheetOfDays(long, options).flatMap((day, first) => day.bars.map((bar) => ({ ...bar, first })));
  return week.map((day, index) => {
    const lanes: (Bar<E> | undefined)[] = [];
    for (const { entry, lane, length, first } of bars)
      if (first <= index && index < first + length)
        lanes[lane - 1] = { event: entry, days: first + length - index, isFirst: first === index };
    return {
      day,
      // Lanes without a bar are holes of the array, which `from` fills.
      lanes: Array.from(lanes),
      events: short.filter((event) => spanOf(event).first === day),
    };
  });
}

const isLong = ({ first, last }: DaySpan): boolean => last > first;
