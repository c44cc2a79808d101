import fc from 'fast-check';
import { endpoints } from '../../src/app.ts';
import { SHAPES } from '../faults/hostile-requests.ts';
import { HOSTILE_PATTERNS } from '../hostile-patterns.ts';
import { type Callers, namesOf } from './interface-requests.ts';
import { type Content, encoded, type FuzzRequest } from './request.ts';

/** Requests as long as the server accepts, whose work grows with their length. */

/** Bytes of a query (Node accepts 16 KiB with the headers) and of a body (below MARQUEE_MAX_BODY). */
const QUERY = 14_000;
const BODY = 1024 * 1024 - 2048;
/** Bytes of a form of a page. */
const FORM = 100_000 - 200;

const repeated = (unit: (index: number) => string, bytes: number): string => {
  const length = unit(10_000).length;
  return Array.from({ length: Math.floor(bytes / length) }, (_, index) => unit(index)).join('');
};

const hostile = fc.constantFrom(...HOSTILE_PATTERNS);

/** Texts of many fields. */
const FIELDS: readonly ((name: string, value: string) => (index: number) => string)[] = [
  (name) => (index) => `${name}${index}=1&`,
  (name) => () => `${name}=1&`,
  (name) => () => `${name}[]=1&`,
  (name) => (index) => `${name}[${index}]=1&`,
  (name) => (index) => `${name}[0][${index}][b]=1&`,
  (name) => (index) => `${name}[${index}][id]=1&`,
  (name) => () => `${name}[][][][][][]=1&`,
  (_name, value) => (index) => `${value}${index}=${value}&`,
];

const urlencoded = (text: () => string): Content => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: text,
});

const json = (text: () => string): Content => ({ headers: { 'content-type': 'application/json' }, body: text });

const multipart = (text: () => string): Content => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: () => `${text()}--b--\r\n`,
});

const partOf = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const heavyBody = (name: string, bytes: number): fc.Arbitrary<Content> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...FIELDS), hostile)
      .map(([field, { make }]) => urlencoded(() => repeated(field(name, encoded(make(20))), bytes))),
    hostile.map(({ make }) => urlencoded(() => `${name}=${make(bytes)}`.slice(0, bytes))),
    fc
      .tuple(fc.constantFrom(...SHAPES), fc.constantFrom(...SHAPES))
      .map(([{ make }]) => json(() => `{${JSON.stringify(name)}:${make(bytes - 100)}}`)),
    hostile.map(({ make }) => json(() => JSON.stringify({ [name]: make(Math.floor(bytes / 6)) }))),
    hostile.map(({ make }) =>
      json(() => JSON.stringify({ [name]: Array.from({ length: 1000 }, () => make(Math.floor(bytes / 6000))) })),
    ),
    fc
      .constantFrom(name, `${name}[]`, `${name}[0][b]`, `${name}${'[a]'.repeat(1000)}`)
      .map((long) => multipart(() => repeated((index) => partOf(`${long}${index}`, `${index}`), bytes))),
    hostile.map(({ make }) => multipart(() => partOf(name, make(bytes - 200)).slice(0, bytes))),
  );

const bodyRequests = ({ roles }: Callers): fc.Arbitrary<FuzzRequest> =>
  fc.constantFrom(...endpoints.filter(({ methods }) => methods[0] === 'POST')).chain((item) => {
    const path = `/calendar/${item.namespace}/v1${item.path.replace(/\{\w+\}/g, '$id1')}`;
    const isWp = item.namespace === 'wp';
    return fc.tuple(fc.constantFrom(...roles), fc.constantFrom('a', ...namesOf(item))).chain(([role, name]) =>
      heavyBody(name, BODY).map((content) => ({
        ...{ role, method: 'POST', ...content },
        path: isWp ? path.replace('/calendar/wp/v1', '/wp-json/wp/v2') : path,
      })),
    );
  });

/** Valid writes with texts as long as they may be, and with as many new records. */
const longWrites = ({ roles }: Callers): fc.Arbitrary<FuzzRequest> =>
  fc.tuple(fc.constantFrom(...roles), hostile).chain(([role, { make }]) => {
    const text = (length: number) => make(length).slice(0, length);
    const many = (length: number) => Array.from({ length: 100 }, (_, index) => `${index}${text(length)}`);
    const days = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
    const event = { title: text(2000) || 'x', ...days };
    const writes: readonly (() => [path: string, fields: object])[] = [
      () => ['events/v1/events', { ...event, description: text(50_000), excerpt: text(10_000) }],
      () => ['events/v1/events', { ...event, categories: many(180), tags: many(180) }],
      () => [
        'events/v1/events',
        {
          ...event,
          organizer: many(180).map((organizer) => ({ organizer, description: text(190) })),
          venue: { venue: text(400) || 'x', description: text(20_000), address: text(500), city: text(500) },
        },
      ],
      () => ['events/v1/events/$id2', { description: text(50_000), i18n_language: 'fr' }],
      () => ['admin/v1/site', { about: text(50_000), terms: text(50_000), privacy: text(50_000) }],
      () => ['tickets/v1/attendees', { ticket_id: '$ticket', full_name: text(300), email: 'a@b.test' }],
    ];
    return fc.constantFrom(...writes).map((write) => {
      const [path] = write();
      return { role, method: 'POST', path: `/calendar/${path}`, ...json(() => JSON.stringify(write()[1])) };
    });
  });

const FORM_PATHS = ['/cart/', '/checkout/', '/event/$slug/', '$order', '$ordercancel/', '$held', '$heldtransfer/', '/'];

const formRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.constantFrom(...FORM_PATHS), fc.constantFrom('name', 'event', 'ticket-', 'password', 'guest-$ticket-'))
  .chain(([path, name]) => heavyBody(name, FORM).map((content) => ({ method: 'POST', path, ...content })));

const READ_PATHS = [
  ...['/', '/events/', '/events/month/', '/events/ical/', '/events/feed/', '/docs', '/events/category/'],
  ...['/calendar/events/v1/events', '/calendar/events/v1/events.ics', '/calendar/events/v1/venues'],
  ...['/calendar/tickets/v1/tickets', '/calendar/tickets/v1/attendees', '/calendar/admin/v1/attendees/export'],
  ...['/calendar/admin/v1/events/export', '/calendar/admin/v1/audit', '/wp-json/wp/v2/tribe_events', '/wp-json/'],
];
const QUERIES = [
  ...['_fields', 'search', 'include', 'categories', 'venue', 'start_date', 'ends_before', 'geo_lat', 'orderby'],
  ...['i18n_language', '_jsonp', 'post_id', 'city', 'p', 'tribe-bar-date', 'per_page'],
];

const queryRequests = ({ roles }: Callers): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(fc.constantFrom(...roles), fc.constantFrom(...READ_PATHS), fc.constantFrom(...QUERIES), hostile)
    .chain(([role, path, name, { make }]) =>
      fc
        .oneof(
          fc.constantFrom(...FIELDS).map((field) => repeated(field(name, encoded(make(10))), QUERY).slice(0, QUERY)),
          fc.constant(`${name}=${cut(encoded(make(QUERY)))}`),
          fc.constant(`per_page=100&${name}=${repeated((index) => `a${index}.b,`, QUERY - 100)}`),
          fc.constant('per_page=100&_embed=1&_pretty=1'),
        )
        .map((query) => ({ role, method: 'GET', path: `${path}?${query}`, headers: {} })),
    );

/** A text of the length of a query, without half an escape at its end. */
const cut = (text: string): string => text.slice(0, QUERY).replace(/%.?$/, '');

const HEADERS = [
  'cookie',
  'accept-language',
  'if-none-match',
  'if-match',
  'accept',
  'authorization',
  'x-forwarded-for',
];
const HEADER_UNITS = [
  'a=b; ',
  'marquee-cart=x; ',
  'fr;q=0.5,',
  'W/"x", ',
  '127.0.0.1, ',
  'x',
  ' ',
  ';',
  '"',
  ',',
  '\\',
];

const headerRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.constantFrom(...READ_PATHS), fc.constantFrom(...HEADERS), fc.constantFrom(...HEADER_UNITS))
  .map(([path, name, unit]) => ({
    ...{ method: 'GET', path },
    headers: { [name]: unit.repeat(Math.floor(QUERY / unit.length)).trim() },
  }));

export const heavyRequests = (callers: Callers): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    { weight: 4, arbitrary: bodyRequests(callers) },
    { weight: 2, arbitrary: formRequests },
    { weight: 2, arbitrary: queryRequests(callers) },
    headerRequests,
    longWrites(callers),
  );
