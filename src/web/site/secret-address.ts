import type { HttpResponse } from '../../http/core/response.ts';
import { SECRETS } from '../../http/input/parsed-request.ts';
import { segmentsOf } from '../frame/address.ts';

/** First words of paths whose last parts are secrets: `/order/ID/TOKEN/`, `/ticket/ID/CODE/`. */
const SECRET_PATHS: ReadonlySet<string> = new Set(['order', 'ticket']);

/**
 * Keeps every response to an address with a secret out of caches, errors and redirects too, and the address out of
 * requests to other sites. What is not found may hold most of a secret, or all of it: a truncated link, or one in a
 * language that the site no longer has.
 */
export function protectSecretAddress(url: URL, response: HttpResponse): HttpResponse {
  if (!isSecretAddress(url)) return response;
  response.headers.set('cache-control', 'private, no-store');
  response.headers.set('referrer-policy', 'same-origin');
  return { ...response, shared: undefined };
}

/** A first segment may be a language, also one that the site no longer has. */
function isSecretAddress({ pathname, searchParams }: URL): boolean {
  if (SECRETS.some((name) => searchParams.has(name))) return true;
  const segments = pathname.split('/').filter(Boolean);
  // One by one: the others may not be encoded properly.
  const words = segments.slice(0, 2).map((segment) => segmentsOf(segment)?.[0]?.toLowerCase() ?? '');
  return words.some((word, index) => SECRET_PATHS.has(word) && index + 1 < segments.length);
}
