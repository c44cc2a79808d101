import { addSeconds, type LocalTime, localToUtc, offsetOf } from '../../lib/dates/dates.ts';
import { addDaysToDay, isDay } from '../../lib/dates/month.ts';
import { type CalendarComponent, findProperty, propertiesNamed, textOf } from './calendar-lines.ts';
import { USUAL_ZONES } from './windows-zones.ts';

/** Rules of VTIMEZONE, as far as calendar programs write them: yearly ones, and single times. */

interface Observance {
  /** Local time of the first onset, by the offset before it. */
  start: LocalTime;
  /** Seconds east of UTC afterwards. */
  offset: number;
  /** Local times of single onsets. */
  dates: readonly LocalTime[];
  rule?: { month: number; position: number; weekday: number; until: LocalTime };
}

export interface ZoneRules {
  observances: readonly Observance[];
}

const MAX_OBSERVANCES = 500;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Reads the rules of a VTIMEZONE; undefined if they have another form. */
export function readZoneRules(zone: CalendarComponent): ZoneRules | undefined {
  const parts = zone.components.filter(({ name }) => name === 'standard' || name === 'daylight');
  if (parts.length === 0 || parts.length > MAX_OBSERVANCES) return undefined;
  const observances = parts.map(observanceOf);
  return observances.every((one) => one !== undefined) ? { observances } : undefined;
}

function observanceOf(component: CalendarComponent): Observance | undefined {
  const start = timeOf(textOf(component, 'dtstart'));
  const offset = secondsOf(findProperty(component, 'tzoffsetto')?.raw ?? '');
  if (start === undefined || offset === undefined) return undefined;
  const dates = propertiesNamed(component, 'rdate').flatMap(({ values }) =>
    values.flatMap((value) => timeOf(typeof value === 'string' ? value : '') ?? []),
  );
  const text = findProperty(component, 'rrule')?.raw;
  if (text === undefined) return { start, offset, dates };
  const rule = ruleOf(text);
  return rule && { start, offset, dates, rule };
}

/** The local time of a jCal value. */
export function timeOf(value: string): LocalTime | undefined {
  const [, day = '', time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)Z?|T::)?$/.exec(value) ?? [];
  if (!isDay(day) || !/^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)$/.test(time)) return undefined;
  return `${day} ${time.replace(/60$/, '59')}`;
}

function secondsOf(text: string): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d)?$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -total : total;
}

function ruleOf(text: string): Observance['rule'] {
  const parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string]),
  );
  const [, position, day = ''] = /^([+-]?\d)?(SU|MO|TU|WE|TH|FR|SA)$/.exec(parts.get('BYDAY') ?? '') ?? [];
  const month = Number(parts.get('BYMONTH'));
  // The older form of a position: the first such weekday from a day on.
  const [from] = (parts.get('BYMONTHDAY') ?? '').split(',');
  const isYearly = parts.get('FREQ') === 'YEARLY' && Number.isInteger(month) && month >= 1 && month <= 12;
  if (!isYearly || day === '') return undefined;
  const place = position === undefined ? Math.ceil(Number(from) / 7) : Number(position);
  if (!Number.isInteger(place) || place === 0 || Math.abs(place) > 5) return undefined;
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '');
  const end = until ? `${until[1]}-${until[2]}-${until[3]} 23:59:59` : '9999-12-31 23:59:59';
  return { month, position: place, weekday: WEEKDAYS.indexOf(day), until: end };
}

/** Seconds east of UTC at a local time. */
function offsetAt({ observances }: ZoneRules, local: LocalTime): number {
  let [latest, offset] = ['', observances[0]?.offset ?? 0];
  const year = Number(local.slice(0, 4));
  for (const one of observances)
    for (const onset of [one.start, ...one.dates, ...onsetsOf(one, year - 1), ...onsetsOf(one, year)])
      if (onset <= local && onset > latest) [latest, offset] = [onset, one.offset];
  return offset;
}

function onsetsOf({ start, rule }: Observance, year: number): LocalTime[] {
  if (!rule || year < 1) return [];
  const { month, position, weekday, until } = rule;
  const first = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
  const next = addDaysToDay(first, 31);
  const after = position > 0 ? first : `${next.slice(0, 7)}-01`;
  const shift = (weekday - new Date(`${after}T00:00:00Z`).getUTCDay() + 7) % 7;
  const days = shift + 7 * (position > 0 ? position - 1 : position);
  // The last one: seven days before the first of the next month, or later.
  const onset = `${addDaysToDay(after, days)} ${start.slice(11)}`;
  return onset >= start && onset <= until ? [onset] : [];
}

/** The UTC time of a local time. */
export const utcBy = (rules: ZoneRules, local: LocalTime): LocalTime => addSeconds(local, -offsetAt(rules, local));

/** A zone of the tz database with the same offsets in a year; those of `first` are preferred. */
export function recogniseZone(rules: ZoneRules, year: number, first: readonly string[]): string | undefined {
  const probes = Array.from(
    { length: 12 },
    (_, month) => `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-15 12:00:00`,
  );
  return [...first, ...USUAL_ZONES].find((zone) =>
    probes.every((local) => offsetOf(localToUtc(local, zone).utc, zone) / 1000 === offsetAt(rules, local)),
  );
}
