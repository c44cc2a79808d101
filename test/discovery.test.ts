import { describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { pathPattern } from '../src/http/core/router.ts';
import { Urls } from '../src/http/core/urls.ts';
import { DATABASES, useTestServer } from './server.ts';

const SITE = 'http://calendar.test';
const LINK = /<([^>]+)>; rel="https:\/\/api\.w\.org\/"/;

describe.each(DATABASES)('a client that is given the address of a site on %s', (kind) => {
  const server = useTestServer(kind, { siteName: 'Harbour & Hall' });

  async function get(address: string, init: RequestInit = {}) {
    const response = await server().request(address, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }
  const getIndex = async (address = `${SITE}/wp-json/`, headers?: Record<string, string>) =>
    JSON.parse((await get(address, { headers })).text);

  it.each([
    ['/', 200],
    ['/docs', 200],
    ['/events/lantern-walk/', 404],
  ])('finds the interface in the headers and in the head of %s', async (path, status) => {
    const headers = { accept: 'text/html' };
    const head = await get(SITE + path, { method: 'HEAD', headers });
    const page = await get(SITE + path, { headers });
    for (const answer of [head, page]) {
      expect(answer.status).toBe(status);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-tec-api-version': 'v1',
        'x-tec-api-root': `${SITE}/calendar/events/v1/`,
        'x-tec-api-origin': SITE,
        'x-et-api-version': 'v1',
        'x-et-api-root': `${SITE}/calendar/tickets/v1/`,
        'x-et-api-origin': SITE,
        link: `<${SITE}/wp-json/>; rel="https://api.w.org/"`,
      });
    }
    const [inHead = ''] = page.text.split('</head>');
    for (const tag of [
      `<link rel="https://api.w.org/" href="${SITE}/wp-json/">`,
      `<link rel="alternate" type="application/json" href="${SITE}/calendar/events/v1/">`,
      '<meta name="tec-api-version" content="v1">',
      `<meta name="tec-api-origin" content="${SITE}">`,
      '<meta name="et-api-version" content="v1">',
      `<meta name="et-api-origin" content="${SITE}">`,
    ])
      expect(inHead).toContain(tag);
  });

  it('can follow the page to the index, to a route in it, and to events', async () => {
    const page = await get(`${SITE}/`, { method: 'HEAD' });
    const [, root = ''] = LINK.exec(page.headers.get('link') ?? '') ?? [];
    const index = await getIndex(root);
    expect(index.namespaces).toContain('tribe/events/v1');
    const [link] = index.routes['/tribe/events/v1/events']._links.self;
    expect(link.href).toBe(`${SITE}/wp-json/tribe/events/v1/events`);
    expect(JSON.parse((await get(link.href)).text)).toMatchObject({ events: [], total: 0 });
    const namespace = await getIndex(`${root}tribe/events/v1`);
    expect(namespace._links.up).toEqual([{ href: root }]);
  });

  it.each([
    ['/wp-json/', '/wp-json/'],
    ['/wp-json/tribe/events/v1/events', '/wp-json/'],
    ['/wp-json/calendar/events/v1/events?page=x', '/wp-json/'],
    ['/wp-json/tribe/none/v1', '/wp-json/'],
    ['/wp-json/nothing', '/wp-json/'],
    ['/?rest_route=/nothing', '/wp-json/'],
    ['/calendar/events/v1/events', '/'],
    ['/calendar/nothing', '/'],
  ])('gets from %s a link to %s', async (path, root) => {
    const { headers } = await get(SITE + path);
    expect(headers.get('link')).toBe(`<${SITE}${root}>; rel="https://api.w.org/"`);
  });

  it('gets name, address and time zone of the site from the index', async () => {
    const { routes: _routes, ...site } = await getIndex();
    expect(site).toEqual({
      name: 'Harbour & Hall',
      description: '',
      url: SITE,
      home: SITE,
      gmt_offset: -5,
      timezone_string: 'America/New_York',
      namespaces: [
        'calendar/events/v1',
        'calendar/tickets/v1',
        'calendar/admin/v1',
        'wp/v2',
        'tribe/events/v1',
        'tribe/tickets/v1',
        'tribe/admin/v1',
      ],
      authentication: {
        'application-passwords': { endpoints: { authorization: `${SITE}/docs#authentication` } },
      },
      _links: { help: [{ href: `${SITE}/docs` }] },
    });
  });

  it('is told how to get an application password at the address for it', async () => {
    const { authentication } = await getIndex();
    const page = new URL(authentication['application-passwords'].endpoints.authorization);
    page.searchParams.set('app_name', 'Scanner');
    page.searchParams.set('success_url', 'https://evil.test/');
    const { status, headers, text } = await get(page.href);
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(text).toContain(`<h2 id="${page.hash.slice(1)}">`);
    expect(text).not.toContain('evil');
  });

  it('finds every route of every endpoint in the index, in both vocabularies', async () => {
    const { routes } = await getIndex();
    expect(Object.keys(routes)[0]).toBe('/');
    for (const word of ['calendar', 'tribe']) {
      const urls = new Urls(SITE, '/wp-json', word);
      for (const { namespace, path, methods } of endpoints) {
        const route = routes[`/${urls.namespace(namespace)}${pathPattern(path)}`];
        expect(route).toMatchObject({
          namespace: urls.namespace(namespace),
          methods: expect.arrayContaining([...methods]),
        });
      }
      const own = await getIndex(`${SITE}/wp-json/${word}/tickets/v1`);
      expect(routes).toMatchObject(own.routes);
    }
  });

  it.each([
    ['UTC', 0, 'UTC'],
    ['UTC+5:30', 5.5, ''],
    ['-03:00', -3, ''],
    ['Asia/Kathmandu', 5.75, 'Asia/Kathmandu'],
  ])('finds the time zone %s in the index', async (timezone, offset, name) => {
    server().restart({ timezone });
    expect(await getIndex()).toMatchObject({ gmt_offset: offset, timezone_string: name });
    server().restart({});
  });

  it('sees the offset change with the season', async () => {
    const { clock } = server();
    const before = clock.now;
    clock.now = new Date('2026-07-01T12:00:00Z');
    expect((await getIndex()).gmt_offset).toBe(-4);
    clock.now = before;
  });

  it('can request the index like any other resource', async () => {
    expect(await getIndex(`${SITE}/wp-json/?_fields=name,authentication.application-passwords`)).toEqual({
      name: 'Harbour & Hall',
      authentication: { 'application-passwords': expect.any(Object) },
    });
    const origin = 'https://shop.test';
    const first = await get(`${SITE}/wp-json/`, { headers: { origin } });
    expect(first.headers.get('access-control-allow-origin')).toBe(origin);
    const etag = first.headers.get('etag') ?? '';
    expect((await get(`${SITE}/wp-json`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(`${SITE}/wp-json/`, { method: 'HEAD' })).status).toBe(200);
    expect((await get(`${SITE}/wp-json/`, { method: 'POST' })).status).toBe(404);
    const options = await get(`${SITE}/wp-json/`, { method: 'OPTIONS' });
    expect(JSON.parse(options.text)).toMatchObject({ namespace: '', methods: ['GET'] });
    expect((await get(`${SITE}/wp-json/`, { headers: { authorization: 'Basic eDp5' } })).status).toBe(401);
  });

  const DESCRIPTIONS = [
    '/docs',
    '/wp-json/',
    ...['/calendar', '/wp-json/calendar', '/wp-json/tribe'].flatMap((prefix) =>
      ['/events/v1', '/tickets/v1/doc'].map((path) => `${prefix}${path}`),
    ),
    '/?rest_route=/tribe/events/v1/doc',
    '/calendar/events/v1/doc?_fields=servers',
  ];

  it.each(DESCRIPTIONS)('reads %s for its own host, with a tag of its own', async (path) => {
    const reads = await Promise.all(
      [SITE, 'http://other.test:81', 'http://[2001:db8::1]', `http://a"b'c&d.test`].map(async (origin) => {
        const { text, headers } = await get(`${origin}${path}`);
        return { origin, text, tag: headers.get('etag') ?? '' };
      }),
    );
    const [own, other, , odd] = reads;
    expect(other?.text).toBe(own?.text.replaceAll(SITE, 'http://other.test:81'));
    for (const { text } of reads) expect(text).not.toMatch(/origin\.invalid|100::1/);
    const escaped = path === '/docs' ? 'http://a&quot;b%27c&amp;d.test' : String.raw`http://a\"b'c&d.test`;
    expect(odd?.text).toContain(`${escaped}/`);
    expect(odd?.text).not.toContain('http://a"b');
    expect(new Set(reads.map(({ tag }) => tag)).size).toBe(4);
    const again = (tag = '') => get(`${SITE}${path}`, { headers: { 'if-none-match': tag } });
    expect([(await again(own?.tag)).status, (await again(other?.tag)).status]).toEqual([304, 200]);
  });

  it('has an OpenAPI document generated once, although visitors invent hosts and prefixes', async () => {
    const cost = async (addresses: string[]) => {
      const before = process.cpuUsage();
      for (const address of addresses) await get(address);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const numbers = Array.from({ length: 8 }, (_none, index) => index);
    const spellings = ['/calendar/events/v1/doc', '/wp-json/tribe/events/v1/doc', '/wp-json/calendar/events/v1/doc'];
    const same = () => cost(numbers.map(() => `${SITE}${spellings[0]}`));
    const madeUp = (turn: number) =>
      cost(numbers.map((number) => `http://host-${turn}-${number}.test${spellings[number % 3]}`));
    const costs = { same: Number.POSITIVE_INFINITY, madeUp: Number.POSITIVE_INFINITY };
    for (let turn = 0; turn < 4; turn += 1) {
      costs.madeUp = Math.min(costs.madeUp, await madeUp(turn));
      await get(`${SITE}${spellings[0]}`);
      costs.same = Math.min(costs.same, await same());
    }
    // To describe takes thirty times as long as to send.
    expect(costs.madeUp).toBeLessThan(6 * costs.same);
  });

  it('gets links with its own host, whatever host was used before', async () => {
    await getIndex('http://first.test/wp-json/');
    expect(JSON.stringify(await getIndex())).not.toContain('first.test');
  });
});
