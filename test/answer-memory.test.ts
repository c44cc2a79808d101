import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { createState } from '../src/db/data-memory.ts';
import type { Database } from '../src/db/database.ts';
import { PERIODIC_JOBS } from '../src/jobs/periodic.ts';
import { addAttendee } from './attendees.ts';
import { png, upload } from './fixtures.ts';
import { listen, type TestListener } from './listen.ts';
import { DATABASES, type TestServer, useTestServer } from './server.ts';
import { type StatementHooks, withHooks } from './statements.ts';
import { effort } from './thoroughness.ts';
import { addTicket, EVENING, makeEvent, makeTicket } from './tickets.ts';

const ROOT = '/calendar/events/v1';
const HOST = 'events.test';

/** The tables whose changes are counted, that of the counts, and a name within a statement. */
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
    'data_versions',
    'below',
  ],
]);

/** A database from which the application reads everything each time. */
const forgetful = (db: Database): Database => ({ ...db, memory: { isOn: false, at: () => createState(0) } });

/** An answer as it was sent, without what differs from one to the next. */
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
  beforeAll(async () => {
    await server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...{ venue: { venue: 'Old mill' }, categories: ['Walks'], tags: ['light'] },
    });
    const { context } = server();
    listening = await listen({ ...context, db: withHooks(forgetful(context.db), hooks) });
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
    ['a list of events', '/events?per_page=5'],
    ['an event', '/events/by-slug/lantern-walk'],
    ['venues', '/venues'],
    ['a venue', '/venues/by-slug/old-mill'],
    ['organizers', '/organizers'],
    ['categories', '/categories'],
    ['tags', '/tags'],
    ['members of a list', '/events?_fields=total'],
  ])('are answered without the application, in the same bytes: %s', async (_what, path) => {
    const first = await get(ROOT + path);
    expect(isRemembered()).toBe(false);
    // Changes to other tables do not invalidate remembered answers.
    expect([...tables()].filter((table) => !COUNTED.has(table))).toEqual([]);
    const second = await get(ROOT + path);
    expect(isRemembered()).toBe(false);
    const third = await get(ROOT + path);
    expect(isRemembered()).toBe(true);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect([second, third]).toEqual([first, first]);
  });

  describe.each([
    ['gzip', 'br, gzip;q=0.5', 'gzip'],
    ['no encoding', 'gzip;q=0', ''],
  ])('by those who accept %s', (_what, accepted, encoding) => {
    const accept = `Accept-Encoding: ${accepted}`;

    it.each([
      ['a list', '/events?per_page=6', encoding],
      ['an event', '/events/by-slug/lantern-walk', encoding],
      ['too little to be compressed', '/tags?per_page=6', ''],
    ])('are answered in the same bytes: %s', async (_which, path, expected) => {
      const answers = [];
      for (let time = 0; time < 3; time += 1) answers.push(await get(ROOT + path, accept));
      expect(isRemembered()).toBe(true);
      expect(new Set(answers).size).toBe(1);
      expect(header(answers[0] ?? '', 'content-encoding')).toBe(expected);
    });

    it('are answered 304 by the tag of either form, in the same bytes', async () => {
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
        { timeout: 10_000, interval: 100 },
      );
    } finally {
      isHeldUp = undefined;
      resolve();
    }
  });

  it('never show strangers what was answered to an account', async () => {
    await server().make('POST /events', { ...EVENING, title: 'Unannounced gala', status: 'draft' });
    const path = `${ROOT}/events?per_page=11&start_date=2026-01-01`;
    const credentials = `Authorization: Basic ${btoa('editor:editor-password')}`;
    for (let time = 0; time < 3; time += 1) expect(await get(path, credentials)).toContain('Unannounced gala');
    for (let time = 0; time < 3; time += 1) expect(await get(path)).not.toContain('Unannounced gala');
    expect(isRemembered()).toBe(true);
    expect(await get(path, credentials)).toContain('Unannounced gala');
  });

  it('are answered 304 in the same bytes', async () => {
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
  ])('are answered from what others asked for, as the application would: %s', async (_what, headers) => {
    const path = `${ROOT}/events?per_page=9`;
    const byApplication = await get(path, ...headers, 'Content-Length: 0');
    for (let time = 0; time < 3; time += 1) await get(path);
    expect(await get(path, ...headers)).toBe(byApplication);
    expect(isRemembered()).toBe(true);
  });

  it('are made once for all who ask after a change', async () => {
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
    ['through a proxy that nobody has named', ['X-Forwarded-For: 192.0.2.7']],
    ['with a session', ['Cookie: a=b; marquee-session=c']],
    ['of a page elsewhere, with cookies', ['Origin: https://elsewhere.test', 'Cookie: a=b']],
  ])('always reach the application %s', async (_what, headers) => {
    const path = `${ROOT}/events?per_page=8`;
    for (let time = 0; time < 3; time += 1) await get(path);
    expect(isRemembered()).toBe(true);
    for (let time = 0; time < 3; time += 1) await get(path, ...headers);
    expect(statements.length === 0 || !isRemembered()).toBe(true);
  });
});

describe('the counts of changes on postgres', () => {
  const server = useTestServer('postgres');

  it('are merged without changing their sum when connections have ended', async () => {
    const { db } = server().context;
    for (const backend of [4_000_001, 4_000_002]) {
      await sql`INSERT INTO data_versions (part, backend, number) VALUES ('calendar', ${backend}, 7)`.execute(db.query);
    }
    await server().make('POST /tags', { name: 'light' });
    const before = await db.dialect.calendarVersion(db);
    await db.dialect.mergeVersions(db);
    expect(await db.dialect.calendarVersion(db)).toBe(before);
    const { rows } = await sql<{ backend: number }>`SELECT backend FROM data_versions WHERE backend > 4000000`.execute(
      db.query,
    );
    expect(rows).toEqual([]);
    await server().make('POST /tags', { name: 'dark' });
    expect(await db.dialect.calendarVersion(db)).not.toBe(before);
  });
});

describe.each(DATABASES)('writes on %s', (kind) => {
  const server = useTestServer(kind);

  it('by periodic jobs with nothing to do invalidate nothing', async () => {
    const { context } = server();
    const before = await context.db.dialect.calendarVersion(context.db);
    for (const { work } of PERIODIC_JOBS) await work(context);
    expect(await context.db.dialect.calendarVersion(context.db)).toBe(before);
  });

  it('that no calendar answer shows invalidate nothing', async () => {
    const { db } = server().context;
    const event = await makeEvent(server());
    const { id } = await makeTicket(server(), event, { ticket: { mode: 'own', capacity: 10 } });
    const before = await db.dialect.calendarVersion(db);
    await addAttendee(server(), id);
    await server().ask('POST tickets:/cart', { body: { provider: 'tc', tickets: [{ ticket_id: id, quantity: 2 }] } });
    await server().ask('GET /events', { as: 'editor' });
    await server().ask('POST /tags', { as: 'subscriber', body: { name: 'none' } });
    expect(await db.dialect.calendarVersion(db)).toBe(before);
    await server().make('POST /tags', { name: 'one' });
    expect(await db.dialect.calendarVersion(db)).not.toBe(before);
  });
});

describe('a reset connection, whose address is unknown', () => {
  const server = useTestServer('sqlite', { trustProxy: ['loopback'] });

  it('is not treated as a trusted proxy, whose forwarded host would be remembered for others', async () => {
    const app = createApp(server().context);
    const headers = { 'X-Forwarded-Host': 'elsewhere.test' };
    const read = async (socket: object) =>
      (await app.request(`http://${HOST}${ROOT}/events`, { headers }, { incoming: { socket } })).text();
    expect(await read({ remoteAddress: '127.0.0.1' })).toContain('http://elsewhere.test/');
    expect(await read({})).toContain(`http://${HOST}/`);
  });
});

/** Records are identified by a number, modulo how many there are. */
type Step =
  | { does: 'add'; days: number; venue: number; category: number; title: string }
  | { does: 'change'; event: number; to: object }
  | { does: 'remove'; event: number }
  | { does: 'renameVenue'; venue: number; name: string }
  | { does: 'describeImage'; to: object }
  | { does: 'renameCategory'; category: number; name: string }
  | { does: 'schedule'; event: number; minutes: number }
  | { does: 'addTicket'; event: number; price: string; days: number }
  | { does: 'hold'; ticket: number }
  | { does: 'sell'; ticket: number }
  | { does: 'wait'; seconds: number };

const some = fc.nat(50);
const word = fc.constantFrom('Lantern', 'Harvest', 'River', 'Night', 'Brass', 'Paper');
const days = fc.integer({ min: -2, max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('add' as const), days, venue: some, category: some, title: word }),
  fc.record({
    does: fc.constant('change' as const),
    event: some,
    to: fc.oneof(
      fc.record({ title: word }),
      fc.record({ featured: fc.boolean() }),
      fc.record({ status: fc.constantFrom('publish', 'draft', 'trash') }),
      fc.record({ hide_from_listings: fc.boolean() }),
      fc.record({ post_password: fc.constantFrom('', 'secret-word') }),
      fc.record({ event_status: fc.constantFrom('scheduled', 'cancelled'), event_status_reason: word }),
    ),
  }),
  fc.record({ does: fc.constant('remove' as const), event: some }),
  fc.record({ does: fc.constant('renameVenue' as const), venue: some, name: word }),
  fc.record({
    does: fc.constant('describeImage' as const),
    to: fc.oneof(fc.record({ alt: word }), fc.record({ focus: fc.record({ x: some, y: some }) })),
  }),
  fc.record({ does: fc.constant('renameCategory' as const), category: some, name: word }),
  fc.record({ does: fc.constant('schedule' as const), event: some, minutes: fc.constantFrom(1, 90) }),
  fc.record({ does: fc.constant('addTicket' as const), event: some, price: fc.constantFrom('5', '12'), days }),
  fc.record({ does: fc.constant('hold' as const), ticket: some }),
  fc.record({ does: fc.constant('sell' as const), ticket: some }),
  fc.record({ does: fc.constant('wait' as const), seconds: fc.constantFrom(1, 60, 3600, 13 * 3600, 3 * 86_400) }),
);

/** What a history has created so far. */
interface Made {
  events: number[];
  venues: number[];
  categories: number[];
  tickets: number[];
  /** Shown by the first venue. */
  image: number;
}

const at = (ids: readonly number[], index: number): number => ids[index % Math.max(1, ids.length)] ?? 0;

/** Steps may be refused, such as changing a deleted event; only the reads afterwards count. */
async function take(server: TestServer, step: Step, made: Made): Promise<void> {
  const as = 'administrator';
  const write = (call: string, body: object) => server.ask(call, { as, body });
  const after = (seconds: number) => new Date(server.clock.now.getTime() + seconds * 1000);
  if (step.does === 'wait') {
    server.clock.now = after(step.seconds);
    // They publish what is due and release what is held no longer.
    for (const { work } of PERIODIC_JOBS) await work(server.context);
  }
  if (step.does === 'schedule')
    await write(`POST /events/${at(made.events, step.event)}`, {
      ...{ status: 'future', date_utc: after(step.minutes * 60).toISOString() },
    });
  if (step.does === 'hold')
    await server.ask('POST tickets:/cart', {
      body: { provider: 'tc', tickets: [{ ticket_id: at(made.tickets, step.ticket), quantity: 1 }] },
    });
  if (step.does === 'change') await write(`POST /events/${at(made.events, step.event)}`, step.to);
  if (step.does === 'renameVenue') await write(`POST /venues/${at(made.venues, step.venue)}`, { venue: step.name });
  if (step.does === 'describeImage') await write(`PATCH admin:/media/${made.image}`, step.to);
  if (step.does === 'renameCategory')
    await write(`POST /categories/${at(made.categories, step.category)}`, { name: `${step.name} ${step.category}` });
  if (step.does === 'remove')
    await server.ask(`DELETE /events/${at(made.events, step.event)}`, { as, query: { force: true } });
  if (step.does === 'sell' && made.tickets.length > 0) await addAttendee(server, at(made.tickets, step.ticket));
  if (step.does === 'addTicket') {
    const event = await server.ask(`GET /events/${at(made.events, step.event)}`, { as });
    if (event.status !== 200) return;
    const day = after(step.days * 86_400)
      .toISOString()
      .slice(0, 10);
    const sale = { end_date: day, sale_price: { checked: true, price: '1', start_date: day, end_date: day } };
    const stock = { ticket: { mode: 'own', capacity: 3 } };
    const fields = { post_id: event.body.id, provider: 'tc', name: 'Seat', price: step.price, ...stock, ...sale };
    const ticket = await addTicket(server, fields);
    if (ticket.status === 202) made.tickets.push(ticket.body.id);
  }
  if (step.does === 'add') {
    const day = new Date(server.clock.now.getTime() + step.days * 86_400_000).toISOString().slice(0, 10);
    const times = { start_date: `${day} 10:00:00`, end_date: `${day} 22:00:00` };
    const linked = { venue: at(made.venues, step.venue), categories: [at(made.categories, step.category)] };
    made.events.push((await server.make('POST /events', { title: step.title, ...times, ...linked })).id);
  }
}

const readsOf = ({ events, venues, categories }: Made): string[] => [
  ...['/events', '/events?per_page=2&page=2', '/events?featured=true', '/events?search=lantern', '/venues', '/tags'],
  ...['/events?ends_after=now', '/events?start_date=2026-11-01&end_date=2027-03-01', '/events?starts_after=yesterday'],
  ...['/venues?only_with_upcoming=true', '/categories?hide_empty=true', '/events?ticketed=true', '/categories'],
  ...[`/events?categories=${at(categories, 1)}`, `/events?venue=${at(venues, 1)}`, `/venues/${at(venues, 0)}`],
  ...['/events?order=desc', '/events?event_status=cancelled'],
  ...events.slice(-4).map((id) => `/events/${id}`),
];

describe.each(DATABASES)('after any writes, on %s', (kind) => {
  const server = useTestServer(kind);
  let listeners: TestListener[];
  let careless: TestListener;
  let anew: ReturnType<typeof createApp>;
  const made: Made = { events: [], venues: [], categories: [], tickets: [], image: 0 };
  beforeAll(async () => {
    const { context } = server();
    // Each has a memory of its own, as processes have.
    listeners = [await listen(context), await listen(context)];
    const dialect = { ...context.db.dialect, calendarVersion: async () => 'always the same' };
    anew = createApp({ ...context, db: forgetful(context.db) });
    careless = await listen({ ...context, db: { ...context.db, dialect } });
    const { body } = await server().ask('POST admin:/media', { as: 'editor', form: upload(await png(20, 20)) });
    made.image = body.id;
    for (const image of [made.image, null])
      made.venues.push((await server().make('POST /venues', { venue: 'Mill', image })).id);
    for (const name of ['Walks', 'Talks']) made.categories.push((await server().make('POST /categories', { name })).id);
  });
  afterAll(() => Promise.all([...listeners, careless].map((listener) => listener.close())));

  /** An answer by all that readers see but the id of the request. */
  const partsOf = async (answer: Response) => ({
    status: answer.status,
    headers: ['etag', 'x-tec-total', 'vary', 'content-language'].map((name) => answer.headers.get(name)),
    text: (await answer.text()).replace(/"request_id":"[^"]*"/, '"request_id"'),
  });
  const headers = { 'accept-encoding': 'identity' };

  const compareAll = async (memories: readonly TestListener[]) => {
    for (const path of readsOf(made)) {
      for (const { address } of memories) {
        const expected = await partsOf(await anew.request(`${address}${ROOT}${path}`, { headers }));
        for (let time = 0; time < 2; time += 1) {
          const answer = await fetch(`${address}${ROOT}${path}`, { headers });
          expect(await partsOf(answer), path).toEqual(expected);
        }
      }
    }
  };

  it('reads of any process are answered as the application would answer them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const next of steps) {
          await take(server(), next, made);
          await compareAll(listeners);
        }
      }),
      { numRuns: effort(40, 5), endOnFailure: true },
    );
  }, 120_000);

  it('a memory that does not notice them is found out', async () => {
    await compareAll([careless]);
    await take(server(), { does: 'add', days: 1, venue: 0, category: 0, title: 'Unseen' }, made);
    await expect(compareAll([careless])).rejects.toThrow();
  });
});
