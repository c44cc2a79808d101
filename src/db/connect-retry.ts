import { isPassing } from './errors.ts';

/** Milliseconds a database may be out of reach at the start. */
export const STARTUP_TIMEOUT_MS = 30_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

export interface RetryOptions {
  /** Milliseconds since some moment. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Told of each attempt that failed and will be repeated. */
  onRetry(error: unknown): void;
}

/**
 * Repeats an attempt, with pauses that double, while the database is out of reach and until patience is over; the last
 * attempt is made at its end. Throws what the last attempt threw, and any other fault at once.
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
