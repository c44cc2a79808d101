import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import { type Body, type BodyOptions, readBody } from './params.ts';

export type Timeouts = Config['timeouts'];

/** Milliseconds that a body of so many bytes may take. */
export const bodyTime = (bytes: number, { body, bytesPerSecond }: Timeouts): number =>
  Math.ceil(body + (bytes / bytesPerSecond) * 1000);

/**
 * Reads a body like `readBody`, within a time limit that depends on its length. After a timeout the connection cannot
 * be reused, since the rest of the body would precede the next request.
 * @throws {ApiError} rest_request_timeout, and what `readBody` throws
 */
export async function readBodyInTime(
  request: Request,
  { timeouts, ...options }: BodyOptions & { timeouts: Timeouts },
): Promise<Body> {
  const { maxBytes } = options;
  const body = readBody(request, options);
  if (request.method === 'GET' || request.method === 'HEAD') return body;
  const announced = Number(request.headers.get('content-length') ?? maxBytes);
  const time = bodyTime(Math.min(announced, maxBytes), timeouts);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new ApiError('rest_request_timeout', { headers: { Connection: 'close' } }));
  }, time);
  try {
    return await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
