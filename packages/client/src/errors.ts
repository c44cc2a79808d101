/**
 * Errors never contain what was sent: no credentials, no query and no body. Of the address they have the path.
 */

/** The request that an error is about. */
export interface FailedRequest {
  method: string;
  /** Without the query, which may carry secrets. */
  path: string;
}

/** A request as messages call it. */
export const nameOf = ({ method, path }: FailedRequest): string => `${method} ${path}`;

/** Every error of this client, except that an abort by the caller rejects with the reason of its signal. */
export class MarqueeError extends Error {
  override name = 'MarqueeError';
  readonly request: FailedRequest;

  constructor(message: string, request: FailedRequest, options?: ErrorOptions) {
    super(message, options);
    this.request = request;
  }
}

/** No answer arrived, so it is not known whether a write happened. */
export class ConnectionError extends MarqueeError {
  override name = 'ConnectionError';
}

/** No answer arrived in the time that the request had. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What came back is no answer of Marquee: a redirect, or something that is not JSON. */
export class UnexpectedAnswerError extends MarqueeError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;

  constructor(message: string, request: FailedRequest, status: number) {
    super(message, request);
    this.status = status;
  }
}

/** What an error answer says. */
export interface ErrorAnswer {
  status: number;
  code: string;
  message: string;
  data: Record<string, unknown>;
  requestId: string | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
}

/** Marquee refused the request. Programs look at the class or at `code`; `message` is for people, in their language. */
export class ApiError extends MarqueeError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds after which the server may be asked again, if it said so. */
  readonly retryAfter: number | undefined;
  /** Further facts, such as `available` of a ticket that is sold out. Not enumerable, because they may name people. */
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

/** 400, 413, 422 and others: the request cannot be used as it is. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';

  /** Why each parameter is refused, by its name. */
  get params(): Record<string, string> {
    const { params } = this.data;
    // A list has the names of parameters that are missing; an object has the reason of each.
    if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [name, this.message]));
    return (params ?? {}) as Record<string, string>;
  }
}

/** 401: there are no credentials, or wrong ones. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the caller has not the right; or a code does not open the door. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404 and 410: there is no such record, or it is in the trash. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409 and 412: somebody else was faster. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429: too many requests, or too many wrong secrets. */
export class TooManyRequestsError extends ApiError {
  override name = 'TooManyRequestsError';
}

/** 500 and above: the server or a proxy before it failed. */
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

/** The error of the class that belongs to the status. */
export function errorOf(answer: ErrorAnswer, request: FailedRequest): ApiError {
  const Class = CLASSES[answer.status] ?? (answer.status >= 500 ? ServerError : InvalidRequestError);
  return new Class(answer, request);
}
