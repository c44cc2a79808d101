import { copyBytes } from '../../lib/copy-bytes.ts';
import type { DataVersion } from '../../lib/data-version.ts';
import type { Head } from '../output/head.ts';

/** Response as sent, for all viewers who may share it. */
export interface CachedResponse {
  /** Route pattern, for the metrics. */
  route: string;
  /** Head of the whole response. */
  head: Head;
  /** Head of a 304 in its place. */
  unchangedHead: Head;
  /** Strong entity tag. */
  tag: string;
  body: Uint8Array;
  /** Version of the data in the response. */
  version: DataVersion;
  /** True if the response depends on sales and holds. */
  showsSeats: boolean;
  /** Start and end of the period in which it changes only with the data, in milliseconds of the clock. */
  freshFrom: number;
  freshUntil: number;
}

export interface CacheSize {
  responses: number;
  bytes: number;
}

/** Responses of one process, valid until their data change. */
export interface ResponseStore {
  /** Records that a response could be cached. */
  note(key: string): void;
  /** True if a response is cached, or worth caching because it was requested before. */
  isAskedAgain(key: string): boolean;
  has(key: string): boolean;
  find(key: string, state: { version: DataVersion; now: number }): CachedResponse | undefined;
  keep(key: string, response: CachedResponse): void;
  size(): CacheSize;
}

/** Approximate bytes of a key, two heads and their objects. */
const OVERHEAD = 6144;
/** Maximum number of recorded keys. */
const MAX_ASKED = 5000;

/**
 * Stores up to `maxBytes` and evicts the least recently used responses. A response is stored on its second request, so
 * that requests that are never repeated evict nothing.
 */
export function createResponseStore(maxBytes: number): ResponseStore {
  const responses = new Map<string, CachedResponse>();
  const asked = new Set<string>();
  let bytes = 0;
  let lastUsed: string | undefined;
  const drop = (key: string, { body }: CachedResponse) => {
    responses.delete(key);
    bytes -= body.length + OVERHEAD;
  };
  return {
    note(key) {
      if (asked.size >= MAX_ASKED) asked.clear();
      if (maxBytes > 0) asked.add(key);
    },
    isAskedAgain: (key) => responses.has(key) || asked.has(key),
    has: (key) => responses.has(key),
    find(key, { version, now }) {
      const response = responses.get(key);
      if (!response) return undefined;
      if (!isMadeFrom(response, version) || now < response.freshFrom || now >= response.freshUntil) {
        drop(key, response);
        return undefined;
      }
      if (key === lastUsed) return response;
      // Move it to the end: the order of the map is the order of use.
      responses.delete(key);
      responses.set(key, response);
      lastUsed = key;
      return response;
    },
    keep(key, response) {
      const size = response.body.length + OVERHEAD;
      if (size > maxBytes) return;
      const before = responses.get(key);
      if (before) drop(key, before);
      for (const [oldest, unused] of responses) {
        if (bytes + size <= maxBytes) break;
        drop(oldest, unused);
      }
      responses.set(key, { ...response, body: copyBytes(response.body) });
      lastUsed = key;
      bytes += size;
    },
    size: () => ({ responses: responses.size, bytes }),
  };
}

/** Tests if the response is still valid for a version of the data. */
const isMadeFrom = ({ version, showsSeats }: CachedResponse, { calendar, seats }: DataVersion): boolean =>
  version.calendar === calendar && (!showsSeats || version.seats === seats);
