import { type DateFormats, dateFormats } from '../dates/date-format.ts';
import type { MessageKey, Translator } from '../i18n.ts';
import { type Day, endDay, type Recurrence } from './recurrence.ts';
import type { RecurrenceRule, RuleDay, Weekday } from './recurrence-rule.ts';

/** Recurrences in words: "every Monday until 30 June". */

export interface RecurrenceTextOptions {
  language: string;
  t: Translator;
  /** First day of the series. */
  start: Day;
  zone: string;
  /** Current day of the site. */
  today: Day;
}

/** Days of one week, for the names of the weekdays. */
const WEEK: Readonly<Record<Weekday, Day>> = {
  MO: '2024-01-01',
  TU: '2024-01-02',
  WE: '2024-01-03',
  TH: '2024-01-04',
  FR: '2024-01-05',
  SA: '2024-01-06',
  SU: '2024-01-07',
};
const WEEKDAYS = Object.keys(WEEK) as Weekday[];

const POSITIONS: Readonly<Record<number, MessageKey>> = {
  1: 'recurrence.first',
  2: 'recurrence.second',
  3: 'recurrence.third',
  4: 'recurrence.fourth',
  5: 'recurrence.fifth',
  [-1]: 'recurrence.last',
  [-2]: 'recurrence.second_last',
};

interface Words extends RecurrenceTextOptions {
  formats: DateFormats;
}

const listOf = ({ language }: Words, items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items);

/** Describes a recurrence, without a capital letter; rules without a simple form read "on certain days". */
export function recurrenceText({ rule, rdates }: Recurrence, options: RecurrenceTextOptions): string {
  const words = { ...options, formats: dateFormats(options.language, options.today) };
  const { t } = words;
  if (!rule) return t('recurrence.dates', { count: rdates.length });
  const pattern = ofRule(rule, words) ?? t('recurrence.other');
  return rdates.length > 0
    ? t('recurrence.more', { rule: withEnd(pattern, rule, words), count: rdates.length })
    : withEnd(pattern, rule, words);
}

function withEnd(rule: string, { count, ...others }: RecurrenceRule, words: Words): string {
  const { t, zone, formats } = words;
  const last = endDay(others, zone);
  if (last !== undefined) return t('recurrence.until', { rule, day: formats.date(last) });
  return count === undefined ? rule : t('recurrence.times', { rule, count });
}

function ofRule(rule: RecurrenceRule, words: Words): string | undefined {
  if (rule.bySetPos.length > 0 || rule.byYearDay.length > 0 || rule.byWeekNo.length > 0) return undefined;
  const text = PATTERNS[rule.frequency](rule, words);
  if (text === undefined || rule.byMonth.length === 0 || rule.frequency === 'YEARLY') return text;
  const months = rule.byMonth.toSorted((a, b) => a - b).map((month) => monthName(month, words));
  return words.t('recurrence.in_months', { rule: text, months: listOf(words, months) });
}

const monthName = (month: number, { language }: Words): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1));

const PATTERNS: Readonly<
  Record<RecurrenceRule['frequency'], (rule: RecurrenceRule, words: Words) => string | undefined>
> = {
  DAILY(rule, words) {
    if (rule.byMonthDay.length > 0) return undefined;
    if (rule.byDay.length === 0) return words.t('recurrence.daily', { count: rule.interval });
    return rule.interval === 1 ? weekly(rule, words) : undefined;
  },
  WEEKLY: (rule, words) => weekly(rule, words),
  MONTHLY: (rule, words) => monthly(rule, words),
  YEARLY(rule, words) {
    const isAnniversary = [rule.byDay, rule.byMonth, rule.byMonthDay].every(({ length }) => length === 0);
    if (!isAnniversary) return undefined;
    return words.t('recurrence.yearly', { count: rule.interval, day: dayOfMonth(words.start, words) });
  },
};

const dayOfMonth = (day: Day, { language }: Words): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(Date.parse(day));

function weekly({ byDay, interval }: RecurrenceRule, words: Words): string {
  const weekdays = byDay.length === 0 ? [weekdayOf(words.start)] : byDay.map(({ weekday }) => weekday);
  if (weekdays.length === WEEKDAYS.length && interval === 1) return words.t('recurrence.daily', { count: 1 });
  const names = WEEKDAYS.filter((day) => weekdays.includes(day)).map((day) => words.formats.weekday(WEEK[day]));
  return words.t('recurrence.weekly', { count: interval, days: listOf(words, names) });
}

/** ISO weekdays begin on Monday. */
const weekdayOf = (day: Day): Weekday => WEEKDAYS[(new Date(Date.parse(day)).getUTCDay() + 6) % 7] ?? 'MO';

function monthly(rule: RecurrenceRule, words: Words): string | undefined {
  const { byDay, byMonthDay, interval } = rule;
  if (byDay.length > 0 && byMonthDay.length > 0) return undefined;
  if (byDay.length === 0) return monthlyByDate(rule, words);
  const days = byDay.map((day) => positioned(day, words));
  if (!days.every((day) => day !== undefined)) return undefined;
  return words.t('recurrence.monthly', { count: interval, days: listOf(words, days) });
}

/** `last Friday`; undefined for positions without a word. */
function positioned({ position, weekday }: RuleDay, { t, formats }: Words): string | undefined {
  const key = position === undefined ? undefined : POSITIONS[position];
  return key && t('recurrence.position', { position: t(key), day: formats.weekday(WEEK[weekday]) });
}

function monthlyByDate({ byMonthDay, interval }: RecurrenceRule, words: Words): string | undefined {
  const { t, start } = words;
  const days = byMonthDay.length === 0 ? [Number(start.slice(8))] : byMonthDay;
  if (days.length === 1 && days[0] === -1)
    return t('recurrence.monthly', { count: interval, days: t('recurrence.last_day') });
  if (days.some((day) => day < 0)) return undefined;
  const named = days.toSorted((a, b) => a - b).map((day) => t('recurrence.month_day', { count: day }));
  return t('recurrence.month_days', { count: interval, days: listOf(words, named) });
}
