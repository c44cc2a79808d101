import { modeOf } from '../../calendar/events/attendance.ts';
import type { LinkedRecord } from '../../calendar/linked-kinds/registry.ts';
import { isoWithOffset } from '../../lib/dates/dates.ts';
import { fromUtc } from '../../lib/dates/local-time.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { calendarMenu } from '../calendar/calendar-menu.ts';
import { dialled, fact, websiteLink } from '../calendar/subject-header.ts';
import { badges, isCancelled, otherDate } from '../cards/event-status.ts';
import { addressLines, directions, onlineLink, placeMap, venuesOf } from '../cards/place.ts';
import { priceLine } from '../cards/price.ts';
import type { Stock } from '../cards/sale.ts';
import { calendarLinks } from '../feeds/calendar-links.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import { textOf } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Facts about an event on its page: dates, places and price beside the title, everything else below the text. */

/** Date, venue and price. */
export function eventFacts(event: Event, visit: Visit, stock: Stock | undefined): Html {
  const isPostponed = event.event_status === 'postponed';
  const zone = !event.all_day && !isPostponed && html` data-zone="${event.timezone}"`;
  const price = priceLine(event, visit);
  const takesPlace = !isPostponed && !isCancelled(event) && !isOver(event, visit);
  return html`<div class="event-facts">
<div class="event-dates"><p class="event-when${isPostponed && ' is-postponed'}"><time class="dt-start" datetime="${isoWithOffset(event.utc_start_date, event.timezone)}"${zone}>${whenShown(event, visit)}</time>${!event.all_day && html`&nbsp;<span class="zone">${event.timezone_abbr}</span>`}</p>
${otherDate(event, visit)}
${takesPlace && addToCalendar(event, visit)}</div>
${doors(event, visit)}
${places(event, visit)}
${onlinePlace(event, visit)}
${(price || stock) && html`<p class="event-price">${price} ${badges(event, visit, { stock, isStatusSaid: true })}</p>`}
</div>`;
}

export const whenOf = ({ start_date, end_date, all_day }: Event, { dates }: Visit): string =>
  dates.range(start_date, end_date, all_day === true);

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
  const links = calendarLinks(event, visit.language);
  return calendarMenu(visit, { ...links, heading: visit.t('calendar.add'), file, address });
}

/** Tests if an event has ended; the page is at most a minute late. */
export function isOver({ utc_end_date }: Event, { now, limitFreshness }: Visit): boolean {
  const end = fromUtc(utc_end_date).getTime();
  if (end > now.getTime()) limitFreshness(end);
  return end <= now.getTime();
}

/** Venues that people come to. */
export const placesShown = (event: Event) => (modeOf(event) === 'online' ? [] : venuesOf(event));

function places(event: Event, visit: Visit): Html[] {
  const { link } = visit;
  return placesShown(event).map((venue) => {
    const ways = directions(venue, visit);
    return html`<p class="event-place p-location"><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).length > 0 && html`<br>${addressLines(venue).join(', ')}`}${ways && html`<br>${ways}`}</p>`;
  });
}

/** Line with the time at which doors open. */
const doors = ({ door_time, start_date }: Event, { t, dates }: Visit): Html | undefined =>
  door_time === undefined
    ? undefined
    : html`<p class="event-doors">${t('event.doors', { time: dates.time(`${start_date.slice(0, 10)} ${door_time}:00`) })}</p>`;

/** Online attendance, with the address as far as visitors may know it. */
function onlinePlace(event: Event, { t }: Visit): Html | undefined {
  const mode = modeOf(event);
  if (mode === 'on_site') return undefined;
  const { online_url, ticketed } = event;
  const isForHolders = online_url === undefined && ticketed && !isCancelled(event);
  return html`<p class="event-place event-online">${t(mode === 'online' ? 'event.online' : 'event.also_online')}
${online_url !== undefined && html`<br>${onlineLink(online_url, t('event.online_join'))}`}
${isForHolders && html`<br><span class="hint">${t('event.online_holders')}</span>`}</p>`;
}

/** Organizers, website, categories and tags. */
export function eventDetails(event: Event, visit: Visit): Html {
  const { website, accessibility, categories, tags } = event;
  const { t, link } = visit;
  const facts = [
    ...LISTED_KINDS.flatMap((kind) => linkedFact(event, kind, visit)),
    ...(website === '' ? [] : [fact(t('event.website'), websiteLink(website))]),
    ...(accessibility ? [fact(t('event.accessibility'), html`<span dir="auto">${accessibility}</span>`)] : []),
  ];
  const terms = [
    ...categories.map(({ slug, name }) => [`/events/category/${slug}/`, name]),
    ...tags.map(({ slug, name }) => [`/tag/${slug}/`, name]),
  ];
  return html`${placeMap(placesShown(event), visit)}
${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}
${terms.length > 0 && html`<ul class="terms">${terms.map(([path = '', name = '']) => html`<li><a class="p-category" href="${link(path)}">${name}</a></li>`)}</ul>`}`;
}

/** Kinds of linked records that are listed by name; the venue has its own lines. */
const LISTED_KINDS = LINKED_KIND_NAMES.filter((kind) => kind !== 'venue');

function linkedFact(event: Event, kind: (typeof LISTED_KINDS)[number], { t, link }: Visit): Html[] {
  const records = event[kind];
  if (records.length === 0) return [];
  const links = records.map(
    (one, index) =>
      html`${index > 0 && html`<br>`}<a class="p-${kind}" href="${link(one.url)}"><bdi>${textOf(one, kind)}</bdi></a>${contactLinks(one)}`,
  );
  return [fact(t(`event.${LINKED_KINDS[kind].plural}`), html`${links}`)];
}

/** Telephone and e-mail of an organizer, after the name. */
const contactLinks = (record: LinkedRecord): Html[] => {
  const [phone, email] = [textOf(record, 'phone'), textOf(record, 'email')];
  return [
    ...(phone ? [html`<br><a href="tel:${dialled(phone)}">${phone}</a>`] : []),
    ...(email ? [html`<br><a href="mailto:${email}">${email}</a>`] : []),
  ];
};
