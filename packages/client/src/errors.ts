/**
 * Errors never contain what was sent: no credentials, no query and no body. Of the URL they contain only the path.
 */

/** The request that failed. */
export interface FailedRequest {
  method: string;
  /** Without the query, which may carry secrets. */
  path: string;
}

/** Name of a request in messages. */
export const nameOf = ({ method, path }: FailedRequest): string => `${method} ${path}`;

/** Base class of all errors of this client. An abort by the caller rejects with the reason of its signal instead. */
export class MarqueeError extends Error {
  override name = 'MarqueeError';
  readonly request: FailedRequest;

  constructor(message: string, request: FailedRequest, options?: ErrorOptions) {
    super(message, options);
    this.request = request;
  }
}

/** No response arrived, so it is not known whether a write happened. */
export class ConnectionError extends MarqueeError {
  override name = 'ConnectionError';
}

/** No response arrived in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** The response is not one of Marquee: a redirect, or something that is not JSON. */
export class UnexpectedAnswerError extends MarqueeError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;

  constructor(message: string, request: FailedRequest, status: number) {
    super(message, request);
    this.status = status;
  }
}

/** Content of an error response. */
export interface ErrorAnswer {
  status: number;
  code: string;
  message: string;
  data: Record<string, unknown>;
  requestId: string | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
}

/** Marquee refused the request. Programs use the class or `code`; `message` is for people, in their language. */
export class ApiError extends MarqueeError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Details, such as `available` for a ticket that is sold out. Not enumerable, because they may name people. */
  declare readonly data: Record<string, unknown>;

  constructor({ message, status, code, requestId, retryAfter, data }: ErrorAnswer, request: FailedRequest) {
    super(message, request);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    Object.defineProperty(this, 'data', { value: data });
  }
}

/** 400, 413, 422 and others: the request is invalid. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';

  /** Why each parameter is refused, by name. */
  get params(): Record<string, string> {
    const { params } = this.data;
    // A list of missing parameters, or an object with the reason for each parameter.
    if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [name, this.message]));
    return (params ?? {}) as Record<string, string>;
  }
}

/** 401: credentials are missing or wrong. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the viewer lacks the right, or a ticket code does not admit its holder. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404 and 410: the record does not exist or is in the trash. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409 and 412: a conflict with another request or with the current state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429: too many requests or wrong secrets. */
export class TooManyRequestsError extends ApiError {
  override name = 'TooManyRequestsError';
}

/** 500 and above: the server or a proxy failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const CLASSES: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ConflictError,
  429: TooManyRequestsError,
};

/** The error, of the class for its status. */
export function errorOf(answer: ErrorAnswer, request: FailedRequest): ApiError {
  const Class = CLASSES[answer.status] ?? (answer.status >= 500 ? ServerError : InvalidRequestError);
  return new Class(answer, request);
}
