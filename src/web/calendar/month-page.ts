import { daysBetween, daysOf, lastDayOf, monthAfter, monthSheet } from '../../lib/dates/month.ts';
import type { Page } from '../frame/answer.ts';
import { type Html, html } from '../frame/html.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { boundsOf, briefEventsOfDays } from './event-windows.ts';
import { withoutDates } from './filters.ts';
import { type MonthDay, monthGrid } from './month-grid.ts';
import { periodNav } from './period-nav.ts';

/** Maximum number of events per day. */
const LANES = 4;

/** Month view of the calendar. */
export async function monthPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { dates, t, today } = visit;
  const request = { ...asked, filters: withoutDates(asked.filters) };
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
  const { days, total } = await daysOfMonth(visit, request, month);
  const nav = periodNav(visit, {
    heading: dates.month(month),
    ...(previous && { previous }),
    ...(next && { next }),
    ...(month !== present && { present: { ...at(present), label: t('period.this_month') } }),
  });
  return calendarFrame(visit, request, {
    period: dates.month(month),
    total,
    main: html`${nav}${total > 0 ? monthGrid(visit, days, dayLink(visit, request)) : await emptyMonth(visit, request, month)}`,
    ...(previous && { previous: previous.href }),
    ...(next && { next: next.href }),
  });
}

async function daysOfMonth(visit: Visit, request: CalendarRequest, month: string) {
  const days = daysBetween(`${month}-01`, lastDayOf(month));
  const { events, total, totals } = await briefEventsOfDays(visit, request, { days, perDay: LANES });
  const sheet = monthSheet(events, {
    ...{ month, firstWeekday: visit.dates.firstWeekday, lanes: LANES },
    spanOf: (event) => daysOf(event.start_date, event.end_date),
  });
  const startingOn = Map.groupBy(events, (event) => event.start_date.slice(0, 10));
  const unread = (day: string) => Math.max(0, (totals.get(day) ?? 0) - (startingOn.get(day)?.length ?? 0));
  const shown: MonthDay[] = sheet.map((day) => ({
    ...day,
    hidden: day.hidden + (totals.size > 0 ? unread(day.day) : 0),
  }));
  return { days: shown, total };
}

const dayLink =
  (visit: Visit, request: CalendarRequest) =>
  (day: string): string =>
    linkTo(visit, request, { view: 'day', date: day });

const emptyMonth = (visit: Visit, request: CalendarRequest, month: string): Promise<Html> =>
  emptyState(visit, request, { first: `${month}-01`, last: lastDayOf(month) });
