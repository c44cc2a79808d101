import type { Context } from '../../base/context.ts';
import { countPublicPosts, listPublicAddresses, POST_KINDS, type PostKind } from '../../calendar/posts/public-urls.ts';
import { FILTER_NAMES } from '../calendar/filters.ts';
import { type Html, html } from '../frame/html.ts';
import { type File, movedTo, type PageResponse } from '../frame/page-response.ts';
import { siteTextPath, siteTextsOf } from '../frame/site-text.ts';
import { NotFound } from '../frame/subject.ts';
import { languagePrefix, type Visit } from '../frame/visit.ts';
import { SECRET_PATHS } from './secret-address.ts';

/** Number of addresses in one file; search engines read up to 50,000. */
const CHUNK = 10_000;

const TERMS = ['categories', 'tags'] as const;
/** Name of the file for pages without a record. */
const PAGES = 'pages';

/** Sitemap addresses of the reference. */
const OLD: Readonly<Record<string, string>> = {
  '/wp-sitemap.xml': '/sitemap.xml',
  '/wp-sitemap-posts-tribe_events-1.xml': '/sitemap-event-1.xml',
  '/wp-sitemap-taxonomies-tribe_events_cat-1.xml': '/sitemap-categories-1.xml',
};

/** Sitemap for search engines; undefined for any other path. */
export async function sitemapFile(visit: Visit, context: Context): Promise<PageResponse | undefined> {
  const { path } = visit;
  const present = Object.hasOwn(OLD, path) ? OLD[path] : undefined;
  if (present !== undefined) return movedTo(present);
  if (path === '/robots.txt') return robots(visit);
  if (path === '/sitemap.xml') return sitemapIndex(visit, context);
  const [, name = '', part = ''] = /^\/sitemap-([a-z]+)-([1-9]\d{0,4})\.xml$/.exec(path) ?? [];
  if (name === PAGES && part === '1') return sitemapOfPages(visit);
  const kind = POST_KINDS.find((known) => known === name);
  if (kind) return sitemapOfPosts(visit, context, { kind, part: Number(part) });
  const taxonomy = TERMS.find((known) => known === name);
  return taxonomy && part === '1' ? sitemapOfTerms(visit, taxonomy) : undefined;
}

const SHUT = [
  '/cart/',
  '/checkout/',
  ...[...SECRET_PATHS].map((word) => `/${word}/`),
  '/my-tickets/',
  '/console/',
  '/door/',
  // Each combination of filters is another address of the same events.
  ...FILTER_NAMES.map((name) => `/*?*${name}=`),
];

function robots({ origin }: Visit): File {
  const lines = ['User-agent: *', ...SHUT.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''];
  return { type: 'text/plain; charset=UTF-8', body: lines.join('\n') };
}

const xml = (body: Html): File => ({
  type: 'application/xml; charset=UTF-8',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body.text}\n`,
});

async function sitemapIndex({ origin }: Visit, { db }: Context): Promise<File> {
  const counts = await Promise.all(POST_KINDS.map((kind) => countPublicPosts(db, kind)));
  const ofPosts = POST_KINDS.flatMap((kind, index) =>
    Array.from({ length: Math.ceil((counts[index] ?? 0) / CHUNK) }, (_, part) => `${kind}-${part + 1}`),
  );
  const names = [...[PAGES, ...TERMS].map((name) => `${name}-1`), ...ofPosts];
  return xml(html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${names.map((name) => html`<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>\n`)}</sitemapindex>`);
}

/** Front page, list of events, and texts of the site. */
const sitemapOfPages = (visit: Visit): File =>
  urlset(
    visit,
    ['/', '/events/', '/organizers/', ...siteTextsOf(visit.site).map(siteTextPath)].map((path) => ({ path })),
  );

interface Part {
  kind: PostKind;
  /** Starts at 1. */
  part: number;
}

async function sitemapOfPosts(visit: Visit, { db }: Context, { kind, part }: Part): Promise<File> {
  const found = await listPublicAddresses(db, kind, { limit: CHUNK, offset: (part - 1) * CHUNK });
  if (found.length === 0) throw new NotFound();
  return urlset(
    visit,
    found.map(({ slug, modified_utc, file }) => ({
      path: `/${kind}/${slug}/`,
      modified: `${modified_utc.replace(' ', 'T')}Z`,
      picture: file === null ? undefined : `${visit.origin}/uploads/${file}`,
    })),
  );
}

/** Terms per request. */
const PER_PAGE = 100;
const MAX_PAGES = CHUNK / PER_PAGE;

async function sitemapOfTerms(visit: Visit, taxonomy: (typeof TERMS)[number]): Promise<File> {
  const paths: string[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page += 1) {
    const body = await visit.ask(`${taxonomy}.list`, { page, per_page: PER_PAGE });
    const terms = 'categories' in body ? body.categories : body.tags;
    paths.push(...terms.map(({ url }) => url.slice(visit.origin.length)));
    pages = body.total_pages;
  }
  return urlset(
    visit,
    paths.map((path) => ({ path })),
  );
}

interface Entry {
  path: string;
  modified?: string;
  picture?: string;
}

/** Lists each address with its versions in other languages. */
function urlset({ origin, config }: Visit, entries: readonly Entry[]): File {
  const others = config.languages.length > 1 ? config.languages : [];
  const at = (path: string, language = config.languages[0] ?? '') =>
    `${origin}${languagePrefix(language, config)}${path}`;
  const urls = entries.map(
    ({ path, modified, picture }) =>
      html`<url><loc>${at(path)}</loc>${modified !== undefined && html`<lastmod>${modified}</lastmod>`}${others.map((language) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${at(path, language)}"/>`)}${picture !== undefined && html`<image:image><image:loc>${picture}</image:loc></image:image>`}</url>\n`,
  );
  return xml(html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls}</urlset>`);
}
