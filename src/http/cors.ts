import type { Config } from '../config.ts';

const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-ET-TOTAL, X-ET-TOTAL-PAGES, X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Cart-Token, X-Request-Id, Content-Language';
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-HTTP-Method-Override, X-API-Key, X-Cart-Token, X-Order-Token, Idempotency-Key, If-Match, If-None-Match';

/** Maximum length of an origin, which answers repeat; browsers send no longer ones. */
const MAX_ORIGIN = 300;

/**
 * Any origin of at most `MAX_ORIGIN` characters may read answers to requests without cookies. Answers to requests with
 * cookies may be read by the site's own origin and those in MARQUEE_CORS_ORIGINS only.
 */
export function corsHeaders(config: Config, request: Request, ownOrigin: string): Record<string, string> {
  const headers: Record<string, string> = {
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Headers': ACCEPTED,
    Vary: 'Origin',
  };
  const origin = request.headers.get('origin');
  if (!origin || origin.length > MAX_ORIGIN) return headers;
  const isTrusted = origin === ownOrigin || config.corsOrigins.includes(origin);
  if (!isTrusted && request.headers.has('cookie')) return headers;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Allow-Methods'] = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';
  if (isTrusted) headers['Access-Control-Allow-Credentials'] = 'true';
  return headers;
}
