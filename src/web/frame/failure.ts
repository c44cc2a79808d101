import { ApiError, InvalidParams } from '../../http/core/errors.ts';
import { searchField } from './field.ts';
import { html } from './html.ts';
import { schemeIn } from './page.ts';
import type { Page } from './page-response.ts';
import { NotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** Codes of formerly public records that are in the trash. */
const GONE: ReadonlySet<string> = new Set(['event-no-longer-available']);

/**
 * Error page. An address with an impossible value is treated like a missing record.
 * @param report logs a fault and returns the error to show
 */
export function failurePage(visit: Visit, error: unknown, report: (fault: unknown) => ApiError): Page {
  if (error instanceof NotFound || error instanceof InvalidParams) return notFoundPage(visit);
  const known = error instanceof ApiError ? error : report(error);
  return GONE.has(known.code) ? gonePage(visit) : refusalPage(visit, known);
}

/** Whether the requested page is one for frames on other sites. */
const isEmbed = ({ path }: Visit): boolean => path.startsWith('/embed/');

/** Message in a frame on another site, in place of missing events. */
export function embedMessage(
  visit: Visit,
  message: string,
  { status, href = '/events/' }: { status: number; href?: string },
): Page {
  const { t, link, config, query } = visit;
  return {
    status,
    title: config.siteName,
    description: message,
    main: html`<p class="empty">${message}</p>\n<p><a href="${link(href)}">${t(href === '/events/' ? 'home.all' : 'embed.open')}</a></p>`,
    kind: 'embed',
    robots: 'noindex',
    isEmbedded: true,
    scheme: schemeIn(query),
  };
}

/** Explains a refusal or failure with the message of the interface. */
function refusalPage(visit: Visit, { status, messageKey, values, headers }: ApiError): Page {
  const { t, link } = visit;
  if (isEmbed(visit)) return { ...embedMessage(visit, t(messageKey, values), { status }), headers, isPersonal: true };
  const heading = t(status >= 500 ? 'failure.heading' : 'refusal.heading');
  const main = html`<h1>${heading}</h1><p class="lead">${t(messageKey, values)}</p>
<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  const page = { status, headers, main, kind: 'failure', robots: 'noindex', isPersonal: true };
  return { ...page, title: heading, description: heading };
}

/** Error page for a form posted from another site. */
export function foreignPage({ t, link }: Visit): Page {
  const main = html`<h1>${t('foreign.heading')}</h1><p class="lead">${t('foreign.lead')}</p>
<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  return {
    status: 403,
    title: t('foreign.heading'),
    description: t('foreign.lead'),
    main,
    kind: 'failure',
    robots: 'noindex',
    isPersonal: true,
  };
}

/** Page for a record in the trash. */
export const gonePage = (visit: Visit): Page => missing(visit, 'gone');

/** Page for an unknown address. */
export const notFoundPage = (visit: Visit): Page => missing(visit, 'not_found');

/** Kind of the page of a missing address. */
export const MISSING = 'not-found';

/** Error page with ways to continue. */
function missing(visit: Visit, reason: 'not_found' | 'gone'): Page {
  const { t, link } = visit;
  const status = reason === 'gone' ? 410 : 404;
  if (isEmbed(visit)) return embedMessage(visit, t('embed.none'), { status });
  const main = html`<h1>${t(`${reason}.heading`)}</h1>
<p class="lead">${t(`${reason}.lead`)}</p>
<form class="search" role="search" action="${link('/events/')}">${searchField({ t })}</form>
<p><a href="${link('/events/')}">${t('not_found.events')}</a></p>`;
  return {
    status,
    title: t(`${reason}.title`),
    description: t(`${reason}.heading`),
    main,
    kind: MISSING,
    robots: 'noindex',
  };
}
