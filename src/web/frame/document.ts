import { assetPath } from './assets.ts';
import { pageHead } from './head.ts';
import { type Html, html } from './html.ts';
import { discoveryLinks } from './interface-discovery.ts';
import { signOf, themeLink } from './page.ts';
import type { Page } from './page-response.ts';
import { siteTextPath, siteTextsOf } from './site-text.ts';
import { languagePrefix, queryText, type Visit } from './visit.ts';

/** Renders a page with the common frame: a complete document that works without scripts. */
export function renderDocument(visit: Visit, page: Page): string {
  const { config, origin, language, site } = visit;
  const { siteName } = config;
  const { title, description, main, kind, head } = page;
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${page.scheme ?? 'light dark'}">
<title>${title ? `${title} – ${siteName}` : siteName}</title>
<meta name="description" content="${description}">
${pageHead(visit, page)}
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('public.css')}">
${themeLink(site, page.scheme)}
${discoveryLinks(origin)}
${page.isEmbedded ? EMBED_HEAD : html`<script src="${assetPath('public.js')}" type="module"></script>`}
${head}
</head>
<body class="${kind}" data-copied="${visit.t('share.copied')}" data-your-time="${visit.t('event.your_time')}">
${
  page.isEmbedded
    ? html`<main><h1 class="visually-hidden">${title}</h1>
${main}
</main>`
    : framed(visit, page)
}
</body>
</html>
`;
  return text;
}

/** Page between header and footer. */
function framed(visit: Visit, page: Page): Html {
  const { config, site, origin, t, link } = visit;
  return html`<a class="skip" href="#main">${t('page.skip')}</a>
<header class="sign"><div class="sign-inner"><a class="sign-name" href="${link('/')}">${signOf({ site, origin, siteName: config.siteName })}</a>
<nav class="sections" aria-label="${t('nav.label')}"><details class="menu"><summary>${t('nav.menu')}</summary><ul>
<li><a href="${link('/events/')}">${t('nav.events')}</a></li>
<li><a href="${link('/events/month/')}">${t('nav.month')}</a></li>
<li><a href="${link('/events/places/')}">${t('nav.places')}</a></li>
</ul></details>
<a href="${link('/cart/')}" data-cart>${t('nav.cart')}</a></nav></div></header>
<main id="main" tabindex="-1">
${page.main}
</main>
<footer class="foot">
${languages(visit, page)}
${siteFoot(visit)}
<ul class="foot-pages"><li><a href="${link('/my-tickets/')}">${t('mine.heading')}</a></li>
<li><a href="${link('/organizers/')}">${t('event.organizers')}</a></li>
<li><a href="/docs">${t('nav.developers')}</a></li></ul>
<p>${t('page.made_with')}</p>
</footer>`;
}

/** Links of an embedded page open at the top level. */
const EMBED_HEAD = html`<base target="_top"><script src="${assetPath('embedded.js')}" type="module"></script>`;

/** Own names of languages, cached: looking them up takes longer than rendering a page. */
const OWN_NAMES = new Map<string, string>();

function ownNameOf(language: string): string {
  const name =
    OWN_NAMES.get(language) ?? new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  OWN_NAMES.set(language, name);
  return name;
}

/** Links to the same page in the other languages of the site. */
function languages(visit: Visit, page: Page): Html | undefined {
  const { config, t, language: own, query } = visit;
  const isMissing = (page.status ?? 200) >= 400;
  // A refused form is not at its address.
  if (config.languages.length < 2 || (page.isPersonal && isMissing)) return undefined;
  const path = isMissing ? '/' : `${visit.path}${queryText(query)}`;
  const items = config.languages.map((language) => {
    const name = ownNameOf(language);
    const address = `${languagePrefix(language, config)}${path}`;
    return html`<li><a href="${address}" lang="${language}" hreflang="${language}"${language === own && html` aria-current="true"`}>${name}</a></li>`;
  });
  return html`<nav class="languages" aria-label="${t('nav.languages')}"><ul>${items}</ul></nav>`;
}

/** Contacts, texts and legal notices of the site, if any. */
function siteFoot(visit: Visit): Html {
  return html`${contact(visit)}
${links(visit)}`;
}

function contact({ site }: Visit): Html | undefined {
  const { email = '', phone = '', address = '' } = site?.contact ?? {};
  const lines = [
    ...address.split('\n').filter(Boolean),
    phone && html`<a href="tel:${dialled(phone)}">${phone}</a>`,
    email && html`<a href="mailto:${mailbox(email)}">${email}</a>`,
  ].filter((line) => line !== '');
  return lines.length === 0
    ? undefined
    : html`<address>${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</address>`;
}

const mailbox = (email: string): string => encodeURIComponent(email).replace('%40', '@');
const dialled = (phone: string): string => phone.replace(/[^\d+]/g, '');

function links({ site, t, link }: Visit): Html | undefined {
  if (!site) return undefined;
  const items = [
    ...siteTextsOf(site).map((name) => html`<li><a href="${link(siteTextPath(name))}">${t(`site.${name}`)}</a></li>`),
    ...site.legal_links.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>`),
  ];
  return items.length === 0
    ? undefined
    : html`<nav aria-label="${t('nav.site')}"><ul class="foot-links">${items}</ul></nav>`;
}
