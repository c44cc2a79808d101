import { notOver, pageOf } from '../calendar/event-windows.ts';
import { eventCard } from '../cards/event-card.ts';
import { stockOf } from '../cards/sale.ts';
import { capitalised } from '../cards/series-words.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { numberedPage, pageNumber } from '../frame/numbered-pages.ts';
import { movedTo, type Page, type PageResponse } from '../frame/page-response.ts';
import { NO_REFUSAL, type Refusal, refusedHead } from '../frame/refusal.ts';
import type { Event } from '../frame/responses.ts';
import { NotFound, orNotFound, readEvent } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { codeOf, ticketsWithCode, withCode } from './promotion-code.ts';
import { ticketForm } from './ticket-form.ts';

const PER_PAGE = 48;

/**
 * `/series/SLUG/`: the coming dates of a series.
 * @throws {NotFound}
 */
export async function seriesPage(visit: Visit, slug: string): Promise<PageResponse> {
  const { ask, t, link, language, query, config } = visit;
  const { series } = await orNotFound(ask('series.dates', { slug }));
  const path = `/series/${encodeURIComponent(series.slug)}/`;
  if (path !== visit.path) return movedTo(link(query.size > 0 ? `${path}?${query}` : path));
  const page = pageNumber(visit);
  const { events, total_pages: pages } = await pageOf(visit, {
    ...{ series: series.id, page, per_page: PER_PAGE, ...notOver(visit) },
  });
  const code = codeOf(visit);
  const [stock, offer] = await Promise.all([
    stockOf(visit, events),
    page === 1 ? passOffer(visit, events, { code, path }) : undefined,
  ]);
  const words = capitalised(series.text, language);
  const { title, canonical, links } = numberedPage(visit, { heading: series.title, path, page, pages });
  const refusal = offer?.refusal ?? NO_REFUSAL;
  const main = html`${errorSummary(refusal.errors, visit)}<h1 dir="auto">${series.title}</h1>
<p class="lead">${words}</p>
${offer?.form}
${
  events.length > 0
    ? html`<ol class="cards">${events.map((event) => html`<li>${eventCard(event, visit, { withDay: true, stock: stock.get(event.id) })}</li>`)}</ol>`
    : html`<p class="empty">${t('series.over')}</p>`
}
${links}`;
  const description = t('list.about_subject', { subject: `${series.title}, ${words}`, site: config.siteName });
  const about = { title, description, main, kind: 'series', canonical } satisfies Page;
  return code === undefined
    ? about
    : { ...about, ...refusedHead(refusal), robots: 'noindex, follow', isPersonal: true };
}

/** Number of coming events that are searched for passes: the next ones may be cancelled or sold out. */
const LOOKED_AT = 5;

/** Form with the passes for all coming dates, which are sold by the ticket of the next one. */
async function passOffer(
  visit: Visit,
  events: readonly Event[],
  { code, path }: { code: string | undefined; path: string },
): Promise<{ form: Html | undefined; refusal: Refusal } | undefined> {
  const next = events.slice(0, LOOKED_AT);
  const [first] = next;
  if (!first) return undefined;
  const params = { include_post: next.map(({ id }) => id), per_page: 100 };
  const { tickets, accepted, refusal } = await ticketsWithCode(visit, params, code);
  const passes = tickets.filter(({ scope }) => scope === 'series');
  const event = next.find(({ id }) => passes.some(({ post_id }) => post_id === id)) ?? first;
  const takes_codes = code === undefined ? (await readEvent(visit, event.slug, undefined))?.takes_codes : undefined;
  const form = ticketForm(
    event,
    passes.filter(({ post_id }) => post_id === event.id),
    { visit, heading: visit.t('pass.offer'), entered: code, accepted, path, takes_codes },
  );
  return { form, refusal };
}

/**
 * `/event/SLUG/DATE/` of the reference, with the slug of a series or of an event: leads to the event of that day.
 * @throws {NotFound}
 */
export async function dateOfSeries(visit: Visit, slug: string, day: string): Promise<PageResponse> {
  const found = await orNotFound(visit.ask('series.dates', { slug, day })).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  const redirect = withCode(visit.link(`/event/${encodeURIComponent(found?.slugOfDay ?? slug)}/`), codeOf(visit));
  // The series may have an event on that day later.
  return found?.slugOfDay === undefined ? { redirect, status: 302 } : movedTo(redirect);
}
