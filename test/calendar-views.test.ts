import { describe, expect, it } from 'vitest';
import { newRecordIds } from '../src/db/record-ids.ts';
import { DATABASES, useTestServer } from './server.ts';
import { casesOn } from './thoroughness.ts';
import { makeTicket } from './tickets.ts';

const VIEWS = ['', 'month/', 'week/', 'today/', 'photo/', 'places/'] as const;

/** The server's clock is at noon of Saturday 21 November 2026 in New York. */
describe.each(DATABASES)('the views of the calendar on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] }, { isFreshEachTime: true });
  const get = async (path: string) => {
    const response = await server().request(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, location: response.headers.get('location'), text, words: wordsOf(text) };
  };
  const event = (title: string, day: string, { until = day, ...more }: Record<string, unknown> = {}) =>
    server().make('POST /events', {
      ...{ title, start_date: `${day} 18:00:00`, end_date: `${until} 20:00:00` },
      ...more,
    });
  /** Stores an event again so many times, with other slugs. */
  const copies = async (slug: string, count: number) => {
    const { db } = server().context;
    const { id: _id, ...row } = await db.query
      .selectFrom('events')
      .selectAll()
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    for (let done = 0; done < count; done += 100) {
      const ids = await newRecordIds(db, ['event', ...Array.from({ length: 99 }, () => 'event' as const)]);
      await db.query
        .insertInto('events')
        .values(ids.map((id) => ({ ...row, id, slug: `${slug}-copy-${id}` })))
        .execute();
    }
  };
  const titles = ({ text }: { text: string }) => [...text.matchAll(/p-name">([^<]+)</g)].map(([, title]) => title);

  it('show events in each view and for each subject', async () => {
    const { venue, organizer, categories, tags } = await event('Lantern walk', '2026-11-21', {
      ...{ venue: { venue: 'Harbour Hall', city: 'Boston' }, organizer: { organizer: 'Music society' } },
      ...{ categories: ['Walks'], tags: ['Evening'] },
    });
    const subjects = [venue.url, organizer[0].url, categories[0].urls.self, tags[0].urls.self];
    expect(subjects).toHaveLength(4);
    for (const base of [
      '/events/',
      '/venue/harbour-hall/',
      '/organizer/music-society/',
      '/events/category/walks/',
      '/tag/evening/',
    ])
      for (const view of VIEWS) {
        const page = await get(`${base}${view}`);
        expect([base, view, page.status]).toEqual([base, view, 200]);
        expect(page.text, `${base}${view}`).toContain('Lantern walk');
      }
  });

  it('list running events first, then by day, and past events newest first', async () => {
    await event('Over', '2026-11-20');
    await event('Long over', '2026-10-20');
    await event('Exhibition', '2026-11-10', { until: '2026-12-10' });
    await event('Tonight', '2026-11-21');
    await event('Later', '2026-11-23');
    const list = await get('/events/');
    expect(titles(list)).toEqual(['Exhibition', 'Tonight', 'Later']);
    expect(headings(list.text)).toEqual(['Now', 'Saturday 21 November', 'Monday 23 November']);
    expect(list.words).toContain('Until Thu 10 Dec');
    expect(titles(await get('/events/past/'))).toEqual(['Over', 'Long over']);
  });

  it('read the past page by page from its end', async () => {
    for (let day = 1; day <= 14; day += 1) await event(`Talk ${day}`, `2026-10-${String(day).padStart(2, '0')}`);
    const [first, second] = [await get('/events/past/'), await get('/events/past/page/2/')];
    expect([...titles(first), ...titles(second)]).toEqual(
      Array.from({ length: 14 }, (_talk, index) => `Talk ${14 - index}`),
    );
    expect(first.text).toMatch(/rel="next" href="\/events\/past\/page\/2\/"/);
    expect(second.text).toMatch(/rel="prev" href="\/events\/past\/"/);
  });

  it('show events of a city in each view, feed and embed', async () => {
    await event('Lantern walk', '2026-11-21', { venue: { venue: 'Harbour Hall', city: 'Montréal' } });
    await event('Old mill', '2026-11-21', { venue: { venue: 'Mill', city: 'MONTREAL' } });
    await event('Talk', '2026-11-21', { venue: { venue: 'Hotel Montreal', city: 'Lyon' } });
    for (const path of [
      ...VIEWS.map((view) => `/events/${view}`),
      '/events/ical/',
      '/events/feed/',
      '/embed/events/',
    ]) {
      const { text } = await get(`${path}?city=montreal&venue=hotel-montreal`);
      const shown = ['Lantern walk', 'Old mill', 'Talk'].map((title) => text.includes(title));
      expect([path, ...shown]).toEqual([path, true, true, false]);
    }
    const places = await get('/events/places/?city=montreal');
    expect(places.words).toContain('2 venues with upcoming events');
    expect(places.text).toContain('href="/events/month/?city=montreal"');
    expect(places.text).toContain('<meta name="robots" content="noindex, follow">');
    expect(places.text).toMatch(
      /href="\/events\/places\/"><span[^>]*>×<\/span>[^<]*<span[^>]*>[^<]*<\/span>in montreal</,
    );
    for (const path of ['/events/', '/events/places/', '/events/ical/'])
      expect([path, (await get(`${path}?city=Oslo`)).status]).toEqual([path, 404]);
    expect((await get('/embed/events/?city=Oslo')).text).not.toContain('Talk');
    expect((await get('/venue/mill/?city=Lyon')).text).toContain('Old mill');
  });

  it('find venues and organizers by name, town and address, whose events have other words', async () => {
    const venue = {
      venue: 'The Rusty Kettle',
      address: '4 Quay Street',
      city: 'Dieppe',
      description: 'Near the abbey.',
    };
    const { venue: made } = await event('Open mike', '2026-12-01', {
      venue,
      organizer: { organizer: 'Kettle drummers' },
    });
    await event('Jazz', '2026-12-02', { venue: { id: made.id } });
    await event('Old jazz', '2026-10-02', { venue: { id: made.id } });
    await event('Draft', '2026-12-03', { venue: { venue: 'Kettle of secrets' }, status: 'draft' });
    const { words, text } = await get('/events/?search=rusty+KETTLE');
    expect(words).toMatch(/Venues and organizers\s+The Rusty Kettle\s+Dieppe · 2 upcoming events/);
    expect(text).toContain('href="/venue/the-rusty-kettle/"');
    expect(words).toContain('0 events');
    for (const search of ['Dieppe', 'kettle dieppe', 'quay str'])
      for (const view of ['', 'month/', 'photo/'])
        expect([search, (await get(`/events/${view}?search=${search}`)).text]).toEqual([
          search,
          expect.stringContaining('>The Rusty Kettle<'),
        ]);
    const both = await get('/events/?search=kettle');
    expect(both.words).toMatch(/Kettle drummers\s+1 upcoming event\b/);
    expect(both.text).not.toMatch(/<h3><a[^>]*>Kettle of secrets/);
    for (const path of ['/events/?search=abbey', '/events/', `/events/list/?venue=${made.id}`])
      expect([path, (await get(path)).words.includes('Venues and organizers')]).toEqual([path, false]);
    expect((await get('/fr/events/?search=dieppe')).words).toContain('2 événements à venir');
    const interfaceFinds = await server().ask('GET /events', { query: { search: 'kettle' } });
    expect(interfaceFinds.body.total).toBe(0);
    for (const search of ['kettle', 'dieppe', 'quay', 'open mike']) {
      const places = await get(`/events/places/?search=${search}`);
      expect([search, places.words]).toEqual([search, expect.stringContaining('1 venue with upcoming events')]);
      expect(places.words).toMatch(/The Rusty Kettle .*Open mike/);
    }
    expect((await get('/events/places/?search=kettle&city=dieppe')).words).toContain('1 venue with');
    expect((await get('/events/places/?search=kettle&end_date=2026-11-30')).words).toContain('0 venues with');
  });

  it('lead to later pages, and respond with 404 and the first page past the last one', async () => {
    for (let day = 1; day <= 13; day += 1) await event(`Talk ${day}`, `2026-12-${String(day).padStart(2, '0')}`);
    const first = await get('/events/');
    expect(first.text).toContain('href="/events/list/page/2/"');
    expect(first.words).toContain('Tue 1 Dec – Sat 12 Dec');
    expect(titles(await get('/events/list/page/2/'))).toEqual(['Talk 13']);
    const beyond = await get('/events/list/page/3/');
    expect(beyond.status).toBe(404);
    expect(titles(beyond)).toEqual(titles(first));
  });

  it.each(
    casesOn(kind, [
      ['/events/past/', '2026-10-01'],
      ['/events/photo/', '2026-12-01'],
      ['/events/featured/', '2026-12-01'],
      ['/tag/evening/', '2026-12-01'],
    ]),
  )('respond with 404 and the first page past the last one of %s', async (path, day) => {
    await event('Only one', day, { featured: true, tags: ['Evening'] });
    const beyond = await get(`${path}page/9/`);
    expect([beyond.status, titles(beyond)]).toEqual([404, ['Only one']]);
    expect(beyond.words).toContain('There is no such page');
  });

  it('respond with 404 and the first places past the last ones', async () => {
    await event('Only one', '2026-12-01', { venue: { venue: 'Harbour Hall' } });
    const beyond = await get('/events/places/page/9/');
    expect(beyond.status).toBe(404);
    expect(beyond.words).toMatch(/There is no such page.*Harbour Hall/);
  });

  it.each(
    casesOn(kind, [
      ['cancelled', 'Cancelled'],
      ['postponed', 'Postponed'],
      ['rescheduled', 'New date'],
      ['moved_online', 'Moved online'],
    ]),
  )('mark an event that is %s with “%s”, and strike out only cancelled ones', async (event_status, words) => {
    await event('Talk', '2026-11-21', { event_status });
    for (const view of VIEWS.filter((one) => one !== 'places/')) {
      const { text } = await get(`/events/${view}`);
      expect([view, text.includes(`>${words}</span>`)]).toEqual([view, true]);
      expect([view, text.includes('is-cancelled')]).toEqual([view, event_status === 'cancelled']);
    }
  });

  it('find free events, and name the filter in the language of the page', async () => {
    await event('Market', '2026-11-21', { cost: ['0'] });
    await event('Opera', '2026-11-21', { cost: '90' });
    for (const view of VIEWS.filter((one) => one !== 'places/'))
      expect([view, titles(await get(`/events/${view}?free=true`))]).toEqual([view, ['Market']]);
    const { text, words } = await get('/de/events/?free=true');
    expect(text).toContain('<input type="checkbox" name="free" value="true" checked>');
    expect(words).toContain('1 Veranstaltung ');
    expect(text).toMatch(/class="chip" href="\/de\/events\/">/);
    expect(text).toContain('href="/de/events/month/?free=true"');
    expect((await get('/events/ical/?free=true')).text).not.toContain('Opera');
  });

  it('filter by the parameters of the interface, in every view, and do not let search engines list that', async () => {
    await event('Jazz night', '2026-11-21', { categories: ['Music'], venue: { venue: 'Grenier' } });
    await event('Chess night', '2026-11-21', { categories: ['Games'], venue: { venue: 'Kettle' } });
    for (const view of VIEWS)
      for (const query of ['search=jazz', 'categories=music', 'venue=grenier', 'search=night&categories=music']) {
        const page = await get(`/events/${view}?${query}`);
        expect([view, query, page.status]).toEqual([view, query, 200]);
        expect(page.text).toContain('Jazz night');
        expect(page.text.split('<main')[1]).not.toContain('Chess night');
        expect(page.text).toContain('<meta name="robots" content="noindex, follow">');
        expect(page.text).toMatch(/<link rel="canonical" href="[^"?]+">/);
        expect(page.text).toContain(`href="/events/month/?${query.replaceAll('&', '&amp;')}"`);
      }
  });

  it('name each filter in words, with a link that removes it', async () => {
    await event('Jazz night', '2026-12-01', { categories: ['Music'] });
    const { text, words } = await get('/events/?search=jazz&categories=music&start_date=2026-11-30');
    expect(words).toContain('1 event ');
    for (const chip of ['with “jazz”', 'from Monday 30 November', 'Music'])
      expect(words).toContain(`Remove filter: ${chip} `);
    expect(text).toContain('href="/events/?search=jazz&amp;start_date=2026-11-30"');
    expect(text).toContain('href="/events/?start_date=2026-11-30&amp;categories=music"');
    expect(text).toContain('<option value="music" selected>');
  });

  it.each(
    casesOn(kind, [
      ['/events/?search=jazz&start_date=&categories=&venue=', '/events/?search=jazz'],
      ['/fr/events/month/?search=&start_date=2026-12-24', '/fr/events/month/2026-12/'],
      ['/events/week/?start_date=2026-12-24&search=x', '/events/week/2026-12-24/?search=x'],
      ['/events/today/?start_date=2026-12-24', '/events/2026-12-24/'],
      ['/events/month/?start_date=tomorrow', '/events/month/'],
      ['/events/week/2026-12-24/', '/events/week/2026-12-21/'],
    ]),
  )('redirect %s to %s', async (path, target) => {
    expect((await get(path)).location).toBe(target);
  });

  it.each(
    casesOn(kind, [
      ['/events/', [], 'The calendar is empty so far.'],
      ['/events/month/', [], 'The calendar is empty so far.'],
      ['/events/photo/', [], 'The calendar is empty so far.'],
      ['/events/places/', [], 'The calendar is empty so far.'],
      ['/events/featured/', [], 'Nothing is announced here so far.'],
      ['/events/photo/', ['2026-10-01'], 'Nothing is announced at the moment.'],
      ['/events/places/', ['2026-10-01'], 'Nothing is announced at the moment.'],
      ['/events/photo/?search=nothing', ['2026-12-01'], 'Search past events'],
      ['/events/places/?search=nothing', ['2026-12-01'], 'Search all upcoming events'],
      ['/events/', ['2026-10-01'], 'Nothing is announced at the moment.'],
      ['/events/past/', ['2026-12-01'], 'Nothing is announced at the moment.'],
      ['/events/month/', ['2026-10-01', '2026-12-24'], 'There are no events in this period.'],
      ['/events/week/', ['2026-10-01', '2026-12-24'], 'There are no events in this period.'],
      ['/events/today/', ['2026-10-01', '2026-12-24'], 'There are no events in this period.'],
      ['/events/?search=nothing', ['2026-12-01'], 'Search past events'],
      ['/events/?start_date=2027-06-01', ['2026-12-01'], 'Search on all days'],
      ['/events/month/?search=nothing', ['2026-12-01'], 'Search all upcoming events'],
    ] as const),
  )('say at %s with events on %j: %s', async (path, days, sentence) => {
    for (const day of days) await event(`Event of ${day}`, day);
    const page = await get(path);
    expect([page.status, page.text.includes('noindex, follow')]).toEqual([200, true]);
    expect(page.words).toContain(sentence);
    if (!path.includes('?')) expect(titles(page)).toEqual(expect.arrayContaining(days.map((day) => `Event of ${day}`)));
  });

  it('respond with 404 for a filter by something that does not exist, with a way to remove it', async () => {
    const page = await get('/events/?categories=nope');
    expect(page.status).toBe(404);
    expect(page.text).toContain('href="/events/"');
  });

  it.each(
    casesOn(kind, [
      ['/events/month/2026-09/', 404],
      ['/events/month/2026-10/', 200],
      ['/events/month/2026-11/', 200],
      ['/events/month/2027-01/', 200],
      ['/events/month/2027-02/', 404],
      ['/events/week/2026-09-28/', 200],
      ['/events/week/2026-09-21/', 404],
      ['/events/2026-10-01/', 200],
      ['/events/2026-12-05/', 200],
      ['/events/2026-09-30/', 404],
      ['/events/2027-01-03/', 404],
    ]),
  )('have between the first event and the last one a page at %s: %i', async (path, status) => {
    await event('First', '2026-10-01');
    await event('Last', '2027-01-02');
    const page = await get(path);
    expect(page.status).toBe(status);
    for (const [, target = ''] of page.text.matchAll(/rel="(?:prev|next)" href="([^"]+)"/g))
      expect([target, (await get(target)).status]).toEqual([target, 200]);
  });

  it('arrange a month in days and lanes', async () => {
    await event('Exhibition', '2026-11-19', { until: '2026-11-24' });
    for (const title of ['A', 'B', 'C', 'D', 'E']) await event(title, '2026-11-20');
    const { text, words } = await get('/events/month/');
    const bars = [
      ...text.matchAll(
        /data-lane="(\d)" data-length="(\d)"><a [^>]+>(?:<span class="bar-time">[^<]+<\/span> )?<span dir="auto" class="p-name">([^<]+)/g,
      ),
    ];
    expect(bars.map(([, lane, length, title]) => `${title} ${lane} ${length}`)).toEqual([
      'Exhibition 1 4',
      'A 2 1',
      'B 3 1',
      'C 4 1',
      'Exhibition 1 2',
    ]);
    expect(text).toMatch(/href="\/events\/2026-11-20\/">\+2 more/);
    expect(words).toMatch(/^[^>]*> November 2026 .* 6 events /);
  });

  it('have the order of the list on a day with events of several zones', async () => {
    for (const [title, timezone, time] of [
      ['Boston', 'America/New_York', '06:00'],
      ['Tokyo', 'Asia/Tokyo', '09:00'],
      ['Paris', 'Europe/Paris', '11:30'],
      ['Auckland', 'Pacific/Auckland', '20:00'],
    ])
      await event(title ?? '', '2026-11-24', {
        timezone,
        start_date: `2026-11-24 ${time}`,
        end_date: '2026-11-24 21:00',
      });
    const listed = titles(await get('/events/'));
    expect(listed).toEqual(['Tokyo', 'Auckland', 'Paris', 'Boston']);
    for (const path of ['/events/month/', '/events/week/2026-11-23/', '/events/2026-11-24/'])
      expect([path, titles(await get(path))]).toEqual([path, listed]);
  });

  it('name the zone of an event that has another clock, wherever they show its time', async () => {
    await event('Paris', '2026-12-02', { timezone: 'Europe/Paris' });
    await event('Boston', '2026-12-03');
    await event('Fair', '2026-12-04', { timezone: 'Europe/Paris', all_day: true });
    for (const path of ['/events/month/2026-12/', '/events/week/2026-11-30/', '/embed/month/2026-12/']) {
      const { status, words } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, words]).toEqual([path, expect.stringMatching(/18:00 CET Paris/)]);
      expect([path, words]).toEqual([path, expect.stringMatching(/18:00–20:00 CET/)]);
      expect([path, words.match(/CET/g)?.length]).toEqual([path, 2]);
    }
  });

  it('name for a venue an event that takes place, and mark one that does not', async () => {
    const { venue, slug } = await event('Off', '2026-12-02', { venue: { venue: 'Mill' }, event_status: 'cancelled' });
    expect((await get('/events/places/')).text).toMatch(
      />Off<\/a> <span class="badges"><span class="badge bad">Cancelled</,
    );
    await event('On', '2026-12-03', { venue: { id: venue.id } });
    const { text } = await get('/events/places/');
    expect(text).toContain('>On</a>');
    expect(text).not.toContain(`/event/${slug}/`);
  });

  it('show the first events of each day of a period with very many, and how many more there are', async () => {
    await event('Exhibition', '2026-11-28', { until: '2026-12-20' });
    for (let number = 1; number <= 130; number += 1) await event(`Stand ${number}`, '2026-12-02');
    const week = await get('/events/week/2026-11-30/');
    expect(titles(week)).toEqual([
      'Exhibition',
      ...Array.from({ length: 12 }, (_stand, index) => `Stand ${index + 1}`),
    ]);
    expect(week.words).toContain('+118 more');
    const month = await get('/events/month/2026-12/');
    expect(month.words).toMatch(/December 2026 .* 131 events .* Stand 1 .* Stand 2 .* Stand 3 .* Stand 4 /);
    // Narrow screens have room for all four.
    expect(month.text).toMatch(/is-wide" href="[^"]+">\+127 more.*is-narrow" href="[^"]+">\+126 more/);
    expect(month.words).not.toContain('Stand 5');
    // Of very many, each day is looked up by itself.
    await copies('stand-1', 2000);
    const full = await get('/events/month/2026-12/');
    expect(full.words).toMatch(/December 2026 .* 2,131 events .* Stand 1 .* \+2,127 more \+2,126 more/);
    expect(titles(await get('/events/week/2026-11-30/'))).toHaveLength(13);
  });

  it('lead from a day to the days before and after that have events', async () => {
    for (const day of ['2026-08-01', '2026-11-21', '2026-11-21', '2027-03-06']) await event('Talk', day);
    const { text } = await get('/events/today/');
    expect(text).toMatch(/rel="prev" href="\/events\/2026-08-01\/"/);
    expect(text).toMatch(/rel="next" href="\/events\/2027-03-06\/"/);
  });

  it('say which events are sold out or nearly so', async () => {
    for (const [title, capacity] of [
      ['Last places', 3],
      ['Plenty', 200],
    ] as const) {
      const { id } = await event(title, '2026-12-01');
      await makeTicket(server(), id, { ticket: { mode: 'own', capacity } });
    }
    await server().context.db.query.updateTable('tickets').set({ sold: 2 }).where('capacity', '=', 3).execute();
    const { text } = await get('/events/');
    const [, last = '', plenty = ''] = text.split('<article');
    expect([last.includes('Few left'), plenty.includes('badge')]).toEqual([true, false]);
  });

  it('show the address and the contact of a venue', async () => {
    await event('Lantern walk', '2026-12-01', {
      venue: {
        ...{ venue: 'Harbour Hall', address: '1 Quay', city: 'Boston', phone: '+1 (555) 010-99' },
        ...{ website: 'https://www.hall.example/', geo_lat: 42.36, geo_lng: -71.05 },
      },
    });
    const { text, words } = await get('/venue/harbour-hall/');
    expect(words).toContain('1 Quay, Boston');
    for (const link of ['tel:+155501099', 'https://www.hall.example/', 'geo:42.36,-71.05?q='])
      expect(text).toContain(`href="${link}`);
    expect(text).toMatch(/href="https:\/\/www\.openstreetmap\.org\/\?mlat=42\.36&amp;mlon=-71\.05/);
    expect((await get('/events/places/')).words).toMatch(/Boston Harbour Hall 1 Quay/);
  });
});

/** The text of a page that people see. */
const wordsOf = (text: string): string => (text.split('<main')[1] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const headings = (text: string): string[] =>
  [...text.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, heading = '']) => heading);
