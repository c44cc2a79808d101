import { z } from 'zod';
import { type AnyEndpoint, endpoint, ok } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { text } from './input.ts';
import { languageSchema, openapiDocument } from './openapi.ts';
import { BODY_ONLY } from './params.ts';
import { methodsOf, pathPattern, type Route, routesOf } from './router.ts';
import { isDocumented, type NamespaceName, Urls } from './urls.ts';

type Json = Record<string, unknown>;

const SHOWN_OF_ARGUMENTS = [
  'type',
  'description',
  'default',
  'items',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
];

/** What the index and OPTIONS say of one endpoint: its methods and its parameters. */
function describeEndpoint({ methods, input, required = [] }: AnyEndpoint, languages: readonly string[]): Json {
  const fields = Object.entries(input as Record<string, z.ZodType>).filter(([name]) => !name.startsWith(BODY_ONLY));
  const args = fields.map(([name, schema]) => {
    const meta = (schema.meta() ?? {}) as Json;
    const shown = Object.fromEntries(SHOWN_OF_ARGUMENTS.flatMap((key) => (key in meta ? [[key, meta[key]]] : [])));
    return [name, { ...shown, required: required.includes(name) }];
  });
  const language = { ...languageSchema(languages), required: false };
  return { methods, args: Object.fromEntries([...args, ['i18n_language', language]]) };
}

/** What the descriptions depend on besides the endpoints. */
interface Site {
  urls: Urls;
  languages: readonly string[];
}

/** A route as the index and OPTIONS show it. */
export function describeRoute(route: Route, { urls, languages }: Site): Json {
  const self = route.path.includes('{') ? {} : { _links: { self: [{ href: urls.rest(route.namespace, route.path) }] } };
  return {
    namespace: urls.namespace(route.namespace),
    methods: methodsOf(route),
    endpoints: route.endpoints.map((item) => describeEndpoint(item, languages)),
    ...self,
  };
}

function indexOf(routes: readonly Route[], namespace: NamespaceName, site: Site): Json {
  const { urls } = site;
  const own = routes.filter((route) => route.namespace === namespace);
  const described = own.map((route) => [
    `/${urls.namespace(namespace)}${pathPattern(route.path)}`,
    describeRoute(route, site),
  ]);
  return {
    namespace: urls.namespace(namespace),
    routes: Object.fromEntries(described),
    _links: { up: [{ href: urls.root }] },
  };
}

const indexSchema = z.object({ namespace: z.string(), routes: z.record(z.string(), z.unknown()), _links: z.unknown() });

/** Puts the index of each namespace, and its description if it has one, before its endpoints. */
export function withDiscovery(endpoints: readonly AnyEndpoint[]): AnyEndpoint[] {
  const all: AnyEndpoint[] = [];
  for (const [namespace, own] of Map.groupBy(endpoints, (item) => item.namespace)) {
    const descriptions = isDocumented(namespace) ? [docEndpoint(namespace, all)] : [];
    all.push(indexEndpoint(namespace, all), ...descriptions, ...own);
  }
  return all;
}

const indexEndpoint = (namespace: NamespaceName, all: readonly AnyEndpoint[]): AnyEndpoint =>
  endpoint({
    namespace,
    methods: ['GET'],
    path: '',
    name: `${namespace}.index`,
    summary: 'List the routes of this namespace',
    input: {
      namespace: text('Name of the namespace to describe; this one by default.', { max: 100 }),
      context: text('Accepted for compatibility.', { max: 100 }),
    },
    answers: { 200: indexSchema },
    errors: ['rest_invalid_namespace'],
    async handle({ urls, context }, input) {
      const asked = input.namespace ?? urls.namespace(namespace);
      const known = all.find((item) => urls.namespace(item.namespace) === asked)?.namespace;
      if (!known) throw new ApiError('rest_invalid_namespace');
      return ok(indexOf(routesOf(all), known, { urls, languages: context.config.languages }));
    },
  });

function docEndpoint(namespace: NamespaceName, all: readonly AnyEndpoint[]): AnyEndpoint {
  const documentOf = lastDocument(namespace, all);
  return endpoint({
    namespace,
    methods: ['GET'],
    path: '/doc',
    name: `${namespace}.doc`,
    summary: 'Describe this namespace as OpenAPI 3.1',
    input: {},
    answers: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
    handle: async ({ urls, context }) => ok(documentOf(urls.rest(namespace), context.config.languages)),
  });
}

/** Makes the document of a namespace, which takes a tenth of a second, and remembers it: nearly all ask for the same. */
function lastDocument(namespace: NamespaceName, all: readonly AnyEndpoint[]) {
  let last: { server: string; languages: readonly string[]; document: Json } | undefined;
  return (server: string, languages: readonly string[]): Json => {
    if (last?.server === server && last.languages === languages) return last.document;
    const own = all.filter((item) => item.namespace === namespace);
    last = { server, languages, document: openapiDocument(own, { server, languages }) };
    return last.document;
  };
}

/** The root of the REST interface, where clients of the reference find out which namespaces there are. */
export const restRoot = (routes: readonly Route[], urls: Urls, site: { name: string; timezone: string }): Json => ({
  name: site.name,
  description: '',
  url: urls.origin,
  home: urls.origin,
  timezone_string: site.timezone,
  namespaces: [
    ...new Set(
      ['calendar', 'tribe'].flatMap((word) => {
        const spoken = new Urls(urls.origin, urls.prefix, word);
        return routes.map((route) => spoken.namespace(route.namespace));
      }),
    ),
  ],
  authentication: [],
  routes: {},
});
