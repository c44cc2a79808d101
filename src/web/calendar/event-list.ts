import { daySpanOf } from '../../lib/dates/month.ts';
import { eventCard } from '../cards/event-card.ts';
import { posters } from '../cards/poster.ts';
import { stockOf } from '../cards/sale.ts';
import { seriesWords } from '../cards/series-words.ts';
import { type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Event } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame, pastLink } from './calendar-frame.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { collapsed, type EventPage, past, upcoming } from './event-windows.ts';
import { pager } from './period-nav.ts';

/** Events per page. */
const PER_PAGE = 12;

/** List of coming events by day, or of past ones, newest first. */
export async function eventListPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { request, list, isPastEnd } = await listOrFirstPage(visit, asked, PER_PAGE);
  const { events } = list;
  if (events.length === 0)
    return calendarFrame(visit, request, { total: 0, main: html`${await emptyState(visit, request)}` });
  const [stock, series] = await Promise.all([stockOf(visit, events), seriesWords(visit, events)]);
  const sections = byDay(events, visit.today).map(
    ({ day, isRunning, events: own }) => html`<section class="day">
<h2>${isRunning ? visit.t('list.now') : visit.dates.day(day)}</h2>
<ol class="cards">${own.map((event) => html`<li>${eventCard(event, visit, { stock: stock.get(event.id), series: series.get(event.id) })}</li>`)}</ol>
</section>`,
  );
  return listFrame(visit, request, { list, isPastEnd, main: html`${sections}` });
}

interface Listed {
  request: CalendarRequest;
  list: EventPage;
  /** True if the requested page does not exist and the first one is shown. */
  isPastEnd: boolean;
}

/** Events of a page of a list, or of the first page if the page does not exist. */
async function listOrFirstPage(visit: Visit, request: CalendarRequest, per_page: number): Promise<Listed> {
  const { address } = request;
  const read = address.isPast ? past : upcoming;
  const range = { per_page, ...collapsed(visit) };
  const list = await read(visit, request, { page: address.page, ...range }).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (list) return { request, list, isPastEnd: false };
  const first = { ...request, address: { ...address, page: 1 } };
  return { request: first, list: await read(visit, first, { page: 1, ...range }), isPastEnd: true };
}

/** Page of a list or of posters, with links to earlier and later events. */
function listFrame(
  visit: Visit,
  request: CalendarRequest,
  { list, isPastEnd, main }: Omit<Listed, 'request'> & { main: Html },
): Promise<Page> {
  const { t } = visit;
  const { page, isPast } = request.address;
  const pages = list.total_pages;
  const before = page > 1 ? linkTo(visit, request, { page: page - 1 }) : undefined;
  const after = page < pages ? linkTo(visit, request, { page: page + 1 }) : undefined;
  const [earlier, later] = isPast
    ? [after, before ?? linkTo(visit, request, { ...PLAIN })]
    : [before ?? pastLink(visit, request), after];
  return calendarFrame(visit, request, {
    total: list.total,
    events: list.events,
    main: html`${main}${pager(visit, { earlier, later, isReversed: isPast, position: positionOf(visit, list.events) })}`,
    ...(before !== undefined && { previous: before }),
    ...(after !== undefined && { next: after }),
    ...(visit.site?.collapse_series && { notice: t('list.count_collapsed', { count: list.total }) }),
    ...(isPastEnd && { status: 404, notice: t('list.past_the_end') }),
  });
}

/** Days of a page: `Sat 6 Mar – Fri 19 Mar`. */
export function positionOf({ dates, today }: Visit, events: readonly Event[]): string {
  const days = events.map((event) => event.start_date.slice(0, 10)).sort();
  const last = days.at(-1) ?? today;
  const first = days.find((day) => day >= today || last < today) ?? last;
  return dates.range(`${first} 00:00:00`, `${last} 00:00:00`, true);
}

interface DayOfEvents {
  day: string;
  /** True for events that began before today and have not ended. */
  isRunning: boolean;
  events: Event[];
}

/** Groups events by start day; events that began before today and continue form one group. */
function byDay(events: readonly Event[], today: string): DayOfEvents[] {
  const days: DayOfEvents[] = [];
  for (const event of events) {
    const { first, last: end } = daySpanOf(event.start_date, event.end_date);
    const isRunning = first < today && end >= today;
    const last = days.at(-1);
    if (last && (isRunning ? last.isRunning : last.day === first && !last.isRunning)) last.events.push(event);
    else days.push({ day: first, isRunning, events: [event] });
  }
  return days;
}

const PHOTOS_PER_PAGE = 24;

/** Coming or past events with their images. */
export async function photoPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { request, list, isPastEnd } = await listOrFirstPage(visit, asked, PHOTOS_PER_PAGE);
  if (list.events.length === 0)
    return calendarFrame(visit, request, { total: 0, main: html`${await emptyState(visit, request)}` });
  const stock = await stockOf(visit, list.events);
  return listFrame(visit, request, { list, isPastEnd, main: posters(list.events, visit, stock) });
}
