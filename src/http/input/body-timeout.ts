import type { Config } from '../../base/config.ts';
import { ApiError } from '../core/errors.ts';
import type { HttpRequest } from '../core/request.ts';
import { type Body, type BodyOptions, readBody } from './params.ts';

export type Timeouts = Config['timeouts'];

/** Time limit of a body with this size, in milliseconds. */
export const bodyTime = (bytes: number, { body, bytesPerSecond }: Timeouts): number =>
  Math.ceil(body + (bytes / bytesPerSecond) * 1000);

interface Limits {
  maxBytes: number;
  timeouts: Timeouts;
}

/** Time limit of a request's body, in milliseconds. */
function timeOf(request: HttpRequest, { maxBytes, timeouts }: Limits): number {
  const announced = Number(request.headers.get('content-length') ?? maxBytes);
  return bodyTime(Math.min(announced, maxBytes), timeouts);
}

/**
 * Reads a body like `readBody`, within a time limit that depends on its length. After a timeout the connection cannot
 * be reused, since the rest of the body would precede the next request.
 * @throws {ApiError} rest_request_timeout, and the errors of `readBody`
 */
export async function readBodyInTime(
  request: HttpRequest,
  { timeouts, ...options }: BodyOptions & Limits,
): Promise<Body> {
  const limits = { maxBytes: options.maxBytes, timeouts };
  const body = readBody(request, options);
  if (request.method === 'GET' || request.method === 'HEAD') return body;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      late.reject(new ApiError('rest_request_timeout', { headers: { Connection: 'close' } }));
    },
    timeOf(request, limits),
  );
  try {
    return await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Drains an unused body within the limits: many clients read the response only after sending all of it. Never throws.
 * If anything is left unread, the server closes the connection.
 */
export async function discardBody(request: HttpRequest, limits: Limits): Promise<void> {
  // The form of an unmatched page has already been read.
  const pieces = request.bodyUsed ? undefined : request.body?.[Symbol.asyncIterator]();
  if (!pieces) return;
  const late = Promise.withResolvers<{ done: true; value: undefined }>();
  const timer = setTimeout(() => late.resolve({ done: true, value: undefined }), timeOf(request, limits));
  try {
    for (let size = 0; size <= limits.maxBytes; ) {
      const piece = await Promise.race([pieces.next(), late.promise]);
      if (piece.done) return;
      size += piece.value.byteLength;
    }
  } catch {
    // The client hung up.
  } finally {
    clearTimeout(timer);
  }
}
