import { plainText } from '../../lib/text/text.ts';
import type { Site } from '../../platform/site/settings.ts';
import { type Answer, movedTo } from './answer.ts';
import { Html, html } from './html.ts';
import type { Visit } from './visit.ts';

/** The texts of the site that have a page. */
const SITE_TEXTS = ['about', 'terms', 'privacy'] as const;
type SiteText = (typeof SITE_TEXTS)[number];

export const siteTextPath = (name: SiteText): string => `/${name}/`;

/** The texts that the site has. */
export const siteTextsOf = (site: Site | undefined): SiteText[] =>
  SITE_TEXTS.filter((name) => site !== undefined && site[name] !== '');

/** The page of a text of the site; undefined if that text is empty, and for any other path. */
export function siteTextPage({ site, path, t, link }: Visit): Answer | undefined {
  const name = SITE_TEXTS.find((known) => path === siteTextPath(known) || `${path}/` === siteTextPath(known));
  const text = name && site?.[name];
  if (name === undefined || !text) return undefined;
  if (path !== siteTextPath(name)) return movedTo(link(siteTextPath(name)));
  const title = t(`site.${name}`);
  return {
    title,
    // The text has been cleaned.
    main: html`<h1>${title}</h1>
<div class="text">${new Html(text)}</div>`,
    description: plainText(text).slice(0, 200) || title,
    kind: 'site-text',
    canonical: siteTextPath(name),
  };
}
