import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../client/call.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { read, refresh } from '../../data/queries.ts';
import { rowOf, type Taxonomy, type TermRow } from './terms.ts';

/** Categories a request. */
const PER_PAGE = 100;
/** Requests for one tree; it ends there. */
const MOST_PAGES = 50;

interface Tree {
  rows: TermRow[];
  /** All categories of the site; those of the tree unless there are thousands. */
  total: number;
}

/** All categories, since a tree cannot be shown by pages. */
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
      // A category that was created meanwhile may have moved others to the next page.
      return { rows: [...new Map(rows.map((row) => [row.id, row])).values()], total: first.total };
    },
  });
}

/** Some terms as they are now, in the order of their ids. */
export const readTerms = (taxonomy: Taxonomy, ids: readonly number[]) =>
  read(`GET /events/v1/${taxonomy}`, { include: ids.map(String), orderby: 'id', hide_empty: false, per_page: 100 });

/** Has the terms of a kind read anew, and what names them. */
export const refreshTerms = (taxonomy: Taxonomy): Promise<unknown> =>
  Promise.all([`/admin/v1/${taxonomy}`, `/events/v1/${taxonomy}`, '/events/v1/events'].map((path) => refresh(path)));
