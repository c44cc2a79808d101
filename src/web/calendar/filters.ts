import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import type { View } from '../frame/address.ts';

/** Parameters of the event list that the address of a page may have, under the same names, and the city of a venue. */
export const FILTER_NAMES = [
  'search',
  'city',
  'start_date',
  'end_date',
  'categories',
  'tags',
  ...LINKED_KIND_NAMES,
  'featured',
  'ticketed',
  'free',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** Reads the filters of a query. Empty ones, as sent by forms, are ignored; of a repeated name the last counts. */
export function readFilters(query: URLSearchParams): Filters {
  const pairs = FILTER_NAMES.map((name) => [name, query.getAll(name).at(-1)?.trim() ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Tests if a query has empty filters, as sent by forms. */
export const hasEmptyFilters = (query: URLSearchParams): boolean =>
  FILTER_NAMES.some((name) => query.getAll(name).some((value) => value.trim() === ''));

export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0;

/** Removes some filters. */
export const without = (filters: Filters, ...names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !(names as readonly string[]).includes(name)));

/** Views whose address contains their days. */
export const DATED: ReadonlySet<View> = new Set(['month', 'week', 'day']);

/** Removes dates, for pages whose address contains their days. */
export const withoutDates = (filters: Filters): Filters => without(filters, 'start_date', 'end_date');

/** Query of the filters with its question mark; empty without filters. */
export const queryOf = (filters: Filters): string =>
  isFiltered(filters) ? `?${new URLSearchParams(Object.entries(filters))}` : '';
