import { describe, expect, it } from 'vitest';
import { prefersGzip } from './compression.ts';

describe('prefersGzip', () => {
  it.each([
    ['gzip', true],
    ['br;q=1.0, GZIP;q=0.8, *;q=0.1', true],
    ['x-gzip', true],
    ['*', true],
    ['identity;q=0.5, gzip', true],
    ['identity, gzip', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity, gzip;q=0.5', false],
    ['br, deflate', false],
    ['gzipped', false],
    ['', false],
    [null, false],
    [undefined, false],
  ])('answers for %j with %s', (header, expected) => {
    expect(prefersGzip(header)).toBe(expected);
  });
});
