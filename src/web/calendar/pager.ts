import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface Around {
  /** Addresses of what is before and after in time. */
  earlier: string | undefined;
  later: string | undefined;
  /** Whether the newest comes first, so that what is earlier is the next page. */
  isReversed?: boolean;
  /** What is shown, in words. */
  position: string;
}

/** Links to what is before and after in time. */
export function pager({ t }: Visit, { earlier, later, isReversed = false, position }: Around): Html | undefined {
  if (earlier === undefined && later === undefined) return undefined;
  const [before, after] = isReversed ? ['next', 'prev'] : ['prev', 'next'];
  return html`<nav class="pager" aria-label="${t('pager.label')}">
<span>${earlier !== undefined && html`<a rel="${before ?? ''}" href="${earlier}"><span aria-hidden="true">‹</span> ${t('pager.earlier')}</a>`}</span>
<span class="pager-position">${position}</span>
<span>${later !== undefined && html`<a rel="${after ?? ''}" href="${later}">${t('pager.later')} <span aria-hidden="true">›</span></a>`}</span>
</nav>`;
}
