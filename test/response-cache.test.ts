import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { PERIODIC_JOBS } from '../src/jobs/periodic.ts';
import type { DataVersion } from '../src/lib/data-version.ts';
import { addAttendee, makeSeat } from './attendees.ts';
import { listen, type TestListener } from './listen.ts';
import { DATABASES, type TestServer, useTestServer } from './server.ts';
import { shopperOf } from './shopper.ts';
import { type StatementHooks, withHooks } from './statements.ts';
import { EVENING, makeEvent, makeTicket } from './tickets.ts';
import { withoutCache } from './without-cache.ts';

const ROOT = '/calendar/events/v1';
const TICKETS = '/calendar/tickets/v1';
const HOST = 'events.test';

/** The tables whose changes are counted for the calendar, the table of the counts, and a name within a statement. */
const COUNTED: ReadonlySet<string> = new Set([
  ...[
    'events',
    'linked_posts',
    'terms',
    'event_links',
    'translations',
    'media',
    'site',
    'site_settings',
    'site_texts',
    'tickets',
    'tax_rates',
    'fees',
    'data_versions',
    'below',
  ],
]);
/** Tables that are counted for seats too. */
const COUNTED_FOR_SEATS: ReadonlySet<string> = new Set([...COUNTED, 'event_stock', 'cart_items']);

/** A response as it was sent, without what differs from one to the next. */
const sameParts = (answer: string): string =>
  answer.replace(/^date: .*$/im, 'Date').replace(/^x-request-id: .*$/im, 'X-Request-Id');

const header = (answer: string, name: string): string => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(answer)?.[1] ?? '';

describe.each(DATABASES)('repeated reads on %s', (kind) => {
  let statements: string[] = [];
  let isHeldUp: Promise<void> | undefined;
  const hooks: StatementHooks = {
    before(text) {
      statements.push(text);
      return text.includes('data_versions') ? isHeldUp : undefined;
    },
  };
  const server = useTestServer(kind, { corsOrigins: ['https://shop.test'] });
  let listening: TestListener;
  let seat: number;
  beforeAll(async () => {
    const evening = await makeEvent(server(), { title: 'Sold evening' });
    const stock = { mode: 'global', event_capacity: 10 };
    seat = (await makeTicket(server(), evening, { start_date: '2026-01-01', ticket: stock })).id;
    await server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...{ venue: { venue: 'Old mill' }, categories: ['Walks'], tags: ['light'] },
    });
    const { context } = server();
    listening = await listen({ ...context, db: withHooks(withoutCache(context.db), hooks) });
  });
  afterAll(() => listening.close());

  const ask = async (method: string, path: string, headers: string[]) => {
    statements = [];
    const socket = listening.open();
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${HOST}`, 'Connection: close', ...headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // One character a byte.
    return sameParts((await buffer(socket)).toString('latin1'));
  };
  const get = (path: string, ...headers: string[]) => ask('GET', path, headers);
  const tables = () =>
    new Set(statements.flatMap((sql) => [...sql.matchAll(/\b(?:from|join) "?(\w+)/gi)].map(([, table = '']) => table)));
  const isRemembered = () => statements.every((sql) => sql.includes('data_versions'));

  it.each([
    ['a list of events', `${ROOT}/events?per_page=5`, COUNTED],
    ['an event', `${ROOT}/events/by-slug/lantern-walk`, COUNTED],
    ['venues', `${ROOT}/venues`, COUNTED],
    ['a venue', `${ROOT}/venues/by-slug/old-mill`, COUNTED],
    ['organizers', `${ROOT}/organizers`, COUNTED],
    ['categories', `${ROOT}/categories`, COUNTED],
    ['tags', `${ROOT}/tags`, COUNTED],
    ['members of a list', `${ROOT}/events?_fields=total`, COUNTED],
    ['a calendar', `${ROOT}/events.ics`, COUNTED],
    ['news', `${ROOT}/events.rss?tags=light`, COUNTED],
    ['an event with tickets', `${ROOT}/events/by-slug/sold-evening`, COUNTED_FOR_SEATS],
    ['tickets', `${TICKETS}/tickets`, COUNTED_FOR_SEATS],
    ['tickets with seats left', `${TICKETS}/tickets?is_available=true`, COUNTED_FOR_SEATS],
    ['a ticket', () => `${TICKETS}/tickets/${seat}`, COUNTED_FOR_SEATS],
  ])('get the same bytes without the application: %s', async (_what, addressed, counted) => {
    const path = typeof addressed === 'string' ? addressed : addressed();
    const first = await get(path);
    expect(isRemembered()).toBe(false);
    // Changes to other tables do not invalidate cached responses.
    expect([...tables()].filter((table) => !counted.has(table))).toEqual([]);
    const second = await get(path);
    expect(isRemembered()).toBe(false);
    const third = await get(path);
    expect(isRemembered()).toBe(true);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect([second, third]).toEqual([first, first]);
  });

  it.each([`${ROOT}/events?per_page=3`, '/events/', '/events/month/2026-12/'])(
    'look up the version of the data once, however many caches they read: %s',
    async (path) => {
      expect(await get(path)).toContain('200 OK');
      expect(statements.filter((sql) => sql.includes('data_versions'))).toHaveLength(1);
    },
  );

  it('that show seats are made anew after a sale, and no others', async () => {
    const calendar = [`${ROOT}/events?per_page=5`, `${ROOT}/events/by-slug/lantern-walk`];
    const seats = [`${ROOT}/events/by-slug/sold-evening`, `${TICKETS}/tickets`, `${TICKETS}/tickets/${seat}`];
    for (const path of [...calendar, ...seats]) for (let time = 0; time < 3; time += 1) await get(path);
    expect((await addAttendee(server(), seat)).status).toBe(201);
    for (const path of calendar) {
      await get(path);
      expect(isRemembered()).toBe(true);
    }
    for (const path of seats) {
      await get(path);
      expect(isRemembered()).toBe(false);
      await get(path);
      expect(isRemembered()).toBe(true);
    }
  });

  describe.each([
    ['gzip', 'br, gzip;q=0.5', 'gzip'],
    ['no encoding', 'gzip;q=0', ''],
  ])('by clients that accept %s', (_what, accepted, encoding) => {
    const accept = `Accept-Encoding: ${accepted}`;

    it.each([
      ['a list', '/events?per_page=6', encoding],
      ['a calendar', '/events.ics', encoding],
      ['an event', '/events/by-slug/lantern-walk', encoding],
      ['too little to be compressed', '/tags?per_page=6', ''],
    ])('get the same bytes: %s', async (_which, path, expected) => {
      const answers = [];
      for (let time = 0; time < 3; time += 1) answers.push(await get(ROOT + path, accept));
      expect(isRemembered()).toBe(true);
      expect(new Set(answers).size).toBe(1);
      expect(header(answers[0] ?? '', 'content-encoding')).toBe(expected);
    });

    it('get 304 by the tag of either form, in the same bytes', async () => {
      const path = `${ROOT}/events?per_page=12`;
      for (const form of ['gzip', 'identity']) {
        const tag = header(await get(path, `Accept-Encoding: ${form}`), 'etag');
        expect(tag.startsWith('W/')).toBe(form === 'gzip');
        const answers = [];
        for (let time = 0; time < 3; time += 1) answers.push(await get(path, accept, `If-None-Match: ${tag}`));
        expect(isRemembered()).toBe(true);
        expect(new Set(answers).size).toBe(1);
        expect(answers[0]).toMatch(/^HTTP\/1\.1 304 /);
        expect(header(answers[0] ?? '', 'content-encoding')).toBe('');
        expect(header(answers[0] ?? '', 'etag').startsWith('W/')).toBe(encoding === 'gzip');
      }
    });

    it('have the headers of a HEAD', async () => {
      const path = `${ROOT}/events?per_page=13`;
      const withoutLength = (answer: string) =>
        (answer.split('\r\n\r\n')[0] ?? '').replace(/\r\ncontent-length: \d+/i, '');
      const head = withoutLength(await ask('HEAD', path, [accept]));
      for (let time = 0; time < 3; time += 1) expect(withoutLength(await get(path, accept))).toBe(head);
      expect(isRemembered()).toBe(true);
      expect(header(`${head}\r\n`, 'vary')).toContain('Accept-Encoding');
    });
  });

  it('are the same text in either encoding, also when they are kept after a 304', async () => {
    const path = `${ROOT}/events?per_page=14`;
    const bodyOf = (answer: string) => Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1');
    for (let time = 0; time < 2; time += 1) await get(path, 'Accept-Encoding: gzip', 'If-None-Match: *');
    const compressed = await get(path, 'Accept-Encoding: gzip');
    expect(isRemembered()).toBe(true);
    expect(gunzipSync(bodyOf(compressed))).toEqual(bodyOf(await get(path)));
  });

  it('do not wait for a database that holds up the look-up, nor does anything else', async () => {
    const path = `${ROOT}/venues/by-slug/old-mill`;
    for (let time = 0; time < 3; time += 1) await get(path);
    expect(isRemembered()).toBe(true);
    const { promise, resolve } = Promise.withResolvers<void>();
    isHeldUp = promise;
    try {
      expect(await get('/healthz')).toMatch(/^HTTP\/1\.1 200 /);
      const answers: string[] = [];
      const ask = () => void get(path).then((answer) => answers.push(answer));
      await vi.waitFor(
        () => {
          ask();
          expect(answers[0]).toMatch(/^HTTP\/1\.1 200 /);
        },
        { timeout: 60_000, interval: 100 },
      );
    } finally {
      isHeldUp = undefined;
      resolve();
    }
  });

  it('never show visitors the response to an account', async () => {
    await server().make('POST /events', { ...EVENING, title: 'Unannounced gala', status: 'draft' });
    const path = `${ROOT}/events?per_page=11&start_date=2026-01-01`;
    const credentials = `Authorization: Basic ${btoa('editor:editor-password')}`;
    for (let time = 0; time < 3; time += 1) expect(await get(path, credentials)).toContain('Unannounced gala');
    for (let time = 0; time < 3; time += 1) expect(await get(path)).not.toContain('Unannounced gala');
    expect(isRemembered()).toBe(true);
    expect(await get(path, credentials)).toContain('Unannounced gala');
  });

  it('get 304 in the same bytes', async () => {
    const path = `${ROOT}/events?per_page=7`;
    const tag = `If-None-Match: ${header(await get(path), 'etag')}`;
    const answers = [await get(path, tag), await get(path, tag), await get(path, tag)];
    expect(isRemembered()).toBe(true);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 304 /);
    expect(new Set(answers).size).toBe(1);
  });

  it.each([
    ['of a page elsewhere', ['Origin: https://elsewhere.test']],
    ['of a page that may send cookies', ['Origin: https://shop.test', 'Cookie: marquee-cart=b']],
    ['of the site itself', [`Origin: http://${HOST}`]],
    ['of a page with an address beyond all limits', [`Origin: https://${'e'.repeat(300)}.test`]],
    ['with a cart', ['Cookie: marquee-cart=some-token']],
    ['with another spelling of the language', ['Accept-Language: en-GB;q=0.9, pt']],
  ])('share the response to other requests, as the application would respond: %s', async (_what, headers) => {
    const path = `${ROOT}/events?per_page=9`;
    const byApplication = await get(path, ...headers, 'Content-Length: 0');
    for (let time = 0; time < 3; time += 1) await get(path);
    expect(await get(path, ...headers)).toBe(byApplication);
    expect(isRemembered()).toBe(true);
  });

  it('are made once for simultaneous requests after a change', async () => {
    const path = `${ROOT}/events?per_page=15`;
    for (let time = 0; time < 3; time += 1) await get(path);
    await server().make('POST /tags', { name: 'changed' });
    statements = [];
    const ask = () => listening.say(`GET ${path} HTTP/1.1`, `Host: ${HOST}`, 'Connection: close', '', '');
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(new Set(answers.map(sameParts)).size).toBe(1);
    const rendered = statements.filter((text) => text.startsWith('select "event_id", "kind", "target_id"'));
    expect(rendered.length).toBe(1);
  });

  it('are not for shared caches when cookies keep a page from reading them', async () => {
    const path = `${ROOT}/events?per_page=10`;
    const origin = 'Origin: https://elsewhere.test';
    for (let time = 0; time < 3; time += 1) {
      expect(header(await get(path, origin, 'Cookie: a=b'), 'cache-control')).toBe('private, no-cache');
      expect(header(await get(path, origin), 'cache-control')).toMatch(/^public, /);
    }
  });

  it.each([
    ['with credentials', ['Authorization: Basic bm9ib2R5Om5v']],
    ['with a key', ['X-API-Key: some-key-or-other']],
    ['with another method', ['X-HTTP-Method-Override: OPTIONS']],
    ['through an undeclared proxy', ['X-Forwarded-For: 192.0.2.7']],
    ['with a session', ['Cookie: a=b; marquee-session=c']],
    ['of a page elsewhere, with cookies', ['Origin: https://elsewhere.test', 'Cookie: a=b']],
  ])('always reach the application %s', async (_what, headers) => {
    const path = `${ROOT}/events?per_page=8`;
    let cached = '';
    for (let time = 0; time < 3; time += 1) cached = await get(path);
    expect(isRemembered()).toBe(true);
    for (let time = 0; time < 3; time += 1) {
      const answer = await get(path, ...headers);
      expect(answer !== cached || !isRemembered()).toBe(true);
    }
  });
});

describe.each(DATABASES)('with time, on %s', (kind) => {
  let statements: string[] = [];
  const server = useTestServer(kind);
  let listening: TestListener;
  let event: number;
  let ticket: number;
  beforeAll(async () => {
    const { context } = server();
    const hooks: StatementHooks = { before: (text) => void statements.push(text) };
    listening = await listen({ ...context, db: withHooks(withoutCache(context.db), hooks) });
    event = await makeEvent(server());
    const stock = { mode: 'own', capacity: 100 };
    const discount = { checked: true, price: '1', start_date: '2026-12-10', end_date: '2026-12-12' };
    const fields = {
      ...{ start_date: '2026-12-01T10:00:00Z', end_date: '2026-12-20 12:00:00' },
      ticket: { ...stock, sale_price: discount },
    };
    ticket = (await makeTicket(server(), event, fields)).id;
  });
  afterAll(() => listening.close());

  const read = async (path: string) => {
    statements = [];
    const answer = await fetch(`${listening.address}${path}`);
    return { text: await answer.text(), isRemembered: statements.every((sql) => sql.includes('data_versions')) };
  };
  const moveTo = (moment: string, seconds = 0) => {
    server().clock.now = new Date(Date.parse(moment) + seconds * 1000);
  };
  const theEvent = () => `${ROOT}/events/${event}`;
  const theTicket = () => `${TICKETS}/tickets/${ticket}`;

  it.each([
    ['a sale begins', theEvent, '2026-12-01T10:00:00Z', 'InStock'],
    ['a discount begins', theTicket, '2026-12-10T05:00:00Z', '"on_sale":true'],
    ['a discount ends', () => `${TICKETS}/tickets`, '2026-12-13T05:00:00Z', '"on_sale":false'],
    ['a hold expires', theTicket, '2026-12-15T10:15:00Z', '"available":100'],
    ['a sale ends', theEvent, '2026-12-20T17:00:01Z', 'SoldOut'],
  ])('responses that show seats expire when %s', async (_what, pathOf, moment, shown) => {
    moveTo('2026-12-15T10:00:00Z');
    const shopper = shopperOf(server());
    expect((await shopper.put([{ ticket_id: ticket, quantity: 3 }])).status).toBe(200);
    moveTo(moment, -1);
    for (let time = 0; time < 2; time += 1) await read(pathOf());
    const before = await read(pathOf());
    expect(before.isRemembered).toBe(true);
    expect(before.text).not.toContain(shown);
    moveTo(moment);
    const after = await read(pathOf());
    expect(after.isRemembered).toBe(false);
    expect(after.text).toContain(shown);
  });
});

const versionOf = ({ context: { db } }: TestServer): Promise<DataVersion> => db.dialect.dataVersion(db);

describe('the counts of changes on postgres', () => {
  const server = useTestServer('postgres');

  it('are merged without changing their sums when connections have ended', async () => {
    const { db } = server().context;
    for (const part of ['calendar', 'seats']) {
      for (const backend of [4_000_001, 4_000_002])
        await sql`INSERT INTO data_versions (part, backend, number) VALUES (${part}, ${backend}, 7)`.execute(db.query);
    }
    await server().make('POST /tags', { name: 'light' });
    const before = await versionOf(server());
    await db.dialect.mergeVersions(db);
    expect(await versionOf(server())).toEqual(before);
    const { rows } = await sql<{ backend: number }>`SELECT backend FROM data_versions WHERE backend > 4000000`.execute(
      db.query,
    );
    expect(rows).toEqual([]);
    await server().make('POST /tags', { name: 'dark' });
    expect((await versionOf(server())).calendar).not.toBe(before.calendar);
  });

  it('count anew when their table is restored with older ones', async () => {
    const { db } = server().context;
    const before = await versionOf(server());
    await sql`CREATE TABLE saved AS SELECT * FROM data_versions`.execute(db.query);
    await sql`TRUNCATE data_versions`.execute(db.query);
    await sql`INSERT INTO data_versions SELECT * FROM saved`.execute(db.query);
    const after = await versionOf(server());
    expect([after.calendar === before.calendar, after.seats === before.seats]).toEqual([false, false]);
  });
});

describe.each(DATABASES)('writes on %s', (kind) => {
  const server = useTestServer(kind);

  /** The parts of the version that some work changes. */
  const changedBy = async (work: () => Promise<unknown>) => {
    const before = await versionOf(server());
    await work();
    const after = await versionOf(server());
    return (['calendar', 'seats'] as const).filter((part) => before[part] !== after[part]);
  };

  it('by periodic jobs with nothing to do invalidate nothing', async () => {
    const { context } = server();
    for (const { name, work } of PERIODIC_JOBS) expect(await changedBy(() => work(context)), name).toEqual([]);
  });

  it('invalidate responses with seats, the calendar, or nothing', async () => {
    const event = await makeEvent(server());
    const id = await makeSeat(server(), event, 10, { start_date: '2026-01-01' });
    const shopper = shopperOf(server());
    const put = (quantity: number) => shopper.put([{ ticket_id: id, quantity }]);
    const attendee = async () => (await addAttendee(server(), id)).body.id;
    expect(await changedBy(attendee)).toEqual(['seats']);
    expect(await changedBy(() => put(2))).toEqual(['seats']);
    // No counter moves, but the hold ends at another time.
    expect(await changedBy(() => put(2))).toEqual(['seats']);
    expect(await changedBy(() => shopper.checkout())).toEqual(['seats']);
    expect(await changedBy(() => put(99))).toEqual([]);
    const body = { check_in: true };
    const checkIn = server().make(`PATCH tickets:/attendees/${await attendee()}`, body);
    expect(await changedBy(() => checkIn)).toEqual([]);
    expect(await changedBy(() => server().ask('GET /events', { as: 'editor' }))).toEqual([]);
    expect(await changedBy(() => server().ask('POST /tags', { as: 'subscriber', body: { name: 'none' } }))).toEqual([]);
    expect(await changedBy(() => server().make('POST /tags', { name: 'one' }))).toEqual(['calendar']);
  });

  it('are never taken as absent when their counts are lost', async () => {
    const { db } = server().context;
    await sql`DELETE FROM data_versions`.execute(db.query);
    expect(await changedBy(async () => undefined)).toEqual(['calendar', 'seats']);
  });
});

describe('a reset connection, whose address is unknown', () => {
  const server = useTestServer('sqlite', { trustProxy: ['loopback'] });

  it('is not treated as a trusted proxy, whose forwarded host would be cached for others', async () => {
    const app = createApp(server().context);
    const headers = { 'X-Forwarded-Host': 'elsewhere.test' };
    const read = async (from: string) => (await app.request(`http://${HOST}${ROOT}/events`, { headers }, from)).text();
    expect(await read('127.0.0.1')).toContain('http://elsewhere.test/');
    expect(await read('')).toContain(`http://${HOST}/`);
  });
});
