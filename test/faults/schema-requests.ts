import fc from 'fast-check';
import { type Json, type OpenApi, operationsAt, resolved } from '../document.ts';
import { unicodeString } from '../unicode.ts';

/** Requests from an OpenAPI document: with values that are valid, nearly valid and invalid. */

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** Fields of the body as JSON. */
  fields: Readonly<Record<string, Schema>>;
  required: readonly string[];
}

export interface SentRequest {
  as: 'administrator' | 'nobody';
  method: string;
  /** As in the document. */
  template: string;
  /** Including the query. */
  path: string;
  body: unknown;
}

interface Body {
  properties?: Record<string, Schema>;
  required?: string[];
}

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    operationsAt(item).map(([method, operation]) => {
      const { properties = {}, required = [] } = bodyOf(operation, document);
      const listed = [item.parameters ?? [], operation.parameters ?? []].flat();
      const parameters = listed.map((one) => withSchemas(resolved(one, document), document) as Parameter);
      return { method: method.toUpperCase(), path, parameters, fields: described(properties), required };
    }),
  );
}

function bodyOf({ requestBody = {} }: Json, document: OpenApi): Body {
  const { content = {} } = resolved(requestBody, document) as { content?: Record<string, Json> };
  return withSchemas(content['application/json']?.schema ?? {}, document) as Body;
}

/** Parameters without a description are recognized as dates by name. */
const described = (fields: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, { description: name.replaceAll('_', ' '), ...schema }]),
  );

/** The schemas of requests are not recursive. */
function withSchemas(value: unknown, document: OpenApi): unknown {
  if (Array.isArray(value)) return value.map((item) => withSchemas(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(resolved(value, document)).map(([key, inner]) => [key, withSchemas(inner, document)]);
  return Object.fromEntries(entries);
}

const LONG = 'long '.repeat(2000);
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  'true',
  'null',
  'any',
  'publish',
  '<b>x</b>',
  "' OR 1=1",
  '\u0000',
  '😀',
  LONG,
];
const DATES = ['2037-03-06', '2037-03-06 18:30:00', '2037-03-07 10:00', 'now'];
const ODD_DATES = ['2037-02-30', '0000-00-00', '9999-12-31T23:59:59Z', '25:00', '@99999999999999999999'];
/** Only addresses that are refused without network access. */
const ADDRESSES = ['http://127.0.0.1:1/x.png', 'https://nowhere.invalid/', 'ftp://x', 'http://', '//x'];

const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...ODD_DATES, ...ADDRESSES),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { id: {} }, 0, -1, 1.5, 2 ** 53, 1e308),
  unicodeString({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** An object may have an own `toString` that is not a function. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const list = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : []); // alternatives of a schema

/** Values that a schema allows. */
function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
  const alternatives = [...list(schema.anyOf), ...list(schema.oneOf)];
  if (alternatives.length > 0) return fc.oneof(...alternatives.map(allowedBy));
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const types = [schema.type ?? 'string'].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(allowedBy((schema.items ?? {}) as Schema), { maxLength: 3 });
  if (type === 'object') return objectOf((schema.properties ?? {}) as Record<string, Schema>);
  return textOf(schema);
}

/** Mostly small ones, which are ids of records. */
const numberOf = ({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<number> => {
  const [min, max] = [Math.max(Number(minimum), -1000), Math.min(Number(maximum), 100_000)];
  const small = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 30)) });
  return fc.oneof(small, fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
};

function textOf({ format, description, maxLength = 40 }: Schema): fc.Arbitrary<unknown> {
  const isDate = String(format).startsWith('date') || /\bdates?\b/i.test(String(description));
  if (isDate) return fc.constantFrom(...DATES);
  if (format === 'uri') return fc.constantFrom(...ADDRESSES);
  if (format === 'email') return fc.constantFrom('a@example.test', 'b@example.test');
  return fc
    .oneof(fc.constantFrom('Walk', 'hall', 'publish', '1', '1,2', 'family'), fc.lorem({ maxCount: 3 }))
    .map((text) => text.slice(0, Number(maxLength)));
}

const objectOf = (properties: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, allowedBy(schema)])), {
    requiredKeys: [],
  });

/** At the limits of a schema, just beyond them, and valid values of the wrong type. */
function nearlyAllowedBy(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength } = schema;
  const limits = [minimum, maximum].filter((limit) => typeof limit === 'number');
  const beyond = [...limits, ...limits.map((limit) => limit - 1), ...limits.map((limit) => limit + 1)];
  const long = typeof maxLength === 'number' ? [maxLength, maxLength + 1].map((length) => 'x'.repeat(length)) : [];
  const right = allowedBy(schema);
  return fc.oneof(
    ...[...beyond, ...long].map((value) => fc.constant<unknown>(value)),
    right.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    right.map((value) => [value]),
    right.map((value) => (typeof value === 'string' ? Number(value) || 0 : asText(value))),
    fc.constantFrom<unknown>('', null),
  );
}

type Validity = 'right' | 'nearly' | 'wrong';

const arbitraryOf = (schema: Schema, rightness: Validity): fc.Arbitrary<unknown> => {
  if (rightness === 'right') return allowedBy(schema);
  const odd = rightness === 'nearly' ? nearlyAllowedBy(schema) : wrong;
  return fc.oneof({ weight: 2, arbitrary: allowedBy(schema) }, { weight: 1, arbitrary: odd });
};

/** The first account is the administrator's, which must not be removed. */
const FIRST_ACCOUNTS = 3;

const pathPart = (path: string, schema: Schema, rightness: Validity): fc.Arbitrary<string> => {
  const isAccount = path.includes('/users/');
  const id = fc.integer({ min: isAccount ? FIRST_ACCOUNTS : 1, max: 40 }).map(String);
  const usual = /integer|number/.test(JSON.stringify(schema.type ?? '')) || isAccount ? id : textOf(schema).map(asText);
  if (rightness === 'right' || isAccount) return usual;
  return fc.oneof({ weight: 4, arbitrary: usual }, wrong.map(textInPath));
};

/** Dots alone would address another path, and an empty value another endpoint. */
const textInPath = (value: unknown): string => {
  const text = asText(value).slice(0, 500);
  return /^\.*$/.test(text) ? 'x' : encodeURIComponent(text);
};

function inQuery(value: unknown): string {
  if (Array.isArray(value)) return encodeURIComponent(value.map(asText).join(','));
  return encodeURIComponent(asText(value));
}

export function requestOf(operations: readonly Operation[]): fc.Arbitrary<SentRequest> {
  return fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom<Validity>('right', 'nearly', 'wrong'))
    .chain(([operation, rightness]) => {
      const { method, path, parameters, fields, required } = operation;
      const places = parameters.filter((one) => one.in === 'path');
      const queries = parameters.filter((one) => one.in === 'query');
      const needed = queries.filter((one) => one.required).map(({ name }) => name);
      const known = Object.fromEntries(queries.map(({ name, schema }) => [name, schema]));
      const queryOf = fc
        .tuple(recordOf(pick(known, needed), 'right', needed), recordOf(known, rightness, []).chain(someOf))
        .map(([needs, more]) => ({ ...needs, ...more }));
      const bodyOf = fc
        .tuple(recordOf(pick(fields, required), 'right', required), recordOf(fields, rightness, []).chain(someOf))
        .map(([needed, more]) => (rightness === 'wrong' ? more : { ...needed, ...more }));
      return fc
        .record({
          as: fc.constantFrom<SentRequest['as']>('administrator', 'administrator', 'nobody'),
          parts: fc.tuple(...places.map(({ schema }) => pathPart(path, schema, rightness))),
          query: queryOf,
          body: Object.keys(fields).length > 0 ? bodyOf : fc.constant(undefined),
        })
        .map(({ as, parts, query, body }) => ({
          ...{ as, method, template: path, body },
          path:
            places.reduce((filled, { name }, index) => filled.replace(`{${name}}`, parts[index] ?? '1'), path) +
            queryText(query),
        }));
    });
}

type Schemas = Readonly<Record<string, Schema>>;

const pick = (fields: Schemas, names: readonly string[]): Schemas =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

const recordOf = (fields: Schemas, rightness: Validity, requiredKeys: readonly string[]) =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, arbitraryOf(schema, rightness)])),
    { requiredKeys: requiredKeys.filter((name) => name in fields) },
  );

/** Few at a time: with all parameters, one would make nearly every request invalid. */
const someOf = (record: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> => {
  const entries = Object.entries(record);
  return fc.subarray(entries, { maxLength: Math.min(3, entries.length) }).map((some) => Object.fromEntries(some));
};

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${inQuery(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
