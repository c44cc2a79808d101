import type { DataVersion } from '../../lib/data-version.ts';
import { ownBytes } from '../../lib/own-bytes.ts';
import type { Head } from './head.ts';

/** An answer as it was sent, for all who may share it. */
export interface RememberedAnswer {
  /** Pattern of its route, for the metrics. */
  route: string;
  /** Of the whole answer. */
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

/** What is kept. */
export interface MemorySize {
  answers: number;
  bytes: number;
}

/** Answers of one process, kept while the data they were made from stay as they are. */
export interface AnswerMemory {
  /** Notes that an answer could be kept. */
  note(key: string): void;
  /** Whether an answer is kept or worth keeping, since somebody has asked for the same before. */
  isAskedAgain(key: string): boolean;
  has(key: string): boolean;
  find(key: string, state: { version: DataVersion; now: number }): RememberedAnswer | undefined;
  keep(key: string, answer: RememberedAnswer): void;
  size(): MemorySize;
}

/** Bytes of a key, two heads and the objects around them, roughly. */
const OVERHEAD = 6144;
/** Keys that are noted as asked for. */
const MAX_ASKED = 5000;

/**
 * Keeps up to so many bytes, and drops what was not used for the longest time. An answer is kept once it is asked for a
 * second time, so that requests that are never repeated displace nothing.
 */
export function createAnswerMemory(maxBytes: number): AnswerMemory {
  const answers = new Map<string, RememberedAnswer>();
  const asked = new Set<string>();
  let bytes = 0;
  let lastUsed: string | undefined;
  const drop = (key: string, { body }: RememberedAnswer) => {
    answers.delete(key);
    bytes -= body.length + OVERHEAD;
  };
  return {
    note(key) {
      if (asked.size >= MAX_ASKED) asked.clear();
      if (maxBytes > 0) asked.add(key);
    },
    isAskedAgain: (key) => answers.has(key) || asked.has(key),
    has: (key) => answers.has(key),
    find(key, { version, now }) {
      const answer = answers.get(key);
      if (!answer) return undefined;
      if (!isMadeFrom(answer, version) || now < answer.freshFrom || now >= answer.freshUntil) {
        drop(key, answer);
        return undefined;
      }
      if (key === lastUsed) return answer;
      // The last in order is the last one used.
      answers.delete(key);
      answers.set(key, answer);
      lastUsed = key;
      return answer;
    },
    keep(key, answer) {
      const size = answer.body.length + OVERHEAD;
      if (size > maxBytes) return;
      const before = answers.get(key);
      if (before) drop(key, before);
      for (const [oldest, unused] of answers) {
        if (bytes + size <= maxBytes) break;
        drop(oldest, unused);
      }
      answers.set(key, { ...answer, body: ownBytes(answer.body) });
      lastUsed = key;
      bytes += size;
    },
    size: () => ({ answers: answers.size, bytes }),
  };
}

/** Whether an answer would be the same if it were made from a version of the data. */
const isMadeFrom = ({ version, showsSeats }: RememberedAnswer, { calendar, seats }: DataVersion): boolean =>
  version.calendar === calendar && (!showsSeats || version.seats === seats);
