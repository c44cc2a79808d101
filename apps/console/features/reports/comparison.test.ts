import { expect, it } from 'vitest';
import type { SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import { curveOf, daysBefore, idsIn, withoutQuietStart } from './comparison.ts';

it.each([
  ['12,7', [12, 7]],
  ['7,7', [7]],
  ['', []],
  ['x,0,-1,5', [5]],
  ['1,2,3,4,5,6,7,8,9', [1, 2, 3, 4, 5, 6, 7, 8]],
])('finds in %j the events %j', (text, ids) => {
  expect(idsIn(text)).toEqual(ids);
});

it.each([
  ['2027-03-06', '2027-06-01', { from: '2026-03-07', to: '2027-03-06' }],
  ['2027-03-06', '2027-03-01', { from: '2026-03-07', to: '2027-03-01' }],
  ['2029-03-06', '2027-03-01', { from: '2027-03-01', to: '2027-03-01' }],
])('compares for an event on %s, on %s, the days %j', (day, today, days) => {
  expect(daysBefore(day, today)).toEqual(days);
});

const period = (start: string, places: number) => ({ start: `${start} 00:00:00`, running: { places } });

it('counts sales by days before the event, from the day before the first one', () => {
  const report = { periods: [period('2027-02-27', 0), period('2027-02-28', 0), period('2027-03-01', 4)] };
  const points = curveOf(report as unknown as SalesReport, '2027-03-02 18:00:00');
  expect(points).toEqual([
    { x: -3, y: 0 },
    { x: -2, y: 0 },
    { x: -1, y: 4 },
  ]);
  const early = { name: 'early', points: [{ x: -1, y: 1 }] };
  expect(withoutQuietStart([{ name: 'late', points }, early])).toEqual([
    { name: 'late', points: points.slice(1) },
    early,
  ]);
});
