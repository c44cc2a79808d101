import { describe, expect, it } from 'vitest';
import { endAfter, movedBy, saleAt } from './dates.ts';

describe('the end of an event whose start changes', () => {
  const before = { start_date: '2027-03-06 22:00:00', end_date: '2027-03-07 01:00:00' };
  it.each([
    ['2027-03-06 21:00:00', '2027-03-07 00:00:00'],
    ['2028-02-28 23:30:00', '2028-02-29 02:30:00'],
    // While a year is being typed.
    ['0002-03-06 22:00:00', '0002-03-07 01:00:00'],
    ['', '2027-03-07 01:00:00'],
  ])('for %s is %s', (start, end) => {
    expect(endAfter(start, before)).toBe(end);
  });
});

it.each([
  ['2027-12-31 19:00:00', 1, 'days', '2028-01-01 19:00:00'],
  ['2027-03-06 19:00:00', 2, 'weeks', '2027-03-20 19:00:00'],
  ['2028-02-29 19:00:00', 1, 'years', '2029-03-01 19:00:00'],
  ['2027-03-06 19:00:00', 1, 'years', '2028-03-06 19:00:00'],
] as const)('moves %s by %i %s', (start, count, unit, moved) => {
  expect(movedBy(start, count, unit)).toBe(moved);
});

describe('the sale of tickets', () => {
  const now = '2027-03-06 12:00:00';
  const sale = (available_from: string, available_until: string) => ({ available_from, available_until });
  it.each([
    ['none', []],
    ['open', [sale('', ''), sale('2028-01-01 00:00:00', '')]],
    ['open', [sale('2027-03-06 12:00:00', '2027-03-06 12:00:01')]],
    ['later', [sale('2027-03-07 00:00:00', ''), sale('', '2027-01-01 00:00:00')]],
    ['ended', [sale('2027-01-01 00:00:00', '2027-03-06 12:00:00')]],
  ] as const)('is %s', (expected, tickets) => {
    expect(saleAt(tickets, now)).toBe(expected);
  });
});
