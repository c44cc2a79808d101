import { describe, expect, it } from 'vitest';
import { orderIdOf, orderNumber } from './order-number.ts';

const IDS = [1, 2, 3, 12, 313, 99_999, 25 ** 6 - 1, 25 ** 6, 25 ** 7, Number.MAX_SAFE_INTEGER - 1];

describe('the number of an order', () => {
  it('has six letters and digits that are hard to confuse, or more for huge ids', () => {
    for (const id of IDS) expect(orderNumber(id)).toMatch(/^[2-9CDFGHJKMNPQRTVWXY]{6,12}$/);
    expect(orderNumber(25 ** 6 - 1)).toHaveLength(6);
    expect(orderNumber(25 ** 6)).toHaveLength(7);
  });

  it('differs for each of 100,000 consecutive orders', () => {
    const numbers = new Set(Array.from({ length: 100_000 }, (_, id) => orderNumber(id)));
    expect(numbers.size).toBe(100_000);
  });

  it('is stable, since people have it on paper', () => {
    expect([1, 2, 335].map(orderNumber)).toEqual(['MG8RJ9', '7WJK3K', '32VPXT']);
  });

  it.each(IDS.slice(0, -1))('of %i leads back to its id, in either case', (id) => {
    expect(orderIdOf(orderNumber(id))).toBe(id);
    expect(orderIdOf(orderNumber(id).toLowerCase())).toBe(id);
  });

  it.each(['', '12', 'K7Q4M', 'K7Q4M0', 'OIL1SB', 'K7Q-4M', '2'.repeat(7), 'Y'.repeat(30)])('is not %j', (text) => {
    expect(orderIdOf(text)).toBeUndefined();
  });
});
