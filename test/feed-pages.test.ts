import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { codeOf, makeRsvp, soldOf } from './attendees.ts';
import { pageVisitor } from './page-visitor.ts';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeTicket } from './tickets.ts';

const ICAL_TYPE = 'text/calendar; charset=UTF-8';
const RSS_TYPE = 'application/rss+xml; charset=UTF-8';
const ATOM_TYPE = 'application/atom+xml; charset=UTF-8';
const JSON_TYPE = 'application/feed+json; charset=UTF-8';

/** Titles of the events of a feed, in alphabetical order. */
function titlesIn(type: string, text: string): string[] {
  if (type === ICAL_TYPE)
    return new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((entry) => String(entry.getFirstPropertyValue('summary')))
      .sort();
  if (type === JSON_TYPE)
    return JSON.parse(text)
      .items.map(({ title }: { title: string }) => title)
      .sort();
  const items = text.split(/<(?:item|entry)>/).slice(1);
  return items.map((item) => /<title[^>]*>([^<]+)</.exec(item)?.[1] ?? '').sort();
}

/** The server's clock is at noon of Saturday 21 November 2026 in New York. */
describe.each(usualDatabases)('feeds, replies and codes at the addresses of pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] }, { isFreshEachTime: true });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await server().request(path, {
      headers: { accept: 'text/html', ...headers },
      redirect: 'manual',
    });
    const { status } = response;
    return {
      status,
      headers: response.headers,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  };
  const post = (path: string, form: Record<string, string>) =>
    pageVisitor((at, init) => server().request(at, init)).post(path, form);
  const event = (title: string, day: string, more: object = {}) =>
    server().make('POST /events', { title, start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00`, ...more });
  const sample = async () => {
    const jazz = await event('Jazz', '2026-11-24', {
      ...{ categories: ['Music'], tags: ['Free'], featured: true, venue: { venue: 'Grenier' } },
      ...{ organizer: { organizer: 'Music society' } },
    });
    const chess = await event('Chess', '2026-12-06');
    await event('Over', '2026-11-10');
    await event('Long over', '2026-03-10');
    await event('Secret', '2026-11-24', { status: 'draft', slug: 'draft' });
    await event('Private', '2026-11-24', { status: 'private', slug: 'private' });
    return { jazz, chess };
  };

  it('show the events of every address in place', async () => {
    const { jazz, chess } = await sample();
    const listed = ['Chess', 'Jazz', 'Over'];
    const table: [string, string, string[]][] = [
      ['/events/ical/', ICAL_TYPE, listed],
      ['/fr/events/ical/', ICAL_TYPE, listed],
      ['/events/feed/', RSS_TYPE, listed],
      ['/events/feed/rss2', RSS_TYPE, listed],
      ['/events/feed/atom/', ATOM_TYPE, listed],
      ['/events/feed/json/', JSON_TYPE, listed],
      ['/feed/', RSS_TYPE, listed],
      ['/?ical=1', ICAL_TYPE, listed],
      ['/events/?outlook-ical=1', ICAL_TYPE, listed],
      ['/?post_type=tribe_events&ical=1&eventDisplay=list', ICAL_TYPE, listed],
      ['/?post_type=tribe_events&tribe_events_cat=music&ical=1', ICAL_TYPE, ['Jazz']],
      [`/events/?ical=1&event_ids=${chess.id}`, ICAL_TYPE, ['Chess']],
      [`/events/ical/?include=${jazz.id},${chess.id}`, ICAL_TYPE, ['Chess', 'Jazz']],
      ['/events/category/music/ical/', ICAL_TYPE, ['Jazz']],
      ['/events/category/music/feed/', RSS_TYPE, ['Jazz']],
      ['/tag/free/ical/', ICAL_TYPE, ['Jazz']],
      ['/venue/grenier/?ical=1', ICAL_TYPE, ['Jazz']],
      ['/organizer/music-society/feed/atom/', ATOM_TYPE, ['Jazz']],
      ['/events/featured/ical/', ICAL_TYPE, ['Jazz']],
      ['/events/past/ical/', ICAL_TYPE, ['Long over', 'Over']],
      ['/events/list/?ical=1&eventDisplay=past', ICAL_TYPE, ['Long over', 'Over']],
      ['/events/?ical=1&tribe_event_display=past', ICAL_TYPE, ['Long over', 'Over']],
      ['/events/feed/?tribe_event_display=past', RSS_TYPE, ['Long over', 'Over']],
      ['/events/?ical=1&tribe_event_display=month', ICAL_TYPE, ['Jazz', 'Over']],
      ['/events/month/ical/', ICAL_TYPE, ['Jazz', 'Over']],
      ['/events/month/2026-12/?ical=1', ICAL_TYPE, ['Chess']],
      ['/events/week/2026-11-24/ical/', ICAL_TYPE, ['Jazz']],
      ['/events/2026-12-06/ical/', ICAL_TYPE, ['Chess']],
      ['/events/ical/?search=jazz', ICAL_TYPE, ['Jazz']],
      ['/events/feed/json/?start_date=2026-12-01', JSON_TYPE, ['Chess']],
      ['/event/jazz/ical/', ICAL_TYPE, ['Jazz']],
      ['/event/chess/?ical=1', ICAL_TYPE, ['Chess']],
      ['/?tribe_events=jazz&ical=1', ICAL_TYPE, ['Jazz']],
      ['/event/jazz/feed/', RSS_TYPE, ['Jazz']],
    ];
    for (const [path, type, titles] of table) {
      const { status, headers, text } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
      expect([path, titlesIn(type, text)]).toEqual([path, titles]);
      expect([path, headers.get('x-robots-tag')]).toEqual([path, 'noindex']);
      expect(headers.get('cache-control')).toContain('public');
    }
  });

  it('have one page, so that programs that ask for the next one stop', async () => {
    await sample();
    for (const path of [
      ...['/events/list/page/2/?ical=1', '/events/list/page/2/ical/', '/events/?ical=1&tribe_paged=2'],
      ...['/events/?ical=1&paged=999', '/events/page/2/?outlook-ical=1', '/events/month/?ical=1&tribe_paged=2'],
      ...['/events/month/2026-11/page/2/?ical=1', '/events/today/?ical=1&tribe_paged=2', '/events/past/page/2/ical/'],
      ...['/events/category/music/page/2/?ical=1', '/tag/free/page/2/?ical=1', '/venue/grenier/?ical=1&tribe_paged=2'],
      ...['/page/2/?ical=1', '/?ical=1&tribe_paged=2', '/page/2/?post_type=tribe_events&ical=1'],
      ...['/event/jazz/?ical=1&tribe_paged=2', '/event/jazz/ical/?paged=2', '/?tribe_events=jazz&ical=1&paged=2'],
    ]) {
      const { status, headers, text } = await get(path);
      const type = headers.get('content-type') ?? '';
      expect([path, status, type, titlesIn(type, text)]).toEqual([path, 200, ICAL_TYPE, []]);
      expect(headers.get('x-marquee-truncated')).toBeNull();
    }
    for (const [path, expected] of [
      ['/events/list/page/2/feed/', RSS_TYPE],
      ['/events/list/page/2/feed/atom/', ATOM_TYPE],
      ['/events/feed/json/?paged=2', JSON_TYPE],
      ['/event/jazz/feed/?paged=2', RSS_TYPE],
    ] as const) {
      const { status, headers, text } = await get(path);
      expect([path, status, headers.get('content-type'), titlesIn(expected, text)]).toEqual([path, 200, expected, []]);
    }
    expect((await get('/events/month/page/2/')).status).toBe(404);
    for (const path of ['/events/category/none/page/2/?ical=1', '/event/draft/?ical=1&paged=2', '/page/2/'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('mark cancelled events in their titles, at every address', async () => {
    const { jazz } = await sample();
    await server().make(`PATCH /events/${jazz.id}`, { event_status: 'cancelled', event_status_reason: 'Burst pipe' });
    for (const path of [
      ...['/events/ical/', '/events/?ical=1', '/events/?outlook-ical=1', '/?post_type=tribe_events&ical=1'],
      ...['/events/list/?ical=1', '/events/month/?ical=1', '/events/category/music/ical/', '/tag/free/ical/'],
      ...['/venue/grenier/ical/', '/organizer/music-society/?ical=1', '/events/featured/ical/'],
      ...['/event/jazz/ical/', '/event/jazz/?ical=1', '/?tribe_events=jazz&ical=1'],
    ]) {
      const plain = await get(path);
      expect([path, titlesIn(ICAL_TYPE, plain.text)]).toEqual([path, expect.arrayContaining(['Jazz'])]);
      expect(plain.text).toContain('STATUS:CANCELLED');
      const { status, text } = await get(`${path}${path.includes('?') ? '&' : '?'}cancelled=title`);
      const titles = titlesIn(ICAL_TYPE, text);
      expect([path, status, titles]).toEqual([path, 200, expect.arrayContaining(['Cancelled: Jazz'])]);
      expect(text).not.toContain('CANCELLED');
      expect(text).toContain('DESCRIPTION:Cancelled – Burst pipe');
    }
    for (const [path, type] of [
      ['/events/feed/', RSS_TYPE],
      ['/events/feed/atom/', ATOM_TYPE],
      ['/events/feed/json/', JSON_TYPE],
      ['/event/jazz/feed/', RSS_TYPE],
    ] as const) {
      expect(titlesIn(type, (await get(`${path}?cancelled=title`)).text)).toContain('Cancelled: Jazz');
      for (const query of ['', '?cancelled=status', '?cancelled=junk'])
        expect(titlesIn(type, (await get(`${path}${query}`)).text)).toContain('Jazz');
    }
    expect(titlesIn(ICAL_TYPE, (await get('/de/events/ical/?cancelled=title')).text)).toContain('Abgesagt: Jazz');
  });

  it.each([
    ...['/events/category/none/ical/', '/tag/none/feed/', '/venue/none/?ical=1', '/organizer/none/feed/json/'],
    ...['/event/none/ical/', '/event/draft/ical/', '/event/private/?ical=1', '/event/draft/feed/'],
    ...['/events/ical/?categories=none', '/events/ical/?include=x', '/events/feed/?start_date=nonsense'],
  ])('respond with 404 at %s', async (path) => {
    await sample();
    expect((await get(path)).status).toBe(404);
  });

  it('show as much of an event with a password as lists do', async () => {
    await event('Locked', '2026-11-24', {
      ...{ post_password: 'sesame', slug: 'locked', description: 'Behind the mill', excerpt: 'Hush' },
      ...{ venue: { venue: 'Cellar' }, organizer: { organizer: 'Lodge' }, categories: ['Rites'], tags: ['Hidden'] },
    });
    for (const [path, type] of [
      ['/event/locked/feed/', RSS_TYPE],
      ['/event/locked/ical/', ICAL_TYPE],
      ['/events/feed/', RSS_TYPE],
    ] as const) {
      const { status, headers, text } = await get(path);
      expect([path, status, headers.get('content-type'), titlesIn(type, text)]).toEqual([path, 200, type, ['Locked']]);
      expect(text).not.toMatch(/mill|Hush|Cellar|Lodge|Rites|Hidden/);
    }
  });

  it('name files, respond with 304, and follow the calendar', async () => {
    await sample();
    for (const [path, name] of [
      ['/events/ical/', 'events.ics'],
      ['/events/category/music/ical/', 'music.ics'],
      ['/event/jazz/ical/', 'jazz.ics'],
    ] as const) {
      const { headers } = await get(path);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
      expect((await get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    }
    await event('New', '2026-12-01');
    expect(titlesIn(ICAL_TYPE, (await get('/events/ical/')).text)).toContain('New');
  });

  it('say how many events a feed leaves out', async () => {
    for (let number = 0; number < 101; number += 1) await event(`Talk ${number}`, '2026-12-01');
    expect((await get('/events/feed/')).headers.get('x-marquee-truncated')).toBe('1');
    expect((await get('/events/ical/')).headers.get('x-marquee-truncated')).toBeNull();
  });

  it('are linked from every view and from the event, in the language of the page', async () => {
    await sample();
    const month = await get('/events/category/music/month/?search=jazz');
    for (const words of ['ical', 'feed', 'feed/atom', 'feed/json'])
      expect(month.text).toMatch(
        new RegExp(`<link rel="alternate"[^>]* href="/events/category/music/month/${words}/\\?search=jazz">`),
      );
    expect(month.text).toContain('href="webcal://localhost/events/category/music/ical/?search=jazz"');
    for (const view of ['', 'past/', 'month/', 'week/', 'today/', 'photo/', 'places/'])
      expect((await get(`/events/${view}`)).text).toContain('href="webcal://localhost/events/ical/"');
    expect((await get('/fr/events/')).text).toContain('S’abonner');
    expect((await get('/de/events/')).text).toContain('href="webcal://localhost/de/events/ical/"');
    const { text } = await get('/event/jazz/');
    for (const address of ['/event/jazz/ical/', 'https://outlook.office.com/'])
      expect(text).toContain(`href="${address}`);
    expect(text).toContain('data-copy="http://localhost/event/jazz/ical/"');
  });

  const rsvpEvent = async (more: object = {}) => {
    const made = await event('Party', '2026-12-06', more);
    return { made, id: (await makeTicket(server(), made.id, RSVP)).id };
  };
  const RSVP = { provider: 'rsvp', name: 'Reply', price: '', ticket: { capacity: 3, not_going: 'yes' } };
  const replyOf = (id: number, more: Record<string, string> = {}) => ({
    reply_to: String(id),
    [`reply-${id}-name`]: 'Ada Lovelace',
    [`reply-${id}-email`]: 'ada@example.test',
    [`reply-${id}-answer`]: 'yes',
    [`reply-${id}-places`]: '1',
    ...more,
  });

  it('take a reply and lead to its ticket, which goes into a calendar', async () => {
    const { made, id } = await rsvpEvent();
    expect((await get('/event/party/')).text).toContain(`name="reply-${id}-email"`);
    const sent = await post('/event/party/', replyOf(id));
    expect(sent.status).toBe(303);
    expect(sent.location).toMatch(/^\/ticket\/\d+\/\w+\/$/);
    const ticket = await get(sent.location);
    expect(ticket.text).toContain(`href="${sent.location}ical/"`);
    const { status, headers, text } = await get(`${sent.location}ical/`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(titlesIn(ICAL_TYPE, text)).toEqual(['Party']);
    expect((await get(`${sent.location.replace(/\w+\/$/, 'wrong')}/ical/`)).status).toBe(404);
    expect(await soldOf(server(), id)).toBe(1);
    await server().make(`PATCH /events/${made.id}`, { event_status: 'cancelled', event_status_reason: 'Flood' });
    const marked = await get(`${sent.location}ical/?cancelled=title`);
    expect(titlesIn(ICAL_TYPE, marked.text)).toEqual(['Cancelled: Party']);
    expect(marked.text).toContain('DESCRIPTION:Cancelled – Flood');
  });

  it('show the address of each of several tickets, and take a "no" without a place', async () => {
    const { id } = await rsvpEvent();
    const two = await post('/event/party/', replyOf(id, { [`reply-${id}-places`]: '2' }));
    expect(two.status).toBe(303);
    const { text } = await get(two.location);
    expect(new Set([...text.matchAll(/href="(\/ticket\/\d+\/\w+\/)"/g)].map(([, path]) => path)).size).toBe(2);
    const no = await post('/event/party/', replyOf(id, { [`reply-${id}-answer`]: 'no' }));
    expect((await get(no.location)).text).toContain('You replied that you will not come.');
    expect(await soldOf(server(), id)).toBe(2);
    const plain = await event('Meeting', '2026-12-07');
    const yesOnly = await makeRsvp(server(), plain.id, 3);
    expect((await get('/event/party/')).text).toContain(`name="reply-${id}-answer" value="no"`);
    expect((await get('/event/meeting/')).text).not.toContain(`name="reply-${yesOnly}-answer"`);
  });

  it('preserve a refused reply', async () => {
    const { id } = await rsvpEvent();
    for (const [wrong, field, expected] of [
      [{ [`reply-${id}-name`]: '' }, 'name', 400],
      [{ [`reply-${id}-email`]: 'nobody' }, 'email', 400],
      [{ [`reply-${id}-places`]: '4' }, 'places', 409],
      [{ [`reply-${id}-places`]: '99' }, 'places', 400],
      [{ [`reply-${id}-answer`]: 'maybe' }, 'answer', 400],
      [{ website_address: 'x' }, undefined, 400],
    ] as const) {
      const { status, text } = await post('/event/party/', replyOf(id, { ...wrong }));
      expect([field, status]).toEqual([field, expected]);
      if (field) expect(text).toContain(`<a href="#reply-${id}-${field}">`);
      if (field !== 'email') expect(text).toContain('value="ada@example.test"');
    }
    expect(await soldOf(server(), id)).toBe(0);
  });

  it('lead from the code of a ticket to a page about its validity, and never check in', async () => {
    const { made, id } = await rsvpEvent();
    const { location } = await post('/event/party/', replyOf(id));
    const [, , attendee = ''] = location.split('/');
    const code = await codeOf(server(), Number(attendee));
    const at = (ticket: string, event_id: number | string, security_code: string) =>
      get(
        `/?${new URLSearchParams({ event_qr_code: '1', ticket_id: ticket, event_id: String(event_id), security_code })}`,
      );
    const hidden = await event('Hidden', '2026-12-06', { status: 'private' });
    for (const [answer, target] of [
      [await at(attendee, made.id, code), `/ticket/${attendee}/${code}/`],
      [await at(attendee, made.id, 'wrong'), '/event/party/'],
      [await at('', made.id, ''), '/event/party/'],
      [await at('x', made.id, code), '/event/party/'],
      [await at(attendee, hidden.id, 'wrong'), '/'],
      [await at(attendee, 'x', 'wrong'), '/'],
      [await at(attendee, '', 'wrong'), '/'],
    ] as const)
      expect([answer.status, answer.location, answer.headers.get('cache-control')]).toEqual([
        ...[303, target, 'private, no-store'],
      ]);
    const query = { security_code: code };
    const { body } = await server().ask(`GET tickets:/attendees/${attendee}/ticket`, { query });
    expect(body.checked_in).toBe(false);
  });
});
