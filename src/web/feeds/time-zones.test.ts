import { describe, expect, it } from 'vitest';
import { type Component, icalWriter } from './ical-writer.ts';
import { timeZone, writableZone } from './time-zones.ts';

/** Kind, start, offsets and name of each part of a time zone. */
const partsOf = async (component: Component): Promise<string[]> => {
  const writer = await icalWriter();
  return component[2].map((part) => {
    const value = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(writer.component(part))?.[1]?.trim();
    return [part[0], value('DTSTART'), value('TZOFFSETFROM'), value('TZOFFSETTO'), value('TZNAME')].join(' ');
  });
};

describe('the rules of a time zone', () => {
  it.each([
    [
      'Europe/Berlin',
      [2027],
      [
        'standard 20270101T000000 +0100 +0100 CET',
        'daylight 20270328T020000 +0100 +0200 CEST',
        'standard 20271031T030000 +0200 +0100 CET',
      ],
    ],
    [
      'Australia/Lord_Howe',
      [2027],
      [
        'daylight 20270101T000000 +1100 +1100 +11',
        'standard 20270404T020000 +1100 +1030 +1030',
        'daylight 20271003T020000 +1030 +1100 +11',
      ],
    ],
    ['Asia/Kathmandu', [2026, 2027], ['standard 20260101T000000 +0545 +0545 +0545']],
    [
      'America/Sao_Paulo',
      [2027, 2040],
      ['standard 20270101T000000 -0300 -0300 -03', 'standard 20400101T000000 -0300 -0300 -03'],
    ],
    [
      'Asia/Tokyo',
      [9999, 1800],
      ['standard 18000101T000000 +0918 +0918 +0918', 'standard 99990101T000000 +0900 +0900 JST'],
    ],
  ])('of %s are those for exactly the years %j', async (id, years, parts) => {
    expect(await partsOf(timeZone(id, years))).toEqual(parts);
  });
});

describe('a local time', () => {
  it.each([
    ['of a zone of the tz database', '2027-03-06 19:00:00', 'europe/berlin', '2027-03-06 18:00:00', 'Europe/Berlin'],
    ['of a plain offset', '2027-03-06 19:00:00', 'UTC+5:30', '2027-03-06 13:30:00', undefined],
    ['of an abbreviation', '2027-03-06 19:00:00', 'CEST', '2027-03-06 17:00:00', undefined],
    ['in UTC', '2027-03-06 19:00:00', 'UTC', '2027-03-06 19:00:00', undefined],
    ['that is shown twice, the first', '2027-10-31 02:30:00', 'Europe/Berlin', '2027-10-31 00:30:00', undefined],
    ['that is shown twice, the second', '2027-10-31 02:30:00', 'Europe/Berlin', '2027-10-31 01:30:00', undefined],
    ['after that', '2027-10-31 03:00:00', 'Europe/Berlin', '2027-10-31 02:00:00', 'Europe/Berlin'],
    ['of which the rules have changed', '2027-03-06 19:00:00', 'Europe/Berlin', '2027-03-06 17:00:00', undefined],
    ['with an offset in seconds', '1850-03-06 19:00:00', 'Europe/Berlin', '1850-03-06 18:06:32', undefined],
  ])('%s is written in its zone only where that names the instant', (_what, local, zone, utc, expected) => {
    expect(writableZone(local, zone, utc)).toBe(expected);
  });
});
