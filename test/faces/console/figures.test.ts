import { expect, it } from 'vitest';
import { attendanceFigures, csvOf, salesFigures } from '../../../apps/console/reports/figures.ts';
import type { SalesReport } from '../../../packages/client/src/marquee-client.ts';

const figure = (places: number) => ({ places, amounts: [{ currency: 'USD', minor: places, formatted: `$${places}` }] });
const figures = { sold: figure(2), pending: figure(1), refunded: figure(0), cancelled: figure(0) };
const head = { from: '2027-01-01', to: '2027-01-02', timezone: 'UTC', totals: figures };

it('puts sales by time with their running total, and by ticket with their names', () => {
  const start = '2027-01-01 00:00:00';
  const periods = [{ start, start_utc: start, ...figures, running: figure(5) }];
  expect(salesFigures({ ...head, by: 'day', periods } as SalesReport).lines).toEqual([
    { start, name: start, cells: { sold: 2, amount: '$2', pending: 1, refunded: 0, cancelled: 0, running: 5 } },
  ]);
  const rows = [{ event_id: 1, title: 'Jazz', start_date: null, ticket_id: 2, ticket_title: 'Adults', ...figures }];
  expect(salesFigures({ ...head, by: 'ticket', rows } as SalesReport).lines[0]?.name).toBe('Jazz – Adults');
});

it('puts attendance by event', () => {
  const totals = { expected: 3, came: 2, declined: 1 };
  const rows = [{ event_id: 1, title: 'Jazz', start_date: null, ...totals }];
  const report = attendanceFigures({ by: 'event', from: null, to: null, timezone: 'UTC', totals, rows });
  expect(report).toMatchObject({ main: 'expected', lines: [{ name: 'Jazz', cells: totals }] });
});

it.each([
  [[['a', 1]], 'a,1\r\n'],
  [[['say "hi", you', -2]], '"say ""hi"", you",-2\r\n'],
  [[['=1+1', '@x']], "'=1+1,'@x\r\n"],
])('writes %j as CSV that is safe in spreadsheets', (sheet, csv) => {
  expect(csvOf(sheet)).toBe(`\ufeff${csv}`);
});
