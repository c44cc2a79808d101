import type { View } from '../frame/address.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { DATED, withoutDates } from './filters.ts';

const TABS = ['list', 'month', 'week', 'day', 'photo', 'places'] as const satisfies readonly View[];

/** Links to the same events in other views, with the same filters. */
export function viewTabs(visit: Visit, request: CalendarRequest): Html {
  const { t } = visit;
  const { address, subject, filters } = request;
  const tabs = TABS.filter((view) => view !== 'places' || subject.kind !== 'venue').map((view) => {
    const isThis = view === address.view && !address.isPast;
    const target = linkTo(visit, request, {
      ...PLAIN,
      view,
      filters: DATED.has(view) ? withoutDates(filters) : filters,
    });
    return html`<li><a href="${target}"${isThis && html` aria-current="page"`}>${t(`view.${view}`)}</a></li>`;
  });
  return html`<nav class="views" aria-label="${t('view.label')}"><ul>${tabs}</ul></nav>`;
}
