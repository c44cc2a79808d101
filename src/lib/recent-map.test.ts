import { describe, expect, it } from 'vitest';
import { createRecentMap } from './recent-map.ts';

describe('a map of what is recent', () => {
  it('keeps what is asked for, and forgets the rest', () => {
    const map = createRecentMap<number>(100);
    map.set('popular', 1);
    map.set('other', 2);
    for (let number = 0; number < 1000; number += 1) {
      map.set(`key ${number}`, number);
      if (number % 5 === 0) expect(map.get('popular')).toBe(1);
    }
    expect(map.get('other')).toBeUndefined();
    expect(map.get('key 999')).toBe(999);
  });

  it('holds twice its size of keys at most', () => {
    const map = createRecentMap<number>(1000);
    const keys = Array.from({ length: 500 }, (_, number) => `key ${number}`);
    for (const key of keys) map.set(key, 0);
    const kept = keys.filter((key) => map.get(key) !== undefined);
    expect(kept.join('').length).toBeLessThanOrEqual(2000);
    expect(kept.join('').length).toBeGreaterThanOrEqual(1000);
  });

  it('keeps no key that is longer than its size', () => {
    const map = createRecentMap<number>(10);
    map.set('known', 1);
    map.set('a key that is too long', 2);
    expect([map.get('known'), map.get('a key that is too long')]).toEqual([1, undefined]);
  });
});
