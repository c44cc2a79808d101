import { addDays, addSeconds, isZone, type LocalTime, localToUtc, utcToLocal, zoneId } from '../../lib/dates/dates.ts';
import type { Finding } from '../drafts.ts';
import {
  type CalendarComponent,
  type CalendarProperty,
  findProperty,
  parameterOf,
  propertiesNamed,
  textOf,
} from './calendar-lines.ts';
import { zoneOfWindows } from './windows-zones.ts';
import {
  isSteady,
  readZoneRules,
  recogniseZone,
  timeOf,
  utcBy,
  yearOf,
  type ZoneRules,
  type ZoneWork,
} from './zone-rules.ts';

/** Times of entries: with a zone of any name, in UTC, floating, or whole days. */

/** A time in a zone of the tz database, or a day. */
export interface Moment {
  local: LocalTime;
  isDay: boolean;
  zone: string;
  /** Empty for a day. */
  utc: LocalTime;
}

/** Time zones of a calendar. */
export interface CalendarZones {
  /** Zone of times without one. */
  usual: string;
  /** Rules by the name of the zone in the calendar. */
  rules: ReadonlyMap<string, ZoneRules | undefined>;
  /** Zones of the tz database that names in the calendar stand for. */
  known: Map<string, string | undefined>;
}

/** Zones of a calendar as one entry reads them. */
export interface EntryZones extends CalendarZones {
  /**
   * The year whose rules count for all times of the entry: a removed date with the zone of another year than the start
   * would be at another hour, and take place after all.
   */
  year: number;
  presentYear: number;
}

export function zonesOf(calendar: CalendarComponent, siteZone: string, work: ZoneWork): CalendarZones {
  const named = textOf(calendar, 'x-wr-timezone');
  const usual = plainZone(named) ?? siteZone;
  const zones = calendar.components.filter(({ name }) => name === 'vtimezone').slice(0, 500);
  const rules = new Map(zones.map((zone) => [textOf(zone, 'tzid'), readZoneRules(zone, usual, work)] as const));
  const known = new Map(
    zones.map((zone) => {
      const location = textOf(zone, 'x-lic-location');
      return [textOf(zone, 'tzid'), plainZone(location)] as const;
    }),
  );
  return { usual, rules, known: new Map([...known].filter(([, zone]) => zone !== undefined)) };
}

/**
 * Zones for an entry, and for the changes of its dates: those of the year in which it starts, or of the present one if
 * it repeats until then.
 */
export function zonesFor(entry: CalendarComponent, zones: CalendarZones, now: Date): EntryZones {
  const presentYear = now.getUTCFullYear();
  const start = timeOf(textOf(entry, 'dtstart'));
  const year = start === undefined ? presentYear : yearOf(start);
  return { ...zones, year: Math.max(year, Math.min(presentYear, lastYearOf(entry))), presentYear };
}

/** The last year of an entry that repeats, or Infinity if it is not written; 0 without repetition. */
function lastYearOf(entry: CalendarComponent): number {
  if (findProperty(entry, 'recurrence-id')) return Number.POSITIVE_INFINITY;
  const rules = propertiesNamed(entry, 'rrule').map(({ raw }) => /\bUNTIL=(\d{4})/i.exec(raw)?.[1] ?? 'Infinity');
  const dates = propertiesNamed(entry, 'rdate').flatMap(({ values }) =>
    values.map((value) => (typeof value === 'string' ? value.slice(0, 4) : '')),
  );
  let last = 0;
  for (const text of [...rules, ...dates]) last = Math.max(last, Number(text) || 0);
  return last;
}

/** Zone for a name of the tz database, also at the end of a path, or of Windows. */
function plainZone(name: string): string | undefined {
  const text = name.trim();
  if (text === '' || text.length > 200) return undefined;
  const windows = zoneOfWindows(text);
  if (windows) return windows;
  const parts = text.split('/').filter((part) => part !== '');
  // `/mozilla.org/20050126_1/Europe/Berlin` has the name at its end.
  for (const count of [parts.length, 3, 2, 1]) {
    const candidate = parts.slice(-count).join('/');
    if (/^[A-Z]/.test(candidate) && isZone(candidate)) return zoneId(candidate) ?? candidate;
  }
  return undefined;
}

/** Reads a time or a day; undefined if it does not exist. Findings concern its zone. */
export function readMoment(
  property: CalendarProperty | undefined,
  zones: EntryZones,
  findings: Finding[],
  index = 0,
): Moment | undefined {
  const value = property?.values[index];
  const text = typeof value === 'string' ? value : '';
  const local = timeOf(text);
  if (!property || local === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d(?:T::)?$/.test(text)) return { local, isDay: true, zone: zones.usual, utc: '' };
  if (text.endsWith('Z')) return { local: utcToLocal(local, zones.usual), isDay: false, zone: zones.usual, utc: local };
  const tzid = parameterOf(property, 'tzid');
  if (tzid === undefined) return momentIn(local, zones.usual);
  const zone = findZone(tzid, zones);
  if (zone !== undefined) return momentIn(local, zone);
  const rules = zones.rules.get(tzid);
  const detail = tzid.slice(0, 80);
  if (!findings.some((one) => one.code === 'zone-unknown' && one.detail === detail))
    findings.push({ code: 'zone-unknown', detail });
  if (!rules) return momentIn(local, zones.usual);
  const utc = utcBy(rules, local);
  return { local: utcToLocal(utc, zones.usual), isDay: false, zone: zones.usual, utc };
}

/** A time that clocks skip is moved, as calendar programs do. */
export const momentIn = (local: LocalTime, zone: string): Moment => ({
  ...localToUtc(local, zone),
  isDay: false,
  zone,
});

function findZone(tzid: string, { rules, known, year, presentYear }: EntryZones): string | undefined {
  if (!known.has(tzid)) known.set(tzid, plainZone(tzid));
  const named = known.get(tzid);
  const rule = rules.get(tzid);
  if (named !== undefined || !rule) return named;
  return recogniseZone(rule, year) ?? (isSteady(rule) ? recogniseZone(rule, presentYear) : undefined);
}

/** The end of an entry: after a time, or the last day of whole days. */
export function endOf(
  entry: CalendarComponent,
  start: Moment,
  { zones, findings }: { zones: EntryZones; findings: Finding[] },
): Moment {
  const property = findProperty(entry, 'dtend');
  const told = readMoment(property, zones, findings);
  if (property && !told) findings.push({ code: 'no-end', detail: property.raw.slice(0, 40) });
  const duration = told ? undefined : durationOf(textOf(entry, 'duration'));
  if (start.isDay) {
    // `DTEND` of whole days is exclusive: the day after the last one.
    const after = told?.local ?? addDays(start.local, duration?.days || 1);
    const last = addDays(`${after.slice(0, 10)} 00:00:00`, told && !told.isDay ? 0 : -1);
    return { ...start, local: last < start.local ? start.local : last };
  }
  if (told) {
    if (told.isDay) return momentIn(told.local, start.zone);
    // Both ends are in the zone of the start.
    return told.zone === start.zone ? told : { ...told, zone: start.zone, local: utcToLocal(told.utc, start.zone) };
  }
  if (!duration) return start;
  // Days of a duration are calendar days, hours are exact.
  const { utc } = localToUtc(addDays(start.local, duration.days), start.zone);
  const end = addSeconds(utc, duration.seconds);
  return { ...start, utc: end, local: utcToLocal(end, start.zone) };
}

const MAX_DAYS = 3660;

function durationOf(text: string): { days: number; seconds: number } | undefined {
  const [whole, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^([+-])?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/.exec(text) ?? [];
  if (whole === undefined || sign === '-') return undefined;
  const total = Number(weeks) * 7 + Number(days);
  const exact = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > MAX_DAYS || exact > MAX_DAYS * 86_400 ? undefined : { days: total, seconds: exact };
}

/** A moment as the parameter of a write: an instant, since local times are ambiguous when clocks go back. */
export const writtenMoment = ({ local, isDay, utc }: Moment): string => (isDay ? local : `${utc.replace(' ', 'T')}Z`);
