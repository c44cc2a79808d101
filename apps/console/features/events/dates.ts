import { addDaysToDay } from '../../../../src/lib/dates/month.ts';

/** Local time such as `2027-03-06 18:30:00` in milliseconds, as if it were UTC: only differences have a meaning. */
const millisecondsOf = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`);

/** A local time. */
const LOCAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** End of an event whose start changes, so that it stays as long as it was. */
export function endAfter(start: string, before: { start_date: string; end_date: string }): string {
  const moved = millisecondsOf(before.end_date) + millisecondsOf(start) - millisecondsOf(before.start_date);
  if (Number.isNaN(moved)) return before.end_date;
  const end = new Date(moved).toISOString().slice(0, 19).replace('T', ' ');
  return LOCAL.test(end) ? end : before.end_date;
}

export const DISTANCES = ['days', 'weeks', 'years'] as const;
export type Distance = (typeof DISTANCES)[number];

/** A start moved by a number of days, weeks or years, at the same time; the 29th of February moves to the 1st of March. */
export function movedBy(start: string, count: number, unit: Distance): string {
  const day = start.slice(0, 10);
  if (unit !== 'years') return `${addDaysToDay(day, unit === 'weeks' ? count * 7 : count)}${start.slice(10)}`;
  const year = String(Number(day.slice(0, 4)) + count).padStart(4, '0');
  return `${new Date(`${year}${day.slice(4)}T00:00:00Z`).toISOString().slice(0, 10)}${start.slice(10)}`;
}

interface Sale {
  /** Local times of the site; empty for an open end. */
  available_from: string;
  available_until: string;
}

/** Whether tickets are on sale now, later, or no longer; `none` without tickets. */
export function saleAt(tickets: readonly Sale[], now: string): 'none' | 'open' | 'later' | 'ended' {
  if (tickets.length === 0) return 'none';
  const lasting = tickets.filter(({ available_until: until }) => until === '' || until > now);
  if (lasting.length === 0) return 'ended';
  return lasting.some(({ available_from: from }) => from === '' || from <= now) ? 'open' : 'later';
}
