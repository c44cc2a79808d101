import { eventCard } from '../cards/event-card.ts';
import { posters } from '../cards/poster.ts';
import { stockOf } from '../cards/stock.ts';
import type { Page } from '../frame/answer.ts';
import { html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { presentMinute } from './event-windows.ts';

/** Number of events on the front page. */
const NEXT = 10;
const FEATURED = 3;

/** Front page: featured and coming events, search and categories. */
export async function homePage(visit: Visit): Promise<Page> {
  const { ask, t, link, config, site } = visit;
  const { siteName } = config;
  const tagline = site?.tagline ?? '';
  const present = { ends_after: presentMinute(visit), strict_dates: true };
  const [next, featured, { categories }] = await Promise.all([
    ask('events.list', { ...present, per_page: NEXT }),
    ask('events.list', { ...present, per_page: FEATURED, featured: true }),
    ask('categories.list', { per_page: 30, orderby: 'count', order: 'desc' }),
  ]);
  const stock = await stockOf(visit, [...next.events, ...featured.events]);
  const main = html`<h1 class="visually-hidden">${siteName}</h1>
${tagline !== '' && html`<p class="lead">${tagline}</p>`}
<form class="search" role="search" action="${link('/events/')}"><label>${t('filter.search')} <input type="search" name="search" maxlength="200"></label><button>${t('filter.find')}</button></form>
${
  featured.events.length > 0 &&
  html`<section class="featured"><h2>${t('home.featured')}</h2>
${posters(featured.events, visit, stock)}</section>`
}
<section><h2>${t('home.next')}</h2>
${
  next.events.length > 0
    ? html`<ol class="cards">${next.events.map((event) => html`<li>${eventCard(event, visit, { withDay: true, stock: stock.get(event.id) })}</li>`)}</ol>`
    : html`<p class="empty">${t('empty.nothing')}</p>`
}
<p><a class="onward" href="${link('/events/')}">${t('home.all')}</a></p></section>
${categories.length > 0 && html`<section><h2>${t('home.categories')}</h2><ul class="terms">${categories.map(({ url, name, count }) => html`<li><a href="${link(url)}">${name}</a> ${count > 0 && html`<span class="count">${count}</span>`}</li>`)}</ul></section>`}`;
  const description = tagline === '' ? t('home.about', { site: siteName }) : tagline;
  return { description, main, kind: 'home', canonical: '/' };
}
