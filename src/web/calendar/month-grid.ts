import type { MonthEvent } from '../../calendar/events/lists/month-events.ts';
import { hueIn } from '../../lib/category-hues.ts';
import { addDaysToDay, columnOf, daySpanOf, type SheetDay, takesWholeDays } from '../../lib/dates/month.ts';
import { timesOf, zoneOf } from '../cards/event-card.ts';
import { badges, isCancelled } from '../cards/event-status.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { type Hue, swatch } from './category-hues.ts';

export interface MonthDay extends SheetDay<MonthEvent> {
  /** Number of events of this day that were not read. */
  unread: number;
}

interface GridOptions {
  hues: ReadonlyMap<number, Hue>;
  linkOf: (day: string) => string;
  /** Address of the same month for a category. */
  linkOfCategory: (slug: string) => string;
}

/**
 * Month as an ordered list of days, which reads as an agenda; wide screens arrange it in columns. On narrow ones a
 * small month of links leads to the days, and past days are folded.
 */
export function monthGrid(visit: Visit, days: readonly MonthDay[], options: GridOptions): Html {
  const { dates, t, today } = visit;
  const weekdays = days.slice(0, 7).map(({ day }) => day);
  const [first] = weekdays.toSorted((a, b) => columnOf(a, dates.firstWeekday) - columnOf(b, dates.firstWeekday));
  const names = Array.from({ length: 7 }, (_day, index) =>
    dates.shortWeekday(`${addDaysToDay(first ?? '', index)} 00:00:00`),
  );
  const isFolded = days.some(({ day }) => day === today) && days[0]?.day !== today;
  const running = isFolded ? runningOn(today, days) : [];
  return html`${smallMonth(visit, days, { names, isFolded, linkOf: options.linkOf })}
${isFolded && html`<details class="earlier"><summary>${t('month.earlier')}</summary></details>`}
<div class="weekdays" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</div>
<ol class="month${isDense(days) && ' is-dense'}">${outside(days, -1)}${days.map((day) => monthDay(visit, day, { ...options, running: day.day === today ? running : [] }))}${outside(days, 1)}</ol>
${legend(visit, days, options)}`;
}

/** Events that began on an earlier day of the month and have not ended. */
function runningOn(today: string, days: readonly MonthDay[]): MonthEvent[] {
  const earlier = days.filter(({ day }) => day < today).flatMap((day) => startingOn(day));
  return earlier.filter((event) => daySpanOf(event.start_date, event.end_date).last >= today);
}

/** Events that begin on a day, or continue from the month before. */
const startingOn = ({ day, bars, others }: MonthDay): MonthEvent[] => [
  ...bars.filter(({ isContinued }) => !isContinued || day.endsWith('-01')).map(({ entry }) => entry),
  ...others,
];

const isBusy = (day: MonthDay): boolean => day.unread > 0 || startingOn(day).length > 0;

/** Number of lines that fit on a sheet of paper besides the dates. */
const LINES_OF_SHEET = 44;

/** Whether titles have one line on paper instead of two, so that the month fits on one sheet if possible. */
function isDense(days: readonly MonthDay[]): boolean {
  const weeks = Map.groupBy(days, (_day, index) => Math.floor((index + (days[0]?.column ?? 1) - 1) / 7));
  return [...weeks.values()].reduce((lines, week) => lines + linesOf(week), 0) > LINES_OF_SHEET;
}

/** Number of lines of a week: titles in a bar of several days have one, others two. */
function linesOf(week: readonly MonthDay[]): number {
  const lanes = new Map<number, number>();
  for (const { lane, length } of week.flatMap(({ bars }) => bars))
    lanes.set(lane, Math.max(lanes.get(lane) ?? 0, length > 1 ? 1 : 2));
  const inLanes = [...lanes.values()].reduce((sum, lines) => sum + lines, 0);
  return inLanes + 2 * Math.max(...week.map(({ others }) => others.length));
}

/** Days of the neighbouring months in the first or last week. */
function outside(days: readonly MonthDay[], side: -1 | 1): Html[] {
  const edge = side < 0 ? days[0] : days.at(-1);
  if (!edge) return [];
  const count = side < 0 ? edge.column - 1 : 7 - edge.column;
  return Array.from({ length: count }, (_day, index) => {
    const day = addDaysToDay(edge.day, side < 0 ? index - count : index + 1);
    return html`<li class="month-day is-outside" aria-hidden="true">${Number(day.slice(8))}</li>`;
  });
}

interface Small {
  names: readonly string[];
  isFolded: boolean;
  linkOf: (day: string) => string;
}

function smallMonth({ t, dates, today }: Visit, days: readonly MonthDay[], { names, isFolded, linkOf }: Small): Html {
  const cells = days.map((one) => {
    const { day, column } = one;
    const classes = `small-day${day === today ? ' is-today' : ''}`;
    const number = html`<span aria-hidden="true">${Number(day.slice(8))}</span>`;
    const href = isFolded && day < today ? linkOf(day) : `#d${day}`;
    return html`<li class="${classes}" data-column="${column}">${isBusy(one) ? html`<a href="${href}"><span class="visually-hidden">${dates.day(day)}</span>${number}</a>` : number}</li>`;
  });
  return html`<nav class="small-month" aria-label="${t('month.days')}">
<div class="weekdays" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</div>
<ol>${cells}</ol></nav>`;
}

interface DayOptions extends GridOptions {
  /** Events that began earlier, shown today where past days are folded. */
  running: readonly MonthEvent[];
}

function monthDay(visit: Visit, day: MonthDay, { hues, linkOf, running }: DayOptions): Html {
  const { dates, today } = visit;
  const { day: date, column, bars, hidden, others, unread } = day;
  const isFirst = date.endsWith('-01');
  const isEmpty = !isBusy(day) && running.length === 0;
  const name = html`<time datetime="${date}"><span class="day-long">${dates.day(date)}</span><span class="day-short" aria-hidden="true">${Number(date.slice(8))}</span></time>`;
  const classes = ['month-day', isEmpty && 'is-empty', date === today && 'is-today', date < today && 'is-past'];
  const narrow = (entry: MonthEvent) => eventBar(visit, { entry, length: 1 }, { hues, kind: 'narrow' });
  const shown = bars.map((bar) =>
    eventBar(visit, bar, { hues, kind: bar.isContinued && !isFirst ? 'repeated' : 'plain' }),
  );
  const link = linkOf(date);
  return html`<li class="${classes.filter(Boolean).join(' ')}" id="d${date}" data-column="${column}">
<h2>${bars.length + hidden > 0 ? html`<a class="day-link" href="${link}">${name}</a>` : name}</h2>
${shown.length + running.length > 0 && html`<ol class="lanes">${shown}${running.map(narrow)}</ol>`}
${others.length > 0 && html`<ol class="lanes rest">${others.map(narrow)}</ol>`}
${moreLinks(visit, link, { wide: hidden, narrow: unread })}
</li>`;
}

export type Bar = Pick<MonthDay['bars'][number], 'entry' | 'length'> & Partial<MonthDay['bars'][number]>;

interface BarOptions {
  hues: ReadonlyMap<number, Hue>;
  /** Bars repeated in each week are for wide screens only, others for narrow ones. */
  kind: 'plain' | 'repeated' | 'narrow';
  /** Place in a time grid. */
  attributes?: Html;
}

/** Links to the other events of a day: wide screens have room for fewer. */
export function moreLinks({ t }: Visit, href: string, { wide, narrow }: { wide: number; narrow: number }): Html[] {
  const more = (count: number, width: string) =>
    html`<a class="more${width}" href="${href}">${t('month.more', { count })}</a>`;
  if (wide === narrow) return wide > 0 ? [more(wide, '')] : [];
  return [...(wide > 0 ? [more(wide, ' is-wide')] : []), ...(narrow > 0 ? [more(narrow, ' is-narrow')] : [])];
}

/** Event of a day; on wide screens with a card beside it. */
export function eventBar(
  visit: Visit,
  { entry, lane, length, isContinued, goesOn }: Bar,
  { hues, kind, attributes }: BarOptions,
): Html {
  const { link, dates, t } = visit;
  const { first, last } = daySpanOf(entry.start_date, entry.end_date);
  const isLong = first !== last;
  const classes = [
    'bar',
    isLong && 'is-long',
    isContinued && 'is-continued',
    kind !== 'plain' && `is-${kind}`,
    goesOn && 'goes-on',
    isCancelled(entry) && 'is-cancelled',
  ];
  const isTimed = !isLong && !takesWholeDays(entry);
  const zone = isTimed && zoneOf(entry, visit);
  const time = isTimed && html`<span class="bar-time">${dates.time(entry.start_date)}${zone}</span> `;
  const hue = hueIn(entry.categories, hues);
  const marks = badges(entry, visit, { stock: entry.isSoldOut ? 'sold_out' : undefined });
  const times = isTimed ? dates.times(entry.start_date, `${first}${entry.end_date.slice(10)}`) : timesOf(entry, visit);
  const place = placeOf(entry, visit);
  const about = html`${times}${zone}${times !== '' && place !== '' && ' · '}${place}`;
  return html`<li class="${classes.filter(Boolean).join(' ')}"${lane !== undefined && html` data-lane="${lane}"`} data-length="${length}"${attributes}>${hue && swatch(hue.color)}<a href="${link(entry.url)}">${time}<span dir="auto" class="p-name">${entry.title}</span>${isContinued && html`<span class="visually-hidden"> ${t('month.continued')}</span>`}</a>${marks}<p class="bar-about"><b class="bar-title" dir="auto" aria-hidden="true">${entry.title}</b>${about}</p></li>`;
}

/** Place of an event, or the word for online. */
function placeOf({ place, isOnline }: MonthEvent, { t }: Visit): string {
  if (!isOnline) return place;
  return place ? t('place.also_online', { place }) : t('event.online');
}

/** Categories of the shown events, by colour. */
function legend(
  { t, language }: Visit,
  days: readonly MonthDay[],
  { hues, linkOfCategory }: GridOptions,
): Html | undefined {
  const events = days.flatMap(({ bars, others }) => [...bars.map(({ entry }) => entry), ...others]);
  const shown = new Map(
    events.flatMap(({ categories }) => {
      const hue = hueIn(categories, hues);
      return hue ? [[`${hue.color} ${hue.category.id}`, hue] as const] : [];
    }),
  );
  if (shown.size === 0) return undefined;
  const items = [...shown.values()]
    .sort((a, b) => a.category.name.localeCompare(b.category.name, language))
    .map(
      ({ color, category }) =>
        html`<li>${swatch(color)}<a href="${linkOfCategory(category.slug)}">${category.name}</a></li>`,
    );
  return html`<ul class="legend" aria-label="${t('month.categories')}">${items}</ul>`;
}
