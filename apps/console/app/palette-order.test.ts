import { expect, it } from 'vitest';
import { orderNumber } from '../../../src/lib/order-number.ts';
import { inOrder } from './palette-order.ts';

const people = { label: 'people', at: 1, entries: [{ path: '/attendees?open=7' }] };
const orders = { label: 'orders', at: 2, entries: [{ path: '/orders/3' }, { path: '/orders/12' }] };

it.each([
  ['the number of a found order', orderNumber(12), ['orders', 'people'], '/orders/12'],
  ['one in small letters', ` ${orderNumber(12).toLowerCase()}`, ['orders', 'people'], '/orders/12'],
  ['the number of another order', orderNumber(99), ['people', 'orders'], '/orders/3'],
  ['a part of a number', orderNumber(12).slice(0, 4), ['people', 'orders'], '/orders/3'],
  ['a name', 'Ada', ['people', 'orders'], '/orders/3'],
])('shows first for %s what it means', (_what, typed, labels, first) => {
  const shown = inOrder([orders, people], typed);
  expect(shown.map(({ label }) => label)).toEqual(labels);
  expect(shown.find(({ label }) => label === 'orders')?.entries[0]?.path).toBe(first);
});
