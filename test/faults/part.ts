import type { DatabaseKind } from '../server.ts';

/** Where and how long a part runs. */
export interface Setup {
  kind: DatabaseKind;
  /** A few seconds, as in `npm test`; otherwise long enough for a reliable result. */
  isShort: boolean;
  /** The server to create databases on. */
  postgresUrl: string;
}

export interface Outcome {
  /** Summary with numbers. */
  did: string;
  /** Measurements. */
  figures: Readonly<Record<string, string | number>>;
  /** Failures; empty if the promise was kept. */
  problems: readonly string[];
  /** Why parts of it were skipped. */
  skipped?: string;
}

/** One kind of fault, caused on purpose, and what must hold during and after it. */
export interface Part {
  name: string;
  /** One line: the fault, and what is promised. */
  about: string;
  databases: readonly DatabaseKind[];
  /** The only database of the short form, if the outcome hardly depends on it. */
  usual?: DatabaseKind;
  /** Minutes after which it has hung; 10 by default. */
  atMost?: number;
  run(setup: Setup): Promise<Outcome>;
}

/** Counts by name; prints as `200: 31, 503: 2`. */
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

/** A quantile of some numbers; 0 of none. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
