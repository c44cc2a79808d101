import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeRsvp, makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { hiddenFields, pageVisitor, wordsIn } from './page-visitor.ts';
import { makeSeason } from './season.ts';
import { useTestServer } from './server.ts';
import { ADA } from './shopper.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

/** Path of the page at an address. */
const pathOf = (url = '') => new URL(url, 'http://localhost').pathname;

describe.each(usualDatabases)('the pages of tickets on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] });
  let free: number;
  let priced: number;
  beforeAll(async () => {
    const event = await makeEvent(server(), { title: 'Lantern Night', slug: 'lantern-night' });
    free = await makeSeat(server(), event, 1000, { name: 'Balcony', price: '0' });
    priced = await makeSeat(server(), event, 1000, { name: 'Stalls', price: '36' });
  });
  const visitor = () => pageVisitor((path, init) => server().request(path, init));

  async function ticket(seat = free) {
    const { attendees, body } = await buy(server(), [seat]);
    const [{ id, security_code, url } = { id: 0, security_code: '', url: '' }] = attendees;
    return { id, code: security_code, path: pathOf(url), order: pathOf(body.order.url) };
  }

  it.each([
    ['an address with the code, as earlier versions had it', (id: number, code: string) => `/ticket/${id}/${code}/`],
    [
      'the code, opened by a camera',
      (id: number, code: string) => `/?event_qr_code=1&ticket_id=${id}&event_id=1&security_code=${code}`,
    ],
  ])('show behind %s event, date and validity, without name, code or actions', async (_what, addressOf) => {
    const who = visitor();
    const { id, code, path } = await ticket();
    const opened = await who.get(addressOf(id, code));
    const { status, headers, text } = opened.status === 303 ? await who.get(opened.location) : opened;
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(main).toContain('Lantern Night');
    expect(main).toContain('6 March 2027');
    expect(main).toContain('Valid');
    for (const secret of [ADA.name, ADA.email, code, path]) expect(main).not.toContain(secret);
    expect(main).not.toMatch(/<form|<img|data-order|code\.png/);
    expect(text).not.toContain(path);
  });

  it('say behind the code that a ticket is not valid, and are not found behind a wrong code', async () => {
    const who = visitor();
    const { id, code } = await ticket(priced);
    expect((await who.get(`/ticket/${id}/${code}/`)).text).toContain('Valid once the order is complete');
    expect((await who.get(`/ticket/${id}/0123456789/`)).status).toBe(404);
    for (const part of ['code.png', 'ticket.png', 'ical/'])
      expect((await who.get(`/ticket/${id}/${code}/${part}`)).status).toBe(404);
  });

  it('accept no form at an address with the code', async () => {
    const who = visitor();
    const { id, code } = await ticket();
    const mary = { full_name: 'Eve', email: 'eve@party.test' };
    for (const part of ['', 'transfer/', 'reply/'])
      expect((await who.post(`/ticket/${id}/${code}/${part}`, { ...mary, answer: 'no' })).status).toBe(404);
    expect(await codeOf(server(), id)).toBe(code);
  });

  it('say after a transfer at the former address, and behind the former code, that it was transferred', async () => {
    const who = visitor();
    const { id, code, path, order } = await ticket();
    const page = await who.get(path);
    const form = { ...hiddenFields(page.text), full_name: 'Grace Hopper', email: 'grace@party.test' };
    const done = await who.post(`${path}transfer/`, form);
    const [fresh = ''] = /\/ticket\/\d+\/[0-9a-f]{32}\//.exec(done.text) ?? [];
    expect(fresh).not.toBe(path);
    for (const former of [path, `/ticket/${id}/${code}/`]) {
      const { status, text, headers } = await visitor().get(former);
      expect([former, status, headers.get('cache-control')]).toEqual([former, 410, 'private, no-store']);
      expect(text).toContain('This ticket was transferred');
    }
    const renamed = await who.post(path, { full_name: 'Ada' });
    expect([renamed.status, renamed.text.includes('This ticket was transferred')]).toEqual([410, true]);
    const giver = (await who.get(order)).text;
    expect(giver).toContain('Grace Hopper');
    expect(giver).toContain('Transferred');
    for (const secret of [fresh, await codeOf(server(), id)]) expect(giver).not.toContain(secret);
    expect((await visitor().get(fresh)).text).toContain('Grace Hopper');
  });

  it('say what is to be paid at the door in the language of the page, like the order', async () => {
    const settle = (payment_ways: object[]) => server().make('PATCH admin:/site', { payment_ways });
    await settle([{ id: 'door', at_door: true, hold_hours: null }]);
    const who = visitor();
    const { path, order } = await ticket(priced);
    for (const shown of [path, order]) {
      expect((await who.get(shown)).text).toContain('Unpaid: $36.00');
      const french = (await who.get(`/fr${shown}`)).text;
      expect([shown, french]).toEqual([shown, expect.stringMatching(/À payer\s: 36,00\s\$/)]);
      expect(french).not.toContain('$36.00');
    }
    await settle([]);
  });

  it('say on the order, the reply, the ticket and behind the code that the event is cancelled, and never that it is valid', async () => {
    const event = await makeEvent(server(), { title: 'Gala', slug: 'gala' });
    const seat = await makeSeat(server(), event, 10, { name: 'Gallery', price: '0' });
    const rsvp = await makeRsvp(server(), event);
    const { id, code, path, order } = await ticket(seat);
    const who = visitor();
    const fields = {
      [`reply-${rsvp}-name`]: 'Bo',
      [`reply-${rsvp}-email`]: 'bo@party.test',
      [`reply-${rsvp}-places`]: '2',
    };
    const reply = await who.post('/event/gala/', {
      reply_to: String(rsvp),
      ...fields,
      [`reply-${rsvp}-answer`]: 'yes',
    });
    expect(reply.location).toMatch(/^\/reply\//);
    const pages = { order, reply: reply.location, ticket: path, code: `/ticket/${id}/${code}/` };
    for (const page of Object.values(pages)) expect(wordsIn((await who.get(page)).text)).toContain('Valid');
    await server().make(`PATCH /events/${event}`, {
      event_status: 'cancelled',
      event_status_reason: 'The singer is ill.',
    });
    for (const [name, page] of Object.entries(pages)) {
      const { text } = await who.get(page);
      const words = wordsIn(text);
      expect([name, words]).toEqual([name, expect.stringContaining('Event cancelled')]);
      expect([name, words]).toEqual([
        name,
        expect.not.stringMatching(/Valid|codes at the door|was received|I cannot come/),
      ]);
      if (name !== 'code') expect(words).toContain('Cancelled: The singer is ill.');
      expect((await who.get(`/fr${page}`)).text).toContain('Événement annulé');
      expect((await who.get(`/de${page}`)).text).toContain('Veranstaltung abgesagt');
    }
    expect((await who.get(order)).text).toContain('proof of purchase');
  });

  it('ask the first ticket of a reply for whom a "no" is, and no other ticket', async () => {
    const event = await makeEvent(server(), { title: 'Picnic', slug: 'picnic' });
    const rsvp = await makeRsvp(server(), event);
    const who = visitor();
    const fields = { [`reply-${rsvp}-name`]: 'Bo', [`reply-${rsvp}-email`]: 'bo@party.test' };
    const sent = await who.post('/event/picnic/', { reply_to: String(rsvp), ...fields, [`reply-${rsvp}-places`]: '3' });
    const reply = (await who.get(sent.location)).text;
    const [first = '', second = '', third = ''] = new Set(reply.match(/\/ticket\/\d+\/[0-9a-f]{32}\//g));
    await who.post(third, { full_name: 'Cy' });
    const asked = wordsIn((await who.get(first)).text);
    expect(asked).toContain('Who is this reply for?');
    expect(asked).toMatch(/For me and 2 others\s+Cy/);
    expect((await who.get(`/fr${first}`)).text).toContain('Pour moi et 2 autres personnes');
    for (const other of [second, third])
      expect(wordsIn((await who.get(other)).text)).not.toMatch(/first|others|who is this/i);
    const unasked = await who.post(`${first}reply/`, { answer: 'no' });
    expect([unasked.status, unasked.text.includes('href="#scope"')]).toEqual([400, true]);
    const coming = async () => (await who.get(sent.location)).text.match(/badge good/g)?.length ?? 0;
    expect(await coming()).toBe(3);
    expect((await who.post(`${first}reply/`, { answer: 'no', scope: 'place' })).location).toBe(first);
    expect(await coming()).toBe(2);
    expect(wordsIn((await who.get(first)).text)).not.toContain('Who is this');
    await who.post(`${first}reply/`, { answer: 'yes', scope: 'place' });
    await who.post(`${first}reply/`, { answer: 'no', scope: 'reply' });
    expect(await coming()).toBe(0);
    expect(wordsIn((await who.get(first)).text)).toContain('For me and 2 others');
  });

  it('name the former date of an event that moved, and in an order of several events which it is', async () => {
    const moved = await makeEvent(server(), { title: 'Regatta', slug: 'regatta' });
    const seat = await makeSeat(server(), moved, 10, { price: '0' });
    const { attendees, body } = await buy(server(), [seat, free]);
    await server().make(`PATCH /events/${moved}`, {
      ...{ event_status: 'rescheduled', event_status_reason: 'Fog.', start_date: '2027-04-01 18:30' },
      end_date: '2027-04-01 21:00',
    });
    const [boat] = attendees.filter(({ ticket_id }) => ticket_id === seat);
    const order = wordsIn((await visitor().get(pathOf(body.order.url))).text);
    expect(order).toMatch(/Regatta\s+New date: Fog\. /);
    expect(order.match(/Former date: .{0,30}6 March 2027/g)).toHaveLength(1);
    expect(order).toContain('Show these codes at the door');
    expect(wordsIn((await visitor().get(pathOf(boat?.url))).text)).toMatch(/Former date: .{0,30}6 March 2027/);
  });

  it('keep their addresses out of calendars, which people share', async () => {
    const who = visitor();
    const { path } = await ticket();
    const { text } = await who.get(`${path}ical/`);
    expect(text).toContain('URL:http://localhost/event/lantern-night/');
    expect(text.replaceAll('\r\n ', '')).not.toContain('/ticket/');
  });

  it('add all coming dates of a series pass to a calendar, each with the entry of its event', async () => {
    const { events, dates } = await makeSeason(server(), {}, 4);
    const { id: order, attendees } = await buy(server(), [dates[0] ?? 0]);
    await server().make(`PATCH admin:/orders/${order}`, { status: 'completed' }, 'editor');
    const known = await server().ask(`GET admin:/attendees/${attendees[0]?.id}`, { as: 'editor' });
    const path = pathOf(known.body.url);
    const uids = async (): Promise<string[]> => {
      const { status, text } = await visitor().get(`${path}ical/`);
      expect(status).toBe(200);
      return text.match(/^UID:\d+@/gm) ?? [];
    };
    const all = events.map((id) => `UID:${id}@`);
    expect(await uids()).toEqual(all);
    await server().make(`PATCH /events/${events[1]}`, {
      title: 'Moved',
      start_date: '2027-03-09 20:00',
      end_date: '2027-03-09 22:00',
    });
    await server().ask(`DELETE /events/${events[2]}`, { as: 'administrator' });
    expect(await uids()).toEqual([all[0], all[1], all[3]]);
    const { clock } = server();
    const before = clock.now;
    clock.now = new Date('2027-03-05T12:00:00Z');
    expect(await uids()).toEqual([all[1], all[3]]);
    clock.now = before;
  });
});
