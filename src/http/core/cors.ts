import type { Config } from '../../base/config.ts';

const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-ET-TOTAL, X-ET-TOTAL-PAGES, X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Cart-Token, X-Request-Id, Content-Language, X-Marquee-Truncated';
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-HTTP-Method-Override, X-API-Key, X-Cart-Token, X-Order-Token, X-Ticket-Token, Idempotency-Key, If-Match, If-None-Match';

/** Maximum length of an origin, which responses repeat. Browsers send shorter ones. */
const MAX_ORIGIN = 300;

interface Page {
  /** The `Origin` header. */
  origin: string | null | undefined;
  hasCookies: boolean;
  /** Origin under which the client reached the server. */
  ownOrigin: string;
}

/**
 * CORS headers. Pages of any origin with at most `MAX_ORIGIN` characters may read responses to requests without
 * cookies. With cookies, only the site's own origin and the origins in MARQUEE_CORS_ORIGINS may.
 */
export const corsHeaders = (config: Pick<Config, 'corsOrigins'>, page: Page): Record<string, string> => ({
  'Access-Control-Expose-Headers': EXPOSED,
  'Access-Control-Allow-Headers': ACCEPTED,
  Vary: 'Origin',
  ...originHeaders(config, page),
});

/**
 * Tests if a page may not read a response because its request has cookies. Shared caches must not store such responses,
 * since they would serve them to requests from the same page without cookies. `Vary: Cookie` would prevent all sharing.
 */
export const isRefusedForCookies = (config: Pick<Config, 'corsOrigins'>, page: Page): boolean =>
  Boolean(page.origin) && page.hasCookies && !isTrusted(config, page);

/** Tests if a page may send cookies with its requests. */
const isTrusted = ({ corsOrigins }: Pick<Config, 'corsOrigins'>, { origin, ownOrigin }: Page): boolean =>
  origin === ownOrigin || corsOrigins.some((one) => one === origin);

/** Headers that depend on the page that sent the request. */
export function originHeaders(config: Pick<Config, 'corsOrigins'>, page: Page): Record<string, string> {
  const { origin } = page;
  if (!origin || origin.length > MAX_ORIGIN || isRefusedForCookies(config, page)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    ...(isTrusted(config, page) && { 'Access-Control-Allow-Credentials': 'true' }),
  };
}

/** Names of the headers that `originHeaders` returns, in lower case. */
export const ORIGIN_HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-credentials',
]);
