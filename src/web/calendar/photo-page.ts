import { posters } from '../cards/poster.ts';
import { stockOf } from '../cards/stock.ts';
import type { Page } from '../frame/answer.ts';
import { html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarFrame } from './calendar-frame.ts';
import type { CalendarRequest } from './calendar-request.ts';
import { emptyState } from './empty-state.ts';
import { listFrame, listOrFirstPage } from './event-list.ts';

const PER_PAGE = 24;

/** Coming or past events with their images. */
export async function photoPage(visit: Visit, asked: CalendarRequest): Promise<Page> {
  const { request, list, isPastEnd } = await listOrFirstPage(visit, asked, PER_PAGE);
  if (list.events.length === 0)
    return calendarFrame(visit, request, { total: 0, main: html`${await emptyState(visit, request)}` });
  const stock = await stockOf(visit, list.events);
  return listFrame(visit, request, { list, isPastEnd, main: posters(list.events, visit, stock) });
}
