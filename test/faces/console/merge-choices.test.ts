import { describe, expect, it } from 'vitest';
import {
  differing,
  fieldsOfSurvivor,
  type MergeField,
  sourceOf,
} from '../../../apps/console/shared/merging/merge-choices.ts';

interface Hall {
  id: number;
  city: string;
  lat: string;
  lng: string;
}

const city: MergeField<Hall> = {
  ...{ name: 'city', label: 'City' },
  valueOf: (hall) => ({ city: hall.city }),
  show: (hall) => hall.city,
};
/** One line of the dialog that sets two fields. */
const position: MergeField<Hall> = {
  ...{ name: 'position', label: 'Position' },
  valueOf: ({ lat, lng }) => ({ lat, lng }),
  show: ({ lat, lng }) => lat && `${lat}, ${lng}`,
};

const bare = { id: 1, city: '', lat: '', lng: '' };
const bern = { id: 2, city: 'Bern', lat: '46.9', lng: '7.4' };
const biel = { id: 3, city: 'Biel', lat: '46.9', lng: '7.4' };
const records = [bare, bern, biel];

it.each([
  ['each value once', [bare, bern, biel, { ...bern, id: 4 }], [1, 2, 3]],
  ['one value if all have the same', [bern, { ...bern, id: 4 }], [2]],
  ['none of no records', [], []],
])('offers %s', (_, halls, ids) => {
  expect(differing(city, halls).map(({ id }) => id)).toEqual(ids);
});

describe('a field is taken', () => {
  it.each([
    ['from the survivor', biel, {}, 3],
    ['from the first with a value if the survivor has none', bare, {}, 2],
    ['from the record that was chosen', biel, { city: 2 }, 2],
    ['from the record that was chosen, though it has no value', biel, { city: 1 }, 1],
    ['as if nothing were chosen, once the chosen record is gone', biel, { city: 9 }, 3],
  ])('%s', (_, survivor, choices, id) => {
    expect(sourceOf(city, { records, survivor, choices }).id).toBe(id);
  });
});

it.each([
  ['nothing that the survivor has already', biel, {}, {}],
  ['what the survivor lacks', bare, {}, { city: 'Bern', lat: '46.9', lng: '7.4' }],
  ['what was chosen', biel, { city: 2, position: 1 }, { city: 'Bern', lat: '', lng: '' }],
  ['nothing for the same value of another record', biel, { position: 2 }, {}],
])('sends %s', (_, survivor, choices, sent) => {
  expect(fieldsOfSurvivor([city, position], { records, survivor, choices })).toEqual(sent);
});
