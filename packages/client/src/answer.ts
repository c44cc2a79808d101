import { errorOf, type FailedRequest, nameOf, UnexpectedAnswerError } from './errors.ts';
import type { Received } from './exchange.ts';
import { retryAfterSeconds } from './retry.ts';

/** The body, as JSON or a Blob for pictures (undefined if empty), and the headers. */
export interface Answer {
  body: unknown;
  headers: Headers;
}

/**
 * Reads a response.
 * @param now milliseconds since 1970
 * @throws {ApiError | UnexpectedAnswerError}
 */
export function readAnswer({ response, content }: Received, about: FailedRequest, now: number): Answer {
  const { status, headers } = response;
  // A browser hides the status of a redirect.
  if (status === 0 || (status >= 300 && status < 400)) {
    throw new UnexpectedAnswerError(`${nameOf(about)} is redirected: use the address that it leads to`, about, status);
  }
  const body = typeof content === 'string' ? parse(content) : content;
  if (!response.ok) throw errorOf(failureOf(response, body, now), about);
  if (body === undefined && content !== '') {
    throw new UnexpectedAnswerError(
      `${nameOf(about)} got a response that is not JSON: check the address`,
      about,
      status,
    );
  }
  return { body, headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors are `{code, message, data}`, those of `/qr` `{error, msg, …}`; those of proxies may be anything. */
function failureOf({ status, headers }: Response, body: unknown, now: number) {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { code = sent.error, message = sent.msg, data = sent } = sent;
  return {
    status,
    code: String(code ?? `http_${status}`),
    message: String(message ?? `The response was ${status}`),
    data: data as Record<string, unknown>,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterSeconds(headers.get('Retry-After'), now),
  };
}
