import { expect, it } from 'vitest';
import { coordinatesIn } from './coordinates.ts';

it.each([
  ['47.3769, 8.5417', { lat: 47.3769, lng: 8.5417 }],
  ['-33.8568 151.2153', { lat: -33.8568, lng: 151.2153 }],
  ['geo:42.36,-71.05?z=17', { lat: 42.36, lng: -71.05 }],
  ['https://www.openstreetmap.org/#map=17/47.37690/8.54170', { lat: 47.3769, lng: 8.5417 }],
  ['https://www.openstreetmap.org/?mlat=47.1&mlon=8.5#map=12/1.0/2.0', { lat: 47.1, lng: 8.5 }],
  [
    'https://www.google.com/maps/place/Hall/@47.1,8.1,17z/data=!3m1!4b1!4m6!3d47.3769!4d8.5417',
    { lat: 47.3769, lng: 8.5417 },
  ],
  ['https://www.google.com/maps/@47.3769,8.5417,17z', { lat: 47.3769, lng: 8.5417 }],
  ['https://www.google.com/maps/search/?api=1&query=47.3769%2C8.5417', { lat: 47.3769, lng: 8.5417 }],
  ['https://maps.apple.com/?ll=47.3769,8.5417&q=Hall', { lat: 47.3769, lng: 8.5417 }],
  ['99, 8', undefined],
  ['12, 181', undefined],
  ['Harbour Hall', undefined],
  ['https://example.org/?q=hall', undefined],
  ['', undefined],
  [`${'9'.repeat(100_000)}, 1`, undefined],
])('reads coordinates in %s', (pasted, expected) => {
  expect(coordinatesIn(pasted)).toEqual(expected);
});
