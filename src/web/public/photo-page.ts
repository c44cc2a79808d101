import { html } from '../html.ts';
import { emptyState } from '../parts/empty-state.ts';
import { posters } from '../parts/poster.ts';
import type { Page } from './answer.ts';
import { calendarFrame } from './calendar-frame.ts';
import type { CalendarRequest } from './calendar-request.ts';
import { listFrame, listOrFirstPage } from './event-list.ts';
import { stockOf } from './stock.ts';
import type { Visit } from './visit.ts';

const PER_PAGE = 24;

/** Coming or past events as posters. */
export async function photoPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { request, list, isPastEnd } = await listOrFirstPage(visit, asked, PER_PAGE);
  if (list.events.length === 0)
    return calendarFrame(visit, request, { total: 0, main: html`${await emptyState(visit, request)}` });
  const stock = await stockOf(visit, list.events);
  return listFrame(visit, request, { list, isPastEnd, main: posters(list.events, visit, stock) });
}
