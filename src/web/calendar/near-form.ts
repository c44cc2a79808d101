import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { without } from './filters.ts';

/**
 * Form that selects venues by city and, with scripts, sorts them by distance from the visitor. The position stays in
 * the browser.
 * @param cities suggestions for the input
 */
export function nearForm(visit: Visit, request: CalendarRequest, cities: readonly string[]): Html {
  const { t } = visit;
  const { city = '', ...others } = without(request.filters, 'venue');
  return html`<form class="near" action="${linkTo(visit, request, { filters: {} })}">
<input class="near-city" name="city" maxlength="100" list="cities" value="${city}" required aria-label="${t('near.city')}" placeholder="${t('near.city')}">
<datalist id="cities">${cities.map((one) => html`<option value="${one}"></option>`)}</datalist>
${Object.entries(others).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${t('near.find')}</button>
<button type="button" class="quiet" hidden data-near data-failed="${t('near.failed')}" data-done="${t('near.done')}">${t('near.me')}</button>
<p class="near-said" role="status" data-near-said hidden>${t('near.about')}</p>
</form>`;
}
