import { eventCard } from '../cards/event-card.ts';
import { posters } from '../cards/poster.ts';
import { stockOf } from '../cards/sale.ts';
import { seriesWords } from '../cards/series-words.ts';
import { searchField } from '../frame/field.ts';
import { html } from '../frame/html.ts';
import type { Page } from '../frame/page-response.ts';
import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { collapsed, notOver } from './event-windows.ts';

/** Number of events on the front page. */
const NEXT = 10;
const FEATURED = 3;
/** Number of featured events that are read, since sold-out ones are left out. */
const FEATURED_READ = 9;

/** Front page: featured and coming events, search and categories. */
export async function homePage(visit: Visit): Promise<Page> {
  const { ask, t, link, config, site } = visit;
  const { siteName } = config;
  const tagline = site?.tagline ?? '';
  const present = { ...notOver(visit), ...collapsed(visit) };
  const [next, featured, { categories }] = await Promise.all([
    ask('events.list', { ...present, per_page: NEXT + FEATURED }),
    ask('events.list', { ...present, per_page: FEATURED_READ, featured: true }),
    ask('categories.list', { per_page: 30, orderby: 'count', order: 'desc' }),
  ]);
  const [stock, series] = await Promise.all([
    stockOf(visit, [...next.events, ...featured.events]),
    seriesWords(visit, next.events),
  ]);
  const shown = featured.events.filter(({ id }) => stock.get(id) !== 'sold_out').slice(0, FEATURED);
  // A running event is shown once, however many days it lasts.
  const isRepeated = (event: Event) => shown.some(({ id }) => id === event.id) && event.start_date < visit.today;
  const coming = next.events.filter((event) => !isRepeated(event)).slice(0, NEXT);
  const main = html`<h1 class="visually-hidden">${siteName}</h1>
${tagline !== '' && html`<p class="lead">${tagline}</p>`}
<form class="search" role="search" action="${link('/events/')}">${searchField(visit)}</form>
${
  shown.length > 0 &&
  html`<section class="featured"><h2>${t('home.featured')}</h2>
${posters(shown, visit, stock)}</section>`
}
<section><h2>${t('home.next')}</h2>
${
  coming.length > 0
    ? html`<ol class="cards">${coming.map((event) => html`<li>${eventCard(event, visit, { withDay: true, stock: stock.get(event.id), series: series.get(event.id) })}</li>`)}</ol>`
    : html`<p class="empty">${t('empty.nothing')}</p>`
}
<p><a class="onward" href="${link('/events/')}">${t('home.all')}</a></p></section>
${categories.length > 0 && html`<section><h2>${t('home.categories')}</h2><ul class="terms">${categories.map(({ url, name }) => html`<li><a href="${link(url)}">${name}</a></li>`)}</ul></section>`}`;
  const description = tagline === '' ? t('home.about', { site: siteName }) : tagline;
  return { description, main, kind: 'home', canonical: '/' };
}
