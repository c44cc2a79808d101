import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCommands } from '../src/server/cli/import.ts';
import { fileImportCommands } from '../src/server/cli/import-files.ts';
import { runCommand } from './commands.ts';
import { listed, siteWith } from './old-sites.ts';
import { DATABASES, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf, serialized, type WordpressPost } from './wordpress-files.ts';

/** Values that no database can store, and times that are on no clock: they cost their field, not the import. */

const NO_TIME = '2027-99-99 99:99:99';
const TIMES = [
  ['_EventStartDate', '2027-02-03 19:00:00'],
  ['_EventEndDate', '2027-02-03 21:00:00'],
  ['_EventTimezone', 'Europe/Berlin'],
] as const;
const HUGE = 999_999_999_999_999;

const order = (id: number, date: string): WordpressPost => ({
  ...{ id, type: 'tec_tc_order', status: 'tec-tc-completed', date },
  meta: [
    ['_tec_tc_order_total_value', '10'],
    ['_tec_tc_order_currency', 'EUR'],
    ['_tec_tc_order_gateway', 'str\0ipe'],
    ['_tec_tc_order_purchaser_full_name', 'Ada\0 Lindqvist'],
    ['_tec_tc_order_purchaser_email', 'ada\0@post.example'],
  ],
});
const seat = (id: number, parent: number): WordpressPost => ({
  ...{ id, type: 'tec_tc_attendee', parent, date: NO_TIME },
  meta: [
    ['_tec_tickets_commerce_ticket', '200'],
    ['_tec_tickets_commerce_event', '100'],
    ['_tec_tickets_commerce_full_name', 'Ada\0'],
    ['_tec_tickets_commerce_email', 'ada\0@post.example'],
    ['_tec_tickets_commerce_price_paid', '10'],
    ['_tec_tickets_commerce_checked_in', '1'],
    ['_tec_tickets_commerce_checked_in_details', serialized({ date: NO_TIME, source: 'app' })],
    ['_tribe_tickets_meta', serialized({ 'so\0up': 'Beet\0root' })],
  ],
});

const POSTS: readonly WordpressPost[] = [
  { id: 60, type: 'tribe_venue', title: 'Mill\0', slug: 'mi\0ll', date: NO_TIME },
  { id: 100, type: 'tribe_events', title: 'Con\0cert', content: 'A\0B', slug: 'concert', date: NO_TIME, meta: TIMES },
  { id: 101, type: 'tribe_events', title: 'Never', slug: 'never', meta: [['_EventStartDate', `${NO_TIME}\0`]] },
  { id: 102, type: 'tribe_events', title: 'February', meta: [['_EventStartDate', '2027-02-30 19:00:00']] },
  {
    ...{ id: 103, type: 'tribe_events', title: 'Contradicts', slug: 'contradicts' },
    meta: [...TIMES, ['_EventStartDateUTC', NO_TIME], ['_EventEndDateUTC', NO_TIME], ['_EventVenueID', '60']],
  },
  {
    ...{ id: 200, type: 'tec_tc_ticket', title: 'Seat\0', date: NO_TIME },
    meta: [
      ['_tec_tickets_commerce_event', '100'],
      ['_price', '10'],
      ['_ticket_start_date', '2027-99-99'],
    ],
  },
  order(300, NO_TIME),
  seat(301, 300),
  order(HUGE, '2026-05-01 08:00:00'),
  seat(302, HUGE),
];

describe.each(DATABASES)('hostile values on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin', currency: 'EUR' }, { isFreshEachTime: true });
  const run = (name: string, ...args: string[]) => {
    const command = [...importCommands, ...fileImportCommands].find((one) => one.name === name);
    return runCommand(command, server().context, args);
  };
  const file = async (name: string, content: string) => {
    const path = join(await temporaryFolder('hostile'), name);
    await writeFile(path, content);
    return path;
  };

  it('of a dump do no harm beyond their record, and ids of orders that would use up ids here are refused', async () => {
    const site = {
      home: 'https://lantern.example',
      options: { timezone_string: 'Europe/Berlin' },
      users: [{ id: 1, login: 'anna', pass: '*', email: 'anna@post.example' }],
      terms: [{ id: 4, taxonomy: 'tribe_events_cat', name: 'Fo\0lk', slug: 'fo\0lk' }],
      posts: POSTS,
    };
    const { status, errors, out } = await run('import wordpress', '--sql', await file('site.sql', dumpOf(site)));
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    expect(out.find((line) => line.startsWith('cannot:'))).toBe('cannot: 2 event, 1 order');
    const { query } = server().context.db;
    const attendees = await query
      .selectFrom('attendees')
      .select(['id', 'full_name', 'email', 'information', 'order_id'])
      .orderBy('id')
      .execute();
    expect(attendees[0]).toEqual({
      ...{ id: 301, full_name: 'Ada', email: 'ada@post.example', order_id: 300 },
      information: JSON.stringify({ soup: 'Beetroot' }),
    });
    const orders = await query.selectFrom('orders').select(['id', 'note', 'purchaser_name']).orderBy('id').execute();
    expect(orders[0]).toEqual({ id: 300, note: 'stripe', purchaser_name: 'Ada Lindqvist' });
    for (const { id } of orders) expect(id).toBeLessThan(2_000_000_000);
    const events = await query.selectFrom('events').select(['id', 'title', 'start_date']).orderBy('id').execute();
    expect(events.map(({ id }) => id)).toEqual([100, 103]);
    expect(events[0]).toMatchObject({ title: 'Concert', start_date: '2027-02-03 19:00:00' });
  });

  it('of a running site do no harm beyond their field', async () => {
    const v1 = 'tribe/events/v1';
    const published = { status: 'publish', date: NO_TIME, date_utc: NO_TIME, modified_utc: NO_TIME };
    const image = { id: 50, url: 'https://lantern.example/wp-content/uploads/mi\0ll.png' };
    const event = {
      ...{ ...published, id: 100, title: 'Con\0cert \ud800', slug: 'con\0cert', image, categories: [], tags: [] },
      ...{ start_date: '2027-02-03 19:00:00', end_date: NO_TIME, timezone: 'Europe/Berlin', utc_start_date: NO_TIME },
    };
    const old = await siteWith(() => ({
      [`${v1}/categories`]: listed('categories', []),
      [`${v1}/tags`]: listed('tags', []),
      [`${v1}/venues`]: listed('venues', [{ ...published, id: 20, venue: 'Mi\0ll', slug: 'mill' }]),
      [`${v1}/organizers`]: listed('organizers', []),
      [`${v1}/events`]: listed('events', [event, { ...event, id: 101, start_date: '\0' }]),
      'wp/v2/media/50': { id: 50, date_gmt: '2027-99-99T99:99:99', title: { rendered: 'Mi\0ll' } },
    }));
    const { status, errors } = await run('import wordpress', old.address);
    await old.close();
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    const { query } = server().context.db;
    const events = await query.selectFrom('events').select(['id', 'title', 'end_date']).execute();
    expect(events).toEqual([{ id: 100, title: 'Concert \ufffd', end_date: '2027-02-03 19:00:00' }]);
  });

  it('of calendars and tables do no harm', async () => {
    const entry = ['BEGIN:VEVENT', 'UID:a\0b', 'SUMMARY:Con\0cert', 'LOCATION:Mi\0ll', 'DTSTART:20270203T190000Z'];
    const calendar = ['BEGIN:VCALENDAR', ...entry, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
    const table = `Event Name,Start Date,Venue Name\nPl\0ay,2027-02-04,Mi\0ll\nBroken,2027-99-99,\n`;
    const read = await run('import ical', await file('calendar.ics', calendar));
    expect({ status: read.status, errors: read.errors }).toEqual({ status: 0, errors: [] });
    const rows = await run('import csv', await file('events.csv', table), '--kind', 'events');
    expect({ status: rows.status, errors: rows.errors }).toEqual({ status: 0, errors: [] });
    const { query } = server().context.db;
    const titles = await query.selectFrom('events').select('title').orderBy('id').execute();
    expect(titles.map(({ title }) => title)).toEqual(['Concert', 'Play']);
    expect(await query.selectFrom('linked_posts').select('title').execute()).toEqual([{ title: 'Mill' }]);
  });
});
