import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { parseWeighted } from '../../http/core/quality-values.ts';
import { isReading } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders, textResponse } from '../../http/core/response.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { html } from '../frame/html.ts';
import { renderPage } from '../frame/page.ts';
import { pageLanguage, siteIn, siteNameOf } from '../frame/site-name.ts';
import { type BuildManifest, CONSOLE_BUILD, readManifest } from './app-build.ts';

/** Administration addresses of the reference. */
const FORMER_ADDRESSES = ['/wp-admin', '/wp-admin/', '/wp-login.php'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.js': 'text/javascript; charset=UTF-8',
  '.svg': 'image/svg+xml',
};

/** Placeholder in the built page for the nonce of a response. */
const NONCE = 'NONCE-OF-THE-ANSWER';

/**
 * Console: a browser program built by `npm run build` that uses the interface like any other client.
 * @param folder of the built console
 */
export const apps =
  ({ random }: Pick<Context, 'random'>, folder = CONSOLE_BUILD): PageHandler =>
  async (page) => {
    const { pathname } = page.url;
    if (!isReading(page.request.method)) return undefined;
    if (pathname === '/console' || FORMER_ADDRESSES.includes(pathname)) {
      page.summary.route = pathname;
      return emptyResponse(301, { Location: '/console/' });
    }
    if (!pathname.startsWith('/console/')) return undefined;
    const name = pathname.slice('/console/'.length);
    const isAsset = name.startsWith('assets/');
    page.summary.route = isAsset ? '/console/assets/*' : '/console/*';
    if (isAsset) {
      const manifest = await readManifest(folder);
      if (!manifest || !Object.hasOwn(manifest.files, name)) return emptyResponse(404, { 'Cache-Control': 'no-store' });
      return asset(page, { folder, name });
    }
    // The console handles the rest of the path itself.
    const built = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
    if (built === undefined) return missingBuild(page);
    const languages = page.request.headers.get('accept-language');
    const early = preloads(await readManifest(folder), { isHome: name === '', languages });
    return index(built.replace('</head>', `${early}</head>`), random);
  };

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
async function asset({ request }: PageRequest, { folder, name }: { folder: string; name: string }) {
  const encoding = preferredEncoding(request.headers.get('accept-encoding'));
  const suffix = encoding && SUFFIXES[encoding];
  const headers = new ResponseHeaders({
    'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  });
  return { status: 200, headers, body: await readFile(join(folder, `${name}${suffix ?? ''}`)) };
}

/** Compressed forms of each file, smallest first. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

function preferredEncoding(header: string | null): keyof typeof SUFFIXES | undefined {
  const weights = new Map(parseWeighted(header ?? '').map(({ value, weight }) => [value, weight]));
  return (['br', 'gzip'] as const).find((name) => (weights.get(name) ?? 0) > 0);
}

/** Explains how to build the console. Everything else works without it. */
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
