import type { BriefEvent } from '../../calendar/events/render-event.ts';
import { columnOf, dayAfter, type SheetDay } from '../../lib/dates/month.ts';
import { badges, isCancelled } from '../cards/badges.ts';
import { timesOf } from '../cards/event-card.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

export type MonthDay = SheetDay<BriefEvent>;

/**
 * Month as an ordered list of days, which reads as an agenda; wide screens arrange it in columns. On narrow ones a
 * small month of links leads to the days.
 */
export function monthGrid(visit: Visit, days: readonly MonthDay[], linkOf: (day: string) => string): Html {
  const { dates } = visit;
  const weekdays = days.slice(0, 7).map(({ day }) => day);
  const [first] = weekdays.toSorted((a, b) => columnOf(a, dates.firstWeekday) - columnOf(b, dates.firstWeekday));
  const names = Array.from({ length: 7 }, (_day, index) =>
    dates.shortWeekday(`${dayAfter(first ?? '', index)} 00:00:00`),
  );
  const busy = busyDays(days);
  return html`${smallMonth(visit, days, { names, busy })}
<div class="weekdays" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</div>
<ol class="month">${days.map((day) => monthDay(visit, day, busy.has(day.day) ? linkOf(day.day) : undefined))}</ol>`;
}

/** Days with events. */
function busyDays(days: readonly MonthDay[]): ReadonlySet<string> {
  const busy = new Set(days.filter(({ hidden }) => hidden > 0).map(({ day }) => day));
  for (const { day, bars } of days)
    for (const { length } of bars) for (let index = 0; index < length; index += 1) busy.add(dayAfter(day, index));
  return busy;
}

interface Small {
  names: readonly string[];
  busy: ReadonlySet<string>;
}

function smallMonth({ t, dates, today }: Visit, days: readonly MonthDay[], { names, busy }: Small): Html {
  const label = (day: string) =>
    html`<span class="visually-hidden">${dates.day(day)}</span><span aria-hidden="true">${Number(day.slice(8))}</span>`;
  const cells = days.map(({ day, column }) => {
    const classes = `small-day${day === today ? ' is-today' : ''}`;
    const link = busy.has(day)
      ? html`<a href="#d${day}">${label(day)}</a>`
      : html`<span aria-hidden="true">${Number(day.slice(8))}</span>`;
    return html`<li class="${classes}" data-column="${column}">${link}</li>`;
  });
  return html`<nav class="small-month" aria-label="${t('month.days')}">
<div class="weekdays" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</div>
<ol>${cells}</ol></nav>`;
}

function monthDay(visit: Visit, { day, column, bars, hidden }: MonthDay, href: string | undefined): Html {
  const { dates, t, today } = visit;
  const isFirst = day.endsWith('-01');
  // Events continued from the previous week are already in the agenda.
  const isEmpty = hidden === 0 && bars.every(({ isContinued }) => isContinued && !isFirst);
  const name = html`<time datetime="${day}"><span class="day-long">${dates.day(day)}</span><span class="day-short" aria-hidden="true">${Number(day.slice(8))}</span></time>`;
  const classes = ['month-day', isEmpty && 'is-empty', day === today && 'is-today', day < today && 'is-past'];
  return html`<li class="${classes.filter(Boolean).join(' ')}" id="d${day}" data-column="${column}">
<h3>${href === undefined ? name : html`<a class="day-link" href="${href}">${name}</a>`}</h3>
${bars.length > 0 && html`<ol class="lanes">${bars.map((bar) => barOf(visit, bar, isFirst))}</ol>`}
${hidden > 0 && href !== undefined && html`<a class="more" href="${href}">${t('month.more', { count: hidden })}</a>`}
</li>`;
}

function barOf(
  visit: Visit,
  { entry, lane, length, isContinued, goesOn }: MonthDay['bars'][number],
  isFirst: boolean,
): Html {
  const { link, dates, t } = visit;
  const isLong = length > 1 || isContinued || goesOn;
  const classes = [
    'bar',
    isLong && 'is-long',
    isContinued && 'is-continued',
    isContinued && !isFirst && 'is-repeated',
    goesOn && 'goes-on',
    isCancelled(entry) && 'is-cancelled',
  ];
  const time =
    isLong || entry.all_day ? undefined : html`<span class="bar-time">${dates.time(entry.start_date)}</span> `;
  const until = isLong && html` <span class="bar-until">${timesOf(entry, visit)}</span>`;
  const title = html`<span class="p-name">${entry.title}</span>`;
  const words = html`${badges(entry, visit)}`;
  return html`<li class="${classes.filter(Boolean).join(' ')}" data-lane="${lane}" data-length="${length}"><a href="${link(entry.url)}"${isLong && html` title="${entry.title}"`}>${time}${title}${until}${isContinued && html`<span class="visually-hidden"> ${t('month.continued')}</span>`}</a>${words}</li>`;
}
