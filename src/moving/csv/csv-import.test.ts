import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findIncompleteRecords } from '../../db/integrity.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { fileImportCommands } from '../../server/cli/import-files.ts';
import { findBookErrors } from '../../ticketing/books/check-books.ts';

const command = fileImportCommands.find(({ name }) => name === 'import csv');

/** Headings of the importer of the original. */
const EVENTS =
  'Event Name,Event Description,Event Excerpt,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,Event Currency Symbol,Event Currency Position,Event Category,Event Tags,Event Website,Event Featured Image,Event Allow Comments,Event Allow Trackbacks and Pingbacks';

describe.each(DATABASES)('an import of CSV on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });
  const run = async (text: string | Buffer, table: string, ...args: string[]) => {
    const file = join(await temporaryFolder('csv'), 'table.csv');
    await writeFile(file, text);
    const { status, errors, out } = await runCommand(command, server().context, [file, '--kind', table, ...args]);
    return { status, errors, out, columns: out.filter((line) => / → | is not imported$/.test(line)) };
  };
  const list = async (search: string) =>
    (
      await server().ask('GET /events', {
        as: 'administrator',
        query: { search, start_date: '2020-01-01', status: 'publish,draft,private' },
      })
    ).body.events;
  const damage = async () => {
    const { db } = server().context;
    return [...(await findWrongCounters(db)), ...(await findIncompleteRecords(db)), ...(await findBookErrors(db))];
  };

  it('reads events with the columns of the original', async () => {
    const { status, errors, out, columns } = await run(
      [
        EVENTS,
        '"Harvest, fair",Plain & simple,,10/2/2027,9:00 AM,10/2/2027,5:30 PM,America/New_York,FALSE,no,yes,TRUE,Green,"Anna, Ben",1,0,15-20,$,prefix,"Food > Fairs, Music",new,https://fair.example,,closed,closed',
        "'=1+1 day,<p>Mark <b>up</b></p>,,2027-10-03,,2027-10-04,,,yes,,,,green,,,,,,,music,,,,,",
        'Evening,,,3.10.2027,19:30,,,,,,,,,,,,,,,,,,,,',
      ].join('\r\n'),
      'events',
    );
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    expect(columns.filter((line) => line.includes('is not imported'))).toEqual([
      ...['  Event Allow Comments is not imported', '  Event Allow Trackbacks and Pingbacks is not imported'],
    ]);
    expect(columns).toHaveLength(25);
    expect(out).toContain('created: 1 venue, 2 organizer, 2 category, 1 tag, 3 event');
    const [fair] = await list('Harvest');
    expect(fair).toMatchObject({
      ...{ title: 'Harvest, fair', start_date: '2027-10-02 09:00:00', end_date: '2027-10-02 17:30:00' },
      ...{ timezone: 'America/New_York', sticky: true, featured: true, hide_from_listings: false, cost: '$15 – $20' },
      ...{
        show_map: false,
        show_map_link: true,
        website: 'https://fair.example',
        description: '<p>Plain &amp; simple</p>',
      },
      ...{ venue: { venue: 'Green' }, organizer: [{ organizer: 'Anna' }, { organizer: 'Ben' }] },
      ...{ categories: [{ name: 'Fairs' }, { name: 'Music' }], tags: [{ name: 'new' }] },
    });
    const [formula] = await list('1+1');
    expect(formula).toMatchObject({
      ...{ title: '=1+1 day', all_day: true, start_date: '2027-10-03 00:00:00', end_date: '2027-10-04 23:59:59' },
      ...{ description: '<p>Mark <b>up</b></p>', venue: { id: fair.venue.id } },
    });
    expect((await list('Evening'))[0]).toMatchObject({ start_date: '2027-10-03 19:30:00', timezone: 'Europe/Berlin' });
    expect(await damage()).toEqual([]);
  });

  it('takes columns in any order, by map, with other separators and encodings', async () => {
    const text = 'Ort;Wann;Titel der Veranstaltung;Notiz\nCafé Größe;2027-11-01 20:00;Lesung;x\n';
    const lacking = await run(text, 'events');
    expect([lacking.status, lacking.errors[0]]).toEqual([
      ...[
        1,
        'No column is known as title. The file has: Ort, Wann, Titel der Veranstaltung, Notiz. Name it: --map "Column=title".',
      ],
    ]);
    const map = 'Ort=venue; Wann=start_date; Titel der Veranstaltung=title';
    for (const encoding of ['latin1', 'utf8', 'utf16le'] as const) {
      const { status, columns, out } = await run(Buffer.from(text, encoding), 'events', '--map', map);
      expect({ status, columns }).toEqual({
        status: 0,
        columns: [
          '  Ort → venue',
          '  Wann → start_date',
          '  Titel der Veranstaltung → title',
          '  Notiz is not imported',
        ],
      });
      expect(out.at(-1)).toBe(encoding === 'latin1' ? 'created: 1 venue, 1 event' : 'same: 1 event');
    }
    expect(await list('Lesung')).toMatchObject([{ venue: { venue: 'Café Größe' } }]);
    expect((await run(text, 'events', '--map', 'Wo=venue')).errors).toEqual(['The file has no column "Wo".']);
    expect((await run(text, 'events', '--map', 'Ort=place')).errors[0]).toMatch(/^There is no field "place"/);
    expect((await run('', 'events')).errors).toEqual(['The file is empty.']);
  });

  it('reports rows by line, and imports the others', async () => {
    const rows = [
      'Title,Start Date,End Date,Timezone',
      'Row one,2027-11-02 19:00,,',
      ',2027-11-02 19:00,,',
      'Row three,some day,,',
      'Row four,2027-11-02 19:00,2027-11-01 19:00,Mars/Olympus',
      'Row five,2027-11-02 19:00,,,surplus',
      '"Row six,2027-11-02 19:00',
    ];
    const { out } = await run(rows.join('\n'), 'events');
    expect(out.filter((line) => line.includes('line '))).toEqual([
      '  line 6 has more cells than there are columns; the rest was left out: 5',
      '  line 7 has a quote that is never closed; it and the lines within were left out',
      '  line 3 has no name; not imported',
      '  line 4 has no start that can be read; not imported: some day',
      '  line 5 has an unknown time zone; the zone of the site was used: Mars/Olympus',
      '  line 5 ends before it starts; it now ends when it starts: 2027-11-01 19:00:00',
    ]);
    expect((await list('Row')).map(({ title }: { title: string }) => title)).toEqual([
      'Row one',
      'Row four',
      'Row five',
    ]);
  });

  it('changes fields again that were not changed here, and nothing in a plan', async () => {
    const table = (city: string, phone: string) =>
      `Venue Name,Venue City,Venue State/Province,Venue Zip,Venue Phone,Venue Address,Venue Address 2\nTown hall,${city},BC,V5,${phone},1 Main St,Floor 2\n`;
    const planned = await run(table('Nordhafen', '1'), 'venues', '--dry-run');
    expect(planned.out.slice(-2)).toEqual(['created: 1 venue', 'Nothing was written.']);
    expect((await server().ask('GET /venues', { query: { search: 'Town hall' } })).body.venues ?? []).toEqual([]);
    await run(table('Nordhafen', '1'), 'venues');
    const [venue] = (await server().ask('GET /venues', { query: { search: 'Town hall' } })).body.venues;
    expect(venue).toMatchObject({ city: 'Nordhafen', stateprovince: 'BC', zip: 'V5', address: '1 Main St, Floor 2' });
    await server().ask(`PATCH /venues/${venue.id}`, { as: 'editor', body: { phone: '77' } });
    const again = await run(table('Südhafen', '2'), 'venues');
    expect(again.out.join('\n')).toContain(
      'line 2 was changed here since; these fields stay as they are (--theirs replaces them): phone',
    );
    expect((await server().ask(`GET /venues/${venue.id}`)).body).toMatchObject({ city: 'Südhafen', phone: '77' });
    await run(table('Südhafen', '2'), 'venues', '--theirs');
    expect((await server().ask(`GET /venues/${venue.id}`)).body).toMatchObject({ phone: '2' });
  });

  it('keeps the values of matching records of this site until the table changes them', async () => {
    const own = await server().make('POST /organizers', { organizer: 'Clara', phone: '1' }, 'administrator');
    const table = 'Organizer Name,Organizer Email,Organizer Phone\nclara,clara@example.test,2\n';
    expect((await run(table, 'organizers')).out.at(-1)).toBe('same: 1 organizer');
    expect((await server().ask(`GET /organizers/${own.id}`)).body).toMatchObject({ phone: '1' });
    const later = table.replace(',2\n', ',3\n');
    await run(later, 'organizers');
    expect((await server().ask(`GET /organizers/${own.id}`)).body).toMatchObject({ phone: '3' });
  });

  it('brings attendees to their tickets, with orders and check-ins', async () => {
    const { make } = server();
    const times = { start_date: '2027-12-01 19:00', end_date: '2027-12-01 21:00' };
    const gala = await make('POST /events', { title: 'Gala', ...times });
    const twice = { title: 'Twice' };
    await make('POST /events', { ...twice, ...times });
    await make('POST /events', { ...twice, ...times });
    const ticket = await makeSeat(server(), gala.id, 10, { name: 'Stalls', price: '12' });
    await makeRsvp(server(), gala.id);
    const table = [
      'Order ID,Event,Ticket Name,Attendee Name,Attendee Email,Price Paid,Checked In,Registered',
      '77,Gala,stalls,Ada,ada@example.test,12.00,yes,2027-01-02 10:00',
      '77,Gala,Stalls,Bob,ada@example.test,12,no,2027-01-02 10:00',
      '77,Gala,Stalls,Bob,ada@example.test,12,no,2027-01-02 10:00',
      `,${gala.id},Reply,"=HYPERLINK(""x"")",eve@example.test,,,`,
      ',Gala,Box,Dan,dan@example.test,,,',
      ',Twice,,Dan,dan@example.test,,,',
      ',Nowhere,,Dan,dan@example.test,,,',
    ].join('\n');
    const planned = await run(table, 'attendees', '--dry-run');
    expect(planned.out.slice(-3)).toEqual(['created: 4 attendee', 'cannot: 3 attendee', 'Nothing was written.']);
    const { out } = await run(table, 'attendees');
    expect(out).toContain('created: 4 attendee');
    expect(out.filter((line) => line.includes('not imported') && line.includes('line '))).toEqual([
      '  line 6 belongs to a ticket that its event does not have; not imported: Box',
      '  line 7 belongs to one of several events of this name; add its id or date; not imported: Twice',
      '  line 8 belongs to an event that this site does not have; not imported: Nowhere',
    ]);
    const { query } = server().context.db;
    const rows = await query.selectFrom('attendees').selectAll().orderBy('id').execute();
    expect(
      rows.map(({ full_name, ticket_id, checked_in, order_id }) => [
        full_name,
        ticket_id === ticket,
        checked_in,
        order_id === null,
      ]),
    ).toEqual([
      ['Ada', true, 1, false],
      ['Bob', true, 0, false],
      ['Bob', true, 0, false],
      ['=HYPERLINK("x")', false, 0, true],
    ]);
    const orders = await query.selectFrom('orders').select(['total', 'status', 'id']).execute();
    expect(orders).toMatchObject([{ total: 3600, status: 'completed' }]);
    expect(rows[0]?.date_utc).toBe('2027-01-02 09:00:00');
    expect((await run(table, 'attendees')).out).toContain('same: 4 attendee');
    expect(await query.selectFrom('attendees').selectAll().execute()).toHaveLength(4);
    const renamed = await run(table.replace('Reply,"=HYPERLINK(""x"")"', 'Reply,"Eve"'), 'attendees');
    expect(renamed.out).toContain('created: 1 attendee');
    expect(await damage()).toEqual([]);
  });

  it('reads its own exports in every language, and finds the events again', async () => {
    await server().make('POST /events', {
      title: '-Minus',
      start_date: '2028-01-01 19:00',
      end_date: '2028-01-01 21:00',
    });
    for (const lang of ['en', 'fr', 'de']) {
      const { text } = await server().ask('GET admin:/events/export', {
        as: 'administrator',
        query: { search: 'Minus' },
        headers: { 'accept-language': lang },
      });
      const { out, columns } = await run(text, 'events');
      expect(columns.filter((line) => line.includes('→')).length).toBeGreaterThanOrEqual(14);
      expect(out.at(-1)).toBe('same: 1 event');
    }
    expect(await list('Minus')).toHaveLength(1);
  });
});
