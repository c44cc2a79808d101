/**
 * Headers described in the OpenAPI document. Headers that HTTP clients handle by themselves, such as `Content-Type` and
 * CORS headers, are omitted.
 */

interface DescribedHeader {
  description: string;
  schema: Readonly<Record<string, unknown>>;
  /** True if it is present in every response that declares it. */
  required?: boolean;
}

const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

/** Request headers. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Unique text, preferably random. A request repeated with the same key within 24 hours is not executed again but gets the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  'If-Match': {
    description:
      '`ETag` of an earlier read, or `"rN"` with the `revision` on which the change is based; if the record has been edited since, the response is 412 `edit-conflict` with the current record.',
    schema: text,
  },
  'If-None-Match': {
    description: '`ETag` of an earlier response; if nothing has changed, the response is an empty 304.',
    schema: text,
  },
  'X-Cart-Token': { description: 'Token of the cart, for programs; browsers use the cookie.', schema: text },
  'X-Order-Token': { description: 'Token of the order, from the response to its checkout.', schema: text },
  'X-Ticket-Token': { description: 'Token of a ticket: the last segment of the address of its page.', schema: text },
} as const satisfies Record<string, DescribedHeader>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Response headers. */
export const RESPONSE_HEADERS = {
  'Content-Disposition': { description: 'File name.', schema: text },
  'Content-Language': { description: 'Language of the texts and messages.', schema: text, required: true },
  ETag: {
    description:
      'In responses to reads: value for `If-None-Match` in the next request. For a single record it begins with `r` and the revision, for `If-Match`.',
    schema: text,
  },
  Link: { description: 'Root of the REST interface.', schema: text, required: true },
  Location: { description: 'URL of the new record.', schema: { type: 'string', format: 'uri' } },
  'RateLimit-Limit': { description: 'Number of requests, attempts or places allowed.', schema: count },
  'RateLimit-Remaining': { description: 'Remaining number of requests, attempts or places.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the limit is reset.', schema: count },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: count },
  'WWW-Authenticate': { description: 'Authentication scheme for signing in.', schema: text },
  'X-Cart-Token': { description: 'Token of the cart, to be sent with the next request.', schema: text },
  'X-ET-TOTAL': { description: 'Total number of items on all pages.', schema: count, required: true },
  'X-ET-TOTAL-PAGES': { description: 'Number of pages.', schema: count, required: true },
  'X-Marquee-Truncated': { description: 'Number of matching events omitted from a feed.', schema: count },
  'X-Request-Id': { description: 'Id of the request, as in the log.', schema: text, required: true },
  'X-TEC-Total': { description: 'Total number of items on all pages.', schema: count, required: true },
  'X-TEC-TotalPages': { description: 'Number of pages.', schema: count, required: true },
  'X-WP-Total': { description: 'Total number of items on all pages.', schema: count, required: true },
  'X-WP-TotalPages': { description: 'Number of pages.', schema: count, required: true },
} as const satisfies Record<string, DescribedHeader>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers that any response may have. */
export const COMMON_HEADERS: readonly ResponseHeader[] = ['Content-Language', 'Link', 'X-Request-Id'];

/** Headers of responses to rate-limited requests. */
export const RATE_HEADERS: readonly ResponseHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
