import { afterEach, describe, expect, it, vi } from 'vitest';
import { localToUtc } from '../../lib/dates/dates.ts';
import { readCalendarRecords } from './calendar-records.ts';

const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const entry = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'];

describe('rules of zones in a calendar', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const read = async (lines: readonly string[]) => {
    const options = { siteZone: 'Europe/Berlin', status: 'publish', categories: [], calendarId: 'here' };
    return (await readCalendarRecords(calendar(...lines), { ...options, now: new Date('2026-11-28T12:00:00Z') }))
      .records;
  };
  const rule = (name: string, start: string, to: string, ...more: string[]) => [
    ...[`BEGIN:${name}`, `DTSTART:${start}`, 'TZOFFSETFROM:+0000', `TZOFFSETTO:${to}`, ...more, `END:${name}`],
  ];
  const zone = (name: string, ...rules: string[][]) => [
    ...['BEGIN:VTIMEZONE', `TZID:${name}`, ...rules.flat(), 'END:VTIMEZONE'],
  ];
  const OCTOBER = 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10';
  const MARCH = 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3';
  /** Two hours east of UTC with daylight saving until 2016, then three hours. */
  const MOVED = zone(
    'Moved',
    rule('STANDARD', '20091025T040000', '+0200', `${OCTOBER};UNTIL=20151108T000000Z`),
    rule('DAYLIGHT', '20100328T030000', '+0300', `${MARCH};UNTIL=20160327T000000Z`),
    rule('STANDARD', '20160907T000000', '+0300'),
  );
  /** Daylight saving ends with its last rule, and no other observance follows. */
  const ENDED = zone(
    'Ended',
    rule('STANDARD', '20031026T040000', '+0200', `${OCTOBER};UNTIL=20141026T010000Z`),
    rule('DAYLIGHT', '20040328T030000', '+0300', `${MARCH};UNTIL=20140330T010000Z`),
  );
  const NEW_YORK = zone(
    'Ours',
    rule('STANDARD', '16011104T020000', '-0500', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11'),
    rule('DAYLIGHT', '16010311T020000', '-0400', 'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3'),
  );
  const at = (name: string, day: string, ...more: string[]) =>
    entry(`UID:${name} ${day}`, 'SUMMARY:Hours', `DTSTART;TZID=${name}:${day}T190000`, ...more);

  const HOURS: [name: string, day: string, utc: string][] = [
    ['Moved', '20120115', '2012-01-15T17:00:00Z'],
    ['Moved', '20120715', '2012-07-15T16:00:00Z'],
    ['Moved', '20160115', '2016-01-15T17:00:00Z'],
    ['Moved', '20161215', '2016-12-15T16:00:00Z'],
    ['Moved', '20270115', '2027-01-15T16:00:00Z'],
    ['Moved', '20270715', '2027-07-15T16:00:00Z'],
    ['Ended', '20120115', '2012-01-15T17:00:00Z'],
    ['Ended', '20120715', '2012-07-15T16:00:00Z'],
    ['Ended', '20270115', '2027-01-15T17:00:00Z'],
    ['Ended', '20270715', '2027-07-15T17:00:00Z'],
    // Programs that know only the rules of today write them for all years: in 2005, clocks changed in April.
    ['Ours', '20050320', '2005-03-21T00:00:00Z'],
    ['Ours', '20270715', '2027-07-15T23:00:00Z'],
  ];

  it.each([
    ['in order', HOURS],
    ['the last year first', HOURS.toReversed()],
  ])('give the hours of the year of each entry, %s', async (_order, rows) => {
    const records = await read([...MOVED, ...ENDED, ...NEW_YORK, ...rows.flatMap(([name, day]) => at(name, day))]);
    expect(records.map(({ key, fields }) => `${key} ${fields.start_date}`)).toEqual(
      rows.map(([name, day, utc]) => `${name} ${day} ${utc}`),
    );
  });

  const SERIES = at(
    ...['Moved', '20180112', 'DTEND;TZID=Moved:20180112T210000', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=12'],
    'EXDATE;TZID=Moved:20180712T190000,20200112T190000,20261212T190000',
    'EXDATE;TZID=Moved:20270112T190000,20280712T190000',
  );
  const BEGUN_BEFORE = SERIES.map((line) => line.replaceAll('20180112', '20150112'));
  const OVERRIDE = entry(
    ...['UID:Moved 20180112', 'SUMMARY:Later', 'RECURRENCE-ID;TZID=Moved:20270212T190000'],
    'DTSTART;TZID=Moved:20270213T200000',
  );

  it.each([
    ['since the change', SERIES],
    ['since before it', BEGUN_BEFORE],
  ])('leave out removed dates of all years of a series %s', async (_name, series) => {
    // An entry of another year is read first.
    const records = await read([...MOVED, ...at('Moved', '20120115'), ...series]);
    const record = records[1];
    expect(record?.recurrence?.exdates).toEqual([
      ...['2018-07-12', '2020-01-12', '2026-12-12', '2027-01-12', '2028-07-12'],
    ]);
    expect(localToUtc('2027-02-12 19:00:00', String(record?.fields.timezone)).utc).toBe('2027-02-12 16:00:00');
  });

  it('match a changed date to its series', async () => {
    const within = { key: 'Moved 20180112', day: '2027-02-12' };
    const key = 'Moved 20180112\n2027-02-12 16:00:00';
    const whole = await read([...MOVED, ...at('Moved', '20120115'), ...OVERRIDE, ...SERIES]);
    expect(whole.slice(1)).toMatchObject([
      { key: 'Moved 20180112' },
      { key, within, fields: { start_date: '2027-02-13T17:00:00Z' } },
    ]);
    // A calendar may have only the changed date.
    expect((await read([...MOVED, ...at('Moved', '20120115'), ...OVERRIDE]))[1]).toMatchObject({ key, within });
  });

  it('match a changed date to the single events of a rule', async () => {
    const twice = SERIES.toSpliced(-1, 0, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=14');
    const dates = async (...lines: string[]) => {
      const records = await read([...MOVED, ...at('Moved', '20120115'), ...twice, ...lines]);
      return records.map(({ key }) => key).toSorted();
    };
    const keys = await dates();
    expect(keys).toContain('Moved 20180112\n2027-02-12 16:00:00');
    expect(await dates(...OVERRIDE)).toEqual(keys);
  });

  /** Rules that no zone has, which must all be asked for every year. */
  const hostile = (name: string, count: number) =>
    zone(
      name,
      ...Array.from({ length: count }, (_, index) => {
        const two = (number: number) => String(number).padStart(2, '0');
        const month = 1 + (index % 12);
        const start = `1601${two(month)}01T${two(index % 24)}${two(index % 60)}00`;
        return rule('STANDARD', start, '+0023', `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${1 + (index % 4)}SU`);
      }),
    );
  const years = (count: number) => Array.from({ length: count }, (_, index) => `${2027 + index}0601`);
  const removed = (count: number) => years(count).map((day) => `EXDATE;TZID=Odd:${day}T190000`);

  it.each([
    ['50 removed years', [...hostile('Odd', 500), ...at('Odd', '20270601', 'RRULE:FREQ=YEARLY', ...removed(50))]],
    ['500 removed years', [...hostile('Odd', 500), ...at('Odd', '20270601', 'RRULE:FREQ=YEARLY', ...removed(500))]],
    ['entries in 500 years', [...hostile('Odd', 500), ...years(500).flatMap((day) => at('Odd', day))]],
    [
      '60 zones',
      Array.from({ length: 60 }, (_, index) => [
        ...hostile(`Odd${index}`, 200 + index),
        ...at(`Odd${index}`, '20270601'),
      ]).flat(),
    ],
  ])('cost little work with %s', async (_name, lines) => {
    // An onset of a yearly rule asks for one weekday: 50 years of a zone have two times 500 at most.
    const weekdays = vi.spyOn(Date.prototype, 'getUTCDay');
    await read(lines);
    expect(weekdays.mock.calls.length).toBeLessThan(52_000);
  });

  it('are those of the first use of each zone, also past the limit of years', async () => {
    const other = NEW_YORK.map((line) => line.replace('Ours', 'Theirs').replace('020000', '020100'));
    const records = await read([
      ...NEW_YORK,
      ...other,
      ...years(60).flatMap((day) => at('Ours', day)),
      ...at('Theirs', '20270601'),
    ]);
    expect(records.at(-1)).toMatchObject({
      fields: { timezone: 'America/New_York', start_date: '2027-06-01T23:00:00Z' },
      findings: [],
    });
  });

  it('are those of the last year of a series that has ended', async () => {
    const series = at(
      ...['Moved', '20121205', 'DTEND;TZID=Moved:20121205T210000', 'RRULE:FREQ=WEEKLY;UNTIL=20121226T170000Z'],
    );
    const records = await read([...MOVED, ...series]);
    expect(records[0]?.fields).toMatchObject({ start_date: '2012-12-05T17:00:00Z' });
  });

  it('end at a time in UTC, which may be the day before', async () => {
    const sydney = zone(
      'Harbour',
      rule('DAYLIGHT', '20011028T020000', '+1100', `${OCTOBER};UNTIL=20071027T160000Z`),
      rule('STANDARD', '20020331T030000', '+1000', `${MARCH};UNTIL=20070324T160000Z`),
    ).map((line, index) => (line.startsWith('TZOFFSETFROM') ? `TZOFFSETFROM:${index < 8 ? '+1000' : '+1100'}` : line));
    const [record] = await read([...sydney, ...at('Harbour', '20071210')]);
    expect(record?.fields.start_date).toBe('2007-12-10T08:00:00Z');
  });

  it('are named once for an entry, of whose values so many are read', async () => {
    const [record] = await read([
      ...hostile('Odd', 3),
      ...at('Odd', '20270601', 'RRULE:FREQ=YEARLY', `EXDATE;TZID=Odd:${Array(5001).fill('20280601T190000').join(',')}`),
    ]);
    expect(record?.findings).toEqual([
      { code: 'zone-unknown', detail: 'Odd' },
      { code: 'rule-cut', detail: '5000' },
    ]);
  });

  it('are read of 500 zones in all calendars of a file', async () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        zone(`Other${index}`, rule('STANDARD', `${1700 + index}0101T000000`, '+0023')),
      );
    const last = async (count: number) =>
      (
        await read([
          ...others(count).flat(),
          'END:VCALENDAR',
          'BEGIN:VCALENDAR',
          ...NEW_YORK,
          ...at('Ours', '20270601'),
        ])
      ).at(-1);
    expect(await last(499)).toMatchObject({ fields: { timezone: 'America/New_York' }, findings: [] });
    expect(await last(500)).toMatchObject({
      fields: { timezone: 'Europe/Berlin' },
      findings: [{ code: 'zone-unknown', detail: 'Ours' }],
    });
  });

  it('are those of the nearest year past the limit of years', async () => {
    const days = years(200);
    const records = await read([...NEW_YORK, ...days.flatMap((day) => at('Ours', day))]);
    expect(records.map(({ fields }) => `${fields.timezone} ${fields.start_date}`)).toEqual(
      days.map((day) => `America/New_York ${day.slice(0, 4)}-06-01T23:00:00Z`),
    );
  });

  it('are read without stopping other work for longer than one entry takes', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const before = turns;
    await read(years(40).flatMap((day) => at('Europe/Berlin', day)));
    clearImmediate(next);
    expect(turns - before).toBeGreaterThanOrEqual(40);
  });
});
