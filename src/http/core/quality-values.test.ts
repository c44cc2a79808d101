import { describe, expect, it } from 'vitest';
import { parseWeighted } from './quality-values.ts';

describe('parseWeighted', () => {
  it.each([
    [null, []],
    ['', []],
    ['text/html', ['text/html 1']],
    ['a;q=0.1, B ; Q=0.9, c', ['c 1', 'b 0.9', 'a 0.1']],
    ['a;level=1;q=0.5, b;q=0.5', ['a 0.5', 'b 0.5']],
    ['a;q=0, b', ['b 1', 'a 0']],
    ['a;q=2, b;q=-1, c;q=x, ;q=1, d', ['d 1']],
  ])('reads %j', (header, expected) => {
    expect(parseWeighted(header).map(({ value, weight }) => `${value} ${weight}`)).toEqual(expected);
  });

  it('reads the first 20 items only', () => {
    expect(parseWeighted('a,'.repeat(100))).toHaveLength(20);
  });
});
