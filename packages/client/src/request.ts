import { bodyOf, fillPath, type Params, queryOf } from './address.ts';
import type { FailedRequest } from './errors.ts';
import type { CallOptions, ClientOptions, Credentials } from './options.ts';

/** A request that may be retried. */
export interface PreparedRequest {
  about: FailedRequest;
  url: string;
  init: RequestInit & { headers: Headers };
}

/** Settings of all requests of a client. */
export interface Common {
  /** URL that paths are appended to. */
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

/** Removals that a password or a code confirms, which no address should hold: addresses are logged. */
const CONFIRMED = /\/second-factor$/;

/**
 * The request of an operation, such as `PATCH /events/v1/events/{id}`.
 * @throws {TypeError} if a part of the path is missing, or a header cannot be sent
 */
export function prepareRequest(
  operation: string,
  params: Params,
  { base, headers: common, options, call }: Common & { call: CallOptions },
): PreparedRequest {
  const [method = '', template = ''] = operation.split(' ');
  const [path, others] = fillPath(template, params);
  const hasBody = method !== 'GET' && (method !== 'DELETE' || CONFIRMED.test(template));
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
    // A redirect would send secret headers to another host, and turn a write into a GET.
    init: { method, headers, body, redirect: 'manual' },
  };
}

/** Whether a request may safely be retried: a write needs an `Idempotency-Key`. */
export const isRepeatable = ({ about, init }: PreparedRequest): boolean =>
  about.method === 'GET' || init.headers.has('Idempotency-Key');

function headersOf(pairs: readonly (readonly [name: string, value: string | undefined])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform would repeat the value.
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
