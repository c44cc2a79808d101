import { ConnectionError, nameOf, TimeoutError } from './errors.ts';
import type { PreparedRequest } from './request.ts';

/** A response that was received completely. */
export interface Received {
  response: Response;
  content: string | Blob;
}

interface Limits {
  fetch: typeof fetch;
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends a request once and reads the complete response.
 * @throws {ConnectionError} when the response does not arrive, or not in time; the reason of the signal when that is
 * aborted
 */
export async function exchange(
  { about, url, init }: PreparedRequest,
  { fetch, timeout, signal }: Limits,
): Promise<Received> {
  signal?.throwIfAborted();
  // Some browsers still in use lack AbortSignal.any and AbortSignal.timeout.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeout);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const isPicture = response.headers.get('Content-Type')?.startsWith('image/');
    return { response, content: await (isPicture ? response.blob() : response.text()) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (!controller.signal.aborted) throw new ConnectionError(`${nameOf(about)} got no response`, about, { cause });
    throw new TimeoutError(`${nameOf(about)} got no response within ${timeout} ms`, about);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
