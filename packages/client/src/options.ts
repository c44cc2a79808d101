/** Name and password of an account, or one of its application passwords; or a token. */
export type Credentials = { username: string; password: string } | { token: string };

export interface ClientOptions {
  /** Address of the site, such as `https://events.example.org`. */
  url: string | URL;
  /** What the paths of the interface begin with there: `/calendar` unless it says otherwise. */
  prefix?: '/calendar' | '/wp-json/calendar' | '/wp-json/tribe';
  /** Whose rights the requests have; without them those of a stranger. */
  credentials?: Credentials;
  /** Check-in key, which lets a program at the door read attendees and check them in. */
  checkInKey?: string;
  /** Language of texts that are read and written, and of messages: one of the site's. */
  language?: string;
  /** Milliseconds that each try of a request may take; 30,000 unless it says otherwise. */
  timeout?: number;
  /** How often a request is sent again, at most; 3 unless it says otherwise. */
  retries?: number;
  /** Milliseconds. If the server asks to wait for longer, the request fails at once; 30,000 unless it says otherwise. */
  maxRetryDelay?: number;
  /**
   * Makes an `Idempotency-Key` for each write that brings none, so that writes are sent again as well. `randomKey` makes
   * random ones.
   */
  idempotencyKey?: () => string;
  /** Sees the answer of every try, for logs and `RateLimit-*` headers. Its body is not to be read. */
  onResponse?: (response: Response) => void;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Instead of the time of the machine. */
  clock?: Clock;
  /** Number from 0 to below 1, so that not all clients come back at the same moment; `Math.random` unless given. */
  random?: () => number;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after some milliseconds; rejects with the reason of the signal when that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What may be said of a single call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Instead of that of the client. */
  timeout?: number;
  /** Instead of that of the client. */
  language?: string;
  /** A text of your own for a write: the same call with the same key is done once. Only such writes are sent again. */
  idempotencyKey?: string;
  /** Further headers of the request. */
  headers?: Record<string, string>;
}

/** A random `Idempotency-Key`. Unlike `crypto.randomUUID` it is there on pages without https, too. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
