import { addDaysToDay, daysBetween, weekStart } from '../../lib/dates/month.ts';
import { html } from '../frame/html.ts';
import { movedTo, type PageResponse } from '../frame/page-response.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { categoryHues } from './category-hues.ts';
import { emptyState } from './empty-state.ts';
import { boundsOf, briefEventsOfDays } from './event-windows.ts';
import { withoutDates } from './filters.ts';
import { periodNav } from './period-nav.ts';
import { weekGrid, weekSheet } from './week-grid.ts';

/** Maximum number of events shown per day in a crowded week. */
const PER_DAY = 12;

/** Events of seven days, by day. */
export async function weekPage(visit: Visit, asked: CalendarRequest): Promise<PageResponse> {
  const { dates, t, today } = visit;
  const request = { ...asked, filters: withoutDates(asked.filters) };
  const present = weekStart(today, dates.firstWeekday);
  const { date } = request.address;
  const first = weekStart(date ?? today, dates.firstWeekday);
  if (date !== undefined && date !== first) return movedTo(linkTo(visit, request, { date: first }));
  const last = addDaysToDay(first, 6);
  const bounds = await boundsOf(visit, request);
  const exists = (start: string) =>
    start === present || (bounds && addDaysToDay(start, 6) >= bounds.first && start <= bounds.last);
  if (!exists(first)) throw new NotFound();
  const heading = (start: string) => dates.days(start, addDaysToDay(start, 6));
  const at = (start: string) => ({
    href: linkTo(visit, request, { date: start === present ? undefined : start }),
    label: t('period.week_of', { day: dates.shortDay(start) }),
  });
  const neighbour = (start: string) => (exists(start) ? at(start) : undefined);
  const [previous, next] = [neighbour(addDaysToDay(first, -7)), neighbour(addDaysToDay(first, 7))];
  const days = daysBetween(first, last);
  const { events, total, totals } = await briefEventsOfDays(visit, request, { days, perDay: PER_DAY });
  const grid = async () =>
    weekGrid(visit, weekSheet(visit, events, { days, totals, firstWeekday: dates.firstWeekday }), {
      hues: await categoryHues(visit),
      linkOf: (day) => linkTo(visit, request, { view: 'day', date: day }),
    });
  const nav = periodNav(visit, {
    ...(previous && { previous }),
    ...(next && { next }),
    ...(first !== present && { present: { ...at(present), label: t('period.this_week') } }),
  });
  return calendarFrame(visit, request, {
    period: heading(first),
    total,
    events,
    nav,
    main: html`${total > 0 ? await grid() : await emptyState(visit, request, { first, last })}`,
    ...(previous && { previous: previous.href }),
    ...(next && { next: next.href }),
  });
}
