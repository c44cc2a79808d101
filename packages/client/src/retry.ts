import { ApiError, ConnectionError } from './errors.ts';
import type { Clock } from './options.ts';

/** Milliseconds before the first retry; doubled for each further one. */
const FIRST_DELAY = 500;

/** Statuses, of the server or a proxy, after which a request may be retried because nothing was done. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface Backoff {
  /** Number of retries so far. */
  count: number;
  maxDelay: number;
  random: () => number;
}

/**
 * Milliseconds to wait before a retry: as long as the server asks, and at least a growing delay, of
 * which half is random. Undefined if a retry is useless, or if the server asks for more than `maxDelay`.
 */
export function retryDelay(error: unknown, { count, maxDelay, random }: Backoff): number | undefined {
  if (!isTemporary(error)) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  if (asked > maxDelay) return undefined;
  const half = Math.min(FIRST_DELAY * 2 ** count, maxDelay) / 2;
  return Math.max(asked, half) + half * random();
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (TEMPORARY.has(error.status) || error.code === 'request-in-progress'));

/** Seconds of `Retry-After`, which is a number or a date. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const value = Number.isNaN(seconds) ? (Date.parse(header) - now) / 1000 : seconds;
  return Number.isNaN(value) ? undefined : Math.max(0, Math.ceil(value));
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};
