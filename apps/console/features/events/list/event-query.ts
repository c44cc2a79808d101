import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { ANY_DATE } from '../../../data/any-date.ts';
import { type EventStatus, type EventView, TAKING_PLACE } from '../filter-values.ts';

/** Filters in the address of the list. */
export interface EventFilters {
  view?: EventView | undefined;
  search?: string | undefined;
  /** Id of a category; includes its subcategories. */
  category?: number | undefined;
  /** Id of the author's account. */
  author?: number | undefined;
  venue?: number | undefined;
  /** First and last day (`YYYY-MM-DD`). */
  from?: string | undefined;
  to?: string | undefined;
  /** Publication status or event status. */
  status?: EventStatus | undefined;
  /** Language in which the event has no texts. */
  missing?: string | undefined;
  series?: number | undefined;
  /** Whether the list has each series once. */
  each?: 'series' | undefined;
  page?: number | undefined;
}

/** Query of each view. */
const VIEWS: Readonly<Record<EventView, Input<'GET /events/v1/events'>>> = {
  upcoming: { ends_after: 'now' },
  past: { ...ANY_DATE, ends_before: 'now', order: 'desc' },
  drafts: { ...ANY_DATE, status: ['draft', 'pending', 'future', 'private'] },
  trash: { ...ANY_DATE, status: ['trash'] },
};

function statusQuery(status: EventStatus | undefined): Input<'GET /events/v1/events'> {
  if (!status) return {};
  const event_status = TAKING_PLACE.find((one) => one === status);
  return event_status ? { event_status: [event_status] } : { status: [status] };
}

/** Query of the list. */
export function listQuery(filters: EventFilters, isTranslated: boolean): Input<'GET /events/v1/events'> {
  const { view = 'upcoming', search, category, author, venue, from, to, status, missing, series, each } = filters;
  return {
    // The view's own status wins: drafts and the trash are lists of their own.
    ...statusQuery(status),
    ...VIEWS[view],
    ...(from && { start_date: from }),
    ...(to && { starts_before: to }),
    ...(venue && { venue: [venue] }),
    ...(search && { search }),
    ...(category && { categories: [category] }),
    ...(author && { author }),
    ...(series && { series }),
    ...(each && { collapse: each }),
    ...(missing && isTranslated && { missing_language: missing }),
  };
}

/** Query of the export: the query of the list without its order, and with all events of a series. */
export function exportQuery(filters: EventFilters, isTranslated: boolean): URLSearchParams {
  const { order: _order, collapse: _collapse, ...query } = listQuery(filters, isTranslated);
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...pairs, ['bom', 'true']] as [string, string][]);
}

/** Clears all filters besides the view. */
export const NO_FILTERS: EventFilters = {
  search: undefined,
  category: undefined,
  author: undefined,
  venue: undefined,
  from: undefined,
  to: undefined,
  status: undefined,
  missing: undefined,
  series: undefined,
};

/** Whether the list has filters besides the view. */
export const isNarrowed = ({ view: _view, page: _page, each: _each, ...filters }: EventFilters): boolean =>
  Object.values(filters).some(Boolean);
