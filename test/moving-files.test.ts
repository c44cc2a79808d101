import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../src/app.ts';
import type { Database } from '../src/db/database.ts';
import { findIncompleteRecords } from '../src/db/integrity.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { importSite } from '../src/moving/import-site.ts';
import { openSource } from '../src/moving/source.ts';
import { openFile } from '../src/moving/wordpress/open-file.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import { runCommand } from './commands.ts';
import { listed, siteWith } from './old-sites.ts';
import { DATABASES, startTestServer, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf, exportOf, serialized, type WordpressPost, type WordpressSite } from './wordpress-files.ts';

/** Imports from the files of a WordPress site. */

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const HOME = 'https://lantern.example';
const PASSWORD = 'lantern quay';
const BCRYPT = '$wp$2y$04$YLF4nWhzCZUDwN6Sq48o6Oab3.DtUq7R600cez1bpdm1bEsVRfGCK';
const APP_PASSWORD = 'abcd EFGH ijkl MNOP qrst UVWX';
const KEY = 'door-key';

type Meta = NonNullable<WordpressPost['meta']>;

const times = (day: string): Meta => [
  ['_EventStartDate', `${day} 19:00:00`],
  ['_EventEndDate', `${day} 21:00:00`],
  ['_EventStartDateUTC', `${day} 18:00:00`],
  ['_EventEndDateUTC', `${day} 20:00:00`],
  ['_EventTimezone', 'Europe/Berlin'],
];
const event = (id: number, title: string, fields: Partial<WordpressPost> = {}): WordpressPost => ({
  ...{ id, type: 'tribe_events', title, slug: title.toLowerCase().replaceAll(' ', '-') },
  ...fields,
  meta: [...times('2027-02-03'), ...(fields.meta ?? [])],
});
const seat = (id: number, order: number, name: string, meta: Meta = [], status = 'publish'): WordpressPost => ({
  ...{ id, type: 'tec_tc_attendee', parent: order, title: 'not this', status },
  meta: [
    ...meta,
    ['_tec_tickets_commerce_ticket', '200'],
    ['_tec_tickets_commerce_event', '100'],
    ['_tec_tickets_commerce_full_name', name],
    ['_tec_tickets_commerce_email', 'ada@post.example'],
    ['_tec_tickets_commerce_optout', null],
    ['_tec_tickets_commerce_price_paid', '12,50'],
  ],
});
const order = (id: number, status: string, total: string, meta: Meta = []): WordpressPost => ({
  ...{ id, type: 'tec_tc_order', status },
  meta: [
    ['_tec_tc_order_total_value', total],
    ['_tec_tc_order_currency', 'EUR'],
    ['_tec_tc_order_gateway', 'stripe'],
    ['_tec_tc_order_purchaser_full_name', 'Ada Lindqvist'],
    ['_tec_tc_order_purchaser_email', 'ada@post.example'],
    ...meta,
  ],
});
const items = (...all: object[]): Meta => [['_tec_tc_order_items', serialized(all)]];

const role = (name: string): Meta[number] => ['lh7_capabilities', serialized({ [name]: true })];

const SITE: WordpressSite = {
  home: HOME,
  options: {
    timezone_string: '',
    gmt_offset: '1',
    tribe_events_calendar_options: serialized({
      defaultCurrencySymbol: '€',
      reverseCurrencyPosition: true,
      'custom-fields': { 0: { name: '_ecp_custom_2', label: 'Language of the evening' } },
    }),
  },
  users: [
    { id: 1, login: 'anna', pass: BCRYPT, email: 'anna@post.example', meta: [role('administrator')] },
    {
      ...{ id: 2, login: 'bo lind', pass: '$P$6abcdWXYZPOMU3uWyw.kdQOfHWlo/P/', email: 'bo@post.example' },
      meta: [
        role('editor'),
        [
          '_application_passwords',
          serialized([
            { name: 'Phone', password: '$generic$VbqhfQOT_VfaFmt_p27nedVhgUdnEi-dOUZamH4W', created: 1795476451 },
          ]),
        ],
      ],
    },
    {
      id: 3,
      login: 'old',
      pass: 'ef531641a1bcd69f6233edff6726aa07',
      email: 'BO@post.example',
      meta: [role('superhero')],
    },
    { id: 4, login: 'nobody', pass: '*', email: '', meta: [role('subscriber')] },
  ],
  terms: [
    { id: 4, taxonomy: 'tribe_events_cat', name: 'Folk &amp; Roots', slug: 'folk', parent: 5 },
    {
      id: 5,
      taxonomy: 'tribe_events_cat',
      name: 'Music',
      slug: 'music',
      meta: [['tec-events-cat-colors-primary', '#1F4E79']],
    },
    { id: 6, taxonomy: 'tribe_events_cat', name: 'Lost', slug: 'lost', parent: 8888 },
    { id: 30, taxonomy: 'post_tag', name: 'Open air', slug: 'open-air' },
  ],
  dates: [
    [100, '2027-02-03 19:00:00', '2027-02-03 21:00:00'],
    [109, '2027-02-04 19:00:00', '2027-02-04 21:00:00'],
    [7777, '2027-02-04 19:00:00', null],
  ],
  modifiers: [
    ['coupon', 'QUAY10', 'active'],
    ['coupon', 'FIVER', 'draft'],
    ['fee', 'booking-fee', 'active'],
  ],
  posts: [
    {
      id: 40,
      type: 'attachment',
      title: 'Mill',
      slug: 'the-mill',
      mime: 'image/png',
      meta: [
        ['_wp_attached_file', '2026/09/mill.png'],
        ['_wp_attachment_image_alt', 'A mill'],
      ],
    },
    {
      id: 41,
      type: 'attachment',
      title: 'Outside',
      mime: 'image/png',
      meta: [['_wp_attached_file', '2026/09/link.png']],
    },
    {
      id: 42,
      type: 'attachment',
      title: 'Above',
      mime: 'image/png',
      meta: [['_wp_attached_file', '../../secret.png']],
    },
    {
      id: 50,
      type: 'wp_block',
      title: 'Block',
      content: '<!-- wp:paragraph --><p>Bring a bowl.</p><!-- /wp:paragraph -->',
    },
    {
      ...{ id: 60, type: 'tribe_venue', title: 'Old Mill', slug: 'old-mill', content: 'First line\nsecond\n\nThird' },
      meta: [
        ['_VenueCity', 'Nordhafen'],
        ['_VenueLat', '54.8'],
        ['_VenueLng', '9.4'],
        ['_VenueShowMap', '1'],
      ],
    },
    { id: 70, type: 'tribe_organizer', title: 'Anna', slug: 'anna', meta: [['_OrganizerEmail', 'anna@post.example']] },
    { id: 71, type: 'tribe_organizer', title: 'Bo', slug: 'bo' },
    event(100, 'Concert', {
      ...{ menuOrder: -1, terms: [4, 30], author: 2, excerpt: 'Short' },
      content: `<!-- wp:paragraph --><p>See <a href="${HOME}/event/other/">the other</a>.</p><!-- /wp:paragraph -->
<!-- wp:block {"ref":50} /--><!-- wp:tribe/event-venue /-->
<img src="${HOME}/wp-content/uploads/2026/09/mill-300x200.png" alt="A mill"> [foogallery id="1"]`,
      meta: [
        ...([
          ['_EventVenueID', '60'],
          ['_EventOrganizerID', '71'],
          ['_EventOrganizerID', '70'],
          ['_thumbnail_id', '40'],
        ] as const),
        ...([
          ['_tribe_featured', '1'],
          ['_EventShowMap', '1'],
          ['_EventURL', 'https://concert.example/'],
          ['_ecp_custom_2', 'German|French'],
        ] as const),
        ...([
          ['_tribe_ticket_capacity', '90'],
          ['_tribe_ticket_use_global_stock', '1'],
        ] as const),
      ],
    }),
    event(101, 'Secret', { password: 'mill' }),
    event(102, 'Cancelled', {
      meta: [
        ['_tribe_events_status', 'canceled'],
        ['_tribe_events_status_reason', 'No heating'],
        ['_tribe_events_is_virtual', 'yes'],
        ['_tribe_events_virtual_event_type', 'hybrid'],
        ['_tribe_events_virtual_url', 'https://stream.example/'],
        ['_EventHideFromUpcoming', 'yes'],
        ['_EventCost', '10'],
        ['_EventCost', '20,50'],
      ],
    }),
    event(103, 'Twins', { slug: 'twins' }),
    event(104, 'Twins again', { slug: 'twins' }),
    { ...event(105, 'No dates'), meta: [] },
    event(106, 'Corrupt', { meta: [['_EventRecurrence', 'a:1:{s:5:"rules";a:1:{']] }),
    event(107, 'Weekly', { meta: [['_EventRecurrence', serialized({ rules: [{ type: 'Custom' }] })]] }),
    event(108, 'Gone things', {
      author: 999,
      terms: [9499],
      meta: [
        ['_thumbnail_id', '99999'],
        ['_EventVenueID', '411'],
      ],
    }),
    event(109, 'Table differs', { meta: [['_EventStartDate', '2027-05-03 19:00:00']] }),
    event(110, 'Linked', { meta: [['_thumbnail_id', '41']] }),
    event(111, 'Above', { meta: [['_thumbnail_id', '42']] }),
    event(112, 'Loft №1', { slug: 'loft-%e2%84%961' }),
    event(113, 'Draft', { status: 'draft', slug: '', date: '0000-00-00 00:00:00' }),
    event(114, 'Trashed', { status: 'trash', slug: 'trashed__trashed' }),
    event(115, 'Not yet', { status: 'auto-draft' }),
    event(116, 'FrÃ¼hling', { slug: 'fruehling' }),
    {
      ...{ id: 200, type: 'tec_tc_ticket', title: 'Seat', excerpt: 'With soup' },
      meta: [
        ...([
          ['_tec_tickets_commerce_event', '100'],
          ['_price', '12,50'],
          ['_sku', 'A-1'],
          ['_global_stock_mode', 'capped'],
        ] as const),
        ...([
          ['_tribe_ticket_capacity', '40'],
          ['_ticket_start_date', '2026-01-01'],
          ['_ticket_start_time', '09:00:00'],
        ] as const),
        ...([
          ['_ticket_end_date', '2027-02-03 18:00:00'],
          ['_sale_price_checked', '1'],
          ['_sale_price_start_date', '2026-08-01'],
        ] as const),
        ['_sale_price', 'O:5:"Value":1:{s:20:"\0Tribe\\V\0initial_value";s:2:"10";}'.replace('s:20', 's:22')],
      ],
    },
    {
      ...{ id: 201, type: 'tribe_rsvp_tickets', title: 'Reply' },
      meta: [
        ['_tribe_rsvp_for_event', '101'],
        ['_tribe_ticket_capacity', '-1'],
        ['_tribe_ticket_show_not_going', '1'],
      ],
    },
    {
      id: 202,
      type: 'tec_tc_ticket',
      title: 'Of a deleted event',
      meta: [
        ['_tec_tickets_commerce_event', '77780'],
        ['_stock', '-3'],
      ],
    },
    order(
      300,
      'tec-tc-completed',
      '25.50',
      items({ ticket_id: 200, quantity: 2, type: 'ticket' }, { type: 'fee', display_name: 'Booking fee' }),
    ),
    seat(301, 300, 'Ada Lindqvist', [
      ['_tec_tickets_commerce_security_code', 'ab872590bb'],
      ['_tribe_tickets_meta', serialized({ soup: 'Beetroot' })],
    ]),
    seat(302, 300, 'Bo Lind', [
      ['_tec_tickets_commerce_security_code', 'cc872590bb'],
      ['_tec_tickets_commerce_checked_in', '1'],
      ['_tec_tickets_commerce_checked_in_details', serialized({ date: '2026-11-20 19:30:00', source: 'app' })],
    ]),
    order(310, 'tec-tc-pending', '25', items({ ticket_id: 200, quantity: 2, price: 12.5, type: 'ticket' })),
    order(320, 'tec-tc-refunded', '12,50'),
    seat(321, 320, 'Gone', [], 'trash'),
    order(330, 'tec-tc-reversed', '12.50'),
    seat(331, 330, 'Charged back'),
    order(340, 'tec-tc-completed', '18', [['_tec_tc_order_items', 'a:1:{i:0;a:4:{s:9:"ticket_id";i:']]),
    order(350, 'tec-tc-completed', '12.50'),
    seat(351, 350, 'Kept'),
    seat(352, 350, 'Given up', [], 'trash'),
    seat(360, 66666, 'Without order', [
      ['_tec_tickets_commerce_security_code', 'deadbeef03'],
      ['_tec_tickets_commerce_email', 'x'],
    ]),
    seat(361, 300, 'Double code', [['_tec_tickets_commerce_security_code', 'deadbeef03']]),
    {
      ...{ id: 370, type: 'tribe_rsvp_attendees', title: 'Cleo' },
      meta: [
        ['_tribe_rsvp_product', '201'],
        ['_tribe_rsvp_event', '101'],
        ['_tribe_rsvp_status', 'no'],
        ['_tribe_rsvp_full_name', 'Cleo'],
        ['_tribe_rsvp_security_code', 'd82a7c03f8'],
      ],
    },
    {
      ...{ id: 371, type: 'tribe_rsvp_attendees', title: 'Dan' },
      meta: [
        ['_tribe_rsvp_product', '77777'],
        ['_tribe_rsvp_full_name', 'Dan'],
        ['_tribe_deleted_product_name', 'Old kind'],
      ],
    },
    { id: 380, type: 'page', title: 'About' },
    { id: 381, type: 'shop_coupon', title: 'SUMMER' },
  ],
};

/** Everything that an import writes, without random values. */
async function contentOf({ query }: Database): Promise<Record<string, unknown>> {
  const events = await query
    .selectFrom('events')
    .select(['id', 'slug', 'title', 'status', 'image_id', 'cost'])
    .orderBy('id')
    .execute();
  const attendees = await query
    .selectFrom('attendees')
    .select(['full_name', 'order_id', 'ticket_id', 'status', 'attendance_status', 'price', 'checked_in'])
    .orderBy('full_name')
    .orderBy('order_id')
    .execute();
  const orders = await query
    .selectFrom('orders')
    .select(['id', 'status', 'total', 'purchaser_name'])
    .orderBy('id')
    .execute();
  const users = await query.selectFrom('users').select(['username', 'role', 'email']).orderBy('username').execute();
  const tickets = await query.selectFrom('tickets').select(['id', 'sold', 'mode', 'capacity']).orderBy('id').execute();
  const links = await query
    .selectFrom('import_links')
    .select(['kind', 'foreign_id'])
    .orderBy('kind')
    .orderBy('foreign_id')
    .execute();
  return { events, attendees, orders, users: users.filter(({ username }) => username !== 'admin'), tickets, links };
}

const wordpress = importCommands.find(({ name }) => name === 'import wordpress');

/** Writes the files of the site: with a link in the uploads that leads out of them. */
async function written(site: WordpressSite = SITE) {
  const folder = await temporaryFolder('wordpress');
  const uploads = join(folder, 'uploads');
  await mkdir(join(uploads, '2026/09'), { recursive: true });
  await writeFile(join(uploads, '2026/09/mill.png'), PIXEL);
  await writeFile(join(folder, 'secret.png'), PIXEL);
  await symlink(join(folder, 'secret.png'), join(uploads, '2026/09/link.png'));
  const files = { folder, uploads, sql: join(folder, 'site.sql.gz'), wxr: join(folder, 'site.xml') };
  await writeFile(files.sql, gzipSync(dumpOf(site, 'lh7_')));
  await writeFile(files.wxr, exportOf(site));
  return files;
}

describe.each(DATABASES)('an import from files on %s', (kind) => {
  const server = useTestServer(
    kind,
    { timezone: 'Europe/Berlin', currency: 'EUR', currencySymbol: '€', qrApiKey: KEY },
    { isFreshEachTime: true },
  );
  const run = (...args: string[]) => runCommand(wordpress, server().context, args);
  const read = async (path: string) => (await server().ask(path, { as: 'administrator' })).body;
  const findings = async () =>
    (await server().context.db.query.selectFrom('import_findings').selectAll().orderBy('id').execute()).map(
      ({ kind: about, foreign_id, code }) => `${about} ${foreign_id} ${code}`.trim(),
    );
  const damage = async () => {
    const { db } = server().context;
    return [...(await findWrongCounters(db)), ...(await findIncompleteRecords(db)), ...(await findBookErrors(db))];
  };
  const scan = (ticket_id: number, security_code: string) =>
    server().ask('POST tickets:/qr', { body: { api_key: KEY, ticket_id, security_code, event_id: 100 } });
  const as = (name: string, password: string) =>
    server().request('/calendar/events/v1/events', {
      headers: { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
    });

  /** Expects the records that both kinds of files tell. */
  async function expectCalendar() {
    const concert = await read('GET /events/100');
    expect(concert).toMatchObject({
      ...{ id: 100, slug: 'concert', title: 'Concert', featured: true, sticky: true, show_map: true },
      ...{ start_date: '2027-02-03 19:00:00', utc_start_date: '2027-02-03 18:00:00', timezone: 'Europe/Berlin' },
      ...{ website: 'https://concert.example/', date_utc: '2026-05-01 08:00:00', excerpt: 'Short' },
      venue: { id: 60, venue: 'Old Mill', city: 'Nordhafen', geo_lat: 54.8, geo_lng: 9.4 },
      organizer: [{ id: 71 }, { id: 70, email: 'anna@post.example' }],
      categories: [{ id: 4, name: 'Folk & Roots', parent: 5 }],
      tags: [{ id: 30, name: 'Open air' }],
      image: { id: 40, alt: 'A mill' },
    });
    expect(concert.description).toContain('<a href="/event/other/">the other</a>');
    expect(concert.description).toContain('<p>Bring a bowl.</p>');
    expect(concert.description).toMatch(/<img src="\/uploads\/[^"]+" alt="A mill"/);
    expect(concert.description).not.toMatch(/wp:|foogallery/);
    expect((await read('GET /venues/60')).description).toMatch(/<p>First line<br \/>\s*second<\/p>\s*<p>Third<\/p>/);
    expect(await read('GET /events/102')).toMatchObject({
      ...{ event_status: 'cancelled', event_status_reason: 'No heating', hide_from_listings: true },
      ...{ attendance_mode: 'mixed', online_url: 'https://stream.example/' },
    });
    expect((await read('GET /categories/5')).color).toBe('#1f4e79');
    for (const [id, slug] of [
      [103, 'twins'],
      [104, 'twins-2'],
    ] as const)
      expect((await read(`GET /events/${id}`)).slug).toBe(slug);
    for (const id of [110, 111]) expect((await read(`GET /events/${id}`)).image).toBe(false);
    for (const id of [105, 115])
      expect((await server().ask(`GET /events/${id}`, { as: 'administrator' })).status).toBe(404);
    expect(await read('GET /events/114')).toMatchObject({ code: 'event-no-longer-available' });
    // The old address of a name that is written otherwise here.
    const old = await server().request('/event/loft-%e2%84%961/', { redirect: 'manual' });
    expect([old.status, old.headers.get('location')]).toEqual([301, expect.stringMatching(/\/event\/loft-no1\/$/)]);
    // Files of images and their pages, and tags below another word.
    const moved = async (path: string) => {
      const answer = await server().request(path, { redirect: 'manual' });
      return `${answer.status} ${answer.headers.get('location') ?? ''}`;
    };
    for (const path of [
      '/wp-content/uploads/2026/09/mill.png',
      '/wp-content/uploads/2026/09/mill-300x200.png',
      '/the-mill/',
    ])
      expect(await moved(path)).toMatch(/^301 \S*\/uploads\/\S+\.png$/);
    expect(await moved('/journal/tag/open-air/')).toMatch(/^301 \S*\/tag\/open-air\/$/);
    for (const path of [
      '/journal/tag/none/',
      '/no-mill/',
      '/wp-content/uploads/2026/09/secret.png',
      '/wp-content/uploads/../secret.png',
    ])
      expect(await moved(path)).toMatch(/^404/);
    expect((await server().ask('GET /events/101')).body.code).toBe('event-password-protected');
    const unlocked = await server().ask('GET /events/101', { query: { password: 'mill' } });
    expect(unlocked.body.title).toBe('Secret');
  }

  async function expectSales() {
    const ticket = await read('GET tickets:/tickets/200');
    expect(ticket).toMatchObject({
      ...{ title: 'Seat', description: 'With soup', sku: 'A-1', post_id: 100, available_from: '2026-01-01 09:00:00' },
      available_until: '2027-02-03 18:00:00',
      capacity_details: { global_stock_mode: 'capped', max: 40, sold: 7 },
      sale_price_data: { sale_price: '10.00', start_date: '2026-08-01' },
    });
    expect(await read('GET admin:/orders/300')).toMatchObject({
      ...{ status: 'completed', gateway: 'imported', note: 'stripe', purchaser: { name: 'Ada Lindqvist' } },
      total: { minor: 2550 },
    });
    expect((await read('GET admin:/orders/310')).total.minor).toBe(2500);
    expect((await read('GET tickets:/attendees/302')).checkin_details).toMatchObject({
      date: '2026-11-20 19:30:00',
      source: 'app',
    });
    expect((await read('GET tickets:/attendees/301')).information).toEqual({ soup: 'Beetroot' });
    expect((await scan(301, 'wrong')).status).not.toBe(201);
    expect((await scan(301, 'ab872590bb')).status).toBe(201);
    // Places of orders that are not valid open no door.
    const { security_code } = await read('GET admin:/attendees/331');
    expect((await scan(331, security_code)).status).not.toBe(201);
    expect(await damage()).toEqual([]);
    expect(await server().context.db.query.selectFrom('mails').select('id').execute()).toEqual([]);
  }

  const COMMON = [
    ...[
      'event 100 shortcode',
      'event 104 slug-changed',
      'event 105 no-start',
      'event 106 corrupt',
      'event 107 repeats',
    ],
    ...[
      'event 108 image-missing',
      'event 108 reference-missing',
      'event 109 several-values',
      'event 110 image-missing',
    ],
    ...['event 111 image-missing', 'event 112 slug-changed', 'event 116 encoded-twice', 'ticket 202 no-event'],
    ...['ticket 202 stock-negative', 'order 300 order-differs', 'order 310 places-made', 'order 340 corrupt'],
    ...['order 340 order-without-places', 'attendee 331 archived', 'attendee 360 no-order', 'attendee 360 email'],
    ...[
      'attendee 361 code-taken',
      'attendee 371 no-ticket',
      'attendee 371 ticket-deleted',
      '0 image-lost',
      '0 image-lost',
    ],
    ...['0 other-posts', '0 other-sales'],
  ];

  it('takes over a dump, with accounts and passwords', async () => {
    const { sql, uploads } = await written();
    const { status, errors, out } = await run('--sql', sql, '--uploads', uploads);
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    expect(out).toContain('  Coupons are not imported; set them up as promotion codes: 2: QUAY10, FIVER (draft)');
    expect(out).toContain('  The sale of add-ons is not imported: 1 shop_coupon');
    expect(out.find((line) => line.startsWith('cannot:'))).toBe('cannot: 1 event, 1 ticket, 1 order, 1 attendee');
    await expectCalendar();
    await expectSales();
    expect((await findings()).toSorted()).toEqual(
      [
        ...COMMON,
        ...[
          'event 100 custom-fields',
          'event 108 author-missing',
          'event 108 reference-missing',
          'event 109 table-differs',
        ],
        ...['category 6 parent-missing', 'account 3 address-taken', 'account 3 role', 'account 4 no-address'],
        ...['account 4 no-password', '0 orphans', '0 coupons', '0 fees'],
      ].toSorted(),
    );
    const concert = await read('GET /events/100');
    expect(concert.description).toContain('<strong>Language of the evening:</strong> German, French');
    expect((await read('GET /events/102')).cost).toBe('10 € – 20,50 €'.replaceAll(' €', '€'));

    // Passwords work, and are hashed anew; so are application passwords.
    const hashes = async () => {
      const { query } = server().context.db;
      const users = await query.selectFrom('users').select(['username', 'password_hash as hash']).execute();
      const apps = await query.selectFrom('app_passwords').select(['name as username', 'hash']).execute();
      return new Map([...users, ...apps].map(({ username, hash }) => [username, hash]));
    };
    expect((await hashes()).get('anna')).toBe(BCRYPT);
    for (const name of ['anna', 'bo lind', 'old', 'anna@post.example']) {
      expect((await as(name, `${PASSWORD}!`)).status).toBe(401);
      // Blanks around a password did not count there.
      expect((await as(name, `${PASSWORD} `)).status).toBe(name.includes('@') ? 401 : 200);
      expect((await as(name, PASSWORD)).status).toBe(200);
    }
    const both = await Promise.all([as('bo lind', APP_PASSWORD), as('bo lind', APP_PASSWORD)]);
    expect(both.map((one) => one.status)).toEqual([200, 200]);
    expect((await as('bo lind', 'abcd EFGH ijkl MNOP qrst UVWY')).status).toBe(401);
    expect((await as('nobody', '*')).status).toBe(401);
    const after = await hashes();
    for (const name of ['anna', 'bo lind', 'old']) expect(after.get(name)).toMatch(/^scrypt\$/);
    expect(after.get('Phone')).toMatch(/^[\da-f]{64}$/);
    const users = await server()
      .context.db.query.selectFrom('users')
      .select(['username', 'role', 'email'])
      .orderBy('id')
      .execute();
    expect(users.slice(-4)).toEqual([
      { username: 'anna', role: 'administrator', email: 'anna@post.example' },
      { username: 'bo lind', role: 'editor', email: 'bo@post.example' },
      { username: 'old', role: 'subscriber', email: 'user-3@localhost' },
      { username: 'nobody', role: 'subscriber', email: 'user-4@localhost' },
    ]);
    const author = (await read('GET /events/100')).author;
    expect((await read(`GET admin:/users/${author}`)).username).toBe('bo lind');
  });

  it('takes over an export, with the security codes', async () => {
    const { wxr, uploads } = await written();
    const { status, errors } = await run('--wxr', wxr, '--uploads', uploads);
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    await expectCalendar();
    await expectSales();
    const accounts = [1, 2, 3, 4].flatMap((id) => [`account ${id} no-password`, `account ${id} no-role`]);
    expect((await findings()).toSorted()).toEqual(
      [
        ...COMMON,
        ...accounts,
        'account 3 address-taken',
        'account 4 no-address',
        'event 100 unnamed-field',
        '0 bad-characters',
      ].toSorted(),
    );
    expect((await as('anna', PASSWORD)).status).toBe(401);
  });

  it('plans without writing, changes nothing the second time, and follows a newer dump', async () => {
    const { sql, uploads, folder } = await written();
    const planned = await run('--sql', sql, '--uploads', uploads, '--dry-run');
    expect(planned.status).toBe(0);
    expect(planned.out).toContainEqual(expect.stringMatching(/^create {4}event {10}100 {2}Concert/));
    const { db } = server().context;
    expect(await db.query.selectFrom('events').select('id').execute()).toEqual([]);
    await run('--sql', sql, '--uploads', uploads);
    const second = await run('--sql', sql, '--uploads', uploads);
    expect(second.out.filter((line) => /^(created|changed|conflict):/.test(line))).toEqual([]);
    const newer = join(folder, 'newer.sql');
    const posts = SITE.posts.map((post) => (post.id === 101 ? { ...post, title: 'Secret, later' } : post));
    await writeFile(newer, dumpOf({ ...SITE, posts }, 'lh7_'));
    const third = await run('--sql', newer);
    expect(third.out.filter((line) => /^(created|changed|conflict):/.test(line))).toEqual(['changed: 1 event']);
    expect((await read('GET /events/101')).title).toBe('Secret, later');
    expect(await damage()).toEqual([]);
  });

  it('ends the same after an interruption at each step', async () => {
    const { sql, uploads, folder } = await written();
    await run('--sql', sql, '--uploads', uploads);
    const content = await contentOf(server().context.db);
    const again = await startTestServer(kind, { timezone: 'Europe/Berlin', currency: 'EUR', currencySymbol: '€' });
    try {
      const { context } = again;
      const ctx = { ...(await administratorContext(context, endpointOf)), language: 'en' };
      let left = 1;
      for (let attempt = 1; left > 0; attempt++) {
        const opened = await openFile({ kind: 'sql', file: sql, uploads }, context.config);
        let pages = 0;
        const stop = () => {
          pages += 1;
          if (pages === 2) throw new Error('interrupted');
        };
        const options = { ...opened, ctx, isResumed: attempt > 1, onPage: stop };
        left = await importSite(options).then(
          () => 0,
          (error: unknown) => {
            if (!String(error).includes('interrupted')) throw error;
            return 1;
          },
        );
        opened.close();
      }
      expect(await contentOf(context.db)).toEqual(content);
      // The position of a file is none of a running site.
      await context.db.query.updateTable('imports').set({ finished_utc: null }).execute();
      const { errors } = await runCommand(wordpress, context, [HOME, '--resume']);
      expect(errors.join()).toMatch(/reads another source/);
      expect(folder).not.toBe('');
    } finally {
      await again.close();
    }
  });

  it('completes an import from the running site with codes, and books no money twice', async () => {
    const { sql } = await written();
    const published = { status: 'publish', date: '2026-05-01 10:00:00', date_utc: '2026-05-01 08:00:00' };
    const times = { start_date: '2027-02-03 19:00:00', end_date: '2027-02-03 21:00:00', timezone: 'Europe/Berlin' };
    const v1 = 'tribe/events/v1';
    const old = await siteWith(() => ({
      [`${v1}/categories`]: listed('categories', []),
      [`${v1}/tags`]: listed('tags', []),
      [`${v1}/venues`]: listed('venues', []),
      [`${v1}/organizers`]: listed('organizers', []),
      [`${v1}/events`]: listed('events', [
        { ...published, ...times, id: 100, title: 'Concert', slug: 'concert', ticketed: ['tc'] },
      ]),
      'tribe/tickets/v1/tickets': listed('tickets', [
        {
          ...published,
          id: 200,
          title: 'Seat',
          provider: 'tc',
          post_id: 100,
          capacity: 40,
          sku: '',
          cost_details: { values: ['12,50'] },
        },
      ]),
      'tribe/tickets/v1/attendees': listed('attendees', [
        {
          ...published,
          id: 301,
          title: 'Ada Lindqvist',
          provider: 'tc',
          ticket_id: 200,
          post_id: 100,
          email: 'ada@post.example',
          order: '',
          payment: { price: '12,50' },
        },
      ]),
    }));
    const source = openSource({ address: old.address, formerAddress: HOME, credentials: { user: 'a', password: 'b' } });
    const ctx = { ...(await administratorContext(server().context, endpointOf)), language: 'en' };
    await importSite({ source, ctx });
    await old.close();
    expect((await scan(301, 'ab872590bb')).status).not.toBe(201);
    await run('--sql', sql);
    expect((await scan(301, 'ab872590bb')).status).toBe(201);
    expect(await findings()).toContain('order 300 order-known');
    expect(await damage()).toEqual([]);
  });

  it('refuses files of another kind, in one sentence', async () => {
    const { sql, wxr, folder, uploads } = await written();
    const refused = async (args: string[], sentence: RegExp) => {
      const { status, errors } = await run(...args);
      expect([status, errors.join('\n')]).toEqual([1, expect.stringMatching(sentence)]);
    };
    const file = async (name: string, content: string | Buffer) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const dump = dumpOf(SITE, 'lh7_');
    const xml = exportOf(SITE);
    await refused(['--sql', join(folder, 'none.sql')], /cannot be read/);
    await refused(['--sql', await file('text.sql', 'Nothing here;')], /no tables of a WordPress site/);
    await refused(['--sql', await file('cut.sql', dump.slice(0, dump.length / 2))], /breaks off/);
    await refused(['--sql', await file('cut.sql.gz', gzipSync(dump).subarray(0, 2000))], /cannot be unpacked/);
    await refused(['--sql', await file('no.sql.gz', 'not packed')], /cannot be unpacked/);
    await refused(
      ['--sql', await file('two.sql', dump + dumpOf(SITE, 'other_'))],
      /several sites\. Choose one with --prefix: lh7_, other_/,
    );
    await refused(['--sql', sql, '--prefix', 'none_'], /no options of a site/);
    await refused(['--sql', sql, '--uploads', join(folder, 'none')], /does not exist/);
    await refused(
      ['--wxr', await file('cut.xml', xml.slice(0, xml.length / 2))],
      /not well-formed XML: line \d+, column \d+/,
    );
    await refused(
      ['--wxr', await file('tag.xml', xml.replace('</item>', '</wrong>'))],
      /not well-formed XML: line \d+/,
    );
    await refused(
      ['--wxr', await file('feed.xml', '<rss version="2.0"><channel><title>A</title></channel></rss>')],
      /not an export/,
    );
    const bomb = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    await refused(['--wxr', await file('bomb.xml', xml.replace('<rss', `${bomb}<rss`))], /document type/);
    await refused(['--wxr', await file('entity.xml', xml.replace('Site &#38; more', '&file;'))], /not well-formed XML/);
    await refused(['--wxr', await file('deep.xml', `<rss><channel>${'<a>'.repeat(50)}`)], /nested too deeply/);
    await refused(
      ['--wxr', await file('long.xml', `<rss><channel><title>${'x'.repeat(17_000_000)}`)],
      /longer than 16 million/,
    );
    await refused(['--sql', sql, '--wxr', wxr], /name one of them/);
    await refused(['https://old.example', '--sql', sql], /name one of them/);
    await refused(['https://old.example', '--uploads', uploads], /belong to --sql, --wxr or --mysql/);
    await refused([], /Name the address/);
    expect(await server().context.db.query.selectFrom('imports').select('id').execute()).toEqual([]);
  });
});
