import { encodeQuery } from '../../http/core/urls.ts';
import { isFree } from '../../lib/money/cost.ts';
import { plainText } from '../../lib/text/text.ts';
import { hostOf } from '../calendar/subject-header.ts';
import { DRAWN_SIZE, drawnPath } from '../cards/drawn-picture.ts';
import { eventCard } from '../cards/event-card.ts';
import { isCancelled, isSaleClosed, statusBanner } from '../cards/event-status.ts';
import { picture } from '../cards/picture.ts';
import { mappedVenues } from '../cards/place.ts';
import { priceInWords } from '../cards/price.ts';
import { offerId, presentPrice, type Sale, type Stock, saleOf, stockOfTickets } from '../cards/sale.ts';
import type { Form } from '../frame/form.ts';
import { Html, html } from '../frame/html.ts';
import { errorSummary, type FormError } from '../frame/notice.ts';
import { movedTo, type Page, type PageResponse } from '../frame/page-response.ts';
import { NO_REFUSAL, refusedHead } from '../frame/refusal.ts';
import type { Event, Neighbours, Ticket } from '../frame/responses.ts';
import { type SentForm, sentForm } from '../frame/sent-form.ts';
import { readEvent } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { eventDetails, eventFacts, isOver, placesShown, whenOf } from './event-facts.ts';
import { passwordOf, passwordPage, wrongPassword } from './event-password.ts';
import {
  moreLike,
  neighbourLinks,
  otherDates,
  type SeriesDates,
  seriesLine,
  seriesOf,
  wayToOtherDates,
} from './other-events.ts';
import { codeOf, type Opened, ticketsWithCode, untriedCode, withCode } from './promotion-code.ts';
import { rsvpForms } from './rsvp-form.ts';
import { ticketForm } from './ticket-form.ts';

/** Page of an unpublished event, for users who may read it. Sales are off. */
export async function eventPreview(visit: Visit, event: Event, banner: Html): Promise<Page> {
  const { tickets } = await ticketsOf(visit, event, {});
  const options = { visit, tickets, declinable: [], neighbours: {}, more: [], errors: [], chosen: {} };
  return {
    title: event.title,
    description: descriptionOf(event, visit),
    main: html`${banner}<div inert>${eventContent(event, options)}</div>`,
    kind: 'event',
    hasMap: mappedVenues(placesShown(event), visit).length > 0,
    isPersonal: true,
  };
}

/** Page of one event, with its tickets. */
export async function eventPage(visit: Visit, slug: string, sent: SentForm = sentForm(visit)): Promise<PageResponse> {
  const { link, origin } = visit;
  const { refusal, form: chosen } = sent;
  const password = passwordOf(visit, slug);
  const event = await readEvent(visit, slug, password);
  if (!event) return passwordPage(visit, slug, password === undefined ? refusal : wrongPassword(visit));
  const path = new URL(event.url, origin).pathname;
  if (path !== visit.path && visit.method === 'GET') return movedTo(withCode(link(path), codeOf(visit)));
  const entered = codeOf(visit, chosen);
  const code = isOver(event, visit) || isSaleClosed(event) ? undefined : untriedCode(visit, sent);
  const { tickets, accepted, refusal: refusedCode } = await ticketsOf(visit, event, { password, code });
  const isRead = visit.method === 'GET';
  const [declinable, series, neighbours, more] = await Promise.all([
    declinableOf(visit, tickets),
    seriesOf(visit, event),
    isRead ? visit.ask('events.neighbours', { id: event.id, start: event.utc_start_date }) : {},
    isRead ? moreLike(visit, event) : [],
  ]);
  const errors = [...refusal.errors, ...refusedCode.errors];
  return {
    ...refusedHead(refusal.errors.length > 0 ? refusal : refusedCode),
    title: event.title,
    description: descriptionOf(event, visit),
    main: eventContent(event, {
      visit,
      tickets,
      declinable,
      series,
      neighbours,
      more,
      errors,
      chosen,
      entered,
      accepted,
    }),
    kind: 'event',
    canonical: path,
    apiRoot: event.rest_url,
    data: dataOf(event, origin, series),
    picture: linkPicture(event, origin),
    head: html`<link rel="alternate" type="application/json" href="${event.rest_url}">
<link rel="alternate" type="text/calendar" title="iCalendar" href="${link(`${path}ical/`)}">
<link rel="alternate" type="application/json+oembed" href="${origin}/oembed?${String(new URLSearchParams({ url: event.url }))}">`,
    hasMap: mappedVenues(placesShown(event), visit).length > 0,
    ...(entered !== undefined && { robots: 'noindex, follow' }),
    isPersonal:
      [password, entered].some((secret) => secret !== undefined) ||
      !isRead ||
      errors.length > 0 ||
      Object.keys(chosen).length > 0,
  };
}

const descriptionOf = (event: Event, visit: Visit): string =>
  plainText(event.excerpt || event.description).slice(0, 200) || `${event.title}, ${whenOf(event, visit)}`;

/** Published tickets of an event in the order of its organizer, unavailable ones last. */
async function ticketsOf(
  visit: Visit,
  { id, ticketed }: Event,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<Opened> {
  // Hidden tickets do not count for `ticketed`.
  if (!ticketed && code === undefined) return { tickets: [], accepted: undefined, refusal: NO_REFUSAL };
  const params = { include_post: id, per_page: MAX_TICKETS, orderby: 'menu_order', password };
  const { tickets, ...opened } = await ticketsWithCode(visit, params, code);
  const rank = (ticket: Ticket) => SALES.indexOf(saleOf(ticket, visit));
  return { ...opened, tickets: tickets.sort((a, b) => rank(a) - rank(b)) };
}

const SALES: readonly Sale[] = ['open', 'soon', 'sold_out', 'over'];

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
  series?: SeriesDates;
  neighbours: Neighbours;
  /** Suggested events. */
  more: readonly Event[];
  errors: readonly FormError[];
  chosen: Form;
  /** Code that the visitor has entered. */
  entered?: string | undefined;
  /** The entered code, if it is valid. */
  accepted?: string | undefined;
}

function eventContent(event: Event, options: ContentOptions): Html {
  const { visit, tickets, declinable, series, neighbours, more, errors, chosen, entered, accepted } = options;
  const { t } = visit;
  const closed = closedBecause(event, tickets, visit);
  const offer = html`${ticketForm(event, tickets, { visit, chosen, entered, accepted })}${rsvpForms(event, tickets, { visit, declinable, chosen })}`;
  const takesCodes = event.takes_codes === true && !isSaleClosed(event);
  const hasOffer = closed === undefined && (tickets.length > 0 || takesCodes || entered !== undefined);
  const stock = closed === undefined ? stockOfTickets(tickets, visit) : undefined;
  return html`<article class="event h-event">
${errorSummary(errors, visit)}
${statusBanner(event, visit)}
${trail(event, visit)}
<header class="event-top${event.image && ' has-picture'}${isCancelled(event) && ' is-cancelled'}">
${picture(event.image, { size: 'large', alt: event.title, isFirst: true })}
<div class="event-lead"><h1 dir="auto" class="p-name">${event.title}</h1>
${eventFacts(event, visit, stock)}
${seriesLine(series, visit)}
${closed === undefined ? wayIn(event, tickets, { visit, stock, series }) : html`<p class="notice info">${closed}</p>`}
${refunds(event, tickets, visit)}</div></header>
<div class="event-rest${hasOffer && ' has-offer'}">
${hasOffer && html`<div class="event-side">${offer}</div>`}
<div class="event-body">
${event.description !== '' && html`<div class="text e-content" dir="auto">${new Html(event.description)}</div>`}
${eventDetails(event, visit)}
${shareLinks(event, visit)}
</div></div>
</article>
${otherDates(series, event, visit)}
${more.length > 0 && html`<section class="event-more"><h2>${t('event.more')}</h2><ol class="cards">${more.map((one) => html`<li>${eventCard(one, visit, { withDay: true })}</li>`)}</ol></section>`}
${neighbourLinks(neighbours, visit)}
${closed === undefined && buyBar(tickets, visit)}`;
}

/** Reason for closed sales: the event has ended, or its status closes them. */
function closedBecause(event: Event, tickets: readonly Ticket[], visit: Visit): string | undefined {
  if (isOver(event, visit)) return visit.t('event.over');
  if (tickets.length === 0 || !isSaleClosed(event)) return undefined;
  return visit.t(isCancelled(event) ? 'tickets.cancelled' : 'tickets.postponed');
}

/** Text of the site about refunds, for a cancelled event whose tickets were sold. */
function refunds(event: Event, tickets: readonly Ticket[], { t, site }: Visit): Html | undefined {
  const isSold = isCancelled(event) && tickets.some(({ provider }) => provider === 'tc');
  if (!isSold || !site?.refunds) return undefined;
  // The text is sanitised.
  return html`<section class="refunds text"><h2>${t('event.refunds')}</h2>${new Html(site.refunds)}</section>`;
}

/** Links to the calendar and to the category of an event, above its title. */
function trail({ categories: [category] }: Event, { t, link }: Visit): Html {
  return html`<nav class="trail" aria-label="${t('event.trail')}"><a class="trail-link" href="${link('/events/')}"><span aria-hidden="true">‹</span> ${t('nav.events')}</a>${category && html` <span aria-hidden="true">/</span> <a class="trail-link" href="${link(`/events/category/${category.slug}/`)}">${category.name}</a>`}</nav>`;
}

/** Button to the tickets, or a note how to get in without them; for a sold-out event, a button to the other dates. */
function wayIn(
  event: Event,
  tickets: readonly Ticket[],
  { visit, stock, series }: Pick<ContentOptions, 'visit' | 'series'> & { stock: Stock | undefined },
): Html | undefined {
  const { t } = visit;
  const { website, cost } = event;
  const isOpen = (ticket: Ticket) => saleOf(ticket, visit) === 'open';
  // Nothing can be bought with sold-out tickets.
  if (stock === 'sold_out') return wayToOtherDates(series, event, visit);
  const target = offerId(tickets);
  const words = t(target === 'tickets' ? 'event.get_tickets' : 'event.reply');
  if (tickets.length > 0)
    return html`<p class="way-in"><a class="button${!tickets.some(isOpen) && ' quiet'}" href="#${target}">${words}</a></p>`;
  if (cost === '' || isFree(cost) || isSaleClosed(event)) return html``;
  return website === ''
    ? html`<p class="way-in hint">${t('event.sold_elsewhere')}</p>`
    : html`<p class="way-in"><a class="button quiet" rel="noopener" href="${website}">${t('event.tickets_at', { host: hostOf(website) })}</a></p>`;
}

/** Structured data; search engines require a location and prefer an image. */
function dataOf(event: Event, origin: string, dates: SeriesDates | undefined): Page['data'] {
  const { json_ld: data } = event;
  if (data?.location === undefined) return [];
  const superEvent = dates && { '@type': 'EventSeries', name: dates.series.title, url: dates.series.url };
  return [{ image: linkPicture(event, origin).url, ...data, ...(superEvent && { superEvent }) }];
}

/** Image of link previews: the event's own, or a drawn one. */
function linkPicture({ image, title, slug }: Event, origin: string): NonNullable<Page['picture']> {
  if (!image) return { url: `${origin}${drawnPath({ slug })}`, ...DRAWN_SIZE, alt: title };
  const { url, width, height } = image.sizes?.large ?? image;
  return { url, width, height, alt: image.alt || title };
}

/** Sticky bar for narrow screens with the lowest price and a link to the tickets. */
function buyBar(tickets: readonly Ticket[], visit: Visit): Html | undefined {
  const { t } = visit;
  const open = tickets.filter((ticket) => saleOf(ticket, visit) === 'open');
  const prices = open.map((ticket) => presentPrice(ticket, visit));
  if (prices.length === 0) return undefined;
  const lowest = Math.min(...prices);
  const highest = Math.max(...prices);
  const price = priceInWords(lowest, visit);
  // "From free" is no price.
  const range = lowest === 0 ? `${price} – ${priceInWords(highest, visit)}` : t('tickets.from_price', { price });
  const target = offerId(open);
  return html`<p class="buy-bar" data-bar><span>${lowest === highest ? price : range}</span>
<a class="button" href="#${target}">${t(target === 'tickets' ? 'event.get_tickets' : 'event.reply')}</a></p>`;
}

/** Links to share an event: by mail and, with scripts, by the share dialog of the device. */
function shareLinks({ title, url }: Event, { t, link, origin }: Visit): Html {
  const address = `${origin}${link(url)}`;
  const mail = encodeQuery({ subject: title, body: address }).replaceAll('+', '%20');
  return html`<p class="share"><button type="button" class="quiet" data-share="${title}" hidden>${t('share.act')}</button>
<button type="button" class="quiet" data-copy="${address}" hidden>${t('share.copy')}</button>
<a href="mailto:?${mail}">${t('share.mail')}</a></p>`;
}
