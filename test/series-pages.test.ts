import { beforeAll, describe, expect, it } from 'vitest';
import { buy } from './buyers.ts';
import { pageVisitor } from './page-visitor.ts';
import { DATABASES, NOON, useTestServer } from './server.ts';
import { makeTicket } from './tickets.ts';

describe.each(DATABASES)('the pages of a series on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const page = async (path: string) => {
    const answer = await server().request(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };
  let ids: number[] = [];

  beforeAll(async () => {
    const { make, ask } = server();
    const dates = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
    const event = { title: 'Pottery & clay', ...dates, venue: { venue: 'Kiln' } };
    const series = await make('POST /series', { event, recurrence: { rrule: 'FREQ=WEEKLY;UNTIL=20270405' } });
    const { body } = await ask(`GET /series/${series.id}/occurrences`, { query: { per_page: 50 } });
    ids = body.occurrences.map(({ id }: { id: number }) => id);
    await make(`PATCH /events/${ids[1]}`, { event_status: 'cancelled' });
    await make(`PATCH /events/${ids[2]}`, { hide_from_listings: true });
    await make(`PATCH /events/${ids[3]}`, { title: 'Glazing', scope: 'following' });
  });

  it('say on each event how often it takes place, and its other dates', async () => {
    const { status, text } = await page('/event/pottery-clay/');
    expect(status).toBe(200);
    expect(text).toContain('Every Monday until 21 March 2027');
    expect(text).toContain('href="/series/pottery-clay/"');
    expect(text).toContain('href="/event/pottery-clay-2027-03-08/"');
    expect(text).not.toContain('href="/event/pottery-clay-2027-03-15/"');
    expect(text).toContain('"superEvent":{"@type":"EventSeries","name":"Pottery \\u0026 clay"');
    expect((await page('/fr/event/pottery-clay/')).text).toContain('Chaque lundi jusqu’au 21 mars 2027');
  });

  it('list its coming dates', async () => {
    const { status, text } = await page('/series/pottery-clay/');
    expect(status).toBe(200);
    expect(text).toContain('<h1 dir="auto">Pottery &amp; clay</h1>');
    expect(text).toContain('href="/event/pottery-clay-2027-03-08/"');
    expect(text).not.toContain('pottery-clay-2027-03-15');
    expect((await page('/series/pottery-clay')).status).toBe(301);
    expect(await page('/series/Pottery-Clay/')).toMatchObject({ status: 301, location: '/series/pottery-clay/' });
    expect((await page('/series/nothing/')).status).toBe(404);
    expect((await page('/series/pottery-clay/?page=9')).status).toBe(404);
  });

  it('lead from a date that is sold out to the others, instead of to its tickets, and to nothing without others', async () => {
    const { make } = server();
    const dates = { start_date: '2027-05-03 19:00:00', end_date: '2027-05-03 21:00:00' };
    const series = await make('POST /series', {
      ...{ event: { title: 'Chorale', ...dates }, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } },
    });
    const { body } = await server().ask(`GET /series/${series.id}/occurrences`);
    const [first, second] = body.occurrences.map(({ id }: { id: number }) => id);
    const { id } = await makeTicket(server(), first, { ticket: { mode: 'own', capacity: 3 } });
    const wayIn = async () => /class="way-in[^>]*>(.*?)<\/p>/.exec((await page('/event/chorale/')).text)?.[1];
    expect(await wayIn()).toContain('href="#tickets"');
    await server().context.db.query.updateTable('tickets').set({ sold: 3 }).where('id', '=', id).execute();
    await make(`PATCH /events/${first}`, { website: '' });
    expect(await wayIn()).toBe('<a class="button quiet" href="#other-dates">Other dates</a>');
    expect((await page('/event/chorale/')).text).toContain('<h2 id="other-dates">');
    await make(`PATCH /events/${second}`, { event_status: 'cancelled' });
    expect(await wayIn()).toBeUndefined();
    expect((await page('/event/chorale/')).text).toContain('Sold out');
  });

  it('lead old addresses of a date to its event', async () => {
    const of = (path: string) => page(path).then(({ status, location }) => [status, location]);
    expect(await of('/event/pottery-clay/2027-03-08/')).toEqual([301, '/event/pottery-clay-2027-03-08/']);
    expect(await of('/event/pottery-clay/2027-03-29/')).toEqual([301, '/event/pottery-clay-2027-03-29/']);
    expect(await of('/event/pottery-clay/2027-12-24/')).toEqual([302, '/event/pottery-clay/']);
  });

  it('have pages, and say when no date is left', async () => {
    const event = { title: 'Daily', start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 11:00:00' };
    await server().make('POST /series', { event, recurrence: { rrule: 'FREQ=DAILY;COUNT=50' } });
    expect((await page('/series/daily/')).text).toContain('href="/series/daily/?page=2"');
    const second = (await page('/series/daily/?page=2')).text;
    expect(second).toContain('rel="prev" href="/series/daily/"');
    expect(second).toMatch(/<title>Daily, [^<]*2/);
    for (const wrong of ['3', '1000']) expect((await page(`/series/daily/?page=${wrong}`)).status).toBe(404);
    for (const odd of ['0', '-1', '1e9', 'x']) expect((await page(`/series/daily/?page=${odd}`)).status).toBe(200);
    expect(await page('/series/Daily/?page=2')).toMatchObject({ status: 301, location: '/series/daily/?page=2' });
    const shown = (await page('/event/daily/')).text;
    expect(shown.match(/<section class="event-dates-other">.*?<\/section>/s)?.[0].match(/<li>/g)).toHaveLength(9);
    server().clock.now = new Date('2028-01-01T12:00:00Z');
    expect((await page('/series/daily/')).text).toContain('No further dates are planned.');
    server().clock.now = NOON;
  });

  it('are led to from lists that have each series once, if the site chooses that', async () => {
    const { make } = server();
    const links = async (path: string) => {
      const { text } = await page(path);
      return [...text.matchAll(/class="card-link u-url" href="\/event\/([^/]+)\/"/g)].map(([, slug]) => slug);
    };
    const talk = { title: 'Talk', start_date: '2027-05-03 19:00:00', end_date: '2027-05-03 20:00:00' };
    await make('POST /series', { event: talk, recurrence: { rrule: 'FREQ=DAILY;COUNT=30' } });
    const day = '/events/?start_date=2027-03-01&end_date=2027-04-30';
    const each = ['pottery-clay', 'pottery-clay-2027-03-08', 'pottery-clay-2027-03-22', 'pottery-clay-2027-03-29'];
    expect(await links(day)).toEqual([...each, 'pottery-clay-2027-04-05']);
    await make('PATCH admin:/site', { collapse_series: true });
    // The later part of the series is one of its own.
    const once = ['pottery-clay', 'pottery-clay-2027-03-22'];
    expect(await links(day)).toEqual(once);
    const { text } = await page(day);
    expect(text).toContain('2 events, each series once');
    expect(text).toContain('<span class="card-series">Every Monday until 21 March 2027</span>');
    expect((await page(`/fr${day}`)).text).toContain('Chaque lundi jusqu’au 21 mars 2027');
    expect((await links('/')).filter((slug) => slug?.startsWith('pottery'))).toEqual(once);
    expect(await links('/embed/events/?limit=30')).toEqual(await links('/'));
    expect(await links('/events/photo/?start_date=2027-03-01&end_date=2027-04-30')).toEqual(once);
    const month = (await page('/events/month/2027-03/')).text;
    for (const slug of each) expect(month).toContain(`href="/event/${slug}/"`);
    // A page less.
    expect((await page('/events/')).text).not.toContain('href="/events/list/page/2/"');
    await make('PATCH admin:/site', { collapse_series: null });
    expect(await links(day)).toEqual([...each, 'pottery-clay-2027-04-05']);
    expect((await page('/events/')).text).toContain('href="/events/list/page/2/"');
  });

  it('have an entry for each date in feeds', async () => {
    const uidsIn = (text: string) =>
      [...text.matchAll(/^UID:((\d+)@.*)\r$/gm)].flatMap(([, uid, id]) => (ids.includes(Number(id)) ? [uid] : []));
    const { text } = await page('/events/ical/');
    const uids = uidsIn(text);
    expect(uids.length).toBe(5);
    expect(new Set(uids).size).toBe(5);
    expect(text).not.toContain('RRULE:FREQ=WEEKLY');
    await server().make(`PATCH /events/${ids[0]}`, { start_date: '2027-03-01 18:00:00' });
    const after = await page('/events/ical/');
    expect(uidsIn(after.text).toSorted()).toEqual(uids.toSorted());
  });

  it('sell a pass for all dates, with one code and the dates that are used', async () => {
    const { make, ask, request, clock } = server();
    const event = { title: 'Choir', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
    const series = await make('POST /series', { event, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } });
    const { body } = await ask(`GET /series/${series.id}/occurrences`);
    const [first] = body.occurrences;
    const pass = { name: 'All evenings', price: '30.50', scope: 'series', ticket: { mode: 'own', capacity: 9 } };
    const { id } = await makeTicket(server(), first.id, pass);
    for (const path of ['/event/choir/', '/series/choir/']) {
      const { text } = await page(path);
      expect(text).toContain('Pass for 3 dates');
      expect(text).toContain(`name="ticket-${id}"`);
    }
    expect((await page('/series/choir/')).text).toContain('All dates with one pass');
    expect((await page('/fr/series/choir/')).text).toContain('Pass pour 3 dates');

    const visitor = pageVisitor(request);
    const added = await visitor.post('/cart/', { event: 'choir', [`ticket-${id}`]: '1' });
    expect(added.location).toBe('/checkout/');
    expect((await visitor.get('/checkout/')).text).toContain('1 × All evenings</span> (Pass for 3 dates)');
    expect((await visitor.get('/cart/')).text).toMatch(/Choir<\/a>, Pass for 3 dates/);

    const order = await buy(server(), [id]);
    await make(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
    const pathOf = (url: string | undefined) => new URL(url ?? '').pathname;
    const shown = (await page(pathOf(order.body.order.url))).text;
    expect(shown).toContain('<td>All evenings (Pass for 3 dates)</td><td>1</td>');
    expect(shown).toContain('$30.50');
    expect(shown.match(/code\.png/g)).toHaveLength(1);
    expect(shown.match(/name="name-\d+"/g)).toHaveLength(1);
    const held = await ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
    const ticket = pathOf(held.body.attendees[2].url);
    const [{ id: ticket_id, security_code }] = held.body.attendees;
    const dates = async () => (await page(ticket)).text.match(/<ol class="pass-dates">.*?<\/ol>/s)?.[0] ?? '';
    expect((await dates()).match(/<li>/g)).toHaveLength(3);
    expect(await dates()).not.toContain('Used');
    clock.now = new Date('2027-03-02T00:30:00Z');
    expect((await ask('POST tickets:/qr', { as: 'door', body: { ticket_id, security_code } })).status).toBe(201);
    expect((await dates()).match(/Used/g)).toHaveLength(1);
    clock.now = new Date('2027-03-10T00:30:00Z');
    expect((await dates()).match(/Not used/g)).toHaveLength(1);
    expect((await page(ticket)).text).toContain(security_code);
    const scanned = await page(`/?event_qr_code=1&ticket_id=${ticket_id}&security_code=${security_code}`);
    expect(scanned.location).toBe(`/ticket/${ticket_id}/${security_code}/`);
    expect((await page(scanned.location ?? '')).text).toContain('15 March');
    clock.now = NOON;
    // Other tests list the events of these months.
    const query = { confirm_holders: true };
    expect((await ask(`DELETE /series/${series.id}`, { as: 'administrator', query })).status).toBe(200);
  });
});
