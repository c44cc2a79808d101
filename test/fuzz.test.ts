import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import type { Role } from '../src/http/auth.ts';
import type { AnyEndpoint } from '../src/http/endpoint.ts';
import { makeEverything, png } from './fixtures.ts';
import { DATABASES, pathOfNamespace, type TestServer, useTestServer } from './server.ts';
import { unicodeString } from './unicode.ts';

/** Fixed, so that failures are reproducible; MARQUEE_FUZZ multiplies the runs. */
const SEEDS = [20261121, 42];
const RUNS = 220 * Number(process.env.MARQUEE_FUZZ ?? 1);

const ROLES: readonly (Role | undefined)[] = [
  undefined,
  'administrator',
  'editor',
  'author',
  'contributor',
  'subscriber',
  'door',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const PREFIXES = ['/calendar', '/wp-json/calendar', '/wp-json/tribe', '/CALENDAR'];
const JUNK_PREFIXES = ['/tribe', '//calendar', '/wp-json', '/calendar/..', '/uploads', '/%00'];
const GLOBALS = [
  '_fields',
  '_envelope',
  '_pretty',
  '_jsonp',
  '_method',
  'i18n_language',
  'context',
  '__proto__',
  'constructor',
  'toString',
  'body.slug',
  'id',
  'slug',
];

const LONG = 'long '.repeat(3000);

const junkText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '-1',
    '1.5',
    'NaN',
    'Infinity',
    '1e309',
    '99999999999999999999',
    '9007199254740992',
    '2147483648',
    'true',
    'null',
    'undefined',
    'any',
    'publish',
    'private,trash',
    'fr',
    "'; DROP TABLE events; --",
    '%27 OR 1=1',
    '%',
    '_',
    '\\',
    '"',
    '<script>alert(1)</script>',
    '<b',
    '&lt;&#0;',
    'a\u0000b',
    '\ud800',
    '\udc00\u0000\ud800',
    '\u202e\u0007\u001b',
    'İ\u0130ß',
    '😀'.repeat(100),
    LONG,
    'name, other',
    'lantern',
    'http://127.0.0.1:1/x.png',
    'http://\u0000',
    'https://example.org/\u0000',
    'https://user:pass@example.org',
    'javascript:alert(1)',
    'ftp://x',
  ),
  fc.constantFrom(
    '2027-01-01',
    '0000-00-00 00:00:00',
    '0001-01-01',
    '9999-12-31 23:59:59',
    '9999-12-31T23:59:59-14:00',
    '-000001-01-01',
    '+275760-09-13',
    '@-62167219200',
    '@253402300800',
    '@99999999999999999999',
    '1893456000',
    '+999999999 years',
    'first day of next month',
    '2027-02-30',
    '23:59:60',
    'now',
    '2027-06-01 25:00',
  ),
  fc.constantFrom('UTC+99', 'UTC-5.5', 'Mars/Base', 'America/New_York', 'EST', '+02:00', '../../etc/passwd'),
  unicodeString({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const junkNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 2, 3, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 90, 181),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const junkValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: junkText },
  { weight: 2, arbitrary: junkNumber },
  fc.constantFrom(true, false, null, [], {}, [[]], [{}], [null], { id: {} }, { venue: {} }),
  fc.array(fc.oneof(junkText, junkNumber), { maxLength: 4 }),
  fc.constantFrom(
    { venue: 'Hall\u0000', website: 'nope' },
    { venue: 'Hall', geo_lat: 1 },
    { organizer: 'Club', email: ['x'] },
    JSON.parse('{"__proto__": {"venue": "x"}, "constructor": 1}'),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

interface Sent {
  role: Role | undefined;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
}

/** Percent-encodes a text; lone surrogates become the bytes that some programs write for them. */
const encode = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : `${encodeURIComponent(text.toWellFormed())}%ED%A0%80`;

const nameOf = (item: AnyEndpoint) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('page', ...Object.keys(item.input)) },
    fc.constantFrom(...GLOBALS),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );

/** Mostly what passes the router and the parameters, sometimes what does not. */
const mostly = <T>(usual: fc.Arbitrary<T>, junk: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: junk });

const queryOf = (item: AnyEndpoint): fc.Arbitrary<string> => {
  const suffix = fc.constantFrom('', '', '', '[]', '[0]', '[a]', '[a][b][c][d][e][f][g]', '[__proto__]', '[', ']');
  const pair = fc
    .tuple(nameOf(item), suffix, junkText)
    .map(([name, rest, value]) => `${encode(name)}${rest}=${encode(value)}`);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 6, arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => pairs.join('&')) },
    fc.constantFrom('%', '%ff=%fe', '&&&', '=', 'a[b', '[]=1&[]=2', 'page[page]=1', `search=${'%00'.repeat(50)}`),
  );
};

const recordOf = (item: AnyEndpoint, maxLength: number) =>
  fc
    .array(fc.tuple(nameOf(item), junkValue), { maxLength })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

/** The required parameters, so that some requests are valid. */
const VALID: Readonly<Record<string, unknown>> = {
  title: 'Fuzzed walk',
  start_date: '2027-03-01 10:00',
  end_date: '2027-03-01 11:00',
  venue: 'Fuzzed hall',
  organizer: 'Fuzzed club',
  name: 'fuzzed',
  username: 'fuzzed',
  email: 'fuzzed@example.test',
  password: 'fuzzed-password',
  role: 'subscriber',
  scopes: ['read'],
};

const validOf = ({ required = [] }: AnyEndpoint) =>
  Object.fromEntries((required as readonly string[]).flatMap((name) => (name in VALID ? [[name, VALID[name]]] : [])));

const JSON_TYPE = { 'content-type': 'application/json' };

function bodyOf(item: AnyEndpoint, picture: Uint8Array<ArrayBuffer>): fc.Arbitrary<Pick<Sent, 'headers' | 'body'>> {
  const json = recordOf(item, 6).map((record) => ({ headers: JSON_TYPE, body: JSON.stringify(record) }));
  const nearlyValid = recordOf(item, 2).map((record) => ({
    headers: JSON_TYPE,
    body: JSON.stringify({ ...record, ...validOf(item) }),
  }));
  const wrongShape = fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => ({ headers: JSON_TYPE, body: JSON.stringify(value) }));
  const broken = fc
    .constantFrom('{', '{"a":', 'nul', '\u0000', '{"a":1}}', '[[[[', '{"\ud800": 1}')
    .map((body) => ({ headers: JSON_TYPE, body }));
  const form = queryOf(item).map((body) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=koi8-r' },
    body,
  }));
  const otherType = fc
    .tuple(
      fc.constantFrom(
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        '/',
        'a/b+json',
      ),
      fc.constantFrom(
        '',
        '--x\r\n\r\n--x--',
        'title=x',
        '{}',
        '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
      ),
    )
    .map(([type, body]) => ({ headers: { 'content-type': type }, body }));
  const multipart = fc
    .tuple(nameOf(item), junkText)
    .map(([name, value]) => ({ headers: {}, body: formOf(name, value, picture) }));
  return fc.oneof(
    fc.constant({ headers: {}, body: undefined }),
    { weight: 2, arbitrary: json },
    { weight: 4, arbitrary: nearlyValid },
    wrongShape,
    broken,
    form,
    otherType,
    multipart,
  );
}

function formOf(name: string, value: string, picture: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set(name, value);
  const isPicture = value.length % 4 === 0;
  form.set('file', new Blob([isPicture ? picture : value], { type: 'image/png' }), value.slice(0, 50));
  return form;
}

const isReading = (method: string) => method === 'GET' || method === 'HEAD';

const SLUGS = ['lantern-walk', 'LANTERN-hall', 'lantern-club', 'fuzzed-walk', 'fuzzed-hall', 'fuzzed-club'];
const JUNK = [
  ...['0', '00', '-1', 'abc', '1.5', '٣', '9007199254740993', '9'.repeat(400)],
  ...['%00', '%ff%fe', '%2e%2e', '%E2%82', 'a%2Fb', '%F0%9F%98%80', LONG.slice(0, 900)],
];

/** The first ids: those of the initial records and of records created in the run. */
const IDS = Array.from({ length: 30 }, (_, index) => String(index + 1));
/** Without the accounts that sign in: without them, the rest of the run would have wrong passwords. */
const USER_IDS = IDS.filter((id) => Number(id) > ROLES.length);

const pathOf = (item: AnyEndpoint): fc.Arbitrary<string> => {
  const own = item.path.startsWith('/users') ? USER_IDS : IDS;
  const usual = item.path.includes('{slug}') ? SLUGS : own;
  const part = mostly(fc.constantFrom(...usual), fc.constantFrom(...JUNK));
  const prefix = mostly(fc.constantFrom(...PREFIXES), fc.constantFrom(...JUNK_PREFIXES));
  const tail = mostly(fc.constant(''), fc.constantFrom('/', '//', '/x', '/%00', '%20', '/..%2f..'));
  return fc.tuple(prefix, part, part, tail).map(([prefix, first, second, rest]) => {
    const path = item.path.replace(/\{\w+\}/, first).replace(/\{\w+\}/, second);
    return `${pathOfNamespace(item.namespace, prefix)}${path}${rest}`;
  });
};

function requests(picture: Uint8Array<ArrayBuffer>): fc.Arbitrary<Sent> {
  return fc.constantFrom(...endpoints).chain((item) => {
    const methods = mostly(fc.constantFrom<string>(...item.methods), fc.constantFrom(...METHODS));
    return fc
      .record({
        role: fc.oneof(fc.constant<Role>('administrator'), fc.constantFrom(...ROLES)),
        method: methods,
        path: pathOf(item),
        query: queryOf(item),
        content: bodyOf(item, picture),
        language: fc.constantFrom(undefined, 'fr', '*;q=0,fr;q=x', ',;;q=', 'x'.repeat(2000)),
      })
      .map(({ content, language, ...request }) => ({
        ...request,
        headers: { ...content.headers, ...(language && { 'accept-language': language }) },
        body: isReading(request.method) ? undefined : content.body,
      }));
  });
}

async function send({ request }: TestServer, { role, method, path, query, headers, body }: Sent) {
  const credentials = role && `Basic ${Buffer.from(`${role}:${role}-password`).toString('base64')}`;
  const response = await request(`${path}?${query}`, {
    method,
    headers: { ...headers, ...(credentials && { authorization: credentials }) },
    body,
  });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

type Received = Awaited<ReturnType<typeof send>>;

/** The body, unwrapped from a `_jsonp` callback. */
const jsonOf = ({ type, text }: Received): unknown =>
  JSON.parse(
    type.startsWith('application/javascript') ? text.replace(/^\/\*\*\/[\w.]+\(/, '').replace(/\)$/, '') : text,
  );

/** Of feeds and exported files. */
const FILE = /^(text\/(calendar|csv)|application\/(rss|atom)\+xml)\b/;

/** What must hold for every answer. */
function judge(method: string, received: Received): void {
  expect(received.status).toBeLessThan(500);
  // Outside the namespaces, an address with repeated slashes is redirected.
  if (method === 'HEAD' || [301, 304].includes(received.status)) return;
  if (FILE.test(received.type)) return void expect(received.status).toBe(200);
  const outer = jsonOf(received) as { status?: unknown; body?: unknown };
  const isEnvelope = received.status === 200 && typeof outer.status === 'number' && 'headers' in outer;
  const status = isEnvelope ? Number(outer.status) : received.status;
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  const error = isEnvelope ? outer.body : outer;
  expect(error).toMatchObject({
    code: expect.stringMatching(/^[a-z_-]+$/),
    message: expect.not.stringMatching(/^$|\{\w+\}/),
    data: { status },
  });
}

describe.each(DATABASES)('any request on %s', (kind) => {
  const server = useTestServer(kind);
  let picture: Buffer<ArrayBuffer>;

  beforeAll(async () => {
    await makeEverything(server());
    picture = await png(20, 20);
  });

  it.each(SEEDS)('gets an answer in JSON and never a server error (seed %i)', { timeout: 600_000 }, async (seed) => {
    const property = fc.asyncProperty(requests(picture), async (sent) => {
      judge(sent.method, await send(server(), sent));
    });
    await fc.assert(property, { seed, numRuns: RUNS });
  });

  it('leaves the records and their lists intact', async () => {
    const { ask } = server();
    for (const list of ['events', 'venues', 'organizers', 'categories', 'tags'])
      expect((await ask(`GET /${list}`, { as: 'administrator' })).status).toBe(200);
  });
});
