import { isoWithOffset } from '../../lib/dates/dates.ts';
import { fromUtc } from '../../lib/dates/local-time.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { plainText } from '../../lib/text/text.ts';
import { calendarMenu } from '../calendar/calendar-menu.ts';
import { fact, websiteLink } from '../calendar/subject-header.ts';
import { badges, isCancelled } from '../cards/badges.ts';
import { directions } from '../cards/directions.ts';
import { DRAWN_SIZE, drawnPath } from '../cards/drawn-picture.ts';
import { eventCard } from '../cards/event-card.ts';
import { picture } from '../cards/picture.ts';
import { addressLines, venuesOf } from '../cards/place.ts';
import { mappedVenues, placeMap } from '../cards/place-map.ts';
import { priceLine } from '../cards/price.ts';
import { openTickets } from '../cards/sale.ts';
import { type Stock, stockOfTickets } from '../cards/stock.ts';
import { calendarLinks } from '../feeds/calendar-links.ts';
import { type Answer, movedTo, type Page } from '../frame/answer.ts';
import type { Form } from '../frame/form.ts';
import { Html, html } from '../frame/html.ts';
import { errorSummary, type FormError } from '../frame/notice.ts';
import { answeredAs, NO_REFUSAL, type Refusal } from '../frame/refusal.ts';
import type { Event, Neighbours, Ticket } from '../frame/responses.ts';
import { textOf } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { buyBar } from './buy-bar.ts';
import { passwordOf, passwordPage, readEvent } from './event-password.ts';
import { moreLike } from './more-events.ts';
import { neighbourLinks } from './neighbour-links.ts';
import { replyForms } from './reply-form.ts';
import { shareLinks } from './share-links.ts';
import { ticketForm } from './ticket-form.ts';

/** Page of an unpublished event, for users who may read it. Sales are off. */
export async function eventPreview(visit: Visit, event: Event, banner: Html): Promise<Page> {
  const tickets = event.ticketed ? await ticketsOf(visit, event, undefined) : [];
  const options = { visit, tickets, declinable: [], neighbours: {}, more: [], errors: [], chosen: {} };
  return {
    title: event.title,
    description: descriptionOf(event, visit),
    main: html`${banner}<div inert>${eventContent(event, options)}</div>`,
    kind: 'event',
    hasMap: mappedVenues(venuesOf(event), visit).length > 0,
    isPersonal: true,
  };
}

interface EventPageOptions {
  /** Errors of the submitted form. */
  refusal?: Refusal;
  chosen?: Form;
}

/** Page of one event, with its tickets. */
export async function eventPage(
  visit: Visit,
  slug: string,
  { refusal = NO_REFUSAL, chosen = {} }: EventPageOptions = {},
): Promise<Answer> {
  const { link, origin } = visit;
  const password = passwordOf(visit, slug);
  const event = await readEvent(visit, slug, password);
  if (!event) return passwordPage(visit, slug, { isWrong: password !== undefined });
  const path = new URL(event.url, origin).pathname;
  if (path !== visit.path && visit.method === 'GET') return movedTo(link(path));
  const tickets = event.ticketed ? await ticketsOf(visit, event, password) : [];
  const isRead = visit.method === 'GET';
  const [declinable, neighbours, more] = await Promise.all([
    declinableOf(visit, tickets),
    isRead ? visit.ask('events.neighbours', { id: event.id, start: event.utc_start_date }) : {},
    isRead ? moreLike(visit, event) : [],
  ]);
  return {
    ...answeredAs(refusal),
    title: event.title,
    description: descriptionOf(event, visit),
    main: eventContent(event, { visit, tickets, declinable, neighbours, more, errors: refusal.errors, chosen }),
    kind: 'event',
    canonical: path,
    apiRoot: event.rest_url,
    data: event.json_ld && [event.json_ld],
    picture: linkPicture(event, origin),
    head: html`<link rel="alternate" type="application/json" href="${event.rest_url}">
<link rel="alternate" type="text/calendar" title="iCalendar" href="${link(`${path}ical/`)}">
<link rel="alternate" type="application/json+oembed" href="${origin}/oembed?${String(new URLSearchParams({ url: event.url }))}">`,
    hasMap: mappedVenues(venuesOf(event), visit).length > 0,
    isPersonal: password !== undefined || visit.method === 'POST',
  };
}

const descriptionOf = (event: Event, visit: Visit): string =>
  plainText(event.excerpt || event.description).slice(0, 200) || `${event.title}, ${whenOf(event, visit)}`;

const whenOf = ({ start_date, end_date, all_day }: Event, { dates }: Visit): string =>
  dates.range(start_date, end_date, all_day === true);

/** Published tickets of an event. */
async function ticketsOf({ ask }: Visit, { id }: Event, password: string | undefined): Promise<Ticket[]> {
  return openTickets(await ask('tickets.list', { include_post: id, per_page: MAX_TICKETS, password }));
}

const MAX_TICKETS = 50;

async function declinableOf({ ask }: Visit, tickets: readonly Ticket[]): Promise<readonly number[]> {
  const include = tickets.filter(({ provider }) => provider === 'rsvp').map(({ id }) => id);
  return include.length === 0 ? [] : (await ask('replies.choices', { include })).declinable;
}

interface ContentOptions {
  visit: Visit;
  tickets: readonly Ticket[];
  /** Ids of tickets that accept "no". */
  declinable: readonly number[];
  neighbours: Neighbours;
  /** Suggested events. */
  more: readonly Event[];
  errors: readonly FormError[];
  chosen: Form;
}

function eventContent(event: Event, options: ContentOptions): Html {
  const { visit, tickets, declinable, neighbours, more, errors, chosen } = options;
  const { t } = visit;
  const closed = closedBecause(event, tickets, visit);
  const offer = html`${ticketForm(event, tickets, { visit, chosen })}${replyForms(event, tickets, { visit, declinable, chosen })}`;
  return html`<article class="event h-event">
${errorSummary(errors, visit)}
${statusBanner(event, visit)}
<header${isCancelled(event) && html` class="is-cancelled"`}><h1 class="p-name">${event.title}</h1></header>
<div class="event-side">
${eventFacts(event, visit, closed === undefined ? stockOfTickets(tickets, visit) : undefined)}
${closed === undefined ? offer : html`<p class="notice info">${closed}</p>`}
</div>
<div class="event-body">
${picture(event.image, { size: 'large', alt: event.title, isFirst: true })}
<div class="text e-content">${new Html(event.description)}</div>
${eventDetails(event, visit)}
${shareLinks(event, visit)}
</div>
</article>
${more.length > 0 && html`<section class="event-more"><h2>${t('event.more')}</h2><ol class="cards">${more.map((one) => html`<li>${eventCard(one, visit, { withDay: true })}</li>`)}</ol></section>`}
${neighbourLinks(neighbours, visit)}
${closed === undefined && buyBar(tickets, visit)}`;
}

/** Reason for closed sales: the event has ended or does not take place. */
function closedBecause(event: Event, tickets: readonly Ticket[], visit: Visit): string | undefined {
  if (isOver(event, visit)) return visit.t('event.over');
  return isCancelled(event) && tickets.length > 0 ? visit.t('tickets.cancelled') : undefined;
}

/** Date, venue and price. */
function eventFacts(event: Event, visit: Visit, stock: Stock | undefined): Html {
  const zone = !event.all_day && html` data-zone="${event.timezone}"`;
  const price = priceLine(event, visit);
  return html`<div class="event-facts">
<p class="event-when"><time class="dt-start" datetime="${isoWithOffset(event.utc_start_date, event.timezone)}"${zone}>${whenShown(event, visit)}</time>${!event.all_day && html` <span class="zone">${event.timezone_abbr}</span>`}</p>
${addToCalendar(event, visit)}
${places(event, visit)}
${placeMap(venuesOf(event), visit)}
${(price || stock) && html`<p class="event-price">${price} ${badges(event, visit, { stock, isStatusSaid: true })}</p>`}
</div>`;
}

/** Like `whenOf`, without line breaks within one day. */
function whenShown(event: Event, visit: Visit): Html | string {
  const { start_date: start, end_date: end, all_day } = event;
  const isTimed = start.slice(0, 10) === end.slice(0, 10) && !all_day;
  if (!isTimed) return whenOf(event, visit);
  return html`${visit.dates.day(start)}, <span class="times">${visit.dates.times(start, end)}</span>`;
}

function addToCalendar(event: Event, visit: Visit): Html {
  const { link, origin } = visit;
  const file = link(`${new URL(event.url, origin).pathname}ical/`);
  const address = `${origin}${file}`;
  const links = calendarLinks(event, address);
  return calendarMenu(visit, { ...links, heading: visit.t('calendar.add'), file, address });
}

/** Tests if an event has ended; the page is at most a minute late. */
function isOver({ utc_end_date }: Event, { now, limitFreshness }: Visit): boolean {
  const end = fromUtc(utc_end_date).getTime();
  if (end > now.getTime()) limitFreshness(end);
  return end <= now.getTime();
}

/** Banner for cancelled, postponed or rescheduled events. */
function statusBanner(event: Event, { t }: Visit): Html | undefined {
  const status = event.event_status;
  if (status === undefined || status === 'scheduled') return undefined;
  const reason = event.event_status_reason ?? '';
  return html`<p class="notice ${status === 'cancelled' ? 'bad' : 'warn'}"><strong>${t(`status.${status}`)}</strong>${reason !== '' && html` ${reason}`}</p>`;
}

/** Image of link previews: the event's own, or a drawn one. */
function linkPicture({ image, title, slug }: Event, origin: string): Page['picture'] {
  if (!image) return { url: `${origin}${drawnPath({ slug })}`, ...DRAWN_SIZE, alt: title };
  const { url, width, height } = image.sizes?.large ?? image;
  return { url, width, height, alt: image.alt || title };
}

function places(event: Event, visit: Visit): Html | Html[] {
  const { t, link } = visit;
  const venues = venuesOf(event);
  if (venues.length === 0 && event.event_status === 'moved_online')
    return html`<p class="event-place">${t('event.online')}</p>`;
  return venues.map((venue) => {
    const ways = directions(venue, visit);
    return html`<p class="event-place p-location"><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).map((line) => html`<br>${line}`)}${ways && html`<br>${ways}`}</p>`;
  });
}

/** Kinds of linked records that are listed by name; the venue has its own lines. */
const LISTED_KINDS = LINKED_KIND_NAMES.filter((kind) => kind !== 'venue');

function linkedFact(event: Event, kind: (typeof LISTED_KINDS)[number], { t, link }: Visit): Html[] {
  const records = event[kind];
  if (records.length === 0) return [];
  const links = records.map(
    (one, index) =>
      html`${index > 0 && html`<br>`}<a class="p-${kind}" href="${link(one.url)}">${textOf(one, kind)}</a>`,
  );
  return [fact(t(`event.${LINKED_KINDS[kind].plural}`), html`${links}`)];
}

/** Organizers, website, categories and tags. */
function eventDetails(event: Event, visit: Visit): Html {
  const { website, categories, tags } = event;
  const { t, link } = visit;
  const facts = [
    ...LISTED_KINDS.flatMap((kind) => linkedFact(event, kind, visit)),
    ...(website === '' ? [] : [fact(t('event.website'), websiteLink(website))]),
  ];
  const terms = [
    ...categories.map(({ slug, name }) => [`/events/category/${slug}/`, name]),
    ...tags.map(({ slug, name }) => [`/tag/${slug}/`, name]),
  ];
  return html`${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}
${terms.length > 0 && html`<ul class="terms">${terms.map(([path = '', name = '']) => html`<li><a class="p-category" href="${link(path)}">${name}</a></li>`)}</ul>`}`;
}
