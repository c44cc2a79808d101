import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  addSeconds,
  dateDetails,
  dayEnd,
  dayStart,
  fromMs,
  fromUtc,
  isInRange,
  secondsBetween,
  toMs,
  toUtc,
} from './local-time.ts';

describe('local time arithmetic', () => {
  it.each([
    ['2030-01-31 10:00:00', 1, '2030-02-28 10:00:00'],
    ['2028-01-31 10:00:00', 1, '2028-02-29 10:00:00'],
    ['2100-03-31 10:00:00', -1, '2100-02-28 10:00:00'],
    ['2030-12-15 23:59:59', 1, '2031-01-15 23:59:59'],
    ['2030-01-15 00:00:01', -1, '2029-12-15 00:00:01'],
    ['2026-11-21 05:20:30', 24, '2028-11-21 05:20:30'],
    ['0050-06-01 00:00:00', -12, '0049-06-01 00:00:00'],
    ['1969-12-31 18:00:00', 2, '1970-02-28 18:00:00'],
    ['9999-12-31 00:00:00', 1, '9999-12-31 23:59:59'],
    ['0001-01-01 10:00:00', -1, '0001-01-01 00:00:00'],
  ])('addMonths %s %i', (local, months, expected) => expect(addMonths(local, months)).toBe(expected));

  it('adds days and seconds', () => {
    expect(addDays('2028-02-28 10:00:00', 2)).toBe('2028-03-01 10:00:00');
    expect(addDays('2027-03-01 00:00:00', -1)).toBe('2027-02-28 00:00:00');
    expect(addSeconds('2029-12-31 23:59:59', 1)).toBe('2030-01-01 00:00:00');
    expect(addDays('9999-12-31 10:00:00', 5)).toBe('9999-12-31 23:59:59');
    expect(secondsBetween('2030-01-01 00:00:00', '2030-01-02 00:00:01')).toBe(86401);
  });

  it('returns the start and end of a day', () => {
    expect(dayStart('2030-06-01 12:34:56')).toBe('2030-06-01 00:00:00');
    expect(dayEnd('2030-06-01 12:34:56')).toBe('2030-06-01 23:59:59');
  });

  it('splits a time into its parts', () => {
    const parts = { year: '2030', month: '06', day: '01', hour: '09', minutes: '05', seconds: '07' };
    expect(dateDetails('2030-06-01 09:05:07')).toEqual(parts);
    expect(dateDetails('')).toEqual({ year: '', month: '', day: '', hour: '', minutes: '', seconds: '' });
  });

  it('drops fractions of a second, and clamps to the years 1 to 9999', () => {
    expect(toUtc(new Date('2030-06-01T09:05:07.999Z'))).toBe('2030-06-01 09:05:07');
    expect(toUtc(new Date('+012000-01-01T00:00:00Z'))).toBe('9999-12-31 23:59:59');
    expect(toUtc(new Date('-000100-01-01T00:00:00Z'))).toBe('0001-01-01 00:00:00');
    expect([Number.NaN, Number.POSITIVE_INFINITY, 253402300800000, -62135596800001].some(isInRange)).toBe(false);
    expect([0, 253402300799999, -62135596800000].every(isInRange)).toBe(true);
  });

  it.each(['', '2030-06-01', 'soon', '0000-00-00 00:00:00'])('refuses %j', (text) => {
    expect(() => toMs(text)).toThrow(RangeError);
  });

  it('converts to milliseconds and back', () => {
    const seconds = fc.integer({ min: -30_000_000_000, max: 30_000_000_000 });
    fc.assert(
      fc.property(seconds, seconds, (from, by) => {
        const local = fromMs(from * 1000);
        expect(toUtc(fromUtc(local))).toBe(local);
        expect(secondsBetween(local, addSeconds(local, by))).toBe(by);
        expect(addSeconds(addSeconds(local, by), -by)).toBe(local);
        expect(addDays(local, 400)).toBe(addSeconds(local, 400 * 86400));
        expect(toMs(local)).toBe(from * 1000);
      }),
    );
  });
});
