import type { AskedParams } from '../../http/ask.ts';

/** Parameters of the event list that the address of a page may have, under the same names. */
export const FILTER_NAMES = [
  'search',
  'start_date',
  'end_date',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'ticketed',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters of a query; empty ones, as forms send them, do not count. Of a name that is repeated the last counts. */
export function readFilters(query: URLSearchParams): Filters {
  const pairs = FILTER_NAMES.map((name) => [name, query.getAll(name).at(-1)?.trim() ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0;

/** A query with its question mark, or nothing. */
export function queryOf(params: AskedParams): string {
  const pairs = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
