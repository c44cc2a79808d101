import { ApiError } from '../../http/errors.ts';
import { utcToLocal } from '../../lib/dates.ts';
import { toUtc } from '../../lib/local-time.ts';
import { html } from '../html.ts';
import { eventCard } from '../parts/event-card.ts';
import { pager } from '../parts/pager.ts';
import { calendarPath } from './address.ts';
import type { Page } from './answer.ts';
import type { EventBody } from './bodies.ts';
import type { CalendarRequest } from './calendar-request.ts';
import { isFiltered, queryOf } from './filters.ts';
import { filterOf, NotFound, nameOf } from './subject.ts';
import type { Visit } from './visit.ts';

/** Events of one page. */
const PER_PAGE = 12;
/** A list changes while events end, which is looked at so often. */
const MINUTE_MS = 60_000;

/** The list of coming events by day, or of past ones, the newest first. */
export async function eventListPage(visit: Visit, { address, subject, filters }: CalendarRequest): Promise<Page> {
  const { t, dates, today } = visit;
  const { events, total, total_pages } = await upcoming(visit, { address, subject, filters });
  const name = nameOf(subject);
  const heading = name ?? t(address.isPast ? 'list.past' : 'list.heading');
  const at = (page: number) => visit.link(`${calendarPath({ ...address, page })}${queryOf(filters)}`);
  const main = html`<h1>${heading}</h1>
<p class="result" role="status">${t('list.count', { count: total })}</p>
${byDay(events, today).map(
  ({ day, isRunning, events: own }) => html`<section class="day">
<h2>${isRunning ? t('list.now') : dates.day(day)}</h2>
<ol class="cards">${own.map((event) => html`<li>${eventCard(event, visit)}</li>`)}</ol>
</section>`,
)}
${pager(visit, { page: address.page, pages: total_pages, at })}`;
  return {
    title: address.page > 1 ? t('list.page_title', { heading, page: String(address.page) }) : heading,
    description: t('list.about', { site: visit.config.siteName }),
    main,
    kind: 'event-list',
    ...(isFiltered(filters) && { robots: 'noindex, follow', canonical: calendarPath(address) }),
  };
}

/**
 * The events that are not over yet.
 * @throws {NotFound} past the last page
 */
async function upcoming(visit: Visit, { address, subject, filters }: CalendarRequest) {
  const { ask, now, config } = visit;
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  visit.limitFreshness(minute + MINUTE_MS);
  const local = utcToLocal(toUtc(new Date(minute)), config.timezone);
  const window = filters.start_date === undefined ? { ends_after: local, strict_dates: true } : {};
  const params = { ...filterOf(subject), ...filters, ...window, page: address.page, per_page: PER_PAGE };
  const featured = address.isFeatured ? { featured: true } : {};
  try {
    return await ask('events.list', { ...params, ...featured });
  } catch (error) {
    throw error instanceof ApiError && error.code === 'event-archive-page-not-found' ? new NotFound() : error;
  }
}

interface DayOfEvents {
  day: string;
  /** Whether these have begun on a day before today. */
  isRunning: boolean;
  events: EventBody[];
}

/** Groups events by the day on which they start; those that began before today are together. */
function byDay(events: readonly EventBody[], today: string): DayOfEvents[] {
  const days: DayOfEvents[] = [];
  for (const event of events) {
    const start = event.start_date.slice(0, 10);
    const isRunning = start < today;
    const last = days.at(-1);
    if (last && (isRunning ? last.isRunning : last.day === start && !last.isRunning)) last.events.push(event);
    else days.push({ day: start, isRunning, events: [event] });
  }
  return days;
}
