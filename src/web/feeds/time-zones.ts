import {
  addSeconds,
  clockChanges,
  isOnlyInstant,
  type LocalTime,
  localToUtc,
  offsetOf,
  offsetText,
  zoneAbbreviation,
  zoneId,
} from '../../lib/dates/dates.ts';
import type { Component, Property } from './ical-writer.ts';

const MINUTE_MS = 60_000;
const LAST_YEAR = 9999;

/**
 * Zone of the tz database in which every program reads the local time of an event as the same instant. Undefined if the
 * time must be written in UTC: for a plain offset, an ambiguous local time, or a historical offset with seconds.
 */
export function writableZone(local: LocalTime, zone: string, utc: LocalTime): string | undefined {
  const id = zoneId(zone);
  if (id === undefined || id === 'UTC' || !isOnlyInstant(local, zone, utc)) return undefined;
  return offsetOf(utc, id) % MINUTE_MS === 0 ? id : undefined;
}

/** VTIMEZONE of a tz database zone for local times of the given years. */
export function timeZone(id: string, years: Iterable<number>): Component {
  return ['vtimezone', [['tzid', {}, 'text', id]], rangesOf(years).flatMap((range) => observances(id, range))];
}

type Years = [first: number, last: number];

/** Years in contiguous ranges, so that a distant year does not add all years in between. */
function rangesOf(years: Iterable<number>): Years[] {
  const ranges: Years[] = [];
  for (const year of [...years].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && year <= range[1] + 1) range[1] = year;
    else ranges.push([year, year]);
  }
  return ranges;
}

/** Observance at the start of a range of years, and every change in it. */
function observances(id: string, [first, last]: Years): Component[] {
  const begin = localToUtc(`${yearText(first)}-01-01 00:00:00`, id).utc;
  const end = localToUtc(`${yearText(last)}-12-31 23:59:59`, id).utc;
  const standing = offsetOf(begin, id);
  const changes = [{ at: begin, before: standing, after: standing }, ...clockChanges(id, begin, end)];
  return changes.map(({ at, before, after }) => {
    const properties: Property[] = [
      // Local time of the change, before it.
      ['dtstart', {}, 'date-time', addSeconds(at, before / 1000).replace(' ', 'T')],
      ['tzoffsetfrom', {}, 'utc-offset', offsetText(before)],
      ['tzoffsetto', {}, 'utc-offset', offsetText(after)],
      ['tzname', {}, 'text', zoneAbbreviation(at, id)],
    ];
    return [isDaylight(id, at) ? 'daylight' : 'standard', properties, []];
  });
}

const yearText = (year: number): string => String(Math.min(year, LAST_YEAR)).padStart(4, '0');

/** Tests if clocks are ahead of standard time, which the south has in July. */
function isDaylight(id: string, utc: LocalTime): boolean {
  const year = utc.slice(0, 4);
  const usual = Math.min(...['01', '07'].map((month) => offsetOf(`${year}-${month}-01 12:00:00`, id)));
  return offsetOf(utc, id) > usual;
}
