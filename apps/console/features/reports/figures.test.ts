import { expect, it, vi } from 'vitest';
import type { SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import { attendanceFigures, csvOf, isEmpty, salesFigures } from './figures.ts';

const figure = (places: number) => ({ places, amounts: [{ currency: 'USD', minor: places, formatted: `$${places}` }] });
const figures = { sold: figure(2), pending: figure(1), refunded: figure(0), cancelled: figure(0) };
const money = (minor: number, currency: string) => `${currency} ${minor}`;
const head = { from: '2027-01-01', to: '2027-01-02', timezone: 'UTC', totals: figures };

it('puts sales by time with their running total, and by ticket with their names', () => {
  const start = '2027-01-01 00:00:00';
  const periods = [{ start, start_utc: start, ...figures, running: figure(5) }];
  expect(salesFigures({ ...head, by: 'day', periods } as SalesReport, money).lines).toEqual([
    { start, name: start, cells: { sold: 2, amount: 'USD 2', pending: 1, refunded: 0, cancelled: 0, running: 5 } },
  ]);
  const rows = [{ event_id: 1, title: 'Jazz', start_date: null, ticket_id: 2, ticket_title: 'Adults', ...figures }];
  expect(salesFigures({ ...head, by: 'ticket', rows } as SalesReport, money).lines[0]?.name).toBe('Jazz – Adults');
});

it('puts attendance by event', () => {
  const totals = { expected: 3, came: 2, declined: 1 };
  const rows = [{ event_id: 1, title: 'Jazz', start_date: null, ...totals }];
  const report = attendanceFigures({ by: 'event', from: null, to: null, timezone: 'UTC', totals, rows });
  expect(report).toMatchObject({ main: 'expected', lines: [{ name: 'Jazz', cells: totals }] });
});

it('knows a report of nothing, whatever its days and amounts are called', () => {
  const start = '2027-01-01 00:00:00';
  const none = { sold: figure(0), pending: figure(0), refunded: figure(0), cancelled: figure(0) };
  const reportOf = (period: object) =>
    salesFigures(
      {
        ...head,
        by: 'day',
        periods: [{ start, start_utc: start, ...none, running: figure(0), ...period }],
      } as SalesReport,
      money,
    );
  expect(isEmpty(reportOf({}))).toBe(true);
  expect(isEmpty(reportOf({ pending: figure(1) }))).toBe(false);
  // Sales before the first day are in the running total alone.
  expect(isEmpty(reportOf({ running: figure(5) }))).toBe(false);
});

it.each([
  [[['a', 1]], 'a,1\r\n'],
  [[['say "hi", you', -2]], '"say ""hi"", you",-2\r\n'],
  [[['=1+1', '@x']], "'=1+1,'@x\r\n"],
])('writes %j as CSV that is safe in spreadsheets', (sheet, csv) => {
  expect(csvOf(sheet)).toBe(`\ufeff${csv}`);
});

it('writes the prices of tickets in the language of the console', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'de' });
  const { prices } = await import('../../i18n/formats.ts');
  expect(
    [['24.00'], ['18.00', '24.00'], ['0', '18.00'], ['0'], []].map((values) => prices(values, 'USD', 'Kostenlos')),
  ).toEqual(['24,00\u00a0$', '18,00\u00a0$ – 24,00\u00a0$', 'Kostenlos – 18,00\u00a0$', 'Kostenlos', 'Kostenlos']);
});
