import { plainText } from '../../lib/text/text.ts';
import { mappedVenues, placeMap } from '../cards/place.ts';
import { subscribeLinks } from '../feeds/calendar-links.ts';
import { calendarPath, FEED_TYPES, type View } from '../frame/address.ts';
import { type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Venue } from '../frame/responses.ts';
import { nameOf, type Subject } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarMenu } from './calendar-menu.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { filterBar, filterChips } from './filter-bar.ts';
import { filterOptions } from './filter-options.ts';
import { DATED, isFiltered, withoutDates } from './filters.ts';
import { foundRecords } from './found-records.ts';
import { subjectAbout, subjectData, subjectPlace } from './subject-header.ts';

/** View of events, shown below title, filters and tabs. */
export interface CalendarView {
  /** Period in words, such as `March 2027`. */
  period?: string;
  /** Links to other periods, beside the title. */
  nav?: Html;
  /** Number of events. */
  total: number;
  main: Html;
  status?: Page['status'];
  /** Shown events, for search engines. */
  events?: readonly { url: string }[];
  /** Venues on the map. */
  venues?: readonly Venue[];
  /** Replaces the number of events. */
  notice?: string;
  previous?: string;
  next?: string;
}

/** Page of a view. */
export async function calendarFrame(visit: Visit, request: CalendarRequest, view: CalendarView): Promise<Page> {
  const { t, config } = visit;
  const { address, subject, filters } = request;
  const [options, found] = await Promise.all([filterOptions(visit), foundRecords(visit, request)]);
  const heading = headingOf(visit, request);
  const { name, part } = titleOf(visit, request, view);
  const title = [part, name].filter(Boolean).join(', ');
  const about = address.page === 1 ? subjectAbout(subject, visit) : undefined;
  const venues = view.venues ?? (subject.kind === 'venue' && address.page === 1 ? [subject.record] : []);
  const main = html`<header class="view-head"><h1>${name}${part !== undefined && html` <span class="view-part">${part}</span>`}</h1>
${subjectPlace(subject, visit)}
${view.nav}
${view.status === undefined && subscribeMenu(visit, request)}</header>
${filterBar(visit, request, options)}
<div class="view-bar">${viewTabs(visit, request)}
<p class="result" role="status">${view.notice ?? t('list.count', { count: view.total })}</p></div>
${filterChips(visit, request, options)}
${view.venues && placeMap(venues, visit)}
<div class="view-body${about && ' has-about'}"><div class="view-events">
${found}
${view.main}
</div>
${about}</div>`;
  return {
    ...(view.status !== undefined && { status: view.status }),
    title: address.page > 1 ? t('list.page_title', { heading: title, page: String(address.page) }) : title,
    description: t(subject.kind === 'all' ? 'list.about' : 'list.about_subject', {
      site: config.siteName,
      subject: heading,
    }),
    main,
    kind: `event-${address.view}`,
    hasMap: mappedVenues(venues, visit).length > 0,
    head: html`${headOf(view)}${view.status === undefined && feedLinks(visit, request)}`,
    data: [...subjectData(subject), ...itemList(visit, view)],
    picture: pictureOf(subject),
    ...(isHidden(request, view) && { robots: 'noindex, follow' }),
    ...(isFiltered(filters) && { canonical: calendarPath(address) }),
  };
}

/** Maximum number of events in structured data; a month may have hundreds. */
const MAX_ITEMS = 30;

/** The shown events as a list of links (https://schema.org/ItemList). */
function itemList({ origin, link }: Visit, { events = [] }: CalendarView): NonNullable<Page['data']> {
  const urls = [...new Set(events.map(({ url }) => `${origin}${link(url)}`))].slice(0, MAX_ITEMS);
  if (urls.length === 0) return [];
  const itemListElement = urls.map((url, index) => ({ '@type': 'ListItem', position: index + 1, url }));
  return [{ '@context': 'https://schema.org', '@type': 'ItemList', itemListElement }];
}

/** Image of a venue or an organizer, for link previews. */
function pictureOf(subject: Subject): Page['picture'] {
  if (subject.kind === 'all' || subject.kind === 'category' || subject.kind === 'tag') return undefined;
  const { image } = subject.record;
  if (!image) return undefined;
  const { url, width, height } = image.sizes?.large ?? image;
  return { url, width, height, alt: image.alt || nameOf(subject) || '' };
}

/** Title of a page: the subject, with a note for past or featured events only. */
export function headingOf({ t }: Visit, { address, subject }: CalendarRequest): string {
  const name = nameOf(subject);
  const kind = kindOf(address);
  if (kind === undefined) return name ?? t('list.heading');
  return name === undefined ? t(`list.${kind}`) : `${name}: ${t(`list.${kind}`)}`;
}

function kindOf({ isPast, isFeatured }: CalendarRequest['address']): 'past' | 'featured' | undefined {
  if (isPast) return 'past';
  return isFeatured ? 'featured' : undefined;
}

/** Views with a title of their own, which lists and posters share with searches. */
const NAMED = { list: 'heading.list', photo: 'heading.photo', places: 'heading.places' } as const;

/** Characters of a search in a title. */
const MAX_WORDS = 80;

interface Title {
  name: string;
  /** Distinguishes this page from others of the subject. */
  part?: string | undefined;
}

/** Title of a page: the subject, or else the period, the search or the view. */
function titleOf(visit: Visit, request: CalendarRequest, { period }: CalendarView): Title {
  const { t } = visit;
  const { address, subject, filters } = request;
  if (nameOf(subject) !== undefined) return { name: headingOf(visit, request), part: period };
  if (address.isFeatured || address.isPast) return { name: headingOf(visit, request), part: period };
  if (period !== undefined) return { name: period };
  const words = plainText(filters.search ?? '').slice(0, MAX_WORDS);
  if (words !== '') return { name: t('heading.search', { words }) };
  return { name: address.view in NAMED ? t(NAMED[address.view as keyof typeof NAMED]) : t('list.heading') };
}

/** Links to the previous and next period or page, for programs. */
const headOf = ({ previous, next }: CalendarView): Html =>
  html`${previous !== undefined && html`<link rel="prev" href="${previous}">`}
${next !== undefined && html`<link rel="next" href="${next}">`}`;

/** Links to the same events as feeds. */
const feedLinks = (visit: Visit, request: CalendarRequest): Html[] =>
  (['ical', 'rss', 'atom', 'json'] as const).map(
    (format) =>
      html`<link rel="alternate" type="${FEED_TYPES[format]}" title="${visit.t(`feed.${format}`, { heading: headingOf(visit, request) })}" href="${linkTo(visit, request, { format })}">`,
  );

/** Menu to subscribe to coming events, whatever days the page shows, and to download the events of the page. */
function subscribeMenu(visit: Visit, request: CalendarRequest): Html {
  const { t, origin, config } = visit;
  const address = `${origin}${linkTo(visit, request, { ...PLAIN, view: 'list', format: 'ical' })}`;
  const name = `${headingOf(visit, { ...request, address: { ...request.address, isPast: false } })} – ${config.siteName}`;
  return calendarMenu(visit, {
    ...subscribeLinks({ address, name }),
    ...{ heading: t('calendar.subscribe'), file: linkTo(visit, request, { format: 'ical' }), address },
  });
}

/** Search engines should list each event once, not for every filter and view. */
function isHidden({ address, subject, filters }: CalendarRequest, { total }: CalendarView): boolean {
  const isArrangement = address.view !== 'list' && (subject.kind !== 'all' || ['week', 'photo'].includes(address.view));
  return isFiltered(filters) || total === 0 || isArrangement;
}

/** Link to past events of the subject. */
export const pastLink = (visit: Visit, request: CalendarRequest): string =>
  linkTo(visit, request, { view: 'list', date: undefined, isPast: true });

const TABS = ['list', 'month', 'week', 'day', 'photo', 'places'] as const satisfies readonly View[];

/** Links to the same events in other views, with the same filters. */
function viewTabs(visit: Visit, request: CalendarRequest): Html {
  const { t } = visit;
  const { address, subject, filters } = request;
  const tabs = TABS.filter((view) => view !== 'places' || subject.kind !== 'venue').map((view) => {
    const isThis = view === address.view && !address.isPast;
    const target = linkTo(visit, request, {
      ...PLAIN,
      view,
      filters: DATED.has(view) ? withoutDates(filters) : filters,
    });
    return html`<li><a href="${target}"${isThis && html` aria-current="page"`}>${t(`view.${view}`)}</a></li>`;
  });
  return html`<nav class="views" aria-label="${t('view.label')}"><ul>${tabs}</ul></nav>`;
}
