import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { makeSeat } from './attendees.ts';
import { type Caller, SITE_KEY, SITUATIONS, type Situation, type World } from './rights-situations.ts';
import { COLUMNS, RIGHTS, type Row, rowsOf, SAME } from './rights-table.ts';
import { SMTP } from './samples.ts';
import { type Answer, type TestServer, useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const isBySlug = (name: string): boolean => name.endsWith('_by_slug');
const TABLE = rowsOf(RIGHTS);

/** The rows, also for the endpoints that share them. A draft event has no slug. */
const ROWS = [
  ...TABLE,
  ...Object.entries(SAME).flatMap(([name, other]) =>
    TABLE.filter((row) => row.endpoint === other && (!isBySlug(name) || !/missing|draft/.test(row.situation))).map(
      (row) => ({ ...row, endpoint: name }),
    ),
  ),
];

/** The columns of the table, with their credentials. */
async function callersOf(server: TestServer, gate: number): Promise<Caller[]> {
  const { make, userId } = server;
  const bearer = async (owner: 'administrator' | 'author', scopes: string): Promise<Record<string, string>> => {
    const { token } = await make('POST admin:/tokens', { name: scopes, scopes, user_id: userId(owner) });
    return { authorization: `Bearer ${token}` };
  };
  const basic = (name: string, password: string) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` });
  const key = async (event_id: number): Promise<Record<string, string>> => {
    const made = await make('POST admin:/check-in-keys', { name: 'Gate', event_id });
    return { 'x-api-key': made.key };
  };
  const app = await make(`POST admin:/users/${userId('author')}/application-passwords`, { name: 'Site' });
  const headers = async (column: string): Promise<Record<string, string>> => {
    const [owner, scopes] = column.split('/');
    if (scopes !== undefined) {
      const whose = owner === 'A' ? 'administrator' : 'author';
      return bearer(whose, ['events', 'tickets', 'money'].includes(scopes) ? `${scopes}:write` : scopes);
    }
    if (column === 'nobody') return {};
    if (column === 'app') return basic('author', app.password);
    if (column === 'site') return { 'x-api-key': SITE_KEY };
    if (column === 'gate') return key(gate);
    if (column === 'other') return key(await makeEvent(server));
    return basic(column, `${column}-password`);
  };
  await make('POST admin:/users', {
    username: 'treasurer',
    email: 'treasurer@example.test',
    password: 'treasurer-password',
    role: 'editor',
    may_refund: true,
  });
  return Promise.all(COLUMNS.map(async (column) => ({ name: column, headers: await headers(column) })));
}

const callOf = ({ namespace, path, methods }: AnyEndpoint, values: readonly (string | number)[]): string => {
  const rest = [...values];
  const method = methods.includes('PATCH') ? 'PATCH' : methods[0];
  return `${method} ${namespace}:${path.replace(/\{\w+\}/g, () => String(rest.shift()))}`;
};

const wordOf = (answer: Answer, { judge }: Situation): string =>
  answer.status < 300 && judge ? judge(answer) : String(answer.status);

const endpointNamed = (name: string): AnyEndpoint => {
  const found = endpoints.find((endpoint) => endpoint.name === name);
  if (!found) throw new Error(`no endpoint is called ${name}`);
  return found;
};

const situationOf = ({ endpoint, situation }: Row): Situation => {
  const found = SITUATIONS[endpoint.replace('_by_slug', '')]?.[situation];
  if (!found) throw new Error(`no request is listed for ${endpoint}, ${situation}`);
  return found;
};

describe('the table of rights', () => {
  it('has a row for every endpoint, and no others', () => {
    const named = new Set(ROWS.map(({ endpoint }) => endpoint));
    expect(endpoints.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !endpoints.some((endpoint) => endpoint.name === name))).toEqual([]);
  });

  it('has a cell for every viewer, and a row for every described request', () => {
    expect(ROWS.filter(({ cells }) => cells.length !== COLUMNS.length)).toEqual([]);
    const rows = ROWS.filter(({ endpoint }) => !isBySlug(endpoint));
    const described = Object.entries(SITUATIONS).flatMap(([endpoint, all]) =>
      Object.keys(all).map((situation) => `${endpoint} ${situation}`),
    );
    expect(rows.map(({ endpoint, situation }) => `${endpoint} ${situation}`).sort()).toEqual(described.sort());
  });
});

describe.each(usualDatabases)('the rights on %s', (kind) => {
  const server = useTestServer(kind, {
    smtp: SMTP,
    qrApiKey: SITE_KEY,
    trustProxy: ['loopback'],
    secretGuesses: { perAddress: 0, perAccount: 0 },
  });
  let world: World;
  let callers: Caller[];
  beforeAll(async () => {
    const gate = await makeEvent(server(), { description: 'Told', author: server().userId('editor') });
    const own = await makeEvent(server(), { description: 'Told', author: server().userId('author') });
    const [seat, ownSeat] = [await makeSeat(server(), gate, 5000), await makeSeat(server(), own, 5000)];
    world = { server: server(), gate, seat, ownSeat };
    callers = await callersOf(server(), gate);
  });

  async function slugOf({ name }: AnyEndpoint, id: number): Promise<string> {
    const { query } = server().context.db;
    const table = name.startsWith('events') ? 'events' : 'linked_posts';
    return (await query.selectFrom(table).select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug;
  }

  /** The outcomes for all viewers; a request that is refused or only reads is reused for the next one. */
  async function play(endpoint: AnyEndpoint, situation: Situation) {
    const words: string[] = [];
    let sample: Awaited<ReturnType<Situation['make']>> | undefined;
    for (const caller of callers) {
      sample ??= await situation.make(world, caller);
      const { path = [], headers, ...asking } = sample;
      const named = endpoint.path.includes('{slug}') ? [await slugOf(endpoint, Number(path[0]))] : path;
      const answer = await server().ask(callOf(endpoint, named), {
        ...asking,
        headers: { ...headers, ...caller.headers },
      });
      words.push(wordOf(answer, situation));
      const isSpent = answer.status < 300 && (situation.isOnce || endpoint.methods.includes('DELETE'));
      if (isSpent || situation.isPersonal) sample = undefined;
    }
    return words;
  }

  const tabled = (row: Pick<Row, 'endpoint' | 'situation'>, words: readonly string[]) =>
    `${row.endpoint} ${row.situation}: ${words.map((word, index) => `${COLUMNS[index]} ${word}`).join(', ')}`;

  it.each(ROWS)('$endpoint, $situation: all viewers get the outcomes of the table', async (row) => {
    const words = await play(endpointNamed(row.endpoint), situationOf(row));
    expect(tabled(row, words)).toBe(tabled(row, row.cells));
  });

  it('of an expired token are none, wherever it is sent', async () => {
    const { ask, make, clock } = server();
    const { token } = await make('POST admin:/tokens', { name: 'Old', scopes: 'admin', expires: '+1 hour' });
    clock.now = new Date(clock.now.getTime() + 2 * 3_600_000);
    for (const [index, endpoint] of endpoints.entries()) {
      // A separate address: too many wrong tokens from one are refused differently.
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${index}` };
      const { status, body } = await ask(callOf(endpoint, [world.gate, world.gate]), { headers });
      expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 401, 'invalid_token']);
    }
  });
});
