import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../src/base/config.ts';
import { codeOf } from './attendees.ts';
import { listen, type TestListener } from './listen.ts';
import { hiddenFields, pageVisitor } from './page-visitor.ts';
import { type TestServer, useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { EVENING, makeTicket } from './tickets.ts';

/** Requests for pages that a browser sends for another site, and that a program makes up. */

const HTML = { accept: 'text/html' };
const HOME = 'http://localhost';

/** An event with a ticket and a reply, one behind a password, and a visitor with an order, a ticket and a cart. */
async function makeSituation(server: TestServer, origin = HOME) {
  const who = pageVisitor((path, init) => server.request(path, init), origin);
  const { slug, id, venue } = await server.make('POST /events', { ...EVENING, venue: { venue: 'Forged Hall' } });
  const { slug: locked } = await server.make('POST /events', { ...EVENING, title: 'Locked', post_password: 'sesame' });
  const ticket = await makeTicket(server, id, { price: '0', ticket: { mode: 'own', capacity: 50 } });
  const reply = await makeTicket(server, id, { name: 'Reply', provider: 'rsvp', price: undefined });
  const put = await who.post('/cart/', { event: slug, [`ticket-${ticket.id}`]: '2' });
  const { text } = await who.get('/checkout/');
  const bought = await who.post('/checkout/', { ...hiddenFields(text), name: 'Ada Park', email: 'ada@example.test' });
  const order = bought.location;
  const [held = ''] = /\/ticket\/\d+\/\w+\//.exec((await who.get(order)).text) ?? [];
  await who.post('/cart/', { event: slug, [`ticket-${ticket.id}`]: '1' });
  return { who, slug, id, locked, ticket: ticket.id, reply: reply.id, order, held, put, bought, venue };
}

type Situation = Awaited<ReturnType<typeof makeSituation>>;

/** Every form of the pages: where it is sent, and what with. */
const formsOf = ({ slug, locked, ticket, reply, order, held }: Situation): [string, Record<string, string>][] => [
  ['/cart/', { event: slug, [`ticket-${ticket}`]: '3' }],
  ['/cart/', { remove: String(ticket), [`ticket-${ticket}`]: '1' }],
  ['/fr/cart/', { event: slug, [`ticket-${ticket}`]: '3' }],
  ['/checkout/', { name: 'Eve', email: 'eve@example.test', key: 'eve', places: `${ticket}:1` }],
  [`/event/${locked}/`, { password: 'sesame' }],
  [
    `/event/${slug}/`,
    { reply_to: String(reply), [`reply-${reply}-name`]: 'Eve', [`reply-${reply}-email`]: 'e@x.test' },
  ],
  [order, { email: 'eve@example.test' }],
  [`${order}cancel/`, {}],
  [held, { full_name: 'Eve' }],
  [`${held}reply/`, { answer: 'no' }],
  [`${held}transfer/`, { full_name: 'Eve', email: 'eve@example.test' }],
];

describe.each(usualDatabases)('the pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  let situation: Situation;
  beforeAll(async () => {
    situation = await makeSituation(server());
  });

  /** Everything that a form could change. */
  async function stateOf({ who, id, order, held, slug }: Situation): Promise<string> {
    const people = await server().ask('GET tickets:/attendees', { as: 'administrator', query: { post_id: id } });
    const pages = await Promise.all(['/cart/', order, held, `/event/${slug}/`].map(async (path) => who.get(path)));
    // The page of a ticket has a new key each time.
    const texts = pages.map(({ text }) => text.replaceAll(/name="key" value="[^"]*"/g, ''));
    return [people.text, ...texts].join('\n');
  }

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.test' }],
    ['no site that it names', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['a site whose name begins like this one', { origin: 'http://localhost.evil.test' }],
    ['another port', { origin: 'http://localhost:8081' }],
    ['another scheme', { origin: 'https://localhost' }],
    ['this site and another one', { origin: 'http://localhost, https://evil.test' }],
    ['another site, in an old browser', { origin: 'https://evil.test', referer: `${HOME}/` }],
    ['another site that hides itself', { 'sec-fetch-site': 'cross-site' }],
    ['another site of the same domain', { 'sec-fetch-site': 'same-site' }],
  ])('refuse every form of %s, and change nothing', async (_who, headers) => {
    const before = await stateOf(situation);
    // As browsers without SameSite send them.
    const sent = { ...HTML, cookie: situation.who.cookies(), ...headers };
    for (const [path, form] of formsOf(situation)) {
      const init = { method: 'POST', headers: sent, body: new URLSearchParams(form), redirect: 'manual' } as const;
      const response = await server().request(path, init);
      expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 403, []]);
    }
    expect(await stateOf(situation)).toBe(before);
  });

  it('change nothing for a link, an image, or a form of another type', async () => {
    const before = await stateOf(situation);
    for (const [path, form] of formsOf(situation)) {
      await situation.who.get(`${path}?${new URLSearchParams({ ...form, _method: 'POST' })}`);
      for (const type of ['text/plain', 'application/json', 'application/xml', '']) {
        const headers = { ...HTML, origin: HOME, ...(type && { 'content-type': type }) };
        const body = Buffer.from(String(new URLSearchParams(form)));
        const response = await server().request(path, { method: 'POST', headers, body });
        expect([path, type, response.status]).toEqual([path, type, 404]);
      }
    }
    expect(await stateOf(situation)).toBe(before);
  });

  const get = async (path: string, headers: Record<string, string> = HTML) =>
    server().request(path, { headers, redirect: 'manual' });

  it('may not be framed, but for embeds, which use no cookies and have no forms', async () => {
    const { slug, locked, order, held } = situation;
    const pages = [
      '/',
      '/fr/',
      '/events/',
      '/events/month/',
      '/events/places/',
      `/event/${slug}/`,
      `/event/${locked}/`,
    ];
    const mine = [
      '/cart/',
      '/checkout/',
      '/my-tickets/',
      order,
      `${order}cancel/`,
      held,
      '/docs',
      '/nope/',
      '/order/1/x/',
    ];
    for (const path of [...pages, '/venue/forged-hall/', ...mine]) {
      const { headers } = await situation.who.get(path);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringMatching(/frame-ancestors 'none'(;|$)/),
      ]);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
    for (const path of ['/embed/events/', `/embed/event/${slug}/`, '/fr/embed/events/']) {
      const { headers, text } = await situation.who.get(path);
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
      expect([headers.getSetCookie(), /<form|<input/.test(text)]).toEqual([[], false]);
      expect(text.replaceAll(/\s/g, '')).toBe((await (await get(path)).text()).replaceAll(/\s/g, ''));
    }
  });

  it.each([
    '//evil.test',
    '//evil.test/events/',
    '///evil.test/%2e%2e',
    '/.//evil.test/',
    '/..//evil.test/',
    '/%2e//evil.test/',
    '/\\evil.test/',
    '/\\/evil.test/events',
    '/%5cevil.test/events/',
    '/%5C%5Cevil.test',
    '/%2F%2Fevil.test/events',
    '/%09/evil.test/events',
    '/fr//evil.test/',
    '/fr/%2Fevil.test/',
    '/fr/\\evil.test/events',
    '/events//evil.test',
    '/events/list//evil.test',
    '/venue//evil.test/',
    '/venue/%2F%2Fevil.test',
    '/tag/%5Cevil.test',
    '/event/%2F%2Fevil.test',
    '/embed/event/%2F%2Fevil.test',
    '/event/evening/embed//evil.test',
    '/?tribe_events=%2F%2Fevil.test',
    '/?tribe_venue=//evil.test/',
    '/?tribe_events_cat=//evil.test',
    '/?post_type=tribe_events&tribe-bar-date=//evil.test',
    '/?p=//evil.test',
    '/?event_qr_code=1&ticket_id=1&security_code=//evil.test&event_id=//evil.test',
    '/events/?eventDisplay=//evil.test',
    '/events/month/?start_date=//evil.test',
    '/events/?url=https://evil.test&redirect=https://evil.test&redirect_to=//evil.test&next=//evil.test',
    '/oembed?url=https://evil.test/event/evening/',
    '/oembed?url=//evil.test',
    '/wp-sitemap.xml?//evil.test',
    '/order//evil.test/',
    '/ticket/1/%2F%2Fevil.test',
    '/docs/?//evil.test',
  ])('lead to no other host: %s', async (path) => {
    await server().make('PATCH admin:/site', { address_words: [{ from: 'fr-former', to: 'event' }] });
    for (const target of [path, `/fr-former${path.split('?')[0]}`]) {
      const response = await get(`${HOME}${target}`);
      expect(response.status).toBeLessThan(500);
      const location = response.headers.get('location');
      if (location === null) continue;
      expect(location).toMatch(/^\/(?![/\\])/);
      for (const base of [HOME, `${HOME}/fr/events/`]) expect(new URL(location, base).origin).toBe(HOME);
    }
  });

  it('lead to no other host after a form', async () => {
    const { who, locked, ticket, slug } = situation;
    for (const host of ['//evil.test', '/\\evil.test', 'https://evil.test/'])
      for (const [path, form] of [
        ['/cart/', { event: slug, [`ticket-${ticket}`]: '1', redirect: host, next: host, _wp_http_referer: host }],
        [`/event/${locked}/`, { password: 'sesame', redirect: host, redirect_to: host }],
        [`/event/${encodeURIComponent(host)}/`, { password: 'sesame' }],
      ] as [string, Record<string, string>][]) {
        const { location } = await who.post(path, form, { referer: 'https://evil.test/' });
        expect(location).toMatch(/^$|^\/(?![/\\])/);
      }
  });

  it('keep addresses with a secret from caches, whatever is there', async () => {
    const { order, held, slug } = situation;
    const [, , id, token = ''] = order.split('/');
    const links: [path: string, status: number, headers?: Record<string, string>][] = [
      [`/order/${id}/${token.slice(1)}/`, 404],
      [`/order/${id}/${token.slice(1)}/cancel/`, 404],
      [`/order/999999/${token}/`, 404],
      [`/order/x/${token}/`, 404],
      [`/order/${id}/${token}/more/and/more/`, 404],
      [`/order/${id}/${token}/more/`, 404, { accept: 'application/json' }],
      [`/ticket/${held.split('/')[2]}/wrong/`, 404],
      [`/ticket/${held.split('/')[2]}/wrong/ticket.png`, 404],
      [`/fr/order/${id}/wrong/`, 404],
      // A language that the site had before.
      [`/de${order}`, 404],
      [`/%6Frder/${id}/${token}%/`, 404],
      [order.slice(0, -1), 301],
      [`//order/${id}//${token}/`, 301],
      ['/?event_qr_code=1&ticket_id=1&security_code=wrong', 303],
      [`/event/${slug}/?password=sesame`, 200],
      ['/nothing/?security_code=wrong', 404],
    ];
    for (const [path, status, headers = HTML] of links) {
      const answer = await get(path, headers);
      expect([
        path,
        ...[answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')],
      ]).toEqual([path, status, 'private, no-store', 'same-origin']);
    }
    const nothing = await get('/nothing/');
    expect([nothing.status, nothing.headers.get('cache-control')]).toEqual([404, 'public, max-age=0, s-maxage=10']);
  });

  it('keep the data of a visitor from caches and from other hosts', async () => {
    const { who, order, held, put, bought, slug } = situation;
    const mine = ['/cart/', '/checkout/', order, `${order}cancel/`, held, `${held}code.png`, `${held}ticket.png`];
    for (const path of [...mine, `${held}ical/`]) {
      const { status, headers } = await who.get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-store']);
    }
    for (const { headers } of [put, bought]) expect(headers.get('cache-control')).toBe('private, no-store');
    expect(bought.location).toMatch(/^\/order\//);
    const [, , id, token = ''] = order.split('/');
    const [, , person, secret] = held.split('/');
    const code = await codeOf(server(), Number(person));
    // An address with a secret leads nowhere with it but to the same page.
    for (const path of [
      `/order/${id}/${token}`,
      `/ticket/${person}/${secret}`,
      `/ticket/${person}/${code}`,
      `/fr${order}`,
      `//order/${id}/${token}/`,
    ]) {
      const { location } = await who.get(path);
      expect(location).toMatch(/^$|^\/(?![/\\])/);
    }
    const scanned = await who.get(`/?event_qr_code=1&ticket_id=${person}&security_code=${code}`);
    const checked = `/ticket/${person}/${code}/`;
    expect([scanned.location, scanned.headers.get('cache-control')]).toEqual([checked, 'private, no-store']);
    const { status, headers } = await who.get(checked);
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      200,
      'private, no-store',
      'same-origin',
    ]);
    // The page of an event is the same for all visitors, with a cart or without.
    const [own, others] = [await who.get(`/event/${slug}/`), await (await get(`/event/${slug}/`)).text()];
    expect(own.text).toBe(others);
  });

  it('set cookies that scripts and other sites do not get', async () => {
    server().restart({ url: 'https://events.test' });
    const { put, bought, who, locked } = await makeSituation(server(), 'https://events.test');
    const unlocked = await who.post(`/event/${locked}/`, { password: 'sesame' });
    server().restart({});
    const all = [put, bought, unlocked].flatMap(({ headers }) => headers.getSetCookie());
    const names = all.map((line) => line.split('=', 1)[0]);
    const cart = ['marquee-cart', 'marquee-cart-count', 'marquee-cart-places'];
    expect(new Set(names)).toEqual(new Set([...cart, 'marquee-ordered', 'marquee-event']));
    for (const line of all) {
      expect(line).toMatch(/; Path=\//);
      expect(line).toMatch(/; SameSite=Lax(;|$)/);
      expect(line).toMatch(/; Secure(;|$)/);
      expect(line).not.toMatch(/Domain=|sesame|ada@/i);
      expect(/; HttpOnly(;|$)/.test(line)).toBe(!line.startsWith('marquee-cart-count='));
    }
  });

  const LONG = 'x'.repeat(5000);
  const MANY = Array.from({ length: 10_000 }, (_, number) => `p${number}=1`).join('&');
  const REPEATED = Array.from({ length: 5000 }, (_, number) => `categories=${number}&venue[]=${number}`).join('&');
  const DEEP = `a${'[a]'.repeat(2000)}=1`;

  const HOSTILE = [
    ...['/', '/events/', '/events/places/', '/venue/', '/event/'].flatMap((path) => [
      `${path}${LONG}/`,
      `${path}?${MANY}`,
      `${path}?${REPEATED}`,
      `${path}?${DEEP}`,
      `${path}?search=${LONG}`,
    ]),
    `/${'a/'.repeat(3000)}`,
    `/events/category/${'a/'.repeat(2000)}`,
    `/events/category/${'page/1/'.repeat(500)}`,
    `/events/${'%25'.repeat(2000)}/`,
    `/events/page/999999/`,
    `/events/list/page/999999999999/`,
    `/events/places/page/999999/`,
    `/events/photo/page/-1/`,
    `/events/past/page/999999/`,
    `/events/month/9999-12/`,
    `/events/month/0000-01/`,
    `/events/week/9999-12-31/`,
    `/events/0000-00-00/`,
    `/events/9999-12-31/`,
    `/events/0001-01-01/`,
    `/events/2027-02-31/`,
    `/events/?start_date=999999-12-31`,
    `/events/?start_date=-9999-01-01&end_date=${LONG}`,
    `/events/?city=${LONG}`,
    `/events/?tribe-bar-date=${LONG}`,
    `/events/?tribe_events_cat=${'a/'.repeat(2000)}`,
    `/events/?include=${'1,'.repeat(5000)}1`,
    `/?p=${'9'.repeat(5000)}`,
    `/?event_qr_code=1&ticket_id=${LONG}&security_code=${LONG}&event_id=${LONG}`,
    `/order/1/${LONG}/`,
    `/ticket/${'9'.repeat(5000)}/${LONG}/`,
    `/oembed?url=${LONG}`,
    `/oembed?url=${HOME}/event/evening/&maxwidth=${LONG}&maxheight=-1`,
    `/embed/events/?limit=${'9'.repeat(400)}&search=${LONG}`,
    `/embed/event/${LONG}/`,
    `/sitemap-event-99999.xml`,
    `/sitemap-${LONG}-1.xml`,
    `/events/ical/?search=${LONG}`,
    `/events/feed/?${REPEATED}`,
  ];

  it.each(HOSTILE.map((path) => [path.slice(0, 80), path]))('respond without a fault at %s…', async (_start, path) => {
    const response = await get(path);
    expect(response.status).toBeLessThan(500);
    const location = response.headers.get('location');
    if (location !== null) expect((await get(location)).status).toBeLessThan(500);
    if (response.status >= 400) expect(response.headers.get('content-type')).toContain('text/html');
  });

  it('refuse forms that are too long, too deep or repeat their fields, by a page', async () => {
    const { who, slug, ticket, order, held } = situation;
    const before = await stateOf(situation);
    const field = `ticket-${ticket}`;
    const bodies: Record<string, string> = {
      many: MANY,
      deep: DEEP,
      repeated: Array.from({ length: 2000 }, () => `event=${slug}&${field}=99999`).join('&'),
      long: `event=${LONG}&${field}=${LONG}&name=${LONG}&email=${LONG}&full_name=${LONG}&password=${LONG}&key=${LONG}&places=${LONG}&reply_to=${LONG}`,
      broken: '%&=%zz&%ff=%ff&\u0000=\u0000&__proto__[x]=1&constructor=1',
      tickets: Array.from({ length: 3000 }, (_, number) => `ticket-${number + 1}=100`).join('&'),
      people: Array.from({ length: 2000 }, (_, number) => `name-${number + 1}=x`).join('&'),
    };
    for (const path of ['/cart/', '/checkout/', `/event/${slug}/`, order, held, `${held}transfer/`])
      for (const [name, body] of Object.entries(bodies)) {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await server().request(path, {
          method: 'POST',
          body,
          headers: { ...HTML, ...type, origin: HOME },
        });
        const what = [path, name, response.status];
        expect(what).toEqual([path, name, expect.toSatisfy((status: number) => status >= 303 && status < 500)]);
        if (response.status >= 400) expect(response.headers.get('content-type')).toContain('text/html');
      }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(await stateOf({ ...situation, who })).toBe(before);
  });
});

describe.each<[string, Partial<Config>]>([
  ['of any host', {}],
  ['of its own host', { url: 'https://events.test' }],
  ['behind a proxy', { trustProxy: ['loopback'] }],
  ['of its own host behind a proxy', { url: 'https://events.test', trustProxy: ['loopback'] }],
])('the cache of a site %s', (_how, config) => {
  const server = useTestServer('sqlite', config);
  let listening: TestListener;
  let paths: string[];
  beforeAll(async () => {
    const { url, venue } = await server().make('POST /events', {
      ...EVENING,
      venue: { venue: 'Hall' },
      tags: ['Free'],
    });
    const [event, hall] = [url, venue.url].map((address) => new URL(address).pathname);
    paths = ['/', '/events/', '/events/month/', '/events/ical/', '/events/feed/', '/events/feed/json/', '/robots.txt'];
    paths.push(
      `${event}`,
      `${event}ical/`,
      `${hall}`,
      '/embed/events/',
      '/sitemap.xml',
      '/sitemap-event-1.xml',
      '/fr/',
    );
    listening = await listen(server().context);
  });
  afterAll(() => listening?.close());

  const ask = async (path: string, host: string, headers: readonly string[] = []) => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Accept: text/html',
      'Connection: close',
      ...headers,
      '',
      '',
    ];
    return listening.say(...lines);
  };
  const FORWARDED = [
    'X-Forwarded-Host: evil.test',
    'X-Forwarded-Proto: https',
    'Forwarded: host=evil.test;proto=https',
  ];

  it.each<[string, string, readonly string[], boolean]>([
    ['a Host', 'evil.test', [], config.url === undefined],
    ['forwarding headers', 'events.test', FORWARDED, config.url === undefined && config.trustProxy !== undefined],
    [
      'other headers',
      'events.test',
      [
        'X-Host: evil.test',
        'X-Original-URL: //evil.test/',
        'X-Forwarded-Server: evil.test',
        'Referer: https://evil.test/',
        'Origin: https://evil.test',
      ],
      false,
    ],
  ])('shows no other visitor what a forged request says by %s', async (_what, host, headers, isShown) => {
    for (const path of paths) {
      // A response is kept once it has been asked for again.
      const own = [await ask(path, host, headers), await ask(path, host, headers), await ask(path, host, headers)];
      // Allowed for every site, as it is said for scripts.
      const said = own.map((answer) => answer.replace(/^access-control-allow-origin: .*$/gim, ''));
      expect(said.join('').includes('evil'), path).toBe(isShown && said.join('').includes('evil'));
      for (let time = 0; time < 2; time += 1) {
        const answer = await ask(path, 'events.test');
        expect(answer).toMatch(/^HTTP\/1\.1 200 /);
        expect(answer).not.toContain('evil');
      }
    }
  });
});
