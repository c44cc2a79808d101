import { type Html, html } from '../html.ts';
import type { Visit } from '../public/visit.ts';

interface Pages {
  page: number;
  pages: number;
  /** The address of a page. */
  at: (page: number) => string;
}

/** Links to the pages before and after. */
export function pager({ t }: Visit, { page, pages, at }: Pages): Html | undefined {
  if (pages <= 1) return undefined;
  return html`<nav class="pager" aria-label="${t('pager.label')}">
${page > 1 && html`<a rel="prev" href="${at(page - 1)}">${t('pager.earlier')}</a>`}
<span>${t('pager.position', { page: String(page), pages: String(pages) })}</span>
${page < pages && html`<a rel="next" href="${at(page + 1)}">${t('pager.later')}</a>`}
</nav>`;
}
