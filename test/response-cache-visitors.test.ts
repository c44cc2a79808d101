import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from './attendees.ts';
import { listen, type TestListener } from './listen.ts';
import { type TestServer, useTestServer } from './server.ts';
import { cookieFor } from './sessions.ts';
import { type StatementHooks, withHooks } from './statements.ts';
import { effort, usualDatabases } from './thoroughness.ts';
import { EVENING, makeEvent } from './tickets.ts';

const ROOT = '/calendar/events/v1';
const TICKETS = '/calendar/tickets/v1';

/** Sends a GET as it is; gives the response without what differs from one to the next. */
async function get({ say }: TestListener, target: string, headers: readonly string[] = []): Promise<string> {
  const host = headers.some((line) => line.startsWith('Host:')) ? [] : ['Host: events.test'];
  const answer = await say(`GET ${target} HTTP/1.1`, ...host, 'Connection: close', ...headers, '', '');
  const id = /^x-request-id: (.*)\r$/im.exec(answer)?.[1] ?? '';
  const plain = answer.replace(/^date: .*$/im, 'Date').replaceAll(id, 'id');
  // An error in an envelope has a tag, and the id of its request.
  return plain.includes('request_id') ? plain.replace(/^etag: .*$/im, 'ETag') : plain;
}

describe('visitors', () => {
  const CACHE = 256 * 1024;
  let statements: string[] = [];
  const hooks: StatementHooks = { before: (text) => void statements.push(text) };
  const server = useTestServer('sqlite', { cacheBytes: CACHE, trustProxy: ['loopback'] });
  let listening: TestListener;
  beforeAll(async () => {
    await makeEvent(server(), { description: 'A long evening. '.repeat(300) });
    const { context } = server();
    listening = await listen({ ...context, db: withHooks(context.db, hooks) });
  });
  afterAll(() => listening.close());

  const isRemembered = () => statements.every((text) => text.includes('data_versions'));

  it.each<[what: string, request: (number: number) => [target: string, headers: string[]], answers: number]>([
    ['origins', (n) => ['/events', [`Origin: https://site-${n}.test`]], 1],
    ['languages', (n) => ['/events', [`Accept-Language: x${n}, fr;q=0.${n % 9}`]], 2],
    ['encodings', (n) => ['/events', [`Accept-Encoding: gzip, x${n}`]], 2],
    ['cookies', (n) => ['/events', [`Cookie: name-${n}=${n}`]], 1],
    ['unknown parameters', (n) => [`/events?utm_source=${n}`, []], 1],
    ['page sizes beyond the largest', (n) => [`/events?per_page=${n + 101}`, []], 2],
    ['sessions', (n) => ['/events?page=1', [`Cookie: marquee-session=${n}`]], 1],
    ['parameters', (n) => [`/events?per_page=1&ends_before=2099-01-01&starts_after=${1000 + n}-01-01`, []], 60],
    ['hosts', (n) => ['/events', [`Host: host-${n}.test`]], 60],
    ['hosts of a proxy', (n) => ['/events', [`X-Forwarded-Host: host-${n}.test`]], 60],
  ])('that make up %s neither fill the cache nor displace popular responses', async (what, request, answers) => {
    const popular = `${ROOT}/events?search=evening`;
    for (let time = 0; time < 3; time += 1) await get(listening, popular);
    const before = listening.cacheSize();
    for (let number = 0; number < 120; number += 1) {
      const [path, headers] = request(number);
      const target = `${ROOT}${path}`;
      for (let time = 0; time < 2; time += 1) expect(await get(listening, target, headers)).toContain(' 200 ');
      expect(listening.cacheSize().bytes).toBeLessThanOrEqual(CACHE);
      if (number % 8 > 0) continue;
      statements = [];
      await get(listening, popular);
      expect(isRemembered(), `${what} ${number}`).toBe(true);
    }
    expect(listening.cacheSize().responses - before.responses).toBeLessThanOrEqual(answers);
  });

  it('get no cached pages with a secret in the address', async () => {
    for (const target of ['/events/?password=sesame', '/?security_code=code', '/events/?api_key=key']) {
      const before = listening.cacheSize().responses;
      for (let time = 0; time < 3; time += 1) expect(await get(listening, target)).toContain(' 200 ');
      expect(listening.cacheSize().responses).toBe(before);
    }
  });
});

interface Credentials {
  /** Headers for a request, and what is added to its query. */
  headers?: string[];
  query?: string;
  /** Whether they show more than visitors see. */
  isPrivileged?: boolean;
}

/** Everything that might show more than visitors see, or another address of the site. */
async function allCredentials(server: TestServer): Promise<Record<string, Credentials>> {
  const { make } = server;
  const { token } = await make('POST admin:/tokens', { name: 'feed', scopes: ['read'] });
  const event = await makeEvent(server);
  const { key } = await make('POST admin:/check-in-keys', { name: 'gate', event_id: event });
  const { password } = await make(`POST admin:/users/${server.userId('editor')}/application-passwords`, {
    name: 'app',
  });
  const basic = (text: string) => [`Authorization: Basic ${btoa(text)}`];
  return {
    account: { headers: basic('editor:editor-password'), isPrivileged: true },
    'application password': { headers: basic(`editor:${password}`), isPrivileged: true },
    token: { headers: [`Authorization: Bearer ${token}`], isPrivileged: true },
    'event password': { query: 'password=open-sesame', isPrivileged: true },
    'escaped event password': { query: '%70assword=open-sesame', isPrivileged: true },
    'key in a header': { headers: [`X-API-Key: ${key}`] },
    'key in a parameter': { query: `api_key=${key}` },
    'wrong token': { headers: ['Authorization: Bearer wrong'] },
    'no credentials': { headers: ['Authorization: '] },
    cart: { headers: ['Cookie: marquee-cart=some-token', 'X-Cart-Token: some-token'] },
    'expired session': { headers: ['Cookie: marquee-session=some-token'] },
    session: { headers: [`Cookie: ${await cookieFor(server, 'editor')}`], isPrivileged: true },
    'security code': { query: 'security_code=some-code' },
    'Idempotency-Key': { headers: ['Idempotency-Key: some-key'] },
    'method in a header': { headers: ['X-HTTP-Method-Override: OPTIONS'] },
    'method in a parameter': { query: '_method=OPTIONS' },
    'forwarded host': { headers: ['X-Forwarded-Host: elsewhere.test', 'X-Forwarded-Proto: https'] },
    'forwarded address': { headers: ['X-Forwarded-For: 10.1.2.3', 'Forwarded: for=10.1.2.3;host=elsewhere.test'] },
    'original address': { headers: ['X-Original-URL: /calendar/admin/v1/users', 'X-Rewrite-URL: /'] },
    envelope: { query: '_envelope=1' },
    JSONP: { query: '_jsonp=show' },
  };
}

describe.each(usualDatabases)('on %s', (kind) => {
  describe.each([
    ['directly', []],
    ['through a proxy', ['loopback']],
  ])('%s', (_how, trustProxy) => {
    const server = useTestServer(kind, { trustProxy });
    let remembering: TestListener;
    let forgetting: TestListener;
    let credentials: Record<string, Credentials>;
    let paths: string[];
    beforeAll(async () => {
      const draft = await makeEvent(server(), { title: 'Unannounced', status: 'draft' });
      const masked = await makeEvent(server(), {
        title: 'Masked',
        post_password: 'open-sesame',
        description: 'Sesame',
      });
      const draftVenue = await server().make('POST /venues', { venue: 'Secret cellar', status: 'draft' });
      await server().make('POST /events', { ...EVENING, title: 'Own venue', venue: { venue: 'Barn' } });
      credentials = await allCredentials(server());
      paths = ['/events', '/venues', '/categories', `/events/${draft}`, `/events/${masked}`];
      paths.push(`/venues/${draftVenue.id}`, '/events?status=draft');
      // Users who may read attendees see them with the ticket.
      const seat = await makeSeat(server(), await makeEvent(server()));
      await makeAttendee(server(), seat, { full_name: 'Ada Unannounced' });
      const sold = ['/tickets', `/tickets/${seat}`, '/tickets?attendees_min=1'];
      paths = [...paths.map((path) => ROOT + path), ...sold.map((path) => TICKETS + path)];
      const { context } = server();
      remembering = await listen(context);
      forgetting = await listen(context, { cacheBytes: 0 });
    });
    afterAll(() => Promise.all([remembering.close(), forgetting.close()]));

    const send = (listener: TestListener, path: string, { headers, query }: Credentials) => {
      const mark = path.includes('?') ? '&' : '?';
      return get(listener, `${path}${query === undefined ? '' : mark + query}`, headers);
    };

    it('show less without credentials than with some', async () => {
      for (const [name, used] of Object.entries(credentials)) {
        const answers = await Promise.all(paths.map((path) => send(forgetting, path, used)));
        const shown = /Unannounced|Sesame|Secret cellar/.test(answers.join());
        expect(shown, name).toBe(used.isPrivileged ?? false);
      }
    });

    it('stay the same after requests with any credentials', async () => {
      const request = fc.record({ path: fc.nat(paths.length - 1), name: fc.constantFrom(...Object.keys(credentials)) });
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 4, maxLength: 10 }), async (requests) => {
          for (const { path: index, name } of requests) {
            const path = paths[index] ?? '';
            for (const used of [credentials[name] ?? {}, credentials[name] ?? {}, {}, {}, credentials[name] ?? {}]) {
              expect(await send(remembering, path, used), `${path} ${name}`).toBe(await send(forgetting, path, used));
            }
          }
        }),
        { numRuns: effort(60, 5), endOnFailure: true },
      );
    });
  });
});
