import { describe, expect, it } from 'vitest';
import { differenceByRate, type RatePart, shareByRate } from './rate-parts.ts';

const part = (tax_rate: number, amount: number, tax: number): RatePart => ({ tax_rate, amount, tax });

describe('an amount', () => {
  it.each<[string, number, RatePart[], RatePart[]]>([
    ['of nothing', 0, [part(19_000, 2000, 319)], []],
    ['without parts has no tax', 500, [], [part(0, 500, 0)]],
    ['in part', 500, [part(19_000, 2000, 319)], [part(19_000, 500, 80)]],
    ['in whole keeps the exact tax', 4000, [part(19_000, 4000, 638)], [part(19_000, 4000, 638)]],
    [
      'at several rates',
      1500,
      [part(19_000, 2000, 319), part(7000, 4000, 262)],
      [part(19_000, 500, 80), part(7000, 1000, 65)],
    ],
    ['beside a reduction', 300, [part(19_000, 900, 144), part(7000, -600, -39)], [part(19_000, 300, 48)]],
    ['below nothing', -86, [part(7000, 2000, 131)], [part(0, -86, 0)]],
  ])('%s', (_what, amount, parts, shares) => {
    expect(shareByRate(amount, parts)).toEqual(shares);
    expect(shares.reduce((sum, share) => sum + share.amount, 0)).toBe(amount);
  });

  it('differs from others by rate, without equal ones', () => {
    const before = [part(19_000, 2000, 319), part(7000, 500, 33), part(0, 100, 0)];
    expect(differenceByRate(before, [part(19_000, 1500, 239), part(0, 100, 0), part(7000, 700, 46)])).toEqual([
      part(19_000, 500, 80),
      part(7000, -200, -13),
    ]);
  });
});
