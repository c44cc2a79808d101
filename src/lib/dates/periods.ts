import { addDays, addSeconds, type LocalTime, localToUtc, utcToLocal } from './dates.ts';

/** An hour or a day of a time zone. */
export interface Period {
  /** Local start time. */
  start: LocalTime;
  start_utc: LocalTime;
}

/**
 * All days of a range, both ends included (`YYYY-MM-DD`), or their hours. A day has 23 or 25 hours when clocks change;
 * two of its hours may then have the same local time.
 */
export function periodsOf(
  by: 'hour' | 'day',
  { from, to, zone }: { from: string; to: string; zone: string },
): Period[] {
  const startOf = (day: string) => localToUtc(`${day} 00:00:00`, zone).utc;
  const end = startOf(nextDayOf(to));
  const periods: Period[] = [];
  if (by === 'day')
    for (let day = from; day <= to; day = nextDayOf(day))
      periods.push({ start: `${day} 00:00:00`, start_utc: startOf(day) });
  else
    for (let utc = startOf(from); utc < end; utc = addSeconds(utc, 3600))
      periods.push({ start: utcToLocal(utc, zone), start_utc: utc });
  return periods;
}

const nextDayOf = (day: string): string => addDays(`${day} 00:00:00`, 1).slice(0, 10);

/**
 * Start and exclusive end of a range of days, as UTC times.
 * @example
 * // { start: '2026-07-03 22:00:00', end: '2026-07-05 22:00:00' }
 * utcRange('2026-07-04', '2026-07-05', 'Europe/Paris');
 */
export const utcRange = (from: string, to: string, zone: string): { start: LocalTime; end: LocalTime } => ({
  start: localToUtc(`${from} 00:00:00`, zone).utc,
  end: localToUtc(`${nextDayOf(to)} 00:00:00`, zone).utc,
});

/** Index of the period that contains a moment (UTC); -1 before the first one. */
export function periodAt(periods: readonly Period[], utc: LocalTime): number {
  let [low, high] = [0, periods.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((periods[middle]?.start_utc ?? '') <= utc) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
