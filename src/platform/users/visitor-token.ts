import { isForeign, setCookie } from '../../http/core/cookies.ts';
import type { EndpointResponse, HandlerContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { secretHash } from '../../lib/hash.ts';

/**
 * The token of a visitor, which selects the cart. It comes in a cookie (browsers) or in the header `X-Cart-Token`
 * (apps), never in a parameter: a link must not be able to select another visitor's cart. The server generates the
 * tokens and stores their hashes only.
 */

const COOKIE = 'marquee-cart';
const TOKEN_HEADER = 'X-Cart-Token';
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Lifetime of a token in seconds after the last change: the longest hold that can be set. */
export const CART_LIFE = 24 * 60 * 60;

export interface Visitor {
  /** SHA-256 of the token, if the request has one. */
  tokenHash?: string;
  token?: string;
  source?: 'cookie' | 'header';
  /** Whether a browser sent the request from a page of another site not listed in MARQUEE_CORS_ORIGINS. */
  isForeign: boolean;
}

/**
 * The header takes precedence: an app sets it on purpose, while browsers send cookies automatically.
 * @throws {ApiError} rest_forbidden, rest_callback_invalid: see `cookieOf`
 */
export function visitorOf(ctx: HandlerContext): Visitor {
  const header = ctx.header(TOKEN_HEADER);
  const token = header ?? ctx.cookie(COOKIE);
  const origin = { isForeign: isForeign(ctx) };
  if (token === undefined || !TOKEN.test(token)) return origin;
  return { token, tokenHash: secretHash(token), source: header === undefined ? 'cookie' : 'header', ...origin };
}

/**
 * The visitor of a write. SameSite=Lax keeps the cookie out of most requests that other sites make; this stops the
 * rest, such as forms in old browsers.
 * @throws {ApiError} rest_forbidden
 */
export function writingVisitorOf(ctx: HandlerContext): Visitor {
  const visitor = visitorOf(ctx);
  if (visitor.source === 'cookie' && visitor.isForeign) throw new ApiError('rest_forbidden');
  return visitor;
}

export function newToken(random: (bytes: number) => Buffer): { token: string; tokenHash: string } {
  const token = random(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: secretHash(token) };
}

type Headers = NonNullable<EndpointResponse['headers']>;

/** Caches must not store carts. */
export const NO_STORE: Headers = { 'Cache-Control': 'no-store' };

/**
 * Headers of the response to a write. A token that came in a cookie is not repeated, because scripts can read headers;
 * a page of another site cannot set a cookie.
 * @param token of the cart after the write; undefined if there is none
 */
export function tokenHeaders(ctx: RequestContext, visitor: Visitor, token: string | undefined): Headers {
  if (token === undefined) return visitor.source === 'cookie' ? cookie(ctx, '', 0) : {};
  const isNew = token !== visitor.token;
  const showsToken = isNew || visitor.source === 'header';
  const setsCookie = (isNew && !visitor.isForeign && visitor.source !== 'header') || visitor.source === 'cookie';
  return {
    ...(showsToken && { [TOKEN_HEADER]: token }),
    ...(setsCookie && cookie(ctx, token, CART_LIFE)),
  };
}

const cookie = ({ urls: { origin } }: RequestContext, value: string, maxAge: number): Headers => ({
  'Set-Cookie': setCookie({ name: COOKIE, value, origin, path: '/', maxAge }),
});
