import { Urls } from '../../http/core/urls.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { dotsOf, hasGlyphs } from '../../lib/images/dot-matrix.ts';
import { createRecencyCache } from '../../lib/recency-cache.ts';
import { renderImage } from '../../platform/media/images.ts';
import type { Site } from '../../platform/site/settings.ts';
import { THEME } from './assets.ts';
import { type Html, html } from './html.ts';
import { discoveryLinks } from './interface-discovery.ts';

interface Brand {
  siteName: string;
  /** Undefined while the database is unavailable. */
  site: Site | undefined;
  /** Scheme, host and port as the visitor sent them. */
  origin: string;
}

interface Page extends Brand {
  language: string;
  /** Title of the page; without it, the name of the site alone. */
  title?: string;
  description: string;
  main: Html;
  /** Next to `main` on a wide screen, before it on a narrow one. */
  aside?: Html;
  /** CSS class of the body. */
  kind: string;
}

/** Renders a complete document. Works without scripts and loads nothing from other hosts. */
export function renderPage({ language, title, description, main, aside, kind, ...brand }: Page): string {
  const { siteName, site, origin } = brand;
  const t = translatorFor(language);
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title ? `${title} – ${siteName}` : siteName}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/pages.css">
${themeLink(site)}
<script src="/assets/pages.js" defer></script>
${discoveryLinks(origin)}
</head>
<body class="${kind}">
<a class="skip" href="#main">${t('page.skip')}</a>
<header class="sign"><div class="sign-inner"><a class="sign-name" href="/">${signOf(brand)}</a></div></header>
<div class="frame">
${aside}
<main id="main" tabindex="-1">
${main}
</main>
</div>
<footer class="foot"><p>${siteName === 'Marquee' ? t('page.foot') : t('page.foot_of', { site: siteName })}</p></footer>
</body>
</html>
`;
  return text;
}

/** Style sheet with the site's own colours, if any. */
export function themeLink(site: Site | undefined, scheme?: ColorScheme): Html | undefined {
  if (!site || (site.theme === '' && !scheme)) return undefined;
  return html`<link rel="stylesheet" href="${THEME}?v=${site.revision}${scheme && html`&amp;${SCHEME}=${scheme}`}">`;
}

/** Colour scheme of a page that does not follow the device. */
type ColorScheme = 'light' | 'dark';

const SCHEME = 'theme';

/** Colour scheme in the query; undefined means the one of the device. */
export function schemeIn(query: URLSearchParams): ColorScheme | undefined {
  const scheme = query.get(SCHEME);
  return scheme === 'light' || scheme === 'dark' ? scheme : undefined;
}

/** Top of every page: the logo of the site, or its name. */
export function signOf({ site, siteName, origin }: Brand): Html {
  if (!site?.logo) return sign(siteName);
  const image = renderImage(site.logo, new Urls(origin));
  const { url, width, height } = image.sizes?.medium ?? image;
  return html`<img class="sign-logo" src="${url}" width="${width}" height="${height}" alt="${siteName}">`;
}

/** Maximum lengths of a name on the sign, and of each of its words, which wrap. */
const SIGN_LENGTH = 28;
const WORD_LENGTH = 12;

/** Cached by name, since a drawing has a circle for each dot. */
const SIGNS = createRecencyCache<Html>(10_000);

/** Name in dot-matrix letters; as plain text if it is too long or has characters without a glyph. */
function sign(name: string): Html {
  const words = name.split(' ').filter(Boolean);
  const isDrawable = name.length <= SIGN_LENGTH && words.every((word) => word.length <= WORD_LENGTH && hasGlyphs(word));
  if (!isDrawable) return html`<span class="sign-text">${name}</span>`;
  const drawn = SIGNS.get(name) ?? drawSign(name);
  SIGNS.set(name, drawn);
  return drawn;
}

/** One drawing for each word. A dot is a line of no length with round ends; accents need two rows above. */
function drawSign(name: string): Html {
  const words = name.split(' ').filter(Boolean).map(dotsOf);
  const top = Math.min(0, ...words.flatMap(({ dots }) => dots.map(({ y }) => y)));
  const drawn = words.map(({ dots, width }) => {
    const path = dots.map(({ x, y }) => `M${x} ${y}h0`).join('');
    return html`<svg class="bulbs" viewBox="-.5 ${top - 0.5} ${width} ${7 - top}"><path d="${path}"/></svg>`;
  });
  const rows = top < 0 && html` has-accents`;
  return html`<span class="sign-words${rows}" role="img" aria-label="${name}">${drawn}</span>`;
}

/** The letter M in dot-matrix style, as the favicon. */
export function iconSvg(): string {
  const { dots } = dotsOf('M');
  const circles = dots.map(({ x, y }) => html`<circle cx="${x + 2.5}" cy="${y + 1.5}" r=".42"/>`);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" rx="2" fill="#4a0d22"/><g fill="#ffd98a">${circles}</g></svg>`
    .text;
}
