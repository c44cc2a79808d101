import { describe, expect, it } from 'vitest';
import { createRestarts } from './restarts.ts';

describe('the replacement of workers', () => {
  it('is immediate once per worker, then slower and slower, and stops at last', () => {
    const { pauseAfterDeath } = createRestarts(2);
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfterDeath(index * 1000));
    expect(pauses).toEqual([0, 0, 100, 200, 400, 800, 1600, 3200, 5000, undefined]);
  });

  it('is immediate for a worker that rarely dies', () => {
    const { pauseAfterDeath } = createRestarts(2);
    for (let death = 0; death < 100; death += 1) expect(pauseAfterDeath(death * 60_000)).toBe(0);
  });

  it('survives the death of many workers at once', () => {
    const { pauseAfterDeath } = createRestarts(64);
    for (let death = 0; death < 64; death += 1) expect(pauseAfterDeath(death)).toBe(0);
    expect(pauseAfterDeath(100)).toBe(100);
  });
});
