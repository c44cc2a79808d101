import { dayAfter, daysBetween, weekStart } from '../../../../../src/lib/dates/month.ts';

const MONDAY = 1;

/** Days of the week of a day `2027-03-06`, from Monday. */
export function weekOf(day: string): string[] {
  const monday = weekStart(day, MONDAY);
  return daysBetween(monday, dayAfter(monday, 6));
}

/** Weeks that a calendar of a month `2027-03` shows. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = [];
  for (let day = weekStart(`${month}-01`, MONDAY); day < `${month}-32`; day = dayAfter(day, 7)) weeks.push(weekOf(day));
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
  const move = (local: string) => `${dayAfter(local.slice(0, 10), days)}${local.slice(10)}`;
  return { start_date: move(start_date), end_date: move(end_date) };
}
