import type { DatabaseKind } from '../server.ts';

/** Where and how long a part runs. */
export interface Setup {
  kind: DatabaseKind;
  /** A few seconds, as in `npm test`; otherwise as long as it takes to trust the result. */
  isShort: boolean;
  /** A server to make databases on. */
  postgresUrl: string;
}

export interface Outcome {
  /** What was done, with its numbers. */
  did: string;
  /** What was measured. */
  figures: Readonly<Record<string, string | number>>;
  /** What went wrong; none when the promise was kept. */
  problems: readonly string[];
  /** Why some of it could not be done here. */
  skipped?: string;
}

/** One kind of fault, brought about on purpose, and what must hold then and afterwards. */
export interface Part {
  name: string;
  /** One line: the fault, and what is promised. */
  about: string;
  databases: readonly DatabaseKind[];
  /** Where the outcome hardly depends on the database: the one that is enough for `npm test` unless it is thorough. */
  usual?: DatabaseKind;
  run(setup: Setup): Promise<Outcome>;
}

/** Counts of something, by what was counted; prints as `200: 31, 503: 2`. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string | number, count = 1): void {
    this.#counts.set(String(what), this.of(what) + count);
  }

  of(what: string | number): number {
    return this.#counts.get(String(what)) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  toString(): string {
    return this.entries.map(([what, count]) => `${what}: ${count}`).join(', ');
  }
}

/** The value that a share of some numbers does not exceed; 0 of none. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
