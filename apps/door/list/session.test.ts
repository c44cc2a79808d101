import { describe, expect, it } from 'vitest';
import { msOf } from './clock.ts';
import { eraseTime, type Session } from './session.ts';

const DAY = 24 * 3600_000;

describe('the time at which a list is erased', () => {
  const [first, last] = ['2027-03-06 21:00:00', '2027-03-07 02:00:00'];
  it.each([
    ['a day after the last event', [first, last], null, msOf(last) + DAY],
    ['as the gate expires', [first, last], '2027-03-07 04:00:00', msOf('2027-03-07 04:00:00')],
    ['not later than a day after the event', [first], '2027-12-31 00:00:00', msOf(first) + DAY],
    ['never before the events are known', [], null, null],
  ])('is %s', (_case, ends, expires_utc, time) => {
    const list = { events: ends.map((utc_end_date) => ({ utc_end_date })) };
    expect(eraseTime({ list, greeting: { gate: { expires_utc } } } as unknown as Session)).toBe(time);
  });
});
