import type { Config } from '../config.ts';
import type { AnyEndpoint } from '../http/endpoint.ts';
import { ERROR_CODES, type ErrorCode, statusOf } from '../http/errors.ts';
import { EVERYWHERE, openapiDocument, WITH_BODY } from '../http/openapi.ts';
import { type NamespaceName, Urls } from '../http/urls.ts';
import { endpointAnchor, endpointSection, meaningOf, methodBadges, type Operation, titleOf } from './docs-endpoint.ts';
import { type Chapter, guideChapters } from './docs-guide.ts';
import { type Schema, schemaAnchor, schemaTree } from './docs-schema.ts';
import { type Html, html, prose } from './html.ts';
import { renderPage } from './page.ts';

interface Docs {
  endpoints: readonly AnyEndpoint[];
  config: Pick<Config, 'siteName' | 'languages'>;
  /** Of the request, for examples that work as they are. */
  origin: string;
}

/** Endpoints that belong together: the first word of their names. */
interface Resource {
  id: string;
  title: string;
  endpoints: readonly AnyEndpoint[];
}

/** The documentation of the whole interface on one page, made from the endpoints themselves. */
export function docsPage({ endpoints, config, origin }: Docs): string {
  const { siteName, languages } = config;
  const resources = resourcesOf(endpoints);
  const reference = referenceOf(endpoints, { languages, urls: new Urls(origin) });
  const guide = guideChapters({
    origin,
    languages,
    namespaces: [...new Set(endpoints.map(({ namespace }) => namespace))],
  });
  const main = html`<h1>The interface of ${siteName}</h1>
<p class="lead">A calendar of events, with venues, organizers, categories and tickets, as JSON over HTTP. ${endpoints.length} endpoints, all on this page.</p>
${guide.map(chapterSection)}
<section aria-labelledby="reference"><h2 id="reference"><a class="anchor" href="#reference">Endpoints</a></h2>
${resources.map(
  ({ id, title, endpoints: own }) => html`<section aria-labelledby="${id}" data-part="${id}">
<h3 id="${id}"><a class="anchor" href="#${id}">${title}</a></h3>${own.map(reference.section)}</section>`,
)}</section>
${chapterSection({ id: 'schemas', title: 'Schemas', body: schemasBody(reference.schemas) })}
${chapterSection({ id: 'errors', title: 'Errors', body: errorsBody() })}
<a class="to-contents" href="#contents">Contents</a>`;
  const aside = contents(guide, resources);
  const description = `Documentation of the REST interface of ${siteName}: every endpoint with its parameters, answers and errors.`;
  return renderPage({ siteName, title: 'Documentation', description, main, aside, kind: 'docs' });
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
  // How to find out what there is reads better after what there is.
  const isLast = ({ id }: Resource) => id === 'resource-discovery';
  return [...resources.filter((item) => !isLast(item)), ...resources.filter(isLast)];
}

const slug = (name: string): string => name.replaceAll(/[^a-z]+/gi, '-').toLowerCase();

const TITLES: Readonly<Record<string, string>> = {
  me: 'Your own account',
  qr: 'QR codes',
  nonces: 'One-time tokens',
  check_in_keys: 'Check-in keys',
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

interface Setting {
  urls: Urls;
  languages: readonly string[];
}

/** Sections of endpoints by the OpenAPI documents of their namespaces, and the schemas of all. */
function referenceOf(endpoints: readonly AnyEndpoint[], { urls, languages }: Setting) {
  const operations = new Map<NamespaceName, Readonly<Record<string, Readonly<Record<string, Operation>>>>>();
  const schemas: Record<string, Schema> = {};
  for (const [namespace, own] of Map.groupBy(endpoints, (endpoint) => endpoint.namespace)) {
    const document = openapiDocument(own, { server: urls.rest(namespace), languages });
    // Both are built by `openapiDocument` in the shape that these types describe.
    operations.set(namespace, document.paths as Record<string, Record<string, Operation>>);
    Object.assign(schemas, (document.components as { schemas: Record<string, Schema> }).schemas);
  }
  const section = (endpoint: AnyEndpoint): Html => {
    const method = endpoint.methods[0]?.toLowerCase() ?? '';
    const operation = operations.get(endpoint.namespace)?.[endpoint.path || '/']?.[method];
    if (!operation) throw new Error(`${endpoint.name} is missing in the OpenAPI document`);
    return endpointSection({ endpoint, operation, root: urls.rest(endpoint.namespace) });
  };
  return { section, schemas };
}

const chapterSection = ({ id, title, body }: Chapter): Html =>
  html`<section class="chapter" aria-labelledby="${id}" data-part="${id}"><h2 id="${id}"><a class="anchor" href="#${id}">${title}</a></h2>${body}</section>`;

function schemasBody(schemas: Readonly<Record<string, Schema>>): Html {
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<p>The shapes that answers are made of.</p>${sorted.map(
    ([name, schema]) =>
      html`<details class="shape" id="${schemaAnchor(name)}"><summary><code>${name}</code>${
        schema.description && html` <span class="about">${prose(schema.description)}</span>`
      }</summary>${schemaTree(schema)}</details>`,
  )}`;
}

function errorsBody(): Html {
  const common: ReadonlySet<ErrorCode> = new Set([...EVERYWHERE, ...WITH_BODY]);
  const others = ERROR_CODES.filter((code) => !common.has(code));
  return html`<h3 id="errors-everywhere">Any request</h3>${errorTable([...common])}
<h3 id="errors-some">Some endpoints</h3>${errorTable(others)}`;
}

const errorTable = (codes: readonly ErrorCode[]): Html => html`<table class="parameters">
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${codes.map(
  (code) =>
    html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td><span class="status">${statusOf(code)}</span></td><td>${meaningOf(code)}</td></tr>`,
)}</tbody></table>`;

const contents = (
  guide: readonly Chapter[],
  resources: readonly Resource[],
): Html => html`<nav class="contents" id="contents" aria-label="Contents">
<ul>
${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
${resources.map(
  ({ id, title, endpoints }) => html`<li><details><summary>${title}</summary><ul>
<li><a href="#${id}">All of it</a></li>
${endpoints.map((endpoint) => html`<li><a href="#${endpointAnchor(endpoint)}">${methodBadges(endpoint)}<span>${titleOf(endpoint)}</span></a></li>`)}
</ul></details></li>`,
)}
<li><a href="#schemas">Schemas</a></li>
<li><a href="#errors">Errors</a></li>
</ul></nav>`;
