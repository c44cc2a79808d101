import type { MonthEvent } from '../../calendar/events/lists/month-events.ts';
import { localToUtc } from '../../lib/dates/dates.ts';
import { daySpanOf, type SheetDay, sheetOfDays, takesWholeDays } from '../../lib/dates/month.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import type { Hue } from './category-hues.ts';
import { eventBar, moreLinks } from './month-grid.ts';

/** Rows of the grid are half hours. */
const ROW_MINUTES = 30;
const DAY_MINUTES = 24 * 60;
/** Shortest height of an event, in rows. */
const SHORTEST = 2;
/** Maximum number of events beside each other. */
const COLUMNS = 4;
/** Number of events beside each other from which a day is wider than others. */
const WIDE = 3;
/** Hours that each week shows at least. */
const USUAL = { first: 10, last: 20 };
/** Number of lanes for events without times or of several days. */
const LANES = 4;

/** Event with its place among the hours of a day. */
interface Timed {
  event: MonthEvent;
  /** Minutes from midnight. */
  start: number;
  end: number;
  /** From 1, among events beside each other. */
  column: number;
  columns: number;
}

interface WeekDay extends SheetDay<MonthEvent> {
  timed: Timed[];
  /** Number of events of this day that were not read. */
  unread: number;
}

interface SheetOptions {
  days: readonly string[];
  totals: ReadonlyMap<string, number>;
  firstWeekday: number;
}

type Hours = Pick<MonthEvent, 'start_date' | 'end_date'>;

/**
 * Times of an event in the time zone of the site, which the hours of a day have. Undefined for all-day events, events of
 * several days, and events of another time zone that begin on another day in the zone of the site: every view shows an
 * event on its own day.
 */
function hoursOf(event: MonthEvent, { config, localTime }: Visit): Hours | undefined {
  const { first, last } = daySpanOf(event.start_date, event.end_date);
  if (first !== last || takesWholeDays(event)) return undefined;
  if (event.timezone === config.timezone) return event;
  const [start_date, end_date] = [event.start_date, event.end_date].map((time) =>
    localTime(localToUtc(time, event.timezone).utc),
  ) as [string, string];
  return start_date.startsWith(first) ? { start_date, end_date } : undefined;
}

/** Arranges events in the days of a week: those with times by hour, others in lanes above. */
export function weekSheet(
  visit: Visit,
  events: readonly MonthEvent[],
  { days, totals, firstWeekday }: SheetOptions,
): WeekDay[] {
  const spanOf = (event: MonthEvent) => daySpanOf(event.start_date, event.end_date);
  const placed = events.map((event) => ({ event, hours: hoursOf(event, visit) }));
  const sheet = sheetOfDays(
    placed.filter(({ hours }) => !hours).map(({ event }) => event),
    { days, firstWeekday, lanes: LANES, spanOf },
  );
  return sheet.map((one) => {
    const starting = placed.filter(({ event }) => event.start_date.startsWith(one.day));
    const timed = beside(starting.flatMap(({ event, hours }) => (hours ? [{ event, hours }] : [])));
    const unread = Math.max(0, (totals.get(one.day) ?? 0) - starting.length);
    return { ...one, timed, unread };
  });
}

/** Puts events that overlap beside each other; they keep their order. */
function beside(events: readonly { event: MonthEvent; hours: Hours }[]): Timed[] {
  const timed = events.map(({ event, hours }): Timed => ({ event, ...minutesOf(hours), column: 1, columns: 1 }));
  let group: Timed[] = [];
  const close = () => {
    const columns = Math.min(COLUMNS, Math.max(1, ...group.map(({ column }) => column)));
    for (const one of group) one.columns = columns;
    group = [];
  };
  for (const one of timed.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (group.every(({ end }) => end <= one.start)) close();
    const taken = new Set(group.filter(({ end }) => end > one.start).map(({ column }) => column));
    while (taken.has(one.column)) one.column += 1;
    group.push(one);
  }
  close();
  return timed;
}

/** Minutes from midnight, rounded to rows and at least as long as the title needs; until midnight at the latest. */
function minutesOf({ start_date, end_date }: Hours) {
  const at = (time: string) => Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
  const latest = DAY_MINUTES - SHORTEST * ROW_MINUTES;
  const start = Math.min(latest, Math.floor(at(start_date) / ROW_MINUTES) * ROW_MINUTES);
  const ends = end_date.slice(0, 10) === start_date.slice(0, 10) ? at(end_date) : DAY_MINUTES;
  const end = Math.max(start + SHORTEST * ROW_MINUTES, Math.ceil(ends / ROW_MINUTES) * ROW_MINUTES);
  return { start, end };
}

interface GridOptions {
  hues: ReadonlyMap<number, Hue>;
  linkOf: (day: string) => string;
}

/** Week as a list of days; wide screens arrange it by hours. */
export function weekGrid(visit: Visit, days: readonly WeekDay[], options: GridOptions): Html {
  const { dates } = visit;
  const times = days.flatMap(({ timed }) => timed);
  const first = Math.min(USUAL.first, ...times.map(({ start }) => Math.floor(start / 60)));
  const last = Math.max(USUAL.last, ...times.map(({ end }) => Math.ceil(end / 60)));
  const hours = Array.from({ length: last - first }, (_hour, index) => first + index);
  const label = (hour: number) => dates.time(`2000-01-01 ${String(hour).padStart(2, '0')}:00:00`);
  const wide = days.filter(({ timed }) => timed.some(({ columns }) => columns >= WIDE)).map(({ column }) => column);
  return html`<div class="week"${wide.length > 0 && html` data-wide="${wide.join(' ')}"`}>
<ol class="week-hours" aria-hidden="true">${hours.map((hour) => html`<li>${label(hour)}</li>`)}</ol>
${days.map((day) => weekDay(visit, day, { ...options, first }))}</div>`;
}

function weekDay(visit: Visit, day: WeekDay, { hues, linkOf, first }: GridOptions & { first: number }): Html {
  const { dates, today } = visit;
  const { day: date, bars, timed, others, hidden, unread } = day;
  const isWeekStart = day.column === 1;
  const isEmpty = !isWeekStart && timed.length + others.length + unread === 0 && bars.every((bar) => bar.isContinued);
  const classes = ['week-day', isEmpty && 'is-empty', date === today && 'is-today'];
  const long = bars.map((bar) =>
    eventBar(visit, bar, { hues, kind: bar.isContinued && !isWeekStart ? 'repeated' : 'plain' }),
  );
  const narrow = others.map((entry) => eventBar(visit, { entry, length: 1 }, { hues, kind: 'narrow' }));
  const placed = timed.map(({ event: entry, start, end, column, columns }) =>
    eventBar(
      visit,
      { entry, length: 1 },
      {
        hues,
        kind: column > COLUMNS ? 'narrow' : 'plain',
        attributes: html` data-row="${(start - first * 60) / ROW_MINUTES + 1}" data-rows="${(end - start) / ROW_MINUTES}" data-part="${column}/${columns}"`,
      },
    ),
  );
  const crowded = timed.filter(({ column }) => column > COLUMNS).length;
  return html`<section class="${classes.filter(Boolean).join(' ')}" data-column="${day.column}">
<h2><a class="day-link" href="${linkOf(date)}"><time datetime="${date}"><span class="day-long">${dates.day(date)}</span><span class="day-short" aria-hidden="true"><span>${dates.shortWeekday(`${date} 00:00:00`)}</span> <b>${Number(date.slice(8))}</b></span></time></a></h2>
${long.length + narrow.length > 0 && html`<ol class="lanes">${long}${narrow}</ol>`}
${placed.length > 0 && html`<ol class="times-of-day">${placed}</ol>`}
${moreLinks(visit, linkOf(date), { wide: unread + hidden + crowded, narrow: unread })}</section>`;
}
