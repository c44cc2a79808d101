import { isPassing } from './errors.ts';

/** Maximum downtime of a database at startup, in milliseconds. */
export const STARTUP_TIMEOUT_MS = 30_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

export interface RetryOptions {
  /** Monotonic time in milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Called for each failed attempt that will be retried. */
  onRetry(error: unknown): void;
}

/**
 * Retries with doubling pauses while the database is unreachable, until the startup timeout; the last attempt is made
 * at its end. Throws the error of the last attempt, and any other error at once.
 */
export async function connectWithRetry<T>(
  attempt: () => Promise<T>,
  { now, sleep, onRetry }: RetryOptions,
): Promise<T> {
  const deadline = now() + STARTUP_TIMEOUT_MS;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await attempt();
    } catch (error) {
      const left = deadline - now();
      if (!isPassing(error) || left <= 0) throw error;
      onRetry(error);
      await sleep(Math.min(pause, left));
    }
  }
}
