import { addDays, addSeconds, dayStart, type LocalTime, toUtc, utcToLocal } from '../lib/dates/dates.ts';
import { CITY_ZONE, SERIES, SINGLE_EVENTS, WEEKLY } from './city.ts';
import { chance, type RandomSource } from './random.ts';
import type { DemoEvent, EventSeries, EventTexts, SeriesTexts, SingleEvent } from './schemas.ts';

/** An event with its times. */
export interface PlannedEvent extends DemoEvent {
  /** In its own time zone. */
  start: LocalTime;
  end: LocalTime;
  allDay: boolean;
  /** Publication date, past or future. */
  published: LocalTime;
}

export interface ProgrammeOptions {
  now: Date;
  /** The same seed and day give the same programme. */
  seed: number;
  /** Maximum number of events, sampled evenly. */
  most?: number;
  /** Only events that begin in these days before and after today; the whole programme by default. */
  near?: { before: number; after: number };
}

/** Days of the programme, before and after today. */
const PAST = 90;
const AHEAD = 365;
const WEEK = 7;
const FIRST_WEEK = Math.ceil(-PAST / WEEK);
const LAST_WEEK = Math.floor(AHEAD / WEEK);

interface PlanContext {
  /** Start of today in the city's time zone. */
  today: LocalTime;
  /** Days of the programme, with their distance from today. */
  days: readonly { offset: number; date: LocalTime }[];
  random: RandomSource;
}

/** About fifteen months of events around now, in order of their start. */
export function programme({ now, seed, near, most = Number.POSITIVE_INFINITY }: ProgrammeOptions): PlannedEvent[] {
  const today = dayStart(utcToLocal(toUtc(now), CITY_ZONE));
  const days = Array.from({ length: PAST + AHEAD }, (_, index) => index - PAST).map((offset) => ({
    offset,
    date: addDays(today, offset),
  }));
  const context = { today, days, random: chance(seed) };
  const singles = SINGLE_EVENTS.map((event) => planSingleEvent(event, context));
  const all = [...singles, ...SERIES.flatMap((series) => planSeries(series, context))];
  const isShown = ({ start }: PlannedEvent) =>
    !near || (start >= addDays(today, -near.before) && start < addDays(today, near.after + 1));
  const order = (a: PlannedEvent, b: PlannedEvent) => (a.start < b.start ? -1 : 1);
  return thin(all.filter(isShown), most).sort(order);
}

/** A weekly series: its next event, and the number of its events. */
export interface PlannedSeries {
  planned: PlannedEvent;
  count: number;
}

export function weeklySeries(now: Date): PlannedSeries[] {
  const tomorrow = addDays(dayStart(utcToLocal(toUtc(now), CITY_ZONE)), 1);
  return WEEKLY.map(({ at, lasts, weekday, count, ...event }) => {
    const date = addDays(tomorrow, (weekday - weekdayOf(tomorrow) + WEEK) % WEEK);
    const start = `${date.slice(0, 10)} ${at}:00`;
    const published = `${addDays(tomorrow, -WEEK).slice(0, 10)} 09:00:00`;
    return { planned: { ...event, start, end: addSeconds(start, lasts * 60), allDay: false, published }, count };
  });
}

/** Samples items evenly, to keep the variety of the whole. */
function thin<T>(items: T[], most: number): T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]).flatMap((item) =>
    item === undefined ? [] : [item],
  );
}

function planSingleEvent({ at, lasts, month, day, ...event }: SingleEvent, context: PlanContext): PlannedEvent {
  const offset = day ?? dayFor(month, context);
  const date = addDays(context.today, offset);
  const start = at ? `${date.slice(0, 10)} ${at}:00` : date;
  const end = at ? addSeconds(start, lasts * 60) : addDays(date, lasts - 1);
  return { ...event, start, end, allDay: at === undefined, published: publication(event, start, context) };
}

/** A random day of the programme in this month, preferably at or near a weekend. */
function dayFor(month: number | undefined, { today, days, random }: PlanContext): number {
  const inMonth = days.filter(({ date }) => month === undefined || monthOf(date) === month);
  const [first = 0, ...others] = inMonth.map(({ offset }) => offset);
  const draw = () => random.pick([first, ...others]);
  const tries = [draw(), draw(), draw()];
  return tries.find((offset) => [0, 5, 6].includes(weekdayOf(addDays(today, offset)))) ?? tries[0] ?? first;
}

const monthOf = (local: LocalTime): number => Number(local.slice(5, 7));
const weekdayOf = (local: LocalTime): number => new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay();

/** Weeks from now in which a series takes place. */
function weeksOf({ every, from, month, count }: EventSeries, dateOf: (week: number) => LocalTime): number[] {
  const all = Array.from({ length: LAST_WEEK - FIRST_WEEK + 1 }, (_, index) => FIRST_WEEK + index);
  const first = from ?? all.find((week) => monthOf(dateOf(week)) === month) ?? FIRST_WEEK;
  return all.filter((week) => week >= first && (week - first) % every === 0).slice(0, count);
}

function planSeries(series: EventSeries, context: PlanContext): PlannedEvent[] {
  const { today, random } = context;
  const { themes } = series;
  const shift = (series.weekday - weekdayOf(today) + WEEK) % WEEK;
  const dateOf = (week: number) => addDays(today, shift + week * WEEK);
  const isCourse = series.count !== undefined;
  const first = isCourse ? 0 : random.between(0, themes.length - 1);
  return weeksOf(series, dateOf).map((week, index): PlannedEvent => {
    const textsOf = textsOfTheme((first + index) % themes.length);
    const start = `${dateOf(week).slice(0, 10)} ${series.at}:00`;
    return {
      ...series.base,
      ...textsOf(series),
      language: series.language,
      en: series.en && textsOf(series.en),
      fr: series.fr && textsOf(series.fr),
      de: series.de && textsOf(series.de),
      start,
      end: addSeconds(start, series.lasts * 60),
      allDay: false,
      published: publication(series.base, start, context),
    };
  });
}

const textsOfTheme =
  (index: number) =>
  ({ title, intro, themes }: SeriesTexts): EventTexts => {
    const [theme, text] = themes[index] ?? ['', ''];
    return { title: title.replace('{theme}', theme), text: [text, intro] };
  };

/** Some weeks before the event and before today; for scheduled events, in a few days. */
function publication(
  { status }: Pick<DemoEvent, 'status'>,
  start: LocalTime,
  { today, random }: PlanContext,
): LocalTime {
  const morning = (local: LocalTime) => `${local.slice(0, 10)} 09:00:00`;
  if (status === 'future') return morning(addDays(today, random.between(5, 40)));
  const latest = start < today ? start : today;
  return morning(addDays(latest, -random.between(7, 60)));
}
