import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type TestListener } from './listen.ts';
import { useTestServer } from './server.ts';
import { type StatementHooks, withHooks } from './statements.ts';
import { effort, usualDatabases } from './thoroughness.ts';
import { makeEvent, makeTicket } from './tickets.ts';

const LISTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/events': {
    page: ['1', '2', '01', '1.0'],
    per_page: ['1', '10', '100', '500', ' 10', 'x'],
    start_date: ['2026-12-06', '2026-12-06 00:00', 'today', '1 December 2026'],
    end_date: ['2027-12-06'],
    search: ['lantern', 'Lantern', 'lantern walk', 'pré'],
    categories: ['walks', 'Walks', 'walks,talks', 'talks,walks'],
    featured: ['true', '1', 'false'],
    strict_dates: ['0', 'false', 'true'],
    password: ['secret'],
  },
  '/categories': {
    page: ['1', '2'],
    per_page: ['1', '10', '100', '101'],
    hide_empty: ['1', 'true', '0'],
    orderby: ['name', 'NAME', 'count'],
    order: ['asc', 'desc'],
    search: ['a', 'w'],
  },
  '/venues': { page: ['1', '3'], per_page: ['1', '10'], only_with_upcoming: ['0', '1'], search: ['mill'] },
  '/events/by-slug/lantern-walk': { id: ['1'], slug: ['other'], search: ['x'] },
  '/tickets': {
    page: ['1', '01'],
    per_page: ['1', '10', '101'],
    offset: ['0', '1'],
    is_available: ['true', '1', '0'],
    orderby: ['id', 'title'],
    order: ['ASC', 'DESC'],
    after: ['2026-01-01', '1 January 2026', 'yesterday'],
    provider: ['tc', 'rsvp,tc', 'tc,rsvp'],
    attendees_min: ['0'],
    password: ['secret'],
  },
};

const namespaceOf = (path: string) => (path.startsWith('/tickets') ? 'tickets' : 'events');

const EVERYWHERE = {
  _fields: ['total', 'events.title,total', 'total,events.title'],
  _pretty: ['', '1'],
  _envelope: ['1'],
  _jsonp: ['show'],
  _method: ['GET', 'OPTIONS'],
  i18n_language: ['en', 'fr', 'xx'],
  api_key: ['nobody'],
  utm_source: ['a', 'b'],
  constructor: ['a'],
};

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Accept-Language': ['fr', 'fr-CA, en;q=0.5', 'en', 'de', '*'],
  'Accept-Encoding': ['gzip', 'identity', 'gzip, br'],
  Origin: ['https://elsewhere.test', 'https://shop.test', 'null'],
  Cookie: ['a=b', 'marquee-cart=token'],
  'X-Cart-Token': ['token'],
};

const MANY = 1_000_000;

/** One way to write a request. */
interface Spelling {
  /** GET if absent. */
  method?: string;
  target: string;
  headers: string[];
}

const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const pairs = (pools: Readonly<Record<string, readonly string[]>>, maxLength: number) =>
  fc
    .shuffledSubarray(Object.keys(pools), { maxLength })
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(pools[name] ?? []))))),
    );

/** Separate values of a list are sent in one of three forms; any value may be sent twice, of which one counts. */
const written = ([name, value]: readonly [string, string]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(`${name}=${encodeURIComponent(value)}`) },
    fc.constant(`${escaped(name)}=${escaped(value)}`),
    fc.constant(`${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`),
    fc.constant(`${name}=1&${name}=${encodeURIComponent(value)}`),
    fc.constant(
      value
        .split(',')
        .map((item) => `${name}[]=${encodeURIComponent(item)}`)
        .join('&'),
    ),
  );

const spelling: fc.Arbitrary<Spelling> = fc
  .constantFrom(...Object.keys(LISTS))
  .chain((path) =>
    fc.tuple(
      fc.constantFrom(
        ...['/calendar', '/wp-json/calendar', '/wp-json/tribe'].map((prefix) => `${prefix}/${namespaceOf(path)}/v1`),
      ),
      fc.constantFrom(path, path, `${path}/`, path.replace('e', '%65'), path.replace('/', '//')),
      fc.tuple(pairs(LISTS[path] ?? {}, 2), pairs(EVERYWHERE, 1)),
      pairs(HEADERS, 2),
    ),
  )
  .chain(([root, path, [own, common], headers]) =>
    fc.tuple(...[...own, ...common].map(written)).map((query) => ({
      target: `${root}${path}${query.length > 0 ? '?' : ''}${query.join('&')}`,
      headers: headers.map(([name, value]) => `${name}: ${value}`),
    })),
  );

/** The response, byte by byte, without what differs from one to the next. */
async function exchange(listener: TestListener, call: string, headers: readonly string[]): Promise<string> {
  const socket = listener.open();
  socket.write(`${[`${call} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
  const answer = (await buffer(socket)).toString('latin1');
  const id = /^x-request-id: (.*)\r$/im.exec(answer)?.[1] ?? '';
  const plain = answer.replace(/^date: .*$/im, 'Date').replaceAll(id, 'id');
  // An error in an envelope has a tag, and the id of its request.
  return plain.includes('request_id') ? plain.replace(/^etag: .*$/im, 'ETag') : plain;
}

describe.each(usualDatabases)('spellings of a read on %s', (kind) => {
  let statements: string[] = [];
  const hooks: StatementHooks = { before: (text) => void statements.push(text) };
  const server = useTestServer(kind, {
    ...{ languages: ['en', 'fr'], perPage: 10, corsOrigins: ['https://shop.test'] },
    // A password that is sent with lists counts each time, and is sent many times here.
    secretGuesses: { perAddress: MANY, perAccount: MANY },
  });
  let remembering: TestListener;
  let forgetting: TestListener;
  beforeAll(async () => {
    for (const [title, categories] of [
      ['Lantern walk', ['Walks']],
      ['Lantern talk', ['Talks', 'Walks']],
      ['Pré vert', []],
    ])
      await server().make('POST /events', {
        ...{ title, categories, start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
        ...{ venue: { venue: `Mill ${title}` } },
      });
    const event = await makeEvent(server());
    for (const name of ['Seat', 'Balcony']) await makeTicket(server(), event, { name });
    const { context } = server();
    remembering = await listen({ ...context, db: withHooks(context.db, hooks) });
    forgetting = await listen(context, { cacheBytes: 0 });
  });
  afterAll(() => Promise.all([remembering.close(), forgetting.close()]));

  const read = (listener: TestListener, { method = 'GET', target, headers }: Spelling) => {
    statements = [];
    return exchange(listener, `${method} ${target}`, ['Host: events.test', ...headers]);
  };
  const isRemembered = () => statements.length > 0 && statements.every((text) => text.includes('data_versions'));

  it('get the responses that the application gives to each of them', async () => {
    let remembered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(spelling, { minLength: 5, maxLength: 10 }), async (reads) => {
        for (const next of reads) {
          const expected = await read(forgetting, next);
          for (let time = 0; time < 3; time += 1) {
            expect(await read(remembering, next), JSON.stringify(next)).toBe(expected);
            if (isRemembered()) remembered += 1;
          }
        }
      }),
      { numRuns: effort(100, 8), endOnFailure: true },
    );
    expect(remembered).toBeGreaterThan(0);
  });

  it.each([
    ['another order', '/events?per_page=3&search=lantern', '/events?search=lantern&per_page=3'],
    ['defaults', '/events', '/events?page=1&per_page=10'],
    ['a page size that is lowered', '/events?per_page=100', '/events?per_page=1000'],
    ['escapes', '/events?search=lantern', '/events?%73earch=%6c%61ntern'],
    ['a list', '/events?categories=walks,talks', '/events?categories[]=walks&categories[]=talks'],
    ['unknown parameters', '/venues?page=1', '/venues?utm_source=a&_=1700000000'],
    ['letter case and slashes of the path', '/categories', '//CATEGORIES/'],
  ])('share one response: %s', async (_what, first, second) => {
    const [one, other] = [first, second].map((path) => ({ target: `/calendar/events/v1${path}`, headers: [] }));
    if (!one || !other) throw new Error('there are two');
    for (let time = 0; time < 2; time += 1) await read(remembering, one);
    expect(await read(remembering, other)).toBe(await read(forgetting, other));
    await read(remembering, other);
    expect(isRemembered()).toBe(true);
  });

  it.each(['HEAD', 'OPTIONS', 'POST', 'DELETE'])('%s does not get the cached response of GET', async (method) => {
    const target = '/calendar/events/v1/venues';
    for (let time = 0; time < 3; time += 1) await read(remembering, { target, headers: [] });
    expect(isRemembered()).toBe(true);
    const other = { method, target, headers: [] };
    expect(await read(remembering, other)).toBe(await read(forgetting, other));
  });

  it.each([
    ['the prefix', '/wp-json/tribe/events/v1/venues', []],
    ['the language', '/calendar/events/v1/venues', ['Accept-Language: fr']],
    ['the language, named', '/calendar/events/v1/venues?i18n_language=en', []],
    ['a default that links repeat', '/calendar/events/v1/venues?only_with_upcoming=0', []],
    ['members', '/calendar/events/v1/venues?_fields=total', []],
    ['an envelope', '/calendar/events/v1/venues?_envelope=1', []],
    ['a callback', '/calendar/events/v1/venues?_jsonp=show', []],
    ['another method', '/calendar/events/v1/venues?_method=OPTIONS', []],
    ['white space', '/calendar/events/v1/venues?_pretty=1', []],
    ['the order of lists', '/calendar/events/v1/events?categories=talks,walks', []],
  ])('that matter have a response each: %s', async (_what, target, headers) => {
    for (let time = 0; time < 3; time += 1)
      for (const path of ['venues', 'events?categories=walks,talks'])
        await read(remembering, { target: `/calendar/events/v1/${path}`, headers: [] });
    expect(await read(remembering, { target, headers })).toBe(await read(forgetting, { target, headers }));
  });
});

/** How one address is reached: past a trusted proxy that names host and scheme, or by its own host. */
const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  'https://one.test': ['Host: inner.test', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: one.test'],
  'https://two.test': ['Host: inner.test', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: two.test'],
  'http://two.test': ['Host: inner.test', 'X-Forwarded-Proto: http', 'X-Forwarded-Host: two.test'],
  'https://inner.test': ['Host: inner.test', 'X-Forwarded-Proto: https'],
  'http://inner.test': ['Host: inner.test'],
  'http://other.test': ['Host: other.test'],
};

describe.each(usualDatabases)('one site under several hosts on %s', (kind) => {
  let statements: string[] = [];
  const hooks: StatementHooks = { before: (text) => void statements.push(text) };
  const server = useTestServer(kind, { trustProxy: ['loopback'] });
  let remembering: TestListener;
  let forgetting: TestListener;
  beforeAll(async () => {
    await makeEvent(server(), { title: 'Lantern walk', slug: 'lantern-walk' });
    const { context } = server();
    remembering = await listen({ ...context, db: withHooks(context.db, hooks) });
    forgetting = await listen(context, { cacheBytes: 0 });
  });
  afterAll(() => Promise.all([remembering.close(), forgetting.close()]));

  const ask = async (listener: TestListener, call: string, headers: readonly string[]) => {
    statements = [];
    const answer = await exchange(listener, call, headers);
    const isRemembered = statements.length > 0 && statements.every((text) => text.includes('data_versions'));
    return { answer, isRemembered, tag: /^etag: (.*)\r$/im.exec(answer)?.[1] ?? '' };
  };
  /** Every origin with which a text has an address of this site. */
  const namedIn = (answer: string) => Object.keys(ORIGINS).filter((origin) => answer.includes(`${origin}/`));
  const othersIn = (answer: string, own: string) => namedIn(answer).filter((origin) => origin !== own);

  it.each([
    ['the front page', '/'],
    ['a page of the calendar', '/events/'],
    ['the page of an event', '/event/lantern-walk/'],
    ['a list', '/calendar/events/v1/events'],
    ['a list of the reference', '/wp-json/tribe/events/v1/events'],
    ['an event', '/calendar/events/v1/events/by-slug/lantern-walk'],
    ['a feed', '/calendar/events/v1/events.rss'],
    ['a calendar', '/calendar/events/v1/events.ics?cancelled=title'],
    ['a feed at its page', '/events/feed/'],
  ])('gives each host the links of its own: %s', async (_what, path) => {
    const tags = new Map<string, string>();
    // In turn, so that the response to another host is kept before each.
    for (let time = 0; time < 3; time += 1)
      for (const [origin, headers] of Object.entries(ORIGINS)) {
        const { answer, tag, isRemembered } = await ask(remembering, `GET ${path}`, headers);
        expect(answer).toBe((await ask(forgetting, `GET ${path}`, headers)).answer);
        expect(namedIn(answer)).toEqual([origin]);
        if (time === 2) expect([origin, isRemembered]).toEqual([origin, true]);
        tags.set(origin, tag);
      }
    for (const [origin, headers] of Object.entries(ORIGINS)) {
      const head = await ask(remembering, `HEAD ${path}`, headers);
      expect(head.answer).toBe((await ask(forgetting, `HEAD ${path}`, headers)).answer);
      expect([head.tag, othersIn(head.answer, origin)]).toEqual([tags.get(origin), []]);
      for (const [named, tag] of tags) {
        const conditional = [...headers, `If-None-Match: ${tag}`];
        const { answer, isRemembered } = await ask(remembering, `GET ${path}`, conditional);
        expect(answer).toBe((await ask(forgetting, `GET ${path}`, conditional)).answer);
        expect([answer.slice(9, 12), isRemembered]).toEqual([named === origin ? '304' : '200', true]);
        expect(othersIn(answer, origin)).toEqual([]);
      }
    }
  });
});
