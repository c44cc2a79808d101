import { dayAfter, daysBetween, daysOf, weekStart } from '../../lib/dates/month.ts';
import { eventCard } from '../cards/event-card.ts';
import { stockOf } from '../cards/stock.ts';
import { type Answer, movedTo } from '../frame/answer.ts';
import { html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { boundsOf, eventsOfDays } from './event-windows.ts';
import { withoutDates } from './filters.ts';
import { periodNav } from './period-nav.ts';

/** Maximum number of events shown per day in a crowded week. */
const PER_DAY = 12;

/** Events of seven days, by day. */
export async function weekPage(visit: Visit, asked: CalendarRequest): Promise<Answer> {
  const { dates, t, today } = visit;
  const request = { ...asked, filters: withoutDates(asked.filters) };
  const present = weekStart(today, dates.firstWeekday);
  const { date } = request.address;
  const first = weekStart(date ?? today, dates.firstWeekday);
  if (date !== undefined && date !== first) return movedTo(linkTo(visit, request, { date: first }));
  const last = dayAfter(first, 6);
  const bounds = await boundsOf(visit, request);
  const exists = (start: string) =>
    start === present || (bounds && dayAfter(start, 6) >= bounds.first && start <= bounds.last);
  if (!exists(first)) throw new NotFound();
  const heading = (start: string) => dates.range(`${start} 00:00:00`, `${dayAfter(start, 6)} 00:00:00`, true);
  const at = (start: string) => ({
    href: linkTo(visit, request, { date: start === present ? undefined : start }),
    label: t('period.week_of', { day: dates.shortDay(start) }),
  });
  const neighbour = (start: string) => (exists(start) ? at(start) : undefined);
  const [previous, next] = [neighbour(dayAfter(first, -7)), neighbour(dayAfter(first, 7))];
  const days = daysBetween(first, last);
  const { events, total, totals } = await eventsOfDays(visit, request, { days, perDay: PER_DAY });
  const stock = await stockOf(visit, events.slice(0, MOST_STOCK));
  const sections = days.map((day) => {
    const own = eventsOn(events, day, first);
    const more = (totals.get(day) ?? own.length) - own.length;
    const link = linkTo(visit, request, { view: 'day', date: day });
    if (own.length === 0) return undefined;
    return html`<section class="day"><h3><a class="day-link" href="${link}">${dates.day(day)}</a></h3>
<ol class="cards">${own.map((event) => html`<li>${eventCard(event, visit, { stock: stock.get(event.id), withPast: true })}</li>`)}</ol>
${more > 0 && html`<p><a class="more" href="${link}">${t('month.more', { count: more })}</a></p>`}</section>`;
  });
  const nav = periodNav(visit, {
    heading: heading(first),
    ...(previous && { previous }),
    ...(next && { next }),
    ...(first !== present && { present: { ...at(present), label: t('period.this_week') } }),
  });
  return calendarFrame(visit, request, {
    period: heading(first),
    total,
    main: html`${nav}${total > 0 ? sections : await emptyState(visit, request, { first, last })}`,
    ...(previous && { previous: previous.href }),
    ...(next && { next: next.href }),
  });
}

/** Maximum number of events whose availability is looked up for one page. */
const MOST_STOCK = 50;

/** Events that begin on a day; events that began earlier are on the first day of the period. */
function eventsOn(events: readonly Event[], day: string, first: string): Event[] {
  return events.filter((event) => {
    const span = daysOf(event.start_date, event.end_date);
    return span.last >= first && (span.first < first ? first : span.first) === day;
  });
}
