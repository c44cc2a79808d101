import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { listen, type TestListener } from './listen.ts';
import { bodyOf, DATABASES, useTestServer } from './server.ts';

const asBasic = (role: string) => `Basic ${Buffer.from(`${role}:${role}-password`).toString('base64')}`;
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe.each(DATABASES)('a URL of the REST interface on %s', (kind) => {
  const server = useTestServer(kind, {
    corsOrigins: ['https://shop.test'],
    secretGuesses: { perAddress: 1000, perAccount: 4 },
  });
  let event: { id: number; slug: string };
  beforeAll(async () => {
    event = await server().make('POST /events', {
      title: 'Fête',
      slug: 'fete-a-l-eau',
      start_date: 'tomorrow 10:00',
      end_date: 'tomorrow 12:00',
    });
    for (const title of ['Walk', 'Quiz', 'Fair']) {
      await server().make('POST /events', { title, start_date: 'tomorrow 10:00', end_date: 'tomorrow 12:00' });
    }
  });

  async function get(path: string, init: RequestInit = {}) {
    const response = await server().request(path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }

  describe('with extra slashes', () => {
    it.each([
      '//wp-json/tribe/events/v1/events',
      '/wp-json//tribe/events/v1/events',
      '/wp-json/tribe/events/v1//events',
      '/wp-json/tribe/events/v1/events/',
      '/wp-json/tribe/events/v1/events///',
      '///wp-json///tribe//events//v1//events//',
    ])('%s equals the one with single slashes', async (path) => {
      const plain = await get('/wp-json/tribe/events/v1/events');
      const answer = await get(path);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
      for (const name of ['etag', 'vary', 'link', 'cache-control', 'x-tec-total', 'allow'])
        expect(answer.headers.get(name)).toBe(plain.headers.get(name));
    });

    it.each([
      ['/calendar//events/v1/', '"namespace":"calendar/events/v1"'],
      ['//calendar/tickets/v1//tickets', '"tickets":['],
      ['/wp-json//', '"namespaces":['],
    ])('%s is found', async (path, part) => {
      const { status, text } = await get(path);
      expect(status).toBe(200);
      expect(text).toContain(part);
    });

    it('keeps an encoded slash inside its segment', async () => {
      expect((await get('/calendar/events/v1/events/by-slug%2Ffete-a-l-eau')).status).toBe(404);
      expect((await get('/calendar/events/v1%2F%2Fevents')).status).toBe(404);
    });

    it('takes every method', async () => {
      const init = {
        headers: { authorization: asBasic('editor'), 'content-type': 'application/json' },
        body: JSON.stringify({ excerpt: 'Bring boots' }),
      };
      const path = `//wp-json/tribe//events/v1/events//${event.id}/`;
      for (const method of ['POST', 'PUT', 'PATCH']) expect((await get(path, { ...init, method })).status).toBe(200);
      expect((await get(path, { method: 'OPTIONS' })).text).toContain(
        '"methods":["GET","DELETE","POST","PUT","PATCH"]',
      );
    });
  });

  describe('in rest_route', () => {
    /** A client like those of WordPress: its root is a URL with a query, to which it appends path and query. */
    const askAsWordPress = (root: string, path: string, init?: RequestInit) =>
      get(`${root}${root.includes('?') ? path.replace('?', '&') : path}`, init);

    it.each(['/?rest_route=/', '/index.php?rest_route=/', '//index.php?rest_route=/', '/?lang=en&rest_route=/'])(
      'after the root %s is the same as below /wp-json',
      async (root) => {
        for (const path of [
          'tribe/events/v1/events?per_page=2&page=2',
          'tribe/events/v1/events?include[]=1&include[]=2&_fields=events,total',
          `tribe/events/v1/events/${event.id}`,
          'tribe/events/v1/events/by-slug/fete-a-l-eau',
          'tribe/events/v1/',
          'calendar/tickets/v1/tickets',
          'tribe/events/v1/events?page=x&_envelope=1',
          'tribe/events/v1/nothing',
          'nothing',
          '',
        ]) {
          const [answer, plain] = [await askAsWordPress(root, path), await askAsWordPress('/wp-json/', path)];
          const stripped = ({ text }: typeof answer) => text.replace(/"request_id":"[^"]*"/, '');
          expect([path, answer.status, stripped(answer)]).toEqual([path, plain.status, stripped(plain)]);
          expect(answer.headers.get('link')).toBe('<http://localhost/wp-json/>; rel="https://api.w.org/"');
          for (const name of ['vary', 'cache-control', 'x-tec-total', 'allow', 'content-type'])
            expect([path, answer.headers.get(name)]).toEqual([path, plain.headers.get(name)]);
        }
      },
    );

    it('has links to the addresses below /wp-json', async () => {
      const { text } = await get('/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents&per_page=2');
      const body = JSON.parse(text);
      expect(body.next_rest_url).toMatch(
        /^http:\/\/localhost\/wp-json\/tribe\/events\/v1\/events\/\?page=2&per_page=2&/,
      );
      expect(text).not.toContain('rest_route');
      expect((await get(new URL(body.next_rest_url).pathname)).status).toBe(200);
    });

    it('takes every method, with overrides', async () => {
      const path = `/?rest_route=/tribe/events/v1/events/${event.id}`;
      const headers = { authorization: asBasic('editor'), 'content-type': 'application/json' };
      const body = JSON.stringify({ website: 'https://fete.test' });
      expect((await get(path, { method: 'PUT', headers, body })).text).toContain('https://fete.test');
      const renamed = { ...headers, 'x-http-method-override': 'PATCH' };
      expect((await get(path, { method: 'POST', headers: renamed, body })).status).toBe(200);
      expect((await get(`${path}&_method=PATCH&cost=5`, { headers })).text).toContain('"cost":"$5"');
      expect((await get(path, { method: 'HEAD' })).status).toBe(200);
      expect((await get(path, { method: 'OPTIONS' })).text).toContain(
        '"methods":["GET","DELETE","POST","PUT","PATCH"]',
      );
      const made = await get('/index.php?rest_route=/tribe/events/v1/venues', {
        method: 'POST',
        headers: { authorization: asBasic('editor') },
        body: new URLSearchParams({ venue: 'Pier' }),
      });
      expect(made.status).toBe(201);
    });

    it.each([
      ['..', '/tribe/events/v1/../../../metrics'],
      ['an encoded ..', '/tribe/%2e%2e/%2e%2e/healthz'],
      ['a page', '/../docs'],
      ['an absolute address', 'http://evil.test/tribe/events/v1/events'],
      ['an address without a scheme', '//evil.test/tribe/events/v1/events'],
      ['a query inside', '/tribe/events/v1/events?per_page=1'],
      ['itself inside', '/?rest_route=/tribe/events/v1/events'],
      ['the prefix', '/wp-json/tribe/events/v1/events'],
      ['something long', `/tribe/events/v1/${'x'.repeat(10_000)}`],
      ['control characters', '/tribe/\r\nSet-Cookie: a=b/\u0000'],
    ])('with %s leads nowhere', async (_what, route) => {
      const { status, headers, text } = await get(`/?${new URLSearchParams({ rest_route: route })}`, {
        headers: asBrowser,
      });
      expect(status).toBe(404);
      expect(JSON.parse(text).code).toBe('rest_no_route');
      expect([headers.get('location'), headers.get('set-cookie')]).toEqual([null, null]);
      expect(text).not.toContain('evil');
    });

    it('has the last value sent', async () => {
      const twice = '/?rest_route=/tribe/events/v1/events&rest_route=/tribe/events/v1/venues';
      expect((await get(twice)).text).toContain('"venues":[');
    });

    it('is an unknown parameter elsewhere, and when it is empty', async () => {
      for (const path of ['/?rest_route=', '/?rest_route[]=/tribe/events/v1', '/docs?rest_route=/tribe/events/v1'])
        expect((await get(path)).headers.get('content-type')).toContain('text/html');
      expect((await get('/healthz?rest_route=/tribe/events/v1')).text).toBe('{"status":"ok"}');
      const list = await get('/wp-json/tribe/events/v1/venues?rest_route=/tribe/events/v1/events');
      expect(list.text).toContain('"venues":[');
    });
  });

  describe('in any spelling shares', () => {
    const spellings = (rest: string) => [
      `/wp-json/tribe/events/v1${rest}`,
      `//wp-json/tribe//events/v1${rest}`,
      `/calendar//events/v1//${rest}`,
      `/?rest_route=/tribe/events/v1${rest.replace('?', '&')}`,
      `/index.php?rest_route=${encodeURIComponent('/calendar/events/v1')}${rest.replace('?', '&')}`,
      `/?rest_route=//tribe/events//v1/${rest.replace('?', '&')}`,
    ];

    it('one limit on wrong passwords', async () => {
      const authorization = `Basic ${Buffer.from('author:wrong').toString('base64')}`;
      const statuses: number[] = [];
      for (const path of spellings('/events')) statuses.push((await get(path, { headers: { authorization } })).status);
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      await server().context.db.query.deleteFrom('rate_limits').execute();
    });

    it('one Idempotency-Key of a write', async () => {
      const headers = {
        authorization: asBasic('editor'),
        'content-type': 'application/json',
        'idempotency-key': `spelled ${kind}`,
      };
      const body = JSON.stringify({ venue: 'Quay' });
      const answers: string[] = [];
      for (const path of spellings('/venues')) answers.push((await get(path, { method: 'POST', headers, body })).text);
      expect(new Set(answers).size).toBe(1);
      expect((await server().ask('GET /venues', { query: { search: 'quay' } })).body.total).toBe(1);
    });

    it('one rule for who may write', async () => {
      for (const path of spellings(`/events/${event.id}`)) {
        expect((await get(path, { method: 'DELETE' })).status).toBe(401);
        const headers = { authorization: asBasic('contributor') };
        expect((await get(path, { method: 'DELETE', headers })).status).toBe(403);
      }
    });

    it('one rule for other origins and cookies', async () => {
      const cookie = `marquee-cart=${'a'.repeat(43)}`;
      const path = '/?rest_route=/tribe/tickets/v1/cart';
      const foreign = await get(path, { headers: { origin: 'https://other.test', cookie } });
      expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
      const trusted = await get(path, { headers: { origin: 'https://shop.test', cookie } });
      expect(trusted.headers.get('access-control-allow-credentials')).toBe('true');
      const checkout = `${path}/checkout&_method=POST&purchaser[name]=Ada&purchaser[email]=ada@example.test`;
      expect((await get(checkout, { headers: { cookie } })).status).toBe(403);
      expect((await get(`${path}&_jsonp=steal`, { headers: { cookie } })).status).toBe(400);
    });

    it('one route in the log, without path and query', async () => {
      const logged: string[] = [];
      const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
      const app = createApp({ ...server().context, log });
      for (const path of spellings('/events?password=sesame')) await app.request(path);
      expect(logged).toHaveLength(6);
      for (const line of logged) expect(line).toContain('/events/v1/events');
      expect(logged.join()).not.toMatch(/sesame|rest_route|wp-json/);
    });
  });
});

describe('a URL of a page', () => {
  const server = useTestServer('sqlite');
  let listener: TestListener;
  beforeAll(async () => {
    listener = await listen(server().context);
  });
  afterAll(() => listener.close());

  it.each([
    ['//', '/'],
    ['//docs', '/docs'],
    ['//docs//?q=//x', '/docs/?q=//x'],
    ['//evil.test', '/evil.test'],
    ['//evil.test/%2e%2e', '/'],
    ['///evil.test//', '/evil.test/'],
    ['//%5Cevil.test', '/%5Cevil.test'],
    ['//%2Fevil.test', '/%2Fevil.test'],
    ['//user@evil.test:80/a', '/user@evil.test:80/a'],
    ['//assets//pages.css', '/assets/pages.css'],
  ])('%s moves to %s, on this server', async (path, target) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await listener.say(`${method} ${path} HTTP/1.1`, 'Host: events.test', 'Connection: close', '', '');
      expect(answer).toMatch(/^HTTP\/1\.1 301 /);
      expect(/^location: (.*)$/im.exec(answer)?.[1]?.trim()).toBe(target);
    }
  });

  it('does not move a request that writes, nor one to the interface', async () => {
    expect((await server().request('http://localhost//docs', { method: 'POST' })).status).toBe(404);
    const answer = await listener.say(
      'GET //wp-json//tribe/events/v1/events HTTP/1.1',
      'Host: events.test',
      'Connection: close',
      '',
      '',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(bodyOf(await server().ask('GET /events'))).toMatchObject({ total: 0 });
  });
});
