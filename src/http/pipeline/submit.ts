import { withoutSession } from '../core/cookies.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import type { IncomingRequest, ServerDeps } from '../core/exchange.ts';
import { requestTargetOf } from '../core/request-target.ts';
import { Urls } from '../core/urls.ts';
import { serve } from './serve.ts';

/** Write to the interface: the parameters of an endpoint, sent with `POST`. */
export interface Submission {
  /** Id in the path of the endpoint, if it has one. */
  id?: string;
  body: Readonly<Record<string, unknown>>;
  /** Besides the cookies and the language of the visitor. */
  headers?: Readonly<Record<string, string>>;
}

interface Outcome {
  status: number;
  cookies: string[];
  /** `Retry-After` of a refusal that passes. */
  retryAfter: string | undefined;
}

/** Error of a refused write. */
export interface Refused extends Outcome {
  isDone: false;
  body: { code?: string; message?: string; data?: Readonly<Record<string, unknown>> };
}

/** Response to a write. */
export type Submitted<T = unknown> = Refused | (Outcome & { isDone: true; body: T });

interface Poster {
  request: Request;
  client: Pick<IncomingRequest, 'address' | 'isShared' | 'summary'>;
  origin: string;
  language: string;
}

/** @param name of an endpoint, `resource.action` */
export type SubmitAs = (poster: Poster, name: string, submission: Submission) => Promise<Submitted>;

/**
 * Sends what a visitor posted with a form of a page to the interface, in this process: with the same validation, limits,
 * idempotency and rules against foreign origins as a request of its own.
 */
export function createSubmit(deps: ServerDeps, endpoints: readonly AnyEndpoint[]): SubmitAs {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return async ({ request, client, origin, language }, name, { id = '', body, headers }) => {
    const endpoint = byName.get(name);
    if (!endpoint) throw new Error(`there is no endpoint ${name}`);
    const url = new URL(new Urls(origin).rest(endpoint.namespace, endpoint.path.replace('{id}', id)));
    const sent = new Request(url, {
      method: 'POST',
      headers: { ...kept(request), 'Content-Type': 'application/json', 'Accept-Language': language, ...headers },
      body: JSON.stringify(body),
    });
    const found = requestTargetOf(url, origin);
    if (!found) throw new Error(`${name} is not in the interface`);
    const answer = await serve(deps, sent, { ...found, ...client });
    const text = await answer.text();
    return {
      isDone: answer.ok,
      status: answer.status,
      body: text === '' ? {} : JSON.parse(text),
      cookies: answer.headers.getSetCookie(),
      retryAfter: answer.headers.get('Retry-After') ?? undefined,
    };
  };
}

/** Headers that say who posted, and from which page. Forms of pages are those of visitors, whoever is signed in. */
function kept({ headers }: Request): Record<string, string> {
  const names = ['cookie', 'origin', 'sec-fetch-site'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, name === 'cookie' ? withoutSession(value) : value]];
    }),
  );
}
