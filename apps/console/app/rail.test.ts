import { expect, it } from 'vitest';
import { RAIL, tabsOf } from './rail.ts';

it('gives each screen a key of its own', () => {
  const keys = RAIL.flatMap(({ key }) => key ?? []);
  expect(keys).toEqual([...new Set(keys)]);
});

it.each([
  ['all rights', () => true, ['/', '/events', '/orders']],
  ['the right for attendees only, as at the door', (to: string) => to !== '/orders', ['/', '/events', '/attendees']],
  ['neither', (to: string) => to !== '/orders' && to !== '/attendees', ['/', '/events']],
] as const)('has on phones the tabs of an account with %s', (_what, has, tabs) => {
  expect(tabsOf(RAIL.filter(({ to }) => has(to))).map(({ to }) => to)).toEqual(tabs);
});
