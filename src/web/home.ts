import { Urls } from '../http/urls.ts';
import { translatorFor } from '../lib/i18n.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './page.ts';

interface PageContext {
  siteName: string;
  origin: string;
  /** Language of the visitor. */
  language: string;
}

/** The front page. */
export function homePage({ siteName, origin, language }: PageContext): string {
  const urls = new Urls(origin);
  const t = translatorFor(language);
  const main = html`<h1>${siteName}</h1>
<p class="lead">${t('home.lead')}</p>
<ul class="doors">
${door('/docs', t('home.docs'), t('home.docs_about'))}
${door(urls.rest('events', '/events'), t('home.events'), t('home.events_about'))}
${door(urls.rest('events', '/doc'), t('home.openapi'), t('home.openapi_about'))}
${door('/readyz', t('home.health'), t('home.health_about'))}
</ul>`;
  return renderPage({
    siteName,
    origin,
    language,
    description: t('home.about', { site: siteName }),
    main,
    kind: 'home',
  });
}

const door = (address: string, title: string, about: string): Html =>
  html`<li><a href="${address}"><strong>${title}</strong><span>${about}</span></a></li>`;

/** For visitors who followed a broken link; programs get JSON instead. */
export function notFoundPage({ siteName, origin, language }: PageContext): string {
  const t = translatorFor(language);
  const main = html`<h1>${t('not_found.heading')}</h1>
<p class="lead">${t('not_found.lead')}</p>
<p><a href="/">${t('not_found.home')}</a> · <a href="/docs">${t('not_found.docs')}</a></p>`;
  const [title, description] = [t('not_found.title'), t('not_found.about')];
  return renderPage({ siteName, origin, language, title, description, main, kind: 'home' });
}

/** Whether an unmatched request comes from a browser navigating outside the interface. */
export function wantsPage(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isInterface = /^\/(calendar|tribe)(\/|$)/i.test(new URL(request.url).pathname);
  return isRead && !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
