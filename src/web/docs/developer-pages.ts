import { readFileSync } from 'node:fs';
import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { isReading } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders } from '../../http/core/response.ts';
import { tagOf } from '../../http/core/revisions.ts';
import { Urls } from '../../http/core/urls.ts';
import { siteOf, stateOf } from '../../http/openapi/discovery.ts';
import { entityTag, matchesTag } from '../../http/output/etag.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import { ANY_ORIGIN, type OriginTemplate, originTemplate } from '../../lib/origin-template.ts';
import { styleSheet } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { discoveryHeaders } from '../frame/interface-discovery.ts';
import { iconSvg } from '../frame/page.ts';
import { pageLanguage, siteIn, siteNameOf } from '../frame/site-name.ts';
import { docsPage } from './docs.ts';

/** Pages load styles and scripts from this server only. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageHeaders = (origin: string, language: string) => ({
  ...discoveryHeaders(origin),
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Language': language,
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Language',
});

/** Pages for developers: the documentation and its assets. */
export function developerPages({ endpoints }: { endpoints: readonly AnyEndpoint[] }): PageHandler {
  const docs = cachedDocs();
  return async (page) => {
    const { pathname } = page.url;
    if (!isReading(page.request.method)) return undefined;
    const asset = Object.hasOwn(ASSETS, pathname) ? ASSETS[pathname] : undefined;
    if (asset || pathname === '/docs' || pathname === '/docs/') page.summary.route = pathname;
    if (asset) return respond(page, asset, { 'Content-Type': asset.type });
    if (pathname === '/docs/') return emptyResponse(301, { Location: '/docs' });
    return pathname === '/docs' ? docsAt(page, { endpoints, docs }) : undefined;
  };
}

interface DocsOptions {
  endpoints: readonly AnyEndpoint[];
  docs: ReturnType<typeof cachedDocs>;
}

async function docsAt(page: PageRequest, { endpoints, docs }: DocsOptions): Promise<HttpResponse> {
  const { origin, request } = page;
  const context = await page.resolveContext();
  const { config } = context;
  const now = context.now();
  const language = pageLanguage(config, request);
  const site = await siteIn(context, language);
  const state = stateOf(siteOf(config, new Urls(origin), now));
  const look = { siteName: siteNameOf(site, context), site, language };
  const shown = await docs(look, { origin, state, render: (known) => docsPage({ endpoints, config, now, ...known }) });
  return respond(page, shown, pageHeaders(origin, language));
}

const file = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');

const assetOf = (type: string, text: string) => {
  const bytes = Buffer.from(text);
  return { type, tag: entityTag(bytes), bytes: () => bytes };
};

const ASSETS: Readonly<Record<string, ReturnType<typeof assetOf>>> = {
  '/assets/pages.css': assetOf('text/css; charset=UTF-8', styleSheet('pages.css')),
  '/assets/pages.js': assetOf('text/javascript; charset=UTF-8', file('pages.js')),
  '/assets/icon.svg': assetOf('image/svg+xml', iconSvg()),
};

type Look = Omit<Parameters<typeof docsPage>[0], 'endpoints' | 'config' | 'now' | 'origin'>;

/** Page for one origin. The text is built when it is sent. */
interface OriginPage {
  tag: string;
  bytes(): Buffer<ArrayBuffer>;
}

/** Placeholders for the visitor's origin; one of them is for shell commands, which must quote it. */
const ORIGINS = { plain: ANY_ORIGIN, quoted: 'http://[100::1]' } as const;

interface DocsState {
  origin: string;
  /** State of the page besides its appearance. */
  state: string;
  render: (look: Look & { origin: string }) => Promise<string>;
}

/** Caches the page in each language, for any origin, until the settings of the site change. */
function cachedDocs() {
  const known = new Map<string, { version: string; template: Promise<OriginTemplate> }>();
  return async (look: Look, { origin, state, render }: DocsState): Promise<OriginPage> => {
    const form = /^[\w./:-]+$/.test(origin) ? 'plain' : 'quoted';
    const key = `${form} ${look.language}`;
    const version = `${state} ${look.site?.revision} ${look.site?.logo?.file} ${look.siteName}`;
    let page = known.get(key);
    if (page?.version !== version) {
      const text = render({ ...look, origin: ORIGINS[form] });
      page = { version, template: text.then((whole) => originTemplate(whole, ORIGINS[form])) };
      known.set(key, page);
      page.template.catch(() => known.delete(key));
    }
    const template = await page.template;
    // An apostrophe would end the quoted word of a command; its escape names the same host.
    const shown = html`${origin.replaceAll("'", '%27')}`.text;
    return { tag: tagOf(template.digest(shown)), bytes: () => template.bytes(shown) };
  };
}

function respond(
  { request }: PageRequest,
  { tag, bytes }: OriginPage,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const all = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=0, must-revalidate' };
  if (matchesTag(request.headers.get('if-none-match'), tag)) return emptyResponse(304, all);
  return { status: 200, headers: new ResponseHeaders(all), body: [bytes()] };
}
