import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { documentedEndpoints, endpoints } from '../src/app.ts';
import type { Database } from '../src/db/database.ts';
import type { AnyEndpoint, Method } from '../src/http/core/endpoint.ts';
import { ERROR_CODES, messageOf } from '../src/http/core/errors.ts';
import { BODY_ONLY } from '../src/http/input/params.ts';
import { EVERYWHERE, WITH_BODY, WITH_KEY } from '../src/http/openapi/openapi-responses.ts';
import { CATALOGUES } from '../src/lib/i18n.ts';
import { siteCommands } from '../src/server/cli/site.ts';
import { type Json, type OpenApi, operationsAt, resolved, wholeDocument } from './document.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { createResponseChecker, templateOf } from './response-checker.ts';
import { expectSameResponse } from './same-response.ts';
import { authorised, DOOR_KEY, SAMPLES } from './samples.ts';
import { type Answer, type Asking, type TestServer, useTestServer } from './server.ts';
import { type KeyHooks, keyHooks } from './statements.ts';
import { readContent } from './stored-content.ts';
import { usualDatabases } from './thoroughness.ts';

const asJson = (value: unknown) => value as Json;

/** Status of a write that is no dry run. */
const successOf = ({ responses }: AnyEndpoint): number => (responses[201] ? 201 : Number(Object.keys(responses)[0]));

const NAMED = endpoints.map((item) => [item.name, item] as const);
const OPERATIONS = endpoints.flatMap((item) =>
  (item.methods as readonly Method[]).map((method) => ({ method, item, name: `${method} ${item.name}` })),
);

const DOCUMENTED = OPERATIONS.filter(({ item }) => documentedEndpoints.includes(item));

describe('every endpoint', () => {
  it('has a unique name', () => {
    expect(new Set(NAMED.map(([name]) => name)).size).toBe(endpoints.length);
  });

  it.each(NAMED)('%s documents its purpose, its parameters and its errors', (name, item) => {
    expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(item.summary).not.toBe('');
    expect(Object.keys(item.responses)).not.toEqual([]);
    for (const [field, schema] of Object.entries(item.input as Record<string, z.ZodType>)) {
      const { description, type, anyOf, $ref } = asJson(schema.meta() ?? {});
      expect([field, typeof description, description === '']).toEqual([field, 'string', false]);
      expect([field, type === undefined && anyOf === undefined && $ref === undefined]).toEqual([field, false]);
    }
    for (const field of item.required ?? []) expect(item.input).toHaveProperty(field);
    for (const [, parameter = ''] of item.path.matchAll(/\{(\w+)\}/g)) expect(item.input).toHaveProperty(parameter);
    expect(new Set(item.errors).size).toBe(item.errors.length);
  });
});

/** Codes that no endpoint lists, with the reason. */
const OF_NO_ENDPOINT: Readonly<Record<string, string>> = {
  rest_no_route: 'answered before an endpoint is found',
  oembed_invalid_url: 'of oEmbed, which is above the namespaces',
};

describe('every error code', () => {
  it('is listed by an endpoint, or common to all of them', () => {
    const listed = new Set([...endpoints.flatMap(({ errors }) => errors), ...EVERYWHERE, ...WITH_BODY, ...WITH_KEY]);
    expect(ERROR_CODES.filter((code) => !listed.has(code))).toEqual(Object.keys(OF_NO_ENDPOINT));
  });

  it.each(Object.entries(CATALOGUES))('has its text in %s, and there are no other texts', (_language, texts) => {
    const said = Object.keys(texts).flatMap((key) => /^error\.(.+)$/.exec(key)?.[1] ?? []);
    expect(said.sort()).toEqual(
      [...new Set(ERROR_CODES.map((code) => messageOf(code).key.slice('error.'.length)))].sort(),
    );
  });
});

describe('the OpenAPI documents', () => {
  const whole = wholeDocument();

  it('are valid', () => {
    expect(problemsOf(whole)).toEqual([]);
  });

  it('describe every group of operations', () => {
    const groups = asJson(whole).tags as { name: string; description: string }[];
    expect(groups.filter(({ name, description }) => !/^[A-Z].+\.$/.test(description) || description === name)).toEqual(
      [],
    );
  });

  it('have texts only in multipart forms, as programs send them', () => {
    const { requestBodies = {}, schemas = {} } = whole.components;
    const forms = Object.entries(requestBodies).filter(
      ([, body]) => 'multipart/form-data' in asJson(asJson(body).content),
    );
    expect(forms.length).toBeGreaterThan(0);
    for (const [name] of forms)
      for (const [field, schema] of Object.entries(asJson(asJson(schemas[name]).properties))) {
        const { type = 'string' } = asJson(schema);
        expect([name, field, [type].flat().filter((one) => one !== 'null')]).toEqual([name, field, ['string']]);
      }
  });

  it('would fail the check if they were broken', () => {
    const broken = structuredClone(whole);
    asJson(broken.components.schemas).Event = { $ref: '#/components/schemas/Nothing' };
    broken.paths['/x/{id}'] = { get: { operationId: 'events.list', parameters: [], responses: {} } };
    expect(problemsOf(broken)).toEqual(
      expect.arrayContaining([
        'reference #/components/schemas/Nothing',
        'get /x/{id}: operationId',
        'get /x/{id}: path parameters',
        'get /x/{id}: responses',
      ]),
    );
  });

  it('stay small enough to read and to generate code from', () => {
    const more = DOCUMENTED.length - 106;
    expect(JSON.stringify(whole).length).toBeLessThan((200 + 3 * more) * 1024);
  });

  it('use all of their parts', () => {
    const used = new Set(refsOf(whole));
    const defined = Object.entries(whole.components).flatMap(([group, parts]) =>
      group === 'securitySchemes' ? [] : Object.keys(parts).map((name) => `#/components/${group}/${name}`),
    );
    expect(defined.filter((reference) => !used.has(reference))).toEqual([]);
  });

  it('describe every operation', () => {
    const described = Object.entries(whole.paths).flatMap(([path, item]) =>
      operationsAt(item).map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const served = DOCUMENTED.map(({ method, item }) => `${method} ${templateOf(item)}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('match openapi.json: `npm run openapi` writes it', async () => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const command = siteCommands.find(({ name }) => name === 'openapi');
    await command?.run([], {
      print,
      printError: print,
      openContext: () => expect.unreachable(),
      readSecret: expect.unreachable,
    });
    const file = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(printed.join('\n')));
  });
});

/** Violations of rules of OpenAPI 3.1 that break tools. */
function problemsOf(document: OpenApi): string[] {
  const { openapi, info, paths } = document as OpenApi & { openapi: unknown; info: Json };
  const problems: string[] = [];
  const claim = (holds: boolean, what: string) => void (holds || problems.push(what));
  claim(/^3\.1\.\d$/.test(String(openapi)), 'version');
  claim(typeof info.title === 'string' && typeof info.version === 'string', 'info');
  for (const reference of new Set(refsOf(document))) claim(isDefined(reference, document), `reference ${reference}`);
  for (const name of Object.values(document.components).flatMap(Object.keys)) claim(/^[\w.-]+$/.test(name), name);
  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId, parameters = [], responses = {} }] of operationsAt(item)) {
      const at = `${method} ${path}`;
      claim(path.startsWith('/') && typeof operationId === 'string' && !ids.has(operationId), `${at}: operationId`);
      ids.add(operationId);
      const listed = [item.parameters ?? [], parameters].flat().map((one) => resolved(one, document));
      const keys = listed.map((one) => `${one.in} ${one.name}`);
      claim(new Set(keys).size === keys.length, `${at}: a parameter twice`);
      const inPath = listed.filter((one) => one.in === 'path' && one.required === true).map((one) => one.name);
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      claim(JSON.stringify(inPath.sort()) === JSON.stringify(wanted.sort()), `${at}: path parameters`);
      claim(
        Object.keys(responses as Json).some((status) => status.startsWith('2')),
        `${at}: responses`,
      );
      for (const [status, response] of Object.entries(responses as Json)) {
        const { description } = resolved(response, document);
        claim(/^([2-5]\d\d|default)$/.test(status) && typeof description === 'string', `${at}: ${status}`);
      }
    }
  }
  return problems;
}

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsOf(inner)));
}

function isDefined(reference: string, { components }: OpenApi): boolean {
  const [, group = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  return components[group]?.[name] !== undefined;
}

/** Names of members that secrets may have. */
const SECRET_NAME = /token|password|secret|_link$|key$|_codes?$|nonce|connection|uri$|credential|otp/;

/** Members with such a name that repetitions may show, with the reason. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  token: 'of an order, which its customer must get although the first response was lost',
  security_code: 'of a ticket, which customer and staff see whenever they read it',
  nonce: 'worthless without the credentials of its account',
  currency_code: 'public',
  public_key: 'public',
  seal_key: 'public',
  show_map_link: 'public',
};

/** Paths of the members of a schema that may be texts or lists or groups of texts. */
function membersIn(schema: Json, document: OpenApi, path: readonly string[] = []): string[][] {
  if (path.length > 6) return [];
  const { properties = {}, items, anyOf = [], type } = resolved(schema, document) as Json & { anyOf?: Json[] };
  const parts = items ? [...anyOf, items as Json] : anyOf;
  const members = Object.entries(properties as Record<string, Json>).flatMap(([name, part]) =>
    membersIn(part, document, [...path, name]),
  );
  const isText = type === 'string' && path.length > 0;
  return [...(isText ? [[...path]] : []), ...parts.flatMap((part) => membersIn(part, document, path)), ...members];
}

describe('every secret that a write shows once', () => {
  const document = wholeDocument(endpoints);
  const schemasOf = (item: AnyEndpoint) => {
    const [method = ''] = item.methods;
    const operation = asJson(document.paths[templateOf(item)]?.[method.toLowerCase()]);
    const responses = asJson(operation.responses);
    const replies = Object.keys(item.responses).map((status) => resolved(responses[status], document).content);
    return replies.flatMap(
      (content) => (content as Record<string, { schema: Json }>)['application/json']?.schema ?? [],
    );
  };
  const secretsOf = (item: AnyEndpoint) =>
    schemasOf(item)
      .flatMap((schema) => membersIn(asJson(schema), document))
      .filter((path) => path.some((name) => SECRET_NAME.test(name) && !(name in NO_SECRETS)))
      .map(([member]) => member);
  const writes = endpoints.filter(({ methods }) => !methods.includes('GET'));

  it('is declared, so that it is not kept', () => {
    const undeclared = writes.flatMap((item) => {
      const missing = secretsOf(item).filter((name) => !item.shownOnce?.includes(name ?? ''));
      return missing.length > 0 ? [`${item.name}: ${missing.join()}`] : [];
    });
    expect(undeclared).toEqual([]);
  });
});

const callOf = ({ namespace, path }: AnyEndpoint, method: Method, values: (string | number)[] = []) => {
  const rest = [...values];
  return `${method} ${namespace}:${path.replace(/\{\w+\}/g, () => String(rest.shift()))}`;
};

const contents = new WeakMap<Database, { version: string; content: string }>();

const VERSIONS = {
  sqlite: sql<{ version: string }>`SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version`,
  postgres: sql<{ version: string }>`SELECT pg_current_snapshot()::text AS version`,
};

/** Changes with every commit. */
async function versionOf(db: Database): Promise<string> {
  const { rows } = await VERSIONS[db.dialect.kind].execute(db.query);
  return rows[0]?.version ?? '';
}

/** Everything that is stored, to check that a refused request stored nothing. Read again after each commit. */
async function contentOf({ context: { db } }: TestServer): Promise<string> {
  const version = await versionOf(db);
  const known = contents.get(db);
  if (known?.version === version) return known.content;
  const content = await readContent(db);
  contents.set(db, { version, content });
  return content;
}

function expectListed({ name, errors, methods }: AnyEndpoint, answer: Answer): void {
  if (answer.status < 400) return;
  const withBody = methods.includes('GET') ? [] : [...WITH_BODY, ...WITH_KEY];
  expect([name, [...errors, ...EVERYWHERE, ...withBody]]).toEqual([name, expect.arrayContaining([answer.body.code])]);
  expect(answer.body).toMatchObject({ message: expect.any(String), data: { status: answer.status } });
}

const UNKNOWN_LANGUAGE = {
  status: 400,
  body: { code: 'rest_invalid_param', data: { status: 400, params: { i18n_language: expect.any(String) } } },
};

/** The same request with an unknown or empty language, in every place that accepts one. */
function inUnknownLanguage({ item, method }: Omit<(typeof OPERATIONS)[number], 'name'>, asking: Asking): Asking[] {
  const inQuery = ['xx', '', 'EN'].map((i18n_language) => ({ ...asking, query: { ...asking.query, i18n_language } }));
  // Bodies that are handed over as bytes have none.
  if (method === 'GET' || item.takesBytes) return inQuery;
  const known = { ...asking, query: { ...asking.query, i18n_language: 'fr' } };
  if (!(asking.form instanceof FormData)) {
    const bodies = ['xx', '', ['fr']].map((i18n_language) => ({ ...asJson(asking.body ?? {}), i18n_language }));
    return [...inQuery, ...bodies.map((body) => ({ ...known, body }))];
  }
  const form = new FormData();
  for (const [name, value] of asking.form) form.append(name, value);
  form.set('i18n_language', 'xx');
  return [...inQuery, { ...known, form }];
}

const checker = createResponseChecker(wholeDocument(endpoints));

/** Writes whose responses no cache may keep, with the reason why repetitions get them again. */
const UNCACHED: Readonly<Record<string, string>> = {
  'cart.save': 'a visitor who lost the response has no other way to the cart',
  'cart.checkout': 'a customer whose response was lost has no other way to the order',
  'qr.scan': 'it shows nothing that the scanner may not read again',
  'nonces.create': 'it is worthless without the credentials of its account',
  'session.remove': 'its cookie has no token',
};

function expectWithoutSecrets(second: Answer, first: Answer, secrets: readonly string[]): void {
  const shown = secrets.map((name) => first.body[name] ?? first.headers.get(name));
  expect(shown.every((secret) => secret !== undefined && secret !== null)).toBe(true);
  const isSecret = (name: string) => secrets.some((secret) => secret.toLowerCase() === name.toLowerCase());
  const rest = Object.entries(first.body).filter(([name]) => !isSecret(name));
  expect(second.status).toBe(200);
  expect(second.body).toEqual({ ...Object.fromEntries(rest), secret_shown: true, message: expect.any(String) });
  const everything = second.text + JSON.stringify([...second.headers]);
  for (const secret of shown.flatMap((one) => stringsIn(one))) expect(everything).not.toContain(secret);
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsIn);
  return typeof value === 'string' ? [value] : [];
};

describe.each(usualDatabases)('the contract on %s', (kind) => {
  const hooks: KeyHooks = {};
  const server = useTestServer(kind, { qrApiKey: DOOR_KEY }, { hooks: keyHooks(hooks) });
  let world: Everything;
  beforeAll(async () => {
    world = await makeEverything(server());
  });

  it('has a sample of every endpoint', () => {
    expect(endpoints.map(({ name }) => name).filter((name) => !(name in SAMPLES))).toEqual([]);
  });

  const sampled = OPERATIONS.filter(({ item }) => item.name in SAMPLES);
  it.each(sampled)(
    '$name responds to authorised viewers as documented, and refuses others',
    async ({ item, method }) => {
      const { ask } = server();
      const {
        path,
        subscriber = 403,
        stranger = [401, 'rest_forbidden'],
        session,
        device,
        ...asking
      } = (await SAMPLES[item.name]?.(world, server())) ?? {};
      const may = authorised({ ...asking, session, device });
      const call = callOf(item, method, path);
      const before = await contentOf(server());

      for (const lost of inUnknownLanguage({ item, method }, asking)) {
        expect(await ask(call, { ...lost, ...may })).toMatchObject(UNKNOWN_LANGUAGE);
      }
      if (item.may) {
        const visitor = await ask(call, asking);
        expect([visitor.status, visitor.body.code]).toEqual([stranger[0], stranger[1]]);
        const refused = await ask(call, { ...asking, as: 'subscriber' });
        expect(refused.status).toBe(subscriber);
        for (const answer of [visitor, refused]) expectListed(item, answer);
      }
      expect(await contentOf(server())).toBe(before);

      const answer = await ask(call, { ...asking, ...may });
      expect([call, answer.status, answer.text.slice(0, 300)]).toEqual([call, successOf(item), expect.any(String)]);
      expect(checker.problemsOf(method, templateOf(item), answer)).toEqual([]);
    },
  );

  const written = sampled.filter(({ item, method }) => method !== 'GET' && method === item.methods[0]);
  it.each(written)('$name is executed once for several requests with one Idempotency-Key', async ({ item, method }) => {
    const { path, session, device, ...asking } = (await SAMPLES[item.name]?.(world, server())) ?? {};
    const call = callOf(item, method, path);
    const headers = { ...asking.headers, 'idempotency-key': `contract ${call}` };
    const send = () => server().ask(call, { ...asking, headers, ...authorised({ session, device, headers }) });

    if (item.idempotency !== 'recorded') {
      const before = await contentOf(server());
      hooks.beforeKeep = () => Promise.reject(new Error('ended before the answer was kept'));
      expect((await send()).status).toBe(500);
      hooks.beforeKeep = undefined;
      expect(await contentOf(server()), 'something was written although the answer was not kept').toBe(before);
    }

    const first = await send();
    expect([call, first.status]).toEqual([call, successOf(item)]);
    const after = await contentOf(server());
    const second = await send();
    if (item.shownOnce) expectWithoutSecrets(second, first, item.shownOnce);
    else expectSameResponse(second, first);
    expect(checker.problemsOf(method, templateOf(item), second)).toEqual([]);
    expect(await contentOf(server())).toBe(after);
    // No cache may store such a response, so neither does the server, unless it is no secret.
    if (first.headers.get('cache-control') === 'no-store') {
      expect([item.name, item.shownOnce !== undefined]).toEqual([item.name, !(item.name in UNCACHED)]);
    }
  });

  it('stores responses after the work only for the endpoints that declare it', () => {
    const recorded = endpoints.filter(({ idempotency }) => idempotency === 'recorded').map(({ name }) => name);
    expect(recorded).toEqual([
      ...['buyers_orders.pay', 'buyers_orders.check_payment', 'buyers_orders.cancel', 'gateways.webhook'],
      ...[
        'qr.scan',
        'payments.close',
        'payments.check',
        'media.replace',
        'media.delete',
        'batch.run',
        'door.pair',
        'door.hello',
        'door.scans',
        'door.sealed',
        'session.mail_link',
      ],
      'jobs.retry_dead',
      ...['subscriptions.delete', 'imports.upload'],
    ]);
  });

  const TRIALS: Asking[] = [
    {},
    { as: 'subscriber' },
    { as: 'contributor', body: {} },
    { as: 'administrator', body: {} },
    { as: 'administrator', query: { page: 99_999 } },
    { as: 'administrator', query: { password: '', per_page: 0, id: 'x' } },
    { headers: { authorization: 'Bearer wrong' } },
    { as: 'editor', headers: { 'content-type': 'multipart/form-data' }, form: new URLSearchParams('x=1') },
  ];

  it.each(OPERATIONS)('$name refuses only with errors that it lists', async ({ item, method }) => {
    const values = item.path.includes('{slug}') ? ['nope'] : [999_999, 999_999];
    for (const { form, ...asking } of TRIALS) {
      const isRead = method === 'GET';
      const { body: _body, ...bare } = asking;
      const answer = await server().ask(callOf(item, method, values), isRead ? bare : { ...asking, form });
      expectListed(item, answer);
    }
  });

  it('refuses an unknown language before anything else, and changes nothing', async () => {
    const before = await contentOf(server());
    for (const { item, method } of OPERATIONS) {
      const call = callOf(item, method, [999_999, 999_999]);
      for (const asking of inUnknownLanguage({ item, method }, {})) {
        expect(await server().ask(call, asking), call).toMatchObject(UNKNOWN_LANGUAGE);
      }
      const options = await server().ask(call.replace(method, 'OPTIONS'), { query: { i18n_language: 'xx' } });
      expect(options, `OPTIONS of ${call}`).toMatchObject(UNKNOWN_LANGUAGE);
    }
    expect(await contentOf(server())).toBe(before);
  });

  it('lists every route in the index of its namespace and in the documentation', async () => {
    const { ask } = server();
    for (const [namespace, own] of Map.groupBy(endpoints, (item) => item.namespace)) {
      const index = (await ask(`GET ${namespace}:`)).body;
      const root = namespace === 'wp' ? 'wp/v2' : `calendar/${namespace}/v1`;
      const answer = await ask(`GET ${namespace}:/doc`);
      const doc = namespace === 'wp' ? undefined : answer.body;
      if (doc) {
        expect(problemsOf(doc)).toEqual([]);
        expect(doc.servers).toEqual([{ url: `http://localhost/${root}` }]);
      } else expect(answer.body.code).toBe('rest_no_route');
      for (const { path, methods, input } of own) {
        const pattern = path.replace(/\{(\w+)\}/g, (_all: string, name: string) =>
          name.endsWith('id') ? `(?P<${name}>\\d+)` : `(?P<${name}>[^/]+)`,
        );
        const listed = index.routes[`/${root}${pattern}`].endpoints as Json[];
        const args = Object.keys(input).filter((name) => !name.startsWith(BODY_ONLY));
        const entry = listed.find((item) => String(item.methods) === String(methods));
        expect(Object.keys(asJson(entry?.args))).toEqual([...args, 'i18n_language']);
        for (const method of doc ? methods : []) expect(doc.paths[path || '/']).toHaveProperty(method.toLowerCase());
      }
    }
  });

  it('finds the index of another namespace by name, and refuses unknown ones', async () => {
    const { ask } = server();
    const other = await ask('GET /', { query: { namespace: 'calendar/admin/v1' } });
    expect(other.body.routes).toHaveProperty(['/calendar/admin/v1/media']);
    expect((await ask('GET /', { query: { namespace: 'calendar/none/v1' } })).body.code).toBe('rest_invalid_namespace');
  });
});
