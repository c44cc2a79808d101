import { expect, it } from 'vitest';
import { createCoalescing } from './coalescing.ts';

it('tells who waits for a key that its first request has ended, once', () => {
  const reads = createCoalescing();
  const [first, second] = [{}, {}];
  const heard: boolean[] = [];
  reads.begin('list', first);
  reads.begin('list', second);
  expect([reads.isUnderWay('list'), reads.isUnderWay('other')]).toEqual([true, false]);
  reads.wait('list', (isKept) => heard.push(isKept));
  reads.end(second, false);
  expect(heard).toEqual([]);
  reads.end(first, true);
  reads.end(first, false);
  expect(heard).toEqual([true]);
  expect(reads.isUnderWay('list')).toBe(false);
});

it('lets who waits begin anew while it is told', () => {
  const reads = createCoalescing();
  const [first, second, third] = [{}, {}, {}];
  const order: string[] = [];
  reads.begin('list', first);
  reads.wait('list', () => {
    reads.begin('list', second);
    order.push('second begins');
  });
  reads.wait('list', () => {
    expect(reads.isUnderWay('list')).toBe(true);
    reads.wait('list', () => order.push('third goes on'));
  });
  reads.end(first, true);
  reads.end(third, true);
  reads.end(second, true);
  expect(order).toEqual(['second begins', 'third goes on']);
});
