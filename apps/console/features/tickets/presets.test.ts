import { expect, it } from 'vitest';
import { type Preset, ticketsOf } from './presets.ts';

const [first, second] = [
  { provider: 'tc', name: 'Adults', price: '20' },
  { provider: 'tc', name: 'Children', price: '8' },
];
const typed = { first, second, places: '80', front: '12', scope: 'event' as const, hasShared: false };

it.each<[Preset, object[]]>([
  ['one', [{ ...first, ticket: { mode: 'own', capacity: '80' } }]],
  [
    'family',
    [
      { ...first, ticket: { mode: 'global', event_capacity: '80' } },
      { ...second, ticket: { mode: 'global', event_capacity: '80' } },
    ],
  ],
  [
    'front',
    [
      { ...first, ticket: { mode: 'global', event_capacity: '80' } },
      { ...second, ticket: { mode: 'capped', capacity: '12', event_capacity: '80' } },
    ],
  ],
  ['free', [{ provider: 'rsvp', name: 'Adults', price: '', ticket: { mode: 'own', capacity: '80' } }]],
])('the preset %s makes these tickets', (preset, tickets) => {
  expect(ticketsOf(preset, typed)).toEqual(tickets);
});

it('has no limit without places', () => {
  expect(ticketsOf('one', { ...typed, places: '' })).toEqual([{ ...first, ticket: { mode: '', capacity: '' } }]);
});

it('makes a pass, with places of its own unless there are shared ones', () => {
  const pass = { ...typed, scope: 'series' as const };
  expect(ticketsOf('one', pass)).toEqual([{ ...first, scope: 'series', ticket: { mode: 'own', capacity: '80' } }]);
  expect(ticketsOf('one', { ...pass, hasShared: true })).toEqual([
    { ...first, scope: 'series', ticket: { mode: 'global' } },
  ]);
  expect(ticketsOf('family', pass)).toEqual(ticketsOf('family', typed));
});
