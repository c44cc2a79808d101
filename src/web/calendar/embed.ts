import { eventCard } from '../cards/event-card.ts';
import type { Answer, Page } from '../frame/answer.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { venuesInCity } from './city.ts';
import { readFilters } from './filters.ts';

/** Default number of events in a list. */
const LIMIT = 5;
const MAX_LIMIT = 30;

/**
 * Pages for iframes on other sites; undefined for any other path. They use no cookies, and links open outside the
 * iframe.
 */
export async function embedPage(visit: Visit, [kind, slug, ...rest]: readonly string[]): Promise<Answer | undefined> {
  if (rest.length > 0) return undefined;
  if (kind === 'events' && slug === undefined) return listEmbed(visit);
  return kind === 'event' && slug !== undefined ? eventEmbed(visit, slug) : undefined;
}

/** `/embed/events/` accepts the filters of the calendar, and `limit`. */
async function listEmbed(visit: Visit): Promise<Page> {
  const { ask, t, link, query } = visit;
  const asked = Number(query.get('limit') ?? LIMIT);
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX_LIMIT) : LIMIT;
  const { city, ...filters } = readFilters(query);
  const venues = city === undefined ? {} : { venue: await venuesInCity(visit, city) };
  const isNowhere = venues.venue === '';
  const { events } = isNowhere ? { events: [] } : await ask('events.list', { ...filters, ...venues, per_page: limit });
  return embedded(visit, t('list.heading'), {
    main: html`${events.length > 0 ? cards(events, visit) : html`<p>${t('empty.nothing')}</p>`}
<p><a href="${link('/events/')}">${t('home.all')}</a></p>`,
    canonical: '/events/',
  });
}

async function eventEmbed(visit: Visit, slug: string): Promise<Page> {
  const event = await orNotFound(visit.ask('events.read_by_slug', { slug }));
  return embedded(visit, event.title, {
    main: cards([event], visit),
    canonical: new URL(event.url).pathname,
  });
}

const cards = (events: readonly Event[], visit: Visit): Html =>
  html`<ol class="cards">${events.map((event) => html`<li>${eventCard(event, visit, { withDay: true })}</li>`)}</ol>`;

const embedded = ({ t, config }: Visit, title: string, page: Pick<Page, 'main' | 'canonical'>): Page => ({
  ...page,
  title,
  description: t('list.about', { site: config.siteName }),
  kind: 'embed',
  robots: 'noindex',
  isEmbedded: true,
});
