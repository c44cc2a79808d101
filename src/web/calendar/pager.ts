import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface Around {
  /** Addresses of earlier and later events. */
  earlier: string | undefined;
  later: string | undefined;
  /** True if the newest comes first, so that earlier events are on the next page. */
  isReversed?: boolean;
  /** Displayed period, in words. */
  position: string;
}

/** Links to earlier and later events. */
export function pager({ t }: Visit, { earlier, later, isReversed = false, position }: Around): Html | undefined {
  if (earlier === undefined && later === undefined) return undefined;
  const [before, after] = isReversed ? ['next', 'prev'] : ['prev', 'next'];
  return html`<nav class="pager" aria-label="${t('pager.label')}">
<span>${earlier !== undefined && html`<a rel="${before ?? ''}" href="${earlier}"><span aria-hidden="true">‹</span> ${t('pager.earlier')}</a>`}</span>
<span class="pager-position">${position}</span>
<span>${later !== undefined && html`<a rel="${after ?? ''}" href="${later}">${t('pager.later')} <span aria-hidden="true">›</span></a>`}</span>
</nav>`;
}
