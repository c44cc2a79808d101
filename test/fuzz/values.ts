import fc from 'fast-check';
import { unicodeString } from '../unicode.ts';

/** Values that a request may have in any place. */

export const LONG = 'long '.repeat(2000);

/** Days that are in no calendar, the first and last ones of ours, and times. */
export const junkDate = fc.constantFrom(
  ...['2027-01-01', '0000-00-00', '0000-00-00 00:00:00', '0000-12-31', '0001-01-01', '10000-01-01', '-2027-01-01'],
  ...['9999-12-31', '9999-12-31 23:59:59', '9999-12-31T23:59:59-14:00', '-000001-01-01', '+275760-09-13', '2027-13-01'],
  ...['2027-02-30', '2027-00-00', '2027-03', '0000-01', '@-62167219200', '@253402300800', '@99999999999999999999'],
  ...['1893456000', '+999999999 years', 'first day of next month', '23:59:60', 'now', '2027-06-01 25:00', 'today'],
);

export const junkText = fc.oneof(
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
    'https://nowhere.invalid/\u0000',
    'https://user:pass@nowhere.invalid',
    'javascript:alert(1)',
    'ftp://x',
    '$id1',
    '$id2,$id3',
  ),
  junkDate,
  fc.constantFrom('UTC+99', 'UTC-5.5', 'Mars/Base', 'America/New_York', 'EST', '+02:00', '../../etc/passwd'),
  unicodeString({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const junkNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 2, 3, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 90, 181),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Objects whose members hide what objects inherit, so that they have no text. */
const textless = fc.constantFrom(
  ...['{"toString": 1}', '{"toString": null, "valueOf": null}', '{"__proto__": null}', '{"toJSON": "x", "length": 5}'],
  ...['{"__proto__": {"venue": "x"}, "constructor": 1}', '{"then": 1, "id": {"toString": {}}}', '[{"toString": 1}]'],
);

/** A value in objects and lists, up to six levels deep. */
const buried = fc
  .tuple(fc.array(fc.constantFrom('b', '0', 'id', 'toString', 'list'), { minLength: 1, maxLength: 6 }), junkText)
  .map(([keys, text]) =>
    keys.reduceRight<unknown>((value, key) => (key === 'list' ? [value, value] : { [key]: value }), text),
  );

export const junkValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: junkText },
  { weight: 2, arbitrary: junkNumber },
  textless.map((text): unknown => JSON.parse(text)),
  buried,
  fc.constantFrom(true, false, null, [], {}, [[]], [{}], [null], { id: {} }, { venue: {} }),
  fc.array(fc.oneof(junkText, junkNumber), { maxLength: 4 }),
  fc.constantFrom(
    { venue: 'Hall\u0000', website: 'nope' },
    { venue: 'Hall', geo_lat: 1 },
    { organizer: 'Club', email: ['x'] },
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Suffix of the name of a form field that puts its value into an object or a list, at any depth. */
const nesting = fc
  .array(fc.constantFrom('[]', '[0]', '[1]', '[b]', '[c]', '[id]', '[toString]', '[__proto__]', '[99999]'), {
    minLength: 1,
    maxLength: 7,
  })
  .map((parts) => parts.join(''));
export const suffix = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: nesting },
  fc.constantFrom('[', ']', '[a', '[[0]]'),
);

/** Mostly what passes the router and the parameters, sometimes what does not. */
export const mostly = <T>(usual: fc.Arbitrary<T>, junk: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: junk });

/** Names that every request may have, and names that objects inherit. */
export const GLOBALS = [
  ...['_fields', '_envelope', '_pretty', '_jsonp', '_method', 'i18n_language', 'context', 'id', 'slug', 'body.slug'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
];

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

const headerText = fc.oneof(
  fc.constantFrom('', '1', '*', 'x', '"1"', 'W/"x",', 'DELETE', 'PATCH', 'post', 'bytes=0-1', 'null', 'x'.repeat(2000)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
);

/** Headers that the server reads, each on few requests. */
export const junkHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...['x-http-method-override', 'idempotency-key', 'if-match', 'if-none-match', 'if-modified-since', 'range'],
        ...['x-api-key', 'x-cart-token', 'origin', 'referer', 'sec-fetch-site', 'x-request-id', 'content-disposition'],
        ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'accept-encoding'],
      ),
      headerText,
    ),
    { maxLength: 2 },
  )
  .map((entries) => Object.fromEntries(entries));

export const junkCookie = fc.oneof(
  headerText,
  fc.constantFrom('marquee-cart=x', 'marquee-session=x.y; marquee-session=z', 'marquee-event=%00', 'a=b; '.repeat(100)),
);

export const junkLanguage = fc.constantFrom(
  'fr',
  'de',
  '*;q=0,fr;q=x',
  ',;;q=',
  'x'.repeat(2000),
  'fr;q=0.5,'.repeat(200),
);
