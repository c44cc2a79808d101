import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../src/app.ts';
import { findIncompleteRecords } from '../src/db/integrity.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { undoImport } from '../src/moving/undo/undo-import.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { fileImportCommands } from '../src/server/cli/import-files.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import { makeAttendee, makeSeat } from './attendees.ts';
import { runCommand } from './commands.ts';
import { DATABASES, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf, serialized, type WordpressPost, type WordpressSite } from './wordpress-files.ts';

/** Undoing imports. */

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Meta = NonNullable<WordpressPost['meta']>;

const event = (id: number, title: string, fields: Partial<WordpressPost> = {}): WordpressPost => ({
  ...{ id, type: 'tribe_events', title, slug: title.toLowerCase().replaceAll(' ', '-'), author: 2, terms: [4, 30] },
  ...fields,
  meta: [
    ['_EventStartDate', '2027-02-03 19:00:00'],
    ['_EventEndDate', '2027-02-03 21:00:00'],
    ['_EventStartDateUTC', '2027-02-03 18:00:00'],
    ['_EventEndDateUTC', '2027-02-03 20:00:00'],
    ['_EventTimezone', 'Europe/Berlin'],
    ['_EventVenueID', '60'],
    ['_thumbnail_id', '40'],
    ...(fields.meta ?? []),
  ],
});
const seat = (id: number, order: number, name: string, meta: Meta = []): WordpressPost => ({
  ...{ id, type: 'tec_tc_attendee', parent: order },
  meta: [
    ['_tec_tickets_commerce_ticket', '200'],
    ['_tec_tickets_commerce_event', '100'],
    ['_tec_tickets_commerce_full_name', name],
    ['_tec_tickets_commerce_email', 'ada@post.example'],
    ['_tec_tickets_commerce_security_code', `code${id}`],
    ['_tec_tickets_commerce_price_paid', '12.50'],
    ...meta,
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

/** The old site; a year later, with changes everywhere. */
const siteOf = (isLater: boolean): WordpressSite => ({
  home: 'https://lantern.example',
  options: { timezone_string: 'Europe/Berlin' },
  users: [
    {
      ...{ id: 2, login: 'bo', pass: 'ef531641a1bcd69f6233edff6726aa07', email: 'bo@post.example' },
      meta: [['wp_capabilities', serialized({ editor: true })]],
    },
  ],
  terms: [
    { id: 5, taxonomy: 'tribe_events_cat', name: isLater ? 'Music and dance' : 'Music', slug: 'music' },
    { id: 4, taxonomy: 'tribe_events_cat', name: 'Folk', slug: 'folk', parent: 5 },
    { id: 30, taxonomy: 'post_tag', name: 'Open air', slug: 'open-air' },
  ],
  posts: [
    {
      ...{ id: 40, type: 'attachment', title: 'Mill', slug: 'mill-page', mime: 'image/png' },
      meta: [['_wp_attached_file', '2026/09/mill.png']],
    },
    {
      ...{ id: 60, type: 'tribe_venue', title: 'Old Mill', slug: 'old-mill' },
      meta: [['_VenueCity', isLater ? 'Südhafen' : 'Nordhafen']],
    },
    event(100, 'Concert', {
      ...(isLater && { title: 'Great concert', slug: 'great-concert', content: 'Longer', terms: [5] }),
      meta: [['_EventURL', isLater ? 'https://great.example/' : 'https://concert.example/']],
    }),
    event(101, 'Twin', { status: 'draft' }),
    {
      ...{ id: 200, type: 'tec_tc_ticket', title: isLater ? 'Chair' : 'Seat' },
      meta: [
        ['_tec_tickets_commerce_event', '100'],
        ['_price', isLater ? '15' : '12.50'],
        ['_manage_stock', 'yes'],
        ['_stock', '8'],
        ['_tribe_ticket_capacity', '10'],
        ['_global_stock_mode', 'own'],
      ],
    },
    order(400, 'tec-tc-completed', isLater ? '37.50' : '25'),
    seat(300, 400, isLater ? 'Ada L.' : 'Ada', isLater ? [['_tec_tickets_commerce_checked_in', '1']] : []),
    seat(301, 400, 'Bo'),
    order(402, 'tec-tc-pending', '12.50', [
      ['_tec_tc_order_items', serialized([{ ticket_id: 200, quantity: 1, price: '12.50' }])],
    ]),
    ...(isLater ? [event(102, 'New one'), seat(305, 400, 'Late')] : []),
  ],
});

const TABLES = [
  ...['users', 'app_passwords', 'records', 'media', 'events', 'linked_posts', 'terms', 'event_links', 'translations'],
  ...['former_slugs', 'tickets', 'event_stock', 'orders', 'order_items', 'order_charges', 'order_log', 'payments'],
  ...['payment_log', 'attendees', 'series', 'occurrences', 'import_links'],
];
/** Counters of edits. */
const EDITS = new Set(['revision', 'ical_sequence', 'last_seen_utc']);

const wordpress = importCommands.find(({ name }) => name === 'import wordpress');
const undo = importCommands.find(({ name }) => name === 'import undo');

describe.each(DATABASES)('the undoing of an import on %s', (kind) => {
  const server = useTestServer(
    kind,
    { timezone: 'Europe/Berlin', currency: 'EUR', currencySymbol: '€', languages: ['en', 'de'] },
    { isFreshEachTime: true },
  );
  const content = async () => {
    const { db } = server().context;
    const found: Record<string, unknown[]> = {};
    for (const table of TABLES) {
      const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(db.query);
      const left = (name: string) =>
        !EDITS.has(name) && !(table === 'import_links' && /^(import_id|seen_utc|hash|fields)$/.test(name));
      found[table] = rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => left(name)))).toSorted();
    }
    return found;
  };
  /** Records with the ids of the source, which only accounts do not keep. */
  const linked = () =>
    server()
      .context.db.query.selectFrom('import_links')
      .select(['kind', 'foreign_id', 'record_id'])
      .where('kind', '<>', 'account')
      .orderBy('kind')
      .orderBy('foreign_id')
      .execute();
  const answers = async () => {
    const lists = [
      ...['GET /events?status=publish,draft,private&start_date=2000-01-01', 'GET /venues', 'GET /organizers'],
      ...['GET /categories', 'GET /tags', 'GET tickets:/tickets', 'GET tickets:/attendees', 'GET admin:/orders'],
      ...['GET admin:/media', 'GET admin:/users'],
    ];
    const read = async (path: string) => (await server().ask(path, { as: 'administrator' })).text;
    const withoutEdits = (name: string, value: unknown) => (EDITS.has(name) ? undefined : value);
    return Promise.all(lists.map(async (path) => JSON.parse(await read(path), withoutEdits)));
  };
  const damage = async () => {
    const { db } = server().context;
    return [...(await findWrongCounters(db)), ...(await findIncompleteRecords(db)), ...(await findBookErrors(db))];
  };
  const importSite = async (isLater: boolean) => {
    const folder = await temporaryFolder('undo');
    await mkdir(join(folder, 'uploads/2026/09'), { recursive: true });
    await writeFile(join(folder, 'uploads/2026/09/mill.png'), PIXEL);
    await writeFile(join(folder, 'site.sql'), dumpOf(siteOf(isLater)));
    const args = ['--sql', join(folder, 'site.sql'), '--uploads', join(folder, 'uploads')];
    const { status, errors, out } = await runCommand(wordpress, server().context, args);
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    return out;
  };
  const importText = async (name: 'csv' | 'ical', text: string, ...args: string[]) => {
    const file = join(await temporaryFolder('undo'), 'file');
    await writeFile(file, text);
    const command = fileImportCommands.find((one) => one.name === `import ${name}`);
    const { status, errors, out } = await runCommand(command, server().context, [file, ...args]);
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    return out;
  };
  const undoOne = (...args: string[]) => runCommand(undo, server().context, args);
  const latest = async () => {
    const imports = server().context.db.query.selectFrom('imports').select('id').orderBy('id', 'desc');
    return String((await imports.limit(1).executeTakeFirstOrThrow()).id);
  };
  /** Gives the site an event of its own, with a ticket that was sold. */
  const furnish = async () => {
    const { id } = await server().make('POST /events', {
      ...{ title: 'Our own', start_date: '2027-05-01 20:00', end_date: '2027-05-01 22:00', tags: ['open-air'] },
    });
    await makeAttendee(server(), await makeSeat(server(), id));
  };

  it('leaves the site as it was before, and lets it be imported again', async () => {
    await furnish();
    const [empty, emptyAnswers] = [await content(), await answers()];
    await importSite(false);
    const first = await latest();
    const [imported, importedAnswers, links] = [await content(), await answers(), await linked()];
    await importSite(true);
    const second = await latest();
    expect(await content()).not.toEqual(imported);
    expect((await undoOne(first)).errors).toEqual([
      `Import ${second} of the same source is later. Undo that one first.`,
    ]);

    const planned = await undoOne(second, '--dry-run');
    expect(planned.errors).toEqual([]);
    const undone = await undoOne(second);
    expect({ status: undone.status, errors: undone.errors }).toEqual({ status: 0, errors: [] });
    expect(undone.out.sort()).toEqual(planned.out.filter((line) => /^(removed|restored|kept):/.test(line)).sort());
    expect(await damage()).toEqual([]);
    expect(await content()).toEqual(imported);
    expect(await answers()).toEqual(importedAnswers);

    expect((await undoOne(first)).errors).toEqual([]);
    expect(await damage()).toEqual([]);
    expect(await content()).toEqual(empty);
    expect(await answers()).toEqual(emptyAnswers);
    expect((await undoOne(first)).out.some((line) => line.startsWith('kept'))).toBe(false);

    await importSite(false);
    expect(await linked()).toEqual(links);
    expect(await damage()).toEqual([]);
  });

  it('is refused once a ticket was sold or checked in here, and names them', async () => {
    await importSite(false);
    const id = await latest();
    const before = await content();
    const sold = await makeAttendee(server(), 200);
    const refused = await undoOne(id);
    expect(refused.status).toBe(1);
    expect(refused.out).toEqual([
      expect.stringMatching(/^kept +event +100 {2}Concert .*has tickets that were sold here.*: 1$/),
    ]);
    expect(refused.errors[0]).toContain('Nothing was changed. With --except-sold, these stay.');
    await server().ask(`POST tickets:/attendees/300`, { as: 'administrator', body: { check_in: true } });
    expect((await undoOne(id, '--dry-run')).out).toEqual([
      expect.stringMatching(/^kept +event +100 /),
      expect.stringMatching(/^kept +attendee +300 +Ada +was checked in here/),
    ]);
    expect((await content()).orders).toHaveLength((before.orders?.length ?? 0) + 1);

    const planned = await undoOne(id, '--except-sold', '--dry-run');
    const rest = await undoOne(id, '--except-sold');
    expect(rest.errors).toEqual([]);
    const kept = (lines: string[]) => lines.filter((line) => /^kept /.test(line)).map((line) => line.split(/ +/)[1]);
    expect(kept(rest.out)).toEqual(kept(planned.out));
    expect(new Set(kept(rest.out))).toEqual(
      new Set(['order', 'attendee', 'ticket', 'event', 'venue', 'tag', 'category', 'media', 'account']),
    );
    const events = await server().context.db.query.selectFrom('events').select('id').execute();
    expect(events).toEqual([{ id: 100 }]);
    const { body } = await server().ask(`GET tickets:/attendees/${sold.id}`, { as: 'administrator' });
    expect(body.id).toBe(sold.id);
    expect(await damage()).toEqual([]);
  });

  it('keeps an event that sells a ticket while it is undone, with all that it needs', async () => {
    await importSite(false);
    const { context } = server();
    const ctx = await administratorContext(context, endpointOf);
    let sold: { id: number } | undefined;
    const transaction: typeof context.db.transaction = async (work) => {
      sold ??= await makeAttendee(server(), 200);
      return context.db.transaction(work);
    };
    const during = { ...ctx, context: { ...context, db: { ...context.db, transaction } } };
    const { counts, notes } = await undoImport(during, Number(await latest()));
    expect(counts.kept).toMatchObject({ ticket: 1, event: 1, venue: 1 });
    expect(counts.removed).toMatchObject({ order: 2, attendee: 3, event: 1 });
    expect(notes).toContainEqual(
      expect.objectContaining({ kind: 'ticket', id: 200, reason: { code: 'sold-here', detail: '1' } }),
    );
    const { body } = await server().ask(`GET tickets:/attendees/${sold?.id}`, { as: 'administrator' });
    expect(body).toMatchObject({ ticket_id: 200, post_id: 100 });
    expect(await damage()).toEqual([]);
  });

  it('keeps what was changed here since, and names it', async () => {
    await importSite(false);
    const id = await latest();
    await server().ask('PATCH /events/101', { as: 'administrator', body: { title: 'Our title' } });
    await server().ask('POST tickets:/attendees/301', { as: 'administrator', body: { full_name: 'Bo Berg' } });
    const { errors, out } = await undoOne(id);
    expect(errors).toEqual([]);
    expect(out).toContainEqual(expect.stringMatching(/^kept +event +101 +Our title +was changed here since.*title/));
    expect(out).toContainEqual(expect.stringMatching(/^kept +order +400 +Ada Lindqvist +was changed here since/));
    // Its venue, category and account stay with it.
    const { body } = await server().ask('GET /events/101', { as: 'administrator' });
    expect(body).toMatchObject({ title: 'Our title', venue: { id: 60 }, categories: [{ id: 4 }] });
    const orders = await server().context.db.query.selectFrom('orders').select('id').execute();
    expect(orders).toEqual([{ id: 400 }]);
    expect(await damage()).toEqual([]);

    await importSite(true);
    const later = await latest();
    await server().ask('PATCH /venues/60', { as: 'administrator', body: { phone: '123' } });
    expect((await undoOne(later)).out).toContainEqual(
      expect.stringMatching(/^kept +venue +60 +Old Mill +was changed here/),
    );
    expect((await server().ask('GET /venues/60')).body).toMatchObject({ city: 'Südhafen', phone: '123' });
    expect(await damage()).toEqual([]);
  });

  it('goes on after an interruption at any page, and ends the same', async () => {
    await furnish();
    const before = await content();
    await importSite(false);
    const { context } = server();
    const ctx = await administratorContext(context, endpointOf);
    const id = Number(await latest());
    let pages = 0;
    for (let done = false; !done; pages++) {
      // Ends with the second transaction, as a killed process would.
      let left = 2;
      const transaction: typeof context.db.transaction = (work) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return context.db.transaction(work);
      };
      const db = { ...context.db, transaction };
      try {
        await undoImport({ ...ctx, context: { ...context, db } }, id);
        done = true;
      } catch (error) {
        expect(String(error)).toContain('killed');
      }
    }
    expect(pages).toBeGreaterThan(3);
    expect(await content()).toEqual(before);
    expect(await damage()).toEqual([]);
  });

  it('undoes tables and calendars, also series', async () => {
    await furnish();
    const [before, beforeAnswers] = [await content(), await answers()];
    const calendar = (title: string, sequence: number, rule: string) =>
      [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z'],
        ...['UID:weekly', `SUMMARY:${title}`, `SEQUENCE:${sequence}`, 'DTSTART:20270301T180000Z', 'LOCATION:Old Mill'],
        ...[`RRULE:${rule}`, 'END:VEVENT', 'BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', 'UID:weekly'],
        ...['RECURRENCE-ID:20270308T180000Z', `SUMMARY:${title} special`, 'DTSTART:20270308T190000Z', 'END:VEVENT'],
        ...['BEGIN:VEVENT', 'UID:one', `SUMMARY:${title} alone`, 'DTSTART:20270401T180000Z', 'END:VEVENT'],
        ...['END:VCALENDAR', ''],
      ].join('\r\n');
    await importText('ical', calendar('Dance', 1, 'FREQ=WEEKLY;COUNT=4'));
    const [imported, first] = [await answers(), await latest()];
    await importText('ical', calendar('Ball', 2, 'FREQ=WEEKLY;COUNT=6'));
    expect((await undoOne(await latest())).errors).toEqual([]);
    const titles = (all: Awaited<ReturnType<typeof answers>>) =>
      all[0]?.events.map(({ title, start_date }: Record<string, string>) => `${start_date} ${title}`).sort();
    expect(titles(await answers())).toEqual(titles(imported));
    expect(await damage()).toEqual([]);
    // The former version may come again.
    expect((await importText('ical', calendar('Dance', 1, 'FREQ=WEEKLY;COUNT=4'))).join()).not.toContain('created');
    await importText('ical', calendar('Ball', 2, 'FREQ=WEEKLY;COUNT=6'));
    expect(await damage()).toEqual([]);
    expect((await undoOne(await latest())).errors).toEqual([]);
    const third = await latest();
    expect(third).not.toBe(first);
    expect((await undoOne(first)).errors).toEqual([]);

    const events = 'Event Name,Event Start Date,Event Venue Name\nHarvest,2027-10-02,Green\nEvening,2027-10-03,Green\n';
    await importText('csv', events, '--kind', 'events');
    const table = await latest();
    const own = await server()
      .context.db.query.selectFrom('events')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const guests = `Event ID,Attendee Name,Attendee Email,Order ID\n${own.id},Cy,cy@post.example,7\n${own.id},Di,,7\n`;
    await importText('csv', guests, '--kind', 'attendees');
    expect((await undoOne(await latest())).errors).toEqual([]);
    expect((await undoOne(table)).errors).toEqual([]);
    const { import_links: _links, ...after } = await content();
    const { import_links: _earlier, ...earlier } = before;
    expect(after).toEqual(earlier);
    expect(await answers()).toEqual(beforeAnswers);
    expect(await damage()).toEqual([]);
  });

  it('is refused for an import that is unknown, changed nothing, or has a subscription', async () => {
    expect((await undoOne('77')).errors).toEqual(['There is no import 77.']);
    expect((await undoOne('x')).errors).toEqual(['There is no import "x".']);
    expect((await undoOne()).out).toEqual(['There is no import to undo.']);
    await importSite(false);
    const id = await latest();
    expect((await undoOne()).out).toEqual([expect.stringMatching(new RegExp(`^${id} .*https://lantern.example`))]);
    await importSite(false);
    expect((await undoOne(await latest())).errors).toEqual([expect.stringContaining('changed nothing')]);
    const { db } = server().context;
    const now = '2026-01-01 00:00:00';
    await db.query
      .insertInto('subscriptions')
      .values({
        ...{ address: 'https://lantern.example', status: 'publish', hours: 4, created_utc: now, due_utc: now },
        ...{ checked_utc: null, succeeded_utc: null, import_id: null },
      })
      .execute();
    expect((await undoOne(id)).errors).toEqual([expect.stringMatching(/^Subscription \d+ would import/)]);
  });
});
