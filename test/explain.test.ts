import { rm } from 'node:fs/promises';

import { join } from 'node:path';
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertRows } from '../bench/bulk.ts';
import { type Generated, generate } from '../bench/generate.ts';
import { WORDS } from '../bench/words.ts';
import { DATE_FILTERS, type DateFilter, dateWindow } from '../src/calendar/events/lists/date-filters.ts';
import type { EventFilter } from '../src/calendar/events/lists/filter.ts';
import { listEvents } from '../src/calendar/events/lists/list-query.ts';
import { isPasswordOfAny } from '../src/calendar/events/store.ts';
import { type LinkedPostFilter, listLinkedPosts } from '../src/calendar/linked-posts/filter.ts';
import { currentCache } from '../src/db/current-cache.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { newRecordIds } from '../src/db/record-ids.ts';
import { ANONYMOUS } from '../src/http/core/auth.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { toUtc } from '../src/lib/dates/dates.ts';
import { type AttendeeFilter, listAttendees } from '../src/ticketing/attendees/filter.ts';
import { readMoneyRows } from '../src/ticketing/books/money-rows.ts';
import { findMissingDates } from '../src/ticketing/orders/passes/missing-dates.ts';
import { listOrders } from '../src/ticketing/orders/store.ts';
import { withDates } from './dates.ts';
import { createDatabase } from './postgres.ts';
import { DATABASES } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NOW = new Date('2026-11-21T17:00:00Z');
/** Enough for PostgreSQL to prefer an index. */
const EVENTS = 3000;

const inWindow = (dates: Partial<Record<DateFilter, string>>) =>
  dateWindow(withDates(dates, DATE_FILTERS), { siteZone: 'UTC', now: NOW, strict: false }).bounds;

const ANYBODY: EventFilter = {
  visibility: { statuses: ['publish'], label: 'publish' },
  bounds: inWindow({}),
  reader: { viewer: ANONYMOUS },
  asksMasked: false,
  linked: {},
};

interface List {
  /** The index that must serve it. */
  index: RegExp;
  restrict(known: Generated): Partial<EventFilter>;
}

const OF_EVENTS = /events_listed|events_by_start/;
const OF_LINKS = /event_links_listed/;
/** As SQLite and PostgreSQL say it. */
const OF_ONE_STATUS =
  /event_links_listed (?:\(kind=\? AND target_id=\? AND status=\?\)|.*\n.*Cond: .*target_id.*status)/;
const FROM_A_TIME = /event_links_listed (?:\(kind=.* AND utc_start_date>\?\)|.*\n.*Cond: .*target_id.*utc_start_date)/;
const OF_WORDS = /event_search/;
const OF_TRANSLATED_WORDS = /translation_search/;

const LISTS: Record<string, List> = {
  'what is to come': { index: OF_EVENTS, restrict: () => ({}) },
  'a month': {
    index: OF_EVENTS,
    restrict: () => ({ bounds: inWindow({ start_date: '2026-12-01', end_date: '2026-12-31' }) }),
  },
  'what is not over yet': {
    index: /events_long/,
    restrict: () => ({ bounds: inWindow({ ends_after: 'now', starts_before: '2027-05-31' }) }),
  },
  'what is not over yet in a category': {
    index: /event_links_long/,
    restrict: ({ categories }) => ({
      bounds: inWindow({ ends_after: 'now' }),
      linked: { category: categories.slice(10, 11) },
      asksMasked: true,
    }),
  },
  'a category': {
    index: OF_LINKS,
    restrict: ({ categories }) => ({ linked: { category: categories.slice(10, 11) }, asksMasked: true }),
  },
  'a category with those below it': {
    index: OF_LINKS,
    restrict: ({ categories }) => ({ linked: { category: categories.slice(0, 5) }, asksMasked: true }),
  },
  'a venue': {
    index: OF_LINKS,
    restrict: ({ venues }) => ({ linked: { venue: venues.slice(0, 1) }, asksMasked: true }),
  },
  'an organizer': {
    index: OF_LINKS,
    restrict: ({ organizers }) => ({ linked: { organizer: organizers.slice(0, 1) }, asksMasked: true }),
  },
  'a tag': { index: OF_LINKS, restrict: ({ tags }) => ({ linked: { tag: tags.slice(0, 1) }, asksMasked: true }) },
  'a category at a venue': {
    index: OF_LINKS,
    restrict: ({ categories, venues }) => ({
      linked: { venue: venues.slice(0, 1), category: categories.slice(10, 11) },
      asksMasked: true,
    }),
  },
  'the featured ones': { index: /events_featured/, restrict: () => ({ featured: true, asksMasked: true }) },
  'what is cancelled or postponed': {
    index: /events_changed/,
    restrict: () => ({ eventStatuses: ['cancelled', 'postponed'] }),
  },
  'a rare word': { index: OF_WORDS, restrict: () => ({ search: WORDS[5000] }) },
  'a frequent word': { index: OF_EVENTS, restrict: () => ({ search: 'music' }) },
  'a rare word in French': { index: OF_TRANSLATED_WORDS, restrict: () => ({ search: WORDS[5000], language: 'fr' }) },
  'a rare word in French at a venue': {
    index: OF_TRANSLATED_WORDS,
    restrict: ({ venues }) => ({
      search: WORDS[5000],
      language: 'fr',
      linked: { venue: venues.slice(0, 1) },
      asksMasked: true,
    }),
  },
  'a frequent word in French': { index: OF_EVENTS, restrict: () => ({ search: 'music', language: 'fr' }) },
};

/** Runs a list and gives the plans of its statements, a text each. */
const plansOf = (db: Database, filter: EventFilter): Promise<string[]> =>
  plansOfWork(db, async (watched) =>
    listEvents(watched, filter, { limit: 10, offset: 0, state: await currentCache({ db }) }),
  );

async function statementsOf(db: Database, work: (watched: Database) => Promise<unknown>): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.query.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work({ ...db, query: db.query.withPlugin(recorder) });
  return statements;
}

async function plansOfWork(db: Database, work: (watched: Database) => Promise<unknown>): Promise<string[]> {
  const statements = await statementsOf(db, work);
  const explain = db.dialect.kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const plans: string[] = [];
  for (const { sql: text, parameters } of statements) {
    const raw = CompiledQuery.raw(`${explain} ${text}`, [...parameters]);
    const { rows } = await db.query.executeQuery<Record<string, string>>(raw);
    plans.push(rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

/** Filters of lists of venues by their events, and how much of the index of links narrows the look-up for a venue. */
const BY_EVENTS: Record<string, { filter: Pick<LinkedPostFilter, 'hasEvents' | 'upcomingFrom'>; range: RegExp }> = {
  'with events': { filter: { hasEvents: true }, range: OF_ONE_STATUS },
  'without events': { filter: { hasEvents: false }, range: OF_ONE_STATUS },
  'with events to come': { filter: { upcomingFrom: '2026-11-21 17:00:00' }, range: FROM_A_TIME },
};

/** Problems of plans: full scans of a table or an index, and an index that is not used. */
function problemsOf(plans: readonly string[], index: RegExp): string[] {
  const scan =
    /\bSCAN (?:e|o|l|t|events|event_links|translations)\b.*|Seq Scan on (?:events|event_links|translations)\b.*/g;
  const scans = plans.flatMap((plan) => {
    // SQLite also says this about reading intermediate results.
    const isFound = /^(?:CO-ROUTINE|MATERIALIZE) e$/m.test(plan);
    return (plan.match(scan) ?? []).filter((line) => !(isFound && line === 'SCAN e'));
  });
  return plans.some((plan) => index.test(plan)) ? scans : [...scans, `no use of ${index.source}`];
}

/** As visitors see them. */
const PUBLIC_ATTENDEES: AttendeeFilter = {
  readable: 'none',
  eventStatuses: ['publish'],
  statuses: ['publish'],
  attendanceStatuses: ['public'],
};

/** Attendees of the tickets that the generator has made: enough for PostgreSQL to prefer an index. */
async function addAttendees(db: Database): Promise<void> {
  const tickets = await db.query.selectFrom('tickets').select(['id', 'event_id']).execute();
  const kinds = Array.from({ length: EVENTS }, () => 'attendee' as const);
  const ids = await db.transaction((trx) => newRecordIds(trx, ['attendee', ...kinds]));
  const rows = ids.map((id, index) => {
    const date = toUtc(new Date(NOW.getTime() - index * 1000));
    const { id: ticket_id, event_id } = tickets[index % tickets.length] ?? { id: 0, event_id: 0 };
    return {
      ...{ id, event_id, ticket_id, order_id: null, provider: 'tc' as const, author_id: 1, user_id: 0 },
      ...{ status: 'publish', attendance_status: 'completed', optout: 0 as const, price: 0, ticket_title: 'Seat' },
      ...{ date, date_utc: date, modified: date, modified_utc: date, slug: `attendee-${id}` },
      ...{ full_name: 'Guest', name_key: 'guest', email: 'a@example.test', email_key: 'a@example.test' },
      ...{ information: '{}', security_code: '', checked_in: 0 as const, checkin_utc: '', checkin_source: '' },
      ...{ checkin_author: 0, checkin_device: '' },
    };
  });
  await insertRows(db, 'attendees', rows);
  if (db.dialect.kind === 'postgres') await sql`VACUUM ANALYZE attendees`.execute(db.query);
}

/** Paid orders of one event, one a minute. */
async function addPaidOrders(db: Database): Promise<void> {
  const tickets = db.query.selectFrom('tickets').select(['id', 'event_id']).orderBy('id').limit(1);
  const { id: ticket_id, event_id } = await tickets.executeTakeFirstOrThrow();
  const kinds = Array.from({ length: EVENTS }, () => 'order' as const);
  const ids = await db.transaction((trx) => newRecordIds(trx, ['order', ...kinds]));
  const all = ids.map((id, at) => ({ id, date: toUtc(new Date(NOW.getTime() - at * 60_000)) }));
  const orders = all.map(({ id, date }) => ({
    ...{ id, status: 'completed', gateway: 'card', purchaser_name: '', purchaser_email: '', search_text: '' },
    ...{ user_id: 0, currency: 'USD', total: 2000, date, date_utc: date, modified_utc: date },
  }));
  const items = all.map(({ id }) => ({ order_id: id, ticket_id, event_id, quantity: 1, price: 2000 }));
  const payments = all.map(({ id, date }) => ({
    ...{ order_id: id, gateway: 'stripe', method: 'card', status: 'paid' as const, amount: 2000, fee: null },
    ...{ currency: 'USD', external_id: `paid-${id}`, paid_utc: date, created_utc: date, modified_utc: date },
  }));
  await insertRows(db, 'orders', orders);
  await insertRows(db, 'order_items', items);
  await insertRows(db, 'payments', payments);
  if (db.dialect.kind === 'postgres') await sql`VACUUM ANALYZE orders, order_items, payments`.execute(db.query);
}

describe.each(DATABASES)('the event list on %s', (kind) => {
  let db: Database;
  let known: Generated;
  let clear: () => Promise<void>;

  beforeAll(async () => {
    const folder = await temporaryFolder('explain');
    const database = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    db = openDatabase(
      database
        ? { kind: 'postgres', url: database.url, pool: 2 }
        : { kind: 'sqlite', file: join(folder, 'marquee.db') },
    );
    clear = async () => {
      await db.close();
      await database?.drop();
      await rm(folder, { recursive: true });
    };
    await migrate(db);
    known = await generate(db, { events: EVENTS, now: '2026-11-21 17:00:00' });
  });
  afterAll(() => clear());

  it.each(Object.entries(LISTS))('finds %s by an index', async (_name, { index, restrict }) => {
    const plans = await plansOf(db, { ...ANYBODY, ...restrict(known) });
    expect(problemsOf(plans, index)).toEqual([]);
  });

  it.each(Object.entries(BY_EVENTS))('finds venues %s by a look-up for each', async (_name, { filter, range }) => {
    const { visibility, reader } = ANYBODY;
    const plans = await plansOfWork(db, (watched) =>
      listLinkedPosts(watched, {
        filter: { kind: 'venue', visibility, events: { visibility, reader }, ...filter },
        limit: 10,
        offset: 0,
      }),
    );
    // The total and the page.
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toMatch(range);
    // Where a database begins with the events, it goes through all of them for each venue.
    expect(plans.filter((plan) => /\b(?:SEARCH|SCAN|Scan.* on) events\b(?! x)/.test(plan))).toEqual([]);
  });

  it('looks for missing dates of a pass by its attendees, and for each date only where some are missing', async () => {
    const plans = await plansOfWork(db, (watched) =>
      findMissingDates(watched, 1, { now: toUtc(NOW), limit: 1, withSeats: true }),
    );
    expect(plans).toHaveLength(1);
    for (const plan of plans) {
      // The attendees are counted before anything is looked up for each date.
      expect(plan).toMatch(/GROUP BY|HashAggregate|GroupAggregate/);
      if (kind === 'sqlite') expect(plan).toMatch(/SEARCH h USING INDEX attendees_ticket/);
      expect(plan).not.toMatch(/SCAN (?:h|a|c)\b/);
    }
  });

  it.each(['a venue', 'the featured ones', 'a rare word'])(
    'finds the locked events of %s by their own index',
    async (name) => {
      const plans = await plansOf(db, { ...ANYBODY, ...LISTS[name]?.restrict(known) });
      expect(plans.filter((plan) => /events_password/.test(plan))).not.toEqual([]);
    },
  );

  it('compares a password with the events that have one', async () => {
    const [plan] = await plansOfWork(db, (watched) => isPasswordOfAny(watched, 'sesame'));
    expect(plan).toMatch(/events_password/);
    expect(plan).not.toMatch(/events_listed|Seq Scan/);
  });

  it('recounts the events of a term by its links', async () => {
    const plans = await plansOfWork(db, findWrongCounters);
    const ofTerms = plans.filter((plan) => /event_links/.test(plan));
    expect(ofTerms).not.toEqual([]);
    // Where SQLite begins with the events, it goes through all of them for each term.
    expect(ofTerms.filter((plan) => /SEARCH e USING .*\n.*SEARCH l /.test(plan))).toEqual([]);
  });

  describe('with attendees', () => {
    beforeAll(() => addAttendees(db), 60_000);

    it.each([
      ['date', 'asc', /attendees_date/],
      ['date', 'desc', /attendees_date/],
      ['slug', 'asc', /attendees_slug/],
    ] as const)('finds attendees by %s, %s, without sorting all', async (orderby, order, index) => {
      const plans = await plansOfWork(db, (watched) =>
        listAttendees(watched, PUBLIC_ATTENDEES, { orderby, order, limit: 10, offset: 0 }),
      );
      const [count, page] = plans.slice(-2);
      expect(page).toMatch(index);
      expect(page).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/);
      // SQLite counts from the index alone; PostgreSQL looks at each event once, and not for each attendee.
      expect(count).toMatch(
        db.dialect.kind === 'sqlite' ? /COVERING INDEX attendees_event/ : /GroupAggregate|HashAggregate/,
      );
    });

    it('searches the attendees of all events without reading their answers, and once for rare words', async () => {
      const search = async (staffSearch: string) => {
        const filter: AttendeeFilter = { readable: 'all', statuses: ['publish'], staffSearch };
        return plansOfWork(db, (watched) =>
          listAttendees(watched, filter, { orderby: 'id', order: 'asc', limit: 10, offset: 0 }),
        );
      };
      // The search itself, recorded by itself and in its statement; then the total and a page.
      const [rare, frequent] = [await search('nobody'), await search('a')];
      expect([rare.length, frequent.length]).toEqual([2, 4]);
      const looks = db.dialect.kind === 'sqlite' ? /SCAN attendees USING COVERING INDEX attendees_name/ : /Seq Scan/;
      for (const plan of [...rare, ...frequent.slice(0, 3)]) expect(plan).toMatch(looks);
    });
  });

  describe('with paid orders', () => {
    let event = 0;
    let author = 0;
    beforeAll(async () => {
      await addPaidOrders(db);
      const sold = db.query
        .selectFrom('order_items')
        .innerJoin('events', 'events.id', 'order_items.event_id')
        .select(['events.id', 'events.author_id'])
        .limit(1);
      ({ id: event, author_id: author } = await sold.executeTakeFirstOrThrow());
    }, 60_000);

    it.each(['of an event', 'for an author'])('reads the money %s by its time, not by all orders', async (name) => {
      const filter =
        name === 'of an event' ? { event, scope: 'all' as const } : { scope: { author, event: undefined } };
      // No payment in it: only the search for them is explained.
      const period = { start: '2026-11-21 16:00:10', end: '2026-11-21 16:00:50' };
      const plans = await plansOfWork(db, async (watched) => {
        for await (const rows of readMoneyRows(watched, { ...period, ...filter })) expect(rows).toEqual([]);
      });
      const [paid] = plans;
      expect(paid).toMatch(/payments_paid/);
      // SQLite would begin each part of the rows with all lines of the event or the author.
      expect(paid).not.toMatch(/(?:SCAN|SEARCH) (?:i|line)\b(?!.*order_id=\?)/);
    });

    it('begins each part of the money where the last one ended', async () => {
      const period = { start: '2026-11-21 16:00:00', end: '2026-11-21 16:05:00' };
      const times: unknown[] = [];
      const statements = await statementsOf(db, async (watched) => {
        for await (const rows of readMoneyRows(watched, { ...period, scope: 'all' }, 2))
          times.push(rows.at(-1)?.date_utc);
      });
      expect(times).toEqual(['2026-11-21 16:01:00', '2026-11-21 16:03:00', '2026-11-21 16:04:00']);
      const ofPayments = statements.filter(({ sql: text }) => text.includes("'payment' AS kind"));
      // The only times in them are the start of the part and the end of the period.
      expect(ofPayments.map(({ parameters }) => parameters.filter((one) => typeof one === 'string'))).toEqual(
        [period.start, times[0], times[1]].map((start) => [period.end, start]),
      );
    });

    it('finds the orders of an author by the events, without a look at the others', async () => {
      const plans = await plansOfWork(db, (watched) =>
        listOrders(watched, { within: { author, event: undefined } }, { limit: 10, offset: 0 }),
      );
      expect(plans).toHaveLength(2);
      if (kind === 'sqlite') for (const plan of plans) expect(plan).toMatch(/SEARCH orders USING .*\(id=\?\)/);
      for (const plan of plans) expect(plan).not.toMatch(/SCAN orders\b/);
    });
  });

  // The control: a check that could not fail would say nothing.
  it.each([
    ['what is to come', ['events_listed', 'events_by_start', 'events_by_end', 'events_author']],
    ['a category', ['event_links_listed']],
    ['the featured ones', ['events_featured']],
  ])('would be reported if the index for %s were missing', async (name, indexes) => {
    for (const index of indexes) await sql`DROP INDEX ${sql.ref(index)}`.execute(db.query);
    const list = LISTS[name];
    const plans = await plansOf(db, { ...ANYBODY, ...list?.restrict(known) });
    expect(problemsOf(plans, list?.index ?? /./)).not.toEqual([]);
  });
});
