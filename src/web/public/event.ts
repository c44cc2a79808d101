import { isoWithOffset } from '../../lib/dates.ts';
import { fromUtc } from '../../lib/local-time.ts';
import { plainText } from '../../lib/text.ts';
import { calendarLinks } from '../feeds/calendar-links.ts';
import { Html, html } from '../html.ts';
import { calendarMenu } from '../parts/calendar-menu.ts';
import { errorSummary, type FormError } from '../parts/notice.ts';
import { picture } from '../parts/picture.ts';
import { addressLines, venuesOf } from '../parts/place.ts';
import { replyForms } from '../parts/reply-form.ts';
import { ticketForm } from '../parts/ticket-form.ts';
import { type Answer, movedTo, type Page } from './answer.ts';
import type { EventBody, TicketBody } from './bodies.ts';
import { DRAWN_SIZE, drawnPath } from './drawn-picture.ts';
import { passwordOf, passwordPage, readEvent } from './event-password.ts';
import type { Form } from './form.ts';
import { answeredAs, NO_REFUSAL, type Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';

interface EventPageOptions {
  /** Why the form that was sent is shown again. */
  refusal?: Refusal;
  chosen?: Form;
}

/** The page of one event, with its tickets. */
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
  const declinable = await declinableOf(visit, tickets);
  return {
    ...answeredAs(refusal),
    title: event.title,
    description: descriptionOf(event, visit),
    main: eventArticle(event, { visit, tickets, declinable, errors: refusal.errors, chosen }),
    kind: 'event',
    canonical: path,
    apiRoot: event.rest_url,
    data: event.json_ld && [event.json_ld],
    picture: linkPicture(event, origin),
    head: html`<link rel="alternate" type="application/json" href="${event.rest_url}">
<link rel="alternate" type="text/calendar" title="iCalendar" href="${link(`${path}ical/`)}">
<link rel="alternate" type="application/json+oembed" href="${origin}/oembed?${String(new URLSearchParams({ url: event.url }))}">`,
    isPersonal: password !== undefined || visit.method === 'POST',
  };
}

const descriptionOf = (event: EventBody, visit: Visit): string =>
  plainText(event.excerpt || event.description).slice(0, 200) || `${event.title}, ${whenOf(event, visit)}`;

const whenOf = ({ start_date, end_date, all_day }: EventBody, { dates }: Visit): string =>
  dates.range(start_date, end_date, all_day === true);

/** The published tickets of an event. */
async function ticketsOf({ ask }: Visit, { id }: EventBody, password: string | undefined): Promise<TicketBody[]> {
  const { tickets } = await ask('tickets.list', { include_post: id, per_page: MAX_TICKETS, password });
  return tickets;
}

const MAX_TICKETS = 50;

async function declinableOf({ ask }: Visit, tickets: readonly TicketBody[]): Promise<readonly number[]> {
  const include = tickets.filter(({ provider }) => provider === 'rsvp').map(({ id }) => id);
  return include.length === 0 ? [] : (await ask('replies.choices', { include })).declinable;
}

interface ArticleOptions {
  visit: Visit;
  tickets: readonly TicketBody[];
  /** Ids of those that may be replied to with "no". */
  declinable: readonly number[];
  errors: readonly FormError[];
  chosen: Form;
}

function eventArticle(event: EventBody, { visit, tickets, declinable, errors, chosen }: ArticleOptions): Html {
  const { t } = visit;
  return html`<article class="event h-event">
${errorSummary(errors, visit)}
${statusBanner(event, visit)}
<header>
<h1 class="p-name">${event.title}</h1>
<p class="event-when"><time class="dt-start" datetime="${isoWithOffset(event.utc_start_date, event.timezone)}"${!event.all_day && html` data-zone="${event.timezone}"`}>${whenOf(event, visit)}</time>${!event.all_day && html` <span class="zone">${event.timezone_abbr}</span>`}</p>
${places(event, visit)}
${addToCalendar(event, visit)}
${event.cost !== '' && html`<p class="event-price">${event.cost}</p>`}
</header>
<div class="event-side">${isOver(event, visit) ? html`<p class="notice info">${t('event.over')}</p>` : html`${ticketForm(event, tickets, { visit, chosen })}${replyForms(event, tickets, { visit, declinable, chosen })}`}</div>
<div class="event-body">
${picture(event.image, { size: 'large', alt: event.title })}
<div class="text e-content">${new Html(event.description)}</div>
${organizers(event, visit)}
${terms(event, visit)}
${event.website !== '' && html`<p><a rel="noopener" href="${event.website}">${t('event.website')}</a></p>`}
</div>
</article>`;
}

function addToCalendar(event: EventBody, visit: Visit): Html {
  const { link, origin } = visit;
  const file = link(`${new URL(event.url, origin).pathname}ical/`);
  const address = `${origin}${file}`;
  const links = calendarLinks(event, address);
  return calendarMenu(visit, { ...links, heading: visit.t('calendar.add'), file, address });
}

/** Whether an event has ended; the page says so at most a minute late. */
function isOver({ utc_end_date }: EventBody, { now, limitFreshness }: Visit): boolean {
  const end = fromUtc(utc_end_date).getTime();
  if (end > now.getTime()) limitFreshness(end);
  return end <= now.getTime();
}

/** What an event that does not take place as planned says first. */
function statusBanner(event: EventBody, { t }: Visit): Html | undefined {
  const status = event.event_status;
  if (status === undefined || status === 'scheduled') return undefined;
  const reason = event.event_status_reason ?? '';
  return html`<p class="notice ${status === 'cancelled' ? 'bad' : 'warn'}"><strong>${t(`status.${status}`)}</strong>${reason !== '' && html` ${reason}`}</p>`;
}

/** The picture that other sites show with a link to an event: its own, or one that is drawn. */
function linkPicture({ image, title, slug }: EventBody, origin: string): Page['picture'] {
  if (!image) return { url: `${origin}${drawnPath({ slug })}`, ...DRAWN_SIZE, alt: title };
  const { url, width, height } = image.sizes?.large ?? image;
  return { url, width, height, alt: image.alt || title };
}

function places(event: EventBody, { link }: Visit): Html[] {
  return venuesOf(event).map(
    (venue) =>
      html`<p class="event-place p-location"><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).map((line) => html`<br>${line}`)}</p>`,
  );
}

function organizers({ organizer }: EventBody, { t, link }: Visit): Html | undefined {
  if (organizer.length === 0) return undefined;
  return html`<section><h2>${t('event.organizers')}</h2>
<ul>${organizer.map((one) => html`<li class="p-organizer"><a href="${link(one.url)}">${one.organizer}</a></li>`)}</ul></section>`;
}

function terms({ categories, tags }: EventBody, { link }: Visit): Html | undefined {
  if (categories.length + tags.length === 0) return undefined;
  const items = [
    ...categories.map(({ slug, name }) => [`/events/category/${slug}/`, name]),
    ...tags.map(({ slug, name }) => [`/tag/${slug}/`, name]),
  ];
  return html`<ul class="terms">${items.map(([path = '', name = '']) => html`<li><a class="p-category" href="${link(path)}">${name}</a></li>`)}</ul>`;
}
