import { plainText } from '../../lib/text/text.ts';
import type { Site } from '../../platform/site/settings.ts';
import { Html, html } from './html.ts';
import { movedTo, type PageResponse } from './page-response.ts';
import type { Visit } from './visit.ts';

/** Site texts with a page of their own. */
const SITE_TEXTS = ['about', 'terms', 'privacy'] as const;
type SiteText = (typeof SITE_TEXTS)[number];

export const siteTextPath = (name: SiteText): string => `/${name}/`;

/** Texts that are not empty. */
export const siteTextsOf = (site: Site | undefined): SiteText[] =>
  SITE_TEXTS.filter((name) => site !== undefined && site[name] !== '');

/** Page of a site text; undefined if the text is empty, and for any other path. */
export function siteTextPage({ site, path, t, link }: Visit): PageResponse | undefined {
  const name = SITE_TEXTS.find((known) => path === siteTextPath(known) || `${path}/` === siteTextPath(known));
  const text = name && site?.[name];
  if (name === undefined || !text) return undefined;
  if (path !== siteTextPath(name)) return movedTo(link(siteTextPath(name)));
  const title = t(`site.${name}`);
  return {
    title,
    // The text is sanitised.
    main: html`<h1>${title}</h1>
<div class="text">${new Html(text)}</div>`,
    description: plainText(text).slice(0, 200) || title,
    kind: 'site-text',
    canonical: siteTextPath(name),
  };
}
