import type { MessageKey, MessageValues } from '../../lib/i18n.ts';
import { LINKED_KIND_NAMES, type LinkedKind } from '../../lib/linked-kinds.ts';

/** Suffixes of codes that begin with a kind of linked post, such as `venue-not-accessible`. */
const LINKED_STATUS = {
  'not-accessible': 403,
  'archive-page-not-found': 404,
  'is-in-trash': 410,
} as const satisfies Record<string, number>;

type LinkedCode = `${LinkedKind}-${keyof typeof LINKED_STATUS}`;

const LINKED_CODES = LINKED_KIND_NAMES.flatMap((kind) =>
  Object.entries(LINKED_STATUS).map(([ending, status]) => ({
    // The code is a kind followed by one of the suffixes.
    code: `${kind}-${ending}` as LinkedCode,
    status,
    message: { key: `error.linked-${ending as keyof typeof LINKED_STATUS}`, values: { kind } } as const,
  })),
);

/** Every error code and its HTTP status; `forbidden` of auth.ts turns `rest_forbidden` into 401 for visitors. */
const STATUS = {
  rest_no_route: 404,
  rest_invalid_json: 400,
  rest_invalid_body: 400,
  rest_body_too_deep: 400,
  rest_body_too_many_values: 400,
  rest_body_too_large: 413,
  rest_request_timeout: 408,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_callback_invalid: 400,
  rest_invalid_namespace: 404,
  rest_forbidden: 403,
  rest_not_logged_in: 401,
  incorrect_password: 401,
  invalid_username: 401,
  invalid_token: 401,
  'second-factor-required': 401,
  'second-factor-invalid': 401,
  'sign-in-link-invalid': 401,
  'confirmation-required': 403,
  'sign-in-link-not-found': 404,
  too_many_attempts: 429,
  'too-many-requests': 429,
  'too-many-places-held': 429,
  'too-many-carts': 429,
  'too-many-open-orders': 429,
  'too-many-free-places': 429,
  'too-many-series-events': 429,
  'rest-event-not-found': 404,
  'rest-invalid-event-id': 400,
  'event-no-longer-available': 403,
  'event-not-accessible': 403,
  'event-password-protected': 403,
  'event-archive-page-not-found': 404,
  'event-is-in-trash': 410,
  'event-in-series': 409,
  'series-not-found': 404,
  'series-is-in-trash': 410,
  'series-has-holders': 409,
  oembed_invalid_url: 404,
  ...(Object.fromEntries(LINKED_CODES.map(({ code, status }) => [code, status])) as Record<LinkedCode, number>),
  rest_post_invalid_id: 404,
  rest_post_invalid_page_number: 400,
  rest_term_invalid: 404,
  term_exists: 400,
  duplicate_term_slug: 400,
  rest_taxonomy_not_hierarchical: 400,
  'user-not-found': 404,
  'user-exists': 409,
  'second-factor-exists': 409,
  'second-factor-missing': 409,
  'session-not-found': 404,
  'last-administrator': 409,
  'user-owns-records': 409,
  'app-password-not-found': 404,
  'token-not-found': 404,
  'media-not-found': 404,
  'media-in-use': 409,
  'merge-not-found': 404,
  'merge-final': 409,
  'invalid-page-number': 400,
  forbidden: 403,
  bad_request: 400,
  'tec-tickets-rest-invalid_price': 400,
  'ticket-not-found': 404,
  'ticket-not-accessible': 401,
  'attendee-not-found': 404,
  'attendee-not-accessible': 401,
  'attendee-creation-failed': 409,
  'attendee-archived': 409,
  'invalid-attendee-status': 400,
  'tec-et-attendee-already-checked-in': 400,
  'tec-et-attendee-invalid-check-in': 400,
  'post-has-no-tickets': 403,
  'ticket-does-not-exist': 400,
  'ticket-capacity-not-available': 409,
  'max-per-order-exceeded': 400,
  'min-per-order-missed': 400,
  'price-not-accepted': 400,
  'donation-not-accepted': 400,
  'pass-too-many-dates': 400,
  'event-cancelled': 409,
  'event-postponed': 409,
  'cart-is-empty': 400,
  'cart-expired': 409,
  'total-changed': 409,
  'hold-not-found': 404,
  'invalid-purchaser-info': 400,
  'edit-conflict': 412,
  'request-in-progress': 409,
  'idempotency-key-reused': 422,
  'idempotency-answer-not-kept': 409,
  'order-not-found': 404,
  'order-status-not-allowed': 409,
  'payment-open': 409,
  'order-not-payable': 409,
  'payment-not-found': 404,
  'refund-not-found': 404,
  'finding-not-found': 404,
  'finding-not-open': 409,
  'refund-not-allowed': 409,
  'refund-not-failed': 409,
  'invoices-off': 409,
  'invoice-not-found': 404,
  'mail-not-found': 404,
  'mail-outdated': 409,
  'bounce-invalid': 400,
  'mail-text-not-found': 404,
  'event-status-differs': 409,
  'unsubscribe-link-invalid': 400,
  'too-many-announcements': 429,
  'too-many-mails': 429,
  'mail-address-fixed': 403,
  'event-not-cancelled': 409,
  'payment-unavailable': 503,
  'documents-busy': 503,
  'wallet-not-configured': 404,
  'mail-not-configured': 404,
  'payment-refused': 409,
  'invalid-signature': 400,
  'gateway-not-configured': 404,
  'order-not-cancellable': 409,
  'ticket-not-transferable': 409,
  'ticket-link-required': 403,
  'ticket-transferred': 410,
  'tec-tc-insufficient-stock': 409,
  'gate-not-found': 404,
  'door-device-not-found': 404,
  'clash-not-found': 404,
  'pairing-code-invalid': 403,
  'check-in-key-not-found': 404,
  'tax-rate-not-found': 404,
  'tax-rate-in-use': 409,
  'fee-not-found': 404,
  'promotion-not-found': 404,
  'promotion-exists': 409,
  'promotion-unknown': 400,
  'promotion-not-valid': 409,
  'site-setting-fixed': 409,
  'calendar-not-empty': 409,
  'audit-entry-not-found': 404,
  'audit-not-restorable': 409,
  'job-not-found': 404,
  'job-running': 409,
  'import-not-found': 404,
  'import-not-ready': 409,
  'import-part-order': 409,
  'import-too-many': 409,
  'import-no-room': 409,
  'subscription-not-found': 404,
  'subscription-exists': 409,
  'batch-call-refused': 400,
  'batch-too-large': 413,
  storage_unavailable: 503,
  overloaded: 503,
  internal: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];

/** The HTTP status of a code, unless an error overrides it. */
export const statusOf = (code: ErrorCode): number => STATUS[code];

const LINKED_MESSAGES: ReadonlyMap<string, { key: MessageKey; values: MessageValues }> = new Map(
  LINKED_CODES.map(({ code, message }) => [code, message]),
);

/** Message of a code, with its fixed values. */
export const messageOf = (code: ErrorCode): { key: MessageKey; values: MessageValues } =>
  LINKED_MESSAGES.get(code) ?? { key: `error.${code as Exclude<ErrorCode, LinkedCode>}`, values: {} };

interface ErrorOptions {
  /** Overrides the status of the table. */
  status?: number;
  /** Added to `data` of the response, next to `status`. */
  data?: Record<string, unknown>;
  /** Overrides the message of the code. */
  message?: MessageKey;
  /** Values for the message. */
  values?: MessageValues;
  headers?: Record<string, string>;
}

/**
 * Thrown by handlers and rules. `serve` responds with `{code, message, data: {status}}` in the language of the viewer.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly messageKey: MessageKey;
  readonly values: MessageValues;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, { status, data = {}, message, values = {}, headers = {} }: ErrorOptions = {}) {
    super(code);
    this.code = code;
    this.status = status ?? STATUS[code];
    this.data = data;
    const { key, values: known } = messageOf(code);
    this.messageKey = message ?? key;
    this.values = { ...known, ...values };
    this.headers = headers;
  }
}

/** Reason for refusing a parameter: the key of a message and its values. */
export interface Problem {
  key: MessageKey;
  values?: MessageValues;
  /** Code under `details`; `rest_invalid_param` unless the type is wrong. */
  code?: string;
}

/** Invalid parameters, with the reason of each. */
export class InvalidParams extends Error {
  readonly problems: ReadonlyMap<string, Problem>;
  constructor(problems: ReadonlyMap<string, Problem>) {
    super(`rest_invalid_param: ${[...problems.keys()].join(', ')}`);
    this.problems = problems;
  }
}

/** Refuses a single parameter, for problems found after the look-up. */
export const invalidParam = (name: string, key: MessageKey, values?: MessageValues): InvalidParams =>
  new InvalidParams(new Map([[name, { key, values }]]));

/** Error response. */
export interface ErrorResponse {
  status: number;
  body: { code: string; message: string; data: Record<string, unknown> };
  headers?: Record<string, string | number>;
  isError: true;
}
