import { describe, expect, it } from 'vitest';
import { mayBecome, nextStatuses, ORDER_STATUSES } from './statuses.ts';

const FINAL = ['denied', 'refunded', 'reversed', 'voided'];

describe('the status of an order', () => {
  const pairs = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s -> %s', (from, to) => {
    const isAllowed = from === to ? from === 'refunded' : !FINAL.includes(from);
    expect(mayBecome(from, to)).toBe(isAllowed);
  });

  it('never becomes "created" again', () => {
    for (const from of ORDER_STATUSES) expect(nextStatuses(from)).not.toContain('created');
    expect(nextStatuses('refunded')).toEqual([]);
  });
});
