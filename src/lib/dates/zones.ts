/** Time zones: parsing of names, and conversion between local time and UTC. The only file that uses `Temporal`. */
import { fromMs, type LocalTime, toMs } from './local-time.ts';

/** A period between two offset changes of a zone: `from` <= instant < `until`, all in ms. */
interface Period {
  from: number;
  until: number;
  offset: number;
}

/**
 * A zone with a fixed offset (ms east of UTC, shown as `label`), or with rules from the tz database and its periods
 * cached so far.
 */
export type Zone = { offset: number; label: string } | { id: string; periods: Period[] };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_OFFSET_MINUTES = 14 * 60;

/** Maximum number of cached spellings. Clients choose the spelling, so a full cache is emptied. */
const MAX_CACHED = 1000;
const cache = new Map<string, Zone>();

const UTC_NAMES = /^(?:etc\/)?(?:utc|uct|universal|zulu)$/i;
const GMT_NAMES = /^(?:etc\/)?(?:gmt(?:[+-]?0)?|greenwich)$/i;
const MANUAL = /^UTC(?:(?<sign>[+-])(?<hours>\d{1,2})(?::(?<minutes>[0-5]\d)|\.(?<fraction>\d{1,2}))?)$/i;
const BARE = /^(?<sign>[+-])(?<hours>\d\d)(?::?(?<minutes>[0-5]\d))?$/;

/**
 * Abbreviations that are not tz database ids, by minutes east of UTC: fixed offsets, as in PHP. Ambiguous ones (IST,
 * GST) are left out rather than guessed.
 */
const FIXED: [minutes: number, names: string][] = [
  [-660, 'SST'],
  [-540, 'AKST HDT'],
  [-480, 'AKDT PST'],
  [-420, 'PDT'],
  [-360, 'CST MDT'],
  [-300, 'CDT'],
  [-240, 'AST EDT'],
  [-210, 'NST'],
  [-180, 'ADT'],
  [-150, 'NDT'],
  [60, 'BST WAT WEST'],
  [120, 'CAT CEST MEST SAST'],
  [180, 'EAT EEST IDT MSK'],
  [300, 'PKT'],
  [420, 'WIB'],
  [480, 'AWST HKT WITA'],
  [540, 'JST KST WIT'],
  [570, 'ACST'],
  [600, 'AEST CHST'],
  [630, 'ACDT'],
  [660, 'AEDT'],
  [720, 'NZST'],
  [780, 'NZDT'],
];
const abbreviations = new Map(
  FIXED.flatMap(([minutes, names]) => names.split(' ').map((name) => [name, minutes] as const)),
);

function fixed(minutes: number, label: string): Zone | undefined {
  if (Math.abs(minutes) > MAX_OFFSET_MINUTES) return undefined;
  return { offset: minutes * MINUTE_MS, label };
}

function readOffset(text: string): Zone | undefined {
  const parts = (MANUAL.exec(text) ?? BARE.exec(text))?.groups;
  if (!parts) return undefined;
  const part =
    parts.fraction === undefined ? Number(parts.minutes ?? 0) : Math.round(Number(`0.${parts.fraction}`) * 60);
  const minutes = Number(parts.hours) * 60 + part;
  return fixed(parts.sign === '-' ? -minutes : minutes, text);
}

function readZone(text: string): Zone | undefined {
  if (UTC_NAMES.test(text)) return fixed(0, 'UTC');
  if (GMT_NAMES.test(text)) return fixed(0, 'GMT');
  // Ids of the tz database are ASCII and start with a letter; anything else that Temporal accepts is refused.
  if (!/^[a-z][\w/+-]*$/i.test(text)) return readOffset(text);
  const abbreviation = text.toUpperCase();
  const minutes = abbreviations.get(abbreviation);
  if (minutes !== undefined) return fixed(minutes, abbreviation);
  try {
    return { id: new Temporal.ZonedDateTime(0n, text).timeZoneId, periods: [] };
  } catch {
    return readOffset(text);
  }
}

/**
 * The zone that a text names: tz database ids in any letter case, common abbreviations, offsets such as `+02:00`, and
 * `UTC+2`, `UTC-3`, `UTC+5:30`, `UTC+5.5` (a fraction of an hour), up to 14 hours. Undefined for other texts.
 */
export function findZone(text: string): Zone | undefined {
  const cached = cache.get(text);
  if (cached || text.length > 64) return cached;
  const zone = readZone(text);
  if (!zone) return undefined;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, zone);
  return zone;
}

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  return findZone(text) !== undefined;
}

/**
 * Like `findZone`, for a zone that has been validated.
 * @throws RangeError for a text that names no zone
 */
export function getZone(text: string): Zone {
  const zone = findZone(text);
  if (!zone) throw new RangeError(`Unknown time zone: ${text}`);
  return zone;
}

function findPeriod(id: string, utcMs: number): Period {
  const at = Temporal.Instant.fromEpochMilliseconds(utcMs).toZonedDateTimeISO(id);
  // "previous" is strictly before, so one millisecond more finds a change at this exact instant.
  const before = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1e6,
  };
}

/** The offset at an instant, in ms east of UTC. */
export function offsetAt(zone: Zone, utcMs: number): number {
  if ('offset' in zone) return zone.offset;
  const cached = zone.periods.find(({ from, until }) => from <= utcMs && utcMs < until);
  if (cached) return cached.offset;
  const period = findPeriod(zone.id, utcMs);
  // Dates of a site span few years; more periods than this are not worth searching.
  if (zone.periods.length >= 40) zone.periods.length = 0;
  zone.periods.push(period);
  return period.offset;
}

/**
 * The instant of a local time in a zone, both in ms. A time that clocks skip moves forward; a repeated time means its
 * first occurrence. Relies on no zone changing its clocks twice within two days.
 */
export function instantOf(zone: Zone, ms: number): number {
  const before = offsetAt(zone, ms - DAY_MS);
  const after = offsetAt(zone, ms + DAY_MS);
  const first = ms - before;
  if (before === after || offsetAt(zone, first) === before) return first;
  const second = ms - after;
  return offsetAt(zone, second) === after ? second : first;
}

/**
 * Converts a local time in a zone to UTC. `local` is the given time, moved forward if clocks skip it (02:30 -> 03:30);
 * a repeated time means its first occurrence. Results are clamped to the years 1 to 9999.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export function localToUtc(local: LocalTime, zone: string): { local: LocalTime; utc: LocalTime } {
  const rules = getZone(zone);
  const utcMs = instantOf(rules, toMs(local));
  return { local: fromMs(utcMs + offsetAt(rules, utcMs)), utc: fromMs(utcMs) };
}

/**
 * The local time of a zone at a UTC time.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export function utcToLocal(utc: LocalTime, zone: string): LocalTime {
  const ms = toMs(utc);
  return fromMs(ms + offsetAt(getZone(zone), ms));
}

/**
 * Whether a local time means the given instant and no other. False for both instants of a time that is repeated when
 * clocks go back, and if the instant has another local time in the zone.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export function isOnlyInstant(local: LocalTime, zone: string, utc: LocalTime): boolean {
  const rules = getZone(zone);
  const ms = toMs(local);
  const offsets = new Set([offsetAt(rules, ms - DAY_MS), offsetAt(rules, ms + DAY_MS)]);
  const instants = [...offsets].map((offset) => ms - offset).filter((at) => at + offsetAt(rules, at) === ms);
  return instants.length === 1 && instants[0] === toMs(utc);
}

/** A change of the clocks of a zone. */
export interface ClockChange {
  at: LocalTime;
  /** Offsets before and after the change, in ms east of UTC. */
  before: number;
  after: number;
}

/**
 * Clock changes of a zone after `from` and until `until`, both in UTC, in order.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export function clockChanges(zone: string, from: LocalTime, until: LocalTime): ClockChange[] {
  const rules = getZone(zone);
  const changes: ClockChange[] = [];
  if ('offset' in rules) return changes;
  const last = toMs(until);
  let period = findPeriod(rules.id, toMs(from));
  while (period.until <= last) {
    const next = findPeriod(rules.id, period.until);
    if (next.offset !== period.offset) {
      changes.push({ at: fromMs(period.until), before: period.offset, after: next.offset });
    }
    period = next;
  }
  return changes;
}

/**
 * The offset of a zone at a UTC time, in ms east of UTC.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export const offsetOf = (utc: LocalTime, zone: string): number => offsetAt(getZone(zone), toMs(utc));

/**
 * The local date of a zone at a UTC time: `YYYY-MM-DD`.
 * @throws RangeError for an unknown zone or a text that is not a LocalTime
 */
export const localDay = (utc: LocalTime, zone: string): string => utcToLocal(utc, zone).slice(0, 10);

/** The offset of a zone at an instant, in hours east of UTC. */
export const hoursFromUtc = (zone: string, at: Date): number => offsetAt(getZone(zone), at.getTime()) / HOUR_MS;

/** The tz database name of a zone; undefined for a plain offset. */
export function zoneId(text: string): string | undefined {
  const zone = getZone(text);
  if ('id' in zone) return zone.id;
  return zone.label === 'UTC' ? zone.label : undefined;
}

/** Formats an offset in ms: `+05:45`. Seconds (historical local mean times) are dropped. */
export function offsetText(offset: number, separator = ':'): string {
  const minutes = Math.floor(Math.abs(offset) / MINUTE_MS);
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${separator}${String(minutes % 60).padStart(2, '0')}`;
}

/** A UTC time in ISO 8601 with the offset of a zone: `2027-03-06T18:30:00-05:00`. */
export function isoWithOffset(utc: LocalTime, zone: string): string {
  const ms = toMs(utc);
  const offset = offsetAt(getZone(zone), ms);
  return `${fromMs(ms + offset).replace(' ', 'T')}${offsetText(offset)}`;
}
