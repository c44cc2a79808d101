import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/app.ts';
import { siteCommands } from '../src/cli/site.ts';
import type { AnyEndpoint, Method } from '../src/http/endpoint.ts';
import { EVERYWHERE, openapiDocument, WITH_BODY } from '../src/http/openapi.ts';
import { BODY_ONLY } from '../src/http/params.ts';
import en from '../src/locales/en.json' with { type: 'json' };
import fr from '../src/locales/fr.json' with { type: 'json' };
import { type Everything, makeEverything, png, upload } from './everything.ts';
import { type Answer, type Asking, DATABASES, type TestServer, useTestServer } from './server.ts';

type Json = Record<string, unknown>;
const asJson = (value: unknown) => value as Json;

const NAMED = endpoints.map((item) => [item.name, item] as const);
const OPERATIONS = endpoints.flatMap((item) =>
  (item.methods as readonly Method[]).map((method) => ({ method, item, name: `${method} ${item.name}` })),
);

describe('every endpoint', () => {
  it('has a name of its own', () => {
    expect(new Set(NAMED.map(([name]) => name)).size).toBe(endpoints.length);
  });

  it.each(NAMED)('%s says what it does, what it takes, and why it may refuse', (name, item) => {
    expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(item.summary).not.toBe('');
    expect(Object.keys(item.answers)).not.toEqual([]);
    for (const [field, schema] of Object.entries(item.input as Record<string, z.ZodType>)) {
      const { description, type } = asJson(schema.meta() ?? {});
      expect([field, typeof description, description === '']).toEqual([field, 'string', false]);
      expect([field, type === undefined]).toEqual([field, false]);
    }
    for (const field of item.required ?? []) expect(item.input).toHaveProperty(field);
    for (const [, parameter = ''] of item.path.matchAll(/\{(\w+)\}/g)) expect(item.input).toHaveProperty(parameter);
    for (const code of [...item.errors, ...EVERYWHERE, ...WITH_BODY]) {
      expect(asJson(en)[`error.${code}`]).toEqual(expect.any(String));
      expect(asJson(fr)[`error.${code}`]).toEqual(expect.any(String));
    }
    expect(new Set(item.errors).size).toBe(item.errors.length);
  });
});

describe('the OpenAPI documents', () => {
  const whole = openapiDocument(endpoints, {
    server: '/',
    languages: ['en', 'fr'],
    prefix: ({ namespace }) => `/${namespace}`,
  });

  it('are valid', () => {
    expect(problemsOf(whole)).toEqual([]);
  });

  it('are checked by a check that can fail', () => {
    const broken = structuredClone(whole) as { paths: Json; components: { schemas: Json } };
    broken.components.schemas.Event = { $ref: '#/components/schemas/Nothing' };
    broken.paths['/x/{id}'] = { get: { operationId: 'events.list', parameters: [], responses: {} } };
    expect(problemsOf(broken)).toEqual(
      expect.arrayContaining([
        'reference Nothing',
        'get /x/{id}: operationId',
        'get /x/{id}: path parameters',
        'get /x/{id}: responses',
      ]),
    );
    const term = { id: 1, count: 0, description: '', name: 'a', slug: 'a', taxonomy: 'post_tag', meta: [], url: '' };
    const urls = { self: '', collection: '' };
    const isAllowed = (value: unknown) =>
      parserOf({ $ref: '#/components/schemas/Term' }, whole).safeParse(value).success;
    expect([term, { ...term, urls }, { ...term, urls, secret: 1 }].map(isAllowed)).toEqual([false, true, false]);
  });

  it('describe every operation', () => {
    const described = Object.entries(whole.paths as Record<string, Json>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = OPERATIONS.map(({ method, item }) => `${method} /${item.namespace}${item.path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('are those of openapi.json: `npm run openapi` writes it', async () => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const command = siteCommands.find(({ name }) => name === 'openapi');
    await command?.run([], {
      print,
      printError: print,
      openContext: expect.unreachable,
      readSecret: expect.unreachable,
    });
    const file = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(printed.join('\n')));
  });
});

/** What is wrong with a document by the rules of OpenAPI 3.1 that tools stumble over. */
function problemsOf(document: unknown): string[] {
  const { openapi, info, paths, components } = document as Record<string, Json>;
  const problems: string[] = [];
  const claim = (holds: boolean, what: string) => void (holds || problems.push(what));
  claim(/^3\.1\.\d$/.test(String(openapi)), 'version');
  claim(typeof info?.title === 'string' && typeof info.version === 'string', 'info');
  const names = new Set(Object.keys(asJson(components?.schemas)));
  for (const reference of refsOf(document)) claim(names.has(reference), `reference ${reference}`);
  for (const [name, schema] of Object.entries(asJson(components?.schemas)))
    claim(/^[\w.-]+$/.test(name) && (!isComplete(schema, names) || compiles(schema, document)), `schema ${name}`);
  const ids = new Set<unknown>();
  for (const [path, operations] of Object.entries(paths ?? {})) {
    for (const [method, operation] of Object.entries(asJson(operations))) {
      const at = `${method} ${path}`;
      const { operationId, parameters = [], responses = {}, requestBody } = operation as Record<string, Json>;
      claim(path.startsWith('/') && typeof operationId === 'string' && !ids.has(operationId), `${at}: operationId`);
      ids.add(operationId);
      const listed = parameters as unknown as Json[];
      const keys = listed.map((item) => `${item.in} ${item.name}`);
      claim(new Set(keys).size === keys.length, `${at}: a parameter twice`);
      const inPath = listed.filter((item) => item.in === 'path' && item.required === true).map((item) => item.name);
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      claim(JSON.stringify(inPath.sort()) === JSON.stringify(wanted.sort()), `${at}: path parameters`);
      for (const { name, schema } of listed) claim(compiles(schema, document), `${at}: parameter ${name}`);
      claim(
        Object.keys(responses).some((status) => status.startsWith('2')),
        `${at}: responses`,
      );
      for (const [status, response] of Object.entries(responses)) {
        claim(/^[2-5]\d\d$/.test(status) && typeof asJson(response).description === 'string', `${at}: ${status}`);
        for (const schema of schemasOf(response)) claim(compiles(schema, document), `${at}: body of ${status}`);
      }
      for (const schema of schemasOf(requestBody)) claim(compiles(schema, document), `${at}: body`);
    }
  }
  return problems;
}

const schemasOf = (carrier: unknown): unknown[] =>
  Object.values(asJson(asJson(carrier ?? {}).content ?? {})).map((media) => asJson(media).schema);

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner).replace('#/components/schemas/', '')] : refsOf(inner),
  );
}

const isComplete = (schema: unknown, names: ReadonlySet<string>) => refsOf(schema).every((name) => names.has(name));

/** A parser made from a schema of the document: answers are held against what readers of the document see. */
function parserOf(schema: unknown, document: unknown): z.ZodType {
  const definitions = asJson(asJson(asJson(document).components).schemas);
  const relocated = JSON.stringify({ ...asJson(schema), $defs: definitions }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  return z.fromJSONSchema(JSON.parse(relocated));
}

function compiles(schema: unknown, document: unknown): boolean {
  try {
    parserOf(schema, document).safeParse(undefined);
    return true;
  } catch {
    return false;
  }
}

/** A request that an administrator succeeds with. */
interface Sample extends Pick<Asking, 'query' | 'body' | 'form'> {
  /** Values of the path, in order. */
  path?: (string | number)[];
  /** Status for a subscriber, if it is not 403. */
  subscriber?: number;
}

type Sampling = (world: Everything, server: TestServer) => Sample | Promise<Sample>;

const WALK = { title: 'Short walk', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
const made = async (server: TestServer, call: string, body: unknown) =>
  (await server.make(call, body)) as Answer['body'];
let serial = 0;
const fresh = (word: string) => `${word}${++serial}`;

const linked = (plural: string, kind: 'venue' | 'organizer'): Record<string, Sampling> => {
  const create = (server: TestServer) => made(server, `POST /${plural}`, { [kind]: fresh(kind) });
  return {
    [`${plural}.list`]: () => ({ query: { per_page: 1 } }),
    [`${plural}.create`]: () => ({ body: { [kind]: fresh(kind), website: 'https://example.org' } }),
    [`${plural}.read`]: (world) => ({ path: [world[kind]] }),
    [`${plural}.update`]: (world) => ({ path: [world[kind]], body: { phone: fresh('') } }),
    [`${plural}.delete`]: async (_world, server) => ({ path: [(await create(server)).id] }),
    [`${plural}.read_by_slug`]: async (_world, server) => ({ path: [(await create(server)).slug] }),
    [`${plural}.update_by_slug`]: async (_world, server) => ({
      path: [(await create(server)).slug],
      body: { phone: '1' },
    }),
    [`${plural}.delete_by_slug`]: async (_world, server) => ({
      path: [(await create(server)).slug],
      query: { force: true },
    }),
  };
};

const terms = (plural: string, kind: 'category' | 'tag'): Record<string, Sampling> => ({
  [`${plural}.list`]: () => ({ query: { per_page: 1, hide_empty: false } }),
  [`${plural}.create`]: () => ({ body: { name: fresh(kind) } }),
  [`${plural}.read`]: (world) => ({ path: [world[kind]] }),
  [`${plural}.update`]: (world) => ({ path: [world[kind]], body: { description: fresh('') } }),
  [`${plural}.delete`]: async (_world, server) => ({
    path: [(await made(server, `POST /${plural}`, { name: fresh(kind) })).id],
  }),
});

const newUser = () => {
  const username = fresh('user');
  return { username, email: `${username}@example.test`, password: 'long enough', role: 'subscriber' };
};

/** One for every endpoint; an endpoint without one fails below. */
const SAMPLES: Readonly<Record<string, Sampling>> = {
  'events.index': () => ({}),
  'events.doc': () => ({}),
  'admin.index': () => ({}),
  'admin.doc': () => ({}),
  'events.list': () => ({ query: { per_page: 1 } }),
  'events.create': () => ({ body: { ...WALK, venue: { venue: fresh('Hall') }, categories: ['Walks'] } }),
  'events.read': (world) => ({ path: [world.event] }),
  'events.update': (world) => ({ path: [world.event], body: { excerpt: fresh('') } }),
  'events.delete': async (_world, server) => ({ path: [(await made(server, 'POST /events', WALK)).id] }),
  'events.read_by_slug': () => ({ path: ['lantern-walk'] }),
  'events.update_by_slug': () => ({ path: ['lantern-walk'], body: { excerpt: fresh('') } }),
  'events.delete_by_slug': async (_world, server) => ({
    path: [(await made(server, 'POST /events', WALK)).slug],
    query: { force: true },
  }),
  ...linked('venues', 'venue'),
  ...linked('organizers', 'organizer'),
  ...terms('categories', 'category'),
  ...terms('tags', 'tag'),
  'media.upload': async () => ({ form: upload(await png()) }),
  'media.list': () => ({ query: { per_page: 1 } }),
  'media.read': (world) => ({ path: [world.media] }),
  'media.delete': async (_world, { ask }) => {
    const { body } = await ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) });
    return { path: [body.id] };
  },
  'me.find': () => ({ subscriber: 200 }),
  'users.list': () => ({ query: { per_page: 1 } }),
  'users.create': () => ({ body: newUser() }),
  'users.find': (_world, { userId }) => ({ path: [userId('editor')] }),
  'users.update': (_world, { userId }) => ({
    path: [userId('door')],
    body: { email: `${fresh('door')}@example.test` },
  }),
  'users.remove': async (_world, server) => ({ path: [(await made(server, 'POST admin:/users', newUser())).id] }),
  'application_passwords.list': (_world, { userId }) => ({ path: [userId('editor')] }),
  'application_passwords.create': (_world, { userId }) => ({ path: [userId('editor')], body: { name: 'till' } }),
  'application_passwords.remove': async (_world, server) => {
    const owner = server.userId('editor');
    const { id } = await made(server, `POST admin:/users/${owner}/application-passwords`, { name: 'old' });
    return { path: [owner, id] };
  },
  'tokens.list': () => ({ subscriber: 200 }),
  'tokens.create': (_world, { userId }) => ({
    body: { name: 'feed', scopes: ['read'], user_id: userId('editor'), expires: '2027-01-01' },
  }),
  'tokens.remove': async (_world, server) => {
    const body = { name: 'old', scopes: 'read', user_id: server.userId('editor') };
    return { path: [(await made(server, 'POST admin:/tokens', body)).id], subscriber: 404 };
  },
};

/** Endpoints whose success cannot be had through the interface yet. */
const WITHOUT_SAMPLE = ['tickets.availability'];

const callOf = ({ namespace, path }: AnyEndpoint, method: Method, values: (string | number)[] = []) => {
  const rest = [...values];
  return `${method} ${namespace}:${path.replace(/\{\w+\}/g, () => String(rest.shift()))}`;
};

const TABLES = [
  'records',
  'events',
  'linked_posts',
  'terms',
  'event_links',
  'media',
  'users',
  'app_passwords',
  'tokens',
] as const;

/** Everything that is stored, to see that a refused request stored nothing. */
async function contentOf({ context }: TestServer): Promise<string> {
  const rows: unknown[] = [];
  for (const table of TABLES) rows.push(await context.db.query.selectFrom(table).selectAll().execute());
  return JSON.stringify(rows.map((list) => (list as unknown[]).map((row) => JSON.stringify(row)).sort()));
}

function expectListed({ name, errors, methods }: AnyEndpoint, answer: Answer): void {
  if (answer.status < 400) return;
  const withBody = methods.includes('GET') ? [] : WITH_BODY;
  expect([name, [...errors, ...EVERYWHERE, ...withBody]]).toEqual([name, expect.arrayContaining([answer.body.code])]);
  expect(answer.body).toMatchObject({ message: expect.any(String), data: { status: answer.status } });
}

describe.each(DATABASES)('the contract on %s', (kind) => {
  const server = useTestServer(kind);
  let world: Everything;
  const documents = new Map(
    [...Map.groupBy(endpoints, ({ namespace }) => namespace)].map(([namespace, own]) => [
      namespace as string,
      openapiDocument(own, { server: '/', languages: ['en', 'fr'] }),
    ]),
  );

  beforeAll(async () => {
    world = await makeEverything(server());
  });

  it('has a sample of every endpoint', () => {
    expect(endpoints.map(({ name }) => name).filter((name) => !(name in SAMPLES))).toEqual(WITHOUT_SAMPLE);
  });

  const sampled = OPERATIONS.filter(({ item }) => item.name in SAMPLES);
  it.each(sampled)('$name answers as it says, to those who may', async ({ item, method }) => {
    const { ask } = server();
    const { path, subscriber = 403, ...asking } = (await SAMPLES[item.name]?.(world, server())) ?? {};
    const call = callOf(item, method, path);
    const before = await contentOf(server());

    const wrongLanguage = { ...asking, query: { ...asking.query, i18n_language: 'xx' } };
    const lost = await ask(call, { ...wrongLanguage, as: 'administrator' });
    expect(lost).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { i18n_language: expect.any(String) } } },
    });
    if (item.may) {
      const stranger = await ask(call, asking);
      expect([stranger.status, stranger.body.code]).toEqual([401, 'rest_forbidden']);
      const refused = await ask(call, { ...asking, as: 'subscriber' });
      expect(refused.status).toBe(subscriber);
      for (const answer of [stranger, refused]) expectListed(item, answer);
    }
    expect(await contentOf(server())).toBe(before);

    const answer = await ask(call, { ...asking, as: 'administrator' });
    expect([call, answer.status, answer.text.slice(0, 300)]).toEqual([
      call,
      Number(Object.keys(item.answers)[0]),
      expect.any(String),
    ]);
    expect(problemsOfBody(item, method, answer)).toEqual([]);
  });

  /** Held against the published schema, which allows no member that it does not name. */
  function problemsOfBody(item: AnyEndpoint, method: Method, answer: Answer): unknown[] {
    const document = documents.get(item.namespace) as Record<string, Record<string, Record<string, Json>>>;
    const operation = document.paths?.[item.path || '/']?.[method.toLowerCase()];
    const [schema] = schemasOf(asJson(operation?.responses)[answer.status]);
    return parserOf(schema, document).safeParse(answer.body).error?.issues ?? [];
  }

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

  it.each(OPERATIONS)('$name refuses with errors that it lists', async ({ item, method }) => {
    const values = item.path.includes('{slug}') ? ['nope'] : [999_999, 999_999];
    for (const { form, ...asking } of TRIALS) {
      const isRead = method === 'GET';
      const { body: _body, ...bare } = asking;
      const answer = await server().ask(callOf(item, method, values), isRead ? bare : { ...asking, form });
      expectListed(item, answer);
    }
  });

  it('lists every route in the index of its namespace and in the documentation', async () => {
    const { ask } = server();
    for (const [namespace, own] of Map.groupBy(endpoints, (item) => item.namespace)) {
      const index = (await ask(`GET ${namespace}:`)).body;
      const doc = (await ask(`GET ${namespace}:/doc`)).body;
      expect(problemsOf(doc)).toEqual([]);
      expect(doc.servers).toEqual([{ url: `http://localhost/calendar/${namespace}/v1` }]);
      for (const { path, methods, input } of own) {
        const pattern = path.replace(/\{(\w+)\}/g, (_all: string, name: string) =>
          name.endsWith('id') ? `(?P<${name}>\\d+)` : `(?P<${name}>[^/]+)`,
        );
        const listed = index.routes[`/calendar/${namespace}/v1${pattern}`].endpoints as Json[];
        const args = Object.keys(input).filter((name) => !name.startsWith(BODY_ONLY));
        const entry = listed.find((item) => String(item.methods) === String(methods));
        expect(Object.keys(asJson(entry?.args))).toEqual(args);
        for (const method of methods) expect(doc.paths[path || '/']).toHaveProperty(method.toLowerCase());
      }
    }
  });

  it('finds the index of another namespace by name, and of none not', async () => {
    const { ask } = server();
    const other = await ask('GET /', { query: { namespace: 'calendar/admin/v1' } });
    expect(other.body.routes).toHaveProperty(['/calendar/admin/v1/media']);
    expect((await ask('GET /', { query: { namespace: 'calendar/none/v1' } })).body.code).toBe('rest_invalid_namespace');
  });
});
