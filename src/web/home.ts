import type { Config } from '../config.ts';
import { Urls } from '../http/urls.ts';
import { speak } from '../lib/i18n.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './page.ts';

interface Home {
  config: Pick<Config, 'siteName'>;
  origin: string;
  /** Of the visitor. */
  language: string;
}

/** The front page: where to go from here. */
export function homePage({ config, origin, language }: Home): string {
  const { siteName } = config;
  const urls = new Urls(origin);
  const say = speak(language);
  const main = html`<h1>${siteName}</h1>
<p class="lead">${say('home.lead')}</p>
<ul class="doors">
${door('/docs', say('home.docs'), say('home.docs_about'))}
${door(urls.rest('events', '/events'), say('home.events'), say('home.events_about'))}
${door(urls.rest('events', '/doc'), say('home.openapi'), say('home.openapi_about'))}
${door('/readyz', say('home.health'), say('home.health_about'))}
</ul>`;
  return renderPage({
    siteName,
    origin,
    language,
    description: say('home.about', { site: siteName }),
    main,
    kind: 'home',
  });
}

const door = (address: string, title: string, about: string): Html =>
  html`<li><a href="${address}"><strong>${title}</strong><span>${about}</span></a></li>`;

/** For people who followed a wrong link; programs get JSON instead. */
export function notFoundPage({ config, origin, language }: Home): string {
  const { siteName } = config;
  const say = speak(language);
  const main = html`<h1>${say('not_found.heading')}</h1>
<p class="lead">${say('not_found.lead')}</p>
<p><a href="/">${say('not_found.home')}</a> · <a href="/docs">${say('not_found.docs')}</a></p>`;
  const [title, description] = [say('not_found.title'), say('not_found.about')];
  return renderPage({ siteName, origin, language, title, description, main, kind: 'home' });
}

/** Whether a request that nothing answers comes from somebody reading pages, outside the interface. */
export function wantsPage(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isInterface = /^\/(calendar|tribe)(\/|$)/i.test(new URL(request.url).pathname);
  return isRead && !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
