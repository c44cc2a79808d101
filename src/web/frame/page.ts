import { Urls } from '../../http/core/urls.ts';
import { translatorFor } from '../../lib/i18n.ts';
import { dotsOf } from '../../lib/images/dot-matrix.ts';
import { createRecentMap } from '../../lib/recent-map.ts';
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
export const themeLink = (site: Site | undefined): Html | undefined =>
  site && site.theme !== '' ? html`<link rel="stylesheet" href="${THEME}?v=${site.revision}">` : undefined;

/** Top of every page: the logo of the site, or its name. */
export function signOf({ site, siteName, origin }: Brand): Html {
  if (!site?.logo) return sign(siteName);
  const image = renderImage(site.logo, new Urls(origin));
  const { url, width, height } = image.sizes?.medium ?? image;
  return html`<img class="sign-logo" src="${url}" width="${width}" height="${height}" alt="${siteName}">`;
}

/** Maximum length of a name that fits on the sign. */
const SIGN_LENGTH = 16;

/** Cached by name, since a drawing has a circle for each dot. */
const SIGNS = createRecentMap<Html>(10_000);

/** Name in dot-matrix letters; as plain text if it is too long or has characters other than A to Z. */
function sign(name: string): Html {
  if (name.length > SIGN_LENGTH || !/^[A-Za-z ]+$/.test(name)) return html`<span class="sign-text">${name}</span>`;
  const drawn = SIGNS.get(name) ?? drawSign(name);
  SIGNS.set(name, drawn);
  return drawn;
}

function drawSign(name: string): Html {
  const { dots, width } = dotsOf(name);
  const circles = dots.map(({ x, y }) => html`<circle cx="${x + 0.5}" cy="${y + 0.5}" r=".4"/>`);
  return html`<svg class="bulbs" viewBox="0 0 ${width} 7" role="img" aria-label="${name}">${circles}</svg>`;
}

/** The letter M in dot-matrix style, as the favicon. */
export function iconSvg(): string {
  const { dots } = dotsOf('M');
  const circles = dots.map(({ x, y }) => html`<circle cx="${x + 2.5}" cy="${y + 1.5}" r=".42"/>`);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" rx="2" fill="#4a0d22"/><g fill="#ffd98a">${circles}</g></svg>`
    .text;
}
