import type { Config } from '../../base/config.ts';
import { ApiError } from './errors.ts';
import { jsonpCallback } from './field-selection.ts';
import { type HttpRequest, isReading } from './request.ts';

/**
 * Browsers attach cookies to requests that other sites trigger by a link, an image, a form or a script. This is the
 * only file that reads cookies, and it refuses such requests.
 */

/** A request with its method after an override, and its query. */
interface Overridden {
  request: Pick<HttpRequest, 'method' | 'headers'>;
  method: string;
  query: Readonly<Record<string, unknown>>;
}

/**
 * The value of a cookie of the request; undefined if there is none of that name.
 * @throws {ApiError} rest_forbidden for a GET whose method is overridden (a link could write); rest_callback_invalid
 * for JSONP (scripts of any site could read the answer)
 */
export function cookieOf({ request, method, query }: Overridden, name: string): string | undefined {
  const value = cookieValue(request.headers.get('cookie') ?? '', name);
  if (value === undefined) return undefined;
  if (request.method === 'GET' && !isReading(method)) throw new ApiError('rest_forbidden');
  if (jsonpCallback(query._jsonp) !== undefined) throw new ApiError('rest_callback_invalid');
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
/** Days without use after which a session has expired. */
export const SESSION_DAYS = 14;
/**
 * Days for which browsers keep the cookie, the most that they allow (RFC 6265bis, 5.5). It is not renewed, since a
 * response to a read never sets it; the database decides whether the session has expired.
 */
const COOKIE_DAYS = 400;

/** Whether a `Cookie` header names a session. */
export const hasSession = (header: string | undefined): boolean =>
  header !== undefined && cookieValue(header, SESSION) !== undefined;

const SESSION_TOKEN = /^[\w-]{43}$/;

/**
 * The token of the session that a request may be answered for: none for one of another site, none for a write that no
 * page of this site is known to have sent, and none if there are two, of which a neighbouring host may have set one.
 * @param isSafe whether the request changes nothing
 */
export function sessionOf({ header, urls }: Sender, { isSafe }: { isSafe: boolean }): string | undefined {
  const tokens = pairsIn(header('cookie') ?? '').flatMap(([name, value]) => (name === SESSION ? [value] : []));
  const [token = ''] = tokens;
  if (tokens.length !== 1 || !SESSION_TOKEN.test(token)) return undefined;
  const sender = senderOf({ header, urls });
  // Browsers tell plain http sites nothing about the page that a read comes from.
  return sender === 'own' || (sender === 'unknown' && isSafe) ? token : undefined;
}

/** The cookie of a session; without a token, one that ends it. */
export const sessionCookie = (token: string | undefined, { origin }: { origin: string }): string =>
  setCookie({
    name: SESSION,
    value: token ?? '',
    origin,
    path: '/',
    maxAge: token === undefined ? 0 : COOKIE_DAYS * 24 * 60 * 60,
  });

/** A `Cookie` header without the session, for what is done as any visitor. */
export const withoutSession = (header: string): string =>
  pairsIn(header)
    .filter(([name]) => name !== SESSION)
    .map((pair) => pair.join('='))
    .join('; ');

/** The value of a cookie for a page, whose writes refuse other sites by `isForeign`. */
export const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : cookieValue(header, name);

/** Names are case-sensitive, as in browsers; of duplicates the first counts, which has the longest path. */
const cookieValue = (header: string, name: string): string | undefined =>
  pairsIn(header).find(([own]) => own === name)?.[1];

/** Names and values; what is neither is left out. */
const pairsIn = (header: string): [name: string, value: string][] =>
  header.split(';').flatMap((part): [string, string][] => {
    const pair = part.trim();
    const end = pair.indexOf('=');
    return end < 0 ? [] : [[pair.slice(0, end), pair.slice(end + 1)]];
  });

interface Sender {
  header(name: string): string | undefined;
  urls: { origin: string };
}

/** Whose page sent a request, as its browser says; sandboxed frames are foreign. */
function senderOf({ header, urls }: Sender): 'own' | 'foreign' | 'unknown' {
  const origin = header('origin');
  if (origin !== undefined) return origin === urls.origin ? 'own' : 'foreign';
  const site = header('sec-fetch-site');
  if (site === 'same-origin') return 'own';
  return site === 'cross-site' || site === 'same-site' ? 'foreign' : 'unknown';
}

/**
 * Whether a program sent the request, or a page of this site. Browsers name the site of a page that writes in `Origin`;
 * programs send neither that nor `Sec-Fetch-Site` nor cookies.
 */
export function isProgramOrOwnPage({ header, urls }: Sender): boolean {
  const origin = header('origin');
  if (origin !== undefined) return origin === urls.origin;
  return header('sec-fetch-site') === undefined && header('cookie') === undefined;
}

interface Origins extends Sender {
  context: { config: Pick<Config, 'corsOrigins'> };
}

/**
 * Whether a browser sent the request from a page of another site that MARQUEE_CORS_ORIGINS does not name. Writes
 * authorised by a cookie refuse such requests: SameSite=Lax keeps the cookie out of most of them, but old browsers do
 * not support it.
 */
export const isForeign = ({ header, urls, context }: Origins): boolean =>
  senderOf({ header, urls }) === 'foreign' && !context.config.corsOrigins.includes(header('origin') ?? '');
