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
