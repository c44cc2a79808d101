import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import { type Body, readBody } from './params.ts';

export type Timeouts = Config['timeouts'];

/** Milliseconds that a body of so many bytes may take. */
export const bodyTime = (bytes: number, { body, bytesPerSecond }: Timeouts): number =>
  Math.ceil(body + (bytes / bytesPerSecond) * 1000);

/**
 * Reads a body as `readBody` does, in the time that its length allows. Afterwards the connection is of no more use,
 * since the rest of the body stands before the next request.
 * @throws {ApiError} rest_request_timeout, and what `readBody` throws
 */
export async function readBodyInTime(
  request: Request,
  { maxBytes, timeouts }: { maxBytes: number; timeouts: Timeouts },
): Promise<Body> {
  const body = readBody(request, maxBytes);
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
