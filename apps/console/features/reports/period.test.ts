import { expect, it } from 'vitest';
import { type Days, daysOfPeriod, type Period, periodOf, periodsFor, shownDays } from './period.ts';

const basis = { today: '2026-03-10', isAllByDefault: false };
const ofOne = { ...basis, isAllByDefault: true };

it.each([
  ['the last 30 days for none', {}, basis, { from: '2026-02-09', to: '2026-03-10' }, 'month'],
  ['30 days until a chosen one', { to: '2026-01-30' }, basis, { from: '2026-01-01', to: '2026-01-30' }, 'other'],
  ['chosen ones until today', { from: '2026-03-01' }, basis, { from: '2026-03-01', to: '2026-03-10' }, 'other'],
  ['a year', { from: '2025-03-11' }, basis, { from: '2025-03-11', to: '2026-03-10' }, 'year'],
  ['all, from the beginning on', { from: '2000-01-01' }, basis, { from: '2000-01-01', to: '2026-03-10' }, 'all'],
  ['all of one event for none', {}, ofOne, { from: '', to: '' }, 'all'],
  ['the last 30 days of one event', { from: '2026-02-09' }, ofOne, { from: '2026-02-09', to: '2026-03-10' }, 'month'],
] as const)('shows %s', (_what, asked: Days, one, shown, period: Period) => {
  expect(shownDays(asked, one)).toEqual(shown);
  expect(periodOf(asked, one)).toBe(period);
});

it.each([basis, ofOne])('recognizes the dates of each period as that period', (one) => {
  for (const period of ['month', 'year', 'all'] as const) expect(periodOf(daysOfPeriod(period, one), one)).toBe(period);
});

it('offers only the periods that a report can cover', () => {
  expect(periodsFor('sales', 'hour')).toEqual(['month']);
  expect(periodsFor('sales', 'day')).toEqual(['month', 'year']);
  expect(periodsFor('money', 'event')).toEqual(['month', 'year']);
  expect(periodsFor('sales', 'event')).toEqual(['month', 'year', 'all']);
  expect(periodsFor('attendance', 'hour')).toEqual(['month', 'year', 'all']);
});
