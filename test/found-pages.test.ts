import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from './server.ts';
import { makeTicket } from './tickets.ts';

describe.each(DATABASES)('metadata for search engines and other sites on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const get = async (path: string) => {
    const response = await server().request(path, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.clone().text(), response };
  };
  const event = (more: object = {}) =>
    server().make('POST /events', {
      ...{ title: 'Lantern & walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...{ venue: { venue: 'Harbour Hall' }, categories: ['Walks'], tags: ['Free'], ...more },
    });

  it('lists each public page once in the sitemaps, and nothing that is hidden', async () => {
    const { url, venue } = await event();
    for (const more of [{ status: 'draft' }, { post_password: 'sesame' }, { hide_from_listings: true }])
      await event({ title: 'Hidden', slug: `hidden-${Object.keys(more)}`, ...more });
    const index = await get('/sitemap.xml');
    const files = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, file = '']) => new URL(file).pathname);
    const pages: string[] = [];
    for (const file of files) {
      const { status, headers, text } = await get(file);
      expect([file, status, headers.get('content-type')]).toEqual([file, 200, 'application/xml; charset=UTF-8']);
      pages.push(...[...text.matchAll(/<url><loc>([^<]+)<\/loc>/g)].map(([, page = '']) => page));
    }
    expect(pages).toEqual(expect.arrayContaining([url, venue.url]));
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages.join()).not.toContain('hidden-');
    for (const page of pages) expect((await get(new URL(page).pathname)).status).toBe(200);
    expect((await get('/robots.txt')).text).toContain('Sitemap: http://localhost/sitemap.xml');
    expect((await get('/wp-sitemap.xml')).headers.get('location')).toBe('/sitemap.xml');
    for (const none of ['/sitemap-event-0.xml', '/sitemap-event-2.xml', '/sitemap-user-1.xml', '/sitemap-tags-2.xml'])
      expect([none, (await get(none)).status]).toEqual([none, 404]);
  });

  it('describes how to embed a published event, and no other', async () => {
    const { url, slug } = await event();
    const draft = await event({ title: 'Secret', slug: 'secret', status: 'private' });
    const at = (address: string) => `?${new URLSearchParams({ url: address })}`;
    for (const path of ['/oembed', '/wp-json/oembed/1.0/embed']) {
      const { text } = await get(`${path}${at(url)}`);
      expect(JSON.parse(text)).toMatchObject({ version: '1.0', type: 'rich', title: 'Lantern & walk' });
      expect(JSON.parse(text).html).toContain(`src="http://localhost/embed/event/${slug}/"`);
      for (const address of [draft.url, 'http://localhost/events/', 'http://evil.test/event/x/', 'x', `${url}x`])
        expect([address, (await get(`${path}${at(address)}`)).status]).toEqual([address, 404]);
    }
    const inXml = await get(`/wp-json/oembed/1.0/embed${at(url)}&format=xml`);
    expect(inXml.headers.get('content-type')).toContain('text/xml');
    expect(inXml.text).toContain('<title>Lantern &amp; walk</title>');
  });

  it('may be framed by other sites where it is made for that, and only there', async () => {
    const { slug } = await event();
    for (const path of [`/embed/event/${slug}/`, '/embed/events/?limit=3', '/fr/embed/events/']) {
      const { headers, text } = await get(path);
      expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).toContain('<base target="_top">');
      expect(text).toContain('Lantern &amp; walk');
    }
    expect((await get('/events/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await get(`/event/${slug}/embed/`)).headers.get('location')).toBe(`/embed/event/${slug}/`);
    expect((await get('/embed.js')).text).toContain('marquee-events');
  });

  it('have a message for missing content in a frame, in place of the error page of the browser', async () => {
    const { id } = await event({ title: 'Gone', slug: 'gone' });
    await server().make(`PATCH /events/${id}`, { status: 'trash' });
    await event({ title: 'Hidden', slug: 'locked', post_password: 'sesame' });
    for (const [path, status, words] of [
      ['/embed/events/?categories=nope', 404, 'There are no events here at the moment.'],
      ['/embed/events/?search=nothing', 200, 'There are no events here at the moment.'],
      ['/embed/event/nope/', 404, 'There are no events here at the moment.'],
      ['/embed/event/gone/', 410, 'There are no events here at the moment.'],
      ['/embed/month/1999-01/', 404, 'There are no events here at the moment.'],
      ['/fr/embed/event/nope/', 404, 'Il n’y a pas d’événements ici pour le moment.'],
      ['/embed/event/locked/', 403, 'This event is protected'],
    ] as const) {
      const { status: answered, headers, text } = await get(path);
      expect([path, answered, text.includes(words)]).toEqual([path, status, true]);
      expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
      expect(text).toContain('<base target="_top">');
      expect(text).not.toContain('<header');
      expect(text).not.toContain('Hidden');
    }
    expect((await get('/embed/event/locked/')).text).toContain('href="/event/locked/"');
  });

  it('have a language, a colour scheme and a month in frames', async () => {
    const { slug } = await event();
    const french = await get('/embed/events/?limit=3&language=fr&theme=dark');
    expect([french.status, french.headers.get('location')]).toEqual([302, '/fr/embed/events/?limit=3&theme=dark']);
    expect((await get('/fr/embed/events/?language=fr')).status).toBe(200);
    expect((await get('/embed/events/?language=xx')).status).toBe(200);
    const dark = await get('/embed/events/?theme=dark');
    expect(dark.text).toContain('<meta name="color-scheme" content="dark">');
    const [, sheet = ''] = /href="(\/assets\/theme\.css[^"]*theme=dark)"/.exec(dark.text) ?? [];
    expect((await get(sheet.replace('&amp;', '&'))).text).toMatch(/^:root\{color-scheme:dark;--paper:#16121c;/);
    expect((await get('/embed/events/?theme=pink')).text).toContain('content="light dark"');
    for (const path of ['/embed/month/2026-12/', '/embed/month/2026-12/?categories=walks']) {
      const { text, headers } = await get(path);
      expect(text).toContain(`href="/event/${slug}/"`);
      expect(text).toMatch(/href="\/embed\/month\/(?:\?categories=walks)?"/);
      expect(text).not.toContain('class="filters"');
      expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    }
    for (const [path, month] of [
      ['/embed/month/2026-12/?theme=dark', '/embed/month/?theme=dark'],
      ['/embed/month/2026-12/?theme=light&categories=walks', '/embed/month/?categories=walks&amp;theme=light'],
    ] as const)
      expect([path, (await get(path)).text]).toEqual([path, expect.stringContaining(`href="${month}"`)]);
    for (const wrong of ['2026-13', 'ical', 'featured', 'feed', 'week', '2026-12%2Fical', '2026-12%3Ftheme=dark'])
      expect([wrong, (await get(`/embed/month/${wrong}/`)).status]).toEqual([wrong, 404]);
  });

  it('lead to the tickets of an event from frames, while there are any', async () => {
    const { id, slug } = await event();
    const leads = async () =>
      /<a class="button" href="([^"]+)">([^<]+)/.exec((await get(`/embed/event/${slug}/`)).text)?.slice(1);
    expect(await leads()).toBeUndefined();
    await makeTicket(server(), id, { ticket: { mode: 'own', capacity: 5 } });
    expect(await leads()).toEqual([`/event/${slug}/#tickets`, 'Get tickets']);
    await server().make(`PATCH /events/${id}`, { event_status: 'postponed' });
    expect(await leads()).toBeUndefined();
    await server().make(`PATCH /events/${id}`, { event_status: 'scheduled' });
    await server().context.db.query.updateTable('tickets').set({ sold: 5 }).where('event_id', '=', id).execute();
    expect(await leads()).toBeUndefined();
    expect((await get(`/embed/event/${slug}/`)).text).toContain('Sold out');
  });

  it('names the interface: an event its own address, a category and a tag their list', async () => {
    const { slug, rest_url } = await event();
    for (const [path, root] of [
      [`/event/${slug}/`, rest_url],
      ['/events/category/walks/', 'http://localhost/calendar/events/v1/events/?categories=walks'],
      ['/tag/free/', 'http://localhost/calendar/events/v1/events/?tags=free'],
      ['/', 'http://localhost/calendar/events/v1/'],
    ] as const)
      expect((await get(path)).headers.get('x-tec-api-root')).toBe(root);
  });

  it('has a picture for each event, drawn where there is none', async () => {
    const { slug } = await event();
    const { text } = await get(`/event/${slug}/`);
    const [, picture = ''] = /property="og:image" content="([^"]+)"/.exec(text) ?? [];
    const { response } = await get(new URL(picture).pathname);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('is data of schema.org that stays data', async () => {
    const { slug } = await event({ title: '</script><script>alert(1)</script> & more' });
    const { text } = await get(`/event/${slug}/`);
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
    const types = blocks.map(([, json = '']) => JSON.parse(json)['@type']);
    expect(types).toEqual(['Event', 'BreadcrumbList']);
    expect(text).not.toContain('<script>alert');
  });
});
