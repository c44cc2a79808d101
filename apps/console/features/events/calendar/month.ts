import { dayAfter } from '../new-event/new-event-input.ts';

/** The Monday of the week of a day. */
const mondayOf = (day: string): string => dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The days of the week of a day `2027-03-06`, from Monday. */
export const weekOf = (day: string): string[] =>
  Array.from({ length: 7 }, (_, index) => dayAfter(mondayOf(day), index));

/** The days that a calendar of a month `2027-03` shows, in weeks. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = [];
  for (let day = mondayOf(`${month}-01`); day < `${month}-32`; day = dayAfter(day, 7)) weeks.push(weekOf(day));
  return weeks;
}

/** The month that is some months after another one. */
export function monthAfter(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

interface Span {
  start_date: string;
  end_date: string;
}

/** A span that starts on another day, at the same times. */
export function movedTo(day: string, { start_date, end_date }: Span): Span {
  const midnight = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  const days = Math.round((midnight(day) - midnight(start_date)) / 86_400_000);
  const move = (local: string) => `${dayAfter(local.slice(0, 10), days)}${local.slice(10)}`;
  return { start_date: move(start_date), end_date: move(end_date) };
}
