import { type Html, html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

interface Neighbour {
  href: string;
  label: string;
}

interface Period {
  heading: string;
  previous?: Neighbour;
  next?: Neighbour;
  /** Link to the current period, if it is another one. */
  present?: Neighbour;
}

/** Heading of a period between links to the previous and next one. */
export function periodNav({ t }: Visit, { heading, previous, next, present }: Period): Html {
  return html`<nav class="period" aria-label="${t('period.label')}">
<h2>${heading}</h2>
<ul>
<li>${previous && html`<a rel="prev" href="${previous.href}"><span aria-hidden="true">‹</span> ${previous.label}</a>`}</li>
${present && html`<li><a href="${present.href}">${present.label}</a></li>`}
<li>${next && html`<a rel="next" href="${next.href}">${next.label} <span aria-hidden="true">›</span></a>`}</li>
</ul></nav>`;
}
