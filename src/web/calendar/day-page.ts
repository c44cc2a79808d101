import { addDaysToDay, takesWholeDays } from '../../lib/dates/month.ts';
import { eventCard } from '../cards/event-card.ts';
import { stockOf } from '../cards/sale.ts';
import { type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Event } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo, selectionOf } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { around, MOST, pageOf } from './event-windows.ts';
import { withoutDates } from './filters.ts';
import { periodNav } from './period-nav.ts';

/** Events of one day: all-day events first, then by time. */
export async function dayPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { dates, t, today } = visit;
  const request = { ...asked, filters: withoutDates(asked.filters) };
  const day = request.address.date ?? today;
  const on = { ...selectionOf(request), ends_after: addDaysToDay(day, -1), starts_before: day };
  const [{ events, total }, { earlier, later }] = await Promise.all([
    pageOf(visit, { ...on, per_page: MOST }),
    around(visit, request, { before: day, after: day, count: 1 }),
  ]);
  // Endless days would trap crawlers.
  const isBetween = earlier.length > 0 && later.length > 0;
  if (events.length === 0 && day !== today && !isBetween) throw new NotFound();
  const at = (date: string) => ({
    href: linkTo(visit, request, { date: date === today ? undefined : date }),
    label: dates.shortDay(date),
  });
  const nearest = (found: readonly Event[]) => {
    const [event] = found;
    return event && at(event.start_date.slice(0, 10));
  };
  const [previous, next] = [nearest(earlier), nearest(later)];
  const more = {
    view: 'list',
    date: undefined,
    filters: { ...request.filters, start_date: day, end_date: day },
  } as const;
  const nav = periodNav(visit, {
    ...(previous && { previous }),
    ...(next && { next }),
    ...(day !== today && { present: { ...at(today), label: t('period.today') } }),
  });
  const main = html`${await eventsOfDay(visit, events, day)}
${total > MOST && html`<p><a class="more" href="${linkTo(visit, request, more)}">${t('month.more', { count: total - MOST })}</a></p>`}
${total === 0 && (await emptyState(visit, request, { first: day, last: day }))}`;
  return calendarFrame(visit, request, {
    period: dates.day(day),
    nav,
    total,
    events,
    main,
    ...(previous && { previous: previous.href }),
    ...(next && { next: next.href }),
  });
}

async function eventsOfDay(visit: Visit, events: readonly Event[], day: string): Promise<Html> {
  const { t } = visit;
  const stock = await stockOf(visit, events);
  const list = (own: readonly Event[]) =>
    html`<ol class="cards">${own.map((event) => html`<li>${eventCard(event, visit, { stock: stock.get(event.id), withPast: true })}</li>`)}</ol>`;
  const allDay = events.filter((event) => isAllDay(event, day));
  const timed = events.filter((event) => !isAllDay(event, day));
  return html`${allDay.length > 0 && html`<section class="day"><h2>${t('day.all_day')}</h2>${list(allDay)}</section>`}
${timed.length > 0 && html`<section class="day">${allDay.length > 0 && html`<h2>${t('day.by_time')}</h2>`}${list(timed)}</section>`}`;
}

/** Tests if an event has no start time on a day: it lasts all day or began earlier. */
const isAllDay = (event: Event, day: string): boolean => takesWholeDays(event) || event.start_date.slice(0, 10) < day;
