import { withoutSession } from '../core/cookies.ts';
import type { IncomingRequest, ServerDeps } from '../core/exchange.ts';
import { requestTargetOf } from '../core/request-target.ts';
import { Urls } from '../core/urls.ts';
import { serve } from './serve.ts';

/** A write to the interface: `POST`, the namespace and path below it, and what is sent. */
export interface Submission {
  method: 'POST' | 'PATCH';
  /** `tickets:/cart`. */
  target: `${'events' | 'tickets'}:/${string}`;
  body: Readonly<Record<string, unknown>>;
  /** Besides the cookies and the language of the visitor. */
  headers?: Readonly<Record<string, string>>;
}

/** The answer: its body is that of the endpoint, or an error with `code` and `message`. */
export interface Submitted {
  isDone: boolean;
  status: number;
  body: Record<string, unknown> & { code?: string; message?: string };
  cookies: string[];
  /** `Retry-After` of a refusal that passes. */
  retryAfter: string | undefined;
}

interface Poster {
  request: Request;
  client: Pick<IncomingRequest, 'address' | 'isShared' | 'summary'>;
  origin: string;
  language: string;
}

export type SubmitAs = (poster: Poster, submission: Submission) => Promise<Submitted>;

/**
 * Sends what a visitor posted with a form of a page to the interface, in this process: with the same validation, limits,
 * idempotency and rules against foreign origins as a request of its own.
 */
export const createSubmit =
  (deps: ServerDeps): SubmitAs =>
  async ({ request, client, origin, language }, { method, target, body, headers }) => {
    const [namespace, path = ''] = target.split(':') as ['events' | 'tickets', string];
    const url = new URL(new Urls(origin).rest(namespace, path));
    const sent = new Request(url, {
      method,
      headers: { ...kept(request), 'Content-Type': 'application/json', 'Accept-Language': language, ...headers },
      body: JSON.stringify(body),
    });
    const found = requestTargetOf(url, origin);
    if (!found) throw new Error(`${target} is not in the interface`);
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
