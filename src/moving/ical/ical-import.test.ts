import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findIncompleteRecords } from '../../db/integrity.ts';
import { fileImportCommands } from '../../server/cli/import-files.ts';

const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const entry = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'];

const command = fileImportCommands.find(({ name }) => name === 'import ical');

describe.each(DATABASES)('an import of iCalendar on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });
  const run = async (text: string | Buffer, ...args: string[]) => {
    const file = join(await temporaryFolder('ical'), 'calendar.ics');
    await writeFile(file, text);
    return runCommand(command, server().context, [file, ...args]);
  };
  const rows = (like: string) =>
    server()
      .context.db.query.selectFrom('events')
      .selectAll()
      .where('title', 'like', `${like}%`)
      .orderBy('utc_start_date')
      .orderBy('id')
      .execute();
  const read = async (id: number | undefined) =>
    (await server().ask(`GET /events/${id}`, { as: 'administrator' })).body;

  it('reads texts, venues, organizers, categories and links', async () => {
    const { status, errors, out } = await run(
      calendar(
        ...entry(
          'UID:texts@example.org',
          'SUMMARY:Tea \\, cake & <b>more</b>',
          'DESCRIPTION:One\\nline\\n\\nTwo [see_below] <script>alert(1)</scr',
          ' ipt>',
          'DTSTART:20270301T180000Z',
          'DTEND:20270301T200000Z',
          'LOCATION:Old Mill\\, 3 River Lane\\, Nordhafen',
          'GEO:54.5;9.25',
          'ORGANIZER;CN="Anna; the Miller":mailto:anna@mill.example',
          'CATEGORIES:Music,Food\\, drink',
          'URL:https://mill.example/tea',
          'CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/tea',
        ),
        ...entry('UID:second@example.org', 'SUMMARY:Tea again', 'DTSTART:20270302T180000Z', 'LOCATION:old mill'),
      ),
    );
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    expect(out).toContain('created: 1 venue, 1 organizer, 2 category, 2 event');
    const [tea, again] = await rows('Tea');
    const event = await read(tea?.id);
    expect(event).toMatchObject({
      ...{ title: 'Tea , cake & more', status: 'publish', website: 'https://mill.example/tea' },
      ...{ start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00', timezone: 'Europe/Berlin' },
      ...{ attendance_mode: 'mixed', online_url: 'https://meet.example/tea' },
      venue: { venue: 'Old Mill', address: '3 River Lane, Nordhafen', geo_lat: 54.5 },
      organizer: [{ organizer: 'Anna; the Miller', email: 'anna@mill.example' }],
    });
    expect(event.description).toContain('<p>One<br');
    expect(event.description).toContain('[see_below]');
    expect(event.description).not.toContain('<script');
    expect(event.categories.map(({ name }: { name: string }) => name)).toEqual(['Food, drink', 'Music']);
    expect((await read(again?.id)).venue.id).toBe(event.venue.id);
    expect(await findIncompleteRecords(server().context.db)).toEqual([]);
  });

  it.each([
    ['a zone', 'DTSTART;TZID=America/New_York:20270301T190000', 'America/New_York', '2027-03-02 00:00:00'],
    [
      'a name of Windows',
      'DTSTART;TZID="W. Europe Standard Time":20270701T190000',
      'Europe/Berlin',
      '2027-07-01 17:00:00',
    ],
    [
      'a path',
      'DTSTART;TZID=/mozilla.org/20050126_1/Europe/Paris:20270701T190000',
      'Europe/Paris',
      '2027-07-01 17:00:00',
    ],
    ['UTC', 'DTSTART:20270701T190000Z', 'Europe/Berlin', '2027-07-01 19:00:00'],
    ['floating time', 'DTSTART:20270701T190000', 'Europe/Berlin', '2027-07-01 17:00:00'],
    ['rules of their own', 'DTSTART;TZID=Our Zone:20270701T190000', 'America/New_York', '2027-07-01 23:00:00'],
    ['an unknown zone', 'DTSTART;TZID=Nowhere:20270701T190000', 'Europe/Berlin', '2027-07-01 17:00:00'],
    ['rules of no zone', 'DTSTART;TZID=Odd:20270701T190000', 'Europe/Berlin', '2027-07-01 18:37:00'],
  ])('reads times with %s', async (name, start, zone, utc) => {
    const zones = [
      ...['BEGIN:VTIMEZONE', 'TZID:Our Zone', 'BEGIN:STANDARD', 'DTSTART:16011104T020000', 'TZOFFSETFROM:-0400'],
      ...['TZOFFSETTO:-0500', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
      ...['DTSTART:16010311T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', 'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3'],
      ...['END:DAYLIGHT', 'END:VTIMEZONE', 'BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
      ...['TZOFFSETFROM:+0023', 'TZOFFSETTO:+0023', 'END:STANDARD', 'END:VTIMEZONE'],
    ];
    const title = `Zone of ${name}`;
    await run(calendar(...zones, ...entry(`UID:${name}`, `SUMMARY:${title}`, start, 'DURATION:PT1H30M')));
    const [event] = await rows(title);
    expect(event).toMatchObject({ timezone: zone, utc_start_date: utc });
    expect(Date.parse(`${event?.utc_end_date}Z`) - Date.parse(`${event?.utc_start_date}Z`)).toBe(5_400_000);
  });

  it.each([
    ['one day', ['DTSTART;VALUE=DATE:20270301'], '2027-03-01', '2027-03-01'],
    ['an end', ['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270304'], '2027-03-01', '2027-03-03'],
    ['a duration', ['DTSTART;VALUE=DATE:20270301', 'DURATION:P1W'], '2027-03-01', '2027-03-07'],
    ['an early end', ['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270201'], '2027-03-01', '2027-03-01'],
  ])('reads whole days with %s', async (name, lines, first, last) => {
    await run(calendar(...entry(`UID:days ${name}`, `SUMMARY:Days with ${name}`, ...lines)));
    expect((await rows(`Days with ${name}`))[0]).toMatchObject({
      ...{ all_day: 1, start_date: `${first} 00:00:00`, end_date: `${last} 23:59:59` },
    });
  });

  it('changes the same event again, and keeps changes that were made here', async () => {
    const version = (title: string, hour: string, sequence: number) =>
      calendar(
        ...entry(
          'UID:same@example.org',
          `SEQUENCE:${sequence}`,
          `SUMMARY:${title}`,
          `DTSTART:20270401T${hour}0000Z`,
          'DURATION:PT1H',
        ),
      );
    await run(version('Versions', '18', 1));
    const again = await run(version('Versions', '18', 1));
    expect(again.out).toEqual(['same: 1 event']);
    const [event] = await rows('Versions');
    await run(version('Versions two', '19', 2));
    expect(await rows('Versions')).toMatchObject([
      { id: event?.id, title: 'Versions two', utc_start_date: '2027-04-01 19:00:00' },
    ]);

    const older = await run(version('Versions one', '17', 1));
    expect(older.out.join('\n')).toContain('is older than the version that was imported');
    expect(await rows('Versions')).toMatchObject([{ title: 'Versions two' }]);

    await server().ask(`PATCH /events/${event?.id}`, { as: 'editor', body: { title: 'Versions of ours' } });
    const planned = await run(version('Versions three', '20', 3), '--dry-run');
    expect(planned.out[0]).toMatch(/^change +event +line 4 {2}Versions three +start_date, end_date$/);
    expect(await rows('Versions')).toMatchObject([{ utc_start_date: '2027-04-01 19:00:00' }]);
    const third = await run(version('Versions three', '20', 3));
    expect(third.out.join('\n')).toContain('line 4 was changed here since; these fields stay as they are');
    expect(await rows('Versions')).toMatchObject([
      { title: 'Versions of ours', utc_start_date: '2027-04-01 20:00:00' },
    ]);
    await run(version('Versions three', '20', 3), '--theirs');
    expect(await rows('Versions')).toMatchObject([{ title: 'Versions three' }]);
  });

  const SERIES = [
    ...['UID:pottery@example.org', 'SUMMARY:Pottery', 'DTSTART;TZID=Europe/Berlin:20270301T190000'],
    ...[
      'DTEND;TZID=Europe/Berlin:20270301T210000',
      'RRULE:FREQ=WEEKLY;COUNT=5',
      'EXDATE;TZID=Europe/Berlin:20270308T190000',
    ],
  ];
  const CHANGED = entry(
    ...['UID:pottery@example.org', 'RECURRENCE-ID;TZID=Europe/Berlin:20270315T190000', 'SUMMARY:Pottery for two'],
    ...['DTSTART;TZID=Europe/Berlin:20270316T200000', 'DTEND;TZID=Europe/Berlin:20270316T220000'],
  );
  const CANCELLED = entry(
    ...['UID:pottery@example.org', 'RECURRENCE-ID:20270322T180000Z', 'SUMMARY:Pottery', 'STATUS:CANCELLED'],
    ...['DTSTART;TZID=Europe/Berlin:20270322T190000', 'DTEND;TZID=Europe/Berlin:20270322T210000'],
  );

  it('makes a series of a rule, with changed and cancelled dates', async () => {
    const whole = calendar(...entry(...SERIES), ...CHANGED, ...CANCELLED);
    expect((await run(whole)).errors).toEqual([]);
    const events = await rows('Pottery');
    expect(events.map(({ start_date, title, event_status }) => [start_date, title, event_status])).toEqual([
      ['2027-03-01 19:00:00', 'Pottery', 'scheduled'],
      ['2027-03-16 20:00:00', 'Pottery for two', 'scheduled'],
      ['2027-03-22 19:00:00', 'Pottery', 'cancelled'],
      ['2027-03-29 19:00:00', 'Pottery', 'scheduled'],
    ]);
    expect(new Set(events.map(({ series_id }) => series_id)).size).toBe(1);
    expect(events[0]?.series_id).not.toBeNull();
    const again = await run(whole);
    expect(again.out).toEqual(['same: 1 series, 2 event']);

    // A later hour, another title and one more date: changed dates keep what is theirs.
    const later = SERIES.map((line) =>
      line
        .replace('SUMMARY:Pottery', 'SUMMARY:Pottery and tea')
        .replace('COUNT=5', 'COUNT=6')
        .replace('0301T190000', '0301T193000')
        .replace('0301T210000', '0301T213000')
        .replace('0308T190000', '0308T193000'),
    );
    const changed = await run(calendar(...entry(...later), ...CHANGED, ...CANCELLED));
    expect(changed.out).toEqual(['changed: 1 series', 'same: 2 event']);
    const after = await rows('Pottery');
    expect(after.map(({ start_date, title }) => [start_date, title])).toEqual([
      ['2027-03-01 19:30:00', 'Pottery and tea'],
      ['2027-03-16 20:00:00', 'Pottery for two'],
      ['2027-03-22 19:30:00', 'Pottery and tea'],
      ['2027-03-29 19:30:00', 'Pottery and tea'],
      ['2027-04-05 19:30:00', 'Pottery and tea'],
    ]);
    expect(await findIncompleteRecords(server().context.db)).toEqual([]);
  });

  it('begins a series on its first date that takes place', async () => {
    await run(
      calendar(
        ...entry(
          ...['UID:late@example.org', 'SUMMARY:Late start', 'DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=DAILY;COUNT=4'],
          ...['EXDATE;VALUE=DATE:20270601', 'RDATE;VALUE=DATE:20270610'],
        ),
      ),
    );
    const events = await rows('Late start');
    expect(events.map(({ start_date }) => start_date.slice(0, 10))).toEqual([
      ...['2027-06-02', '2027-06-03', '2027-06-04', '2027-06-10'],
    ]);
  });

  it('makes single events of dates that no series can have', async () => {
    const { out } = await run(
      calendar(
        ...entry(
          ...['UID:two@example.org', 'SUMMARY:Two rules', 'DTSTART:20270601T180000Z', 'DURATION:PT1H'],
          ...['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=3'],
        ),
        ...entry('UID:hourly@example.org', 'SUMMARY:Hourly', 'DTSTART:20270601T180000Z', 'RRULE:FREQ=SECONDLY'),
        ...entry(
          'UID:never@example.org',
          'SUMMARY:Leap',
          'DTSTART:20270228T180000Z',
          'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
        ),
        ...entry(
          ...['UID:other@example.org', 'SUMMARY:Other hour', 'DTSTART;TZID=Europe/Berlin:20270601T180000'],
          ...['DURATION:PT1H', 'RDATE;TZID=Europe/Berlin:20270602T180000,20270603T100000'],
        ),
      ),
    );
    const starts = async (title: string) => (await rows(title)).map(({ start_date }) => start_date);
    expect(await starts('Two rules')).toEqual([
      ...['2027-06-01 20:00:00', '2027-06-02 20:00:00', '2027-06-08 20:00:00', '2027-06-15 20:00:00'],
    ]);
    expect(await starts('Hourly')).toEqual(['2027-06-01 20:00:00']);
    expect(await starts('Leap')).toEqual(['2027-02-28 19:00:00']);
    expect(await starts('Other hour')).toEqual([
      ...['2027-06-01 18:00:00', '2027-06-02 18:00:00', '2027-06-03 10:00:00'],
    ]);
    expect(out.join('\n')).toContain(
      'repeats by a rule that series do not support; its first date was imported: FREQ=SECONDLY',
    );
  });

  it('follows an endless rule for two years', async () => {
    await run(
      calendar(
        ...entry('UID:endless@example.org', 'SUMMARY:Endless', 'DTSTART:20270104T180000Z', 'RRULE:FREQ=MONTHLY'),
      ),
    );
    const events = await rows('Endless');
    expect([events.length, events.at(-1)?.start_date.slice(0, 7)]).toEqual([23, '2028-11']);
  });

  it('names broken lines and entries, and imports the rest', async () => {
    const { out, status } = await run(
      calendar(
        ...entry('UID:ok@example.org', 'SUMMARY:Sound', 'DTSTART:20270701T180000Z', 'this is no line', 'X;A="open:b'),
        ...entry('UID:bad@example.org', 'SUMMARY:Bad', 'DTSTART:20271399T180000Z'),
        ...entry('UID:none@example.org', 'SUMMARY:Without start'),
        ...entry('SUMMARY:Without a UID', 'DTSTART:20270702T180000Z', 'DTEND:20270702T170000Z'),
        ...entry('UID:nothing@example.org', 'DTSTART:20270703T180000Z'),
      ),
    );
    expect(status).toBe(0);
    expect(out.toSorted()).toEqual(
      [
        'To check:',
        '  line 9 cannot be read, and was left out: this is no line',
        '  line 10 cannot be read, and was left out: X;A="open:b',
        '  line 12 has no start that can be read; not imported: 20271399T180000Z',
        '  line 18 has no start that can be read; not imported',
        '  line 23 ends before it starts; it now ends when it starts: 2027-07-02 19:00:00',
        '  line 23 has no UID: if its title or start changes, it is imported as a new event',
        '  line 29 has no title',
        'cannot: 2 event',
        'created: 3 event',
      ].toSorted(),
    );
  });

  it('takes the newest version of an entry, and leaves out those of this site', async () => {
    const { make, request } = server();
    const own = await make('POST /events', {
      title: 'Our own',
      start_date: '2027-08-01 19:00',
      end_date: '2027-08-01 21:00',
    });
    const feed = await (await request(`/event/${own.slug}/?ical=1`)).text();
    const before = await rows('Our own');
    expect((await run(feed)).out.join('\n')).toContain('is an event of this site; left out');
    expect(await rows('Our own')).toEqual(before);
    await run(
      calendar(
        ...entry('UID:newest', 'SEQUENCE:3', 'SUMMARY:Newest three', 'DTSTART:20270801T180000Z'),
        ...entry('UID:newest', 'SEQUENCE:1', 'SUMMARY:Newest one', 'DTSTART:20270801T180000Z'),
      ),
    );
    expect(await rows('Newest')).toMatchObject([{ title: 'Newest three' }]);
  });

  it('refuses files that are not calendars, and reads other encodings', async () => {
    const page = await run('<!doctype html><title>Sign in</title>');
    expect([page.status, page.errors]).toEqual([
      ...[1, ['This is not a calendar: it does not begin with BEGIN:VCALENDAR.']],
    ]);
    const missing = await runCommand(command, server().context, ['/nowhere/calendar.ics']);
    expect(missing.errors).toEqual(['The file "/nowhere/calendar.ics" cannot be read.']);
    const text = calendar(...entry('UID:latin', 'SUMMARY:Café in Latin', 'DTSTART:20270901T180000Z'));
    await run(Buffer.from(text, 'latin1'));
    await run(Buffer.from(`\uFEFF${text.replace('UID:latin', 'UID:wide').replace('Latin', 'UTF-16')}`, 'utf16le'));
    expect((await rows('Café')).map(({ title }) => title)).toEqual(['Café in Latin', 'Café in UTF-16']);
  });

  it('writes nothing for a plan', async () => {
    const counts = async () => {
      const { query } = server().context.db;
      const tables = [
        'events',
        'linked_posts',
        'terms',
        'imports',
        'import_links',
        'import_keys',
        'import_findings',
      ] as const;
      return Promise.all(
        tables.map(
          async (table) =>
            (
              await query
                .selectFrom(table)
                .select((eb) => eb.fn.countAll().as('n'))
                .execute()
            )[0]?.n,
        ),
      );
    };
    const before = await counts();
    const { out } = await run(
      calendar(
        ...entry(
          'UID:planned',
          'SUMMARY:Planned',
          'DTSTART:20270901T180000Z',
          'LOCATION:Planned hall',
          'CATEGORIES:Planned',
        ),
      ),
      '--dry-run',
    );
    expect(out.slice(-2)).toEqual(['created: 1 venue, 1 category, 1 event', 'Nothing was written.']);
    expect(await counts()).toEqual(before);
  });
});
