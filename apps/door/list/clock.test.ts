import { describe, expect, it } from 'vitest';
import { clockAfter, msOf, type ServerClock, utcText } from './clock.ts';

const HOUR = 3600_000;
const YEAR = 365 * 24 * HOUR;
const T = Date.parse('2027-03-06T18:30:00Z');

describe('the clock of the server', () => {
  const exchange = (device: number, took: number, offset: number) => ({
    sent: device,
    received: device + took,
    server: device + took / 2 + offset,
  });
  const known = (offset: number, error: number, measured: number): ServerClock => ({ offset, error, measured });

  it.each([
    ['is learned from the first response', undefined, exchange(T, 200, HOUR), HOUR],
    ['is years away for a phone that lost its battery', undefined, exchange(T - 20 * YEAR, 80, 20 * YEAR), 20 * YEAR],
    ['is not made worse by a slow response', known(1000, 20, T), exchange(T + 10_000, 4000, 2500), 1000],
    ['is made better by a fast one', known(1000, 500, T), exchange(T + 10_000, 40, 1200), 1200],
    ['is measured again once drift may have changed it', known(1000, 20, T), exchange(T + 2 * HOUR, 400, 1100), 1100],
    ['is learned anew if the phone’s was set ahead', known(0, 20, T), exchange(T + HOUR, 3000, -HOUR), -HOUR],
    ['is learned anew if the phone’s was set back', known(0, 20, T), exchange(T - HOUR, 60, HOUR), HOUR],
    [
      'survives a phone whose clock was set during a request',
      known(5, 20, T),
      { sent: T, received: T - HOUR, server: T },
      HOUR / 2,
    ],
  ])('%s', (_case, before, sample, offset) => {
    expect(clockAfter(before, sample).offset).toBe(offset);
  });

  it('has times that compare as texts', () => {
    expect(utcText(T + 7)).toBe('2027-03-06 18:30:00.007');
    expect([msOf(utcText(T + 7)), msOf('2027-03-06 18:30:00')]).toEqual([T + 7, T]);
  });
});
