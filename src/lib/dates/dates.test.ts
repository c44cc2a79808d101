import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import {
  fromUtc,
  parseDate,
  parseTimeOfDay,
  resolveDate,
  resolveEndIn,
  resolveIn,
  secondsBetween,
  toUtc,
} from './dates.ts';

/** Saturday, 00:20:30 in New York and 05:20:30 in UTC. */
const NOW = new Date('2026-11-21T05:20:30.900Z');
const LOCAL_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

function read(text: string, zone = 'America/New_York', now = NOW): string {
  const expression = parseDate(text);
  const parsed = expression && resolveDate(expression, { zone, now });
  if (!parsed) return 'none';
  return parsed.kind === 'local' ? parsed.local : `${parsed.kind} ${parsed.utc}`;
}

describe('absolute dates', () => {
  it.each([
    ['2030-06-01', '2030-06-01 00:00:00'],
    ['  2030-06-01\n', '2030-06-01 00:00:00'],
    ['2030-6-1', '2030-06-01 00:00:00'],
    ['2030-06-01 9:05', '2030-06-01 09:05:00'],
    ['2030-06-01 09:05:07', '2030-06-01 09:05:07'],
    ['2030-06-01T09:05', '2030-06-01 09:05:00'],
    ['2030-06-01t09:05:07.999', '2030-06-01 09:05:07'],
    ['2030-06-01 09:05:07,5', '2030-06-01 09:05:07'],
    ['20300601T090507', '2030-06-01 09:05:07'],
    ['2028-02-29', '2028-02-29 00:00:00'],
    ['03/01/2027', '2027-03-01 00:00:00'],
    ['03/01/2027 9am', '2027-03-01 09:00:00'],
    ['3/1/2027 9:30 pm', '2027-03-01 21:30:00'],
    ['6/15/2030, 12:00:00 AM', '2030-06-15 00:00:00'],
    ['6/15/2030 12 P.M.', '2030-06-15 12:00:00'],
    ['2027/03/01', '2027-03-01 00:00:00'],
    ['01.03.2027 14:30', '2027-03-01 14:30:00'],
    ['1-3-2027', '2027-03-01 00:00:00'],
    ['1 March 2027 11am', '2027-03-01 11:00:00'],
    ['1st Mar. 2027', '2027-03-01 00:00:00'],
    ['15-Jun-2030', '2030-06-15 00:00:00'],
    ['March 1, 2027', '2027-03-01 00:00:00'],
    ['MARCH 2nd, 2027, 4:15pm', '2027-03-02 16:15:00'],
    ['Sept 3 2027 18:00', '2027-09-03 18:00:00'],
    ['9am 1 March 2027', '2027-03-01 09:00:00'],
    ['1 March 20:30', '2026-03-01 20:30:00'],
    ['June 2030', '2030-06-01 00:00:00'],
    ['Sat, 15 Jun 2030', '2030-06-15 00:00:00'],
    ['Tue, 15 Jun 2030 10:00', '2030-06-15 10:00:00'],
    ['0001-01-01', '0001-01-01 00:00:00'],
    ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('dates with a zone', () => {
  it.each([
    ['2030-06-01T09:00:00Z', 'instant 2030-06-01 09:00:00'],
    ['2030-06-01 09:00 z', 'instant 2030-06-01 09:00:00'],
    ['2027-03-01T09:00:00+02:00', 'instant 2027-03-01 07:00:00'],
    ['2027-03-01T09:00:00.25-0530', 'instant 2027-03-01 14:30:00'],
    ['2027-03-01 09:00 -05', 'instant 2027-03-01 14:00:00'],
    ['2027-03-01 09:00 GMT+2', 'instant 2027-03-01 07:00:00'],
    ['2027-03-01 09:00 Europe/Paris', 'instant 2027-03-01 08:00:00'],
    ['2027-07-01 09:00 europe/paris', 'instant 2027-07-01 07:00:00'],
    ['2027-07-01 09:00 America/Argentina/Buenos_Aires', 'instant 2027-07-01 12:00:00'],
    ['2027-07-01 9am EST', 'instant 2027-07-01 14:00:00'],
    ['2027-07-01 9am EDT', 'instant 2027-07-01 13:00:00'],
    ['2027-03-01 UTC', 'instant 2027-03-01 00:00:00'],
    ['Sat, 15 Jun 2030 10:00:00 +0200', 'instant 2030-06-15 08:00:00'],
    ['Sat Jun 15 2030 10:00:00 GMT+0200 (Central European Summer Time)', 'instant 2030-06-15 08:00:00'],
    ['tomorrow 9am Asia/Tokyo', 'instant 2026-11-22 00:00:00'],
    ['now UTC', 'instant 2026-11-21 05:20:30'],
    ['2027-03-01T19:00:00-05:00 +1 day', 'instant 2027-03-03 00:00:00'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('epoch seconds', () => {
  it.each([
    ['1893456000', 'epoch 2030-01-01 00:00:00'],
    ['@1893456000', 'epoch 2030-01-01 00:00:00'],
    ['@1893456000.75', 'epoch 2030-01-01 00:00:00'],
    ['2027', 'epoch 1970-01-01 00:33:47'],
    ['20270301', 'epoch 1970-08-23 14:38:21'],
    ['-1', 'epoch 1969-12-31 23:59:59'],
    ['253402300799', 'epoch 9999-12-31 23:59:59'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('relative words', () => {
  it.each([
    ['now', '2026-11-21 00:20:30'],
    ['NOW', '2026-11-21 00:20:30'],
    ['today', '2026-11-21 00:00:00'],
    ['midnight', '2026-11-21 00:00:00'],
    ['noon', '2026-11-21 12:00:00'],
    ['9am', '2026-11-21 09:00:00'],
    ['tomorrow', '2026-11-22 00:00:00'],
    ['tomorrow 9am', '2026-11-22 09:00:00'],
    ['9am tomorrow', '2026-11-22 09:00:00'],
    ['noon tomorrow', '2026-11-22 12:00:00'],
    ['yesterday 23:59', '2026-11-20 23:59:00'],
    ['next wednesday 4pm', '2026-11-25 16:00:00'],
    ['wed', '2026-11-25 00:00:00'],
    ['saturday', '2026-11-21 00:00:00'],
    ['this saturday', '2026-11-21 00:00:00'],
    ['next saturday', '2026-11-28 00:00:00'],
    ['last saturday', '2026-11-14 00:00:00'],
    ['last friday 20:00', '2026-11-20 20:00:00'],
    ['friday next week', '2026-11-27 00:00:00'],
    ['monday this week', '2026-11-16 00:00:00'],
    ['sunday this week', '2026-11-22 00:00:00'],
    ['+5 days', '2026-11-26 00:20:30'],
    ['+5 days 11am', '2026-11-26 11:00:00'],
    ['11am +5 days', '2026-11-26 11:00:00'],
    ['today +5 days', '2026-11-26 00:00:00'],
    ['-8 days', '2026-11-13 00:20:30'],
    ['+1 week 2 days', '2026-11-30 00:20:30'],
    ['- 2 weeks', '2026-11-07 00:20:30'],
    ['2 weeks 3 days ago', '2026-11-04 00:20:30'],
    ['1 fortnight', '2026-12-05 00:20:30'],
    ['+1 month', '2026-12-21 00:20:30'],
    ['1 year ago noon', '2025-11-21 12:00:00'],
    ['+90 min', '2026-11-21 01:50:30'],
    ['+1 hour 15 secs', '2026-11-21 01:20:45'],
    ['+1 weekday', '2026-11-23 00:20:30'],
    ['+5 weekdays', '2026-11-27 00:20:30'],
    ['-6 weekdays', '2026-11-13 00:20:30'],
    ['next week', '2026-11-28 00:20:30'],
    ['last month', '2026-10-21 00:20:30'],
    ['next year 9am', '2027-11-21 09:00:00'],
    ['first day of next month', '2026-12-01 00:20:30'],
    ['first day of next month midnight', '2026-12-01 00:00:00'],
    ['last day of this month 18:00', '2026-11-30 18:00:00'],
    ['last day of previous month 18:00', '2026-10-31 18:00:00'],
    ['last day of February 2028', '2028-02-29 00:00:00'],
    ['first day of June', '2026-06-01 00:00:00'],
    ['second friday of next month 8pm', '2026-12-11 20:00:00'],
    ['last monday of May 2027', '2027-05-31 00:00:00'],
    ['last friday of May 2027', '2027-05-28 00:00:00'],
    ['2030-06-01 +1 day', '2030-06-02 00:00:00'],
    ['2030-06-01 10:00 -1 week', '2030-05-25 10:00:00'],
    ['2030-01-31 +1 month', '2030-02-28 00:00:00'],
    ['2030-06-01 next wednesday', '2030-06-05 00:00:00'],
    ['15 June 2030 -2 weeks 9am', '2030-06-01 09:00:00'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    ['America/New_York', '2026-11-22 09:00:00'],
    ['America/Juneau', '2026-11-21 09:00:00'],
    ['Australia/Sydney', '2026-11-22 09:00:00'],
    ['UTC', '2026-11-22 09:00:00'],
    ['UTC-8', '2026-11-21 09:00:00'],
  ])('are read in the time zone %s', (zone, expected) => expect(read('tomorrow 9am', zone)).toBe(expected));

  it('hours are elapsed time in the zone, days are calendar days', () => {
    expect(read('2027-03-14 01:30 +1 hour')).toBe('2027-03-14 03:30:00');
    expect(read('2027-03-13 12:00 +24 hours')).toBe('2027-03-14 13:00:00');
    expect(read('2027-03-13 12:00 +1 day')).toBe('2027-03-14 12:00:00');
  });
});

describe('the last second of a period', () => {
  const ends = (text: string, zone: string) => {
    const expression = parseDate(text);
    return expression && resolveEndIn(expression, { zone, now: NOW });
  };

  it.each([
    ['goes on after clocks go back at its end', 'America/Santiago', '2026-04-04', 25, '2026-04-05 03:59:59'],
    ['goes on after clocks go back at its end', 'Africa/Cairo', '2026-10-29', 25, '2026-10-29 21:59:59'],
    ['goes on after clocks go back at its end', 'Asia/Beirut', '2026-10-24', 25, '2026-10-24 21:59:59'],
    ['comes after both midnights of a day', 'America/Havana', '2026-11-01', 25, '2026-11-02 04:59:59'],
    ['comes before the first of two midnights', 'America/Havana', '2026-10-31', 24, '2026-11-01 03:59:59'],
    ['comes before a midnight that is skipped', 'Asia/Beirut', '2026-03-28', 24, '2026-03-28 21:59:59'],
    ['ends a day that begins at one', 'Asia/Beirut', '2026-03-29', 23, '2026-03-29 20:59:59'],
    ['ends a day without an hour at two', 'Europe/Berlin', '2026-03-29', 23, '2026-03-29 21:59:59'],
    ['ends a day with two hours at two', 'Europe/Berlin', '2026-10-25', 25, '2026-10-25 22:59:59'],
    ['ends a day when clocks go half an hour back', 'Australia/Lord_Howe', '2026-04-05', 24.5, '2026-04-05 13:29:59'],
    ['ends any other day', 'America/New_York', '2026-06-01', 24, '2026-06-02 03:59:59'],
  ])('%s: %s, %s', (_what, zone, day, hours, last) => {
    expect(ends(day, zone)).toBe(last);
    const expression = parseDate(day);
    const first = (expression && resolveIn(expression, { zone, now: NOW })) ?? '';
    expect((secondsBetween(first, last) + 1) / 3600).toBe(hours);
  });

  it.each([
    ['today', '2026-11-22 04:59:59'],
    ['monday', '2026-11-24 04:59:59'],
    ['2026-11-21 +1 day', '2026-11-23 04:59:59'],
    ['2026-11-21 UTC', '2026-11-21 23:59:59'],
    ['2026-11-21 00:00', '2026-11-21 05:00:00'],
    ['2026-11-21 +1 hour', '2026-11-21 06:00:00'],
    ['2026-11-21T10:00:00Z', '2026-11-21 10:00:00'],
    ['now', '2026-11-21 05:20:30'],
    ['-2 days', '2026-11-19 05:20:30'],
    ['1795238430', '2026-11-21 05:20:30'],
    ['9999-12-31', '9999-12-31 23:59:59'],
  ])('of %s is %s', (text, last) => expect(ends(text, 'America/New_York')).toBe(last));

  it('does not exist for a date that does not exist', () => expect(ends('29 February', 'UTC')).toBeUndefined());
});

describe('the time of day in a text', () => {
  it.each([
    ['3pm', '15:00:00'],
    ['18:30:15', '18:30:15'],
    ['noon', '12:00:00'],
    ['2026-12-01 07:05', '07:05:00'],
    ['3pm UTC', undefined],
    ['teatime', undefined],
    ['', undefined],
  ])('%j is %s', (text, expected) => expect(parseTimeOfDay(text)).toBe(expected));
});

describe('text that is not a date', () => {
  it.each([
    [
      '',
      '   ',
      ',',
      '"2030-06-01"',
      '2030-06-01,',
      'soon',
      'tomorrow at some point',
      'true',
      '[]',
      'null',
      'march',
      'ago',
    ],
    ['2030-02-30', '2027-02-29', '2030-13-01', '2030-00-10', '2030-01-00', '31 April 2030', '31/12/2030', '0000-01-01'],
    ['2030-06-01 25:00', '2030-06-01 24:00:00', '2030-06-01 10:60', '2030-06-01 10:00:60', '13pm', '0am', '22:00 pm'],
    [
      '2030-06-01 2030-06-02',
      '10:00 11:00',
      'noon 9am',
      'monday tuesday',
      '2030-06-01 10:00 UTC UTC',
      '2030-06-0110:00',
    ],
    [
      '2030-06-01 10:00 Mars/Base',
      '2030-06-01 10:00 +15:00',
      '2030-06-01 10:00 +02:75',
      'UTC',
      '+02:00',
      'Europe/Paris',
    ],
    ['0', '-0', '00', '@0', '@0.5', '1970-01-01', '1970-01-01 00:00:00', '1970-01-01T02:00:00+02:00', '@', '-', '@x'],
    ['253402300800', '9'.repeat(40), '9999-12-31 +1 day', '0001-01-01 -1 sec', '+99999 years', '+999999999 weeks'],
    ['10000-01-01', '203-01-01', '2030-06-01 (note)', '1e9', '12.5', '+5', 'fifth monday of february 2027', '\u0000'],
    [`2030-06-01${' '.repeat(91)}`, '१२', '２０３０-06-01'],
  ])('%s and others', (...texts) => {
    expect(texts.filter((text) => read(text) !== 'none')).toEqual([]);
  });
});

const localTimes = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map(toUtc)
  .filter((local) => local !== '1970-01-01 00:00:00');

const words = fc.constantFrom(
  ...[
    '2030-06-01',
    '09:30',
    '9am',
    'tomorrow',
    'next',
    'last',
    'first',
    'day',
    'of',
    'month',
    'wednesday',
    'june',
    '31',
  ],
  ...['+1', '-999999999', 'weeks', 'weekdays', 'ago', 'UTC', 'EST', '+02:00', 'T', ',', '-', '(x)', '@', '0', '2030'],
);

describe('any text', () => {
  it('is read as it was written', () => {
    const formats: ((date: Date, local: string) => string)[] = [
      (_, local) => local,
      (_, local) => local.replace(' ', 'T'),
      (_, local) => local.replaceAll('-', '/'),
      (_, local) => local.replace(/^(\d+)-(\d+)-(\d+)/, '$2/$3/$1'),
      (_, local) => local.replace(/^(\d+)-(\d+)-(\d+)/, '$3.$2.$1'),
      (date) => date.toUTCString().replace(' GMT', ''),
      (_, local) => `${local} +0 days`,
    ];
    fc.assert(
      fc.property(localTimes, fc.constantFrom(...formats), (local, format) => {
        expect(read(format(fromUtc(local), local))).toBe(local);
      }),
    );
  });

  it('reads instants back', () => {
    fc.assert(
      fc.property(localTimes, (local) => {
        const date = fromUtc(local);
        expect(read(date.toISOString())).toBe(`instant ${local}`);
        expect(read(date.toUTCString())).toBe(`instant ${local}`);
        expect(read(String(date.getTime() / 1000))).toBe(`epoch ${local}`);
      }),
    );
  });

  it('never throws, and gives a local time or nothing', () => {
    const sentences = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '));
    const texts = fc.oneof(unicodeString({ maxLength: 120 }), fc.string({ maxLength: 30 }), sentences);
    fc.assert(
      fc.property(texts, (text) => {
        const result = read(text);
        if (result !== 'none') expect(result.replace(/^(instant|epoch) /, '')).toMatch(LOCAL_TIME);
      }),
      { numRuns: 2000 },
    );
  });
});
