import { describe, expect, it } from 'vitest';
import { withDates } from '../../../test/dates.ts';
import { type SaleWindow, saleWindow, type WindowInput } from './sale-window.ts';

const setting = {
  event: { date: '2026-10-05 08:15:00', utc_start_date: '2027-03-06 23:30:00' },
  siteZone: 'America/New_York',
  now: new Date('2026-11-21T17:00:00Z'),
};

type Sent = Partial<Record<keyof WindowInput, string | null>>;

const windowOf = (sent: Sent, current?: SaleWindow) =>
  saleWindow(withDates(sent, ['start_date', 'end_date']), current, setting);

describe('the sale window', () => {
  const cases: [what: string, input: Sent, from: string, until: string][] = [
    ['nothing said', {}, '2026-10-05 00:00:00', '2027-03-06 18:30:00'],
    [
      'emptied',
      { start_date: null, end_date: null, start_time: null, end_time: null },
      '2026-10-05 00:00:00',
      '2027-03-06 18:30:00',
    ],
    [
      'all said',
      { start_date: '2026-12-01', start_time: '08:00:00', end_date: '2027-01-31', end_time: '20:00:00' },
      '2026-12-01 08:00:00',
      '2027-01-31 20:00:00',
    ],
    ['days only', { start_date: '2026-12-01', end_date: '2027-01-31' }, '2026-12-01', '2027-01-31'],
    ['times only', { start_time: '09:00:00', end_time: '10:00:00' }, '2026-10-05 09:00:00', '2027-03-06 10:00:00'],
    [
      'written out',
      { start_date: 'December 1, 2026', end_date: '1 February 2027 3pm' },
      '2026-12-01',
      '2027-02-01 15:00:00',
    ],
    ['relative', { start_date: 'tomorrow' }, '2026-11-22', '2027-03-06 18:30:00'],
    ['an instant', { start_date: '2026-12-01T03:00:00Z' }, '2026-11-30 22:00:00', '2027-03-06 18:30:00'],
  ];
  it.each(cases)('%s', (_what, input, from, until) => {
    const window = windowOf(input);
    expect([
      `${window.start_date} ${window.start_time}`.trim(),
      `${window.end_date} ${window.end_time}`.trim(),
    ]).toEqual([from, until]);
  });

  it('is stored as instants and includes the whole last day', () => {
    expect(windowOf({ start_date: '2026-12-01', end_date: '2027-07-31' })).toMatchObject({
      sale_start_utc: '2026-12-01 05:00:00',
      sale_end_utc: '2027-08-01 03:59:59',
    });
  });

  it('ends with the hour that a last day has twice', () => {
    const dates = withDates({ start_date: '2026-04-03', end_date: '2026-04-04' }, ['start_date', 'end_date']);
    const { end_time, sale_end_utc } = saleWindow(dates, undefined, { ...setting, siteZone: 'America/Santiago' });
    expect([end_time, sale_end_utc]).toEqual(['', '2026-04-05 03:59:59']);
  });

  it('keeps the parts that an update does not send', () => {
    const first = windowOf({ start_date: '2026-12-01', start_time: '08:00:00' });
    expect(windowOf({}, first)).toEqual(first);
    expect(windowOf({ start_date: '2026-12-02' }, first)).toMatchObject({
      start_date: '2026-12-02',
      start_time: '08:00:00',
      sale_start_utc: '2026-12-02 13:00:00',
    });
    expect(windowOf({ start_time: null }, first)).toMatchObject({
      start_date: '2026-12-01',
      start_time: '',
    });
    expect(windowOf({ start_date: null }, first).start_date).toBe('2026-10-05');
  });
});
