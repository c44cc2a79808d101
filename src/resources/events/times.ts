import { dayEnd, dayStart, parseDate, utcToWall, type Wall, wallToUtc, zoneAbbreviation } from '../../lib/dates.ts';

/** When an event takes place, as it is stored: the wall clock of its zone, and the same instants in UTC. */
export interface EventTimes {
  all_day: 0 | 1;
  start_date: Wall;
  end_date: Wall;
  utc_start_date: Wall;
  utc_end_date: Wall;
  timezone: string;
  timezone_abbr: string;
}

/** What a write says about time. Absent stays as it is; null puts the zone back to the site's and `all_day` to false. */
export interface TimesInput {
  start_date?: string;
  end_date?: string;
  timezone?: string | null;
  all_day?: boolean | null;
}

interface Setting {
  siteZone: string;
  now: Date;
}

/**
 * The times of an event after a write, or `ends-early`. A date-time without an offset is the wall clock of the event's
 * zone, one with an offset is an instant, and a number of seconds is the wall clock it shows in UTC (clients of the
 * reference make such numbers that way). A new zone keeps the wall clock. Whole days run from 00:00:00 to 23:59:59.
 */
export function eventTimes(
  input: TimesInput,
  current: EventTimes | undefined,
  { siteZone, now }: Setting,
): EventTimes | 'ends-early' {
  const timezone = input.timezone ?? (input.timezone === null ? siteZone : (current?.timezone ?? siteZone));
  const allDay = input.all_day ?? (input.all_day === null ? false : current?.all_day === 1);
  const wallOf = (text: string | undefined, kept: Wall | undefined): Wall =>
    readWall(text, { zone: timezone, now }) ?? kept ?? '';
  const from = wallOf(input.start_date, current?.start_date);
  const to = wallOf(input.end_date, current?.end_date);
  const start = wallToUtc(allDay ? dayStart(from) : from, timezone);
  const end = wallToUtc(allDay ? dayEnd(to) : to, timezone);
  if (end.utc < start.utc) return 'ends-early';
  return {
    all_day: allDay ? 1 : 0,
    start_date: start.wall,
    end_date: end.wall,
    utc_start_date: start.utc,
    utc_end_date: end.utc,
    timezone,
    timezone_abbr: zoneAbbreviation(start.utc, timezone),
  };
}

function readWall(text: string | undefined, context: { zone: string; now: Date }): Wall | undefined {
  const parsed = text === undefined ? undefined : parseDate(text, context);
  if (parsed?.kind === 'wall') return parsed.wall;
  return parsed?.kind === 'instant' ? utcToWall(parsed.utc, context.zone) : parsed?.utc;
}
