import { addSeconds, fromMs, type LocalTime, localToUtc, offsetOf } from '../../lib/dates/dates.ts';
import { isDay } from '../../lib/dates/month.ts';
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

/** A change of clocks: local time by the offset before it, and seconds east of UTC afterwards. */
interface Onset {
  at: LocalTime;
  offset: number;
}

interface ZoneYear {
  year: number;
  /** Onsets of the year in order, after the last one before it. */
  onsets: readonly Onset[];
  /** The zone of the tz database with the same offsets, once it was searched. */
  zone?: { id: string | undefined };
}

export interface ZoneRules {
  observances: readonly Observance[];
  /** Zone that is preferred among those with the same offsets. */
  usual: string;
  /** Onsets that are not yearly, and the last ones of rules that end; in order. */
  onsets: readonly Onset[];
  years: Map<number, ZoneYear>;
  work: ZoneWork;
}

/** Computed rules of the zones of one import, and the number of years that it may still compute. */
export interface ZoneWork {
  /** By their content: a file may repeat a zone in each of its calendars. */
  rules: Map<string, ZoneRules>;
  yearsLeft: number;
}

/** Maximum numbers of observances of a zone and of their single onsets. More count as rules of another form. */
const MAX_OBSERVANCES = 500;
const MAX_ONSETS = 2000;
/** Maximum number of zones of an import, for each of which one year is always computed. */
const MAX_ZONES = 500;
/**
 * Maximum number of further years of zones that are computed in an import: a hostile calendar must not keep the process
 * busy. Past it, times take the offsets and the zone of the nearest year of their zone.
 */
const MAX_YEARS = 50;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

export const newZoneWork = (): ZoneWork => ({ rules: new Map(), yearsLeft: MAX_YEARS });

/** Reads the rules of a VTIMEZONE; undefined if they have another form. */
export function readZoneRules(zone: CalendarComponent, usual: string, work: ZoneWork): ZoneRules | undefined {
  const parts = zone.components.filter(({ name }) => name === 'standard' || name === 'daylight');
  if (parts.length === 0 || parts.length > MAX_OBSERVANCES) return undefined;
  const observances = parts.map(observanceOf).filter((one) => one !== undefined);
  if (observances.length < parts.length) return undefined;
  const key = JSON.stringify([usual, observances]);
  const known = work.rules.get(key);
  if (known) return known;
  if (work.rules.size >= MAX_ZONES) return undefined;
  const onsets = observances.flatMap(singleOnsetsOf);
  if (onsets.length > MAX_ONSETS) return undefined;
  const rules = { observances, usual, onsets: inOrder(onsets), years: new Map(), work };
  work.rules.set(key, rules);
  return rules;
}

/** Of onsets at the same time, the first in the calendar is last in order, so that it counts. */
const inOrder = (onsets: readonly Onset[]): Onset[] =>
  onsets.toReversed().sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));

function singleOnsetsOf(one: Observance): Onset[] {
  const { start, offset, dates, rule } = one;
  const end = rule && yearOf(rule.until);
  const last = end === undefined || end === 9999 ? [] : [...onsetsOf(one, end - 1), ...onsetsOf(one, end)].slice(-1);
  return [start, ...dates, ...last].map((at) => ({ at, offset }));
}

export const yearOf = (local: LocalTime): number => Number(local.slice(0, 4));
const inYear = (local: LocalTime, year: number): LocalTime => `${String(year).padStart(4, '0')}${local.slice(4)}`;

function observanceOf(component: CalendarComponent): Observance | undefined {
  const start = timeOf(textOf(component, 'dtstart'));
  const offset = secondsOf(findProperty(component, 'tzoffsetto')?.raw ?? '');
  const before = secondsOf(findProperty(component, 'tzoffsetfrom')?.raw ?? '') ?? offset;
  if (start === undefined || offset === undefined || before === undefined) return undefined;
  const dates = propertiesNamed(component, 'rdate').flatMap(({ values }) =>
    values.flatMap((value) => timeOf(typeof value === 'string' ? value : '') ?? []),
  );
  const text = findProperty(component, 'rrule')?.raw;
  if (text === undefined) return { start, offset, dates };
  const rule = ruleOf(text, before);
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

/**
 * @param before seconds east of UTC before each onset: a rule ends at a time in UTC, but its onsets are local ones
 */
function ruleOf(text: string, before: number): Observance['rule'] {
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
  const until = untilOf(parts.get('UNTIL') ?? '', before);
  return { month, position: place, weekday: WEEKDAYS.indexOf(day), until };
}

function untilOf(text: string, before: number): LocalTime {
  const [, year, month, day, ...time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(text) ?? [];
  if (year === undefined || year === '9999') return '9999-12-31 23:59:59';
  const date = `${year}-${month}-${day}`;
  const isTime = text.endsWith('Z') && timeOf(`${date}T${time.join(':')}`) !== undefined;
  return isTime ? addSeconds(`${date} ${time.join(':')}`, before) : `${date} 23:59:59`;
}

/** The year of a zone, computed once, or the nearest one past `MAX_YEARS`. */
function zoneYear(rules: ZoneRules, year: number): ZoneYear {
  const { years, work } = rules;
  const known = years.get(year);
  if (known) return known;
  const nearest = work.yearsLeft <= 0 ? nearestYear(years, year) : undefined;
  if (!nearest && years.size > 0) work.yearsLeft -= 1;
  const table = nearest ?? { year, onsets: onsetsAround(rules, year) };
  years.set(year, table);
  return table;
}

function nearestYear(years: ReadonlyMap<number, ZoneYear>, year: number): ZoneYear | undefined {
  let nearest: ZoneYear | undefined;
  for (const table of years.values())
    if (!nearest || Math.abs(table.year - year) < Math.abs(nearest.year - year)) nearest = table;
  return nearest;
}

function onsetsAround({ observances, onsets }: ZoneRules, year: number): Onset[] {
  const yearly = observances.flatMap((one) =>
    [...onsetsOf(one, year - 1), ...onsetsOf(one, year)].map((at) => ({ at, offset: one.offset })),
  );
  const all = inOrder([...yearly, ...onsets.toReversed()]);
  const before = all.findLastIndex(({ at }) => at < inYear('', year));
  return all.slice(Math.max(0, before)).filter(({ at }) => at < inYear('', year + 1));
}

/** Seconds east of UTC at a local time. */
function offsetAt({ observances }: ZoneRules, { onsets }: ZoneYear, local: LocalTime): number {
  let [from, to] = [0, onsets.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((onsets[middle]?.at ?? '') <= local) from = middle + 1;
    else to = middle;
  }
  return (onsets[from - 1] ?? observances[0])?.offset ?? 0;
}

function onsetsOf({ start, rule }: Observance, year: number): LocalTime[] {
  if (!rule || year < Math.max(1, yearOf(start)) || year > yearOf(rule.until)) return [];
  const { month, position, weekday, until } = rule;
  // The last one: seven days before the first of the next month, or later.
  const from =
    position > 0 ? new Date(0).setUTCFullYear(year, month - 1, 1) : new Date(0).setUTCFullYear(year, month, 1);
  const shift = (weekday - new Date(from).getUTCDay() + 7) % 7;
  const days = shift + 7 * (position > 0 ? position - 1 : position);
  const onset = `${fromMs(from + days * 86_400_000).slice(0, 10)} ${start.slice(11)}`;
  return onset >= start && onset <= until ? [onset] : [];
}

/** The UTC time of a local time. */
export function utcBy(rules: ZoneRules, local: LocalTime): LocalTime {
  const table = zoneYear(rules, yearOf(local));
  return addSeconds(local, -offsetAt(rules, table, inYear(local, table.year)));
}

/** A zone of the tz database with the same offsets in a year. */
export function recogniseZone(rules: ZoneRules, year: number): string | undefined {
  const table = zoneYear(rules, year);
  table.zone ??= { id: searchZone(rules, table) };
  return table.zone.id;
}

function searchZone(rules: ZoneRules, table: ZoneYear): string | undefined {
  const probes = Array.from({ length: 12 }, (_, month) => {
    const local = inYear(`0000-${String(month + 1).padStart(2, '0')}-15 12:00:00`, table.year);
    return { local, offset: offsetAt(rules, table, local) };
  });
  return [rules.usual, ...USUAL_ZONES].find((zone) =>
    probes.every(({ local, offset }) => offsetOf(localToUtc(local, zone).utc, zone) / 1000 === offset),
  );
}

/** Whether one set of rules counts for all years, as written by programs that know only today's rules. */
export const isSteady = ({ observances }: ZoneRules): boolean =>
  observances.length <= 2 &&
  observances.every(({ rule, dates }) => dates.length === 0 && rule?.until.startsWith('9999'));
