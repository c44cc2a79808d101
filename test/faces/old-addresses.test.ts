import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../server.ts';
import { usualDatabases } from '../thoroughness.ts';

/** Words of the events that the addresses below lead to. */
const [MARCH, TODAY, LATER, OLD, OLDER] = ['Jazz in March', 'Walk today', 'Evening 13', 'Rehearsal 1', 'Rehearsal 13'];
/** Each of the many events of a list. Two pages of any list have all of them. */
const MANY = 13;

/**
 * Addresses that the reference serves, as its pages, subscribers and search engines have them, and what has to be found
 * there: an event, or for lists of all kinds the one that only their second page, present month or past has.
 */
const PAGES: readonly (readonly [string, string])[] = [
  ['/', MARCH],
  ['/events/', MARCH],
  ['/events', MARCH],
  ['/events/list/', MARCH],
  ['/events/list', MARCH],
  ['/event/', MARCH],
  ['/events/list/page/2/', LATER],
  ['/events/page/2/', LATER],
  ['/events/?tribe_paged=2', LATER],
  ['/events/month/', TODAY],
  ['/events/month/2027-03/', MARCH],
  ['/events/2027-03/', MARCH],
  ['/events/today/', TODAY],
  ['/events/2027-03-06/', MARCH],
  ['/events/2027-02-31/', 'Morning after'],
  ['/events/list/?eventDisplay=past', OLD],
  ['/events/?eventDisplay=past', OLD],
  ['/events/list/page/2/?eventDisplay=past', OLDER],
  ['/events/?eventDisplay=month', TODAY],
  ['/events/?eventDisplay=list', MARCH],
  ['/events/?eventDisplay=day&eventDate=2027-03-06', MARCH],
  ['/events/?hide_subsequent_recurrences=1', MARCH],
  ['/events/?posts_per_page=50', MARCH],
  ['/events/category/music/', MARCH],
  ['/events/category/Music/', MARCH],
  ['/events/category/jazz/', MARCH],
  ['/events/category/music/jazz/', MARCH],
  ['/events/category/arts/jazz/', MARCH],
  ['/events/category/music/page/2/', LATER],
  ['/events/category/music/jazz/page/2/', LATER],
  ['/events/category/music/month/', TODAY],
  ['/events/category/music/2027-03/', MARCH],
  ['/events/category/music/list/', MARCH],
  ['/events/category/music/list/page/2/', LATER],
  ['/events/category/music/today/', TODAY],
  ['/events/category/music/day/2027-03-06/', MARCH],
  ['/events/category/music/2027-03-06/', MARCH],
  ['/events/category/music/featured/', MARCH],
  ['/events/list/?tribe_events_cat=jazz', MARCH],
  ['/events/tag/free/', MARCH],
  ['/events/tag/free/list/', MARCH],
  ['/events/tag/free/month/', TODAY],
  ['/events/tag/free/2027-03/', MARCH],
  ['/events/tag/free/2027-03-06/', MARCH],
  ['/events/tag/free/page/2/', LATER],
  ['/events/tag/free/list/page/2/', LATER],
  ['/tag/free/', MARCH],
  ['/event/jazz-in-march/', MARCH],
  ['/event/jazz-in-march', MARCH],
  ['/event/Jazz-In-March/', MARCH],
  ['/event/jazz-in-march/embed/', MARCH],
  ['/events/jazz-in-march/', MARCH],
  ['/jazz-in-march/', MARCH],
  ['/?tribe_events=jazz-in-march', MARCH],
  ['/?p={event}', MARCH],
  ['/?post_type=tribe_events&p={event}', MARCH],
  ['/event/password-gathering/', 'type="password"'],
  ['/?post_type=tribe_events', MARCH],
  ['/?post_type=tribe_events&eventDisplay=month', TODAY],
  ['/events/?tribe-bar-date=2027-03-06', MARCH],
  ['/events/list/?tribe-bar-date=2027-03-06', MARCH],
  ['/events/list/?tribe-bar-date=2027-3-6', MARCH],
  ['/events/list/?tribe-bar-date=garbage', MARCH],
  ['/events/month/?tribe-bar-date=2027-03-06', MARCH],
  ['/events/month/?tribe-bar-date=2027-03', MARCH],
  ['/events/month/?tribe-bar-date=2027-13', TODAY],
  ['/events/today/?tribe-bar-date=2027-03-06', MARCH],
  ['/events/?tribe-bar-search=jazz', MARCH],
  ['/events/list/?tribe-bar-search=jazz', MARCH],
  ['/events/month/?tribe-bar-search=walk', TODAY],
  ['/events/?tribe-bar-search=zzznothing', 'value="zzznothing"'],
  ['/events/?s=jazz', MARCH],
  ['/?s=jazz', MARCH],
  ['/?s=jazz&post_type=tribe_events', MARCH],
  ['/events/featured/', MARCH],
  ['/events/featured/page/2/', LATER],
  ['/events/list/featured/', MARCH],
  ['/events/month/featured/', TODAY],
  ['/events/2027-03/featured/', MARCH],
  ['/events/2027-03-06/featured/', MARCH],
  ['/events/list/?featured=1', MARCH],
  ['/events/?featured=1', MARCH],
  ['/venue/old-town-library/', MARCH],
  ['/?tribe_venue=old-town-library', MARCH],
  ['/organizer/music-society/', MARCH],
  ['/?tribe_organizer=music-society', MARCH],
];

const FEEDS: readonly (readonly [type: string, ...addresses: string[]])[] = [
  [
    'text/calendar',
    ...['/events/?ical=1', '/events/ical/', '/events/list/?ical=1', '/events/?ical=0', '/?ical=1'],
    ...['/events/month/2027-03/?ical=1', '/events/2027-03-06/?ical=1', '/events/2027-03-06/ical/'],
    ...['/events/?outlook-ical=1', '/events/list/?outlook-ical=1', '/events/month/2027-03/?outlook-ical=1'],
    ...['/events/list/?tribe-bar-date=2027-03-06&ical=1', '/events/list/?tribe-bar-search=jazz&ical=1'],
    ...['/events/list/?ical=1&tribe_event_display=list', '/events/?ical=1&event_ids={event}'],
    ...['/events/?ical=1&posts_per_page=100', '/?post_type=tribe_events&ical=1'],
    '/?post_type=tribe_events&ical=1&eventDisplay=list',
    '/?post_type=tribe_events&tribe_events_cat=music&ical=1&eventDisplay=list',
    '/?post_type=tribe_events&tag=free&ical=1&eventDisplay=list',
    ...['/events/category/music/?ical=1', '/events/category/music/ical/', '/events/category/music/list/?ical=1'],
    ...['/events/category/music/jazz/list/?ical=1', '/events/?tribe_events_cat=jazz&ical=1'],
    ...['/events/tag/free/list/?ical=1', '/events/tag/free/ical/'],
    ...['/venue/old-town-library/?ical=1', '/organizer/music-society/?ical=1'],
    ...['/event/jazz-in-march/?ical=1', '/event/jazz-in-march/ical/', '/event/jazz-in-march/?outlook-ical=1'],
    '/event/jazz-in-march/?outlook-ical=1&ical=1',
  ],
  [
    'application/rss+xml',
    ...['/events/feed/', '/events/rss', '/events/rss/', '/feed/', '/events/list/feed/', '/event/jazz-in-march/feed/'],
    ...['/events/category/music/feed/', '/events/tag/free/feed/', '/venue/old-town-library/feed/'],
  ],
  ['application/atom+xml', '/events/feed/atom/'],
  ['application/json', '/wp-json/oembed/1.0/embed?url=http://localhost/event/jazz-in-march/'],
];

const FILES: readonly (readonly [address: string, type: string, content: string])[] = [
  ['/events/month/?ical=1', 'text/calendar', `SUMMARY:${TODAY}`],
  ['/events/today/?ical=1', 'text/calendar', `SUMMARY:${TODAY}`],
  ['/events/list/?ical=1&eventDisplay=past', 'text/calendar', `SUMMARY:${OLDER}`],
  ['/events/list/?eventDisplay=past&ical=1&tribe-bar-date=2026-06-01', 'text/calendar', `SUMMARY:${OLDER}`],
  ['/events/list/?ical=1&tribe_event_display=past', 'text/calendar', `SUMMARY:${OLDER}`],
  ['/events/list/page/2/?ical=1', 'text/calendar', 'BEGIN:VCALENDAR'],
  ['/events/?ical=1&tribe_paged=2', 'text/calendar', 'BEGIN:VCALENDAR'],
  ['/event/password-gathering/?ical=1', 'text/calendar', 'SUMMARY:Password gathering'],
  ['/events/month/feed/', 'application/rss+xml', TODAY],
  ['/events/feed/?eventDisplay=past', 'application/rss+xml', OLDER],
  ['/wp-sitemap.xml', 'application/xml', '/sitemap-event-1.xml'],
  ['/sitemap.xml', 'application/xml', '/sitemap-event-1.xml'],
  ['/wp-sitemap-posts-tribe_events-1.xml', 'application/xml', '/event/jazz-in-march/'],
  ['/wp-sitemap-taxonomies-tribe_events_cat-1.xml', 'application/xml', '/events/category/music/jazz/'],
  ['/robots.txt', 'text/plain', '/sitemap.xml'],
];

/** Every form in which an event is addressed, and a record that has a list of events. */
const EVENT_FORMS = [
  ...['/event/SLUG/', '/event/SLUG', '/event/SLUG/?ical=1', '/event/SLUG/?outlook-ical=1', '/event/SLUG/ical/'],
  ...['/event/SLUG/feed/', '/event/SLUG/embed/', '/event/SLUG/picture.png', '/embed/event/SLUG/', '/events/SLUG/'],
  ...[
    '/SLUG/',
    '/?tribe_events=SLUG',
    '/?tribe_events=SLUG&ical=1',
    '/fr/event/SLUG/',
    '/?p=ID',
    '/?post_type=tribe_events&p=ID',
  ],
  ...['/oembed?url=http://localhost/event/SLUG/', '/wp-json/oembed/1.0/embed?url=http://localhost/event/SLUG/'],
];
const LIST_FORMS = [
  ...['KIND/SLUG/', 'KIND/SLUG', 'KIND/SLUG/month/', 'KIND/SLUG/today/', 'KIND/SLUG/page/2/', 'KIND/SLUG/past/'],
  ...['KIND/SLUG/?ical=1', 'KIND/SLUG/ical/', 'KIND/SLUG/feed/', 'KIND/SLUG/feed/atom/', '/frKIND/SLUG/'],
];

describe.each(usualDatabases)('the addresses of the reference on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const ids = { event: 0, private: 0, draft: 0 };

  beforeAll(async () => {
    const { make } = server();
    const music = await make('POST /categories', { name: 'Music' });
    await make('POST /categories', { name: 'Jazz', parent: music.id });
    await make('POST /categories', { name: 'Arts' });
    const { id: venue } = await make('POST /venues', { venue: 'Old Town Library' });
    const { id: organizer } = await make('POST /organizers', { organizer: 'Music Society' });
    await make('POST /venues', { venue: 'Draft hall', status: 'draft' });
    const add = (title: string, day: string, more: object = {}) =>
      make('POST /events', {
        ...{ title, start_date: `${day} 19:00:00`, end_date: `${day} 22:00:00`, featured: true },
        ...{ venue, organizer: [organizer], categories: ['jazz'], tags: ['free'], ...more },
      });
    const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
    for (const number of numbers) await add(`Rehearsal ${number}`, `2026-11-${String(15 - number).padStart(2, '0')}`);
    for (const number of numbers) await add(`Evening ${number}`, `2027-04-${String(number).padStart(2, '0')}`);
    await add(TODAY, '2026-11-21');
    await add('Morning after', '2027-03-03');
    await add('Password gathering', '2027-05-01', { post_password: 'secret' });
    ids.event = (await add(MARCH, '2027-03-06')).id;
    ids.private = (await add('Private gathering', '2027-05-02', { status: 'private' })).id;
    ids.draft = (await add('Draft gathering', '2027-05-03', { status: 'draft' })).id;
  });

  /** Follows redirects as browsers do, on this site only. */
  async function visit(address: string) {
    const asked = address.replace('{event}', String(ids.event));
    let path = asked;
    for (let hops = 0; hops < 4; hops += 1) {
      const response = await server().request(path, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
      const location = response.headers.get('location');
      const type = response.headers.get('content-type')?.split(';')[0];
      if (location === null) return { status: response.status, type, text: await response.text() };
      expect(location).toMatch(/^\/(?!\/)/);
      path = location;
    }
    throw new Error(`${asked} redirects for ever`);
  }

  it.each(PAGES)('lead to a page: %s', async (address, content) => {
    const { status, type, text } = await visit(address);
    expect({ status, type }).toEqual({ status: 200, type: 'text/html' });
    expect(text.slice(text.indexOf('<main'))).toContain(content);
  });

  const feeds = FEEDS.flatMap(([type, ...addresses]) => addresses.map((address) => [address, type] as const));
  it.each(feeds)('lead to a feed: %s', async (address, expected) => {
    const { status, type, text } = await visit(address);
    expect({ status, type }).toEqual({ status: 200, type: expected });
    expect(text).toContain(MARCH);
  });

  it.each(FILES)('lead to a file: %s', async (address, expected, content) => {
    const { status, type, text } = await visit(address);
    expect({ status, type }).toEqual({ status: 200, type: expected });
    expect(text).toContain(content);
  });

  /** The forms of an address that do not respond with 404. */
  async function foundAt(forms: readonly string[]): Promise<string[]> {
    const statuses = await Promise.all(forms.map(async (form) => (await visit(form)).status));
    return forms.filter((_, index) => statuses[index] !== 404);
  }

  it.each([
    ['never-was', () => 99_999],
    ['private-gathering', () => ids.private],
    ['draft-gathering', () => ids.draft],
  ])('show nothing of the event %s', async (slug, id) => {
    const forms = EVENT_FORMS.map((form) => form.replace('SLUG', slug).replace('ID', String(id())));
    expect(await foundAt(forms)).toEqual([]);
  });

  it.each([
    ['/venue', 'never-was'],
    ['/venue', 'draft-hall'],
    ['/organizer', 'never-was'],
    ['/events/category', 'never-was'],
    ['/events/category', 'music/never-was'],
    ['/tag', 'never-was'],
    ['/events/tag', 'never-was'],
  ])('show nothing of %s/%s', async (root, slug) => {
    expect(await foundAt(LIST_FORMS.map((form) => form.replace('KIND', root).replace('SLUG', slug)))).toEqual([]);
  });
});
