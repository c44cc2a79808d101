import { describe, expect, it } from 'vitest';
import { withhold } from './withhold.ts';

describe('withholding', () => {
  it.each([
    [5, 0],
    ['12', 0],
    ['12.5', 0],
    ['', 'No Access'],
    ['2030-01-01 08:00:00', 'No Access'],
    ['Seat', 'No Access'],
    [null, 'No Access'],
    [true, null],
    [false, null],
    [[], []],
    [{}, {}],
    [
      [1, 'a'],
      [0, 'No Access'],
    ],
    [
      { a: { b: '7', c: ['x'] }, d: false },
      { a: { b: 0, c: ['No Access'] }, d: null },
    ],
  ])('%j becomes %j', (value, withheld) => {
    expect(withhold(value)).toEqual(withheld);
  });
});
