import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { parseWeighted } from '../../http/core/content-negotiation.ts';
import { isReading } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders, textResponse } from '../../http/core/response.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { html } from '../frame/html.ts';
import { renderPage } from '../frame/page.ts';
import { pageLanguage, siteIn, siteNameOf } from '../frame/site-name.ts';
import { BUILDS, type BuildManifest, readManifest } from './app-build.ts';

/** Administration addresses of the reference. */
const FORMER_ADDRESSES = ['/wp-admin', '/wp-admin/', '/wp-login.php'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.js': 'text/javascript; charset=UTF-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Placeholder in the built page for the nonce of a response. */
const NONCE = 'NONCE-OF-THE-ANSWER';

/**
 * Console and app at the door: browser programs built by `npm run build` that use the interface like any other client.
 * @param builds folders of the built programs
 */
export const apps =
  ({ random }: Pick<Context, 'random'>, builds: typeof BUILDS = BUILDS): PageHandler =>
  async (page) => {
    const { pathname } = page.url;
    if (!isReading(page.request.method)) return undefined;
    if (pathname === '/console' || FORMER_ADDRESSES.includes(pathname)) return moved(page, '/console/');
    if (pathname === '/door') return moved(page, '/door/');
    if (pathname.startsWith('/console/')) return consoleFile(page, builds.console, random);
    return pathname.startsWith('/door/') ? doorFile(page, builds.door) : undefined;
  };

function moved({ url, summary }: PageRequest, to: string): HttpResponse {
  summary.route = url.pathname;
  return emptyResponse(301, { Location: to });
}

async function consoleFile(page: PageRequest, folder: string, random: Context['random']): Promise<HttpResponse> {
  const name = page.url.pathname.slice('/console/'.length);
  const isAsset = name.startsWith('assets/');
  page.summary.route = isAsset ? '/console/assets/*' : '/console/*';
  if (isAsset) return asset(page, { folder, name });
  // The console handles the rest of the path itself.
  const built = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (built === undefined) return missingBuild(page);
  const languages = page.request.headers.get('accept-language');
  const early = preloads(await readManifest(folder), { isHome: name === '', languages });
  return index(built.replace('</head>', `${early}</head>`), random);
}

/** Policy of the app at the door. Only the thread that reads codes compiles wasm; it has the policy of its own file. */
const doorPolicy = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const DECODER = /^assets\/decoder-[\w-]+\.js$/;

/** Files of the app at the door without a digest in their names. */
const DOOR_FILES = /^(service-worker\.js|app\.webmanifest|icon(-\w+)?\.png)$/;

async function doorFile(page: PageRequest, folder: string): Promise<HttpResponse | undefined> {
  const name = page.url.pathname.slice('/door/'.length);
  if (name.startsWith('assets/')) {
    page.summary.route = '/door/assets/*';
    const policy = doorPolicy(DECODER.test(name) ? "'self' 'wasm-unsafe-eval'" : "'self'");
    return asset(page, { folder, name }, { 'Content-Security-Policy': policy });
  }
  if (name !== '' && !DOOR_FILES.test(name)) return undefined;
  page.summary.route = '/door/*';
  const body = await readFile(join(folder, name || 'index.html')).catch(() => undefined);
  if (!body) return name === '' ? missingBuild(page) : emptyResponse(404, { 'Cache-Control': 'no-store' });
  const headers = new ResponseHeaders({
    'Content-Type': name === '' ? 'text/html; charset=UTF-8' : (TYPES[extname(name)] ?? 'application/octet-stream'),
    // Its service worker keeps all files; the browser has to ask for new ones.
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': doorPolicy("'self'"),
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  return { status: 200, headers, body: [body] };
}

/** Languages of the console; the texts of each have a chunk. */
const LANGUAGES = ['en', 'fr', 'de'];

/**
 * Links to chunks that the program asks for only once it runs: the texts, in the language that it will choose unless
 * the user has chosen another, and the first screen.
 */
function preloads(
  manifest: BuildManifest | undefined,
  { isHome, languages }: { isHome: boolean; languages: string | null },
): string {
  const wanted = parseWeighted(languages).map(({ value }) => value.slice(0, 2));
  const language = wanted.find((code) => LANGUAGES.includes(code)) ?? 'en';
  const chunks = isHome ? [language, 'home'] : [language];
  return Object.keys(manifest?.files ?? {})
    .filter((file) => file.endsWith('.js') && chunks.some((chunk) => file.startsWith(`assets/${chunk}-`)))
    .map((file) => `<link rel="modulepreload" href="/console/${file}">`)
    .join('');
}

/** The console must not be framed, indexed or cached: its page has a new nonce each time. */
function consoleHeaders(styles: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=UTF-8',
    'Cache-Control': 'private, no-cache, no-store',
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  };
}

function index(built: string, random: Context['random']): HttpResponse {
  // Components of the console insert style elements with this nonce.
  const nonce = random(16).toString('base64');
  return textResponse(built.replaceAll(NONCE, nonce), { headers: consoleHeaders(`'self' 'nonce-${nonce}'`) });
}

/** File with a content digest in its name. */
async function asset(
  { request }: PageRequest,
  { folder, name }: { folder: string; name: string },
  further: Record<string, string> = {},
): Promise<HttpResponse> {
  const manifest = await readManifest(folder);
  if (!manifest || !Object.hasOwn(manifest.files, name)) return emptyResponse(404, { 'Cache-Control': 'no-store' });
  const encoding = preferredEncoding(request.headers.get('accept-encoding'));
  const suffix = encoding && SUFFIXES[encoding];
  const headers = new ResponseHeaders({
    'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
    ...further,
  });
  return { status: 200, headers, body: [await readFile(join(folder, `${name}${suffix ?? ''}`))] };
}

/** Compressed forms of each file, smallest first. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

function preferredEncoding(header: string | null): keyof typeof SUFFIXES | undefined {
  const weights = new Map(parseWeighted(header ?? '').map(({ value, weight }) => [value, weight]));
  return (['br', 'gzip'] as const).find((name) => (weights.get(name) ?? 0) > 0);
}

/** Explains how to build the console and the app at the door. Everything else works without them. */
async function missingBuild({ request, origin, resolveContext }: PageRequest): Promise<HttpResponse> {
  const context = await resolveContext();
  const language = pageLanguage(context.config, request);
  const t = translatorFor(language);
  const site = await siteIn(context, language);
  const title = t('console.missing');
  const page = renderPage({
    ...{ language, title, origin, site, siteName: siteNameOf(site, context) },
    description: title,
    main: html`<h1>${title}</h1>
<p>${t('console.missing_how')}</p>
<pre tabindex="0"><code>npm ci
npm run build</code></pre>`,
    kind: 'missing-build',
  });
  return textResponse(page, { status: 503, headers: { ...consoleHeaders("'self'"), Vary: 'Accept-Language' } });
}
