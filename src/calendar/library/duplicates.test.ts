import { describe, expect, it } from 'vitest';
import { type Candidate, findPairs, MAX_PAIRS, websiteKey } from './duplicates.ts';

const pairsOf = (candidates: Candidate[]) => findPairs(candidates).map(({ ids, reasons }) => `${ids} ${reasons}`);

describe('probable duplicates', () => {
  it('share a name, a trait or a place, and those with the most reasons come first', () => {
    const candidates: Candidate[] = [
      { id: 1, name: 'mill', traits: { website: 'a' }, lat: 46.95, lng: 179.9 },
      { id: 2, name: 'mole', traits: { website: '' }, lat: 46.9509, lng: 179.9 },
      { id: 3, name: 'mill', traits: { website: 'a' } },
      { id: 4, name: 'mule', traits: { website: '' }, lat: 46.95, lng: 179.9013 },
      { id: 5, name: 'mill', traits: {}, lat: 46.95, lng: 179.9014 },
      { id: 6, name: '', traits: {} },
      { id: 7, name: '', traits: {} },
    ];
    expect(pairsOf(candidates)).toEqual(['1,3 name,website', '1,4 place', '1,5 name', '4,5 place']);
  });

  it('are few, however many records are alike', () => {
    const all = Array.from({ length: 3000 }, (_, id) => ({
      id,
      name: 'mill',
      traits: { website: 'a' },
      lat: 1,
      lng: 1,
    }));
    expect(findPairs(all)).toHaveLength(MAX_PAIRS);
  });

  it.each([
    ['https://A.example', 'http://www.a.example/', true],
    ['https://a.example/x', 'https://a.example/', false],
  ])('%s and %s are the same address: %s', (one, other, same) => {
    expect(websiteKey(one) === websiteKey(other)).toBe(same);
  });
});
