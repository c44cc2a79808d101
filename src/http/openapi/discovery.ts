import { z } from 'zod';
import type { Config } from '../../base/config.ts';
import { localDay, toUtc } from '../../lib/dates/dates.ts';
import { ANY_ORIGIN, type OriginTemplate, originTemplate } from '../../lib/origin-template.ts';
import { type RenderedJson, renderedFor } from '../../lib/rendered-json.ts';
import { type AnyEndpoint, endpoint, ok } from '../core/endpoint.ts';
import { ApiError } from '../core/errors.ts';
import { methodsOf, pathPattern, type Route, routesOf } from '../core/router.ts';
import { isDocumented, type NamespaceName, Urls } from '../core/urls.ts';
import { BODY_ONLY } from '../input/params.ts';
import { type SiteDefaults, text, withDefault } from '../input/schemas.ts';
import { languageSchema, openapiDocument } from './openapi.ts';
import { presetOf } from './openapi-schemas.ts';

type Json = Record<string, unknown>;

const SHOWN_OF_ARGUMENTS = [
  'description',
  'items',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
];

/** Describes an endpoint for the index and OPTIONS: its methods and its parameters. */
function describeEndpoint({ methods, input, required = [] }: AnyEndpoint, { languages, defaults }: Site): Json {
  const fields = Object.entries(input as Record<string, z.ZodType>).filter(([name]) => !name.startsWith(BODY_ONLY));
  const args = fields.map(([name, schema]) => [
    name,
    { ...describeArgument((schema.meta() ?? {}) as Json, defaults), required: required.includes(name) },
  ]);
  const language = { ...languageSchema(languages), required: false };
  return { methods, args: Object.fromEntries([...args, ['i18n_language', language]]) };
}

function describeArgument(meta: Json, defaults: SiteDefaults): Json {
  const shown = Object.fromEntries(SHOWN_OF_ARGUMENTS.flatMap((key) => (key in meta ? [[key, meta[key]]] : [])));
  const type = typesOf(meta);
  return {
    ...(type !== undefined && { type }),
    ...shown,
    ...('default' in meta && { default: presetOf(meta.default, defaults) }),
  };
}

/** Types of a parameter, including its alternatives: a text for one, a list for several. */
function typesOf({ type, anyOf, $ref }: Json): unknown {
  if ($ref) return 'object';
  const own = Array.isArray(anyOf) ? anyOf.flatMap(typesOf) : [type].flat();
  const types = [...new Set(own)].filter((item) => item !== undefined && item !== 'null');
  return types.length > 1 ? types : types[0];
}

/** Values that descriptions depend on besides the endpoints. */
export interface Site {
  urls: Urls;
  languages: readonly string[];
  defaults: SiteDefaults;
}

/** The site as seen by a request. */
export const siteOf = (config: Config, urls: Urls, now: Date): Site => ({
  urls,
  languages: config.languages,
  defaults: { perPage: config.perPage, timezone: config.timezone, now, word: urls.word },
});

/** A route in the index and in OPTIONS. */
export function describeRoute(route: Route, site: Site): Json {
  const { urls } = site;
  const self = route.path.includes('{') ? {} : { _links: { self: [{ href: urls.rest(route.namespace, route.path) }] } };
  return {
    namespace: urls.namespace(route.namespace),
    methods: methodsOf(route),
    endpoints: route.endpoints.map((item) => describeEndpoint(item, site)),
    ...self,
  };
}

/** Routes by path pattern. */
export function describeRoutes(routes: readonly Route[], site: Site): Json {
  const described = routes.map((route) => [
    `/${site.urls.namespace(route.namespace)}${pathPattern(route.path)}`,
    describeRoute(route, site),
  ]);
  return Object.fromEntries(described);
}

function indexOf(routes: readonly Route[], namespace: NamespaceName, site: Site): Json {
  const { urls } = site;
  const own = routes.filter((route) => route.namespace === namespace);
  return {
    namespace: urls.namespace(namespace),
    routes: describeRoutes(own, site),
    _links: { up: [{ href: urls.root }] },
  };
}

const indexSchema = z
  .object({
    namespace: z.string(),
    routes: z.record(z.string(), z.unknown()).describe('Pattern of the path -> methods and parameters.'),
    _links: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Index', description: 'The routes of a namespace.' });

const documentSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Document', description: 'An OpenAPI 3.1 document.' });

/** Descriptions of namespaces as JSON. */
type Indexes = ReadonlyMap<NamespaceName, (site: Site) => RenderedJson>;

/** Prepends the index of each namespace, and its OpenAPI document if it has one, to its endpoints. */
export function withDiscovery(endpoints: readonly AnyEndpoint[]): AnyEndpoint[] {
  const all: AnyEndpoint[] = [];
  const byNamespace = Map.groupBy(endpoints, (item) => item.namespace);
  const indexes: Indexes = new Map(
    [...byNamespace.keys()].map((name) => [name, renderedOnce((site) => indexOf(routesOf(all), name, site))]),
  );
  for (const [namespace, own] of byNamespace) {
    const descriptions = isDocumented(namespace) ? [docEndpoint(namespace, all)] : [];
    all.push(indexEndpoint(namespace, indexes), ...descriptions, ...own);
  }
  return all;
}

const indexEndpoint = (namespace: NamespaceName, indexes: Indexes): AnyEndpoint =>
  endpoint({
    namespace,
    methods: ['GET'],
    path: '',
    name: `${namespace}.index`,
    summary: 'List the routes of this namespace',
    input: {
      namespace: withDefault(
        text('Name of the namespace to describe; this one by default.', { max: 100 }),
        ({ word }: SiteDefaults) => new Urls('', '', word).namespace(namespace),
      ),
      context: withDefault(text('Accepted for compatibility.', { max: 100 }), 'view'),
    },
    responses: { 200: indexSchema },
    errors: ['rest_invalid_namespace'],
    async handle({ urls, context, now }, input) {
      const asked = input.namespace ?? urls.namespace(namespace);
      const [, index] = [...indexes].find(([name]) => urls.namespace(name) === asked) ?? [];
      if (!index) throw new ApiError('rest_invalid_namespace');
      return ok(index(siteOf(context.config, urls, now)));
    },
  });

function docEndpoint(namespace: NamespaceName, all: readonly AnyEndpoint[]): AnyEndpoint {
  const document = renderedOnce(({ urls, languages, defaults }) => {
    const own = all.filter((item) => item.namespace === namespace);
    return openapiDocument(own, { server: urls.rest(namespace), languages, site: defaults });
  });
  return endpoint({
    namespace,
    methods: ['GET'],
    path: '/doc',
    name: `${namespace}.doc`,
    summary: 'Describe this namespace as OpenAPI 3.1',
    input: {},
    responses: { 200: documentSchema },
    errors: [],
    handle: async ({ urls, context, now }) => ok(document(siteOf(context.config, urls, now))),
  });
}

/** Text of everything that descriptions depend on except URLs; they are cached until it changes. */
export const stateOf = ({ languages, defaults: { now, timezone, perPage } }: Site): string =>
  JSON.stringify([languages, perPage, localDay(toUtc(now), timezone)]);

/**
 * Caches the JSON of descriptions by prefix and product word, because building it takes up to a tenth of a second. The
 * origin is not part of the key, since clients can invent hosts. Dates in the descriptions change daily.
 */
export function renderedOnce(describe: (site: Site) => Json): (site: Site) => RenderedJson {
  const known = new Map<string, { state: string; template: OriginTemplate }>();
  return (site) => {
    const { origin, prefix, word } = site.urls;
    const state = stateOf(site);
    let last = known.get(`${prefix} ${word}`);
    if (last?.state !== state) {
      const json = JSON.stringify(describe({ ...site, urls: new Urls(ANY_ORIGIN, prefix, word) }));
      last = { state, template: originTemplate(json) };
      known.set(`${prefix} ${word}`, last);
    }
    return renderedFor(origin, last.template);
  };
}
