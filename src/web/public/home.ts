import { html } from '../html.ts';
import { eventCard } from '../parts/event-card.ts';
import type { Page } from './answer.ts';
import type { Visit } from './visit.ts';

/** Events on the front page. */
const NEXT = 10;
const FEATURED = 3;

/** The front page: what is featured, what comes next, search and categories. */
export async function homePage(visit: Visit): Promise<Page> {
  const { ask, t, link, config } = visit;
  const { siteName } = config;
  const [next, featured, { categories }] = await Promise.all([
    ask('events.list', { per_page: NEXT }),
    ask('events.list', { per_page: FEATURED, featured: true }),
    ask('categories.list', { per_page: 30, orderby: 'count', order: 'desc' }),
  ]);
  const cards = (events: typeof next.events) =>
    html`<ol class="cards">${events.map((event) => html`<li>${eventCard(event, visit)}</li>`)}</ol>`;
  const main = html`<h1 class="visually-hidden">${siteName}</h1>
<form class="search" role="search" action="${link('/events/')}"><label>${t('filter.search')} <input type="search" name="search" maxlength="200"></label><button>${t('filter.find')}</button></form>
${featured.events.length > 0 && html`<section class="featured"><h2>${t('home.featured')}</h2>${cards(featured.events)}</section>`}
<section><h2>${t('home.next')}</h2>
${next.events.length > 0 ? cards(next.events) : html`<p>${t('list.empty')}</p>`}
<p><a href="${link('/events/')}">${t('home.all')}</a></p></section>
${categories.length > 0 && html`<section><h2>${t('home.categories')}</h2><ul class="terms">${categories.map(({ url, name, count }) => html`<li><a href="${link(url)}">${name}</a> <span class="count">${count}</span></li>`)}</ul></section>`}`;
  return { description: t('home.about', { site: siteName }), main, kind: 'home', canonical: '/' };
}
