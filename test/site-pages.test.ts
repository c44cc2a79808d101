import { describe, expect, it } from 'vitest';
import { png, upload } from './fixtures.ts';
import { useTestServer } from './server.ts';
import { shopperOf } from './shopper.ts';
import { usualDatabases } from './thoroughness.ts';
import { EVENING, makeEvent, makeTicket } from './tickets.ts';

describe.each(usualDatabases)('the settings of the site on its pages on %s', (kind) => {
  const server = useTestServer(kind, { siteName: undefined, languages: ['en', 'de'] }, { isFreshEachTime: true });
  const get = async (path: string) => {
    const response = await server().request(path, { redirect: 'manual', headers: { accept: 'text/html' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const change = (body: object) => server().make('PATCH admin:/site', body);

  it('have the colours and the logo of the site', async () => {
    expect((await get('/')).text).not.toContain('theme.css');
    expect((await get('/assets/theme.css')).status).toBe(404);
    const form = upload(await png(20, 20));
    const { id } = (await server().ask('POST admin:/media', { as: 'administrator', form })).body;
    const { revision } = await change({ name: 'Harbour "Hall"', logo: id, colors: { accent: '#005f73' } });
    for (const path of ['/', '/embed/events/'])
      expect((await get(path)).text).toMatch(
        new RegExp(`public\\.css\\?v=\\S+\n<link rel="stylesheet" href="/assets/theme\\.css\\?v=${revision}">`),
      );
    expect((await get('/')).text).toMatch(
      /<a class="sign-name" href="\/"><img class="sign-logo" src="[^"]+\/uploads\/[^"]+" width="20" height="20" alt="Harbour &quot;Hall&quot;"><\/a>/,
    );
    const theme = await get(`/assets/theme.css?v=${revision}`);
    expect([theme.headers.get('content-type'), theme.headers.get('cache-control')]).toEqual([
      'text/css; charset=UTF-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(theme.text).toContain('--accent:#005f73');
    expect((await get(`/assets/theme.css?v=${revision + 1}`)).headers.get('cache-control')).toBe('no-cache');
    const [, sheet = ''] = /href="(\/assets\/public\.css[^"]+)"/.exec((await get('/')).text) ?? [];
    expect((await get(sheet)).text.match(/--accent: #9c1140;/g)).toHaveLength(1);
  });

  it('describe the site on the front page', async () => {
    const said = async (path: string) => {
      const { text } = await get(path);
      return [
        /<p class="lead">([^<]*)<\/p>/.exec(text)?.[1],
        /<meta name="description" content="([^"]*)">/.exec(text)?.[1],
        /<meta property="og:description" content="([^"]*)">/.exec(text)?.[1],
      ];
    };
    expect(await said('/')).toEqual([undefined, ...Array(2).fill('Marquee: events, tickets and venues.')]);
    await change({ tagline: 'Concerts & "more" by the water' });
    await server().make('PATCH admin:/site?i18n_language=de', { tagline: 'Konzerte am Wasser' });
    expect(await said('/')).toEqual(Array(3).fill('Concerts &amp; &quot;more&quot; by the water'));
    expect(await said('/de/')).toEqual(Array(3).fill('Konzerte am Wasser'));
    expect((await get('/events/')).text).not.toContain('Concerts &amp;');
  });

  it('have the texts of the site in the sitemap, in each language', async () => {
    const listed = async () => {
      const { text } = await get('/sitemap-pages-1.xml');
      return [...text.matchAll(/<loc>http:\/\/localhost([^<]+)<\/loc>/g)].map(([, path]) => path);
    };
    expect((await get('/sitemap.xml')).text).toContain('/sitemap-pages-1.xml</loc>');
    expect(await listed()).toEqual(['/', '/events/', '/organizers/']);
    await change({ about: '<p>A hall.</p>', privacy: '<p>Nothing is kept.</p>' });
    expect(await listed()).toEqual(['/', '/events/', '/organizers/', '/about/', '/privacy/']);
    expect((await get('/sitemap-pages-1.xml')).text).toContain(
      '<xhtml:link rel="alternate" hreflang="de" href="http://localhost/de/about/"/>',
    );
  });

  it('have a page for each text of the site, linked where there is one', async () => {
    for (const path of ['/about/', '/terms/', '/privacy/']) expect((await get(path)).status).toBe(404);
    expect((await get('/')).text).not.toContain('foot-links');
    await change({
      ...{ terms: '<p>No refunds.</p>', privacy: '<p>Nothing is kept.</p>' },
      contact: { email: 'hall@example.org', phone: '+1 (555) 0100', address: 'Quay 1 <b>\nPort' },
      legal_links: [{ label: 'Imprint & more', url: 'https://example.org/imprint' }],
    });
    await server().make('PATCH admin:/site?i18n_language=de', { terms: '<p>Keine Rückgabe.</p>' });
    const { status, text } = await get('/terms/');
    expect([status, text.includes('<p>No refunds.</p>')]).toEqual([200, true]);
    expect((await get('/terms')).headers.get('location')).toBe('/terms/');
    expect((await get('/about/')).status).toBe(404);
    const german = (await get('/de/terms/')).text;
    expect(german).toContain('<p>Keine Rückgabe.</p>');
    expect(german).toContain('<a href="/de/privacy/">Datenschutz</a>');
    expect((await get('/de/privacy/')).text).toContain('<p>Nothing is kept.</p>');
    const foot = text.slice(text.indexOf('<footer'));
    for (const part of [
      '<address>Quay 1<br>Port<br><a href="tel:+15550100">+1 (555) 0100</a><br><a href="mailto:hall@example.org">',
      '<li><a href="/terms/">Terms</a></li><li><a href="/privacy/">Privacy</a></li>',
      '<li><a href="https://example.org/imprint">Imprint &amp; more</a></li>',
    ])
      expect(foot).toContain(part);
    expect(foot).not.toContain('/about/');
  });

  it('link the terms at the checkout', async () => {
    const { id: ticket_id } = await makeTicket(server(), await makeEvent(server()), {
      ticket: { mode: 'own', capacity: 5 },
    });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id, quantity: 1 }]);
    const checkout = async () => {
      const headers = { cookie: `marquee-cart=${shopper.token}` };
      return (await server().request('/checkout/', { headers })).text();
    };
    const link = /<a href="\/terms\/"[^>]*>Read the terms/;
    const before = await checkout();
    expect([before.includes('class="checkout"'), link.test(before)]).toEqual([true, false]);
    await change({ terms: '<p>No refunds.</p>' });
    expect(await checkout()).toMatch(link);
  });

  const locationOf = async (path: string) => {
    const { status, headers } = await get(path);
    return [status, headers.get('location')];
  };

  it('lead from former addresses to the present ones', async () => {
    const { make } = server();
    const parent = await make('POST /categories', { name: 'Outdoors' });
    const event = await make('POST /events', {
      ...{ ...EVENING, title: 'Old walk', categories: ['Old walks'], tags: ['Old tag'] },
      ...{ venue: { venue: 'Old hall' }, organizer: { organizer: 'Old club' } },
    });
    const [{ id: category }, { id: tag }] = [event.categories[0], event.tags[0]];
    await make(`PATCH /events/${event.id}`, { slug: 'new-walk' });
    await make(`PATCH /categories/${category}`, { slug: 'new-walks', parent: parent.id });
    await make(`PATCH /tags/${tag}`, { slug: 'new-tag' });
    await make(`PATCH wp:/tribe_venue/${event.venue.id}`, { slug: 'new-hall' });
    await make(`PATCH wp:/tribe_organizer/${event.organizer[0].id}`, { slug: 'new-club' });
    for (const [old, present] of [
      ['/event/old-walk/', '/event/new-walk/'],
      ['/event/old-walk/ical/?a=1', '/event/new-walk/ical/?a=1'],
      ['/event/old-walk/picture.png', '/event/new-walk/picture.png'],
      ['/embed/event/old-walk/', '/embed/event/new-walk/'],
      ['/events/old-walk/', '/event/new-walk/'],
      ['/de/old-walk', '/de/event/new-walk/'],
      [
        '/events/category/old-walks/month/2026-12/?search=x',
        '/events/category/outdoors/new-walks/month/2026-12/?search=x',
      ],
      ['/de/tag/old-tag/page/2/', '/de/tag/new-tag/page/2/'],
      ['/organizer/old-club/past/', '/organizer/new-club/past/'],
    ] as const)
      expect([old, ...(await locationOf(old))]).toEqual([old, 301, present]);
    // Programs that read feeds do not all follow redirects.
    for (const feed of ['/events/category/old-walks/feed/', '/venue/old-hall/ical/'])
      expect([feed, ...(await locationOf(feed))]).toEqual([feed, 200, null]);
    await make(`PATCH /events/${event.id}`, { slug: '散歩' });
    await make(`PATCH /tags/${tag}`, { slug: '無料' });
    for (const old of ['/event/new-walk/', '/tag/new-tag/month/']) {
      const [status, location = ''] = await locationOf(old);
      expect([old, status, decodeURIComponent(String(location))]).toEqual([
        ...[old, 301],
        old.replace('new-walk', '散歩').replace('new-tag', '無料'),
      ]);
      expect((await get(String(location))).status).toBe(200);
    }
    await make(`DELETE /events/${event.id}`, undefined);
    await make(`DELETE /venues/${event.venue.id}`, undefined);
    for (const path of ['/event/old-walk/', '/event/new-walk/', '/de/event/new-walk/ical/', '/venue/old-hall/feed/']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 410]);
      expect(text).toContain(path.startsWith('/de') ? 'Diesen Inhalt gibt es nicht mehr' : 'no longer available');
    }
    for (const path of ['/event/never/', '/venue/never/', '/events/category/never/', '/tag/never/', '/never/'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('are found by the words of a former site, unless an address is their own', async () => {
    await server().make('POST /events', { ...EVENING, title: 'Walk', slug: 'walk', categories: ['Music'] });
    await server().make('POST /events', { ...EVENING, title: 'Mine', slug: 'soiree' });
    const words = { veranstaltung: 'event', événements: 'events', 'événements/catégorie': 'events/category' };
    const address_words = Object.entries({ ...words, soiree: 'event' }).map(([from, to]) => ({ from, to }));
    await change({ address_words });
    for (const [old, present] of [
      ['/veranstaltung/walk/', '/event/walk/'],
      ['/de/Veranstaltung/walk?a=1', '/de/event/walk/?a=1'],
      ['/événements/', '/events/'],
      ['/événements/catégorie/music/', '/events/category/music/'],
      ['/soiree/', '/event/soiree/'],
      ['/soiree/walk/', '/event/walk/'],
    ] as const)
      expect([old, ...(await locationOf(old))]).toEqual([old, 301, present]);
    for (const path of [
      '/veranstaltungen/walk/',
      '/event/veranstaltung/',
      '/%ff/walk/',
      '/event/a%00b/',
      '/tag/a%00b/',
      '/a%00b/',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('name the categories on the front page without numbers of events that their pages do not list', async () => {
    const above = await server().make('POST /categories', { name: 'Stage' });
    await server().make('POST /categories', { name: 'Dance', parent: above.id });
    const dates = { start_date: '2025-03-06 18:30:00', end_date: '2025-03-06 21:00:00' };
    await server().make('POST /events', { title: 'Long ago', ...dates, categories: ['Dance'] });
    const [, list = ''] = /<ul class="terms">(.*?)<\/ul>/s.exec((await get('/')).text) ?? [];
    expect(list.replace(/<[^>]+>/g, ' ').split(/\s+/)).toEqual(expect.arrayContaining(['Stage', 'Dance']));
    expect(list.replace(/<[^>]+>/g, ' ')).not.toMatch(/\d/);
  });
});
