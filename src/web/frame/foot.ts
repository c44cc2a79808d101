import { type Html, html } from './html.ts';
import { siteTextPath, siteTextsOf } from './site-text.ts';
import type { Visit } from './visit.ts';

/** Contacts, texts and legal notices of the site, if any. */
export function siteFoot(visit: Visit): Html {
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
