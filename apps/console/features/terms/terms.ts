import { queryOptions } from '@tanstack/react-query';
import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { read, refresh } from '../../data/queries.ts';

/** The two kinds of terms, as paths of the interface name them. */
export type Taxonomy = 'categories' | 'tags';

/** Rights to change the terms of each taxonomy. */
export const RIGHTS = { categories: 'manage_categories', tags: 'manage_tags' } as const;

/** Orders of the lists. */
export const TERM_ORDERS = ['name', 'events', 'upcoming'] as const;
export type TermOrder = (typeof TERM_ORDERS)[number];

/** A term in a list, with the events that the account may see. */
export interface TermRow {
  id: number;
  term: Term;
  events: number;
  upcoming: number;
}

export const rowOf = (term: Term, { events, upcoming }: { events: number; upcoming: number }): TermRow => ({
  id: term.id,
  term,
  events,
  upcoming,
});

/** Categories a request. */
const PER_PAGE = 100;
/** Maximum number of requests for one tree. */
const MOST_PAGES = 50;

interface Tree {
  rows: TermRow[];
  /** Number of categories of the site; the tree has all of them unless there are thousands. */
  total: number;
}

/** Reads all categories, since a tree has no pages. */
export function readTree(isOn = true) {
  const language = contentLanguage();
  return queryOptions<Tree>({
    queryKey: ['GET /admin/v1/categories', 'tree', language],
    enabled: isOn,
    async queryFn({ signal }) {
      const options = { signal, ...(language !== undefined && { language }) };
      const page = (number: number) =>
        call('GET /admin/v1/categories', { orderby: 'id', per_page: PER_PAGE, page: number }, options);
      const first = await page(1);
      const others = Array.from({ length: Math.min(first.total_pages, MOST_PAGES) - 1 }, (_, index) => page(index + 2));
      const pages = [first, ...(await Promise.all(others))];
      const rows = pages.flatMap(({ categories }) => categories.map((one) => rowOf(one.category, one)));
      // A category created in the meantime may have moved others to the next page.
      return { rows: [...new Map(rows.map((row) => [row.id, row])).values()], total: first.total };
    },
  });
}

/** Query of terms by their ids, in that order. */
export const readTerms = (taxonomy: Taxonomy, ids: readonly number[]) =>
  read(`GET /events/v1/${taxonomy}`, { include: ids.map(String), orderby: 'id', hide_empty: false, per_page: 100 });

/** Refreshes the terms of a taxonomy and the events that use them. */
export const refreshTerms = (taxonomy: Taxonomy): Promise<unknown> =>
  Promise.all([`/admin/v1/${taxonomy}`, `/events/v1/${taxonomy}`, '/events/v1/events'].map((path) => refresh(path)));
