import { isDay } from '../../lib/dates/month.ts';
import { perLinkedKind } from '../../lib/linked-kinds.ts';
import { searchField } from '../frame/field.ts';
import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { type CalendarRequest, linkTo } from './calendar-request.ts';
import { CHOSEN, type Choice, type ChosenFilter, type FilterOptions } from './filter-options.ts';
import { DATED, FILTER_NAMES, type FilterName, without } from './filters.ts';

/** Filter form of every view, with the parameters of the event list as its fields. */
export function filterBar(visit: Visit, request: CalendarRequest, options: FilterOptions): Html {
  const { t, link } = visit;
  const { filters, subject } = request;
  const action = linkTo(visit, request, { filters: {} });
  const selects = CHOSEN.filter((name) => options[name].length > 0 && subject.kind !== SUBJECTS[name]).map((name) =>
    selectOf(name, options[name], { chosen: filters[name], t }),
  );
  const count = [...CHOSEN, ...CHECKED].filter((name) => filters[name] !== undefined).length;
  const from = isDay(filters.start_date ?? '') ? filters.start_date : '';
  const isDated = DATED.has(request.address.view);
  return html`<form class="filters" role="search" aria-label="${t('filter.label')}" action="${action || link('/events/')}">
${searchField(visit, filters.search)}
<label class="filter-date"><span>${t(isDated ? 'filter.go_to' : 'filter.from')}</span><input type="date" name="start_date" value="${from}"></label>
<details class="filter-more"><summary class="filter-toggle">${t('filter.more')}${count > 0 && ` (${count})`}</summary><div class="filter-fields">
${selects}
${CHECKED.map((name) => html`<label class="check"><input type="checkbox" name="${name}" value="true"${isYes(filters[name] ?? '') && html` checked`}> ${t(`filter.${name}`)}</label>`)}
<button>${t('filter.apply')}</button>
</div></details>
${filters.city !== undefined && html`<input type="hidden" name="city" value="${filters.city}">`}
${filters.end_date !== undefined && html`<input type="hidden" name="end_date" value="${filters.end_date}">`}
</form>`;
}

/** Filters with a checkbox. */
const CHECKED = ['free', 'ticketed'] as const satisfies readonly FilterName[];

/** Filters that a page of this subject makes redundant. */
const SUBJECTS: Readonly<Record<ChosenFilter, string>> = {
  categories: 'category',
  tags: 'tag',
  ...perLinkedKind((kind) => kind),
};

interface Selected {
  chosen: string | undefined;
  t: Visit['t'];
}

function selectOf(name: ChosenFilter, choices: readonly Choice[], { chosen, t }: Selected): Html {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  return html`<label>${t(`filter.${name}`)}<select name="${name}"><option value="">${t('filter.any')}</option>
${!isKnown && html`<option selected>${chosen}</option>`}${choices.map(
  ({ value, label, depth }) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${'\u2003'.repeat(depth)}${label}</option>`,
)}</select></label>`;
}

/** Active filters, each a link that removes it. */
export function filterChips(visit: Visit, request: CalendarRequest, options: FilterOptions): Html | undefined {
  const { filters } = request;
  const set = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  if (set.length === 0) return undefined;
  const { t } = visit;
  const chips = set.map((name) => {
    const rest = linkTo(visit, request, { filters: without(filters, name) });
    const words = chipWords(name, filters[name] ?? '', { visit, options });
    return html`<li><a class="chip" href="${rest}"><span aria-hidden="true">×</span><span class="visually-hidden">${t('filter.remove')} </span>${words}</a></li>`;
  });
  const all = html`<li><a href="${linkTo(visit, request, { filters: {} })}">${t('filter.remove_all')}</a></li>`;
  return html`<ul class="chips" aria-label="${t('filter.set')}">${chips}${set.length > 1 && all}</ul>`;
}

interface Words {
  visit: Visit;
  options: FilterOptions;
}

/** Filter in words, as a chip and after the number of events. */
function chipWords(name: FilterName, value: string, { visit, options }: Words): string {
  const { t, dates } = visit;
  switch (name) {
    case 'search':
      return t('filtered.search', { words: value });
    case 'city':
      return t('filtered.city', { city: value });
    case 'start_date':
      return t('filtered.start_date', { date: isDay(value) ? dates.day(value) : value });
    case 'end_date':
      return t('filtered.end_date', { date: isDay(value) ? dates.day(value) : value });
    case 'featured':
    case 'free':
    case 'ticketed':
      return t(isYes(value) ? `filtered.${name}` : `filtered.not_${name}`);
    default:
      return labelOf(options[name], value);
  }
}

const isYes = (value: string): boolean => /^(1|true|yes|on)$/i.test(value);

const labelOf = (choices: readonly Choice[], chosen: string): string =>
  choices.find(({ value }) => value === chosen)?.label ?? chosen;
