import { describe, expect, it } from 'vitest';
import { createRecencyCache, ENTRY_OVERHEAD } from './recency-cache.ts';

describe('a cache of recent entries', () => {
  it('keeps entries that are used, and forgets others', () => {
    const map = createRecencyCache<number>(10 * ENTRY_OVERHEAD);
    map.set('popular', 1);
    map.set('other', 2);
    for (let number = 0; number < 1000; number += 1) {
      map.set(`key ${number}`, number);
      if (number % 5 === 0) expect(map.get('popular')).toBe(1);
    }
    expect(map.get('other')).toBeUndefined();
    expect(map.get('key 999')).toBe(999);
  });

  it.each([5, 1000])('holds twice its size at most, and at least its size, with keys of %i characters', (length) => {
    const map = createRecencyCache<number>(20_000);
    const keys = Array.from({ length: 500 }, (_, number) => String(number).padStart(length));
    for (const key of keys) map.set(key, 0);
    const kept = keys.filter((key) => map.get(key) !== undefined).length * (length + ENTRY_OVERHEAD);
    expect(kept).toBeLessThanOrEqual(2 * 20_000);
    expect(kept).toBeGreaterThanOrEqual(20_000 - length - ENTRY_OVERHEAD);
  });

  it('keeps no key that is longer than its size', () => {
    const map = createRecencyCache<number>(ENTRY_OVERHEAD + 10);
    map.set('known', 1);
    map.set('a key that is too long', 2);
    expect([map.get('known'), map.get('a key that is too long')]).toEqual([1, undefined]);
  });
});
