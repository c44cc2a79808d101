import { eventCard } from '../cards/event-card.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { around } from './event-windows.ts';
import { isFiltered, withoutDates } from './filters.ts';

/** Number of events shown before and after an empty period. */
const COUNT = 3;

/** Text for a view without events: the reason and the next step. */
export async function emptyState(visit: Visit, request: CalendarRequest, window?: Window): Promise<Html> {
  const { today } = visit;
  const { filters } = request;
  if (isFiltered(filters)) return nothingMatches(visit, request);
  const { first, last } = window ?? { first: today, last: today };
  const { earlier, later } = await around(visit, request, { before: first, after: last, count: COUNT });
  const events = [...earlier, ...later];
  if (events.length === 0) return nothingYet(visit, request);
  const { t } = visit;
  const section = (key: 'empty.next' | 'empty.last', own: typeof events) =>
    own.length > 0 &&
    html`<section class="day"><h2>${t(key)}</h2><ol class="cards">${own.map((event) => html`<li>${eventCard(event, visit, { withDay: true, withPast: true })}</li>`)}</ol></section>`;
  return html`<p class="empty">${t(window ? 'empty.window' : 'empty.upcoming')}</p>
${section('empty.next', later)}
${section('empty.last', [...earlier].reverse())}`;
}

/** Period from one day to another. */
interface Window {
  first: string;
  last: string;
}

function nothingMatches(visit: Visit, request: CalendarRequest): Html {
  const { t } = visit;
  const { address, filters } = request;
  const hasDates = filters.start_date !== undefined || filters.end_date !== undefined;
  const isList = address.view === 'list' || address.view === 'photo';
  return html`<div class="empty"><p>${t('empty.filtered')}</p>
<ul>${hasDates && html`<li><a href="${linkTo(visit, request, { filters: withoutDates(filters) })}">${t('empty.widen')}</a></li>`}
${!isList && html`<li><a href="${linkTo(visit, request, { ...PLAIN, view: 'list' })}">${t('empty.any_day')}</a></li>`}
${isList && !address.isPast && html`<li><a href="${linkTo(visit, request, { isPast: true, filters: withoutDates(filters) })}">${t('empty.past')}</a></li>`}
<li><a href="${linkTo(visit, request, { filters: {} })}">${t('empty.unfiltered')}</a></li></ul></div>`;
}

function nothingYet(visit: Visit, request: CalendarRequest): Html {
  const { t } = visit;
  const isAll = request.subject.kind === 'all' && !request.address.isFeatured;
  return html`<div class="empty"><p>${t(isAll ? 'empty.nothing' : 'empty.subject')}</p>
<p><a href="${linkTo(visit, request, { ...PLAIN, view: 'list', format: 'ical' })}">${t('empty.subscribe')}</a></p></div>`;
}
