import { readFileSync } from 'node:fs';
import { type Env, Hono, type Context as HonoContext } from 'hono';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { AnyEndpoint } from '../http/endpoint.ts';
import { entityTag, matchesTag } from '../http/etag.ts';
import { acceptLanguage } from '../http/language.ts';
import { catalogueFor } from '../lib/i18n.ts';
import type { Site } from '../resources/site/settings.ts';
import { settleConfig } from '../site-config.ts';
import { docsPage } from './docs.ts';
import { html } from './html.ts';
import { discoveryHeaders } from './interface-discovery.ts';
import { iconSvg } from './page.ts';
import { styleSheet } from './public/assets.ts';
import { siteIn, siteNameOf } from './site-name.ts';

interface Options<E extends Env> {
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
export function pages<E extends Env>(context: Context, { endpoints, originOf }: Options<E>): Hono<E> {
  const app = new Hono<E>();
  const docs = rememberedDocs((look) => docsPage({ endpoints, config: context.config, now: context.now(), ...look }));
  app.get('/docs', async (c) => {
    const origin = originOf(c);
    await settleConfig(context);
    const language = pageLanguage(context.config, c.req.raw);
    const site = await siteIn(context, language);
    const text = docs({ siteName: siteNameOf(site, context), site, origin, language });
    return answer(c, text, pageHeaders(origin, language));
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
  '/assets/pages.css': { type: 'text/css; charset=UTF-8', text: styleSheet('pages.css') },
  '/assets/pages.js': { type: 'text/javascript; charset=UTF-8', text: file('pages.js') },
  '/assets/icon.svg': { type: 'image/svg+xml', text: iconSvg() },
};

type RenderDocs = (look: { siteName: string; site: Site | undefined; origin: string; language: string }) => string;

/** Origins in place of that of the visitor, one of them for those that a shell command has to quote. */
const ORIGINS = { plain: 'http://origin.invalid', quoted: 'http://[100::1]' } as const;

/**
 * Remembers the page in each language until the settings of the site change. It is rendered for another origin, which is
 * replaced each time: made-up hosts cost neither the time of a rendering nor memory.
 */
function rememberedDocs(render: RenderDocs): RenderDocs {
  const known = new Map<string, { version: string; text: string }>();
  return ({ origin, ...look }) => {
    const form = /^[\w./:-]+$/.test(origin) ? 'plain' : 'quoted';
    const key = `${form} ${look.language}`;
    const version = `${look.site?.revision} ${look.site?.logo?.file} ${look.siteName}`;
    let page = known.get(key);
    if (page?.version !== version) {
      page = { version, text: render({ ...look, origin: ORIGINS[form] }) };
      known.set(key, page);
    }
    return page.text.replaceAll(ORIGINS[form], () => html`${origin}`.text);
  };
}

function answer(c: HonoContext, text: string, headers: Record<string, string>): Response {
  const tag = entityTag(text);
  const all = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=0, must-revalidate' };
  const isKnown = matchesTag(c.req.header('if-none-match'), tag);
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(text, { headers: all });
}
