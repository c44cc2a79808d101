import { toUtc } from '../../lib/dates/local-time.ts';
import { encodedSlug } from '../../lib/text/slug.ts';
import { eventCard } from '../cards/event-card.ts';
import { isSaleClosed } from '../cards/event-status.ts';
import { offerId, saleOf, stockOfTickets, ticketsOfEvents } from '../cards/sale.ts';
import { calendarAddress } from '../frame/address.ts';
import { embedMessage } from '../frame/failure.ts';
import { type Html, html } from '../frame/html.ts';
import { schemeIn } from '../frame/page.ts';
import type { Page, PageResponse } from '../frame/page-response.ts';
import type { Event, Ticket } from '../frame/responses.ts';
import { readEvent } from '../frame/subject.ts';
import { languagePrefix, queryText, type Visit } from '../frame/visit.ts';
import { venuesInCity } from './city.ts';
import { collapsed } from './event-windows.ts';
import { readFilters, withoutDates } from './filters.ts';
import { monthView } from './month-page.ts';

/** Default number of events in a list. */
const LIMIT = 5;
const MAX_LIMIT = 30;

/**
 * Pages for iframes on other sites; undefined for any other path. They use no cookies, and links open outside the
 * iframe. `theme` chooses the colour scheme, `language` redirects to the page in that language.
 */
export async function embedPage(
  visit: Visit,
  [kind, slug, ...rest]: readonly string[],
): Promise<PageResponse | undefined> {
  if (rest.length > 0) return undefined;
  const elsewhere = inLanguage(visit);
  if (elsewhere !== undefined) return { redirect: elsewhere, status: 302 };
  if (kind === 'month') return monthEmbed(visit, slug);
  if (kind === 'events' && slug === undefined) return listEmbed(visit);
  return kind === 'event' && slug !== undefined ? eventEmbed(visit, slug) : undefined;
}

/** Address in the language of the query, if the page is in another one. */
function inLanguage({ query, config, language, path }: Visit): string | undefined {
  const asked = query.get('language')?.toLowerCase();
  const known = config.languages.find((one) => one.toLowerCase() === asked);
  if (known === undefined || known === language) return undefined;
  const others = new URLSearchParams([...query].filter(([name]) => name !== 'language'));
  return `${languagePrefix(known, config)}${path}${queryText(others)}`;
}

/** `/embed/events/` accepts the filters of the calendar, and `limit`. */
async function listEmbed(visit: Visit): Promise<Page> {
  const { ask, t, link, query } = visit;
  const asked = Number(query.get('limit') ?? LIMIT);
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX_LIMIT) : LIMIT;
  const { city, ...filters } = readFilters(query);
  const venues = city === undefined ? {} : { venue: await venuesInCity(visit, city) };
  const isNowhere = venues.venue === '';
  const { events } = isNowhere
    ? { events: [] }
    : await ask('events.list', { ...filters, ...venues, ...collapsed(visit), per_page: limit });
  return embedded(visit, t('list.heading'), {
    main: html`${events.length > 0 ? await cards(events, visit) : html`<p class="empty">${t('embed.none')}</p>`}
<p><a href="${link('/events/')}">${t('home.all')}</a></p>`,
    canonical: '/events/',
  });
}

/** A protected event is only named by a link to its page, where the password can be entered. */
async function eventEmbed(visit: Visit, slug: string): Promise<Page> {
  const event = await readEvent(visit, slug, undefined);
  if (!event)
    return embedMessage(visit, visit.t('password.heading'), { status: 403, href: `/event/${encodedSlug(slug)}/` });
  return embedded(visit, event.title, {
    main: await cards([event], visit),
    canonical: new URL(event.url).pathname,
  });
}

/** `/embed/month/` and `/embed/month/2027-03/`, with the filters of the calendar. Other months open in the frame. */
async function monthEmbed(visit: Visit, month: string | undefined): Promise<Page | undefined> {
  const address = calendarAddress(month === undefined ? MONTH : `${MONTH}${encodeURIComponent(month)}/`);
  if (address?.view !== 'month' || address.format !== 'page' || address.isFeatured) return undefined;
  const inFrame = { ...visit, link: linkInFrame(visit) };
  const filters = withoutDates(readFilters(visit.query));
  const venues = filters.city === undefined ? {} : { venuesInCity: await venuesInCity(visit, filters.city) };
  const {
    period = '',
    main,
    nav,
  } = await monthView(inFrame, { address, subject: { kind: 'all' }, filters, ...venues });
  return embedded(visit, period, {
    main: html`<div class="embed-period"><h2>${period}</h2>${nav}</div>${main}`,
    canonical: MONTH,
  });
}

const MONTH = '/events/month/';

/** Links to months stay in the frame, in its colour scheme. */
function linkInFrame({ link, query }: Visit): Visit['link'] {
  const scheme = schemeIn(query);
  return (path) => {
    if (!path.startsWith(MONTH)) return link(path);
    const address = link(`/embed${path.slice('/events'.length)}`);
    return scheme === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}theme=${scheme}`;
  };
}

async function cards(events: readonly Event[], visit: Visit): Promise<Html> {
  const tickets = await ticketsOfEvents(visit, events);
  const items = events.map((event) => {
    const own = tickets.get(event.id) ?? [];
    const options = { withDay: true, stock: stockOfTickets(own, visit) };
    return html`<li>${eventCard(event, visit, options)}${ticketsLink(event, own, visit)}</li>`;
  });
  return html`<ol class="cards">${items}</ol>`;
}

/** Link to the tickets of an event, while there are any. */
function ticketsLink(event: Event, tickets: readonly Ticket[], visit: Visit): Html | undefined {
  const { t, link, now } = visit;
  const open = tickets.filter((ticket) => saleOf(ticket, visit) === 'open');
  if (open.length === 0 || isSaleClosed(event) || event.utc_end_date <= toUtc(now)) return undefined;
  const target = offerId(open);
  return html`<p class="get-tickets"><a class="button" href="${link(event.url)}#${target}">${t(target === 'tickets' ? 'embed.tickets' : 'reply.heading')}<span class="visually-hidden">: ${event.title}</span></a></p>`;
}

const embedded = ({ t, config, query }: Visit, title: string, page: Pick<Page, 'main' | 'canonical'>): Page => ({
  ...page,
  title,
  description: t('list.about', { site: config.siteName }),
  kind: 'embed',
  robots: 'noindex',
  isEmbedded: true,
  scheme: schemeIn(query),
});
