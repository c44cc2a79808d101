import ICAL from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { chanceOf } from '../bench/random.ts';
import { addSeconds } from '../src/lib/dates/dates.ts';
import { pythonReader, type Read } from './python-icalendar.ts';
import { type Answer, useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';

/** Times of random events: other programs read from the calendar what the interface says. */

const EVENTS = 200;

/** Both hemispheres, odd offsets, changes of half an hour and of two hours, in Ramadan, at midnight; and none. */
const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Chatham'],
  ...['Asia/Kathmandu', 'Africa/Casablanca', 'Antarctica/Troll', 'America/Santiago', 'Asia/Beirut', 'Asia/Tokyo'],
  ...['Pacific/Apia', 'UTC', 'UTC+5:30', '-03:30'],
];

/** Changes of clocks, ends of years, a leap day, and times far from now. */
const DAYS = [
  ...['2027-03-14', '2027-03-28', '2027-04-03', '2027-04-04', '2027-09-04', '2027-09-25', '2027-10-03', '2027-10-30'],
  ...['2027-10-31', '2027-11-07', '2026-12-31', '2027-12-31', '2028-02-28', '2027-02-08', '2027-03-21', '2011-12-29'],
  ...['1994-06-01', '2035-07-01'],
];

interface Listed {
  id: number;
  all_day: boolean;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
}

/** Expected entries of a calendar. */
const expected = (events: readonly Listed[]): Read =>
  Object.fromEntries(
    events.map((event) => {
      const isPoint = event.utc_start_date === event.utc_end_date;
      const timed = [event.utc_start_date, isPoint ? null : event.utc_end_date] as const;
      const dated = [event.start_date.slice(0, 10), addSeconds(event.end_date, 1).slice(0, 10)] as const;
      return [String(event.id), [...(event.all_day ? dated : timed)]];
    }),
  );

const idOf = (uid: string): string => uid.split('@')[0] ?? '';

/** The same, as ical.js reads it, by the rules of zones that the calendar itself has. */
function readByIcal(text: string): Read {
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const shown = (time: ICAL.Time | null) => {
    if (!time) return null;
    if (time.isDate) return time.toString();
    return new Date(time.toUnixTime() * 1000).toISOString().slice(0, 19).replace('T', ' ');
  };
  return Object.fromEntries(
    calendar.getAllSubcomponents('vevent').map((entry) => {
      const time = (name: string) => shown(entry.getFirstPropertyValue(name) as ICAL.Time | null);
      return [idOf(String(entry.getFirstPropertyValue('uid'))), [time('dtstart') ?? '', time('dtend')]];
    }),
  );
}

/** The zones under unknown names: the rules that a program has of its own may be older or newer. */
const underOtherNames = (text: string): string => text.replaceAll(/\bTZID([=:])/g, 'TZID$1Own/');

describe.each(usualDatabases)('the times of random events on %s', (kind) => {
  const server = useTestServer(kind);
  const events: Listed[] = [];
  let calendar: Answer;

  beforeAll(async () => {
    const chance = chanceOf(Number(process.env.TEST_SEED ?? 20_261_122));
    for (let made = 0; made < EVENTS; made += 1) {
      const minutes = chance.below(4 * 24 * 60) - 24 * 60;
      const start = addSeconds(`${chance.pick(DAYS)} 00:00:00`, chance.pick([1, 30 * 60, 60]) * minutes);
      const length = chance.pick([0, 3600, 5400, 86_400, 3 * 86_400, 40 * 86_400, 200 * 86_400]);
      await server().make('POST /events', {
        title: `Event ${made}`,
        timezone: ZONES[made % ZONES.length],
        start_date: start,
        end_date: addSeconds(start, length),
        all_day: chance.is(0.15),
        slug: `event-${made}`,
      });
    }
    // Instants in the hours that clocks show twice.
    for (const [zone, instant] of [
      ['Europe/Berlin', '2027-10-31T00:30:00Z'],
      ['Europe/Berlin', '2027-10-31T01:30:00Z'],
      ['Australia/Lord_Howe', '2027-04-03T14:45:00Z'],
      ['Australia/Lord_Howe', '2027-04-03T15:15:00Z'],
      ['America/Santiago', '2027-04-04T03:30:00Z'],
    ] as const) {
      await server().make('POST /events', { title: zone, timezone: zone, start_date: instant, end_date: instant });
    }
    const query = { start_date: '1900-01-01', per_page: 100 };
    calendar = await server().ask('GET /events.ics', { query });
    for (const page of [1, 2, 3])
      events.push(...(await server().ask('GET /events', { query: { ...query, page } })).body.events);
  });

  it('are the same instants and days for ical.js, by the rules in the calendar', () => {
    expect(events.length).toBeGreaterThan(EVENTS);
    expect(readByIcal(calendar.text)).toEqual(expected(events));
  });

  it('are the same instants and days for python3-icalendar, by the same rules', async () => {
    const read = await pythonReader();
    if (!read) console.warn('python3-icalendar is not installed (apt-get install python3-icalendar): not asked.');
    const text = underOtherNames(calendar.text);
    expect((await read?.(text)) ?? readByIcal(text)).toEqual(expected(events));
  });
});
