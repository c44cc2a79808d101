import { ApiError } from '../../http/errors.ts';
import { html } from '../html.ts';
import type { Page } from './answer.ts';
import { NotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** Codes of records that were public once and are in the trash. */
const GONE: ReadonlySet<string> = new Set(['event-no-longer-available']);

/** The page in place of one that cannot be shown; undefined for faults, which are answered elsewhere. */
export function failurePage(visit: Visit, error: unknown): Page | undefined {
  if (error instanceof NotFound) return notFoundPage(visit);
  if (error instanceof ApiError && GONE.has(error.code)) return { ...notFoundPage(visit), status: 410 };
  return undefined;
}

/** The page for a form that was posted from a page of another site. */
export function foreignPage({ t, link }: Visit): Page {
  const main = html`<h1>${t('foreign.heading')}</h1><p class="lead">${t('foreign.lead')}</p>
<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  return {
    status: 403,
    title: t('foreign.heading'),
    description: t('foreign.lead'),
    main,
    kind: 'not-found',
    robots: 'noindex',
    isPersonal: true,
  };
}

/** The page of an address that has none. */
export function notFoundPage({ t, link }: Visit): Page {
  const main = html`<h1>${t('not_found.heading')}</h1>
<p class="lead">${t('not_found.lead')}</p>
<form class="search" role="search" action="${link('/events/')}"><label>${t('filter.search')} <input type="search" name="search" maxlength="200"></label><button>${t('filter.find')}</button></form>
<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  return {
    status: 404,
    title: t('not_found.title'),
    description: t('not_found.about'),
    main,
    kind: 'not-found',
    robots: 'noindex',
  };
}
