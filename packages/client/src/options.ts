/** Name and password of an account, or one of its application passwords; or a token. */
export type Credentials = { username: string; password: string } | { token: string };

export interface ClientOptions {
  /** URL of the site, such as `https://events.example.org`. */
  url: string | URL;
  /** Prefix of the paths of the interface; `/calendar` by default. */
  prefix?: '/calendar' | '/wp-json/calendar' | '/wp-json/tribe';
  /** Credentials; without them, requests have the rights of a visitor. */
  credentials?: Credentials;
  /** Check-in key, which lets a scanner read attendees and check them in. */
  checkInKey?: string;
  /** Language of the site for texts and messages. */
  language?: string;
  /** Time-out of each attempt in milliseconds; 30,000 by default. */
  timeout?: number;
  /** Maximum number of retries; 3 by default. */
  retries?: number;
  /** Milliseconds. If the server asks to wait longer, the request fails immediately; 30,000 by default. */
  maxRetryDelay?: number;
  /**
   * Creates an `Idempotency-Key` for each write without one, so that writes are retried as well. `randomKey` creates
   * random ones.
   */
  idempotencyKey?: () => string;
  /** Receives the response of every attempt, for logs and `RateLimit-*` headers. It must not read the body. */
  onResponse?: (response: Response) => void;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Replaces the system clock. */
  clock?: Clock;
  /** Number from 0 to below 1, to spread the retries of many clients; `Math.random` by default. */
  random?: () => number;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after some milliseconds; rejects with the reason of the signal when that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Overrides the option of the client. */
  timeout?: number;
  /** Overrides the option of the client. */
  language?: string;
  /** A unique text for a write: the same call with the same key is executed once. Only such writes are retried. */
  idempotencyKey?: string;
  /** Additional headers of the request. */
  headers?: Record<string, string>;
}

/** A random `Idempotency-Key`. Unlike `crypto.randomUUID`, it also works on pages without https. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
