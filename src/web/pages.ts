import { readFileSync } from 'node:fs';
import { type Env, Hono, type Context as HonoContext } from 'hono';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { AnyEndpoint } from '../http/endpoint.ts';
import { entityTag, matchesTag } from '../http/etag.ts';
import { acceptLanguage } from '../http/language.ts';
import { catalogueFor } from '../lib/i18n.ts';
import { docsPage } from './docs.ts';
import { discoveryHeaders } from './interface-discovery.ts';
import { iconSvg } from './page.ts';
import { siteNameIn } from './site-name.ts';

interface Site<E extends Env> {
  endpoints: readonly AnyEndpoint[];
  /** Scheme, host and port as the visitor wrote them. */
  originOf: (c: HonoContext<E>) => string;
}

/** Pages load styles and scripts from this server only, and nothing from elsewhere. */
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

/** The language of a page: the visitor's preferred one among the site's languages that have messages. */
export const pageLanguage = ({ languages }: Pick<Config, 'languages'>, request: Request): string =>
  acceptLanguage(
    request.headers.get('accept-language'),
    languages.filter((language) => catalogueFor(language) !== undefined),
  );

/** Routes for developers: the documentation and its assets. */
export function pages<E extends Env>(context: Context, { endpoints, originOf }: Site<E>): Hono<E> {
  const { config } = context;
  const app = new Hono<E>();
  const docs = lastAnswers((visit) => docsPage({ endpoints, config, now: context.now(), ...visit }));
  app.get('/docs', async (c) => {
    const origin = originOf(c);
    const language = pageLanguage(config, c.req.raw);
    const siteName = await siteNameIn(context, language);
    return answer(c, docs({ siteName, origin, language }), pageHeaders(origin, language));
  });
  app.get('/docs/', (c) => c.redirect('/docs', 301));
  for (const [path, { type, text }] of Object.entries(ASSETS)) {
    const headers = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' };
    app.get(path, (c) => answer(c, text, headers));
  }
  return app;
}

const file = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');

const ASSETS: Readonly<Record<string, { type: string; text: string }>> = {
  '/assets/pages.css': { type: 'text/css; charset=UTF-8', text: file('pages.css') },
  '/assets/pages.js': { type: 'text/javascript; charset=UTF-8', text: file('pages.js') },
  '/assets/icon.svg': { type: 'image/svg+xml', text: iconSvg() },
};

type RenderText = (visit: { siteName: string; origin: string; language: string }) => string;

/** Caches the last page in each language: nearly all visitors use the same origin. */
function lastAnswers(render: RenderText): RenderText {
  const last = new Map<string, { siteName: string; origin: string; text: string }>();
  return ({ siteName, origin, language }) => {
    const known = last.get(language);
    if (known?.origin === origin && known.siteName === siteName) return known.text;
    const text = render({ siteName, origin, language });
    last.set(language, { siteName, origin, text });
    return text;
  };
}

function answer(c: HonoContext, text: string, headers: Record<string, string>): Response {
  const tag = entityTag(text);
  const all = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=0, must-revalidate' };
  const isKnown = matchesTag(c.req.header('if-none-match'), tag);
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(text, { headers: all });
}
