/** Parses and validates recurrence rules of RFC 5545, in the form that a series of events supports. */

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof FREQUENCIES)[number];

const TOO_FREQUENT = ['HOURLY', 'MINUTELY', 'SECONDLY'];

/** A weekday; with a position, its nth occurrence in the month or the year. Negative positions count from the end. */
export interface RuleDay {
  position?: number;
  weekday: Weekday;
}

export interface RecurrenceRule {
  frequency: Frequency;
  interval: number;
  count?: number;
  /** Last day (`YYYYMMDD`), local time (`YYYYMMDDTHHMMSS`) or UTC time (`YYYYMMDDTHHMMSSZ`). */
  until?: string;
  byDay: readonly RuleDay[];
  byMonth: readonly number[];
  byMonthDay: readonly number[];
  byYearDay: readonly number[];
  byWeekNo: readonly number[];
  bySetPos: readonly number[];
  weekStart: Weekday;
}

/** Why a rule is refused. */
export type RuleProblem =
  | { kind: 'syntax'; part: string }
  | { kind: 'frequency'; part: string }
  | { kind: 'time'; part: string }
  | { kind: 'combination'; part: string; other: string };

export const MAX_RULE_LENGTH = 500;
const MAX_INTERVAL = 1000;
const MAX_COUNT = 100_000;

/** Bounds of the numbers in a part; negative numbers count from the end. */
const LISTS = {
  BYMONTH: { max: 12, isSigned: false },
  BYMONTHDAY: { max: 31, isSigned: true },
  BYYEARDAY: { max: 366, isSigned: true },
  BYWEEKNO: { max: 53, isSigned: true },
  BYSETPOS: { max: 366, isSigned: true },
} as const;

/** Parts that would give a series several times of day. */
const TIME_PARTS = ['BYHOUR', 'BYMINUTE', 'BYSECOND'];

type Parts = ReadonlyMap<string, string>;

/** Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270630`, with or without `RRULE:`. */
export function parseRule(text: string): RecurrenceRule | RuleProblem {
  const parts = partsOf(text);
  if (!parts) return { kind: 'syntax', part: 'RRULE' };
  const problem = problemOf(parts);
  if (problem) return problem;
  const list = (name: keyof typeof LISTS) => numbersOf(parts.get(name) ?? '', LISTS[name]) ?? [];
  return {
    // `problemOf` has checked every part.
    frequency: parts.get('FREQ') as Frequency,
    interval: Number(parts.get('INTERVAL') ?? 1),
    ...(parts.has('COUNT') && { count: Number(parts.get('COUNT')) }),
    ...(parts.has('UNTIL') && { until: parts.get('UNTIL') ?? '' }),
    byDay: daysOf(parts.get('BYDAY') ?? '') ?? [],
    byMonth: list('BYMONTH'),
    byMonthDay: list('BYMONTHDAY'),
    byYearDay: list('BYYEARDAY'),
    byWeekNo: list('BYWEEKNO'),
    bySetPos: list('BYSETPOS'),
    weekStart: (parts.get('WKST') ?? 'MO') as Weekday,
  };
}

export const isProblem = (parsed: RecurrenceRule | RuleProblem): parsed is RuleProblem => 'kind' in parsed;

/** The parts of a rule by name; undefined for an empty, malformed or overlong rule, and for one with a part twice. */
function partsOf(text: string): Parts | undefined {
  const rule = text
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '')
    .toUpperCase();
  if (rule === '' || rule.length > MAX_RULE_LENGTH) return undefined;
  const entries = rule.split(';').map((part): [string, string] => {
    const at = part.indexOf('=');
    return [part.slice(0, at), part.slice(at + 1)];
  });
  const parts = new Map(entries);
  return parts.size === entries.length && entries.every(([name, value]) => name !== '' && value !== '')
    ? parts
    : undefined;
}

function problemOf(parts: Parts): RuleProblem | undefined {
  const frequency = parts.get('FREQ') ?? '';
  if (TOO_FREQUENT.includes(frequency)) return { kind: 'frequency', part: frequency };
  const timed = TIME_PARTS.find((name) => parts.has(name));
  if (timed) return { kind: 'time', part: timed };
  const wrong = [...parts].find(([name, value]) => !isPart(name, value));
  if (wrong) return { kind: 'syntax', part: wrong[0] };
  if (!parts.has('FREQ')) return { kind: 'syntax', part: 'FREQ' };
  const hasNoList = ![...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  if (parts.has('BYSETPOS') && hasNoList) return { kind: 'syntax', part: 'BYSETPOS' };
  const pair = EXCLUSIVE.find(({ excludes }) => excludes(parts));
  return pair && { kind: 'combination', part: pair.part, other: pair.other };
}

const isWeekday = (text: string): text is Weekday => WEEKDAYS.some((day) => day === text);

const isWhole = (text: string, max: number): boolean =>
  /^[0-9]{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max;

/** Whether a part is known and has a valid value. */
function isPart(name: string, value: string): boolean {
  if (name === 'FREQ') return FREQUENCIES.some((frequency) => frequency === value);
  if (name === 'INTERVAL') return isWhole(value, MAX_INTERVAL);
  if (name === 'COUNT') return isWhole(value, MAX_COUNT);
  if (name === 'UNTIL') return isUntil(value);
  if (name === 'WKST') return isWeekday(value);
  if (name === 'BYDAY') return daysOf(value) !== undefined;
  if (!isListName(name)) return false;
  return numbersOf(value, LISTS[name]) !== undefined;
}

const isListName = (name: string): name is keyof typeof LISTS => Object.hasOwn(LISTS, name);

const UNTIL = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:T([0-9]{2})([0-9]{2})([0-9]{2})Z?)?$/;

/** Whether the end of a rule is a day or a time that exists. */
function isUntil(value: string): boolean {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = UNTIL.exec(value) ?? [];
  if (year === undefined) return false;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const ms = Date.parse(iso);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === iso;
}

function numbersOf(value: string, { max, isSigned }: { max: number; isSigned: boolean }): number[] | undefined {
  const numbers = value.split(',').map((item) => {
    const digits = isSigned ? item.replace(/^[+-]/, '') : item;
    return isWhole(digits, max) ? Number(item) : undefined;
  });
  return numbers.every((number) => number !== undefined) ? [...new Set(numbers)] : undefined;
}

const DAY = /^([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/;

function daysOf(value: string): RuleDay[] | undefined {
  const days = value.split(',').map((item): RuleDay | undefined => {
    const [, position, weekday] = DAY.exec(item) ?? [];
    if (weekday === undefined || !isWeekday(weekday)) return undefined;
    if (position === undefined) return { weekday };
    const number = Number(position);
    return number !== 0 && Math.abs(number) <= 53 ? { position: number, weekday } : undefined;
  });
  if (!days.every((day) => day !== undefined)) return undefined;
  return [...new Map(days.map((day) => [`${day.position ?? ''}${day.weekday}`, day])).values()];
}

const isOf = (parts: Parts, ...frequencies: Frequency[]): boolean =>
  frequencies.some((frequency) => parts.get('FREQ') === frequency);

const hasPositions = (parts: Parts): boolean => /[0-9]/.test(parts.get('BYDAY') ?? '');

/** Parts that RFC 5545 does not allow together. */
const EXCLUSIVE: readonly { part: string; other: string; excludes(parts: Parts): boolean }[] = [
  { part: 'COUNT', other: 'UNTIL', excludes: (parts) => parts.has('COUNT') && parts.has('UNTIL') },
  {
    part: 'BYMONTHDAY',
    other: 'FREQ=WEEKLY',
    excludes: (parts) => parts.has('BYMONTHDAY') && isOf(parts, 'WEEKLY'),
  },
  ...(['DAILY', 'WEEKLY', 'MONTHLY'] as const).flatMap((frequency) =>
    ['BYYEARDAY', 'BYWEEKNO'].map((part) => ({
      part,
      other: `FREQ=${frequency}`,
      excludes: (parts: Parts) => parts.has(part) && isOf(parts, frequency),
    })),
  ),
  ...(['DAILY', 'WEEKLY'] as const).map((frequency) => ({
    part: 'BYDAY',
    other: `FREQ=${frequency}`,
    excludes: (parts: Parts) => hasPositions(parts) && isOf(parts, frequency),
  })),
  {
    part: 'BYDAY',
    other: 'BYWEEKNO',
    excludes: (parts) => hasPositions(parts) && parts.has('BYWEEKNO'),
  },
];

const days = (list: readonly RuleDay[]): string =>
  list.map(({ position, weekday }) => `${position ?? ''}${weekday}`).join(',');

/** Formats a rule with its parts in the usual order. `isEndless` omits `COUNT` and `UNTIL`. */
export function formatRule(rule: RecurrenceRule, { isEndless = false } = {}): string {
  const { frequency, interval, count, until, weekStart } = rule;
  const parts: [string, string | number | undefined][] = [
    ['FREQ', frequency],
    ['INTERVAL', interval === 1 ? undefined : interval],
    ['BYMONTH', rule.byMonth.join(',')],
    ['BYWEEKNO', rule.byWeekNo.join(',')],
    ['BYYEARDAY', rule.byYearDay.join(',')],
    ['BYMONTHDAY', rule.byMonthDay.join(',')],
    ['BYDAY', days(rule.byDay)],
    ['BYSETPOS', rule.bySetPos.join(',')],
    ['WKST', weekStart === 'MO' ? undefined : weekStart],
    ['COUNT', isEndless ? undefined : count],
    ['UNTIL', isEndless ? undefined : until],
  ];
  return parts.flatMap(([name, value]) => (value ? [`${name}=${value}`] : [])).join(';');
}
