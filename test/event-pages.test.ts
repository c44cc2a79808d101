import ical from 'ical.js';
import { describe, expect, it } from 'vitest';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { addTicket, editTicket, makeTicket } from './tickets.ts';

/** The server's clock is at noon of Saturday 21 November 2026 in New York. */
describe.each(usualDatabases)('the page of an event on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] }, { isFreshEachTime: true });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await server().request(path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
    const text = await response.text();
    const main = text.split('<main')[1] ?? '';
    const words = main.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    return { status: response.status, headers: response.headers, text, main, words };
  };
  const event = (slug: string, more: Record<string, unknown> = {}) =>
    server().make('POST /events', {
      ...{ title: `About ${slug}`, slug, start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00' },
      ...more,
    });
  const own = (capacity: number) => ({ ticket: { mode: 'own', capacity } });
  const NEIGHBOUR = /<a class="neighbour (prev|next)" rel="\1" href="([^"]+)"/g;
  const neighboursOf = async (slug: string) =>
    [...(await get(`/event/${slug}/`)).text.matchAll(NEIGHBOUR)].map(([, side, href]) => `${side} ${href}`);
  const sectionOf = (text: string, name: string) => text.split(`class="${name}"`)[1]?.split('</section>')[0] ?? '';

  it('leads to the public events before and after it, also to those that start at the same time', async () => {
    const at = (start_date: string, more: object = {}) => ({ start_date, end_date: '2026-12-31 12:00:00', ...more });
    await event('first', at('2024-01-01 10:00:00'));
    await event('draft', at('2026-12-05 10:00:00', { status: 'draft' }));
    await event('unlisted', at('2026-12-05 11:00:00', { hide_from_listings: true }));
    for (const slug of ['one', 'two', 'three']) await event(slug, at('2026-12-06 18:30:00'));
    await event('same-moment', at('2026-12-06 15:30:00', { timezone: 'America/Los_Angeles' }));
    const order = ['first', 'one', 'two', 'three', 'same-moment'];
    for (const [index, slug] of order.entries()) {
      const [before, after] = [order[index - 1], order[index + 1]];
      expect([slug, ...(await neighboursOf(slug))]).toEqual([
        slug,
        ...(before === undefined ? [] : [`prev /event/${before}/`]),
        ...(after === undefined ? [] : [`next /event/${after}/`]),
      ]);
    }
    expect(await neighboursOf('unlisted')).toEqual(['prev /event/first/', 'next /event/one/']);
  });

  it('shows a new neighbour at once', async () => {
    await event('lonely');
    expect(await neighboursOf('lonely')).toEqual([]);
    await event('later', { start_date: '2026-12-07 10:00', end_date: '2026-12-07 11:00' });
    expect(await neighboursOf('lonely')).toEqual(['next /event/later/']);
  });

  it('offers three more events at its venue, or else of its category', async () => {
    const on = (day: string, more: object = {}) => ({ start_date: `${day} 10:00`, end_date: `${day} 11:00`, ...more });
    const { venue, categories } = await event('walk', { venue: { venue: 'Quay' }, categories: ['Walks'] });
    const [here, kindOf] = [{ venue: venue.id }, { categories: [categories[0].id] }];
    await event('over', on('2026-11-20', here));
    await event('elsewhere', on('2026-12-01'));
    await event('of-kind', on('2026-12-02', kindOf));
    await event('here', on('2026-12-24', here));
    await event('secret', on('2026-12-03', { ...here, post_password: 'sesame' }));
    const offered = async () =>
      [...sectionOf((await get('/event/walk/')).main, 'event-more').matchAll(/u-url" href="([^"]+)"/g)].map(
        ([, href]) => href,
      );
    expect(await offered()).toEqual(['/event/here/', '/event/of-kind/']);
    for (const day of ['2026-12-25', '2026-12-26', '2026-12-27']) await event(`here-${day}`, on(day, here));
    expect(await offered()).toEqual(['/event/here/', '/event/here-2026-12-25/', '/event/here-2026-12-26/']);
  });

  it('says the former date of a rescheduled event, and that a postponed one has none yet and sells nothing', async () => {
    const { id } = await event('moved', { all_day: false });
    await makeTicket(server(), id, own(5));
    const set = (fields: object) => server().make(`PATCH /events/${id}`, fields);
    await set({ event_status: 'postponed' });
    const postponed = await get('/event/moved/');
    expect(postponed.words).toContain('The new date is not known yet.');
    expect(postponed.words).toContain('Tickets are on sale again when there is a new date.');
    expect(postponed.main).not.toContain('action="/cart/"');
    await set({ sale_stays_open: true });
    expect((await get('/event/moved/')).main).toContain('action="/cart/"');
    await set({ event_status: 'rescheduled', start_date: '2026-12-13 18:30', end_date: '2026-12-13 21:00' });
    const { main, words } = await get('/event/moved/');
    expect(words).toContain('Former date: Sunday 6 December, 18:30');
    expect(words).not.toContain('The new date is not known yet.');
    expect(main).toContain('action="/cart/"');
  });

  it('shows the text of the site about refunds when an event with sold tickets is cancelled', async () => {
    await server().make('PATCH admin:/site', { refunds: 'Money comes back.' });
    await server().make('PATCH admin:/site?i18n_language=de', { refunds: 'Geld kommt <b>zurück</b>.' });
    const ids = [(await event('paid')).id, (await event('free')).id];
    await makeTicket(server(), ids[0], own(5));
    expect((await get('/event/paid/')).words).not.toContain('Money comes back.');
    for (const id of ids) await server().make(`PATCH /events/${id}`, { event_status: 'cancelled' });
    expect((await get('/event/paid/')).words).toContain('Refunds Money comes back.');
    expect((await get('/de/event/paid/')).main).toContain('Geld kommt <b>zurück</b>.');
    expect((await get('/event/free/')).words).not.toContain('Money comes back.');
  });

  it('is shown with a place that has no page', async () => {
    const hidden = await server().make('POST /venues', { venue: 'Cellar', status: 'draft' });
    await event('walk', { venue: hidden.id, categories: ['Walks'] });
    await event('next', { categories: ['Walks'] });
    const { status, main } = await get('/event/walk/');
    expect([status, sectionOf(main, 'event-more').includes('/event/next/')]).toEqual([200, true]);
  });

  it('says which event a password protects, and never hours of a protected day', async () => {
    await event('secret', {
      ...{ title: 'Members’ day', post_password: 'sesame', all_day: true },
      ...{ start_date: '2026-12-13', end_date: '2026-12-13' },
    });
    for (const path of [
      '/event/secret/',
      '/events/',
      '/events/photo/',
      '/events/month/2026-12/',
      '/event/secret/ical/',
    ]) {
      const { words, text } = await get(path);
      expect([path, /00:00|23:59|T235959/.exec(words || text)?.[0]]).toEqual([path, undefined]);
    }
    expect((await get('/event/secret/')).words).toContain('Members’ day , Sunday 13 December');
  });

  it('names its time zone in lists where the site has another one', async () => {
    await event('here');
    await event('there', { timezone: 'Europe/Paris' });
    const { text } = await get('/events/');
    expect([...text.matchAll(/class="zone">([^<]+)</g)].map(([, zone]) => zone)).toEqual(['CET']);
  });

  it('is added to a calendar alone, without a subscription', async () => {
    await event('walk');
    const { text } = await get('/event/walk/');
    expect(text).toContain('<a href="/event/walk/ical/">');
    expect(text).not.toContain('webcal:');
    expect((await get('/events/')).text).toContain('webcal:');
  });

  it('shows the address and directions, or that it is online', async () => {
    const venue = {
      venue: 'Harbour Hall',
      address: '1 Quay',
      city: 'Boston',
      state: 'MA',
      zip: '02110',
      country: 'US',
    };
    await event('walk', { venue });
    const { main, words } = await get('/event/walk/');
    expect(words).toContain('Harbour Hall 1 Quay, Boston, MA 02110, US Open the map');
    expect(main).toContain(
      'https://www.openstreetmap.org/search?query=Harbour%20Hall%2C%201%20Quay%2C%20Boston%2C%20MA%2002110%2C%20US',
    );
    await event('talk', { event_status: 'moved_online' });
    expect((await get('/event/talk/')).main).toContain('<p class="event-place event-online">Online');
  });

  it('can be shared without scripts by a link that writes a mail', async () => {
    await event('walk', { title: 'Bees & Brass 50 % +1' });
    const { text } = await get('/fr/event/walk/');
    const [, query = ''] = /href="mailto:\?([^"]+)"/.exec(text) ?? [];
    const sent = query
      .replaceAll('&amp;', '&')
      .split('&')
      .map((pair) => decodeURIComponent(pair));
    expect(sent).toEqual(['subject=Bees & Brass 50 % +1', 'body=http://localhost/fr/event/walk/']);
    expect(text).toContain('<button type="button" class="quiet" data-copy="http://localhost/fr/event/walk/" hidden>');
  });

  it('has links that add it to a calendar', async () => {
    await event('walk');
    const { main } = await get('/event/walk/');
    const ways = main.split('class="calendar-ways"')[1]?.split('</ul>')[0] ?? '';
    const hosts = [...ways.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => new URL(href, 'http://localhost').host);
    expect(hosts).toEqual(['localhost', 'calendar.google.com', 'outlook.live.com', 'outlook.office.com']);
    expect(ways).toContain('href="/event/walk/ical/"');
  });

  it.each([
    [
      [
        { price: '15', ...own(50) },
        { price: '25', ...own(50) },
      ],
      'From $15.00',
      'tickets',
    ],
    [[{ price: '15', ...own(50) }], '$15.00', 'tickets'],
    [
      [
        { price: '0', ...own(50) },
        { price: '8', ...own(50) },
      ],
      'Free – $8.00',
      'tickets',
    ],
    [[{ provider: 'rsvp', price: undefined }], 'Free', 'replies'],
    [[{ price: '5', ...own(50), start_date: '2026-12-01' }], undefined, ''],
    [[{ price: '5', ...own(50), start_date: '2026-11-01', end_date: '2026-11-20' }], undefined, ''],
  ] as const)('has with tickets %j a bar for narrow screens: %s', async (tickets, words, target) => {
    const { id } = await event('walk');
    for (const ticket of tickets) await makeTicket(server(), id, ticket);
    const [, bar] = (await get('/event/walk/')).main.split('class="buy-bar"');
    expect(bar !== undefined).toBe(words !== undefined);
    if (words === undefined) return;
    expect(bar).toContain(`<span>${words}</span>`);
    expect(bar).toContain(`href="#${target}"`);
    expect((await get('/event/walk/')).main).toContain(`id="${target}"`);
  });

  it('replaces form and bar with a sentence for past and cancelled events', async () => {
    const offers = /class="buy-bar"|action="\/cart\/"|name="reply_to"|data-more|Add to your calendar/;
    for (const [slug, more, sentence] of [
      ['over', { start_date: '2026-11-20 10:00', end_date: '2026-11-20 11:00' }, 'This event has ended.'],
      ['cancelled', { event_status: 'cancelled', event_status_reason: 'Ice' }, 'Tickets are no longer available.'],
    ] as const) {
      const { id } = await event(slug, more);
      await makeTicket(server(), id, { end_date: '2027-01-01' });
      await makeTicket(server(), id, { provider: 'rsvp', price: undefined, end_date: '2027-01-01' });
      const { main, words } = await get(`/event/${slug}/`);
      expect(words).toContain(sentence);
      expect(main).not.toMatch(offers);
    }
    expect((await get('/event/cancelled/')).words).toContain('Cancelled: Ice');
    expect((await get('/event/cancelled/')).main).toContain('<header class="event-top is-cancelled">');
  });

  const sold = (title: string, capacity: number, number: number) =>
    server()
      .context.db.query.updateTable('tickets')
      .set({ capacity, sold: number })
      .where('title', '=', title)
      .execute();

  it.each([
    [3, 0, ''],
    [3, 1, ''],
    [3, 2, '1 left'],
    [30, 19, ''],
    [30, 20, '10 left'],
    [33, 22, ''],
    [120, 106, ''],
    [120, 108, '12 left'],
  ])('of %i places with %i sold says “%s”: few by number or share, and two thirds sold', async (all, gone, words) => {
    const { id } = await event('walk');
    await makeTicket(server(), id, { name: 'Seats', ...own(all) });
    await sold('Seats', all, gone);
    expect(/Seats \$10\.00 ((?:\d+ left)?)/.exec((await get('/event/walk/')).words)?.[1]).toBe(words);
  });

  it('writes prices in the language of the page, free ones and ranges too', async () => {
    const { id } = await event('walk');
    for (const [name, price] of [
      ['Child', '0'],
      ['Adult', '1200'],
    ] as const)
      await makeTicket(server(), id, { name, price, ...own(50) });
    await event('talk', { cost: '8 $' });
    await event('gift', { cost: 'By donation' });
    const priceOf = async (path: string) =>
      /<span class="card-price[^>]*>([^<]*)/.exec((await get(path)).main)?.[1]?.replace(/[\u00a0\u202f]/g, ' ');
    const supper = await event('supper');
    await makeTicket(server(), supper.id, { price: '18', ...own(50) });
    await makeTicket(server(), supper.id, { provider: 'rsvp', price: undefined });
    expect(await priceOf('/fr/event/supper/')).toBe('Gratuit – 18,00 $');
    expect(await priceOf('/event/walk/')).toBe('Free – $1,200.00');
    expect(await priceOf('/fr/event/walk/')).toBe('Gratuit – 1 200,00 $');
    expect((await get('/fr/event/walk/')).words).toMatch(/Adult 1\s200,00\s\$ /);
    expect(await priceOf('/de/event/talk/')).toBe('8,00 $');
    expect(await priceOf('/event/talk/')).toBe('$8.00');
    expect(await priceOf('/de/event/gift/')).toBe('By donation');
    const { body } = await server().ask('GET /events/by-slug/walk', { query: { i18n_language: 'fr' } });
    expect(body.cost).toBe('Gratuit – $1,200.00');
  });

  it.each([
    [[own(3)], ''],
    [[own(0)], 'Sold out'],
    [[own(0), own(50)], ''],
    [[own(0), { ...own(50), start_date: '2026-11-01', end_date: '2026-11-20' }], 'Sold out'],
  ] as const)('sums up tickets with %j as “%s”', async (tickets, badge) => {
    const { id } = await event('walk');
    for (const ticket of tickets) await makeTicket(server(), id, { price: '5', ...ticket });
    const [, price = ''] = (await get('/event/walk/')).main.split('class="event-price"');
    expect(
      price
        .split('</p>')[0]
        ?.replace(/<[^>]+>|\s+/g, ' ')
        .replace(/^.*\$5\.00/, '')
        .replace('>', '')
        .trim(),
    ).toBe(badge);
  });

  it('lists tickets in the order of the organizer, unavailable ones last', async () => {
    const { id } = await event('walk');
    const ended = { start_date: '2026-11-01', end_date: '2026-11-20' };
    for (const [name, menu_order, more] of [
      ['Seat', 2, {}],
      ['Early bird', 1, ended],
      ['Balcony', 4, {}],
      ['Box', 3, {}],
      ['Front row', 0, own(0)],
    ] as const)
      await makeTicket(server(), id, { ...own(50), name, menu_order, ...more });
    const { main } = await get('/event/walk/');
    const names = [...main.matchAll(/class="ticket-title">([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual(['Seat', 'Box', 'Balcony', 'Front row', 'Early bird']);
  });

  it.each([
    [{ cost: '18', website: 'https://www.grenier.example/jazz' }, 'Tickets at grenier.example'],
    [{ cost: '18' }, 'Tickets are not sold on this site.'],
    [{ cost: '0' }, undefined],
    [{ cost: '18', event_status: 'cancelled' }, undefined],
    [{}, undefined],
  ])('says how to get in without tickets of this site, for %j: %s', async (more, words) => {
    await event('walk', more);
    const { main } = await get('/event/walk/');
    expect(main.includes('class="way-in')).toBe(words !== undefined);
    if (words !== undefined) expect(main).toContain(words);
  });

  it('leads back to the calendar and to its category', async () => {
    const above = await server().make('POST /categories', { name: 'Music' });
    await server().make('POST /categories', { name: 'Jazz', parent: above.id });
    await event('walk', { categories: ['Jazz'] });
    const { main } = await get('/event/walk/');
    expect(main).toMatch(
      /class="trail-link" href="\/events\/">.*class="trail-link" href="\/events\/category\/jazz\/">Jazz</,
    );
  });

  it('sells on the last day of a sale, and not before the first one', async () => {
    const { id } = await event('walk');
    await makeTicket(server(), id, {
      name: 'Last day',
      ...own(50),
      start_date: '2026-11-01',
      end_date: '2026-11-21',
      end_time: null,
    });
    await makeTicket(server(), id, {
      name: 'Tomorrow',
      ...own(50),
      start_date: '2026-11-22 09:30:00',
      end_date: '2026-12-01',
    });
    const { main, words } = await get('/event/walk/');
    expect(main.match(/<input type="number"/g)).toHaveLength(1);
    expect(words).toContain('On sale from Sunday 22 November, 09:30 EST Remind me in my calendar');
  });

  describe('with a sale to come', () => {
    const soon = { start_date: '2026-12-01 09:30:00', end_date: '2026-12-06 18:00:00', ...own(50) };
    const reminderOf = async (slug: string, prefix = '', headers = {}) =>
      /href="([^"]+\/sale\/\d+\/ical\/)"/.exec((await get(`${prefix}/event/${slug}/`, headers)).text)?.[1] ?? '';

    it('offers a reminder for calendars, in the language of the page', async () => {
      const { id } = await event('walk', { timezone: 'Europe/Paris', title: 'Bees; Brass, all' });
      const ticket = await makeTicket(server(), id, soon);
      expect((await get('/de/event/walk/')).words).toContain('Dienstag, 1. Dezember, 15:30 CET');
      const path = await reminderOf('walk', '/de');
      expect(path).toBe(`/de/event/walk/sale/${ticket.id}/ical/`);
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([
        ...[200, 'text/calendar; charset=UTF-8', 'noindex'],
      ]);
      const [entry] = new ical.Component(ical.parse(text)).getAllSubcomponents('vevent');
      const shown = new ical.Event(entry);
      expect([shown.summary, shown.startDate.toString()]).toEqual([
        'Start des Ticketverkaufs: Bees; Brass, all',
        '2026-12-01T14:30:00Z',
      ]);
      expect(entry?.getFirstPropertyValue('url')).toBe('http://localhost/de/event/walk/');
      expect(entry?.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')?.toString()).toBe('-PT10M');
      expect((await get(path)).text).toBe(text);
    });

    it('leads to the event once the sale has begun, or if the event is cancelled', async () => {
      const { id } = await event('walk');
      const ticket = await makeTicket(server(), id, soon);
      const path = await reminderOf('walk');
      await editTicket(server(), ticket.id, { post_id: id, start_date: '2026-11-20 09:00:00' });
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([302, '/event/walk/']);
      await editTicket(server(), ticket.id, { post_id: id, start_date: '2026-12-02 09:00:00' });
      expect((await get(path)).status).toBe(200);
      await server().ask(`PATCH /events/${id}`, { as: 'administrator', body: { event_status: 'cancelled' } });
      expect((await get(path)).status).toBe(302);
    });

    it('reveals no hidden tickets and events', async () => {
      const { id } = await event('walk');
      const { id: draft } = await event('draft', { status: 'draft' });
      const { id: secret } = await event('secret', { post_password: 'sesame' });
      const make = async (post: number, more = {}) => (await makeTicket(server(), post, { ...soon, ...more })).id;
      const shown = await make(id);
      const [unpublished, inDraft, inSecret] = [await make(id), await make(draft), await make(secret)];
      const { query } = server().context.db;
      await query.updateTable('tickets').set({ status: 'draft' }).where('id', '=', unpublished).execute();
      for (const path of [
        ...[`walk/sale/${unpublished}`, `walk/sale/${inDraft}`, `walk/sale/${inSecret}`, 'walk/sale/999999'],
        ...[`draft/sale/${inDraft}`, `draft/sale/${shown}`, `secret/sale/${inSecret}`, `secret/sale/${shown}`],
        ...[`nope/sale/${shown}`, 'walk/sale/0', 'walk/sale/1x', 'walk/sale', `walk/sale/${shown}/feed`],
      ])
        expect([path, (await get(`/event/${path}/ical/`)).status]).toEqual([path, 404]);
      expect((await get(`/event/walk/sale/${shown}/`)).status).toBe(404);

      const origin = 'http://localhost';
      const posted = await server().request('/event/secret/', {
        ...{
          method: 'POST',
          body: new URLSearchParams({ password: 'sesame' }),
          redirect: 'manual',
          headers: { origin },
        },
      });
      const cookie = posted.headers.get('set-cookie')?.split(';')[0] ?? '';
      const answer = await get(await reminderOf('secret', '', { cookie }), { cookie });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect((await get(`/event/secret/sale/${inSecret}/ical/`)).status).toBe(404);
    });

    it('offers the reminder for RSVPs too', async () => {
      const { id } = await event('walk');
      await addTicket(server(), { post_id: id, provider: 'rsvp', name: 'Coming', ...soon });
      const { words, main } = await get('/event/walk/');
      expect(words).toContain('Open from Tuesday 1 December, 09:30 EST');
      expect(main).not.toContain('name="reply_to"');
      expect((await get(await reminderOf('walk'))).text).toContain('SUMMARY:Replies open: About walk');
    });
  });
});
