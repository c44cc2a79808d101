import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../../base/config.ts';
import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { ERROR_CODES, type ErrorCode, statusOf } from '../../http/core/errors.ts';
import { type NamespaceName, Urls } from '../../http/core/urls.ts';
import type { SiteDefaults } from '../../http/input/schemas.ts';
import { openapiDocument } from '../../http/openapi/openapi.ts';
import { EVERYWHERE, WITH_BODY, WITH_KEY } from '../../http/openapi/openapi-responses.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { byKey } from '../../lib/text/list.ts';
import type { Site } from '../../platform/site/settings.ts';
import { type Html, html, prose } from '../frame/html.ts';
import { renderPage } from '../frame/page.ts';
import { endpointAnchor, endpointSection, meaningOf, methodBadges, titleOf } from './docs-endpoint.ts';
import { type Chapter, guideChapters } from './docs-guide.ts';
import { type Described, operationOf } from './docs-operation.ts';
import { type Schema, schemaAnchor, schemaTree } from './docs-schema.ts';

interface Docs {
  endpoints: readonly AnyEndpoint[];
  siteName: string;
  /** Undefined while the database is unavailable. */
  site: Site | undefined;
  config: Pick<Config, 'languages' | 'perPage' | 'timezone'>;
  now: Date;
  /** URLs of the request, for examples that work unchanged. */
  origin: string;
  /** Language of the visitor, for the page frame and the errors. Guide, endpoints and schemas are in English. */
  language: string;
}

/** Group of endpoints, named by the first part of their names. */
interface Resource {
  id: string;
  title: string;
  endpoints: readonly AnyEndpoint[];
}

/**
 * Documentation of the whole interface on one page, generated from the endpoints. Rendering takes long; other requests
 * are handled meanwhile.
 */
export async function docsPage(docs: Docs): Promise<string> {
  const { endpoints, siteName, site: look, config, now, origin, language } = docs;
  const { languages, perPage, timezone } = config;
  const t = translatorFor(language);
  const resources = resourcesOf(endpoints);
  const urls = new Urls(origin);
  const site = { perPage, timezone, now, word: urls.word };
  const reference = await referenceOf(endpoints, { languages, urls, site });
  const sections = await resourceSections(resources, reference.section);
  const guide = guideChapters({
    origin,
    language,
    languages,
    namespaces: [...new Set(endpoints.map(({ namespace }) => namespace))],
  });
  const main = html`<h1>${t('docs.heading', { site: siteName })}</h1>
<p class="lead">${t('docs.lead', { count: endpoints.length })}</p>
${guide.map(chapterSection)}
<section aria-labelledby="reference"><h2 id="reference"><a class="anchor" href="#reference">${t('docs.endpoints')}</a></h2>
${sections}</section>
${chapterSection({ id: 'schemas', title: t('docs.schemas'), body: schemasBody(reference.schemas, t) })}
${chapterSection({ id: 'errors', title: t('docs.errors'), body: errorsBody(language) })}
<a class="to-contents" href="#contents">${t('docs.contents')}</a>`;
  const aside = contents(guide, resources, t);
  const [title, description] = [t('docs.title'), t('docs.about', { site: siteName })];
  return renderPage({ siteName, site: look, origin, language, title, description, main, aside, kind: 'docs' });
}

async function resourceSections(resources: readonly Resource[], section: (one: AnyEndpoint) => Html): Promise<Html[]> {
  const sections: Html[] = [];
  for (const { id, title, endpoints } of resources) {
    await nextTurn();
    sections.push(html`<section lang="en" aria-labelledby="${id}" data-part="${id}">
<h3 id="${id}"><a class="anchor" href="#${id}">${title}</a></h3>${endpoints.map(section)}</section>`);
  }
  await nextTurn();
  return sections;
}

const isDiscovery = ({ path }: AnyEndpoint): boolean => path === '' || path === '/doc';

function resourcesOf(endpoints: readonly AnyEndpoint[]): Resource[] {
  const groups = Map.groupBy(endpoints, (endpoint) =>
    isDiscovery(endpoint) ? 'discovery' : (endpoint.name.split('.')[0] ?? ''),
  );
  const resources = [...groups].map(([name, own]) => ({
    id: `resource-${slug(name)}`,
    title: resourceTitle(name),
    endpoints: own,
  }));
  // Discovery comes last, after the resources.
  const isLast = ({ id }: Resource) => id === 'resource-discovery';
  return [...resources.filter((item) => !isLast(item)), ...resources.filter(isLast)];
}

const slug = (name: string): string => name.replaceAll(/[^a-z]+/gi, '-').toLowerCase();

const TITLES: Readonly<Record<string, string>> = {
  me: 'Your own account',
  qr: 'QR codes',
  nonces: 'One-time tokens',
  check_in_keys: 'Check-in keys',
  gates: 'Gates',
  door_devices: 'Devices of gates',
  door: 'Door',
  clashes: 'Clashes at the door',
  door_stats: 'Figures of the door',
  signing_keys: 'Signing keys',
  tax_rates: 'Tax rates',
  fees: 'Fees',
  promotions: 'Promotion codes',
  invoices: 'Invoices',
  mails: 'Mails',
  audit: 'Audit log',
};

function resourceTitle(name: string): string {
  const known = TITLES[name];
  if (known) return known;
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface ReferenceOptions {
  urls: Urls;
  languages: readonly string[];
  site: SiteDefaults;
}

/** Sections of endpoints from the OpenAPI documents of their namespaces, and all schemas. */
async function referenceOf(endpoints: readonly AnyEndpoint[], { urls, languages, site }: ReferenceOptions) {
  const documents = new Map<NamespaceName, Described>();
  const schemas: Record<string, Schema> = {};
  for (const [namespace, own] of Map.groupBy(endpoints, (endpoint) => endpoint.namespace)) {
    await nextTurn();
    const document = openapiDocument(own, { server: urls.rest(namespace), languages, site });
    // `openapiDocument` has the structure described by this type.
    const described = document as typeof document & Described;
    documents.set(namespace, described);
    Object.assign(schemas, described.components.schemas);
  }
  const section = (endpoint: AnyEndpoint): Html => {
    const method = endpoint.methods[0]?.toLowerCase() ?? '';
    const document = documents.get(endpoint.namespace);
    const operation = document && operationOf(document, endpoint.path || '/', method);
    if (!operation) throw new Error(`${endpoint.name} is missing in the OpenAPI document`);
    return endpointSection({ endpoint, operation, root: urls.rest(endpoint.namespace) });
  };
  return { section, schemas };
}

const chapterSection = ({ id, title, body }: Chapter): Html =>
  html`<section class="chapter" aria-labelledby="${id}" data-part="${id}"><h2 id="${id}"><a class="anchor" href="#${id}">${title}</a></h2>${body}</section>`;

function schemasBody(schemas: Readonly<Record<string, Schema>>, t: Translator): Html {
  const sorted = Object.entries(schemas).sort(byKey);
  return html`<p>${t('docs.schemas_lead')}</p>${sorted.map(
    ([name, schema]) =>
      html`<details class="shape" lang="en" id="${schemaAnchor(name)}"><summary><code>${name}</code>${
        schema.description && html` <span class="about">${prose(schema.description)}</span>`
      }</summary>${schemaTree(schema)}</details>`,
  )}`;
}

function errorsBody(language: string): Html {
  const t = translatorFor(language);
  const common: ReadonlySet<ErrorCode> = new Set([...EVERYWHERE, ...WITH_BODY, ...WITH_KEY]);
  const others = ERROR_CODES.filter((code) => !common.has(code));
  return html`<h3 id="errors-everywhere">${t('docs.errors_any')}</h3>${errorTable([...common], language)}
<h3 id="errors-some">${t('docs.errors_some')}</h3>${errorTable(others, language)}`;
}

function errorTable(codes: readonly ErrorCode[], language: string): Html {
  const t = translatorFor(language);
  return html`<table class="parameters">
<thead><tr><th scope="col">${t('docs.code')}</th><th scope="col">${t('docs.status')}</th><th scope="col">${t('docs.meaning')}</th></tr></thead><tbody>${codes.map(
    (code) =>
      html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td><span class="status">${statusOf(code)}</span></td><td>${meaningOf(code, language)}</td></tr>`,
  )}</tbody></table>`;
}

const contents = (
  guide: readonly Chapter[],
  resources: readonly Resource[],
  t: Translator,
): Html => html`<nav class="contents" id="contents" aria-label="${t('docs.contents')}">
<ul>
${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
${resources.map(
  ({ id, title, endpoints }) => html`<li><details lang="en"><summary>${title}</summary><ul>
<li><a href="#${id}">All of it</a></li>
${endpoints.map((endpoint) => html`<li><a href="#${endpointAnchor(endpoint)}">${methodBadges(endpoint)}<span>${titleOf(endpoint)}</span></a></li>`)}
</ul></details></li>`,
)}
<li><a href="#schemas">${t('docs.schemas')}</a></li>
<li><a href="#errors">${t('docs.errors')}</a></li>
</ul></nav>`;
