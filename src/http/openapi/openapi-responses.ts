import type { z } from 'zod';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { type ErrorCode, statusOf } from '../core/errors.ts';
import { COMMON_HEADERS, RATE_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from '../core/headers.ts';
import { responseSchemas } from '../core/shown-once.ts';
import { type Components, type Json, outputSchema } from './openapi-schemas.ts';

/** Errors that any request may get; not repeated in each endpoint. */
export const EVERYWHERE: readonly ErrorCode[] = [
  'rest_invalid_param',
  'rest_callback_invalid',
  'incorrect_password',
  'invalid_username',
  'invalid_token',
  'second-factor-required',
  'too_many_attempts',
  'storage_unavailable',
  'overloaded',
  'internal',
];

/** Errors that any request with a body may get. */
export const WITH_BODY: readonly ErrorCode[] = [
  'rest_invalid_json',
  'rest_invalid_body',
  'rest_body_too_deep',
  'rest_body_too_many_values',
  'rest_body_too_large',
  'rest_request_timeout',
];

/** Errors that any write with an `Idempotency-Key` may get. */
export const WITH_KEY: readonly ErrorCode[] = [
  'request-in-progress',
  'idempotency-answer-not-kept',
  'idempotency-key-reused',
];

/** A response shared by several endpoints. */
interface SharedFailure {
  /** Codes listed by the shared response. An endpoint with other codes of the same status has its own response. */
  codes: readonly ErrorCode[];
  headers?: readonly ResponseHeader[];
}

const ofStatus = (status: number, codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  codes.filter((code) => statusOf(code) === status);

const LIMITED: readonly ResponseHeader[] = ['Retry-After', ...RATE_HEADERS];

/** Shared responses by status and name. Refusals by a rate limit include the number of remaining requests. */
const FAILURES: Readonly<Record<number, Readonly<Record<string, SharedFailure>>>> = {
  400: { BadRequest: { codes: ofStatus(400, [...EVERYWHERE, ...WITH_BODY]), headers: RATE_HEADERS } },
  401: {
    Unauthorized: { codes: ofStatus(401, EVERYWHERE), headers: ['WWW-Authenticate'] },
    AccountNeeded: { codes: ['rest_forbidden', ...ofStatus(401, EVERYWHERE)], headers: ['WWW-Authenticate'] },
  },
  403: { Forbidden: { codes: ['rest_forbidden'], headers: RATE_HEADERS } },
  404: { NotFound: { codes: [] } },
  409: { Conflict: { codes: ofStatus(409, WITH_KEY), headers: LIMITED } },
  410: { Gone: { codes: [] } },
  412: { PreconditionFailed: { codes: ['edit-conflict'] } },
  413: { ContentTooLarge: { codes: ofStatus(413, WITH_BODY) } },
  429: { TooManyRequests: { codes: ofStatus(429, EVERYWHERE), headers: LIMITED } },
  503: { ServiceUnavailable: { codes: ['payment-unavailable', 'documents-busy'], headers: ['Retry-After'] } },
};

const INTEGER = { type: 'integer' };

/** Schema of every error. */
const errorSchema = {
  type: 'object',
  description: 'Every error: a code for programs, a message for people, and the HTTP status.',
  properties: {
    code: { type: 'string', examples: ['rest_invalid_param'] },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer', examples: [400] },
        params: {
          description: 'Names of missing parameters, or the reason for each invalid one.',
          anyOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'object', additionalProperties: { type: 'string' } },
          ],
        },
        details: { type: 'object', additionalProperties: true },
        ticket_id: { type: 'integer', description: 'Ticket with too few places left.' },
        reason: { type: 'string', description: 'Why an order or a promotion code is refused.' },
        available: { type: 'integer', description: 'Places left.' },
        tickets: {
          type: 'array',
          items: {
            type: 'object',
            properties: { ticket_id: INTEGER, quantity: INTEGER, available: INTEGER },
            required: ['ticket_id', 'quantity', 'available'],
          },
          description: 'Items whose hold has expired.',
        },
        totals: { type: 'object', additionalProperties: true, description: 'Current prices of the cart.' },
        term_id: { type: 'integer', description: 'Existing term with this name.' },
        record: { type: 'object', additionalProperties: true, description: 'The current record.' },
        used_by: { type: 'integer', description: 'Record that shows the image.' },
        state: { type: 'string', description: 'Current state of the import.' },
        received: { type: 'integer', description: 'Number of bytes of the file received so far.' },
        limit: { type: 'integer', description: 'Maximum number of imports, or of bytes of their files.' },
        used: { type: 'integer', description: 'Bytes of the files of unfinished imports.' },
        json_error_code: INTEGER,
        json_error_message: { type: 'string' },
        request_id: { type: 'string', description: 'Id of the request, as in `X-Request-Id` and in the log.' },
      },
      required: ['status'],
    },
  },
  required: ['code', 'message', 'data'],
};

const json = (schema: Json): Json => ({ 'application/json': { schema } });

function headersOf(names: readonly ResponseHeader[], components: Components): Json {
  const described = names
    .toSorted()
    .map((name) => [name, components.define('headers', name, { ...RESPONSE_HEADERS[name] })]);
  return Object.fromEntries(described);
}

/**
 * Responses of an endpoint: successes, its own errors by status, and `default` for errors that any request may get.
 * Errors by status are listed with `POST` only; `PUT` and `PATCH` behave the same.
 */
export function responsesOf(endpoint: AnyEndpoint, isFirst: boolean, components: Components): Json {
  const failed = failureCodes(endpoint);
  const schemas = Object.entries<z.ZodType>(responseSchemas(endpoint));
  const own = schemas.map(([status, schema]) => [
    status,
    responseOf(endpoint, { status: Number(status), schema, codes: failed.get(Number(status)) }, components),
  ]);
  const failures = [...failed]
    .filter(([status]) => (isFirst || status === 400) && !(status in responseSchemas(endpoint)))
    .map(([status, codes]) => [status, failureOf(status, isFirst ? codes : [], components)]);
  const unchanged = isTagged(endpoint) ? [[304, notModified(components)]] : [];
  return { ...Object.fromEntries([...own, ...unchanged, ...failures]), default: anyFailure(components) };
}

/** Tests if responses have an `ETag`. */
const isTagged = ({ methods, hasEffect, isStreamed }: AnyEndpoint): boolean =>
  methods.includes('GET') && !hasEffect && !isStreamed;

interface Documented {
  status: number;
  schema: z.ZodType;
  /** Errors with the same status. */
  codes: readonly ErrorCode[] | undefined;
}

/** Responses with the same schema share a component; the few with errors of the same status are described inline. */
function responseOf(endpoint: AnyEndpoint, { schema, codes }: Documented, components: Components): Json {
  const { responseHeaders = [], media = [] } = endpoint;
  const { id } = schema.meta() ?? {};
  const body = outputSchema(schema, components);
  if (codes) {
    const anyOf = [body, components.define('schemas', 'Error', errorSchema)];
    return {
      description: `A refusal, or ${codes.join(', ')}`,
      headers: headersOf(COMMON_HEADERS, components),
      content: json({ anyOf }),
    };
  }
  const headers = headersOf([...COMMON_HEADERS, 'ETag', ...responseHeaders], components);
  // Images are offered in addition to JSON, texts in place of it.
  const isText = body.type === 'string';
  const others = media.map((type) => [type, { schema: isText ? body : { type: 'string', format: 'binary' } }]);
  const content = { ...(isText ? {} : json(body)), ...Object.fromEntries(others) };
  const response = { description: 'Success.', headers, content };
  return id ? components.define('responses', responseName(id, responseHeaders), response) : response;
}

/** Most responses are named after their schema. */
function responseName(schema: string, headers: readonly ResponseHeader[]): string {
  if (headers.includes('Location')) return `${schema}Created`;
  return headers.includes('RateLimit-Limit') ? `${schema}Written` : schema;
}

const notModified = (components: Components): Json =>
  components.define('responses', 'NotModified', {
    description: 'Unchanged since the response with the `ETag` in `If-None-Match`.',
    headers: headersOf([...COMMON_HEADERS, 'ETag'], components),
  });

/**
 * Codes of an endpoint by status: 400, 401 and the statuses of its own errors, each with the codes that any request may
 * get.
 */
function failureCodes(endpoint: AnyEndpoint): Map<number, ErrorCode[]> {
  const { errors, methods } = endpoint;
  const anybody = methods.includes('GET') ? EVERYWHERE : [...EVERYWHERE, ...WITH_BODY, ...WITH_KEY];
  const own = new Set<number>([400, 401, ...errors.flatMap((code) => statusesOf(code, endpoint))]);
  const found = [...own]
    .sort((a, b) => a - b)
    .map((status): [number, ErrorCode[]] => {
      const mine = errors.filter((code) => statusesOf(code, endpoint).includes(status));
      return [status, [...new Set([...mine, ...ofStatus(status, anybody)])]];
    });
  return new Map(found);
}

/** Visitors get 401 where users get 403. */
function statusesOf(code: ErrorCode, { may, statuses }: AnyEndpoint): number[] {
  const status = statuses?.[code] ?? statusOf(code);
  return code === 'rest_forbidden' && may ? [401, status] : [status];
}

function failureOf(status: number, codes: readonly ErrorCode[], components: Components): Json {
  const candidates = Object.entries(FAILURES[status] ?? {});
  const same = candidates.find(([, { codes: listed }]) => codes.every((code) => listed.includes(code)));
  const [name, { codes: listed, headers = [] }] = same ?? candidates[0] ?? missing(status);
  const found = components.define(
    'responses',
    name,
    failure(listed.join(', ') || 'See the code.', headers, components),
  );
  if (same) return found;
  return { ...found, description: codes.filter((code) => !listed.includes(code)).join(', ') };
}

function missing(status: number): never {
  throw new Error(`errors of status ${status} have no response in the OpenAPI document`);
}

const failure = (description: string, headers: readonly ResponseHeader[], components: Components): Json => ({
  description,
  headers: headersOf([...COMMON_HEADERS, ...headers], components),
  content: json(components.define('schemas', 'Error', errorSchema)),
});

/** Response for errors that any request may get. */
function anyFailure(components: Components): Json {
  const byStatus = Map.groupBy([...EVERYWHERE, ...WITH_BODY, ...WITH_KEY], statusOf);
  const listed = [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => `${status} ${codes.join(', ')}`);
  return components.define(
    'responses',
    'Failure',
    failure(`Any error: ${listed.join('; ')}.`, ['WWW-Authenticate', ...LIMITED], components),
  );
}
