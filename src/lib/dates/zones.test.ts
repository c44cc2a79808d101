import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { addSeconds, secondsBetween, toUtc } from './local-time.ts';
import { clockChanges, isOnlyInstant, isoWithOffset, isZone, localToUtc, utcToLocal } from './zones.ts';
import { zoneAbbreviation } from './zones-abbreviations.ts';

describe('isZone', () => {
  it.each([
    [
      'Europe/Paris',
      'europe/paris',
      'AMERICA/NEW_YORK',
      'America/Argentina/Buenos_Aires',
      'Asia/Calcutta',
      'Etc/GMT+5',
    ],
    ['EST', 'edt', 'CET', 'PST', 'JST', 'AEST', 'UTC', 'utc', 'GMT', 'Etc/UTC', 'EST5EDT', 'Japan', 'Etc/Greenwich'],
    ['+02:00', '-0530', '+14', '-14:00', '+00:00'],
    ['UTC+2', 'UTC-3', 'UTC+0', 'utc+5:30', 'UTC+05:45', 'UTC+5.5', 'UTC-9.5', 'UTC+12.75', 'UTC+14'],
  ])('accepts %s and others', (...texts) => {
    expect(texts.filter((text) => !isZone(text))).toEqual([]);
  });

  it.each([
    [
      '',
      ' ',
      ' UTC',
      'UTC ',
      'Z',
      'Mars/Base',
      'Europe/Pariss',
      'null',
      'true',
      '0',
      'constructor',
      '__proto__',
      'IST',
    ],
    [
      'UTC+99',
      'UTC+15',
      'UTC-14.5',
      'UTC+14:01',
      'UTC+',
      'UTC+5:60',
      'UTC+5:3',
      'UTC+5.555',
      'UTC 2',
      'GMT+2',
      'UTC+5:30:00',
    ],
    ['+15:00', '+2', '+02:60', '+02:00:00', '+14:30', '02:00', '−02:00', 'Europe/Paris\n', 'x'.repeat(100_000)],
  ])('rejects %j and others', (...texts) => {
    expect(texts.filter(isZone)).toEqual([]);
  });

  it('never throws', () => {
    fc.assert(fc.property(unicodeString(), (text) => typeof isZone(text) === 'boolean'));
  });
});

describe('local time to UTC', () => {
  it.each([
    ['America/New_York', '2027-03-01 09:00:00', '2027-03-01 14:00:00'],
    ['America/New_York', '2027-07-01 09:00:00', '2027-07-01 13:00:00'],
    ['Europe/Paris', '2027-01-15 12:00:00', '2027-01-15 11:00:00'],
    ['Europe/Paris', '2027-07-15 12:00:00', '2027-07-15 10:00:00'],
    ['Asia/Tokyo', '2027-03-01 09:00:00', '2027-03-01 00:00:00'],
    ['Asia/Kathmandu', '2027-03-01 09:00:00', '2027-03-01 03:15:00'],
    ['Australia/Sydney', '2027-01-15 12:00:00', '2027-01-15 01:00:00'],
    ['Australia/Sydney', '2027-07-15 12:00:00', '2027-07-15 02:00:00'],
    ['Australia/Lord_Howe', '2027-01-15 12:00:00', '2027-01-15 01:00:00'],
    ['Australia/Lord_Howe', '2027-07-15 12:00:00', '2027-07-15 01:30:00'],
    ['America/Sao_Paulo', '2027-03-01 09:00:00', '2027-03-01 12:00:00'],
    ['UTC', '2027-03-01 09:00:00', '2027-03-01 09:00:00'],
    ['UTC+5:30', '2027-03-01 09:00:00', '2027-03-01 03:30:00'],
    ['UTC+5.5', '2027-03-01 09:00:00', '2027-03-01 03:30:00'],
    ['UTC-3', '2027-03-01 09:00:00', '2027-03-01 12:00:00'],
    ['UTC-9.5', '2027-03-01 09:00:00', '2027-03-01 18:30:00'],
    ['+02:00', '2027-03-01 09:00:00', '2027-03-01 07:00:00'],
    ['EST', '2027-07-01 09:00:00', '2027-07-01 14:00:00'],
    ['EDT', '2027-01-01 09:00:00', '2027-01-01 13:00:00'],
    ['Pacific/Kiritimati', '2027-01-01 00:00:00', '2026-12-31 10:00:00'],
  ])('%s %s', (zone, local, utc) => {
    expect(localToUtc(local, zone)).toEqual({ local, utc });
    expect(utcToLocal(utc, zone)).toBe(local);
  });

  it.each([
    ['America/New_York', '2027-03-14 02:00:00', '2027-03-14 03:00:00', '2027-03-14 07:00:00'],
    ['America/New_York', '2027-03-14 02:30:00', '2027-03-14 03:30:00', '2027-03-14 07:30:00'],
    ['Europe/Paris', '2027-03-28 02:59:59', '2027-03-28 03:59:59', '2027-03-28 01:59:59'],
    ['Australia/Sydney', '2026-10-04 02:15:00', '2026-10-04 03:15:00', '2026-10-03 16:15:00'],
    ['Australia/Lord_Howe', '2026-10-04 02:10:00', '2026-10-04 02:40:00', '2026-10-03 15:40:00'],
    ['Pacific/Apia', '2011-12-30 12:00:00', '2011-12-31 12:00:00', '2011-12-30 22:00:00'],
  ])('a skipped time moves forward: %s %s', (zone, local, moved, utc) => {
    expect(localToUtc(local, zone)).toEqual({ local: moved, utc });
  });

  it.each([
    ['America/New_York', '2027-11-07 01:30:00', '2027-11-07 05:30:00'],
    ['Europe/Paris', '2027-10-31 02:00:00', '2027-10-31 00:00:00'],
    ['Australia/Sydney', '2027-04-04 02:59:59', '2027-04-03 15:59:59'],
    ['Australia/Lord_Howe', '2027-04-04 01:45:00', '2027-04-03 14:45:00'],
  ])('a repeated time is the first: %s %s', (zone, local, utc) => {
    expect(localToUtc(local, zone)).toEqual({ local, utc });
  });

  it('changes at the exact second', () => {
    expect(utcToLocal('2027-03-14 06:59:59', 'America/New_York')).toBe('2027-03-14 01:59:59');
    expect(utcToLocal('2027-03-14 07:00:00', 'America/New_York')).toBe('2027-03-14 03:00:00');
    expect(utcToLocal('2027-11-07 05:59:59', 'America/New_York')).toBe('2027-11-07 01:59:59');
    expect(utcToLocal('2027-11-07 06:00:00', 'America/New_York')).toBe('2027-11-07 01:00:00');
  });

  it('clamps to the years 1 to 9999, and refuses an unknown zone', () => {
    expect(localToUtc('9999-12-31 23:59:59', 'America/New_York').utc).toBe('9999-12-31 23:59:59');
    expect(localToUtc('0001-01-01 00:00:00', 'Asia/Tokyo').utc).toBe('0001-01-01 00:00:00');
    expect(() => localToUtc('2027-01-01 00:00:00', 'Mars/Base')).toThrow(RangeError);
  });
});

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC+5:30', '-09:30', 'EST', 'CET', 'PDT', 'utc');
const times = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true })
  .map(toUtc);

describe('any zone', () => {
  it('converts to UTC and back', () => {
    fc.assert(
      fc.property(zones, times, (zone, time) => {
        const { local, utc } = localToUtc(time, zone);
        expect(utcToLocal(utc, zone)).toBe(local);
        expect(secondsBetween(time, local)).toBeGreaterThanOrEqual(0);
        // A moved time is stable, and an existing time does not move.
        expect(localToUtc(local, zone)).toEqual({ local, utc });
        expect(localToUtc(utcToLocal(time, zone), zone).local).toBe(utcToLocal(time, zone));
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with Temporal around changes of the clock', () => {
    fc.assert(
      fc.property(zones, times, fc.integer({ min: -9000, max: 9000 }), (zone, time, shift) => {
        fc.pre(zone.includes('/'));
        const near = Temporal.Instant.from(`${time.replace(' ', 'T')}Z`).toZonedDateTimeISO(zone);
        const change = near.getTimeZoneTransition('next') ?? near;
        const local = addSeconds(change.toPlainDateTime().toString().slice(0, 19).replace('T', ' '), shift);
        const expected = Temporal.PlainDateTime.from(local.replace(' ', 'T')).toZonedDateTime(zone);
        expect(localToUtc(local, zone).utc).toBe(toUtc(new Date(expected.epochMilliseconds)));
      }),
      { numRuns: 500 },
    );
  });

  it('has an abbreviation', () => {
    fc.assert(
      fc.property(zones, times, (zone, time) => {
        expect(zoneAbbreviation(time, zone)).toMatch(/^([A-Z][A-Za-z]{2,4}|[+-]\d\d(\d\d)?|UTC\+5:30|-09:30)$/);
      }),
    );
  });
});

describe('abbreviations', () => {
  const winter = '2027-01-15 12:00:00';
  const summer = '2027-07-15 12:00:00';

  // From the tz database: zdump of release 2025b.
  it.each([
    ['America/New_York', 'EST', 'EDT'],
    ['America/Chicago', 'CST', 'CDT'],
    ['America/Denver', 'MST', 'MDT'],
    ['America/Phoenix', 'MST', 'MST'],
    ['America/Los_Angeles', 'PST', 'PDT'],
    ['America/Anchorage', 'AKST', 'AKDT'],
    ['Pacific/Honolulu', 'HST', 'HST'],
    ['America/Halifax', 'AST', 'ADT'],
    ['America/Puerto_Rico', 'AST', 'AST'],
    ['America/St_Johns', 'NST', 'NDT'],
    ['America/Mexico_City', 'CST', 'CST'],
    ['America/Havana', 'CST', 'CDT'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['America/Argentina/Buenos_Aires', '-03', '-03'],
    ['America/Bogota', '-05', '-05'],
    ['Atlantic/Reykjavik', 'GMT', 'GMT'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Jersey', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['Europe/Lisbon', 'WET', 'WEST'],
    ['Europe/Paris', 'CET', 'CEST'],
    ['Europe/Zurich', 'CET', 'CEST'],
    ['Europe/Athens', 'EET', 'EEST'],
    ['Europe/Kyiv', 'EET', 'EEST'],
    ['Europe/Moscow', 'MSK', 'MSK'],
    ['Europe/Minsk', '+03', '+03'],
    ['Europe/Istanbul', '+03', '+03'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['Africa/Maputo', 'CAT', 'CAT'],
    ['Africa/Windhoek', 'CAT', 'CAT'],
    ['Africa/Nairobi', 'EAT', 'EAT'],
    ['Africa/Lagos', 'WAT', 'WAT'],
    ['Africa/Accra', 'GMT', 'GMT'],
    ['Africa/Cairo', 'EET', 'EEST'],
    ['Asia/Jerusalem', 'IST', 'IDT'],
    ['Asia/Dubai', '+04', '+04'],
    ['Asia/Kabul', '+0430', '+0430'],
    ['Asia/Karachi', 'PKT', 'PKT'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Colombo', '+0530', '+0530'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['Asia/Bangkok', '+07', '+07'],
    ['Asia/Jakarta', 'WIB', 'WIB'],
    ['Asia/Singapore', '+08', '+08'],
    ['Asia/Hong_Kong', 'HKT', 'HKT'],
    ['Asia/Shanghai', 'CST', 'CST'],
    ['Asia/Manila', 'PST', 'PST'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Seoul', 'KST', 'KST'],
    ['Australia/Perth', 'AWST', 'AWST'],
    ['Australia/Darwin', 'ACST', 'ACST'],
    ['Australia/Adelaide', 'ACDT', 'ACST'],
    ['Australia/Brisbane', 'AEST', 'AEST'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Australia/Lord_Howe', '+11', '+1030'],
    ['Pacific/Auckland', 'NZDT', 'NZST'],
    ['Pacific/Chatham', '+1345', '+1245'],
    ['EST', 'EST', 'EST'],
    ['edt', 'EDT', 'EDT'],
    ['CET', 'CET', 'CEST'],
    ['utc', 'UTC', 'UTC'],
    ['Etc/UTC', 'UTC', 'UTC'],
    ['GMT', 'GMT', 'GMT'],
    ['Etc/GMT+5', '-05', '-05'],
    ['UTC+5:30', 'UTC+5:30', 'UTC+5:30'],
    ['UTC+0', 'UTC+0', 'UTC+0'],
    ['+02:00', '+02:00', '+02:00'],
  ])('%s', (zone, january, july) => {
    expect([zoneAbbreviation(winter, zone), zoneAbbreviation(summer, zone)]).toEqual([january, july]);
  });
});

describe('ISO 8601 with an offset', () => {
  it.each([
    ['2027-03-06 23:30:00', 'America/New_York', '2027-03-06T18:30:00-05:00'],
    ['2027-07-06 23:30:00', 'America/New_York', '2027-07-06T19:30:00-04:00'],
    ['2027-03-06 23:30:00', 'Asia/Kathmandu', '2027-03-07T05:15:00+05:45'],
    ['2027-03-06 23:30:00', 'America/St_Johns', '2027-03-06T20:00:00-03:30'],
    ['2027-03-06 23:30:00', 'UTC', '2027-03-06T23:30:00+00:00'],
    ['2027-03-06 23:30:00', 'UTC-9.5', '2027-03-06T14:00:00-09:30'],
  ])('%s in %s', (utc, zone, expected) => expect(isoWithOffset(utc, zone)).toBe(expected));
});

describe('clock changes', () => {
  it.each([
    ['Europe/Berlin', '2027-01-01 00:00:00', '2027-12-31 00:00:00', ['2027-03-28 01:00:00', '2027-10-31 01:00:00']],
    ['Europe/Berlin', '2027-03-28 01:00:00', '2027-10-31 01:00:00', ['2027-10-31 01:00:00']],
    ['Europe/Berlin', '2027-03-28 00:59:59', '2027-10-31 00:59:59', ['2027-03-28 01:00:00']],
    ['Asia/Kathmandu', '2027-01-01 00:00:00', '2030-01-01 00:00:00', []],
    ['+05:30', '2027-01-01 00:00:00', '2030-01-01 00:00:00', []],
  ])('of %s from %s until %s are at %j', (zone, from, until, expected) => {
    const changes = clockChanges(zone, from, until);
    expect(changes.map(({ at }) => at)).toEqual(expected);
    for (const { at, before, after } of changes) {
      expect([isoWithOffset(addSeconds(at, -1), zone), isoWithOffset(at, zone)]).toEqual(
        [[-1000, before] as const, [0, after] as const].map(([shift, offset]) => {
          const hours = offset / 3_600_000;
          const local = addSeconds(at, (shift + offset) / 1000).replace(' ', 'T');
          return `${local}+0${hours}:00`;
        }),
      );
    }
  });
});

describe('a local time that names', () => {
  it.each([
    ['one instant', '2027-10-31 03:00:00', '2027-10-31 02:00:00', true],
    ['two instants, the first', '2027-10-31 02:30:00', '2027-10-31 00:30:00', false],
    ['two instants, the second', '2027-10-31 02:30:00', '2027-10-31 01:30:00', false],
    ['none', '2027-03-28 02:30:00', '2027-03-28 01:30:00', false],
    ['another instant', '2027-03-06 19:00:00', '2027-03-06 19:00:00', false],
  ])('%s', (_what, local, utc, expected) => {
    expect(isOnlyInstant(local, 'Europe/Berlin', utc)).toBe(expected);
  });
});
