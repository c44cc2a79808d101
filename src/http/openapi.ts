import { z } from 'zod';
import type { AnyEndpoint, Method } from './endpoint.ts';
import { type ErrorCode, statusOf } from './errors.ts';
import { BODY_ONLY } from './params.ts';

type Json = Record<string, unknown>;

export interface DocumentOptions {
  /** Address that the paths continue. */
  server: string;
  languages: readonly string[];
  /** What a path begins with, when the document describes several namespaces. */
  prefix?: (endpoint: AnyEndpoint) => string;
}

const API_VERSION = '1.0.0';

/** The OpenAPI 3.1 document of some endpoints: everything in it comes from the endpoints themselves. */
export function openapiDocument(endpoints: readonly AnyEndpoint[], options: DocumentOptions): Json {
  const schemas: Json = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = `${options.prefix?.(endpoint) ?? ''}${endpoint.path}` || '/';
    for (const method of endpoint.methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint, method, { schemas, options }) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      version: API_VERSION,
      title: 'Marquee',
      description: 'Event calendar and ticketing: events, venues, organizers, categories, tags, tickets and check-in.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      schemas: sorted(schemas),
      parameters: { IdempotencyKey: idempotencyKey },
      responses: Object.fromEntries(Object.entries(ofKeys).map(([name, codes]) => [name, failure(codes)])),
      securitySchemes,
    },
    servers: [{ url: options.server }],
    security: [{}, { basic: [] }, { bearer: [] }],
    paths,
  };
}

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Name and password of the account, or one of its application passwords.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A token with scopes.' },
};

/** Every write takes it. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own, best a random one: the same request with the same key gets the same answer for 24 hours, and is done once.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

const errorSchema = {
  type: 'object',
  description: 'Every error: a code for programs, a message for people, and the HTTP status again.',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        params: { description: 'Names of missing parameters, or the reason for each invalid one.' },
        details: { type: 'object' },
        request_id: { type: 'string', description: 'Id of the request, as in `X-Request-Id` and in the log.' },
      },
      required: ['status'],
    },
  },
  required: ['code', 'message', 'data'],
};

interface Making {
  /** Named schemas met so far. */
  schemas: Json;
  options: DocumentOptions;
}

function operation(endpoint: AnyEndpoint, method: Method, making: Making): Json {
  const [namespace = '', action = ''] = endpoint.name.split('.');
  const isFirst = endpoint.methods[0] === method;
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
  const fields = Object.entries(endpoint.input as Record<string, z.ZodType>);
  const others = fields.filter(([name]) => !inPath.includes(name));
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const parameters = [
    ...fields
      .filter(([name]) => inPath.includes(name))
      .map(([name, schema]) => parameter(name, schema, { place: 'path', required: true })),
    ...(takesBody
      ? []
      : others.map(([name, schema]) =>
          parameter(name, schema, { place: 'query', required: isRequired(endpoint, name) }),
        )),
    languageParameter(making.options.languages),
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
  ];
  return {
    operationId: isFirst ? endpoint.name : `${namespace}.${action}.${method.toLowerCase()}`,
    tags: [namespace],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    parameters,
    ...(takesBody && others.length > 0 && { requestBody: requestBody(endpoint, others, making) }),
    responses: {
      ...successes(endpoint, making.schemas),
      ...failures([...endpoint.errors, ...(method === 'GET' ? [] : [...WITH_BODY, ...WITH_KEY])]),
    },
  };
}

const isRequired = ({ required = [] }: AnyEndpoint, name: string) => required.includes(name);

interface Placing {
  place: 'path' | 'query';
  required: boolean;
}

function parameter(name: string, schema: z.ZodType, { place, required }: Placing): Json {
  const { description, ...json } = inputSchema(schema);
  const list = json.type === 'array' && place === 'query' ? { style: 'form', explode: false } : {};
  return { name, in: place, required, description, ...list, schema: json };
}

/** The parameter that every endpoint takes; it follows the configuration, so no endpoint names it. */
export const languageSchema = (languages: readonly string[]) => ({
  type: 'string',
  description: 'Language of the content and of messages; Accept-Language decides without it.',
  enum: [...languages],
});

function languageParameter(languages: readonly string[]): Json {
  const { description, ...schema } = languageSchema(languages);
  return { name: 'i18n_language', in: 'query', required: false, description, schema };
}

function requestBody(endpoint: AnyEndpoint, fields: [string, z.ZodType][], { options }: Making): Json {
  const properties = Object.fromEntries([
    ...fields.map(([name, schema]) => [name.replace(BODY_ONLY, ''), inputSchema(schema)]),
    ['i18n_language', languageSchema(options.languages)],
  ]);
  const required = (endpoint.required ?? []).filter((name) => name in properties);
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  if (endpoint.takesFiles) return { required: true, content: { 'multipart/form-data': { schema } } };
  return {
    required: required.length > 0,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

/** Schemas of parameters carry the JSON Schema of what clients send; `nullable` is ours for "null clears it". */
function inputSchema(schema: z.ZodType): Json {
  const { nullable, ...json } = (schema.meta() ?? {}) as Json;
  return nullable && typeof json.type === 'string' ? { ...json, type: [json.type, 'null'] } : json;
}

function successes(endpoint: AnyEndpoint, schemas: Json): Json {
  const entries = Object.entries(endpoint.answers as Record<string, z.ZodType>).map(([status, schema]) => {
    const content = { 'application/json': { schema: outputSchema(schema, schemas) } };
    return [status, { description: SUCCESSES[status] ?? 'Done', ...(status !== '204' && { content }) }];
  });
  return Object.fromEntries(entries);
}

const SUCCESSES: Record<string, string> = {
  200: 'The answer',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  403: 'Refused',
};

/** Moves the definitions of named schemas to the components of the document. */
function outputSchema(schema: z.ZodType, schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json;
  const { $schema: _dialect, $defs = {}, ...own } = relocate(made) as Json;
  for (const [name, definition] of Object.entries($defs as Json)) schemas[name] = withoutId(definition as Json);
  const id = schema.meta()?.id;
  if (!id) return own;
  // A schema that refers to itself comes as a reference to its definition, which is already among the components.
  if (!('$ref' in own)) schemas[id] = withoutId(own);
  return { $ref: `#/components/schemas/${id}` };
}

const withoutId = ({ id: _id, ...rest }: Json): Json => rest;

function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === '$ref' && typeof inner === 'string') return [key, inner.replace('#/$defs/', '#/components/schemas/')];
    return [key, relocate(inner)];
  });
  return Object.fromEntries(entries);
}

/** Any request may be sent away for these reasons, so they are not repeated in each endpoint. */
export const EVERYWHERE: readonly ErrorCode[] = [
  'rest_invalid_param',
  'rest_callback_invalid',
  'incorrect_password',
  'invalid_username',
  'invalid_token',
  'too_many_attempts',
  'storage_unavailable',
  'overloaded',
  'internal',
];

/** Any request that brings a body may be sent away for these. */
export const WITH_BODY: readonly ErrorCode[] = [
  'rest_invalid_json',
  'rest_invalid_body',
  'rest_body_too_deep',
  'rest_body_too_large',
  'rest_request_timeout',
];

/** Errors of a write with an `Idempotency-Key`; each list is one shared response. */
const ofKeys = {
  KeyInUse: ['request-in-progress', 'idempotency-answer-not-kept'],
  KeyReused: ['idempotency-key-reused'],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** Errors that any write with an `Idempotency-Key` may get. */
export const WITH_KEY: readonly ErrorCode[] = Object.values(ofKeys).flat();

function failures(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy([...codes, ...EVERYWHERE], statusOf);
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => [status, sharedFailure(group) ?? failure(group)]);
  return Object.fromEntries(entries);
}

const failure = (codes: readonly ErrorCode[]): Json => ({
  description: [...new Set(codes)].join(', '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function sharedFailure(codes: readonly ErrorCode[]): Json | undefined {
  const shared = Object.entries(ofKeys).find(([, own]) => String(own) === String(codes));
  return shared && { $ref: `#/components/responses/${shared[0]}` };
}

const sorted = (record: Json): Json => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
