import { endpoints } from '../../src/app.ts';
import type { AnyEndpoint } from '../../src/http/core/endpoint.ts';
import { HOSTILE_PATTERNS, type HostilePattern } from '../hostile-patterns.ts';

/** A request that `hostileText` may send. Its text is built on demand, since all of them together are gigabytes. */
export interface HostileRequest {
  what: string;
  make(): Sent;
}

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Action whose one-time token is fetched first and sent as the parameter of that name. */
  nonce?: string;
}

/** Bytes of a query (Node accepts 16 KiB including the headers) and of a body (below MARQUEE_MAX_BODY). */
export interface Sizes {
  query: number;
  body: number;
}

/** Ids of records to read and to change, by the first word of the endpoint name. */
export type World = Readonly<Record<string, number | string>>;

/** Values of required parameters. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  title: 'Hostile',
  start_date: '2027-05-01 10:00',
  end_date: '2027-05-01 11:00',
  venue: 'Hall',
  organizer: 'Club',
  name: 'Name',
  full_name: 'Ada Park',
  email: 'ada@party.test',
  role: 'subscriber',
  password: 'long enough',
  scopes: 'read',
  provider: 'tc',
  action: 'add_ticket_nonce',
  status: 'pending',
  api_key: 'key',
  security_code: 'code',
};

/** Parameters that are objects, with a text in every member. */
const MEMBERS: Readonly<Record<string, (text: string) => unknown[]>> = {
  tickets: (text) => [[{ ticket_id: text, quantity: text, optout: text, provider: text }]],
  meta: (text) => [[{ ticket_id: 1, items: [{ [text]: text }] }], [{ ticket_id: 1, items: text }]],
  attendees: (text) => [
    [{ ticket_id: text }],
    [{ ticket_id: 1, full_name: text }],
    [{ ticket_id: 1, email: text }],
    [{ ticket_id: 1, information: { [text]: text } }],
  ],
  purchaser: (text) => [
    { name: text, email: 'a@b.test' },
    { name: 'Ada', email: text },
  ],
  ticket: (text) => [
    { mode: text },
    { capacity: text },
    { sale_price: { checked: text } },
    { sale_price: { checked: true, price: text } },
    { sale_price: { checked: true, price: '1', start_date: text } },
  ],
  venue: (text) => [{ venue: text }, { venue: 'Hall', description: text }, { id: text }],
  organizer: (text) => [{ organizer: text }, [{ organizer: 'Club', email: text }]],
  information: (text) => [{ [text]: text }],
};

/** Maximum number of times that the same text is in an object of `MEMBERS`. */
const MOST_MEMBERS = 4;

/** Bodies of many small parts, each of a given length. */
export const SHAPES: readonly { name: string; make(length: number): string }[] = [
  { name: 'many numbers', make: (length) => `[${'1,'.repeat(length / 2 - 2)}1]` },
  { name: 'many texts', make: (length) => `[${'"a",'.repeat(length / 4 - 2)}"a"]` },
  { name: 'many lists', make: (length) => `[${'[],'.repeat(length / 3 - 2)}[]]` },
  { name: 'many objects', make: (length) => `[${'{},'.repeat(length / 3 - 2)}{}]` },
  { name: 'many members', make: (length) => `{${numbered(length / 11, (index) => `"${index}":1`)}}` },
  { name: 'many escaped names', make: (length) => `{${numbered(length / 18, (index) => `"\\u0061${index}":1`)}}` },
  { name: 'lists 50 deep', make: (length) => `[${`${'['.repeat(40)}${']'.repeat(40)},`.repeat(length / 81 - 1)}1]` },
  { name: 'endless lists', make: (length) => '['.repeat(length) },
  { name: 'many ids of their own', make: (length) => `[${numbered(length / 8, (index) => String(index + 1))}]` },
];

const numbered = (count: number, item: (index: number) => string): string =>
  Array.from({ length: Math.floor(count) }, (_, index) => item(index)).join(',');

const isQueried = ({ methods }: AnyEndpoint): boolean => methods[0] === 'GET' || methods[0] === 'DELETE';

/** Encoded for a query and cut to a size. */
function queryText({ make }: HostilePattern, size: number): string {
  let length = size;
  let text = encodeURIComponent(make(length).toWellFormed());
  while (text.length > size) {
    length = Math.floor((length * size) / text.length) - 1;
    text = encodeURIComponent(make(length).toWellFormed());
  }
  return text;
}

function pathOf({ name, path, namespace, methods }: AnyEndpoint, world: World): string {
  const [resource = ''] = name.split('.');
  // A removed record is missing for the next request.
  const id = methods[0] === 'DELETE' ? 999_999_999 : (world[resource] ?? 1);
  const slug = world[`${resource}.slug`] ?? 'nothing';
  return `${namespace === 'wp' ? '/wp-json/wp/v2' : `/calendar/${namespace}/v1`}${path
    .replace('{id}', String(id))
    .replace('{slug}', String(slug))
    .replace(/\{\w+\}/, '1')}`;
}

let serial = 0;

function requiredOf({ required = [], name }: AnyEndpoint, world: World): Record<string, unknown> {
  const isTicket = name === 'tickets.create' || name === 'tickets.update';
  const names = isTicket ? ['post_id', 'provider', 'name'] : (required as readonly string[]);
  const values = names
    .filter((item) => item !== 'id' && item !== 'slug')
    .map((item) => {
      if (item === 'post_id') return [item, world.events];
      if (item === 'ticket_id') return [item, world.tickets];
      if (item === 'username') return [item, `hostile${++serial}`];
      if (item === 'email') return [item, `hostile${++serial}@party.test`];
      return [item, REQUIRED[item] ?? '1'];
    });
  return Object.fromEntries(values);
}

/** Number of patterns, changing each time, for parameters that are read like an earlier one. */
export const SOME = 27;

function patternsInTurn() {
  const seen = new Set<unknown>();
  let turn = 0;
  const some = (): readonly HostilePattern[] => {
    const start = (turn++ * SOME) % HOSTILE_PATTERNS.length;
    return [...HOSTILE_PATTERNS, ...HOSTILE_PATTERNS].slice(start, start + SOME);
  };
  /** All patterns, for parameters that are not read like an earlier one. */
  const patternsFor = (reader: unknown) => {
    const isNew = !seen.has(reader);
    seen.add(reader);
    return { isNew, patterns: isNew ? HOSTILE_PATTERNS : some() };
  };
  return { some, patternsFor };
}

function* queries(sizes: Sizes, world: World): Generator<HostileRequest> {
  const { patternsFor } = patternsInTurn();
  for (const item of endpoints.filter(isQueried)) {
    const names = [...Object.keys(item.input), '_fields', '_jsonp', 'i18n_language', '_method'];
    const [method = 'GET'] = item.methods;
    for (const name of names) {
      for (const pattern of patternsFor(item.input[name] ?? name).patterns) {
        const what = `${item.name} ?${name}= ${pattern.name}`;
        const path = () => `${pathOf(item, world)}?${name}=${queryText(pattern, sizes.query)}`;
        yield { what, make: () => ({ method, path: path() }) };
      }
    }
  }
}

/** Characters for a parameter without a documented limit. */
const UNLIMITED = 2000;

/** Characters of a pattern from which its bytes per character are estimated. */
const SAMPLE = 12_000;

/** A text that takes nearly this many bytes as JSON. */
function textOfSize({ make }: HostilePattern, size: number): string {
  const bytes = Buffer.byteLength(JSON.stringify(make(SAMPLE)));
  return make(Math.floor((size * SAMPLE) / Math.max(bytes, SAMPLE)));
}

/** The longest text that a parameter accepts, by its description. */
function longestOf(item: AnyEndpoint, name: string): number | undefined {
  const { maxLength } = (item.input[name]?.meta() ?? {}) as { maxLength?: number };
  return maxLength;
}

function* bodies({ body }: Sizes, world: World): Generator<HostileRequest> {
  const { some, patternsFor } = patternsInTurn();
  for (const item of endpoints.filter((one) => !isQueried(one))) {
    const [method = 'POST'] = item.methods;
    const sent = (name: string, value: string): Sent => ({
      method,
      path: pathOf(item, world),
      headers: { 'content-type': 'application/json' },
      body: `${JSON.stringify(requiredOf(item, world)).slice(0, -1)}${item.required?.some((one: string) => one !== 'id' && one !== 'slug') || item.name.startsWith('tickets.') ? ',' : ''}${JSON.stringify(name)}:${value}}`,
      ...(item.name === 'tickets.create' && { nonce: 'add_ticket_nonce' }),
      ...(item.name === 'tickets.update' && { nonce: 'edit_ticket_nonce' }),
    });
    const request = (name: string, pattern: string, value: () => string): HostileRequest => ({
      what: `${item.name} {${name}} ${pattern}`,
      make: () => sent(name, value()),
    });
    for (const name of Object.keys(item.input)) {
      const { isNew, patterns } = patternsFor(item.input[name]);
      const longest = longestOf(item, name) ?? UNLIMITED;
      for (const pattern of patterns) {
        yield request(name, `${pattern.name}, ${longest}`, () => JSON.stringify(pattern.make(longest)));
        const text = () => (isNew ? textOfSize(pattern, body / MOST_MEMBERS - 1000) : pattern.make(UNLIMITED));
        for (const index of MEMBERS[name]?.('').keys() ?? [])
          yield request(name, `${pattern.name} in members`, () => JSON.stringify(MEMBERS[name]?.(text())[index]));
      }
      if (!isNew) continue;
      for (const pattern of some())
        yield request(name, pattern.name, () => JSON.stringify(textOfSize(pattern, body - 2000)));
      for (const { name: shape, make } of SHAPES) yield request(name, shape, () => make(body - 2000));
    }
  }
}

/** Whole bodies, of every type that is read. */
function* wholeBodies({ body }: Sizes): Generator<HostileRequest> {
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/plain',
  ];
  for (const type of types) {
    for (const pattern of HOSTILE_PATTERNS) {
      const text = () => Buffer.from(pattern.make(body)).subarray(0, body).toString();
      const sent = { method: 'POST', path: '/calendar/tickets/v1/cart', headers: { 'content-type': type } };
      const request = (what: string, whole: () => string): HostileRequest => ({
        what,
        make: () => ({ ...sent, body: whole() }),
      });
      yield request(`a body of ${pattern.name} as ${type}`, text);
      if (type.startsWith('multipart')) {
        const head = '--a\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
        yield request(`a part of ${pattern.name}`, () => `${head}${text().slice(0, body - 200)}\r\n--a--\r\n`);
      }
      if (type.endsWith('urlencoded')) {
        yield request(`a field of ${pattern.name}`, () => `tickets=${text().slice(0, body - 200)}`);
        yield request(`fields between ${pattern.name}`, () => {
          const field = `${text().slice(0, 500)}=1&`;
          return field.repeat(Math.floor(body / Buffer.byteLength(field)));
        });
      }
    }
  }
}

const HEADERS = [
  'accept',
  'accept-language',
  'authorization',
  'cookie',
  'content-type',
  'forwarded',
  'host',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'user-agent',
  'x-api-key',
  'x-cart-token',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-request-id',
];

const PAGES = ['/calendar/events/v1/events', '/', '/docs', '/uploads/x.png', '/wp-json/tribe/tickets/v1/cart'];

/** Headers can contain only visible ASCII, tabs and spaces. */
const headerText = (pattern: HostilePattern, size: number): string =>
  Buffer.from(pattern.make(size))
    .subarray(0, size)
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '~')
    .trim();

function* headers({ query }: Sizes): Generator<HostileRequest> {
  const { patternsFor } = patternsInTurn();
  for (const path of PAGES) {
    for (const name of HEADERS) {
      for (const pattern of patternsFor(name).patterns) {
        const make = () => ({ method: 'GET', path, headers: { [name]: headerText(pattern, query) } });
        yield { what: `${path} with ${name}: ${pattern.name}`, make };
      }
    }
  }
  for (const pattern of HOSTILE_PATTERNS) {
    const sent = (pair: string): Sent => {
      const bytes = Buffer.from(pair).subarray(0, Math.floor(query * 0.7));
      return { method: 'GET', path: PAGES[0] ?? '', headers: { authorization: `Basic ${bytes.toString('base64')}` } };
    };
    const what = `credentials of ${pattern.name}`;
    yield { what, make: () => sent(`${pattern.make(query / 3)}:x`) };
    yield { what, make: () => sent(`admin:${pattern.make(query / 3)}`) };
  }
}

function* paths({ query }: Sizes): Generator<HostileRequest> {
  const roots = ['/', '/uploads/', '/docs/', '/calendar/events/v1/events/', '/calendar/events/v1/events/by-slug/'];
  for (const pattern of HOSTILE_PATTERNS) {
    for (const root of roots) {
      const raw = () =>
        headerText(pattern, query)
          .replace(/[^\x21-\x7e]/g, '')
          .replaceAll('#', '');
      const request = (what: string, path: () => string): HostileRequest => ({
        what: `${what} ${pattern.name}`,
        make: () => ({ method: 'GET', path: path() }),
      });
      yield request(`${root}… of`, () => root + queryText(pattern, query));
      yield request(`${root}… of raw`, () => root + raw());
      yield request(`${root}?… of raw`, () => `${root}?${raw()}`);
    }
  }
}

/** Every request, the cheap ones first. Wrong credentials come last, because they lock out the address. */
export function* hostileRequests(sizes: Sizes, world: World): Generator<HostileRequest> {
  yield* queries(sizes, world);
  yield* wholeBodies(sizes);
  yield* bodies(sizes, world);
  yield* paths(sizes);
  yield* headers(sizes);
}
