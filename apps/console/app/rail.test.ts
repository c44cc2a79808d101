import { expect, it } from 'vitest';
import { RAIL } from './rail.ts';

it('gives each screen a key of its own', () => {
  const keys = RAIL.flatMap(({ key }) => key ?? []);
  expect(keys).toEqual([...new Set(keys)]);
});
