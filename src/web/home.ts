import type { Config } from '../config.ts';
import { Urls } from '../http/urls.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';

interface Home {
  config: Pick<Config, 'siteName'>;
  origin: string;
}

/** The front page: where to go from here. */
export function homePage({ config, origin }: Home): string {
  const { siteName } = config;
  const urls = new Urls(origin);
  const main = html`<h1>${siteName}</h1>
<p class="lead">An event calendar and its box office, for programs and the people who write them. Everything is served as JSON over HTTP.</p>
<ul class="doors">
<li><a href="/docs"><strong>Documentation</strong><span>Every endpoint, with examples to copy</span></a></li>
<li><a href="${urls.rest('events', '/events')}"><strong>Events</strong><span>The coming events, as JSON</span></a></li>
<li><a href="${urls.rest('events', '/doc')}"><strong>OpenAPI</strong><span>The interface for code generators</span></a></li>
<li><a href="/readyz"><strong>Health</strong><span>Whether the server is ready</span></a></li>
</ul>`;
  const description = `${siteName}: an event calendar with a REST interface.`;
  return renderPage({ siteName, description, main, kind: 'home' });
}

/** For people who followed a wrong link; programs get JSON instead. */
export function notFoundPage({ siteName }: Pick<Config, 'siteName'>): string {
  const main = html`<h1>Nothing is on here</h1>
<p class="lead">There is no page at this address. The show may have moved, or never opened.</p>
<p><a href="/">To the front page</a> · <a href="/docs">To the documentation</a></p>`;
  return renderPage({ siteName, title: 'Not found', description: 'There is no such page.', main, kind: 'home' });
}

/** Whether a request that nothing answers comes from somebody reading pages, outside the interface. */
export function wantsPage(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isInterface = /^\/(wp-json|calendar|tribe)(\/|$)/i.test(new URL(request.url).pathname);
  return isRead && !isInterface && /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
}
