import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Env, Hono, type Context as HonoContext } from 'hono';
import type { Context } from '../../base/context.ts';
import { parseWeighted } from '../../http/core/quality-values.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { pageLanguage } from '../docs/developer-pages.ts';
import { html } from '../frame/html.ts';
import { renderPage } from '../frame/page.ts';
import { siteIn, siteNameOf } from '../frame/site-name.ts';
import { CONSOLE_BUILD, readManifest } from './app-build.ts';

interface Options<E extends Env> {
  /** Scheme, host and port as the visitor wrote them. */
  originOf: (c: HonoContext<E>) => string;
  /** Folder of the built console. */
  folder?: string;
}

/** Where sites of the reference have their administration. */
const FORMER_ADDRESSES = ['/wp-admin', '/wp-admin/', '/wp-login.php'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.js': 'text/javascript; charset=UTF-8',
  '.svg': 'image/svg+xml',
};

/** Stands in the built page for the nonce of an answer. */
const NONCE = 'NONCE-OF-THE-ANSWER';

/** The console: a program for browsers that `npm run build` makes and that uses the interface like any other client. */
export function apps<E extends Env>(context: Context, { originOf, folder = CONSOLE_BUILD }: Options<E>): Hono<E> {
  const app = new Hono<E>();
  for (const path of FORMER_ADDRESSES) app.get(path, (c) => c.redirect('/console/', 301));
  app.get('/console', (c) => c.redirect('/console/', 301));
  app.get('/console/assets/*', async (c) => {
    const name = c.req.path.slice('/console/'.length);
    const manifest = await readManifest(folder);
    if (!manifest || !Object.hasOwn(manifest.files, name)) return c.body(null, 404, { 'Cache-Control': 'no-store' });
    return asset(c, { folder, name });
  });
  // The console reads the rest of the path itself.
  app.get('/console/*', async (c) => {
    const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
    return page === undefined ? missingBuild(c, context, originOf(c)) : index(c, page, context);
  });
  return app;
}

/** Nothing of the console may be framed, indexed or kept: its page has a new nonce each time. */
function consoleHeaders(styles: string): Record<string, string> {
  return {
    'Cache-Control': 'private, no-cache, no-store',
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  };
}

function index(c: HonoContext, page: string, { random }: Context): Response {
  // The components of the console insert style elements, which have this nonce.
  const nonce = random(16).toString('base64');
  return c.html(page.replaceAll(NONCE, nonce), 200, consoleHeaders(`'self' 'nonce-${nonce}'`));
}

/** A file whose name has a digest of its content. */
async function asset(c: HonoContext, { folder, name }: { folder: string; name: string }): Promise<Response> {
  const encoding = preferredEncoding(c.req.header('accept-encoding'));
  const suffix = encoding && SUFFIXES[encoding];
  const bytes = await readFile(join(folder, `${name}${suffix ?? ''}`));
  const headers = {
    'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  return c.body(bytes, 200, headers);
}

/** The compressed forms of each file, the smallest first. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

function preferredEncoding(header: string | undefined): keyof typeof SUFFIXES | undefined {
  const weights = new Map(parseWeighted(header ?? '').map(({ value, weight }) => [value, weight]));
  return (['br', 'gzip'] as const).find((name) => (weights.get(name) ?? 0) > 0);
}

/** Says how to build the console. Everything else works without it. */
async function missingBuild(c: HonoContext, context: Context, origin: string): Promise<Response> {
  const language = pageLanguage(context.config, c.req.raw);
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
  return c.html(page, 503, { ...consoleHeaders("'self'"), Vary: 'Accept-Language' });
}
