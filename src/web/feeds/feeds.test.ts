import ICAL from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { addDays } from '../../lib/dates/dates.ts';

/** The entries of a calendar, as ical.js reads them. */
function entriesOf({ text }: Pick<Answer, 'text'>) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((entry) => {
    const value = (name: string) => entry.getFirstPropertyValue(name)?.toString();
    return {
      uid: value('uid'),
      title: value('summary'),
      sequence: value('sequence'),
      changed: value('last-modified'),
      start: value('dtstart'),
      entry,
    };
  });
}

const titlesOf = (answer: Answer) => entriesOf(answer).map(({ title }) => title);

/** Titles of the items of a news feed. */
const newsOf = ({ text, body }: Answer): string[] =>
  body?.items?.map(({ title }: { title: string }) => title) ??
  [...text.matchAll(/<(?:item|entry)>[\s\S]*?<title>(.*?)<\/title>/g)].map(([, title = '']) => title);

const WALK = {
  title: 'Lantern walk',
  description: '<p>Bring a <b>lantern</b>.</p>\n<p>And a friend</p>',
  start_date: '2027-03-06 18:30:00',
  end_date: '2027-03-06 21:00:00',
  cost: '5',
};

const MILL = {
  ...{ address: '1 Mill Lane', city: 'Salem', state: 'MA', zip: '01970', country: 'United States' },
  ...{ geo_lat: 42.5, geo_lng: -70.9 },
};

describe.each(DATABASES)('the feeds of events on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'], siteName: 'City & harbour' });
  const get = (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    server().ask(`GET ${path}`, { query, headers });
  let walk: { id: number; url: string };
  let calendarId = '';
  const uidOf = (id: number) => `${id}@${calendarId}`;

  beforeAll(async () => {
    const { make, clock, context } = server();
    calendarId = await getCalendarId(context.db);
    walk = await make('POST /events', {
      ...WALK,
      venue: { ...MILL, venue: 'Old mill' },
      organizer: { organizer: 'Mill club', email: 'club@mill.example' },
      categories: ['Walks'],
      tags: ['light'],
    });
    const others = [
      ['Just over', '2026-10-20 10:00', '2026-10-25 10:00'],
      ['Long over', '2026-10-10 10:00', '2026-10-20 10:00'],
      ['Over for 30 days', '2026-10-21 10:00', '2026-10-22 00:00'],
      ['Over for longer', '2026-10-21 10:00', '2026-10-21 23:59:59'],
      ['Exhibition', '2026-01-01 10:00', '2027-01-01 10:00'],
      ['In two years', '2028-11-21 10:00', '2028-12-24 10:00'],
      ['Later', '2028-11-22 10:00', '2028-11-22 11:00'],
    ];
    for (const [title = '', start_date, end_date] of others) {
      clock.now = new Date(clock.now.getTime() + 60_000);
      await make('POST /events', { title, start_date, end_date });
    }
  });

  it('have events that ended up to 30 days ago or start within 24 months, in order of start', async () => {
    const titles = ['Exhibition', 'Just over', 'Over for 30 days', 'Lantern walk', 'In two years'];
    const known = new Set([...titles, 'Long over', 'Over for longer', 'Later']);
    const ofKnown = (found: (string | undefined)[]) => found.filter((title) => known.has(String(title)));
    expect(ofKnown(titlesOf(await get('/events.ics')))).toEqual(titles);
    for (const path of ['/events.rss', '/events.atom', '/events.feed.json']) {
      expect(ofKnown(newsOf(await get(path)))).toEqual([
        ...['In two years', 'Exhibition', 'Over for 30 days', 'Just over', 'Lantern walk'],
      ]);
    }
  });

  it.each([
    [{ start_date: '2026-10-01', end_date: '2026-10-20' }, ['Long over']],
    [{ tags: 'light' }, ['Lantern walk']],
    [{ categories: 'walks', venue: 'old-mill' }, ['Lantern walk']],
    [{ search: 'exhib' }, ['Exhibition']],
    [{ search: 'nothing like it' }, []],
  ])('take the filters of the list: %j', async (query, titles) => {
    expect(titlesOf(await get('/events.ics', query))).toEqual(titles);
    for (const path of ['/events.rss', '/events.atom', '/events.feed.json'])
      expect(newsOf(await get(path, query))).toEqual(titles);
  });

  it('refuse parameters that the list refuses', async () => {
    for (const path of ['/events.ics', '/events.rss', '/events.atom', '/events.feed.json']) {
      const list = await get('/events', { status: 'draft', categories: 'none' });
      expect(await get(path, { status: 'draft', categories: 'none' })).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: list.body.data.params } },
      });
    }
    for (const path of ['/events.ics', '/events.rss', `/events/${walk.id}/event.ics`])
      expect(await get(path, { cancelled: 'maybe' })).toMatchObject({
        status: 400,
        body: { data: { params: { cancelled: expect.any(String) } } },
      });
  });

  it('show everything about an event as iCalendar', async () => {
    const event = await server().make('POST /events', {
      ...{ ...WALK, title: 'Paper walk', categories: ['Paper'], tags: ['folded'] },
      venue: { ...MILL, venue: 'New mill' },
      organizer: { organizer: 'Paper club', email: 'club@paper.example' },
    });
    const answer = await get('/events.ics', { tags: 'folded' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=UTF-8',
      'content-disposition': 'attachment; filename="events.ics"',
      'cache-control': 'public, max-age=300, s-maxage=10',
    });
    const { ical_sequence: sequence } = await server()
      .context.db.query.selectFrom('events')
      .select('ical_sequence')
      .where('id', '=', event.id)
      .executeTakeFirstOrThrow();
    const changed = event.modified_utc.replaceAll(/[-:]/g, '').replace(' ', 'T');
    expect(answer.text.replaceAll('\r\n ', '').split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Marquee//Marquee//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'NAME:City & harbour',
      'X-WR-CALNAME:City & harbour',
      'URL:http://localhost/events/',
      'SOURCE;VALUE=URI:http://localhost/calendar/events/v1/events.ics?status=publish&tags=folded',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      'BEGIN:STANDARD',
      'DTSTART:20270101T000000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0500',
      'TZNAME:EST',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20270314T020000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0400',
      'TZNAME:EDT',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:20271107T020000',
      'TZOFFSETFROM:-0400',
      'TZOFFSETTO:-0500',
      'TZNAME:EST',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      `UID:${uidOf(event.id)}`,
      `DTSTAMP:${changed}Z`,
      `CREATED:${changed}Z`,
      `LAST-MODIFIED:${changed}Z`,
      `SEQUENCE:${sequence}`,
      'STATUS:CONFIRMED',
      'DTSTART;TZID=America/New_York:20270306T183000',
      'DTEND;TZID=America/New_York:20270306T210000',
      'SUMMARY:Paper walk',
      `DESCRIPTION:Bring a lantern.\\n\\nAnd a friend\\n\\n${event.url}`,
      'LOCATION:New mill\\, 1 Mill Lane\\, Salem\\, MA 01970\\, United States',
      'GEO:42.5;-70.9',
      'CATEGORIES:Paper,folded',
      'ORGANIZER;CN=Paper club:mailto:club@paper.example',
      `URL:${event.url}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('show when, where and for how much as news', async () => {
    const rss = (await get('/events.rss', { tags: 'light', i18n_language: 'de' })).text;
    const facts = 'Samstag, 6. März 2027, 18:30–21:00 Uhr · Old mill, 1 Mill Lane, Salem, MA 01970, United States · $5';
    expect(rss.replaceAll('\u2009', '')).toContain(`<description>&lt;p&gt;${facts}&lt;/p&gt;</description>`);
    const { body } = await get('/events.feed.json', { tags: 'light' });
    expect(body).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'City & harbour',
      home_page_url: 'http://localhost/events/',
      feed_url: 'http://localhost/calendar/events/v1/events.feed.json?status=publish&tags=light',
      language: 'en',
      items: [
        {
          id: `http://localhost/?p=${walk.id}`,
          url: walk.url,
          content_html: expect.stringMatching(/^<p>Saturday.*\$5<\/p>\n<p>Bring a <b>lantern<\/b>/),
          tags: ['Walks', 'light'],
          authors: [{ name: 'Mill club', url: 'http://localhost/organizer/mill-club/' }],
        },
      ],
    });
  });

  it.each([
    ['/events.ics', 'text/calendar'],
    ['/events.rss', 'application/rss+xml'],
    ['/events.atom', 'application/atom+xml'],
    ['/events.feed.json', 'application/feed+json'],
  ])('at %s are the same bytes while the data are, and 304', async (path, type) => {
    const { clock, make } = server();
    const first = await get(path);
    expect(first.headers.get('content-type')).toBe(`${type}; charset=UTF-8`);
    clock.now = new Date(clock.now.getTime() + 60_000);
    const etag = first.headers.get('etag') ?? '';
    expect(await get(path)).toMatchObject({ text: first.text });
    expect(await get(path, {}, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    await make('PATCH /venues/by-slug/old-mill', { phone: String(clock.now.getTime()) });
    expect((await get(path, {}, { 'if-none-match': etag })).status).toBe(200);
  });

  usually('have as many news as fit with their descriptions', async () => {
    const description = 'word '.repeat(9999);
    for (let index = 0; index < 22; index += 1)
      await server().make('POST /events', { ...WALK, title: `Long ${index}`, description, tags: ['long'] });
    for (const path of ['/events.rss', '/events.atom', '/events.feed.json']) {
      const answer = await get(path, { tags: 'long' });
      expect([newsOf(answer).length, answer.headers.get('x-marquee-truncated')]).toEqual([20, '2']);
    }
  });

  usually('are found under every prefix, and readable by pages elsewhere', async () => {
    for (const prefix of ['/wp-json/tribe', '/wp-json/calendar', '/tribe']) {
      const path = prefix === '/tribe' ? '/calendar' : prefix;
      const answer = await server().ask('GET /events.ics', { prefix: path, headers: { origin: 'https://a.test' } });
      expect(titlesOf(answer)).toContain('Lantern walk');
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Marquee-Truncated');
      expect(entriesOf(answer).find(({ title }) => title === 'Lantern walk')?.uid).toBe(uidOf(walk.id));
    }
  });

  it('mark cancelled events in titles for programs that drop them, and state the reason', async () => {
    const made = await server().make('POST /events', {
      ...{ ...WALK, title: 'Wet walk', tags: ['wet'], event_status: 'cancelled', event_status_reason: 'Storm & flood' },
    });
    for (const path of [`/events/${made.id}/event.ics`, '/events/by-slug/wet-walk/event.ics', '/events.ics']) {
      const query: Record<string, string> = path === '/events.ics' ? { tags: 'wet' } : {};
      const plain = await get(path, query);
      expect([path, titlesOf(plain), plain.text.includes('STATUS:CANCELLED')]).toEqual([path, ['Wet walk'], true]);
      const marked = await get(path, { ...query, cancelled: 'title' });
      expect([path, titlesOf(marked), marked.text.includes('CANCELLED')]).toEqual([
        ...[path, ['Cancelled: Wet walk'], false],
      ]);
      for (const { entry } of [...entriesOf(plain), ...entriesOf(marked)])
        expect(entry.getFirstPropertyValue('description')).toMatch(/^Cancelled – Storm & flood\n\n/);
    }
    for (const path of ['/events.rss', '/events.atom', '/events.feed.json']) {
      const french = { tags: 'wet', i18n_language: 'fr' };
      expect(newsOf(await get(path, french))).toEqual(['Wet walk']);
      const marked = await get(path, { ...french, cancelled: 'title' });
      expect(newsOf(marked)).toEqual(['Annulé\u00a0: Wet walk']);
      expect(marked.text).toMatch(/Annulé – Storm (&|&amp;|&amp;amp;) flood/);
      expect(marked.text).toContain('cancelled=title');
    }
    await server().make(`PATCH /events/${made.id}`, { event_status: 'scheduled' });
  });

  it('are wrapped in JSON by _envelope', async () => {
    const { body } = await get('/events.ics', { _envelope: '1' });
    expect(body).toMatchObject({ status: 200, body: expect.stringMatching(/^BEGIN:VCALENDAR/) });
  });

  it('keep one entry for an event that is moved', async () => {
    const { make, clock } = server();
    const event = await make('POST /events', { ...WALK, title: 'Moving day' });
    const [before] = entriesOf(await get('/events.ics', { search: 'moving' }));
    clock.now = new Date(clock.now.getTime() + 60_000);
    await make(`PATCH /events/${event.id}`, { start_date: '2027-04-01 19:00', end_date: '2027-04-01 20:00' });
    const after = entriesOf(await get('/events.ics', { search: 'moving' }));
    expect(after).toMatchObject([{ uid: before?.uid, start: '2027-04-01T19:00:00' }]);
    expect(String(after[0]?.changed) > String(before?.changed)).toBe(true);
    expect(Number(after[0]?.sequence)).toBe(Number(before?.sequence) + 1);
  });

  it('have a higher sequence number for an event whose venue moves', async () => {
    const sequence = () => get('/events.ics', { tags: 'light' }).then((answer) => entriesOf(answer)[0]?.sequence);
    const before = Number(await sequence());
    await server().make('PATCH /venues/by-slug/old-mill', { address: '2 Mill Lane' });
    expect(Number(await sequence())).toBe(before + 1);
    await server().make('PATCH /venues/by-slug/old-mill', { address: '1 Mill Lane' });
  });

  it('say when the place or the organizer of an event was changed last', async () => {
    const { make, clock } = server();
    const changed = () => get('/events.ics', { tags: 'light' }).then((answer) => String(entriesOf(answer)[0]?.changed));
    for (const path of ['/venues/by-slug/old-mill', '/organizers/by-slug/mill-club']) {
      const before = await changed();
      clock.now = new Date(clock.now.getTime() + 60_000);
      await make(`PATCH ${path}`, { phone: `1 ${clock.now.getTime()}` });
      expect(await changed()).not.toBe(before);
    }
  });

  it('show an event with a password as the list does', async () => {
    const event = await server().make('POST /events', {
      ...WALK,
      ...{
        title: 'Secret supper',
        description: 'Behind the mill',
        post_password: 'sesame',
        venue: { venue: 'Cellar' },
      },
      all_day: true,
    });
    for (const path of ['/events.ics', `/events/${event.id}/event.ics`]) {
      const query: Record<string, string> = path === '/events.ics' ? { search: 'secret' } : {};
      const masked = await get(path, query);
      expect(masked.text).toContain('SUMMARY:Secret supper');
      expect(masked.text).not.toMatch(/Behind|Cellar|T000000/);
      const open = await get(path, { ...query, password: 'sesame' });
      expect(open.text).toMatch(/DTSTART;VALUE=DATE:20270306\r\nDTEND;VALUE=DATE:20270307\r\n/);
      expect(open.text).toContain('Behind');
      expect(open.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  describe('of one event', () => {
    it('are a calendar without a name', async () => {
      const { text, headers } = await get(`/events/${walk.id}/event.ics`);
      expect(entriesOf({ text })).toMatchObject([{ uid: uidOf(walk.id), title: 'Lantern walk' }]);
      expect(text).not.toContain('NAME:City');
      expect(headers.get('content-disposition')).toBe(`attachment; filename="event-${walk.id}.ics"`);
    });

    it('are in the language that is asked for', async () => {
      await server().ask(`PATCH /events/${walk.id}`, {
        as: 'administrator',
        query: { i18n_language: 'fr' },
        body: { title: 'Marche aux lanternes' },
      });
      for (const path of ['/events.ics', `/events/${walk.id}/event.ics`]) {
        const answer = await get(path, { i18n_language: 'fr' });
        expect(titlesOf(answer)).toContain('Marche aux lanternes');
        expect(answer.headers.get('content-language')).toBe('fr');
        expect(titlesOf(await get(path, {}, { 'accept-language': 'fr' }))).toContain('Marche aux lanternes');
        expect(titlesOf(await get(path))).toContain('Lantern walk');
      }
    });

    it('exist for events that lists leave out, and only for those', async () => {
      const { make } = server();
      const hidden = await make('POST /events', { ...WALK, title: 'By link only', hide_from_listings: true });
      const draft = await make('POST /events', { ...WALK, title: 'Draft', status: 'draft' });
      expect(titlesOf(await get('/events.ics'))).not.toContain('By link only');
      expect(titlesOf(await get(`/events/${hidden.id}/event.ics`))).toEqual(['By link only']);
      for (const [id, status] of [
        [draft.id, 403],
        [987_654, 404],
      ]) {
        expect((await get(`/events/${id}/event.ics`)).status).toBe(status);
      }
    });
  });
});

describe.each(DATABASES)('a feed of more events than it may have on %s', (kind) => {
  const server = useTestServer(kind);
  const TOO_MANY = 2003;

  beforeAll(async () => {
    const { db } = server().context;
    const { id } = await server().make('POST /events', WALK);
    const row = await db.query.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await db.transaction(async (trx) => {
      const rows = Array.from({ length: TOO_MANY - 1 }, () => ({ kind: 'event' as const }));
      const ids = await trx.query.insertInto('records').values(rows).returning('id').execute();
      const copies = ids.map((made, index) => {
        const day = addDays(row.utc_start_date, index % 300);
        const times = { utc_start_date: day, utc_end_date: day, start_date: day, end_date: day };
        return { ...row, ...times, id: made.id, slug: `walk-${made.id}`, date_utc: addDays(row.date_utc, -index) };
      });
      for (let from = 0; from < copies.length; from += 500)
        await trx.query
          .insertInto('events')
          .values(copies.slice(from, from + 500))
          .execute();
    });
  });

  it('has the first ones and says how many are left out, while other requests get responses', async () => {
    const { ask } = server();
    const answered: string[] = [];
    const note = (name: string) => (answer: Answer) => {
      answered.push(name);
      return answer;
    };
    const [feed] = await Promise.all([
      ask('GET /events.ics').then(note('feed')),
      ask('GET /tags').then(note('tags')),
      ask('GET /events').then(note('events')),
    ]);
    expect(answered.at(-1)).toBe('feed');
    expect(entriesOf(feed)).toHaveLength(2000);
    expect(feed.headers.get('x-marquee-truncated')).toBe('3');
    expect(feed.text).toContain('X-WR-CALDESC:2\\,000 of 2\\,003 events.');
    const news = await ask('GET /events.feed.json');
    expect(news.body.items).toHaveLength(100);
    expect(news.headers.get('x-marquee-truncated')).toBe(String(TOO_MANY - 100));
  });

  it('has the latest past events', async () => {
    const { clock } = server();
    clock.now = new Date('2030-01-01T12:00:00Z');
    const feed = await server().request('/events/past/ical/');
    clock.now = NOON;
    const starts = [...(await feed.text()).matchAll(/^DTSTART[^:]*:(\d{8})/gm)].map(([, day]) => day);
    expect([starts.length, feed.headers.get('x-marquee-truncated')]).toEqual([2000, '3']);
    // The first day has eight events, three of which are omitted.
    expect([starts.filter((day) => day === '20270306').length, starts.at(-1)]).toEqual([5, '20271230']);
    expect(starts).toEqual(starts.toSorted());
  });
});
