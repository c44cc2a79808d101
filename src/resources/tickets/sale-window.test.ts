import { describe, expect, it } from 'vitest';
import { saleWindow, type WindowInput } from './sale-window.ts';

const setting = {
  event: { date: '2026-10-05 08:15:00', utc_start_date: '2027-03-06 23:30:00' },
  siteZone: 'America/New_York',
  now: new Date('2026-11-21T17:00:00Z'),
};

describe('the sale window', () => {
  const cases: [what: string, input: WindowInput, from: string, until: string][] = [
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
    const window = saleWindow(input, undefined, setting);
    expect([
      `${window.start_date} ${window.start_time}`.trim(),
      `${window.end_date} ${window.end_time}`.trim(),
    ]).toEqual([from, until]);
  });

  it('is stored as instants and includes the whole last day', () => {
    expect(saleWindow({ start_date: '2026-12-01', end_date: '2027-07-31' }, undefined, setting)).toMatchObject({
      sale_start_utc: '2026-12-01 05:00:00',
      sale_end_utc: '2027-08-01 03:59:59',
    });
  });

  it('keeps the parts that an update does not send', () => {
    const first = saleWindow({ start_date: '2026-12-01', start_time: '08:00:00' }, undefined, setting);
    expect(saleWindow({}, first, setting)).toEqual(first);
    expect(saleWindow({ start_date: '2026-12-02' }, first, setting)).toMatchObject({
      start_date: '2026-12-02',
      start_time: '08:00:00',
      sale_start_utc: '2026-12-02 13:00:00',
    });
    expect(saleWindow({ start_time: null }, first, setting)).toMatchObject({
      start_date: '2026-12-01',
      start_time: '',
    });
    expect(saleWindow({ start_date: null }, first, setting).start_date).toBe('2026-10-05');
  });
});
