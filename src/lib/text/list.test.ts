import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIds, parseList } from './list.ts';

describe('parseList', () => {
  it.each<[unknown, string[] | undefined]>([
    ['a,b', ['a', 'b']],
    [' publish, draft ,,', ['publish', 'draft']],
    ['a%2Cb', ['a%2Cb']],
    ['', []],
    [[], []],
    [5, ['5']],
    [true, ['true']],
    [
      ['a', 1, false, ' '],
      ['a', '1', 'false'],
    ],
    [
      ['Arts, Crafts', 'b'],
      ['Arts, Crafts', 'b'],
    ],
    [{ 0: 'a', k: 2 }, ['a', '2']],
    [Object.assign(Object.create(null), { a: 'x' }), ['x']],
    [null, undefined],
    [undefined, undefined],
    [Number.NaN, undefined],
    [[null], undefined],
    [[['a']], undefined],
    [{ a: { b: 1 } }, undefined],
    [new Date(0), undefined],
    [() => 1, undefined],
  ])('%j -> %j', (value, expected) => expect(parseList(value)).toEqual(expected));

  it('splits the items of an array when asked to', () => {
    expect(parseList(['1,2', 3], { splitItems: true })).toEqual(['1', '2', '3']);
  });

  it('reads the CSV and the array form alike', () => {
    const item = fc.string().filter((text) => !text.includes(','));
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(parseList(items.join(','))).toEqual(parseList(items));
      }),
    );
  });
});

describe('parseIds', () => {
  it.each<[unknown, number[] | undefined]>([
    ['3,1,3', [3, 1]],
    [7, [7]],
    [
      ['1.0', ' 3', '5e0', '+4'],
      [1, 3, 5, 4],
    ],
    [
      ['1,2', 3],
      [1, 2, 3],
    ],
    ['1,,2', [1, 2]],
    [{ 0: 1, 1: '2' }, [1, 2]],
    ['', undefined],
    [[], undefined],
    [0, undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    ['abc', undefined],
    ['1,x', undefined],
    ['9007199254740993', undefined],
    ['1e400', undefined],
    [true, undefined],
    [null, undefined],
    [[[1]], undefined],
  ])('%j -> %j', (value, expected) => expect(parseIds(value)).toEqual(expected));
});
