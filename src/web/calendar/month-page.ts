import { daySpanOf, daysBetween, lastDayOf, monthAfter, monthSheet } from '../../lib/dates/month.ts';
import type { Html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarView, calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { categoryHues } from './category-hues.ts';
import { emptyState } from './empty-state.ts';
import { boundsOf, briefEventsOfDays } from './event-windows.ts';
import { withoutDates } from './filters.ts';
import { type MonthDay, monthGrid } from './month-grid.ts';
import { periodNav } from './period-nav.ts';

/** Maximum number of events per day. */
const LANES = 4;

/** Month view of the calendar. */
export async function monthPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const request = { ...asked, filters: withoutDates(asked.filters) };
  return calendarFrame(visit, request, await monthView(visit, request));
}

/**
 * Events of a month, with links to other months.
 * @throws {NotFound} for a month without events near it
 */
export async function monthView(visit: Visit, request: CalendarRequest): Promise<CalendarView & { nav: Html }> {
  const { dates, t, today } = visit;
  const present = today.slice(0, 7);
  const month = request.address.date ?? present;
  const bounds = await boundsOf(visit, request);
  const first = bounds ? bounds.first.slice(0, 7) : present;
  const last = bounds ? bounds.last.slice(0, 7) : present;
  // Endless months would trap crawlers.
  const exists = (one: string) => one === present || (one >= first && one <= last);
  if (!exists(month)) throw new NotFound();
  const at = (date: string) => ({
    href: linkTo(visit, request, { date: date === present ? undefined : date }),
    label: dates.month(date),
  });
  const neighbour = (step: number) => {
    const near = monthAfter(month, step);
    const nearest = step < 0 ? [last, present] : [first, present];
    const target = exists(near) ? near : nearest.find((one) => (step < 0 ? one < month : one > month) && exists(one));
    return target === undefined ? undefined : at(target);
  };
  const [previous, next] = [neighbour(-1), neighbour(1)];
  const { days, total, events } = await daysOfMonth(visit, request, month);
  const nav = periodNav(visit, {
    ...(previous && { previous }),
    ...(next && { next }),
    ...(month !== present && { present: { ...at(present), label: t('period.this_month') } }),
    others: monthsNear(month, exists).map((one) => ({ ...at(one), isShown: one === month })),
  });
  return {
    period: dates.month(month),
    total,
    events,
    nav,
    main: total > 0 ? monthGrid(visit, days, await gridLinks(visit, request)) : await emptyMonth(visit, request, month),
    ...(previous && { previous: previous.href }),
    ...(next && { next: next.href }),
  };
}

/** Months of the menu, before and after the shown one. */
const MENU = { before: 6, after: 17 };

const monthsNear = (month: string, exists: (month: string) => boolean): string[] =>
  Array.from({ length: MENU.before + 1 + MENU.after }, (_month, index) =>
    monthAfter(month, index - MENU.before),
  ).filter(exists);

async function daysOfMonth(visit: Visit, request: CalendarRequest, month: string) {
  const days = daysBetween(`${month}-01`, lastDayOf(month));
  const { events, total, totals } = await briefEventsOfDays(visit, request, { days, perDay: LANES });
  const sheet = monthSheet(events, {
    ...{ month, firstWeekday: visit.dates.firstWeekday, lanes: LANES },
    spanOf: (event) => daySpanOf(event.start_date, event.end_date),
  });
  const startingOn = Map.groupBy(events, (event) => event.start_date.slice(0, 10));
  const unread = (day: string) => Math.max(0, (totals.get(day) ?? 0) - (startingOn.get(day)?.length ?? 0));
  const shown: MonthDay[] = sheet.map((day) => {
    const missing = totals.size > 0 ? unread(day.day) : 0;
    return { ...day, hidden: day.hidden + missing, unread: missing };
  });
  return { days: shown, total, events };
}

const gridLinks = async (visit: Visit, request: CalendarRequest) => ({
  hues: await categoryHues(visit),
  linkOf: (day: string) => linkTo(visit, request, { view: 'day', date: day }),
  linkOfCategory: (slug: string) => linkTo(visit, request, { filters: { ...request.filters, categories: slug } }),
});

const emptyMonth = (visit: Visit, request: CalendarRequest, month: string): Promise<Html> =>
  emptyState(visit, request, { first: `${month}-01`, last: lastDayOf(month) });
