import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe.each(usualDatabases)('the public pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await server().request(path, {
      headers: { ...asBrowser.headers, ...headers },
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const event = (more: object = {}) =>
    server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...{ venue: { venue: 'Harbour Hall', city: 'Boston' }, categories: ['Walks'], tags: ['Free'], ...more },
    });

  it('show every published record at the address that the interface gives it', async () => {
    const { url, venue, organizer } = await event({ organizer: { organizer: 'Music society' } });
    const terms = await Promise.all(
      ['categories', 'tags'].map(async (name) => (await server().ask(`GET /${name}`)).body[name]),
    );
    for (const address of [url, venue.url, organizer[0].url, ...terms.flat().map((term) => term.url)]) {
      const { status, text } = await get(new URL(address).pathname);
      expect([address, status]).toEqual([address, 200]);
      expect(text).toContain('Lantern walk');
    }
  });

  it('are in the language of their address, and name their other addresses', async () => {
    await event();
    for (const [path, language, text] of [
      ['/events/', 'en', 'Sunday 6 December'],
      ['/fr/events/', 'fr', 'dimanche 6 décembre'],
      ['/de/events/', 'de', 'Sonntag, 6. Dezember'],
    ] as const) {
      const page = await get(path, { 'accept-language': 'de' });
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(text);
      for (const other of ['en', 'fr', 'de', 'x-default'])
        expect(page.text).toMatch(new RegExp(`<link rel="alternate" hreflang="${other}" href="http://[^"]+/events/">`));
    }
  });

  it.each([
    ['/events', '/events/'],
    ['/events/list/', '/events/'],
    ['/fr', '/fr/'],
    ['/FR/events/', '/fr/events/'],
    ['/fr?search=//elsewhere.test', '/fr/?search=%2F%2Felsewhere.test'],
    ['/fr//elsewhere.test', '/fr/elsewhere.test'],
    ['/fr/..//elsewhere.test/..', '/'],
    ['/cart', '/cart/'],
    ['/my-tickets', '/my-tickets/'],
    ['/embed/events?limit=3', '/embed/events/?limit=3'],
    ['/embed/event/lantern-walk', '/embed/event/lantern-walk/'],
    ['/fr/events/list/?search=lantern', '/fr/events/?search=lantern'],
    ['//elsewhere.test/events/', '/elsewhere.test/events/'],
    ['/events//list/', '/events/list/'],
    ['/event/LANTERN-WALK/', '/event/lantern-walk/'],
    ['/lantern-walk/', '/event/lantern-walk/'],
    ['/events/lantern-walk/', '/event/lantern-walk/'],
    ['/fr/?tribe_events=lantern-walk', '/fr/event/lantern-walk/'],
    ['/?s=lantern', '/events/?search=lantern'],
    ['/events/?tribe_events_cat=walks&utm_source=a', '/events/category/walks/?utm_source=a'],
    ['/events/tag/free/list/', '/tag/free/'],
  ])('redirect %s to its canonical address', async (path, target) => {
    await event({ slug: 'lantern-walk' });
    const { status, headers } = await get(path);
    const location = new URL(headers.get('location') ?? '', 'http://events.test');
    expect([status, `${location.pathname}${location.search}`]).toEqual([301, target]);
  });

  it('redirect the short address of a record', async () => {
    const { id, url, venue } = await event();
    for (const [record, address] of [
      [id, url],
      [venue.id, venue.url],
    ])
      expect((await get(`/?p=${record}`)).headers.get('location')).toBe(new URL(address).pathname);
    for (const unknown of ['999999', '1 OR 1=1', '', '-1']) expect((await get(`/?p=${unknown}`)).status).toBe(404);
  });

  it.each([
    '/nope/',
    '/event/nope/',
    '/venue/nope/',
    '/tag/nope/',
    '/events/category/nope/',
    '/events/list/page/99/',
    '/event/%00/',
    '/tag/%00/',
    '/venue/%00/ical/',
    '/%00/',
    '/events/category/%00/feed/',
    '/?tribe_events=nope',
  ])('respond with 404 for %s, and lead on from there', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    expect(text).toContain('href="/events/"');
  });

  it('list the organizers with events', async () => {
    await event({ organizer: { organizer: 'Harbour club', description: 'Boats.' } });
    await server().make('POST /organizers', { organizer: 'Idle club' });
    for (const path of ['/organizers/', '/fr/organizers/', '/de/organizers/']) {
      const { status, text } = await get(path);
      expect([path, status, text.includes('Harbour club'), text.includes('Idle club')]).toEqual([
        path,
        200,
        true,
        false,
      ]);
    }
    expect((await get('/organizers/')).text).toContain('<p dir="auto">Boats.</p>');
    expect((await get('/organizers/?page=9')).status).toBe(404);
    expect((await get('/sitemap-pages-1.xml')).text).toContain('/organizers/</loc>');
  });

  it('show the next events where there is no page', async () => {
    await event({ title: 'Soon', start_date: '2026-11-22 10:00', end_date: '2026-11-22 11:00' });
    const { id, url } = await event({ title: 'Trashed' });
    await server().ask(`DELETE /events/${id}`, { as: 'administrator' });
    for (const [path, status] of [
      ['/nope/', 404],
      ['/?attachment_id=1', 404],
      [new URL(url).pathname, 410],
    ] as const) {
      const page = await get(path);
      expect([path, page.status]).toEqual([path, status]);
      expect(page.text.split('<main')[1]).toContain('>Soon<');
    }
  });

  it('do not show records hidden from visitors', async () => {
    const draft = await event({ title: 'Draft gathering', slug: 'draft', status: 'draft' });
    const secret = await event({ title: 'Private gathering', slug: 'private', status: 'private' });
    for (const { slug } of [draft, secret]) expect((await get(`/event/${slug}/`)).status).toBe(404);
    expect((await get('/events/')).text).not.toMatch(/Draft|Private/);
  });

  it('load nothing from elsewhere, and stay text where records have markup', async () => {
    const title = `<b>"Bees" & 'Brass'</b></script><script>alert(1)</script>`;
    const { slug } = await event({ title, venue: { venue: title, city: title } });
    // The page of an event shows others too.
    await event({ title });
    for (const path of ['/', '/events/', `/event/${slug}/`]) {
      const { text, headers } = await get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script(?! type="application\/ld\+json"| src="\/assets\/)|<b>| on\w+="| style="/);
      for (const [, address = ''] of text.matchAll(/(?:src|<link rel="stylesheet" href)="([^"]+)"/g))
        expect(address).toMatch(/^\/assets\/|^http:\/\/localhost\//);
    }
  });

  it('say that something failed, and nothing else, in the language of the page', async () => {
    const { db } = server().context;
    await sql`alter table terms rename to lost_terms`.execute(db.query);
    for (const [path, language, text] of [
      ['/', 'en', 'This page cannot be shown right now'],
      ['/fr/tag/free/', 'fr', 'ne peut pas être affichée'],
    ] as const) {
      const page = await get(path);
      expect([page.status, page.headers.get('cache-control')]).toEqual([500, 'private, no-store']);
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(text);
      expect(page.text).not.toMatch(/terms|sqlite|relation|at .*\.ts/i);
    }
    await sql`alter table lost_terms rename to terms`.execute(db.query);
    expect((await get('/')).status).toBe(200);
  });

  it('refuse a form that is too large, like the interface', async () => {
    const body = new URLSearchParams({ 'ticket-1': '1'.repeat(200_000) });
    const response = await server().request('/cart/', {
      method: 'POST',
      body,
      headers: { origin: 'http://localhost' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([413, 'text/html; charset=UTF-8']);
  });

  it('stay small: a list of twelve, an event, styles and scripts', async () => {
    for (let number = 1; number <= 12; number += 1)
      await event({ title: `Lantern walk number ${number}`, description: `<p>${'Bring a lantern. '.repeat(20)}</p>` });
    const sizeOf = (text: string) => gzipSync(text, { level: 6 }).length / 1024;
    const { text: list } = await get('/events/');
    const { text: single } = await get('/event/lantern-walk-number-1/');
    expect(Math.max(sizeOf(list), sizeOf(single))).toBeLessThan(14);
    const loaded = [...list.matchAll(/(?:rel="stylesheet" href|<script src)="([^"]+)"/g)].map(([, path = '']) => path);
    const sizes = await Promise.all(loaded.map(async (path) => [path, sizeOf((await get(path)).text)] as const));
    const sumOf = (ending: string) =>
      sizes.reduce((sum, [path, size]) => (path.includes(ending) ? sum + size : sum), 0);
    expect(sizes.length).toBeGreaterThanOrEqual(2);
    expect(sumOf('.css')).toBeLessThan(12);
    expect(sumOf('.js')).toBeLessThan(8);
  });
});
