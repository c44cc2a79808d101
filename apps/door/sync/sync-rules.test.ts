import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../packages/client/src/marquee-client.ts';
import { clockAfter, msOf, type ServerClock, utcText } from './clock.ts';
import { failureOf, waitAfter } from './server.ts';
import { eraseTime, type Session } from './session.ts';

const HOUR = 3600_000;
const YEAR = 365 * 24 * HOUR;
const T = Date.parse('2027-03-06T18:30:00Z');

describe('a request that failed', () => {
  it.each([
    [401, 'rest_forbidden', 'revoked'],
    [401, 'http_401', 'offline'],
    [404, 'http_404', 'offline'],
    [400, 'rest_invalid_param', 'refused'],
    [409, 'edit-conflict', 'refused'],
    [429, 'rate-limit', 'busy'],
    [429, 'too-many-mails', 'refused'],
    [503, 'overloaded', 'busy'],
  ])('with %i %s is %s', (status, code, failure) => {
    const answer = { status, code, message: '', data: {}, requestId: undefined, retryAfter: undefined };
    expect(failureOf(new ApiError(answer, { method: 'POST', path: '/door/sales' }))).toBe(failure);
  });

  it('without a response is offline', () => {
    expect(failureOf(new TypeError('fetch failed'))).toBe('offline');
  });
});

describe('the clock of the server', () => {
  const exchange = (device: number, took: number, offset: number) => ({
    sent: device,
    received: device + took,
    server: device + took / 2 + offset,
  });
  const known = (offset: number, error: number, measured: number): ServerClock => ({ offset, error, measured });

  it.each([
    ['is learned from the first answer', undefined, exchange(T, 200, HOUR), HOUR],
    ['is years away for a phone that lost its battery', undefined, exchange(T - 20 * YEAR, 80, 20 * YEAR), 20 * YEAR],
    ['is not made worse by a slow answer', known(1000, 20, T), exchange(T + 10_000, 4000, 2500), 1000],
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

describe('the wait after failures', () => {
  it.each([
    [1, undefined, 500, 1000],
    [2, undefined, 1000, 2000],
    [5, undefined, 8000, 16_000],
    [50, undefined, 30_000, 60_000],
    [1, 30, 30_000, 30_000],
    [50, 1, 30_000, 60_000],
  ])('%i in a row, asked for %s s, is between %i and %i ms', (failures, asked, least, most) => {
    expect(waitAfter(failures, asked, () => 0)).toBe(least);
    expect(waitAfter(failures, asked, () => 1)).toBe(most);
  });
});

describe('the time at which a list is erased', () => {
  const [first, last] = ['2027-03-06 21:00:00', '2027-03-07 02:00:00'];
  it.each([
    ['a day after the last event', [first, last], null, msOf(last) + 24 * HOUR],
    ['as the gate expires', [first, last], '2027-03-07 04:00:00', msOf('2027-03-07 04:00:00')],
    ['not later than a day after the event', [first], '2027-12-31 00:00:00', msOf(first) + 24 * HOUR],
    ['never before the events are known', [], null, null],
  ])('is %s', (_case, ends, expires_utc, time) => {
    const list = { events: ends.map((utc_end_date) => ({ utc_end_date })) };
    expect(eraseTime({ list, greeting: { gate: { expires_utc } } } as unknown as Session)).toBe(time);
  });
});
