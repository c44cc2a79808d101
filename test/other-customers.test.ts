import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeSeat, soldOf } from './attendees.ts';
import { type Bought, buy } from './buyers.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from './server.ts';
import { holdOf } from './shopper.ts';
import { makeEvent } from './tickets.ts';

/**
 * Attacks on customers of other events by an author, and on orders by the box office: by every way to a record, in lists,
 * counts and reports, under all prefixes and in batches.
 */

const MAIL = 'secretive@customer.test';
const PURCHASER = { name: 'Secretive Customer', email: MAIL };

describe.each(DATABASES)('customers on %s', (kind) => {
  const server = useTestServer(kind);
  let [own, other, ownSeat, otherSeat] = [0, 0, 0, 0];
  let foreign: Bought;
  let mixed: Bought;
  let mine: Bought;
  beforeAll(async () => {
    const author = server().userId('author');
    own = await makeEvent(server(), { author });
    other = await makeEvent(server());
    [ownSeat, otherSeat] = [await makeSeat(server(), own, 100), await makeSeat(server(), other, 100)];
    foreign = await buy(server(), [otherSeat], { purchaser: PURCHASER });
    mixed = await buy(server(), [ownSeat, otherSeat], { purchaser: PURCHASER });
    mine = await buy(server(), [ownSeat, ownSeat]);
    for (const { id } of [foreign, mixed, mine])
      await server().ask(`PATCH admin:/orders/${id}`, { as: 'editor', body: { status: 'completed' } });
  });

  const as = (role: Asking['as'], call: string, body?: unknown, query?: Asking['query']): Promise<Answer> =>
    server().ask(call, { as: role, ...(body !== undefined && { body }), ...(query && { query }) });
  const attendeeOf = ({ attendees }: Bought, ticket: number) =>
    attendees.find(({ ticket_id }) => ticket_id === ticket)?.id ?? 0;

  /** Writes to a foreign order or attendee, as [call, body]. */
  const writes = ({ id }: Bought, attendee: number): [string, unknown][] => [
    [`PATCH admin:/orders/${id}`, { status: 'refunded' }],
    [`PATCH admin:/orders/${id}`, { status: 'refunded', dry_run: true }],
    [`PATCH admin:/orders/${id}`, { note: 'Mine' }],
    [`PATCH admin:/orders/${id}`, { purchaser: { email: 'thief@party.test' } }],
    [`PATCH admin:/orders/${id}`, { revoke_link: true }],
    [`PATCH admin:/orders/${id}`, { expires_utc: null }],
    [`POST admin:/orders/${id}/cancel-places`, { attendees: [attendee], dry_run: true }],
    [`POST admin:/attendees/${attendee}/security-code`, {}],
    [`PATCH tickets:/attendees/${attendee}`, { full_name: 'Thief' }],
    [`PATCH tickets:/attendees/${attendee}`, { email: 'thief@party.test', check_in: true }],
  ];

  it('of other events are out of reach of an author, also in orders with tickets of both', async () => {
    for (const order of [foreign, mixed]) {
      const attendee = attendeeOf(order, otherSeat);
      const reads = [
        `GET admin:/orders/${order.id}`,
        `GET admin:/attendees/${attendee}`,
        `GET admin:/events/${other}/stock`,
      ];
      for (const call of reads) expect([call, (await as('author', call)).status]).toEqual([call, 403]);
      for (const [call, body] of writes(order, attendee))
        expect([call, body, (await as('author', call, body)).status]).toEqual([call, body, 403]);
      const move = await as('author', `POST admin:/attendees/${attendee}/move`, { ticket_id: ownSeat });
      expect(move.status).toBe(403);
    }
    const sale = { items: [{ ticket_id: otherSeat, quantity: 1 }], payment: 'cash' };
    expect((await as('author', 'POST admin:/orders', sale)).status).toBe(400);
    expect((await as('author', `DELETE admin:/holds/${await holdOf(server(), otherSeat)}`)).status).toBe(403);
    const code = await codeOf(server(), attendeeOf(foreign, otherSeat));
    const scan = await as('author', 'POST tickets:/qr', {
      ticket_id: attendeeOf(foreign, otherSeat),
      security_code: code,
    });
    expect(scan).toMatchObject({ status: 403, body: { error: 'event_mismatch' } });
    expect(scan.text).not.toContain('Secretive');
  });

  it('of own events are served by their author', async () => {
    const { id, attendees } = mine;
    expect((await as('author', `GET admin:/orders/${id}`)).body).toMatchObject({ id, url: expect.any(String) });
    const [first] = attendees;
    const renamed = await as('author', `PATCH tickets:/attendees/${first?.id}`, { full_name: 'Bo Park' });
    expect(renamed).toMatchObject({ status: 201, body: { title: 'Bo Park' } });
    const cancelled = await as('author', `POST admin:/orders/${id}/cancel-places`, { attendees: [first?.id] });
    expect(cancelled.body).toMatchObject({ status: 'completed', items: [{ quantity: 1, cancelled: 1 }] });
    const sale = { items: [{ ticket_id: ownSeat, quantity: 1 }], payment: 'cash' };
    expect((await as('author', 'POST admin:/orders', sale)).status).toBe(201);
    const made = { ticket_id: ownSeat, full_name: 'Ada Park', email: 'ada@party.test' };
    expect((await as('author', 'POST tickets:/attendees', made)).status).toBe(403);
  });

  it('of other events are in no list, count, report or history of an author', async () => {
    const texts: string[] = [];
    const ask = async (call: string, query: Asking['query'] = {}) => {
      const answer = await as('author', call, undefined, query);
      texts.push(answer.text);
      return answer.body;
    };
    for (const search of ['secretive', `#${foreign.id}`, `#${mixed.id}`, 'ada']) {
      const { orders } = await ask('GET admin:/orders', { search });
      const ids = orders.map((order: { id: number }) => order.id);
      expect(ids).not.toContain(foreign.id);
      expect(ids).not.toContain(mixed.id);
    }
    expect((await as('author', 'GET admin:/orders', undefined, { event: other })).status).toBe(400);
    expect((await ask('GET admin:/orders', { search: 'secretive' })).total).toBe(0);
    const people = await ask('GET admin:/attendees', { with: 'order,event', per_page: 100 });
    expect(new Set(people.attendees.map((one: { event_id: number }) => one.event_id))).toEqual(new Set([own]));
    const shared = people.attendees.find((one: { id: number }) => one.id === attendeeOf(mixed, ownSeat));
    expect(shared).toMatchObject({ order_id: mixed.id, order: null });
    expect((await ask('GET admin:/attendees', { include: attendeeOf(foreign, otherSeat) })).total).toBe(0);
    expect((await ask('GET tickets:/attendees', { email: MAIL })).attendees).toMatchObject([{ post_id: own }]);
    expect((await ask('GET tickets:/attendees', { order_id: foreign.id })).total).toBe(0);
    const [listed] = (await ask('GET tickets:/tickets', { include: otherSeat })).tickets;
    expect([listed.attendees, listed.checkin]).toEqual([[], undefined]);
    expect((await ask('GET tickets:/tickets', { include: otherSeat, attendees_min: 1 })).total).toBe(0);
    expect((await ask(`GET /events/${other}`)).attendance).toBeUndefined();
    expect((await ask(`GET /events/${own}`)).attendance.total_attendees).toBeGreaterThan(0);
    for (const by of ['event', 'ticket'])
      for (const { event_id } of (await ask('GET admin:/reports/sales', { by })).rows) expect(event_id).toBe(own);
    expect((await ask('GET admin:/reports/sales', { event: other })).totals.sold.places).toBe(0);
    const file = await server().ask('GET admin:/orders/export', { as: 'author' });
    texts.push(
      file.text,
      (await server().ask('GET admin:/attendees/export', { as: 'author', query: { event: other } })).text,
    );
    const records = [
      { kind: 'order', id: foreign.id },
      { kind: 'order', id: mixed.id },
      { kind: 'attendee', id: attendeeOf(foreign, otherSeat) },
    ];
    for (const record of records) expect((await as('author', 'GET admin:/audit', undefined, record)).status).toBe(403);
    expect((await as('author', 'GET admin:/audit', undefined, { kind: 'order', id: mine.id })).status).toBe(200);
    // The customer of both events is an attendee of the author's event, too; only there is the address seen.
    for (const text of texts) expect(text).not.toContain(`"id":${foreign.id},`);
    expect(file.text).not.toContain(MAIL);
  });

  it.each(['/calendar', '/wp-json/calendar', '/wp-json/tribe'])('under %s they are, in a batch too', async (prefix) => {
    const call = { method: 'PATCH', path: `${prefix}/admin/v1/orders/${foreign.id}`, body: { status: 'refunded' } };
    const alone = await server().request(call.path, {
      method: 'PATCH',
      headers: { authorization: `Basic ${btoa('author:author-password')}`, 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
    });
    const calls = [
      call,
      { method: 'GET', path: call.path },
      { method: 'GET', path: `/?rest_route=/calendar/admin/v1/orders/${foreign.id}` },
    ];
    const batch = await as('author', 'POST admin:/batch', { calls });
    const statuses = batch.body.results.map(({ status }: { status: number }) => status);
    expect([alone.status, ...statuses]).toEqual([403, 403, 403, 403]);
  });

  it('are not changed, exported or refunded by the box office', async () => {
    const attendee = attendeeOf(foreign, otherSeat);
    const before = await soldOf(server(), otherSeat);
    const refused: [string, unknown][] = [
      ...writes(foreign, attendee),
      ['GET admin:/orders/export', undefined],
      ['GET admin:/attendees/export', undefined],
      ['GET admin:/events/export', undefined],
      [`POST admin:/attendees/${attendee}/move`, { ticket_id: ownSeat }],
      ['POST tickets:/attendees', { ticket_id: ownSeat, full_name: 'Ada', email: 'ada@party.test' }],
      [`PATCH /events/${other}`, { title: 'Mine' }],
      [`DELETE /events/${other}`, undefined],
      [`DELETE admin:/holds/${await holdOf(server(), otherSeat)}`, undefined],
      ['GET admin:/audit', undefined],
    ];
    for (const [call, body] of refused)
      expect([call, body, (await as('box_office', call, body)).status]).toEqual([call, body, 403]);
    expect(await soldOf(server(), otherSeat)).toBe(before);
  });

  it('pay at the box office, which cannot act for them', async () => {
    const order = await buy(server(), [otherSeat], { purchaser: PURCHASER });
    const shown = (await as('box_office', `GET admin:/orders/${order.id}`)).body;
    expect(shown).toMatchObject({ purchaser: { email: MAIL }, next: ['completed'] });
    const more = await as('box_office', `PATCH admin:/orders/${order.id}`, { status: 'completed', note: 'Paid' });
    expect(more.status).toBe(403);
    const paid = await as('box_office', `PATCH admin:/orders/${order.id}`, { status: 'completed' });
    expect(paid.body).toMatchObject({ status: 'completed', next: [] });
    const sale = await as('box_office', 'POST admin:/orders', {
      items: [{ ticket_id: otherSeat, quantity: 1 }],
      payment: 'cash',
    });
    expect(sale.status).toBe(201);
    for (const { text } of [await as('box_office', `GET admin:/orders/${order.id}`), paid, sale])
      expect(text).not.toMatch(/"url"|\/order\//);
    const [{ id } = { id: 0 }] = paid.body.attendees;
    const ticket = await as('box_office', `GET admin:/attendees/${id}`);
    expect(ticket.body.security_code).toMatch(/^[0-9a-f]{20}$/);
    expect(ticket.text).not.toMatch(/"url"|\/ticket\//);
    expect((await as('editor', `GET admin:/attendees/${id}`)).body.url).toContain(`/ticket/${id}/`);
    const cheap = { items: [{ ticket_id: otherSeat, quantity: 1, price: 0 }], payment: 'cash', reason: 'A friend' };
    expect((await as('box_office', 'POST admin:/orders', cheap)).status).toBe(403);
    const back = await as('box_office', `PATCH admin:/orders/${order.id}`, { status: 'pending' });
    expect(back.status).toBe(403);
  });

  it('leave the author with the event', async () => {
    const event = await makeEvent(server(), { author: server().userId('author') });
    const { id } = await makeAttendee(server(), await makeSeat(server(), event));
    expect((await as('author', `GET admin:/attendees/${id}`)).status).toBe(200);
    await as('editor', `PATCH /events/${event}`, { author: server().userId('editor') });
    expect((await as('author', `GET admin:/attendees/${id}`)).status).toBe(403);
  });
});
