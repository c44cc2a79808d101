import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { EVER } from '../../../../client/ever.ts';
import type { EventView } from '../routes.ts';

/** What stands in the address of the list. */
export interface EventFilters {
  view?: EventView | undefined;
  search?: string | undefined;
  /** Id of a category; its subcategories count too. */
  category?: number | undefined;
  /** Id of the account of the author. */
  author?: number | undefined;
  /** A language without any text of the event. */
  missing?: string | undefined;
  page?: number | undefined;
}

/** What a view asks for. */
const VIEWS: Readonly<Record<EventView, Input<'GET /events/v1/events'>>> = {
  upcoming: { ends_after: 'now' },
  past: { ...EVER, ends_before: 'now', order: 'desc' },
  drafts: { ...EVER, status: ['draft', 'pending', 'future', 'private'] },
  trash: { ...EVER, status: ['trash'] },
};

/** What the filters ask of the list. */
export function askedBy(filters: EventFilters, isTranslated: boolean): Input<'GET /events/v1/events'> {
  const { view = 'upcoming', search, category, author, missing } = filters;
  return {
    ...VIEWS[view],
    ...(search && { search }),
    ...(category && { categories: [category] }),
    ...(author && { author }),
    ...(missing && isTranslated && { missing_language: missing }),
  };
}

/** What the filters ask of the export: the same, in the form of a query, without what only a list has. */
export function exportQuery(filters: EventFilters, isTranslated: boolean): URLSearchParams {
  const { order: _order, ...asked } = askedBy(filters, isTranslated);
  const pairs = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...pairs, ['bom', 'true']] as [string, string][]);
}

/** Whether something besides the view narrows the list. */
export const isNarrowed = ({ search, category, author, missing }: EventFilters): boolean =>
  Boolean(search || category || author || missing);
