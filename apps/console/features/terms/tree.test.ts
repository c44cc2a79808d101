import { describe, expect, it } from 'vitest';
import type { TermRow } from './terms.ts';
import { comparing, countChildren, flat, found, hasWords, pathOf, placeOf, treeOf, withBelow } from './tree.ts';

function category(
  id: number,
  parent: number,
  name: string,
  counts: { events?: number; upcoming?: number } = {},
): TermRow {
  // The fields that the rules of trees read.
  const term = { id, parent, name, slug: name.toLowerCase() } as TermRow['term'];
  return { ...{ id, term, events: 0, upcoming: 0 }, ...counts };
}

const rows = [
  category(1, 0, 'Music', { events: 2, upcoming: 2 }),
  category(2, 1, 'Jazz', { events: 9 }),
  category(3, 1, 'Élégie', { upcoming: 1 }),
  category(4, 2, 'Bebop'),
  category(5, 0, 'Art', { events: 2 }),
  category(6, 99, 'Below one that is gone'),
];
const byName = comparing('name', 'en');
const namesOf = (nodes: ReturnType<typeof treeOf>): string[] => flat(nodes).map(({ row }) => row.term.name);

it.each([
  ['name', ['Art', 'Below one that is gone', 'Music', 'Élégie', 'Jazz', 'Bebop']],
  ['events', ['Art', 'Music', 'Jazz', 'Bebop', 'Élégie', 'Below one that is gone']],
  ['upcoming', ['Music', 'Élégie', 'Jazz', 'Bebop', 'Art', 'Below one that is gone']],
] as const)('sorts each level by %s, and puts terms without an existing parent at the top', (order, names) => {
  expect(namesOf(treeOf(rows, comparing(order, 'fr')))).toEqual(names);
});

it('keeps categories of the same name in the order of their ids', () => {
  const same = [category(3, 0, 'Kids'), category(2, 0, 'Kids'), category(1, 0, 'Kids')];
  expect(treeOf(same, byName).map(({ id }) => id)).toEqual([1, 2, 3]);
});

it('shows a chain of two thousand categories', () => {
  const chain = Array.from({ length: 2000 }, (_, index) => category(index + 1, index, `Level ${index}`));
  expect(flat(treeOf(chain, byName))).toHaveLength(2000);
  expect(pathOf(2000, chain)).toHaveLength(2000);
});

describe('a search', () => {
  const tree = treeOf(rows, byName);
  it.each([
    ['', 'all', ['Art', 'Below one that is gone', 'Music', 'Élégie', 'Jazz', 'Bebop']],
    ['bebop', 'one with the path to it', ['Music', 'Jazz', 'Bebop']],
    ['ELEGIE', 'names regardless of case and accents', ['Music', 'Élégie']],
    ['gone below', 'all words in any order', ['Below one that is gone']],
    ['jazz art', 'nothing with only one of the words', []],
  ])('for "%s" finds %s', (search, _, names) => {
    expect(namesOf(found(tree, search))).toEqual(names);
  });

  it('marks the terms that it found, but not their parents', () => {
    expect(flat(found(tree, 'jazz')).map(({ id, isFound }) => [id, isFound])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it.each([
    ['  ', true],
    ['ß', false],
    ['a.c', false],
  ])('takes "%s" literally', (words, isFound) => {
    expect(hasWords(words.trim(), 'abc')).toBe(isFound);
  });
});

it('names the path to a category', () => {
  expect(pathOf(4, rows)).toEqual(['Music', 'Jazz', 'Bebop']);
  expect(placeOf(4, rows)).toBe('Music › Jazz');
  expect(placeOf(1, rows)).toBe('');
  expect(pathOf(77, rows)).toEqual([]);
});

it('ends although two categories are below each other', () => {
  const loop = [category(1, 2, 'One'), category(2, 1, 'Two')];
  expect(pathOf(1, loop)).toEqual(['Two', 'One']);
  expect([...withBelow(1, loop)]).toEqual([1, 2]);
});

it('lists a category and all below it, which cannot become its parent', () => {
  expect([...withBelow(1, rows)]).toEqual([1, 2, 3, 4]);
  expect([...withBelow(5, rows)]).toEqual([5]);
});

it.each([
  [[1], 2],
  [[1, 2], 2],
  [[1, 2, 3], 1],
  [[4], 0],
])('counts the children that move up when %j are deleted', (ids, count) => {
  expect(countChildren(new Set(ids), rows)).toBe(count);
});
