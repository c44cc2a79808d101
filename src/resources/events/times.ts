import {
  dayEnd,
  dayStart,
  type LocalTime,
  parseDate,
  utcToWall,
  wallToUtc,
  zoneAbbreviation,
} from '../../lib/dates.ts';

/** When an event takes place, as it is stored: the wall clock of its zone, and the same instants in UTC. */
export interface EventTimes {
  all_day: 0 | 1;
  start_date: LocalTime;
  end_date: LocalTime;
  utc_start_date: LocalTime;
  utc_end_date: LocalTime;
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

/** Whether a write says anything about time. */
export const touchesTimes = ({ start_date, end_date, timezone, all_day }: TimesInput): boolean =>
  [start_date, end_date, timezone, all_day].some((value) => value !== undefined);

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
  const momentOf = (
    text: string | undefined,
    kept: Moment | undefined,
    day: (wall: LocalTime) => LocalTime,
  ): Moment => {
    const moment = readMoment(text, { zone: timezone, now }) ?? kept ?? NO_MOMENT;
    if (allDay) return wallToUtc(day(moment.wall), timezone);
    // Not sent and in the same zone, it is the same instant: of an hour that comes twice the wall clock does not say which.
    const isSame = moment === kept && timezone === current?.timezone;
    return isSame || moment.isInstant ? moment : wallToUtc(moment.wall, timezone);
  };
  const kept = current && keptMoments(current);
  const start = momentOf(input.start_date, kept?.start, dayStart);
  const end = momentOf(input.end_date, kept?.end, dayEnd);
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

interface Moment {
  wall: LocalTime;
  utc: LocalTime;
  /** Whether `utc` was said, rather than following from the wall clock. */
  isInstant?: boolean;
}

const NO_MOMENT: Moment = { wall: '', utc: '' };

const keptMoments = ({ start_date, end_date, utc_start_date, utc_end_date }: EventTimes) => ({
  start: { wall: start_date, utc: utc_start_date },
  end: { wall: end_date, utc: utc_end_date },
});

function readMoment(text: string | undefined, context: { zone: string; now: Date }): Moment | undefined {
  const parsed = text === undefined ? undefined : parseDate(text, context);
  if (parsed?.kind === 'instant')
    return { wall: utcToWall(parsed.utc, context.zone), utc: parsed.utc, isInstant: true };
  return parsed && { wall: parsed.kind === 'wall' ? parsed.wall : parsed.utc, utc: '' };
}
