import { beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from './attendees.ts';
import { useTestServer } from './server.ts';
import { eventDataProblems, structuredDataOf } from './structured-data.ts';
import { usualDatabases } from './thoroughness.ts';

describe('the rules for structured data', () => {
  const GOOD = {
    name: 'Walk',
    startDate: '2026-12-06',
    endDate: '2026-12-06',
    image: 'https://city.example/a.png',
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: 'Quay', address: 'Quay' },
  };

  it.each<[problem: string | undefined, changes: object]>([
    [undefined, {}],
    ['no name', { name: 'a <b>' }],
    ['performer is neither a person nor an organization', { performer: 'Organization' }],
    ['startDate 2026-12-06T00:00:00', { startDate: '2026-12-06T00:00:00' }],
    ['Offline in ', { location: undefined }],
    ['Online in Place', { eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' }],
    [
      'location without address',
      { location: { '@type': 'Place', name: 'Quay', address: { '@type': 'PostalAddress' } } },
    ],
    ['.location.url is empty', { location: { ...GOOD.location, url: '' } }],
    [
      'price free undefined',
      { offers: { price: 'free', availability: 'https://schema.org/InStock', url: 'http://a.b/' } },
    ],
  ])('find: %s', (problem, changes) => {
    expect(eventDataProblems({ ...GOOD, ...changes })).toEqual(problem === undefined ? [] : [problem]);
  });
});

/** The server's clock is at noon of Saturday 21 November 2026 in New York. */
describe.each(usualDatabases)('the structured data of pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] });
  const get = async (path: string) => {
    const response = await server().request(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  };
  const meta = (text: string, name: string) => new RegExp(`property="${name}" content="([^"]*)"`).exec(text)?.[1];
  const HALL = { venue: { venue: 'Harbour Hall', city: 'Boston', geo_lat: 42.3, geo_lng: -71 } };

  const EVENTS: [slug: string, fields: object][] = [
    ['plain', HALL],
    ['named', { venue: { venue: 'The old mill' }, organizer: { organizer: 'Club' } }],
    ['person', { ...HALL, organizer: { organizer: 'Ada', organizer_type: 'person', website: 'https://ada.example' } }],
    ['whole-day', { ...HALL, all_day: true, end_date: '2026-12-08' }],
    ['in-euros', { ...HALL, cost: '8 € – 12 €', timezone: 'Europe/Paris' }],
    ['unpriced', { ...HALL, cost: 'Pay what you like' }],
    ['online', { attendance_mode: 'online', online_url: 'https://stream.example/' }],
    ['mixed', { ...HALL, attendance_mode: 'mixed', online_access: 'everyone', online_url: 'https://stream.example/' }],
    ['moved-online', { ...HALL, event_status: 'moved_online' }],
    ['cancelled', { ...HALL, event_status: 'cancelled', event_status_reason: 'Ice' }],
    ['postponed', { ...HALL, event_status: 'postponed' }],
    ['rescheduled', { ...HALL, event_status: 'rescheduled', previous_start_date: '2026-12-01 18:30' }],
    ['marked-up', { ...HALL, title: 'Rock &amp; <i>roll</i>', description: '<p>Loud & late</p>', door_time: '18:00' }],
    ['sold', HALL],
  ];
  beforeAll(async () => {
    for (const [slug, fields] of EVENTS) {
      const { id } = await server().make('POST /events', {
        ...{ title: `About ${slug}`, slug, start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
        ...fields,
      });
      if (slug === 'sold') await makeSeat(server(), id, 5, { price: '12.50', start_date: '2026-12-01' });
    }
  });

  it.each(EVENTS)('of an event that is %s obeys the rules', async (slug) => {
    for (const path of [`/event/${slug}/`, `/fr/event/${slug}/`]) {
      const data = structuredDataOf((await get(path)).text);
      const [event = {}] = data.filter((thing) => thing['@type'] === 'Event');
      expect([path, eventDataProblems(event)]).toEqual([path, []]);
      expect(data.map((thing) => thing['@type'])).toContain('BreadcrumbList');
    }
  });

  it('leaves out an event without a known place, which search engines refuse', async () => {
    await server().make('POST /events', { title: 'Nowhere', start_date: '2027-01-01', end_date: '2027-01-01' });
    const data = structuredDataOf((await get('/event/nowhere/')).text);
    expect(data.map((thing) => thing['@type'])).toEqual(['BreadcrumbList']);
  });

  it.each(['/events/', '/events/month/2026-12/', '/events/week/2026-11-30/', '/events/2026-12-06/', '/events/photo/'])(
    'lists the events of %s',
    async (path) => {
      const lists = structuredDataOf((await get(path)).text).filter((thing) => thing['@type'] === 'ItemList');
      expect(lists).toHaveLength(1);
      expect(lists[0]?.itemListElement).toContainEqual({
        '@type': 'ListItem',
        position: expect.any(Number),
        url: 'http://localhost/event/plain/',
      });
    },
  );

  it('names the site and its organization at the front', async () => {
    const data = structuredDataOf((await get('/')).text);
    expect(data.map((thing) => thing['@type'])).toEqual(['WebSite', 'Organization']);
    expect(data[1]).toMatchObject({ url: 'http://localhost/', logo: 'http://localhost/picture.png' });
  });

  it('comes with a picture and a locale in previews of every page', async () => {
    const pages = ['/', '/events/', '/events/month/', '/venue/harbour-hall/', '/organizer/club/', '/event/plain/'];
    const locales = { '': 'en_US', '/fr': 'fr_FR', '/de': 'de_DE' };
    for (const [prefix, locale] of Object.entries(locales))
      for (const path of pages) {
        const { status, text } = await get(`${prefix}${path}`);
        expect([path, status, meta(text, 'og:locale')]).toEqual([path, 200, locale]);
        expect(meta(text, 'og:image')).toMatch(/^http:\/\/localhost\/.*\.png$/);
        expect(meta(text, 'og:image:width')).toBe('1200');
      }
    const picture = await server().request('/picture.png');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('keeps crawlers out of combinations of filters, but not of old addresses', async () => {
    const { text } = await get('/robots.txt');
    for (const name of ['search', 'start_date', 'categories', 'tags', 'venue', 'organizer', 'city', 'free'])
      expect(text).toContain(`Disallow: /*?*${name}=\n`);
    expect(text).not.toContain('tribe');
    for (const path of ['/cart/', '/order/', '/ticket/', '/reply/']) expect(text).toContain(`Disallow: ${path}\n`);
  });
});
