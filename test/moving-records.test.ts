import { afterEach, describe, expect, it } from 'vitest';
import { endpointOf } from '../src/app.ts';
import { findIncompleteRecords } from '../src/db/integrity.ts';
import { ApiError } from '../src/http/core/errors.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { diffSite } from '../src/moving/diff.ts';
import { importSite } from '../src/moving/import-site.ts';
import { openSource, SourceError } from '../src/moving/source.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import { runCommand } from './commands.ts';
import { listed, type OldSite, siteWith } from './old-sites.ts';
import { DATABASES, useTestServer } from './server.ts';

/** Records of an old site, also broken ones. */

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const TERM = { description: '', parent: 0, count: 1 };
const CATEGORIES = [
  { ...TERM, id: 5, name: 'Folk &amp; Roots', slug: 'folk-roots', parent: 4 },
  { ...TERM, id: 4, name: 'Music', slug: 'music' },
  { ...TERM, id: 6, name: 'Lost', slug: 'lost', parent: 8888 },
  { ...TERM, id: 7, name: 'Egg', slug: 'egg', parent: 8 },
  { ...TERM, id: 8, name: 'Hen', slug: 'hen', parent: 7 },
];

const PUBLISHED = {
  ...{ author: '2', status: 'publish', date: '2026-05-01 10:00:00', date_utc: '2026-05-01 08:00:00' },
  ...{ modified: '2026-05-02 10:00:00', modified_utc: '2026-05-02 08:00:00' },
};
const VENUE = { ...PUBLISHED, id: 20, venue: 'Old Mill', slug: 'old-mill', city: 'Nordhafen', show_map: true };
const DRAFT_VENUE = { ...PUBLISHED, id: 21, venue: 'Only in an event', slug: 'only-in-an-event' };

const EVENT = {
  ...PUBLISHED,
  ...{ title: 'Concert', slug: 'concert', description: '', excerpt: '', website: '', all_day: false },
  ...{ start_date: '2027-02-03 19:00:00', end_date: '2027-02-03 21:00:00', timezone: 'Europe/Berlin' },
  ...{ utc_start_date: '2027-02-03 18:00:00', utc_end_date: '2027-02-03 20:00:00' },
  ...{ show_map: true, show_map_link: false, hide_from_listings: false, sticky: false, featured: false },
  ...{ cost: '', cost_details: { currency_symbol: '', currency_position: '', values: [] }, image: false, ticketed: [] },
  ...{ categories: [], tags: [], venue: [], organizer: [] },
};

const TEXT = `<!-- wp:paragraph --><p class="wp-block-paragraph">See <a href="HOST/event/other/?a=1&amp;b=2">the other</a>,
  <a href="https://elsewhere.example/event/x/">a friend</a><script>alert(1)</script> [sic]</p><!-- /wp:paragraph -->
  <div class="tribe-block tribe-block__venue"><h3>Old Mill</h3></div>
  <img src="HOST/wp-content/uploads/2026/09/mill-300x200.png" alt="A mill">
  [caption id="a" width="300"]Inside[/caption] [foogallery id="12"]`;

const EVENTS = [
  {
    ...EVENT,
    id: 100,
    title: 'Tom &amp; Jerry&#8217;s &lt;b&gt;quiz&lt;/b&gt;',
    description: TEXT,
    venue: VENUE,
    categories: [CATEGORIES[0]],
  },
  { ...EVENT, id: 101, slug: 'twins', venue: DRAFT_VENUE, image: { id: 50, url: 'HOST/wp-content/uploads/mill.png' } },
  { ...EVENT, id: 102, slug: 'twins', image: { id: 51, url: 'HOST/wp-content/uploads/deleted.png' } },
  { ...EVENT, id: 103, slug: 'no-end', end_date: null },
  { ...EVENT, id: 104, slug: 'early', end_date: '2027-02-02 21:00:00' },
  { ...EVENT, id: 105, slug: 'tuesday', start_date: 'next tuesday-ish', utc_start_date: '' },
  { ...EVENT, id: 106, slug: 'atlantis', timezone: 'Europe/Atlantis' },
  { ...EVENT, id: 107, slug: 'contradiction', utc_start_date: '2027-02-03 10:00:00' },
  { ...EVENT, id: 108, title: '', slug: 'untitled', website: 'not an address' },
  { ...EVENT, id: 109, slug: 'broken-text', title: 'Caf\ufffd' },
  { ...EVENT, id: 110, slug: '', status: 'draft', date: '0000-00-00 00:00:00', date_utc: '0000-00-00 00:00:00' },
  // All day, on a site whose days end at three in the morning.
  {
    ...EVENT,
    id: 111,
    slug: 'all-day',
    all_day: true,
    start_date: '2027-03-01 03:00:00',
    end_date: '2027-03-03 02:59:59',
  },
  {
    ...EVENT,
    id: 112,
    slug: 'sold',
    cost: '10 € – 12,50 €',
    cost_details: { currency_symbol: '€', currency_position: 'postfix', values: ['10', '12.50'] },
  },
  { ...EVENT, id: 'x', slug: 'no-id' },
  { ...EVENT, id: 113, slug: 'locked', ticketed: null, featured: null, sticky: null, show_map: null },
  { ...EVENT, id: 9_000_000_000, slug: 'huge' },
];

const TICKET = {
  ...PUBLISHED,
  ...{ post_id: 112, provider: 'tc', description: '', capacity: 2, sku: '', available_from: '2026-01-01 09:00:00' },
  ...{
    available_until: '2027-02-03 19:00:00',
    available_from_start_time: '09:00:00',
    available_from_end_time: '19:00:00',
  },
  capacity_details: { available: 0, max: 2, sold: 2, pending: 0, global_stock_mode: 'own' },
  cost_details: { currency_symbol: '€', values: ['12,50'] },
};
const TICKETS = [
  { ...TICKET, id: 200, title: 'Seat' },
  { ...TICKET, id: 201, title: 'Reply', provider: 'rsvp', capacity: -1, capacity_details: {}, sku: null },
  { ...TICKET, id: 202, title: 'Of a deleted event', post_id: 77778 },
];

const ATTENDEE = {
  ...PUBLISHED,
  ...{ post_id: 112, ticket_id: 200, provider: 'tc', email: 'ada@post.example', optout: false, checked_in: false },
  ...{ checkin_details: false, payment: { price: '12,50' } },
};
const ATTENDEES = [
  { ...ATTENDEE, id: 300, title: 'Ada', order: 400 },
  { ...ATTENDEE, id: 301, title: 'Bo', order: 400 },
  { ...ATTENDEE, id: 302, title: 'Third of two seats', order: 401 },
  { ...ATTENDEE, id: 303, title: '', email: '', order: '' },
  {
    ...{ ...ATTENDEE, id: 304, title: 'Reply', ticket_id: 201, provider: 'rsvp', order: 304, rsvp_going: true },
    ...{ checked_in: true, checkin_details: { date: '2026-11-20 19:30:00', source: 'app' } },
  },
  { ...ATTENDEE, id: 305, title: 'Of a deleted ticket', ticket_id: 9999, order: 402 },
];

const V1 = 'tribe/events/v1';
const site = () => ({
  [`${V1}/categories`]: listed('categories', CATEGORIES),
  [`${V1}/tags`]: listed('tags', [{ ...TERM, id: 30, name: 'Open air', slug: 'open-air' }]),
  [`${V1}/venues`]: listed('venues', [VENUE]),
  [`${V1}/organizers`]: listed('organizers', []),
  [`${V1}/events`]: listed('events', EVENTS),
  'tribe/tickets/v1/tickets': listed('tickets', TICKETS),
  'tribe/tickets/v1/attendees': listed('attendees', ATTENDEES),
  'wp/v2/media/50': {
    id: 50,
    alt_text: 'A mill at a river',
    title: { rendered: 'Mill' },
    date_gmt: '2026-01-02T03:04:05',
  },
  '/wp-content/uploads/mill.png': PIXEL,
  '/wp-content/uploads/2026/09/mill.png': PIXEL,
});

describe.each(DATABASES)('an import of broken records on %s', (kind) => {
  const server = useTestServer(
    kind,
    { timezone: 'Europe/Berlin', currency: 'EUR', currencySymbol: '€' },
    { isFreshEachTime: true },
  );
  const opened: OldSite[] = [];
  const open = async (bodies: () => Record<string, unknown>): Promise<OldSite> => {
    const one = await siteWith(bodies);
    opened.push(one);
    return one;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const importFrom = async ({ address }: OldSite) => {
    const source = openSource({ address, credentials: { user: 'a', password: 'b' }, pause: async () => undefined });
    return importSite({
      source,
      ctx: { ...(await administratorContext(server().context, endpointOf)), language: 'en' },
    });
  };

  it('names each in the report and loses nothing else', async () => {
    const old = await open(site);
    const { id, counts } = await importFrom(old);
    const { db } = server().context;
    const notes = await db.query.selectFrom('import_findings').selectAll().where('import_id', '=', id).execute();
    const found = notes.map(({ kind: about, foreign_id, code }) => `${about} ${foreign_id} ${code}`.trim()).sort();
    expect(found).toEqual(
      [
        ...['category 6 parent-missing', 'category 7 parent-loop', 'category 8 parent-loop', '0 image-lost'],
        ...['event 100 shortcode', 'event 100 shortcode', 'event 102 image-missing', 'event 102 slug-changed'],
        ...[
          'event 103 no-end',
          'event 104 ends-early',
          'event 105 no-start',
          'event 106 left-out',
          'event 107 utc-differs',
        ],
        ...['event 108 left-out', 'event 108 no-title', 'event 109 broken-text', 'event 0 no-id', 'event 0 no-id'],
        ...[
          'event 113 password',
          'ticket 202 no-event',
          'attendee 303 no-name',
          'attendee 303 no-order',
          'attendee 305 no-ticket',
        ],
      ].sort(),
    );
    expect(counts.created).toMatchObject({ event: 13, category: 5, venue: 2, ticket: 2, attendee: 5, media: 2 });
    expect(await findWrongCounters(db)).toEqual([]);
    expect(await findIncompleteRecords(db)).toEqual([]);
    expect(await findBookErrors(db)).toEqual([]);

    const event = async (about: number) => (await server().ask(`GET /events/${about}`, { as: 'administrator' })).body;
    const first = await event(100);
    expect(first.title).toBe('Tom & Jerry’s quiz');
    expect(first.description).toContain('<a href="/event/other/?a=1&amp;b=2">the other</a>');
    expect(first.description).toContain('<a href="https://elsewhere.example/event/x/">a friend</a>');
    expect(first.description).toContain('[sic]');
    expect(first.description).toMatch(/<img src="\/uploads\/[^"]+" alt="A mill"/);
    expect(first.description).not.toMatch(/wp:|script|Old Mill|foogallery|caption|class=/);
    expect(first).toMatchObject({
      venue: { id: 20, venue: 'Old Mill' },
      categories: [{ id: 5, name: 'Folk & Roots', parent: 4 }],
    });
    expect(await event(101)).toMatchObject({
      slug: 'twins',
      venue: { id: 21 },
      image: { id: 50, alt: 'A mill at a river' },
    });
    expect(await event(102)).toMatchObject({ slug: 'twins-2', image: false });
    for (const about of [103, 104]) expect((await event(about)).end_date).toBe('2027-02-03 19:00:00');
    expect((await event(106)).timezone).toBe('Europe/Berlin');
    expect(await event(107)).toMatchObject({
      start_date: '2027-02-03 19:00:00',
      utc_start_date: '2027-02-03 18:00:00',
    });
    expect(await event(108)).toMatchObject({ title: 'Event 108', website: '' });
    expect((await event(110)).status).toBe('draft');
    expect(await event(111)).toMatchObject({ start_date: '2027-03-01 00:00:00', end_date: '2027-03-02 23:59:59' });
    expect((await event(113)).status).toBe('private');

    const order = (await server().ask('GET admin:/orders/400', { as: 'administrator' })).body;
    expect(order).toMatchObject({ status: 'completed', total: { minor: 2500 }, gateway: 'imported' });
    const seat = (await server().ask('GET tickets:/tickets/200', { as: 'administrator' })).body;
    expect(seat.capacity_details).toMatchObject({ sold: 4, available: 0, max: 2 });
    const reply = (await server().ask('GET tickets:/attendees/304', { as: 'administrator' })).body;
    expect(reply.checkin_details).toMatchObject({ date: '2026-11-20 19:30:00', source: 'app' });
    expect(await db.query.selectFrom('mails').select('id').execute()).toEqual([]);
  });

  it('ends a comparison at a fault of this site, which is not a missing record', async () => {
    const old = await open(site);
    await importFrom(old);
    const ctx = { ...(await administratorContext(server().context, endpointOf)), language: 'en' };
    const compareWith = (own: typeof endpointOf) => {
      const source = openSource({
        address: old.address,
        credentials: { user: 'a', password: 'b' },
        pause: async () => undefined,
      });
      return diffSite({ source, ctx: { ...ctx, endpointOf: own }, onDifference: () => undefined });
    };
    const failing =
      (error: Error): typeof endpointOf =>
      (name) => {
        const endpoint = endpointOf(name);
        return endpoint && { ...endpoint, handle: () => Promise.reject(error) };
      };
    const { records } = await compareWith(endpointOf);
    expect((await compareWith(failing(new ApiError('mail-not-found')))).records).toBe(records);
    await expect(compareWith(failing(new Error('database is locked')))).rejects.toThrow('database is locked');
  });

  it('is refused if the address is no site, and never sends a password elsewhere', async () => {
    const run = async (...args: string[]) => {
      const command = importCommands.find(({ name }) => name === 'import wordpress');
      const { status, errors } = await runCommand(command, server().context, args);
      return { status, error: errors.join('\n') };
    };
    const old = await open(() => ({ [`${V1}/categories`]: { categories: 'none' } }));
    expect(await run('ftp://old.example')).toEqual({ status: 1, error: '"ftp://old.example" is not a web address.' });
    expect((await run('http://anna:secret@old.example')).error).toMatch(/^Leave the password out/);
    expect((await run(old.address, '--user', 'anna')).error).toBe('--user and --password-file belong together.');
    expect((await run(old.address, '--resume')).error).toMatch(/^There is no unfinished import/);
    expect(await run(old.address)).toEqual({
      status: 1,
      error: 'The source sent something other than a list.',
    });
    expect((await run(old.address, '--dry-run', '--resume')).status).toBe(1);
  });

  it('does not follow a site to other addresses', async () => {
    const elsewhere = await open(() => ({}));
    const { createServer } = await import('node:http');
    const moved = createServer((_request, response) => {
      response.writeHead(302, { location: `${elsewhere.address}/wp-json/` }).end();
    });
    await new Promise<void>((resolve) => void moved.listen(0, '127.0.0.1', resolve));
    const address = moved.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    const source = openSource({
      ...{ address: `http://127.0.0.1:${address.port}`, credentials: { user: 'a', password: 'b' } },
      pause: async () => undefined,
    });
    await expect(source.read('')).rejects.toThrow(SourceError);
    expect(elsewhere.requests).toEqual([]);
    await new Promise((resolve) => void moved.close(resolve));
  });
});
