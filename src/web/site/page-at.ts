import type { Context } from '../../base/context.ts';
import { isDay } from '../../lib/dates/month.ts';
import { calendarPage } from '../calendar/calendar.ts';
import { embedPage } from '../calendar/embed.ts';
import { eventCalendar, eventNews } from '../calendar/feed.ts';
import { homePage } from '../calendar/home.ts';
import { organizersPage } from '../calendar/organizers-page.ts';
import { drawnPicture, sitePicture } from '../cards/drawn-picture.ts';
import { eventPage } from '../event/event.ts';
import { saleCalendar } from '../event/sale-calendar.ts';
import { dateOfSeries, seriesPage } from '../event/series-page.ts';
import { calendarAddress, isId, segmentsOf } from '../frame/address.ts';
import { SITE_PICTURE } from '../frame/head.ts';
import { movedTo, type PageResponse } from '../frame/page-response.ts';
import { siteTextPage } from '../frame/site-text.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { applePassFile, invoicePdf, orderPdf, ticketPdf } from '../paper/paper-files.ts';
import { cartPage } from '../shop/cart.ts';
import { checkoutPage } from '../shop/checkout.ts';
import { invoicePage } from '../shop/invoice.ts';
import { myTicketsPage } from '../shop/my-tickets.ts';
import { orderPage } from '../shop/order.ts';
import { cancelPage } from '../shop/order-cancel.ts';
import { payPage } from '../shop/pay.ts';
import { rsvpPage } from '../shop/rsvp-page.ts';
import { isScannedCode, scannedCode } from '../shop/scanned-code.ts';
import { codePage, codePicture, ticketPage } from '../shop/ticket.ts';
import { isCode, isTicketToken } from '../shop/ticket-address.ts';
import { ticketCalendar } from '../shop/ticket-calendar.ts';
import { ticketPicture } from '../shop/ticket-picture.ts';
import { unsubscribePage } from '../shop/unsubscribe.ts';
import { pageOfId, pageOfSlug } from './find-record.ts';
import { sitemapFile } from './sitemap.ts';

/** Page or file at an address; undefined for an unknown form of address. */
export async function pageAt(visit: Visit, context: Context): Promise<PageResponse | undefined> {
  const { path, query } = visit;
  if (isScannedCode(visit)) return scannedCode(visit);
  // The reference shows one picture there.
  if (path === '/' && query.has('attachment_id')) throw new NotFound();
  if (path === '/') return query.has('p') ? pageOfId(visit, query.get('p') ?? '') : homePage(visit);
  const calendar = calendarAddress(path);
  if (calendar) return calendarPage(visit, calendar);
  if (path === SITE_PICTURE.path) return sitePicture(visit);
  const text = siteTextPage(visit);
  if (text) return text;
  const file = (await sitemapFile(visit, context)) ?? (await oembedFile(visit));
  return file ?? pageOfSegments(visit, segmentsOf(path) ?? [], context);
}

/** `/oembed?url=`, the same response as at the address of the reference. */
async function oembedFile({ path, query, ask }: Visit): Promise<PageResponse | undefined> {
  if (path !== '/oembed' && path !== '/oembed/') return undefined;
  const names = ['url', 'maxwidth', 'maxheight'];
  const sent = Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
  return {
    type: 'application/json; charset=UTF-8',
    body: JSON.stringify(await orNotFound(ask('events.oembed', sent))),
  };
}

type PageOf = (visit: Visit, rest: readonly string[], context: Context) => Promise<PageResponse | undefined>;

/** Pages by the first word of their path. */
const PAGES: Readonly<Record<string, PageOf>> = {
  cart: async (visit, rest) => (rest.length === 0 ? cartPage(visit) : undefined),
  checkout: async (visit, rest) => (rest.length === 0 ? checkoutPage(visit) : undefined),
  embed: embedPage,
  event: eventPages,
  events: async (visit, [slug, ...more]) =>
    slug !== undefined && more.length === 0 ? pageOfSlug(visit, slug) : undefined,
  'my-tickets': async (visit, rest) => (rest.length === 0 ? myTicketsPage(visit) : undefined),
  order: orderPages,
  organizers: async (visit, rest) => (rest.length === 0 ? organizersPage(visit) : undefined),
  reply: async (visit, [id = '', sealed, ...more]) =>
    isId(id) && sealed !== undefined && more.length === 0 ? rsvpPage(visit, sealed) : undefined,
  series: async (visit, [slug, ...more]) =>
    slug !== undefined && more.length === 0 ? seriesPage(visit, slug) : undefined,
  ticket: ticketPages,
  unsubscribe: async (visit, [token, ...more]) =>
    token !== undefined && more.length === 0 ? unsubscribePage(visit, token) : undefined,
};

async function pageOfSegments(
  visit: Visit,
  [first, ...rest]: readonly string[],
  context: Context,
): Promise<PageResponse | undefined> {
  if (first === undefined) return undefined;
  const page = Object.hasOwn(PAGES, first) ? PAGES[first] : undefined;
  if (page) return page(visit, rest, context);
  return rest.length === 0 ? pageOfSlug(visit, first) : undefined;
}

async function eventPages(
  visit: Visit,
  [slug = '', part, ...more]: readonly string[],
  context: Context,
): Promise<PageResponse | undefined> {
  if (part === 'sale') return salePages(visit, slug, more, context);
  if (more.length > 0) return undefined;
  if (part === undefined) return eventPage(visit, slug);
  if (part === 'ical') return eventCalendar(visit, slug);
  if (part === 'feed') return eventNews(visit, slug);
  if (isDay(part)) return dateOfSeries(visit, slug, part);
  if (part === 'picture.png') return drawnPicture(visit, slug);
  return part === 'embed' ? movedTo(visit.link(`/embed/event/${encodeURIComponent(slug)}/`)) : undefined;
}

async function salePages(visit: Visit, slug: string, [id = '', part, ...more]: readonly string[], context: Context) {
  return isId(id) && part === 'ical' && more.length === 0 ? saleCalendar(visit, { slug, id }, context) : undefined;
}

async function orderPages(
  visit: Visit,
  [id = '', token, part, ...more]: readonly string[],
): Promise<PageResponse | undefined> {
  if (!isId(id) || token === undefined) return undefined;
  const [number, file, ...rest] = more;
  if (part === 'invoice' && number !== undefined && rest.length === 0) {
    if (file === undefined) return invoicePage(visit, { id, token }, number);
    return file === 'invoice.pdf' ? invoicePdf(visit, { id, token }, number) : undefined;
  }
  if (more.length > 0) return undefined;
  if (part === undefined) return orderPage(visit, { id, token });
  if (part === 'pay') return payPage(visit, { id, token });
  if (part === 'tickets.pdf') return orderPdf(visit, { id, token });
  return part === 'cancel' ? cancelPage(visit, { id, token }) : undefined;
}

async function ticketPages(
  visit: Visit,
  [id = '', token, part, ...more]: readonly string[],
  context: Context,
): Promise<PageResponse | undefined> {
  if (!isId(id) || token === undefined || more.length > 0) return undefined;
  if (isCode(token)) return part === undefined ? codePage(visit, { id, code: token }) : undefined;
  if (!isTicketToken(token)) return undefined;
  if (part === undefined) return ticketPage(visit, { id, token });
  if (part === 'ical') return ticketCalendar(visit, { id, token }, context);
  if (part === 'ticket.pdf') return ticketPdf(visit, { id, token });
  if (part === 'ticket.pkpass') return applePassFile(visit, { id, token });
  if (part === 'ticket.png') return ticketPicture(visit, { id, token });
  return part === 'code.png' ? codePicture(visit, { id, token }) : undefined;
}
