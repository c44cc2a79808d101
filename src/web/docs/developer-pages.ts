import { readFileSync } from 'node:fs';
import { type Env, Hono, type Context as HonoContext } from 'hono';
import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { settleConfig } from '../../base/site-config.ts';
import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { acceptLanguage } from '../../http/core/language.ts';
import { Urls } from '../../http/core/urls.ts';
import { siteOf, stateOf } from '../../http/openapi/discovery.ts';
import { entityTag, matchesTag, tagOf } from '../../http/output/etag.ts';
import { catalogueFor } from '../../lib/i18n.ts';
import { ANY_ORIGIN, type OriginTemplate, originTemplate } from '../../lib/origin-template.ts';
import { styleSheet } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { discoveryHeaders } from '../frame/interface-discovery.ts';
import { iconSvg } from '../frame/page.ts';
import { siteIn, siteNameOf } from '../frame/site-name.ts';
import { docsPage } from './docs.ts';

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
    const state = stateOf(siteOf(context.config, new Urls(origin), context.now()));
    const page = await docs({ siteName: siteNameOf(site, context), site, language }, { origin, state });
    return answer(c, page, pageHeaders(origin, language));
  });
  app.get('/docs/', (c) => c.redirect('/docs', 301));
  for (const [path, { type, text }] of Object.entries(ASSETS)) {
    const headers = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' };
    const bytes = Buffer.from(text);
    const asset = { tag: entityTag(bytes), bytes: () => bytes };
    app.get(path, (c) => answer(c, asset, headers));
  }
  return app;
}

const file = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');

const ASSETS: Readonly<Record<string, { type: string; text: string }>> = {
  '/assets/pages.css': { type: 'text/css; charset=UTF-8', text: styleSheet('pages.css') },
  '/assets/pages.js': { type: 'text/javascript; charset=UTF-8', text: file('pages.js') },
  '/assets/icon.svg': { type: 'image/svg+xml', text: iconSvg() },
};

type Look = Omit<Parameters<typeof docsPage>[0], 'endpoints' | 'config' | 'now' | 'origin'>;

/** A page for one origin. The text is written when it is sent. */
interface OriginPage {
  tag: string;
  bytes(): Buffer<ArrayBuffer>;
}

/** Origins in place of that of the visitor, one of them for those that a shell command has to quote. */
const ORIGINS = { plain: ANY_ORIGIN, quoted: 'http://[100::1]' } as const;

interface DocsState {
  origin: string;
  /** What the page depends on besides its look. */
  state: string;
}

/** Keeps the page in each language, for any origin, until the settings of the site change. */
function rememberedDocs(render: (look: Look & { origin: string }) => Promise<string>) {
  const known = new Map<string, { version: string; template: Promise<OriginTemplate> }>();
  return async (look: Look, { origin, state }: DocsState): Promise<OriginPage> => {
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
    // An apostrophe would end the quoted word of a command; escaped like this it is the same host.
    const shown = html`${origin.replaceAll("'", '%27')}`.text;
    return { tag: tagOf(template.digest(shown)), bytes: () => template.bytes(shown) };
  };
}

function answer(c: HonoContext, { tag, bytes }: OriginPage, headers: Record<string, string>): Response {
  const all = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=0, must-revalidate' };
  const isKnown = matchesTag(c.req.header('if-none-match'), tag);
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(bytes(), { headers: all });
}
