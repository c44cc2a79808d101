import { bodyOf, fillPath, type Params, queryOf } from './address.ts';
import type { FailedRequest } from './errors.ts';
import type { CallOptions, ClientOptions, Credentials } from './options.ts';

/** A request that may be sent several times. */
export interface PreparedRequest {
  about: FailedRequest;
  url: string;
  init: RequestInit & { headers: Headers };
}

/** What all requests of a client have in common. */
export interface Common {
  /** Address that the paths continue. */
  base: string;
  headers: Headers;
  options: ClientOptions;
}

/** @throws {TypeError} naming the option that cannot be used, without its value */
export const commonHeaders = ({ credentials, checkInKey }: ClientOptions): Headers =>
  headersOf([
    ['Accept', 'application/json'],
    ['Authorization', credentials && authorizationOf(credentials)],
    ['X-API-Key', checkInKey],
  ]);

/**
 * The request of an operation, such as `PATCH /events/v1/events/{id}`.
 * @throws {TypeError} when a part of the path is missing, or a header cannot be sent
 */
export function prepareRequest(
  operation: string,
  params: Params,
  { base, headers: common, options, call }: Common & { call: CallOptions },
): PreparedRequest {
  const [method = '', template = ''] = operation.split(' ');
  const [path, others] = fillPath(template, params);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const body = hasBody ? bodyOf(others) : undefined;
  const query = queryOf({ ...(!hasBody && others), i18n_language: call.language ?? options.language });
  const headers = headersOf([
    ...common,
    ['Content-Type', typeof body === 'string' ? 'application/json' : undefined],
    ['Idempotency-Key', method === 'GET' ? undefined : (call.idempotencyKey ?? options.idempotencyKey?.())],
    ...Object.entries(call.headers ?? {}),
  ]);
  return {
    about: { method, path: new URL(base + path).pathname },
    url: base + path + query,
    // A redirect would take headers with secrets to another host, and make a GET of a write.
    init: { method, headers, body, redirect: 'manual' },
  };
}

/** Whether it does no harm to send a request again: a write needs a key by which the server knows it. */
export const isRepeatable = ({ about, init }: PreparedRequest): boolean =>
  about.method === 'GET' || init.headers.has('Idempotency-Key');

function headersOf(pairs: readonly (readonly [name: string, value: string | undefined])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform repeats the value.
      throw new TypeError(`${name} has characters that a header cannot have`);
    }
  }
  return headers;
}

function authorizationOf(credentials: Credentials): string {
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  const { username, password } = credentials;
  if (username.includes(':')) throw new TypeError('a username has no colon');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
