import { resolveDateParam } from '../../http/input/date-param.ts';
import {
  addSeconds,
  type DateExpression,
  dayEnd,
  dayStart,
  type LocalTime,
  localToUtc,
  secondsBetween,
  utcToLocal,
  zoneAbbreviation,
} from '../../lib/dates/dates.ts';

/** Stored times of an event: local times in its zone, and the same instants in UTC. */
export interface EventTimes {
  all_day: 0 | 1;
  start_date: LocalTime;
  end_date: LocalTime;
  utc_start_date: LocalTime;
  utc_end_date: LocalTime;
  timezone: string;
  timezone_abbr: string;
}

/** Time fields of a write. Absent: unchanged; null resets the zone to the site's and `all_day` to false. */
export interface TimesInput {
  start_date?: DateExpression;
  end_date?: DateExpression;
  timezone?: string | null;
  all_day?: boolean | null;
}

/** Whether a write has any time fields. */
export const touchesTimes = ({ start_date, end_date, timezone, all_day }: TimesInput): boolean =>
  [start_date, end_date, timezone, all_day].some((value) => value !== undefined);

interface TimesOptions {
  siteZone: string;
  now: Date;
}

/**
 * The times of an event after a write, or `ends-early`. A date-time without an offset is local time in the event's
 * zone, one with an offset is an instant, and a number of seconds is local time as it appears in UTC (clients of the
 * reference compute such numbers that way). A new zone keeps the local time. A time that clocks skip is moved forward,
 * with the end if a start would reach it. All-day events run from 00:00:00 to 23:59:59.
 * @throws {InvalidParams} naming the parameter whose date does not exist
 */
export function eventTimes(
  input: TimesInput,
  current: EventTimes | undefined,
  { siteZone, now }: TimesOptions,
): EventTimes | 'ends-early' {
  const timezone = input.timezone ?? (input.timezone === null ? siteZone : (current?.timezone ?? siteZone));
  const allDay = input.all_day ?? (input.all_day === null ? false : current?.all_day === 1);
  const momentOf = (
    name: 'start_date' | 'end_date',
    kept: Moment | undefined,
    day: (local: LocalTime) => LocalTime,
  ): Moment => {
    const sent = input[name];
    const moment = sent ? resolveMoment(name, sent, { zone: timezone, now }) : (kept ?? NO_MOMENT);
    if (allDay) return placed(day(moment.local), timezone);
    // If the time is omitted and the zone unchanged, the instant stays: for a repeated hour the local time alone is
    // ambiguous.
    const isSame = moment === kept && timezone === current?.timezone;
    return isSame || moment.isInstant ? moment : placed(moment.local, timezone);
  };
  const kept = current && keptMoments(current);
  const start = momentOf('start_date', kept?.start, dayStart);
  const end = endAfterGap(start, momentOf('end_date', kept?.end, dayEnd), timezone);
  if (end.utc < start.utc) return 'ends-early';
  return {
    all_day: allDay ? 1 : 0,
    start_date: start.local,
    end_date: end.local,
    utc_start_date: start.utc,
    utc_end_date: end.utc,
    timezone,
    timezone_abbr: zoneAbbreviation(start.utc, timezone),
  };
}

interface Moment {
  local: LocalTime;
  utc: LocalTime;
  /** Whether `utc` was sent, rather than derived from the local time. */
  isInstant?: boolean;
  /** The local time before it was moved out of a gap, where clocks are set forward. */
  recorded?: LocalTime;
}

const placed = (recorded: LocalTime, zone: string): Moment => ({ ...localToUtc(recorded, zone), recorded });

/** Moves the end with a start that was moved out of a gap and reaches it, so that the event keeps its duration. */
function endAfterGap(start: Moment, end: Moment, zone: string): Moment {
  const { local, recorded = local } = start;
  const duration = secondsBetween(recorded, end.recorded ?? end.local);
  if (local <= recorded || end.utc > start.utc || end.isInstant || duration < 0) return end;
  const utc = addSeconds(start.utc, duration);
  return { local: utcToLocal(utc, zone), utc };
}

const NO_MOMENT: Moment = { local: '', utc: '' };

const keptMoments = ({ start_date, end_date, utc_start_date, utc_end_date }: EventTimes) => ({
  start: { local: start_date, utc: utc_start_date },
  end: { local: end_date, utc: utc_end_date },
});

/**
 * A date of a write as an instant in UTC, read like the start and the end of an event.
 * @throws {InvalidParams} naming the parameter if there is no such date
 */
export function requestedInstant(name: string, date: DateExpression, context: { zone: string; now: Date }): LocalTime {
  const { local, utc, isInstant } = resolveMoment(name, date, context);
  return isInstant ? utc : localToUtc(local, context.zone).utc;
}

function resolveMoment(name: string, date: DateExpression, context: { zone: string; now: Date }): Moment {
  const resolved = resolveDateParam(name, date, context);
  if (resolved.kind === 'instant')
    return { local: utcToLocal(resolved.utc, context.zone), utc: resolved.utc, isInstant: true };
  return { local: resolved.kind === 'local' ? resolved.local : resolved.utc, utc: '' };
}
