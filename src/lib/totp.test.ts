import { describe, expect, it } from 'vitest';
import { base32, hotp, matchingStep, stepOf, totpUri } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('match RFC 6238 at %d seconds', (seconds, code) => {
    expect(hotp(SECRET, stepOf(new Date(seconds * 1000)), 8)).toBe(code);
  });

  it('match RFC 4226 for the first counters', () => {
    expect([0, 1, 2, 3, 4].map((counter) => hotp(SECRET, counter))).toEqual([
      ...['755224', '287082', '359152', '969429', '338314'],
    ]);
  });

  it('are valid one step before and after their own, and no further', () => {
    const now = new Date(100 * 30_000);
    const matches = [98, 99, 100, 101, 102].map((step) => matchingStep(hotp(SECRET, step), SECRET, now));
    expect(matches).toEqual([undefined, 99, 100, 101, undefined]);
    expect(matchingStep('', SECRET, now)).toBeUndefined();
  });

  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('have secrets in the Base32 of RFC 4648: "%s"', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });

  it('have an address that apps can read, whatever the names', () => {
    const uri = new URL(totpUri(SECRET, { account: 'anna:&?', issuer: 'Mill & Co' }));
    expect(uri.pathname).toBe('/Mill%20%26%20Co:anna%3A%26%3F');
    expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: base32(SECRET), issuer: 'Mill & Co' });
  });
});
