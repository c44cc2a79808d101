import { type Html, html } from './html.ts';
import type { Visit } from './visit.ts';

/** Pages of a list that are chosen by `?page=`. */

const PAGE = /^[1-9]\d{0,5}$/;

/** Number of the requested page; 1 for anything that is no number. */
export const pageNumber = ({ query }: Visit): number => Number(PAGE.exec(query.get('page') ?? '')?.[0] ?? 1);

interface Numbered {
  /** Heading of the list. */
  heading: string;
  /** Path of the first page. */
  path: string;
  page: number;
  pages: number;
}

/** Title and canonical path of a page of a list, and links to its neighbours. */
export function numberedPage(
  { t, link }: Visit,
  { heading, path, page, pages }: Numbered,
): { title: string; canonical: string; links: Html | false } {
  const titleOf = (number: number) =>
    number === 1 ? heading : t('list.page_title', { heading, page: String(number) });
  const pathOf = (number: number) => (number === 1 ? path : `${path}?page=${number}`);
  const to = (rel: 'prev' | 'next', number: number) =>
    number >= 1 && number <= pages && html`<a rel="${rel}" href="${link(pathOf(number))}">${titleOf(number)}</a>`;
  const links =
    pages > 1 &&
    html`<nav class="pager" aria-label="${t('pager.label')}"><span>${to('prev', page - 1)}</span><span>${to('next', page + 1)}</span></nav>`;
  return { title: titleOf(page), canonical: pathOf(page), links };
}
