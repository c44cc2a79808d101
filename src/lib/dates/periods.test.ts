import { describe, expect, it } from 'vitest';
import { periodAt, periodsOf } from './periods.ts';

const NEW_YORK = 'America/New_York';

describe('the periods of a report', () => {
  it.each([
    ['spring forward', '2026-03-08', 23],
    ['autumn back', '2026-11-01', 25],
    ['neither', '2026-06-01', 24],
  ])('have as many hours as the day when clocks go %s', (_what, day, hours) => {
    expect(periodsOf('hour', { from: day, to: day, zone: NEW_YORK })).toHaveLength(hours);
  });

  it.each([
    ['2026-03-08 04:59:59', -1],
    ['2026-03-08 05:00:00', 0],
    ['2026-03-09 03:59:59', 0],
    ['2026-03-09 04:00:00', 1],
    ['2026-03-10 04:00:00', 2],
  ])('begin at midnight of the zone: %s is in day %d', (utc, index) => {
    expect(periodAt(periodsOf('day', { from: '2026-03-08', to: '2026-03-10', zone: NEW_YORK }), utc)).toBe(index);
  });

  it('tell apart the two hours with the same local time', () => {
    const hours = periodsOf('hour', { from: '2026-11-01', to: '2026-11-01', zone: NEW_YORK });
    expect(hours.slice(1, 3)).toEqual([
      { start: '2026-11-01 01:00:00', start_utc: '2026-11-01 05:00:00' },
      { start: '2026-11-01 01:00:00', start_utc: '2026-11-01 06:00:00' },
    ]);
  });
});
