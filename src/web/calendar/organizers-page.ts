import { plainText } from '../../lib/text/text.ts';
import { html } from '../frame/html.ts';
import { numberedPage, pageNumber } from '../frame/numbered-pages.ts';
import type { Page } from '../frame/page-response.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

const PER_PAGE = 48;
/** Maximum number of characters of a description. */
const MAX_ABOUT = 200;

/**
 * Organizers with events, by name.
 * @throws {NotFound} for pages past the end
 */
export async function organizersPage(visit: Visit): Promise<Page> {
  const { ask, t, link } = visit;
  const read = (page: number) => orNotFound(ask('organizers.list', { has_events: true, page, per_page: PER_PAGE }));
  const page = pageNumber(visit);
  const found = await read(page).catch((error: unknown) => {
    if (error instanceof NotFound && page === 1) return undefined;
    throw error;
  });
  const { organizers = [], total_pages: pages = 1 } = found ?? {};
  const heading = t('event.organizers');
  const { title, canonical, links } = numberedPage(visit, { heading, path: '/organizers/', page, pages });
  const items = organizers.map(
    ({ url, organizer, description = '' }) => html`<li><article class="place">
<h2><a class="p-name" href="${link(url)}" dir="auto">${organizer}</a></h2>
${description !== '' && html`<p dir="auto">${plainText(description).slice(0, MAX_ABOUT)}</p>`}
</article></li>`,
  );
  const main = html`<h1>${heading}</h1>
${items.length > 0 ? html`<ul class="places">${items}</ul>` : html`<p class="empty">${t('empty.nothing')}</p>`}
${links}`;
  const description = t('list.about_subject', { subject: heading, site: visit.config.siteName });
  return { title, description, main, kind: 'organizers', canonical };
}
