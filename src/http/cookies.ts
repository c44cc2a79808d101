import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import { type Exchange, isReading, methodOf } from './exchange.ts';
import { jsonpCallback } from './field-selection.ts';

/**
 * Browsers attach cookies to requests that other sites trigger by a link, an image, a form or a script. This is the
 * only file that reads cookies, and it refuses such requests.
 */

/**
 * The value of a cookie of the request; undefined if there is none of that name.
 * @throws {ApiError} rest_forbidden for a GET whose method is overridden (a link could write); rest_callback_invalid
 * for JSONP (scripts of any site could read the answer)
 */
export function cookieOf(exchange: Exchange, name: string): string | undefined {
  const value = cookieValue(exchange.request.headers.get('cookie') ?? '', name);
  if (value === undefined) return undefined;
  if (exchange.request.method === 'GET' && !isReading(methodOf(exchange))) throw new ApiError('rest_forbidden');
  if (jsonpCallback(exchange.query._jsonp) !== undefined) throw new ApiError('rest_callback_invalid');
  return value;
}

interface NewCookie {
  name: string;
  value: string;
  /** Scheme, host and port of the site. */
  origin: string;
  path: string;
  /** Seconds; 0 ends it. Without it, the cookie lasts until the browser is closed. */
  maxAge?: number;
  /** Whether scripts may read it. */
  isReadable?: boolean;
}

/** The value of `Set-Cookie` for a cookie that other sites do not cause to be sent with their forms. */
export function setCookie({ name, value, origin, path, maxAge, isReadable = false }: NewCookie): string {
  const attributes = [
    `Path=${path}`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(isReadable ? [] : ['HttpOnly']),
    'SameSite=Lax',
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ];
  return `${name}=${value}; ${attributes.join('; ')}`;
}

/** Names a session. What its requests get is never shared. */
const SESSION = 'marquee-session';

/** Whether a `Cookie` header names a session. */
export const hasSession = (header: string | undefined): boolean =>
  header !== undefined && cookieValue(header, SESSION) !== undefined;

/** The value of a cookie for a page, whose writes refuse other sites by `isForeign`. */
export const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : cookieValue(header, name);

/** Names are case-sensitive, as in browsers; of duplicates the first counts, which has the longest path. */
function cookieValue(header: string, name: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

interface Origins {
  header(name: string): string | undefined;
  urls: { origin: string };
  context: { config: Pick<Config, 'corsOrigins'> };
}

/**
 * Whether a browser sent the request from a page of another site that MARQUEE_CORS_ORIGINS does not name. Writes
 * authorised by a cookie refuse such requests: SameSite=Lax keeps the cookie out of most of them, but old browsers do
 * not support it.
 */
export function isForeign({ header, urls, context }: Origins): boolean {
  const origin = header('origin');
  if (origin !== undefined) return origin !== urls.origin && !context.config.corsOrigins.includes(origin);
  const site = header('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}
