import { scriptJson } from '../../lib/text/script-json.ts';
import { Html, html } from './html.ts';
import type { Page } from './page-response.ts';
import { languagePrefix, type Visit } from './visit.ts';

/** Canonical path of a page, without a language. */
const canonicalOf = ({ path }: Visit, { canonical }: Page): string => canonical ?? path;

/** Metadata for search engines and link previews: addresses, image and structured data. */
export function pageHead(visit: Visit, page: Page): Html {
  const isListed = (page.status ?? 200) === 200 && !page.isPersonal;
  return html`${page.robots !== undefined && html`<meta name="robots" content="${page.robots}">`}
${isListed && addresses(visit, page)}
${isListed && openGraph(visit, page)}
${isListed && data(visit, page).map((item) => html`<script type="application/ld+json">${new Html(scriptJson(JSON.stringify(item)))}</script>`)}`;
}

/** Canonical address of a page, and its versions in other languages. */
function addresses(visit: Visit, page: Page): Html {
  const { config, origin } = visit;
  const path = canonicalOf(visit, page);
  const at = (language: string) => `${origin}${languagePrefix(language, config)}${path}`;
  const others = config.languages.length > 1 ? config.languages : [];
  return html`<link rel="canonical" href="${at(visit.language)}">
${others.map((language) => html`<link rel="alternate" hreflang="${language}" href="${at(language)}">`)}
${others.length > 0 && html`<link rel="alternate" hreflang="x-default" href="${at(others[0] ?? '')}">`}`;
}

/** Image of link previews of pages without one of their own; its size is the preferred one. */
export const SITE_PICTURE = { path: '/picture.png', width: 1200, height: 630 };

/** `en_US`; the region is the usual one of the language. */
function localeOf(language: string): string {
  const known = LOCALES.get(language);
  if (known !== undefined) return known;
  const { language: word, region } = new Intl.Locale(language).maximize();
  const locale = `${word}_${region}`;
  LOCALES.set(language, locale);
  return locale;
}

/** Locales of the site's languages, since looking them up is slow. */
const LOCALES = new Map<string, string>();

/** Open Graph (https://ogp.me) and the type of the Twitter card. */
function openGraph(visit: Visit, page: Page): Html {
  const { config, origin, language, link } = visit;
  const { title, description } = page;
  const { path, ...size } = SITE_PICTURE;
  const picture = page.picture ?? { url: `${origin}${path}`, ...size, alt: config.siteName };
  const values: [string, string | number | undefined][] = [
    ['og:type', 'website'],
    ['og:site_name', config.siteName],
    ['og:title', title ?? config.siteName],
    ['og:description', description],
    ['og:url', `${origin}${link(canonicalOf(visit, page))}`],
    ['og:locale', localeOf(language)],
    ['og:image', picture.url],
    ['og:image:width', picture.width],
    ['og:image:height', picture.height],
    ['og:image:alt', picture.alt],
  ];
  const known = values.filter(([, value]) => value !== undefined);
  return html`${known.map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}<meta name="twitter:card" content="${page.picture ? 'summary_large_image' : 'summary'}">`;
}

/** Structured data of the page, and its position in the site. */
function data(visit: Visit, page: Page): readonly Readonly<Record<string, unknown>>[] {
  const { origin, link, t, config } = visit;
  const path = canonicalOf(visit, page);
  const at = (to: string) => `${origin}${link(to)}`;
  if (path === '/') {
    const target = `${at('/events/')}?search={words}`;
    const potentialAction = { '@type': 'SearchAction', target, 'query-input': 'required name=words' };
    const site = { '@context': SCHEMA, name: config.siteName, url: at('/') };
    return [
      { ...site, '@type': 'WebSite', potentialAction },
      { ...site, '@type': 'Organization', logo: `${origin}${SITE_PICTURE.path}` },
    ];
  }
  const steps: [string, string][] = [
    [config.siteName, '/'],
    ...(path === '/events/' ? [] : ([[t('nav.events'), '/events/']] satisfies [string, string][])),
    [page.title ?? config.siteName, path],
  ];
  const itemListElement = steps.map(([name, to], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: at(to),
  }));
  return [...(page.data ?? []), { '@context': SCHEMA, '@type': 'BreadcrumbList', itemListElement }];
}

const SCHEMA = 'https://schema.org';
