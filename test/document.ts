import { documentedEndpoints } from '../src/app.ts';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { openapiDocument } from '../src/http/openapi/openapi.ts';

/** OpenAPI documents as used by tests. */

export type Json = Record<string, unknown>;

export interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Json>;
}

const ANNOUNCED = {
  perPage: 6,
  timezone: 'America/New_York',
  now: new Date('2027-01-01T12:00:00Z'),
  word: 'calendar',
};

/** The document of all namespaces, with paths below `/calendar`; on demand also of those without a document. */
export function wholeDocument(endpoints: readonly AnyEndpoint[] = documentedEndpoints): OpenApi {
  const prefix = ({ namespace }: { namespace: string }) => `/calendar/${namespace}/v1`;
  // In the shape that `OpenApi` describes.
  return openapiDocument(endpoints, {
    server: '/',
    languages: ['en', 'fr'],
    site: ANNOUNCED,
    prefix,
  }) as unknown as OpenApi;
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The operations of a path by method, without the parts they share. */
export const operationsAt = (path: Readonly<Record<string, unknown>>): [method: string, operation: Json][] =>
  Object.entries(path).filter((entry): entry is [string, Json] => METHODS.has(entry[0]));

/** A part of a document, resolved if it is a reference. */
export function resolved(part: unknown, { components }: { components: OpenApi['components'] }): Json {
  const { $ref, ...own } = part as Json;
  const [, group = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String($ref)) ?? [];
  return name === '' ? own : { ...(components[group]?.[name] as Json), ...own };
}
