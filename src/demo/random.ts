/** A reproducible random source: the same seed gives the same choices on every machine. */
export interface RandomSource {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True with a probability of 1 in `n`. */
  once(n: number): boolean;
}

const STEP = 0x6d2b79f5;

/** Mulberry32: 32 bits of state, sufficient for demo data and useless for secrets. */
export function chance(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    once: (n) => between(1, n) === 1,
  };
}
