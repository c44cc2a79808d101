import { dayAfter } from './new-event-input.ts';

/** Days `2027-03-01`, in weeks from Monday, that a calendar of a month `2027-03` shows. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: string[][] = [];
  for (let day = dayAfter(first, -before); day < `${month}-32`; day = dayAfter(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => dayAfter(day, index)));
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
