import type { Page } from '../frame/answer.ts';
import { html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

/** Orders made on this device. They are stored in the browser; the server does not know them. */
export function myTicketsPage({ t, config, link }: Visit): Page {
  const main = html`<h1>${t('mine.heading')}</h1>
<noscript><p class="notice info">${t('mine.no_scripts')}</p></noscript>
<div data-orders data-pay-now="${t('pay.now')}"><div data-none hidden><p>${t('mine.none')}</p><p class="hint">${t('mine.none_how')}</p><p><a href="${link('/events/')}">${t('not_found.events')}</a></p></div><ul class="orders"></ul><button class="quiet" data-confirm="${t('mine.forget_confirm')}" hidden>${t('mine.forget')}</button></div>`;
  return {
    title: t('mine.heading'),
    description: t('list.about', { site: config.siteName }),
    main,
    kind: 'my-tickets',
    robots: 'noindex',
  };
}
