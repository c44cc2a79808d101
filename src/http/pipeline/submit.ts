import { withoutSession } from '../core/cookies.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import type { HttpRequest } from '../core/request.ts';
import { textOf } from '../core/response.ts';
import { Urls } from '../core/urls.ts';
import { parseRequest } from '../input/parsed-request.ts';
import type { IncomingCall, ServerDeps } from './exchange.ts';
import { serve } from './serve.ts';

/** Write to the interface: the parameters of an endpoint, sent with `POST`. */
export interface Submission {
  /** Id in the path of the endpoint, if it has one. */
  id?: string;
  body: Readonly<Record<string, unknown>>;
  /** Sent in addition to the visitor's cookies and language. */
  headers?: Readonly<Record<string, string>>;
}

interface Outcome {
  status: number;
  cookies: string[];
  /** `Retry-After` of a temporary refusal. */
  retryAfter: string | undefined;
}

/** Error of a refused write. */
export interface Refused extends Outcome {
  isDone: false;
  body: { code?: string; message?: string; data?: Readonly<Record<string, unknown>> };
}

/** Response to a write. */
export type Submitted<T = unknown> = Refused | (Outcome & { isDone: true; body: T });

interface Poster extends Pick<IncomingCall, 'client' | 'summary' | 'context'> {
  request: HttpRequest;
  origin: string;
  language: string;
}

/** @param name of an endpoint, `resource.action` */
export type SubmitAs = (poster: Poster, name: string, submission: Submission) => Promise<Submitted>;

/**
 * Passes a form posted on a page to the interface, in this process: with the validation, limits, idempotency and
 * cross-origin rules of a direct request.
 */
export function createSubmit(deps: ServerDeps, endpoints: readonly AnyEndpoint[]): SubmitAs {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return async ({ request, origin, language, ...sender }, name, { id = '', body, headers }) => {
    const endpoint = byName.get(name);
    if (!endpoint) throw new Error(`there is no endpoint ${name}`);
    const url = new URL(new Urls(origin).rest(endpoint.namespace, endpoint.path.replace('{id}', id)));
    const sent = new Request(url, {
      method: 'POST',
      headers: { ...kept(request), 'Content-Type': 'application/json', 'Accept-Language': language, ...headers },
      body: JSON.stringify(body),
    });
    const { call } = parseRequest(sent, { url, origin }, deps.routes);
    if (!call) throw new Error(`${name} is not in the interface`);
    const response = await serve(deps, { ...sender, request: sent, call });
    const { status, headers: received } = response;
    const text = await textOf(response);
    return {
      isDone: status < 300,
      status,
      body: text === '' ? {} : JSON.parse(text),
      cookies: received.getSetCookie(),
      retryAfter: received.get('retry-after'),
    };
  };
}

/** Headers that identify the client and the page. Forms on pages act as a visitor, even with a session. */
function kept({ headers }: HttpRequest): Record<string, string> {
  const names = ['cookie', 'origin', 'sec-fetch-site'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, name === 'cookie' ? withoutSession(value) : value]];
    }),
  );
}
