import ICAL from 'ical.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { png, upload } from './fixtures.ts';
import { listen, type TestListener } from './listen.ts';
import { hiddenFields, type PageVisitor, pageVisitor } from './page-visitor.ts';
import { type TestServer, useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { EVENING, makeTicket } from './tickets.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Texts that try to leave their place in a page or feed. All that gets out has `evil` in its name. */
const PAYLOADS = [
  'word<evil-tag onclick=alert(1)>x</evil-tag><script src=//evil.test/x.js></script>',
  `word" data-evil="1" onmouseover="alert(1)" x='`,
  `word' data-evil='1' onfocus='alert(1)' autofocus x="`,
  'word</script></style></title></textarea></template></svg><evil-tag><!--',
  'word]]><evil-tag/>&lt;evil-tag&gt;&amp;lt;evil-tag&amp;gt;&#60;evil-tag&#62;',
  'word\r\nX-EVIL:1\r\nEND:VEVENT\r\n<evil-tag>\0\u001b[31m\u2028X-EVIL:2\u202e\u2066',
  'javascript:alert(1)//word?q=//evil.test/',
  'word<base href=//evil.test><form action=//evil.test><iframe srcdoc=evil><svg/onload=alert(1)><img src=//evil.test/x onerror=alert(1)>',
] as const;

/** Content that the browser finds in a document and that no text may bring there. */
const INSPECT = `(documents) => documents.flatMap(({ path, type, text }) => {
  const found = [];
  const isXml = type.includes('xml');
  const tree = new DOMParser().parseFromString(text, isXml ? 'application/xml' : 'text/html');
  const say = (what) => found.push(path.slice(0, 60) + ': ' + String(what).slice(0, 200));
  if (tree.querySelector('parsererror')) say('is not XML');
  const links = ['href', 'src', 'action', 'formaction', 'srcset', 'poster', 'data', 'ping', 'cite', 'background'];
  for (const element of tree.querySelectorAll('*')) {
    if (/evil|^(object|embed|iframe|style|template|textarea)$/i.test(element.localName)) say(element.outerHTML);
    if (element.localName === 'svg' && !element.matches('.bulbs, .icon, .hue')) say(element.outerHTML);
    for (const { name, value } of element.attributes) {
      if (/^on|^style$|^srcdoc$|evil/i.test(name)) say(element.outerHTML);
      const url = links.includes(name) ? URL.parse(value, 'http://localhost' + path) : null;
      if (url && (!/^(https?|mailto|tel|geo|webcal):$/.test(url.protocol) || /evil/.test(url.host))) say(element.outerHTML);
    }
  }
  if (isXml) return found;
  for (const script of tree.scripts) {
    if (script.type === 'application/ld+json') JSON.parse(script.text);
    else if (!/^\\/assets\\/[a-z-]+\\.js(\\?v=|$)/.test(script.getAttribute('src'))) say(script.outerHTML);
  }
  const isEmbedded = tree.body.classList.contains('embed');
  if (tree.querySelectorAll('base').length > Number(isEmbedded)) say('base');
  if (tree.querySelector('meta[http-equiv]')) say('meta');
  // An open comment or element would swallow the end of the page.
  if (!isEmbedded && !tree.querySelector('body > footer.foot:last-child')) say('has no end');
  if (/[\\0-\\x08\\x0e-\\x1f\\x7f\\u202a-\\u202e\\u2066-\\u2069]/.test(tree.title)) say(JSON.stringify(tree.title));
  return found;
})`;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
}, 120_000);

/** An event with a text in every field, and what belongs to it; returns the paths of its pages and feeds. */
async function makeHostile(server: TestServer, text: string): Promise<string[]> {
  const { ask, make } = server;
  const form = upload(await png(20, 20));
  const { id: image } = (await ask('POST admin:/media', { as: 'administrator', form })).body;
  await make(`PATCH admin:/media/${image}`, { alt: text });
  const address = { address: text, city: text, country: text, state: text, zip: text, phone: text };
  const event = await make('POST /events', {
    ...{ ...EVENING, title: text, description: text, excerpt: text, slug: `slug ${text}`, image, featured: true },
    ...{ event_status: 'postponed', event_status_reason: text, cost: text.slice(0, 90) },
    venue: { venue: text, description: text, ...address, geo_lat: 42.36, geo_lng: -71.06, image },
    organizer: { organizer: text, description: text, phone: text, email: text, image },
    categories: [text],
    tags: [text],
  });
  await make(`PATCH /categories/${event.categories[0].id}`, { description: text });
  await make(`PATCH /tags/${event.tags[0].id}`, { description: text });
  const fields = { name: text, description: text, sku: text, show_description: 'true' };
  await makeTicket(server, event.id, { ...fields, ticket: { mode: 'own', capacity: 5 } });
  await makeTicket(server, event.id, { ...fields, provider: 'rsvp', not_going: true, price: undefined });
  const [path = '', venue = '', organizer = ''] = [event, event.venue, event.organizer[0]].map(
    ({ url }) => new URL(url).pathname,
  );
  const terms = [`/events/category/${event.categories[0].slug}/`, `/tag/${event.tags[0].slug}/`];
  return [
    ...[path, `/fr${path}`, `${path}ical/`, `${path}feed/`, `/embed${path}`],
    ...[venue, organizer, ...terms, `${venue}ical/`, `${organizer}feed/`],
    `/oembed?url=${encodeURIComponent(event.url)}`,
  ];
}

/** The pages and feeds that show several records. */
const LISTS = [
  ...['/', '/fr/', '/events/', '/events/month/2027-03/', '/events/week/2027-03-01/', '/events/2027-03-06/'],
  ...['/events/photo/', '/events/places/', '/events/featured/', '/events/?search=word', '/embed/events/?limit=30'],
  ...['/events/ical/', '/events/feed/', '/events/feed/atom/', '/events/feed/json/'],
  ...[
    '/sitemap.xml',
    '/sitemap-event-1.xml',
    '/sitemap-venue-1.xml',
    '/sitemap-categories-1.xml',
    '/sitemap-tags-1.xml',
  ],
  ...['/about/', '/terms/', '/privacy/', '/docs'],
];

/** Input of visitors in URLs. */
const ASKED = PAYLOADS.flatMap((text) => {
  const query = new URLSearchParams({
    search: text,
    city: text,
    venue: text,
    categories: text,
    start_date: text,
    x: text,
  });
  const word = encodeURIComponent(text);
  return [`/events/?${query}`, `/events/places/?${query}`, `/${word}/`, `/event/${word}/`, `/embed/events/?${query}`];
});

interface Answered {
  path: string;
  type: string;
  text: string;
}

/** Responses with active content, or with content of another type than they say. */
async function faultsOf(page: Page, answers: readonly Answered[]): Promise<string[]> {
  const documents = answers.filter(({ type }) => /html|xml/.test(type));
  const others = answers.flatMap(({ path, type, text }) => {
    if (/json/.test(type)) JSON.parse(text);
    if (!/calendar/.test(type)) return [];
    const lines = text
      .split('\r\n')
      .filter(
        (line) => /^(X-EVIL|ATTACH(?!;FMTTYPE=image\/png:http:\/\/localhost\/))/.test(line) || /[\r\n\0]/.test(line),
      );
    return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').length > 0
      ? lines
      : [`${path} has no events`];
  });
  return [...others, ...(await page.evaluate<string[]>(`(${INSPECT})(${JSON.stringify(documents)})`))];
}

describe.each(usualDatabases)('texts of records on the pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'], siteName: undefined, perPage: 100 });
  const visitor = () => pageVisitor((path, init) => server().request(path, init));
  const paths: string[] = [];
  let page: Page;

  beforeAll(async () => {
    const [text, quote, , open] = PAYLOADS;
    await server().make('PATCH admin:/site', {
      ...{ name: open, tagline: text, about: text, terms: open, privacy: quote },
      contact: { phone: text.slice(0, 50), address: `${text}\n${quote}` },
      legal_links: [{ label: quote, url: 'https://example.org/?a=1&b' }],
      payment_ways: [{ id: 'door', name: open, text: `${text}\n${quote}` }],
    });
    for (const payload of PAYLOADS) paths.push(...(await makeHostile(server(), payload)));
    page = await browser.newPage();
  }, 60_000);
  afterAll(() => page?.close());

  async function readAll(all: readonly string[]): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (const path of all) {
      const response = await server().request(path, { headers: asBrowser });
      const type = response.headers.get('content-type') ?? '';
      const answer = { path, type, text: await response.text() };
      expect([path, response.status]).toEqual([path, ASKED.includes(path) ? expect.any(Number) : 200]);
      expect(response.status).toBeLessThan(500);
      answers.push(answer);
    }
    return answers;
  }

  it('stay text', async () => {
    const answers = await readAll([...paths, ...LISTS]);
    expect(await faultsOf(page, answers)).toEqual([]);
    const silent = answers.filter(({ path, text }) => !text.includes('word') && !/docs|sitemap/.test(path));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('stay text where visitors send them in addresses', async () => {
    expect(await faultsOf(page, await readAll(ASKED))).toEqual([]);
  });

  it('stay text, even if they were never cleaned', async () => {
    const { query } = server().context.db;
    const text = PAYLOADS.slice(0, 4).join('');
    await query.updateTable('events').set({ title: text, event_status_reason: text }).execute();
    await query.updateTable('linked_posts').set({ title: text }).execute();
    await query.updateTable('terms').set({ name: text, description: text }).execute();
    await query.updateTable('tickets').set({ title: text }).execute();
    await query.updateTable('media').set({ alt: text }).execute();
    expect(await faultsOf(page, await readAll([...paths.slice(0, paths.length / PAYLOADS.length), ...LISTS]))).toEqual(
      [],
    );
  });

  it('draw a picture without faults', async () => {
    const { slug } = await server().make('POST /events', { ...EVENING, title: PAYLOADS[3] });
    const response = await server().request(`/event/${slug}/picture.png`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it.each(PAYLOADS)('remain text in forms of customers: %j', async (text) => {
    const { slug, id } = await server().make('POST /events', { ...EVENING, title: text });
    const ticket = await makeTicket(server(), id, { name: text, price: '0', ticket: { mode: 'own', capacity: 9 } });
    const reply = await makeTicket(server(), id, { name: text, provider: 'rsvp', price: undefined });
    const who = visitor();
    const answers: Answered[] = [];
    const keep = (path: string, seen: Awaited<ReturnType<PageVisitor['get']>>) => {
      answers.push({ path, type: seen.headers.get('content-type') ?? '', text: seen.text });
      return seen;
    };
    keep('/cart/', await who.post('/cart/', { event: slug, [`ticket-${ticket.id}`]: text }));
    await who.post('/cart/', { event: slug, [`ticket-${ticket.id}`]: '2' });
    keep('/cart/', await who.get('/cart/'));
    const wrong = { key: text, name: text, email: text, payment: text, [`guest-${ticket.id}-1`]: text, places: text };
    const { text: form } = keep('/checkout/', await who.post('/checkout/', wrong));
    const guests = { [`guest-${ticket.id}-1`]: text, [`guest-${ticket.id}-2`]: text };
    const buyer = {
      ...hiddenFields(form),
      key: 'a',
      places: `${ticket.id}:2`,
      name: text,
      email: 'ada@example.test',
      show: '1',
    };
    const { status, location } = await who.post('/checkout/', { terms: '1', ...buyer, ...guests });
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/order\//)]);
    const order = keep(location, await who.get(location));
    keep(location, await who.post(location, { email: text }));
    const [held = ''] = /\/ticket\/\d+\/\w+\//.exec(order.text) ?? [];
    for (const path of [held, `${held}ical/`]) keep(path, await who.get(path));
    keep(held, await who.post(`${held}transfer/`, { full_name: text, email: text }));
    const replied = { reply_to: String(reply.id), [`reply-${reply.id}-name`]: text, [`reply-${reply.id}-email`]: text };
    keep(`/event/${slug}/`, await who.post(`/event/${slug}/`, replied));
    expect(await faultsOf(page, answers)).toEqual([]);
    expect(order.text).toContain('word');
  });
});

describe('a browser on pages full of markup', () => {
  const server = useTestServer('sqlite', { languages: ['en', 'fr'] });
  let listening: TestListener;
  let paths: string[];
  beforeAll(async () => {
    paths = (await Promise.all(PAYLOADS.map((text) => makeHostile(server(), text)))).flatMap(([path = '']) => path);
    listening = await listen(server().context);
  }, 60_000);
  afterAll(() => listening?.close());

  it('runs no script of it and asks no other host, even without a policy', async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message());
      return dialog.dismiss();
    });
    page.on('pageerror', ({ message }) => void complaints.push(message));
    page.on('request', (request) => {
      if (!/^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(request.url())) complaints.push(request.url());
    });
    for (const path of [...paths, '/events/', '/events/places/', '/embed/events/'])
      await page.goto(`${listening.address}${path}`, { waitUntil: 'load' });
    await context.close();
    expect(complaints).toEqual([]);
  });
});
