import { setImmediate as nextTurn } from 'node:timers/promises';
import { addDays, addSeconds, type LocalTime, secondsBetween, utcToLocal } from '../../lib/dates/dates.ts';
import { addDaysToDay } from '../../lib/dates/month.ts';
import { earliestStart, expand, lastDay } from '../../lib/recurrence/recurrence.ts';
import { formatRule, isProblem, parseRule, type RecurrenceRule } from '../../lib/recurrence/recurrence-rule.ts';
import type { Finding } from '../drafts.ts';
import type { KeyedRecord } from '../keyed/keyed-record.ts';
import {
  type CalendarComponent,
  findProperty,
  parameterOf,
  propertiesNamed,
  readCalendarLines,
  textOf,
} from './calendar-lines.ts';
import { type EntryOptions, fieldsOf } from './entry-fields.ts';
import {
  type CalendarZones,
  type EntryZones,
  endOf,
  type Moment,
  momentIn,
  readMoment,
  writtenMoment,
  zonesFor,
  zonesOf,
} from './entry-times.ts';
import { newZoneWork } from './zone-rules.ts';

/**
 * Converts entries of calendars to records: single events, series with changed dates, or single dates of a rule that
 * series do not support.
 */

export interface CalendarOptions extends EntryOptions {
  siteZone: string;
  now: Date;
  /** Name of this site's calendar in the UIDs of its events. */
  calendarId: string;
}

export interface CalendarRecords {
  records: KeyedRecord[];
  /** Problems of lines, and of the file. */
  findings: (Finding & { line: number })[];
  isComplete: boolean;
}

/** Maximum number of entries of a file. */
const MAX_ENTRIES = 5000;
/** Maximum number of dates of a rule that become single events. */
const MAX_DATES = 500;
const MAX_DAYS = 500;
/** Maximum number of values of `RDATE` or `EXDATE` of an entry that are read. */
const MAX_VALUES = 5000;

export async function readCalendarRecords(text: string, options: CalendarOptions): Promise<CalendarRecords> {
  const { calendars, broken, brokenCount, isComplete } = await readCalendarLines(text);
  const findings = broken.map((one) => ({ code: 'broken-line', detail: one.text, line: one.line }));
  if (brokenCount > broken.length)
    findings.push({ code: 'more-broken-lines', detail: String(brokenCount - broken.length), line: 0 });
  const records: KeyedRecord[] = [];
  const work = newZoneWork();
  let left = MAX_ENTRIES;
  for (const calendar of calendars.filter(({ name }) => name === 'vcalendar')) {
    const entries = calendar.components.filter(({ name }) => name === 'vevent');
    const others = calendar.components.filter(({ name }) => name === 'vtodo' || name === 'vjournal').length;
    if (others > 0) findings.push({ code: 'not-events', detail: String(others), line: calendar.line });
    if (entries.length > left)
      findings.push({ code: 'too-many-entries', detail: String(MAX_ENTRIES), line: entries[left]?.line ?? 0 });
    const zones = zonesOf(calendar, options.siteZone, work);
    const context = { ...options, zones, isCancelled: isMethodCancel(calendar) };
    for (const group of groupsOf(entries.slice(0, Math.max(0, left)))) {
      records.push(...(await recordsOf(group, context)));
      // Requests wait for one entry at most.
      await nextTurn();
    }
    left -= entries.length;
  }
  if (!isComplete) findings.push({ code: 'cut-off', detail: '', line: 0 });
  return { records, findings, isComplete: isComplete && left >= 0 };
}

const isMethodCancel = (calendar: CalendarComponent): boolean => textOf(calendar, 'method').toUpperCase() === 'CANCEL';

/** Entries with one UID: the main entry, and entries for single dates by the date that they replace. */
interface Group {
  uid: string;
  main?: CalendarComponent;
  changed: CalendarComponent[];
}

/** Groups entries by UID. Of several versions of an entry, the newest counts. */
function groupsOf(entries: readonly CalendarComponent[]): Group[] {
  const groups = new Map<string, Map<string, CalendarComponent>>();
  for (const entry of entries) {
    const uid =
      textOf(entry, 'uid') || `no-uid ${textOf(entry, 'summary')} ${findProperty(entry, 'dtstart')?.raw ?? ''}`;
    const versions = groups.get(uid) ?? new Map<string, CalendarComponent>();
    groups.set(uid, versions);
    const date = findProperty(entry, 'recurrence-id')?.raw ?? '';
    const known = versions.get(date);
    if (!known || isNewer(entry, known)) versions.set(date, entry);
  }
  return [...groups].map(([uid, versions]) => {
    const { '': main, ...changed } = Object.fromEntries(versions);
    return { uid: uid.slice(0, 500), main, changed: Object.values(changed) };
  });
}

const isNewer = (a: CalendarComponent, b: CalendarComponent): boolean => {
  const difference = sequenceOf(a) - sequenceOf(b);
  return difference > 0 || (difference === 0 && textOf(a, 'dtstamp') >= textOf(b, 'dtstamp'));
};

function sequenceOf(entry: CalendarComponent): number {
  const sequence = Number(textOf(entry, 'sequence'));
  return Number.isSafeInteger(sequence) && sequence >= 0 && sequence <= 2_000_000_000 ? sequence : 0;
}

interface CalendarContext extends CalendarOptions {
  zones: CalendarZones;
  isCancelled: boolean;
}

interface Reading extends CalendarContext {
  zones: EntryZones;
}

async function recordsOf({ uid, main, changed }: Group, context: CalendarContext): Promise<KeyedRecord[]> {
  const readingOf = (entry: CalendarComponent): Reading => ({
    ...context,
    zones: zonesFor(entry, context.zones, context.now),
  });
  if (!main) return changed.map((entry) => changedDate(uid, entry, readingOf(entry)));
  const reading = readingOf(main);
  const repeats = ['rrule', 'rdate'].some((name) => findProperty(main, name));
  const single = singleRecord(main, uid, reading);
  if (!repeats || single.record.cannot || !single.start || !single.end) return [single.record];
  const dates = changed.map((entry) => changedDate(uid, entry, reading));
  const repeating = { main, uid, reading, record: single.record, start: single.start, end: single.end };
  return repeatedRecords(repeating, dates);
}

interface Single {
  record: KeyedRecord;
  start?: Moment;
  end?: Moment;
}

function singleRecord(entry: CalendarComponent, key: string, reading: Reading): Single {
  const findings: Finding[] = [];
  const { zones } = reading;
  const common = { kind: 'event' as const, key, line: entry.line, at: '', sequence: sequenceOf(entry) };
  const own = key.endsWith(`@${reading.calendarId}`) && /^\d+@/.test(key);
  const property = findProperty(entry, 'dtstart');
  const start = readMoment(property, zones, findings);
  if (own || !start) {
    const cannot = own
      ? { code: 'own-event', detail: key }
      : { code: 'no-start', detail: (property?.raw ?? '').slice(0, 80) };
    return { record: { ...common, fields: {}, title: textOf(entry, 'summary').slice(0, 100), findings, cannot } };
  }
  const told = endOf(entry, start, { zones, findings });
  const isEarly = start.isDay ? told.local < start.local : told.utc < start.utc;
  if (isEarly) findings.push({ code: 'ends-early', detail: told.local });
  const end = isEarly ? start : told;
  if (textOf(entry, 'uid') === '') findings.push({ code: 'no-uid', detail: '' });
  const isCancelled = reading.isCancelled || textOf(entry, 'status').toUpperCase() === 'CANCELLED';
  const fields = fieldsOf(entry, { start, end }, { ...reading, isCancelled, findings });
  return { record: { ...common, ...fields, findings }, start, end };
}

/** Key of one date of an entry, which its changes and its single events share. */
const dateKey = (uid: string, { isDay, local, utc }: Moment): string => `${uid}\n${isDay ? local.slice(0, 10) : utc}`;

function changedDate(uid: string, entry: CalendarComponent, reading: Reading): KeyedRecord {
  const findings: Finding[] = [];
  const property = findProperty(entry, 'recurrence-id');
  const date = readMoment(property, reading.zones, findings);
  const key = date ? dateKey(uid, date) : `${uid}\n${property?.raw ?? ''}`;
  const { record, start } = singleRecord(entry, key, reading);
  if (property && parameterOf(property, 'range'))
    findings.push({ code: 'range-alone', detail: property.raw.slice(0, 40) });
  const zone = start?.zone ?? reading.zones.usual;
  const day = date && (date.isDay ? date.local : localIn(date, zone)).slice(0, 10);
  return { ...record, findings: [...record.findings, ...findings], ...(day && { within: { key: uid, day } }) };
}

const localIn = (moment: Moment, zone: string): string =>
  moment.zone === zone ? moment.local : utcToLocal(moment.utc, zone);

interface Repeating {
  main: CalendarComponent;
  uid: string;
  reading: Reading;
  record: KeyedRecord;
  start: Moment;
  end: Moment;
}

/** A series with its changed dates, or single events if no series can have these dates. */
async function repeatedRecords(repeating: Repeating, changed: readonly KeyedRecord[]): Promise<KeyedRecord[]> {
  const { main, uid, record, start } = repeating;
  const { siteZone, now } = repeating.reading;
  const findings = [...record.findings];
  const { rdates, exdates, singles } = datesOf(repeating, findings);
  const texts = propertiesNamed(main, 'rrule').map(({ raw }) => raw);
  const rules = rulesIn(texts, findings);
  const [day, time] = [start.local.slice(0, 10), start.local.slice(11)];
  const isTooOld = day < earliestStart(now, siteZone);
  const whole = { ...record, findings };
  if (rules.length > 1 || isTooOld || rdates.length > MAX_DAYS || exdates.length > MAX_DAYS) {
    const days = await daysInRange({ rules, rdates, exdates }, repeating);
    if (days.length >= MAX_DATES) findings.push({ code: 'rule-cut', detail: String(MAX_DATES) });
    return replaced(
      [...days.map((one) => movedTo({ ...repeating, record: whole }, `${one} ${time}`)), ...singles],
      changed,
    );
  }
  const [rule] = rules;
  const series = await seriesOf({ rule, rdates, exdates }, { start, now });
  if (!series) return [{ ...whole, cannot: { code: 'rule-empty', detail: texts.join(' ').slice(0, 100) } }];
  // There is only one date, for example because the rule is not supported.
  if (series.isSingle) return [whole, ...replaced(singles, changed)];
  const shift = secondsBetween(`${day} 00:00:00`, `${series.first} 00:00:00`) / 86_400;
  const first = shift === 0 ? whole : movedTo({ ...repeating, record: whole }, addDays(start.local, shift), uid);
  return [{ ...first, recurrence: series.recurrence }, ...replaced(singles, changed)];
}

/** Days added to a rule, and days removed from it; dates at another time are single events. */
function datesOf(repeating: Repeating, findings: Finding[]): Dates & { singles: KeyedRecord[] } {
  const { main, uid, reading, start } = repeating;
  const momentsOf = (name: string): Moment[] => {
    const places = propertiesNamed(main, name).flatMap((property) =>
      property.values.map((_value, index) => ({ property, index })),
    );
    if (places.length > MAX_VALUES) findings.push({ code: 'rule-cut', detail: String(MAX_VALUES) });
    return places
      .slice(0, MAX_VALUES)
      .map(({ property, index }) => readMoment(property, reading.zones, findings, index))
      .filter((moment) => moment !== undefined);
  };
  const onClock = (moment: Moment): string => (moment.isDay ? moment.local : localIn(moment, start.zone));
  const isAtTime = (moment: Moment): boolean =>
    moment.isDay || start.isDay || onClock(moment).slice(11) === start.local.slice(11);
  const daysOf = (moments: readonly Moment[]): string[] =>
    [...new Set(moments.filter(isAtTime).map((moment) => onClock(moment).slice(0, 10)))].toSorted();
  const [extra, excluded] = [momentsOf('rdate'), momentsOf('exdate')];
  const otherTimes = extra.filter((moment) => !isAtTime(moment)).slice(0, MAX_DATES);
  return {
    rdates: daysOf(extra),
    exdates: daysOf(excluded),
    singles: otherTimes.map((moment) => movedTo(repeating, onClock(moment), dateKey(uid, moment))),
  };
}

/** Notes the rules that are not supported. */
const rulesIn = (texts: readonly string[], findings: Finding[]): RecurrenceRule[] =>
  texts.flatMap((text) => {
    const rule = parseRule(text);
    if (!isProblem(rule)) return [rule];
    findings.push({ code: 'rule-unsupported', detail: text.slice(0, 100) });
    return [];
  });

/** Changed dates replace the dates of the rule. */
function replaced(records: readonly KeyedRecord[], changed: readonly KeyedRecord[]): KeyedRecord[] {
  const keys = new Set(changed.map(({ key }) => key));
  return [...records.filter(({ key }) => !keys.has(key)), ...changed];
}

interface Dates {
  rdates: readonly string[];
  exdates: readonly string[];
}

/** The recurrence of a series, whose first event is on its first day. Undefined without any day. */
async function seriesOf(
  { rule, rdates, exdates }: Dates & { rule?: RecurrenceRule },
  { start, now }: { start: Moment; now: Date },
) {
  const day = start.local.slice(0, 10);
  const until = [lastDay(now, start.zone), day, addDaysToDay(day, 370)].toSorted().at(-1) ?? day;
  const expansion = { start: start.local, zone: start.zone, isAllDay: start.isDay, until };
  const ofRule = rule ? (await expand({ rule, rdates: [], exdates: [] }, expansion)).days : [];
  // The start counts as a date even if the rule does not include it.
  const dates = [...new Set([...(ofRule[0] === day ? [] : [day]), ...rdates])].toSorted();
  const { days } = await expand({ ...(rule && { rule }), rdates: dates, exdates }, expansion);
  const [first] = days;
  if (first === undefined) return undefined;
  const before = ofRule.filter((one) => one < first).length;
  const counted = rule?.count === undefined ? rule : { ...rule, count: rule.count - before };
  const isLeft = counted && (counted.count ?? 1) > 0;
  const recurrence = {
    rrule: isLeft ? formatRule(counted) : '',
    rdates: dates.filter((one) => one >= first && !exdates.includes(one)),
    exdates: exdates.filter((one) => one >= first),
  };
  return { first, recurrence, isSingle: days.length === 1 && !isLeft };
}

/** Days of several rules, from a year ago. */
async function daysInRange(
  { rules, rdates, exdates }: Dates & { rules: readonly RecurrenceRule[] },
  { start, reading }: Repeating,
): Promise<string[]> {
  const until = lastDay(reading.now, start.zone);
  const from = addDaysToDay(reading.now.toISOString().slice(0, 10), -366);
  const expansion = { start: start.local, zone: start.zone, isAllDay: start.isDay, from, until };
  const found = new Set<string>();
  for (const rule of rules)
    for (const day of (await expand({ rule, rdates: [], exdates }, expansion)).days) found.add(day);
  for (const day of [start.local.slice(0, 10), ...rdates])
    if (day >= from && day <= until && !exdates.includes(day)) found.add(day);
  return [...found].toSorted().slice(0, MAX_DATES);
}

/** The record of an entry at another start, with the same length on the clock. */
function movedTo({ record, start, end, uid }: Repeating, local: string, key?: string): KeyedRecord {
  const at = (time: LocalTime): Moment => (start.isDay ? { ...start, local: time } : momentIn(time, start.zone));
  const moved = at(local);
  const last = at(addSeconds(local, secondsBetween(start.local, end.local)));
  const fields = { ...record.fields, start_date: writtenMoment(moved), end_date: writtenMoment(last) };
  return { ...record, key: key ?? dateKey(uid, moved), fields };
}
