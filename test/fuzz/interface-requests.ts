import fc from 'fast-check';
import { endpoints } from '../../src/app.ts';
import type { Role } from '../../src/http/core/auth.ts';
import type { AnyEndpoint } from '../../src/http/core/endpoint.ts';
import { pathOfNamespace } from '../server.ts';
import {
  type Content,
  type FuzzRequest,
  formOf,
  jsonOf,
  multipartOf,
  nestedOf,
  type Pairs,
  queryOf,
} from './request.ts';
import {
  GLOBALS,
  junkCookie,
  junkHeaders,
  junkLanguage,
  junkText,
  junkValue,
  LONG,
  METHODS,
  mostly,
  suffix,
} from './values.ts';

/** Requests of the REST interface. */

const PREFIXES = ['/calendar', '/wp-json/calendar', '/wp-json/tribe', '/CALENDAR'];
const JUNK_PREFIXES = ['/tribe', '//calendar', '/wp-json', '/calendar/..', '/uploads', '/%00'];

/** The part of a JSON Schema that names members. */
interface MemberSchema {
  properties?: Readonly<Record<string, MemberSchema>>;
  items?: MemberSchema;
}

/** A parameter and its members, as forms name them: `attendees`, `attendees[0]`, `attendees[0][id]`. */
function namesBelow(name: string, { properties = {}, items }: MemberSchema): string[] {
  const members = Object.entries(properties).flatMap(([member, inner]) => namesBelow(`${name}[${member}]`, inner));
  return [name, ...members, ...(items ? namesBelow(`${name}[0]`, items) : [])];
}

/** All names of parameters of an endpoint, and of their members. */
export const namesOf = ({ input }: AnyEndpoint): string[] =>
  // A JSON Schema may have other members.
  Object.keys(input).flatMap((name) => namesBelow(name, (input[name]?.meta() ?? {}) as MemberSchema));

const nameOf = (item: AnyEndpoint) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('page', ...Object.keys(item.input)) },
    { weight: 2, arbitrary: fc.constantFrom('page', ...namesOf(item)) },
    fc.constantFrom(...GLOBALS),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );

const pairsOf = (item: AnyEndpoint): fc.Arbitrary<Pairs> =>
  fc.array(
    fc.tuple(nameOf(item), suffix, junkText).map(([name, rest, value]) => [`${name}${rest}`, value] as const),
    { minLength: 1, maxLength: 4 },
  );

export const BROKEN_QUERIES = [
  '%',
  '%ff=%fe',
  '&&&',
  '=',
  'a[b',
  '[]=1&[]=2',
  'page[page]=1',
  `search=${'%00'.repeat(50)}`,
];

const queriesOf = (item: AnyEndpoint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 6, arbitrary: pairsOf(item).map(queryOf) },
    fc.constantFrom(...BROKEN_QUERIES),
  );

const recordOf = (item: AnyEndpoint, maxLength: number) =>
  fc
    .array(fc.tuple(nameOf(item), junkValue), { maxLength })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

/** The required parameters, so that some requests are valid. */
const VALID: Readonly<Record<string, string>> = {
  title: 'Fuzzed walk',
  start_date: '2027-03-01 10:00',
  end_date: '2027-03-01 11:00',
  venue: 'Fuzzed hall',
  organizer: 'Fuzzed club',
  name: 'fuzzed',
  username: 'fuzzed',
  full_name: 'Fuzzed guest',
  email: 'fuzzed@example.test',
  password: 'fuzzed-password',
  role: 'subscriber',
  scopes: 'read',
  provider: 'tc',
  ticket_id: '$ticket',
  post_id: '$id2',
  from: '$id3',
  attendees: '$id1',
  payment: 'cash',
  action: 'add_ticket_nonce',
  kind: 'event',
  language: 'fr',
};

const validOf = ({ required = [] }: AnyEndpoint): Pairs =>
  (required as readonly string[]).flatMap((name) => {
    const value = VALID[name];
    return value === undefined ? [] : [[name, value] as const];
  });

const WRONG_TYPES = [
  ...['text/plain', 'application/xml', 'multipart/form-data', 'multipart/form-data; boundary=x', '/', 'a/b+json'],
];
const ODD_BODIES = [
  ...['', '--x\r\n\r\n--x--', 'title=x', '{}', '--x--', '--x\r\n'],
  '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
  '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n',
];

/** A body whose type says something else, or nothing. */
export const wrongType: fc.Arbitrary<Content> = fc
  .tuple(fc.constantFrom(...WRONG_TYPES), fc.constantFrom(...ODD_BODIES))
  .map(([type, body]) => ({ headers: { 'content-type': type }, body }));

export const brokenJson: fc.Arbitrary<Content> = fc
  .constantFrom('{', '{"a":', 'nul', '\u0000', '{"a":1}}', '[[[[', '{"\ud800": 1}', '[1e309]')
  .map((body) => ({ headers: { 'content-type': 'application/json' }, body }));

/** Fields as a form, as a multipart form, and as JSON. */
export const contentOf = (pairs: fc.Arbitrary<Pairs>): fc.Arbitrary<Content> =>
  fc
    .tuple(
      pairs,
      fc.constantFrom(formOf, multipartOf, (fields: Pairs) => jsonOf(nestedOf(fields))),
    )
    .map(([fields, make]) => make(fields));

function bodiesOf(item: AnyEndpoint): fc.Arbitrary<Content> {
  const valid = validOf(item);
  return fc.oneof(
    fc.constant<Content>({ headers: {} }),
    { weight: 2, arbitrary: recordOf(item, 6).map(jsonOf) },
    {
      weight: 4,
      arbitrary: recordOf(item, 2).map((record) => jsonOf({ ...record, ...Object.fromEntries(valid) })),
    },
    { weight: 3, arbitrary: contentOf(pairsOf(item)) },
    { weight: 3, arbitrary: contentOf(pairsOf(item).map((pairs) => [...valid, ...pairs])) },
    fc.jsonValue({ maxDepth: 3 }).map(jsonOf),
    brokenJson,
    wrongType,
  );
}

const SLUGS = ['$slug', 'lantern-walk', 'LANTERN-hall', 'lantern-club', 'fuzzed-walk', 'fuzzed-hall', 'fuzzed-club'];
const JUNK = [
  ...['0', '00', '-1', 'abc', '1.5', '٣', '9007199254740993', '9'.repeat(400)].map(encodeURIComponent),
  ...['%00', '%ff%fe', '%2e%2e', '%E2%82', 'a%2Fb', '%F0%9F%98%80', encodeURIComponent(LONG.slice(0, 900))],
];

/** The newest records. */
const IDS = Array.from({ length: 30 }, (_, index) => `$id${index}`);

/** Without the accounts that sign in: without them, the rest of the run would have wrong passwords. */
const usersAfter = (accounts: number) => Array.from({ length: 20 }, (_, index) => String(accounts + 1 + index));

function pathsOf(item: AnyEndpoint, accounts: number): fc.Arbitrary<string> {
  const own = item.path.startsWith('/users') ? usersAfter(accounts) : IDS;
  const usual = item.path.includes('{slug}') ? SLUGS : own;
  const part = mostly(fc.constantFrom(...usual), fc.constantFrom(...JUNK));
  const prefix = mostly(fc.constantFrom(...PREFIXES), fc.constantFrom(...JUNK_PREFIXES));
  const tail = mostly(fc.constant(''), fc.constantFrom('/', '//', '/x', '/%00', '%20', '/..%2f..'));
  return fc.tuple(prefix, part, part, tail).map(([before, first, second, rest]) => {
    const path = item.path.replace(/\{\w+\}/, () => first).replace(/\{\w+\}/, () => second);
    return `${pathOfNamespace(item.namespace, before)}${path}${rest}`;
  });
}

/** Senders of requests. */
export interface Callers {
  roles: readonly (Role | undefined)[];
  /** Accounts with the first ids, which must stay. */
  accounts: number;
}

export function interfaceRequests({ roles, accounts }: Callers): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...endpoints).chain((item) =>
    fc
      .record({
        role: fc.oneof(fc.constant<Role>('administrator'), fc.constantFrom(...roles)),
        method: mostly(fc.constantFrom<string>(...item.methods), fc.constantFrom(...METHODS)),
        path: pathsOf(item, accounts),
        query: queriesOf(item),
        content: bodiesOf(item),
        headers: junkHeaders,
        cookie: fc.option(junkCookie, { freq: 5, nil: undefined }),
        language: fc.option(junkLanguage, { freq: 3, nil: undefined }),
      })
      .map(({ role, method, path, query, content, headers, cookie, language }) => ({
        ...{ role, method, path: query === '' ? path : `${path}?${query}` },
        headers: {
          ...headers,
          ...content.headers,
          ...(cookie !== undefined && { cookie }),
          ...(language !== undefined && { 'accept-language': language }),
        },
        ...(method !== 'GET' && method !== 'HEAD' && { body: content.body }),
      })),
  );
}
