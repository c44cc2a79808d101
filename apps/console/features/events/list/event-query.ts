import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { ANY_DATE } from '../../../data/queries.ts';
import type { EventView } from '../routes.ts';

/** Filters in the address of the list. */
export interface EventFilters {
  view?: EventView | undefined;
  search?: string | undefined;
  /** Id of a category; includes its subcategories. */
  category?: number | undefined;
  /** Id of the author's account. */
  author?: number | undefined;
  /** Language in which the event has no texts. */
  missing?: string | undefined;
  page?: number | undefined;
}

/** Query of each view. */
const VIEWS: Readonly<Record<EventView, Input<'GET /events/v1/events'>>> = {
  upcoming: { ends_after: 'now' },
  past: { ...ANY_DATE, ends_before: 'now', order: 'desc' },
  drafts: { ...ANY_DATE, status: ['draft', 'pending', 'future', 'private'] },
  trash: { ...ANY_DATE, status: ['trash'] },
};

/** Query of the list. */
export function listQuery(filters: EventFilters, isTranslated: boolean): Input<'GET /events/v1/events'> {
  const { view = 'upcoming', search, category, author, missing } = filters;
  return {
    ...VIEWS[view],
    ...(search && { search }),
    ...(category && { categories: [category] }),
    ...(author && { author }),
    ...(missing && isTranslated && { missing_language: missing }),
  };
}

/** Query of the export: that of the list without its order. */
export function exportQuery(filters: EventFilters, isTranslated: boolean): URLSearchParams {
  const { order: _order, ...query } = listQuery(filters, isTranslated);
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...pairs, ['bom', 'true']] as [string, string][]);
}

/** Whether the list has filters besides the view. */
export const isNarrowed = ({ search, category, author, missing }: EventFilters): boolean =>
  Boolean(search || category || author || missing);
