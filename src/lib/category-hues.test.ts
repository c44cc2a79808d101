import { expect, it } from 'vitest';
import { hueIn, huesOf } from './category-hues.ts';

const categories = [
  { id: 1, name: 'Stage', parent: 0, color: '#aa0000' },
  { id: 2, name: 'Theatre', parent: 1 },
  { id: 3, name: 'Puppets', parent: 2, color: '#aa0000' },
  { id: 4, name: 'Late', parent: 1, color: '#0000aa' },
  { id: 5, name: 'Plain', parent: 0 },
  { id: 6, name: 'Circle', parent: 6 },
];
const hues = huesOf(categories);

it.each([
  ['its own colour', [4], '#0000aa', 'Late'],
  ['the colour of the category above', [2], '#aa0000', 'Stage'],
  ['the topmost name of one colour', [3], '#aa0000', 'Stage'],
  ['the colour of the oldest category, in whatever order', [4, 2], '#aa0000', 'Stage'],
  ['the colour of one category, whatever else there is', [5, 4], '#0000aa', 'Late'],
])('an event has %s', (_what, ids, color, name) => {
  for (const order of [ids, ids.toReversed()]) {
    const hue = hueIn(order, hues);
    expect([hue?.color, hue?.category.name]).toEqual([color, name]);
  }
});

it('an event has no colour if its categories have none', () => {
  expect([hueIn([5, 6], hues), hueIn([], hues), hueIn([99], hues)]).toEqual([undefined, undefined, undefined]);
});
