import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withDates } from '../../../test/dates.ts';
import { addSeconds, localToUtc, secondsBetween, utcToLocal } from '../../lib/dates/dates.ts';
import { type EventTimes, eventTimes, type TimesInput } from './times.ts';

const NEW_YORK = { siteZone: 'America/New_York', now: new Date('2026-11-21T17:00:00Z') };

type Sent = Omit<TimesInput, 'start_date' | 'end_date'> & { start_date?: string; end_date?: string };

const resolve = (sent: Sent, current?: EventTimes) =>
  eventTimes(withDates(sent, ['start_date', 'end_date']), current, NEW_YORK);

function timesOf(sent: Sent, current?: EventTimes): EventTimes {
  const times = resolve(sent, current);
  if (times === 'ends-early') throw new Error('ends early');
  return times;
}

type Row = [start: string, end: string, zone: string | undefined, local: string, utc: string, abbreviation: string];

/** Start, end and zone as sent; local time and UTC as stored, without the seconds; abbreviation. */
const NEW: Row[] = [
  [
    '2027-03-01 09:00:00',
    '2027-03-01 11:00:00',
    undefined,
    '03-01 09:00 03-01 11:00',
    '03-01 14:00 03-01 16:00',
    'EST',
  ],
  [
    '2027-03-01T09:00:00+02:00',
    '2027-03-01T11:00:00Z',
    undefined,
    '03-01 02:00 03-01 06:00',
    '03-01 07:00 03-01 11:00',
    'EST',
  ],
  [
    '2027-03-01T09:00:00Z',
    '2027-03-01T11:00:00Z',
    'Asia/Tokyo',
    '03-01 18:00 03-01 20:00',
    '03-01 09:00 03-01 11:00',
    'JST',
  ],
  ['2027-03-01', '2027-03-02', undefined, '03-01 00:00 03-02 00:00', '03-01 05:00 03-02 05:00', 'EST'],
  ['1803891600', '1803898800', undefined, '03-01 09:00 03-01 11:00', '03-01 14:00 03-01 16:00', 'EST'],
  ['@1803891600', '@1803898800', 'Asia/Tokyo', '03-01 09:00 03-01 11:00', '03-01 00:00 03-01 02:00', 'JST'],
  ['03/01/2027 9am', '1 March 2027 11am', undefined, '03-01 09:00 03-01 11:00', '03-01 14:00 03-01 16:00', 'EST'],
  ['2027-03-01 09:00', '2027-03-01 11:00', 'Asia/Tokyo', '03-01 09:00 03-01 11:00', '03-01 00:00 03-01 02:00', 'JST'],
  [
    '2027-03-01 09:00',
    '2027-03-01 11:00',
    'UTC+5:30',
    '03-01 09:00 03-01 11:00',
    '03-01 03:30 03-01 05:30',
    'UTC+5:30',
  ],
  ['2027-03-01 09:00', '2027-03-01 11:00', 'UTC-3', '03-01 09:00 03-01 11:00', '03-01 12:00 03-01 14:00', 'UTC-3'],
  ['2027-03-01 09:00', '2027-03-01 11:00', 'UTC-5.5', '03-01 09:00 03-01 11:00', '03-01 14:30 03-01 16:30', 'UTC-5.5'],
  [
    '2027-03-01 09:00',
    '2027-03-01 11:00',
    'America/Sao_Paulo',
    '03-01 09:00 03-01 11:00',
    '03-01 12:00 03-01 14:00',
    '-03',
  ],
  ['2027-03-01 09:00', '2027-03-01 11:00', 'EST', '03-01 09:00 03-01 11:00', '03-01 14:00 03-01 16:00', 'EST'],
  // Clocks skip 02:00 to 03:00, and show 01:00 to 02:00 twice.
  ['2027-03-14 02:30', '2027-03-14 04:00', undefined, '03-14 03:30 03-14 04:00', '03-14 07:30 03-14 08:00', 'EDT'],
  ['2027-11-07 01:30', '2027-11-07 03:00', undefined, '11-07 01:30 11-07 03:00', '11-07 05:30 11-07 08:00', 'EDT'],
  [
    '2027-11-07T01:30-05:00',
    '2027-11-07T07:00Z',
    undefined,
    '11-07 01:30 11-07 02:00',
    '11-07 06:30 11-07 07:00',
    'EST',
  ],
  ['2027-11-07T05:30Z', '2027-11-07T06:15Z', undefined, '11-07 01:30 11-07 01:15', '11-07 05:30 11-07 06:15', 'EDT'],
  ['2027-03-02 10:00', '2027-03-02 10:00', undefined, '03-02 10:00 03-02 10:00', '03-02 15:00 03-02 15:00', 'EST'],
];

/** On a day on which clocks are set forward: start and end as sent, as stored, and their UTC. */
const GAPS: [zone: string, day: string, sent: string, local: string, utc: string][] = [
  // From 02:00 to 03:00.
  ['America/New_York', '2027-03-14', '02:30 03:30', '03:30 04:30', '07:30 08:30'],
  ['America/New_York', '2027-03-14', '02:30 03:10', '03:30 04:10', '07:30 08:10'],
  ['America/New_York', '2027-03-14', '02:00 03:00', '03:00 04:00', '07:00 08:00'],
  ['America/New_York', '2027-03-14', '02:30 02:45', '03:30 03:45', '07:30 07:45'],
  ['America/New_York', '2027-03-14', '02:30 02:30', '03:30 03:30', '07:30 07:30'],
  ['America/New_York', '2027-03-14', '02:30 03:31', '03:30 03:31', '07:30 07:31'],
  ['America/New_York', '2027-03-14', '01:30 02:30', '01:30 03:30', '06:30 07:30'],
  ['Europe/Berlin', '2027-03-28', '02:15 03:15', '03:15 04:15', '01:15 02:15'],
  // By half an hour.
  ['Australia/Lord_Howe', '2027-10-03', '02:10 02:40', '02:40 03:10', '15:40 16:10'],
  ['Australia/Lord_Howe', '2027-10-03', '02:10 03:10', '02:40 03:10', '15:40 16:10'],
  // At midnight.
  ['America/Santiago', '2026-09-06', '00:30 01:30', '01:30 02:30', '04:30 05:30'],
  ['Asia/Beirut', '2027-03-28', '00:00 01:00', '01:00 02:00', '22:00 23:00'],
  ['Africa/Cairo', '2027-04-30', '00:15 00:45', '01:15 01:45', '22:15 22:45'],
];

const WHOLE_DAYS: [start: string, end: string, local: string, utc: string][] = [
  ['2027-03-01 09:00', '2027-03-01 11:00', '03-01 00:00 03-01 23:59', '03-01 05:00 03-02 04:59'],
  ['2027-03-01 00:00:00', '2027-03-01 23:59:59', '03-01 00:00 03-01 23:59', '03-01 05:00 03-02 04:59'],
  ['2027-03-01 09:00', '2027-03-05 11:00', '03-01 00:00 03-05 23:59', '03-01 05:00 03-06 04:59'],
  ['2027-03-13', '2027-03-14', '03-13 00:00 03-14 23:59', '03-13 05:00 03-15 03:59'],
  // The end is earlier in the day than the start, which is irrelevant for all-day events.
  ['2027-03-01 11:00', '2027-03-01 09:00', '03-01 00:00 03-01 23:59', '03-01 05:00 03-02 04:59'],
  // 03:00 UTC is still the previous day.
  ['2027-03-02T03:00Z', '2027-03-03T03:00Z', '03-01 00:00 03-02 23:59', '03-01 05:00 03-03 04:59'],
];

const short = (start: string, end: string) => `${start.slice(5, 16)} ${end.slice(5, 16)}`;

describe('times of a new event', () => {
  it.each(NEW)('%s to %s in %s', (start_date, end_date, timezone, local, utc, abbreviation) => {
    const times = timesOf({ start_date, end_date, timezone });
    expect(short(times.start_date, times.end_date)).toBe(local);
    expect(short(times.utc_start_date, times.utc_end_date)).toBe(utc);
    expect(times).toMatchObject({
      all_day: 0,
      timezone: timezone ?? 'America/New_York',
      timezone_abbr: abbreviation,
    });
  });

  it.each(WHOLE_DAYS)('all day: %s to %s', (start_date, end_date, local, utc) => {
    const times = timesOf({ start_date, end_date, all_day: true });
    expect(short(times.start_date, times.end_date)).toBe(local);
    expect(short(times.utc_start_date, times.utc_end_date)).toBe(utc);
    expect([times.all_day, times.start_date.slice(16), times.end_date.slice(16)]).toEqual([1, ':00', ':59']);
  });

  it.each([
    ['Australia/Sydney', '2026-11-23 09:00:00', '2026-11-22 22:00:00'],
    ['America/Juneau', '2026-11-22 09:00:00', '2026-11-22 18:00:00'],
    ['Atlantic/Reykjavik', '2026-11-22 09:00:00', '2026-11-22 09:00:00'],
  ])('`tomorrow 9am` is tomorrow in %s', (timezone, local, utc) => {
    const times = timesOf({ start_date: 'tomorrow 9am', end_date: 'tomorrow 1pm', timezone });
    expect([times.start_date, times.utc_start_date]).toEqual([local, utc]);
  });

  it.each(GAPS)('in %s on %s from %s are from %s', (timezone, day, sent, local, utc) => {
    const [start_date, end_date] = sent.split(' ').map((time) => `${day} ${time}`);
    const times = timesOf({ start_date: start_date ?? '', end_date: end_date ?? '', timezone });
    const clock = (...both: string[]) => both.map((time) => time.slice(11, 16)).join(' ');
    expect(clock(times.start_date, times.end_date)).toBe(local);
    expect(clock(times.utc_start_date, times.utc_end_date)).toBe(utc);
    expect([times.start_date.slice(0, 10), times.end_date.slice(0, 10)]).toEqual([day, day]);
  });

  it.each(['America/Santiago 2026-09-06', 'Asia/Beirut 2027-03-28', 'Africa/Cairo 2027-04-30'])(
    'of a whole day without a midnight, %s, are that day',
    (place) => {
      const [timezone, day = ''] = place.split(' ');
      const times = timesOf({ start_date: day, end_date: day, timezone, all_day: true });
      expect([times.start_date, times.end_date]).toEqual([`${day} 01:00:00`, `${day} 23:59:59`]);
    },
  );

  it.each([
    ['2027-03-14 02:30', '2027-03-14 01:30', undefined],
    // The end is an instant, half an hour before the start.
    ['2027-03-14 02:30', '2027-03-14T07:00Z', undefined],
    ['2027-03-02 10:00', '2027-03-01 10:00', undefined],
    ['2027-03-02 10:00:01', '2027-03-02 10:00:00', undefined],
    ['2027-03-02T10:00Z', '2027-03-02T10:00+01:00', undefined],
    ['2027-03-02', '2027-03-01', true],
  ])('%s to %s ends early', (start_date, end_date, all_day) => {
    expect(resolve({ start_date, end_date, all_day })).toBe('ends-early');
  });
});

describe('times after an update', () => {
  const stored = timesOf({ start_date: '2027-03-01 09:00', end_date: '2027-03-01 11:00', timezone: 'Asia/Tokyo' });

  it('are unchanged when nothing is sent', () => {
    expect(timesOf({}, stored)).toEqual(stored);
  });

  it('keep the local time when the zone changes', () => {
    expect(timesOf({ timezone: 'Europe/Paris' }, stored)).toEqual({
      ...stored,
      timezone: 'Europe/Paris',
      timezone_abbr: 'CET',
      utc_start_date: '2027-03-01 08:00:00',
      utc_end_date: '2027-03-01 10:00:00',
    });
    expect(timesOf({ timezone: null }, stored)).toMatchObject({ timezone: 'America/New_York', timezone_abbr: 'EST' });
  });

  it('accept a single date, in the stored zone', () => {
    expect(timesOf({ end_date: '2027-03-01 12:00' }, stored)).toEqual({
      ...stored,
      end_date: '2027-03-01 12:00:00',
      utc_end_date: '2027-03-01 03:00:00',
    });
    expect(resolve({ start_date: '2027-03-01 12:00' }, stored)).toBe('ends-early');
    expect(resolve({ end_date: '2027-03-01 08:00' }, stored)).toBe('ends-early');
  });

  it('become all-day and stay so until changed', () => {
    const whole = timesOf({ all_day: true }, stored);
    expect(whole).toMatchObject({ all_day: 1, start_date: '2027-03-01 00:00:00', end_date: '2027-03-01 23:59:59' });
    expect(timesOf({ end_date: '2027-03-03 10:00' }, whole)).toMatchObject({ end_date: '2027-03-03 23:59:59' });
    for (const all_day of [false, null])
      expect(timesOf({ all_day }, whole)).toMatchObject({ all_day: 0, end_date: '2027-03-01 23:59:59' });
  });

  it('move the stored end with a start in a gap that reaches it', () => {
    const short = timesOf({ start_date: '2027-03-14 01:00', end_date: '2027-03-14 03:30' });
    const moved = timesOf({ start_date: '2027-03-14 02:30' }, short);
    expect([moved.start_date, moved.end_date]).toEqual(['2027-03-14 03:30:00', '2027-03-14 04:30:00']);
    expect([moved.utc_start_date, moved.utc_end_date]).toEqual(['2027-03-14 07:30:00', '2027-03-14 08:30:00']);
    // Its start, which was moved, is a time of its own afterwards.
    expect(timesOf({ end_date: '2027-03-14 03:45' }, moved)).toMatchObject({
      start_date: '2027-03-14 03:30:00',
      end_date: '2027-03-14 03:45:00',
    });
    expect(timesOf({ start_date: '2027-03-14 02:30' }, moved)).toMatchObject({ end_date: '2027-03-14 04:30:00' });
  });

  it('move out of a gap of a new zone', () => {
    const kept = timesOf({ start_date: '2027-03-14 02:30', end_date: '2027-03-14 03:00', timezone: 'Europe/Paris' });
    const moved = timesOf({ timezone: 'America/New_York' }, kept);
    expect([moved.start_date, moved.end_date]).toEqual(['2027-03-14 03:30:00', '2027-03-14 04:00:00']);
  });

  it('keep the instant of a repeated hour', () => {
    const second = timesOf({ start_date: '2027-11-07T06:30Z', end_date: '2027-11-07 03:00' });
    expect(timesOf({ end_date: '2027-11-07 04:00' }, second)).toMatchObject({
      start_date: '2027-11-07 01:30:00',
      utc_start_date: '2027-11-07 06:30:00',
      timezone_abbr: 'EST',
    });
  });
});

describe('times of any event', () => {
  const zones = fc.constantFrom(
    ...[
      'America/New_York',
      'Europe/Paris',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Australia/Lord_Howe',
      'UTC+5:45',
    ],
  );
  const moments = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}Z`);

  it('show the sent instants in local time of the zone', () => {
    fc.assert(
      fc.property(moments, moments, zones, (one, other, timezone) => {
        const [start_date = '', end_date = ''] = [one, other].sort();
        const times = timesOf({ start_date, end_date, timezone });
        expect(times.utc_start_date).toBe(start_date.slice(0, 19).replace('T', ' '));
        expect(times.utc_end_date).toBe(end_date.slice(0, 19).replace('T', ' '));
        expect(utcToLocal(times.utc_start_date, timezone)).toBe(times.start_date);
        expect(utcToLocal(times.utc_end_date, timezone)).toBe(times.end_date);
      }),
    );
  });

  it('keep the duration or the local end, and end after the start, around a change of the clock', () => {
    const gaps = fc.constantFrom(...GAPS);
    const minutes = fc.integer({ min: 0, max: 240 });
    fc.assert(
      fc.property(gaps, minutes, minutes, ([timezone, day], from, length) => {
        const start_date = addSeconds(`${day} 00:00:00`, from * 60);
        const end_date = addSeconds(start_date, length * 60);
        const times = timesOf({ start_date, end_date, timezone });
        const isMoved = secondsBetween(times.utc_start_date, times.utc_end_date) === length * 60;
        expect(isMoved || times.end_date === localToUtc(end_date, timezone).local).toBe(true);
        expect(times.end_date > times.start_date || length === 0).toBe(true);
      }),
    );
  });

  it('are the same after they are written again as they were stored', () => {
    fc.assert(
      fc.property(moments, zones, fc.boolean(), (moment, timezone, all_day) => {
        const local = moment.slice(0, 19).replace('T', ' ');
        const stored = timesOf({ start_date: local, end_date: local, timezone, all_day });
        const { start_date, end_date } = stored;
        expect(timesOf({ start_date, end_date }, stored)).toEqual(stored);
        expect(stored.utc_start_date <= stored.utc_end_date).toBe(true);
      }),
    );
  });
});
