import { expect, it } from 'vitest';
import { createCoalescing } from './coalescing.ts';

it('notifies the requests that wait for a key once, when its first request has ended', () => {
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

it('lets a waiting request begin the next read when it is notified', () => {
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
