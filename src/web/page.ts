import { dotsOf } from '../lib/dot-matrix.ts';
import { translatorFor } from '../lib/i18n.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { type Html, html } from './html.ts';
import { discoveryLinks } from './interface-discovery.ts';

interface Page {
  siteName: string;
  /** Scheme, host and port as the visitor wrote them. */
  origin: string;
  language: string;
  /** Title of the page; without it, only the name of the site. */
  title?: string;
  description: string;
  main: Html;
  /** Next to `main` on a wide screen, before it on a narrow one. */
  aside?: Html;
  /** Class of the body. */
  kind: string;
}

/** Renders a complete document. Works without scripts and loads nothing from other hosts. */
export function renderPage({ siteName, origin, language, title, description, main, aside, kind }: Page): string {
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
<script src="/assets/pages.js" defer></script>
${discoveryLinks(origin)}
</head>
<body class="${kind}">
<a class="skip" href="#main">${t('page.skip')}</a>
<header class="sign"><div class="sign-inner"><a class="sign-name" href="/">${sign(siteName)}</a></div></header>
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

/** Maximum length of a name that fits on the sign. */
const SIGN_LENGTH = 16;

/** Drawn once for each name: a drawing has a circle for each dot. */
const SIGNS = createRecentMap<Html>(10_000);

/** The name in dot-matrix letters; as plain text if it is too long or has characters other than A to Z. */
export function sign(name: string): Html {
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
