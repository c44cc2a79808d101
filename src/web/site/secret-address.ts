import type { HttpResponse } from '../../http/core/response.ts';
import { SECRETS } from '../../http/input/parsed-request.ts';
import { segmentsOf } from '../frame/address.ts';

/** First words of paths that end in secrets: `/order/ID/TOKEN/`, `/ticket/ID/TOKEN/`, `/reply/ID/SEALED/`, `/unsubscribe/SEALED/`. */
export const SECRET_PATHS: ReadonlySet<string> = new Set(['order', 'ticket', 'reply', 'unsubscribe']);

/**
 * Prevents caching of responses to addresses with a secret, errors and redirects included, and hides the address from
 * other sites. An unknown address may contain most of a secret, or all of it: a truncated link, or one in a language
 * that the site no longer has.
 */
export function protectSecretAddress(url: URL, response: HttpResponse): HttpResponse {
  if (!isSecretAddress(url)) return response;
  response.headers.set('cache-control', 'private, no-store');
  response.headers.set('referrer-policy', 'same-origin');
  return { ...response, shared: undefined };
}

/** The first segment may be a language that the site no longer has. */
function isSecretAddress({ pathname, searchParams }: URL): boolean {
  if (SECRETS.some((name) => searchParams.has(name))) return true;
  const segments = pathname.split('/').filter(Boolean);
  // Decoded separately: the others may be encoded incorrectly.
  const words = segments.slice(0, 2).map((segment) => segmentsOf(segment)?.[0]?.toLowerCase() ?? '');
  return words.some((word, index) => SECRET_PATHS.has(word) && index + 1 < segments.length);
}
