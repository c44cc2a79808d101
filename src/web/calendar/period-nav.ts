import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface Neighbour {
  href: string;
  label: string;
}

interface Period {
  previous?: Neighbour;
  next?: Neighbour;
  /** Link to the current period, if it is another one. */
  present?: Neighbour;
  /** Links of the menu. */
  others?: readonly (Neighbour & { isShown: boolean })[];
}

/** Links to the previous, the next and the current period, and to others by a menu. */
export function periodNav({ t }: Visit, { previous, next, present, others = [] }: Period): Html {
  return html`<nav class="period" aria-label="${t('period.label')}">
${
  others.length > 1 &&
  html`<details class="menu"><summary><span class="visually-hidden">${t('period.jump')}</span></summary><ol class="months">${others.map(({ href, label, isShown }) => html`<li><a href="${href}"${isShown && html` aria-current="page"`}>${label}</a></li>`)}</ol></details>`
}
<span class="steps-of-period">${previous ? html`<a class="step" rel="prev" href="${previous.href}" title="${previous.label}"><span aria-hidden="true">‹</span><span class="visually-hidden">${previous.label}</span></a>` : html`<span class="step" aria-hidden="true">‹</span>`}
${next ? html`<a class="step" rel="next" href="${next.href}" title="${next.label}"><span aria-hidden="true">›</span><span class="visually-hidden">${next.label}</span></a>` : html`<span class="step" aria-hidden="true">›</span>`}</span>
${present && html`<a class="present" href="${present.href}">${present.label}</a>`}
</nav>`;
}

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
