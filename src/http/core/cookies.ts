import type { Config } from '../../base/config.ts';
import { ApiError } from './errors.ts';
import { jsonpCallback } from './field-selection.ts';
import { type HttpRequest, isReading } from './request.ts';

/**
 * Browsers attach cookies to requests that other sites trigger by a link, an image, a form or a script. Only this file
 * reads cookies, and it refuses such requests.
 */

/** Request with its query and its method after an override. */
interface Overridden {
  request: Pick<HttpRequest, 'method' | 'headers'>;
  method: string;
  query: Readonly<Record<string, unknown>>;
}

/**
 * Value of a cookie of the request; undefined if absent.
 * @throws {ApiError} rest_forbidden for a GET with an overridden method (a link could write); rest_callback_invalid for
 * JSONP (scripts of any site could read the response)
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
  /** In seconds; 0 deletes the cookie. Without it, the cookie lasts until the browser is closed. */
  maxAge?: number;
  /** True if scripts may read it. */
  isReadable?: boolean;
}

/** `Set-Cookie` value of a cookie that browsers do not send with forms of other sites. */
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

/** Session cookie. Responses to requests with it are never shared. */
const SESSION = 'marquee-session';
/** Days without use after which a session expires. */
export const SESSION_DAYS = 14;
/**
 * Lifetime of the cookie in days, the maximum that browsers allow (RFC 6265bis, 5.5). It is not renewed, since
 * responses to reads never set it; the database determines whether the session has expired.
 */
const COOKIE_DAYS = 400;

/** Tests if a `Cookie` header contains a session. */
export const hasSession = (header: string | undefined): boolean =>
  header !== undefined && cookieValue(header, SESSION) !== undefined;

const SESSION_TOKEN = /^[\w-]{43}$/;

/**
 * Token of the session that authenticates a request; undefined if a page of another site sent the request, if a write
 * was not provably sent by a page of this site, or if there are two session cookies, since a neighbouring host may have
 * set one of them.
 * @param isSafe true if the request changes nothing
 */
export function sessionOf({ header, urls }: Sender, { isSafe }: { isSafe: boolean }): string | undefined {
  const tokens = pairsIn(header('cookie') ?? '').flatMap(([name, value]) => (name === SESSION ? [value] : []));
  const [token = ''] = tokens;
  if (tokens.length !== 1 || !SESSION_TOKEN.test(token)) return undefined;
  const sender = senderOf({ header, urls });
  // On plain HTTP, browsers do not reveal which page sent a read.
  return sender === 'own' || (sender === 'unknown' && isSafe) ? token : undefined;
}

/** `Set-Cookie` value for a session; without a token, it deletes the cookie. */
export const sessionCookie = (token: string | undefined, { origin }: { origin: string }): string =>
  setCookie({
    name: SESSION,
    value: token ?? '',
    origin,
    path: '/',
    maxAge: token === undefined ? 0 : COOKIE_DAYS * 24 * 60 * 60,
  });

/** `Cookie` header without the session, for requests made as a visitor. */
export const withoutSession = (header: string): string =>
  pairsIn(header)
    .filter(([name]) => name !== SESSION)
    .map((pair) => pair.join('='))
    .join('; ');

/** Cookie value for a page. Pages use `isForeign` to refuse writes from other sites. */
export const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : cookieValue(header, name);

/**
 * Names are case-sensitive, as in browsers. The first of several duplicates counts, since browsers send the cookie with
 * the longest path first.
 */
const cookieValue = (header: string, name: string): string | undefined =>
  pairsIn(header).find(([own]) => own === name)?.[1];

/** Names and values; malformed parts are ignored. */
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

/** Origin of a request as reported by the browser; sandboxed frames are foreign. */
function senderOf({ header, urls }: Sender): 'own' | 'foreign' | 'unknown' {
  const origin = header('origin');
  if (origin !== undefined) return origin === urls.origin ? 'own' : 'foreign';
  const site = header('sec-fetch-site');
  if (site === 'same-origin') return 'own';
  return site === 'cross-site' || site === 'same-site' ? 'foreign' : 'unknown';
}

/**
 * Tests if a program or a page of this site sent the request. With a write, browsers send the origin of the page in
 * `Origin`; programs send neither `Origin` nor `Sec-Fetch-Site` nor cookies.
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
 * Tests if a browser sent the request from a page of another site that is not in MARQUEE_CORS_ORIGINS. Writes
 * authorised by a cookie refuse such requests: SameSite=Lax keeps the cookie out of most of them, but old browsers do
 * not support it.
 */
export const isForeign = ({ header, urls, context }: Origins): boolean =>
  senderOf({ header, urls }) === 'foreign' && !context.config.corsOrigins.includes(header('origin') ?? '');
