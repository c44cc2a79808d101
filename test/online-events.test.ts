import { describe, expect, it } from 'vitest';
import { makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { DATABASES, useTestServer } from './server.ts';

const STREAM = 'https://stream.example/room?key=s3cret';
const SECRET = /stream\.example|s3cret/;

/** The server's clock is at noon of Saturday 21 November 2026 in New York. */
describe.each(DATABASES)('online events on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] }, { isFreshEachTime: true });
  const get = async (path: string) => {
    const response = await server().request(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const text = await response.text();
    const words = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    return { status: response.status, cache: response.headers.get('cache-control'), text, words };
  };
  const event = (slug: string, more: object = {}) =>
    server().make('POST /events', {
      ...{ title: `About ${slug}`, slug, start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...{ attendance_mode: 'online', online_url: STREAM, categories: ['Talks'], tags: ['Web'] },
      ...more,
    });
  const PLACES = [
    ...['/', '/events/', '/events/month/2026-12/', '/events/week/2026-12-06/', '/events/2026-12-06/', '/events/photo/'],
    ...['/events/places/', '/events/category/talks/', '/tag/web/', '/event/talk/', '/fr/event/talk/'],
    ...['/events/ical/', '/event/talk/ical/', '/events/feed/', '/events/feed/atom/', '/events/feed/json/'],
    ...['/event/talk/feed/', '/embed/list/', '/embed/event/talk/', '/oembed?url=http://localhost/event/talk/'],
    ...['/wp-sitemap-posts-tribe_events-1.xml', '/events/?search=s3cret', '/events/?search=talk', '/?p=1'],
  ];

  it('never show an address for holders in pages, feeds, embeds or the sitemap', async () => {
    const { id } = await event('talk');
    await makeSeat(server(), id, 5, { price: '0' });
    const seen: number[] = [];
    for (const path of PLACES) {
      const { status, text } = await get(path);
      seen.push(status);
      expect([path, SECRET.exec(text.replaceAll('search=s3cret', '').replaceAll('value="s3cret"', ''))?.[0]]).toEqual([
        path,
        path.includes('s3cret') ? 's3cret' : undefined,
      ]);
    }
    expect(seen.filter((status) => status === 200).length).toBeGreaterThan(15);
    expect((await get('/event/talk/')).words).toContain('Online The link is on the ticket.');
  });

  it('show an address for everyone on the page and in calendars', async () => {
    await event('talk', { online_access: 'everyone' });
    expect((await get('/event/talk/')).text).toContain(
      `<a rel="noopener noreferrer nofollow" href="${STREAM}">Join online</a>`,
    );
    const { text } = await get('/event/talk/ical/');
    expect(text.replaceAll('\r\n ', '')).toContain(`CONFERENCE;FEATURE=VIDEO;VALUE=URI:${STREAM}`);
    expect(text).toContain('LOCATION:Online');
    await server().ask('PATCH /events/by-slug/talk', { as: 'editor', body: { online_access: null } });
    expect((await get('/event/talk/')).text).not.toMatch(SECRET);
    expect((await get('/event/talk/ical/')).text).not.toMatch(SECRET);
  });

  it('say so in lists, also beside a venue', async () => {
    const venue = { venue: 'Harbour Hall', city: 'Boston' };
    await event('talk');
    await event('play', { attendance_mode: 'mixed', venue });
    await event('walk', { attendance_mode: 'on_site', venue });
    const { text } = await get('/events/');
    expect([...text.matchAll(/card-place[^>]*>([^<]+)</g)].map(([, place]) => place)).toEqual([
      ...['Online', 'Harbour Hall, Boston, also online', 'Harbour Hall, Boston'],
    ]);
    expect((await get('/de/event/play/')).words).toContain('Auch online');
  });

  it('show the address to holders whose order admits', async () => {
    const { id } = await event('talk');
    const free = await makeSeat(server(), id, 5, { price: '0' });
    const paid = await makeSeat(server(), id, 5, { price: '10' });
    for (const [seat, isAdmitted] of [
      [free, true],
      [paid, false],
    ] as const) {
      const bought = await buy(server(), [seat]);
      const order = await get(new URL(bought.body.order.url).pathname);
      expect([order.status, order.cache, order.text.includes('stream.example')]).toEqual([
        200,
        'private, no-store',
        isAdmitted,
      ]);
      if (isAdmitted) {
        const address = new URL((await ticketOf(bought)).url).pathname;
        const ticket = await get(address);
        expect(ticket.cache).toBe('private, no-store');
        expect(ticket.words).toContain('Online Join online');
        expect((await get(`${address}ical/`)).text).toContain('CONFERENCE');
      } else {
        expect(JSON.stringify((await ticketOf(bought)).event)).not.toMatch(SECRET);
      }
    }
  });

  const ticketOf = async ({ attendees, headers }: Awaited<ReturnType<typeof buy>>) =>
    (await server().ask(`GET tickets:/attendees/${attendees[0]?.id}/ticket`, { headers })).body;

  it('no longer show it once the ticket is cancelled', async () => {
    const { id } = await event('talk');
    const bought = await buy(server(), [await makeSeat(server(), id, 5, { price: '0' })]);
    expect((await ticketOf(bought)).event.online_url).toBe(STREAM);
    await server().ask(`POST tickets:/orders/${bought.id}/cancel`, { headers: bought.headers });
    expect((await ticketOf(bought)).event).not.toHaveProperty('online_url');
  });

  it('show when doors open, and the notes on accessibility', async () => {
    await event('play', { attendance_mode: null, door_time: '18:00', accessibility: 'Step-free <entrance>\nQuay' });
    const { words } = await get('/event/play/');
    expect(words).toContain('Doors open at 18:00');
    expect(words).toContain('Accessibility Step-free Quay');
  });
});
