import { withoutSession } from '../core/cookies.ts';
import type { HttpRequest } from '../core/request.ts';
import { textOf } from '../core/response.ts';
import { Urls } from '../core/urls.ts';
import { parseRequest } from '../input/parsed-request.ts';
import type { IncomingCall, ServerDeps } from './exchange.ts';
import { serve } from './serve.ts';

/** Write to the interface: a `POST` to a namespace and path, with its fields. */
export interface Submission {
  method: 'POST' | 'PATCH';
  /** For example `tickets:/cart`. */
  target: `${'events' | 'tickets'}:/${string}`;
  body: Readonly<Record<string, unknown>>;
  /** Sent in addition to the visitor's cookies and language. */
  headers?: Readonly<Record<string, string>>;
}

/** Response with the body of the endpoint, or an error with `code` and `message`. */
export interface Submitted {
  isDone: boolean;
  status: number;
  body: Record<string, unknown> & { code?: string; message?: string };
  cookies: string[];
  /** `Retry-After` of a temporary refusal. */
  retryAfter: string | undefined;
}

interface Poster extends Pick<IncomingCall, 'client' | 'summary' | 'context'> {
  request: HttpRequest;
  origin: string;
  language: string;
}

export type SubmitAs = (poster: Poster, submission: Submission) => Promise<Submitted>;

/**
 * Passes a form posted on a page to the interface, in this process: with the validation, limits, idempotency and
 * cross-origin rules of a direct request.
 */
export const createSubmit =
  (deps: ServerDeps): SubmitAs =>
  async ({ request, origin, language, ...sender }, { method, target, body, headers }) => {
    const [namespace, path = ''] = target.split(':') as ['events' | 'tickets', string];
    const url = new URL(new Urls(origin).rest(namespace, path));
    const sent = new Request(url, {
      method,
      headers: { ...kept(request), 'Content-Type': 'application/json', 'Accept-Language': language, ...headers },
      body: JSON.stringify(body),
    });
    const { call } = parseRequest(sent, { url, origin }, deps.routes);
    if (!call) throw new Error(`${target} is not in the interface`);
    const response = await serve(deps, { ...sender, request: sent, call });
    const { status, headers: answered } = response;
    const text = await textOf(response);
    return {
      isDone: status < 300,
      status,
      body: text === '' ? {} : JSON.parse(text),
      cookies: answered.getSetCookie(),
      retryAfter: answered.get('retry-after'),
    };
  };

/** Headers that identify the client and the page. Forms of pages act for visitors, even with a session. */
function kept({ headers }: HttpRequest): Record<string, string> {
  const names = ['cookie', 'origin', 'sec-fetch-site'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, name === 'cookie' ? withoutSession(value) : value]];
    }),
  );
}
