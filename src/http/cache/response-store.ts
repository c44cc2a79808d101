import type { DataVersion } from '../../lib/data-version.ts';
import { ownBytes } from '../../lib/own-bytes.ts';
import type { Head } from '../output/head.ts';

/** A response as it was sent, for all who may share it. */
export interface CachedResponse {
  /** Pattern of its route, for the metrics. */
  route: string;
  /** Of the whole response. */
  head: Head;
  /** Of a 304 in its place. */
  unchangedHead: Head;
  /** Its strong entity tag. */
  tag: string;
  body: Uint8Array;
  /** Version of the data that it was made from. */
  version: DataVersion;
  /** Whether it shows what sales and holds change. */
  showsSeats: boolean;
  /** Milliseconds of the clock from which, and until which, it stays the same while the data do. */
  freshFrom: number;
  freshUntil: number;
}

export interface CacheSize {
  responses: number;
  bytes: number;
}

/** Responses of one process, while the data they were made from stay as they are. */
export interface ResponseStore {
  /** Notes that a response could be kept. */
  note(key: string): void;
  /** Whether a response is kept, or worth keeping since it was requested before. */
  isAskedAgain(key: string): boolean;
  has(key: string): boolean;
  find(key: string, state: { version: DataVersion; now: number }): CachedResponse | undefined;
  keep(key: string, response: CachedResponse): void;
  size(): CacheSize;
}

/** Bytes of a key, two heads and the objects around them, roughly. */
const OVERHEAD = 6144;
/** Maximum number of keys that are noted. */
const MAX_ASKED = 5000;

/**
 * Keeps up to so many bytes, and drops what was not used for the longest time. A response is kept once it is requested
 * a second time, so that requests that are never repeated displace nothing.
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
      // The last in order is the last one used.
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
      responses.set(key, { ...response, body: ownBytes(response.body) });
      lastUsed = key;
      bytes += size;
    },
    size: () => ({ responses: responses.size, bytes }),
  };
}

/** Whether a response would be the same if it were made from a version of the data. */
const isMadeFrom = ({ version, showsSeats }: CachedResponse, { calendar, seats }: DataVersion): boolean =>
  version.calendar === calendar && (!showsSeats || version.seats === seats);
