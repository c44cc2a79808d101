import { mappedVenues, placeMap } from '../cards/place-map.ts';
import { subscribeLinks } from '../feeds/calendar-links.ts';
import { calendarPath, FEED_TYPES } from '../frame/address.ts';
import type { Page } from '../frame/answer.ts';
import { type Html, html } from '../frame/html.ts';
import type { Venue } from '../frame/responses.ts';
import { nameOf } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { calendarMenu } from './calendar-menu.ts';
import { type CalendarRequest, linkTo, PLAIN } from './calendar-request.ts';
import { chipWords, filterBar, filterChips } from './filter-bar.ts';
import { type FilterOptions, filterOptions } from './filter-options.ts';
import { FILTER_NAMES, isFiltered } from './filters.ts';
import { subjectAbout, subjectData } from './subject-header.ts';
import { viewTabs } from './view-tabs.ts';

/** View of events, shown below title, filters and tabs. */
export interface CalendarView {
  /** Period in words, such as `March 2027`. */
  period?: string;
  /** Number of events. */
  total: number;
  main: Html;
  status?: Page['status'];
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
  const options = await filterOptions(visit);
  const heading = headingOf(visit, request);
  const title = [view.period, heading].filter(Boolean).join(', ');
  const chips = filterChips(visit, request, options);
  const venues = view.venues ?? (subject.kind === 'venue' && address.page === 1 ? [subject.record] : []);
  const main = html`<header class="about-page"><h1>${heading}</h1>
${address.page === 1 && subjectAbout(subject, visit)}</header>
${filterBar(visit, request, options)}
${viewTabs(visit, request)}
<div class="results"><p class="result" role="status">${view.notice ?? resultLine(visit, request, { view, options })}</p>
${chips}</div>
${view.venues && placeMap(venues, visit)}
${view.main}
${view.status === undefined && subscribeMenu(visit, request)}`;
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
    data: subjectData(subject),
    ...(isHidden(request, view) && { robots: 'noindex, follow' }),
    ...(isFiltered(filters) && { canonical: calendarPath(address) }),
  };
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

interface Result {
  view: CalendarView;
  options: FilterOptions;
}

/** `23 events with “jazz”, from Saturday 6 March`. */
function resultLine(visit: Visit, { filters }: CalendarRequest, { view, options }: Result): string {
  const words = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [chipWords(name, value, { visit, options })];
  });
  const count = visit.t('list.count', { count: view.total });
  return [count, ...(view.period === undefined ? [] : [view.period]), ...words].join(' · ');
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
