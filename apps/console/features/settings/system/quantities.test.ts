import { expect, it } from 'vitest';
import { bytes, span } from './system-values.ts';

it.each([
  [0, '0 byte'],
  [1023, '1,023 byte'],
  [1536, '1.5 kB'],
  [3_355_443, '3.2 MB'],
  [78 * 1024 ** 3, '78 GB'],
  [5 * 1024 ** 5, '5,120 TB'],
])('%d bytes are %s', (count, expected) => {
  expect(bytes(count, 'en')).toBe(expected);
});

it.each([
  [0, '0 seconds'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [3599, '59 minutes'],
  [7200, '2 hours'],
  [200_000, '2 days'],
])('%d seconds are %s', (seconds, expected) => {
  expect(span(seconds, 'en')).toBe(expected);
});
