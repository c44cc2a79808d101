import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, makeSeat, soldOf } from '../../../test/attendees.ts';
import { asHolder, buy } from '../../../test/buyers.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { ADA } from '../../../test/shopper.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { expireUnpaid } from '../../jobs/expire-unpaid.ts';
import { orderNumber } from '../../lib/order-number.ts';

const KEY = 'the key of the door';
const TRIBE = '/wp-json/tribe';
const DOOR = [{ id: 'door', at_door: true, hold_hours: null }];
const UNPAID = { total: { minor: 3600, formatted: '$36.00' }, expires_utc: '2027-03-07 02:00:00' };

describe.each(DATABASES)('an order to be paid at the door on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: KEY });
  let event: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server(), { title: 'Lantern Night', slug: 'lantern-night' });
    seat = await makeSeat(server(), event, 1000, { price: '18' });
  });
  const settle = (payment_ways: object[]) => server().make('PATCH admin:/site', { payment_ways });
  beforeEach(async () => {
    server().clock.now = NOON;
    await settle(DOOR);
  });

  const read = ({ id, headers }: { id: number; headers: Record<string, string> }) =>
    server().ask(`GET tickets:/orders/${id}`, { headers });
  const page = async (path: string) => (await server().request(new URL(path, 'http://localhost').pathname)).text();
  const scan = (code: object, prefix = '') => {
    const asked = { query: { api_key: KEY, ...code }, prefix: prefix || undefined };
    return server().ask('GET tickets:/qr', asked);
  };

  it('has codes and pages at once, and says how much is to be paid until when', async () => {
    const order = await buy(server(), [seat, seat]);
    const { body } = await read(order);
    expect(body).toMatchObject({ status: 'pending', at_door: true, expires_utc: UNPAID.expires_utc });
    for (const [index, { security_code, url }] of order.attendees.entries())
      expect(body.attendees[index]).toMatchObject({ admits: false, unpaid: UNPAID, security_code, url });
    const [first] = order.attendees;
    const holder = await server().ask(`GET tickets:/attendees/${first?.id}/ticket`, { headers: asHolder(first?.url) });
    expect(holder.body).toMatchObject({ unpaid: UNPAID, security_code: first?.security_code });
    const shown = [await page(order.body.order.url), await page(first?.url ?? '')];
    for (const text of shown) {
      expect(text).toContain('Unpaid: $36.00');
      expect(text).toMatch(/Valid until [^<]*EST/);
      expect(text).toContain('code.png');
    }
    expect(shown[0]).toContain(orderNumber(order.id));
    expect(await page(`${first?.url}ical/`)).toContain('SUMMARY:Lantern Night');
  });

  it('is refused by every way of check-in, with the amount for the staff', async () => {
    const { attendees, id } = await buy(server(), [seat, seat]);
    const [{ id: ticket_id, security_code } = { id: 0, security_code: '' }] = attendees;
    const code = { ticket_id, security_code };
    const message = `${ADA.name} has not paid yet: $36.00, order ${orderNumber(id)}. Take the payment first, then scan again.`;
    const refusal = { status: 403, body: { error: 'attendee_not_authorized', msg: message } };
    expect(await scan(code)).toMatchObject(refusal);
    expect(await scan({ ...code, event_id: event }, TRIBE)).toMatchObject(refusal);
    expect(await server().ask('POST tickets:/qr', { body: code, as: 'door' })).toMatchObject(refusal);
    for (const as of ['door', 'editor'] as const) {
      const byHand = await server().ask(`PATCH tickets:/attendees/${ticket_id}`, { as, body: { check_in: true } });
      expect(byHand).toMatchObject({ status: 400, body: { code: 'tec-et-attendee-invalid-check-in' } });
    }
    const query = { search: security_code, with: 'order,code_end' };
    const found = await server().ask('GET admin:/attendees', { as: 'editor', query });
    expect(found.body.attendees).toMatchObject([
      {
        id: ticket_id,
        checked_in: false,
        code_end: security_code.slice(-4),
        order: { id, status: 'pending', total: UNPAID.total },
      },
    ]);
    await server().make(`PATCH admin:/orders/${id}`, { status: 'completed' }, 'editor');
    expect((await scan(code)).status).toBe(201);
  });

  it('has tickets that cannot be transferred before they are paid, and are void once it is cancelled', async () => {
    const order = await buy(server(), [seat]);
    const [{ id, url } = { id: 0, url: '' }] = order.attendees;
    const mary = { full_name: 'Mary', email: 'mary@party.test' };
    const given = await server().ask(`POST tickets:/attendees/${id}/transfer`, { body: mary, headers: asHolder(url) });
    expect(given).toMatchObject({ status: 409, body: { data: { reason: 'not-admitted' } } });
    await server().ask(`POST tickets:/orders/${order.id}/cancel`, { headers: order.headers, body: {} });
    const { body } = await server().ask(`GET tickets:/attendees/${id}/ticket`, { headers: asHolder(url) });
    expect(body).toMatchObject({ status: 'trash', admits: false });
    for (const name of ['unpaid', 'security_code', 'url']) expect(body).not.toHaveProperty(name);
  });

  it('by transfer has no codes until it is paid, neither in its checkout nor later', async () => {
    await settle([{ id: 'transfer', hold_hours: 48 }]);
    const order = await buy(server(), [seat]);
    expect(order.attendees).toEqual([{ id: expect.any(Number), ticket_id: seat }]);
    const [ticket] = (await read(order)).body.attendees;
    for (const name of ['unpaid', 'security_code', 'url']) expect(ticket).not.toHaveProperty(name);
    expect(await codeOf(server(), ticket.id)).toMatch(/^[0-9a-f]{20}$/);
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' }, 'editor');
    expect((await read(order)).body.attendees[0]).toMatchObject({ admits: true, url: expect.any(String) });
  });

  it.each([
    ['until the event ends', null, [0], '2027-03-07 02:00:00'],
    ['until the hours before the start of the event', 24, [0], '2027-03-05 23:30:00'],
    ['until the start with no hours', 0, [0], '2027-03-06 23:30:00'],
    ['until the last of its events ends', null, [0, 1], '2027-03-09 01:00:00'],
    ['until the hours before the first of its events', 2, [0, 1], '2027-03-06 21:30:00'],
    ['for half an hour at least', 8000, [0], '2026-11-21 17:30:00'],
  ])('keeps its places %s', async (_until, hold_hours, which, expires) => {
    await settle([{ id: 'box-office', name: 'Box office', at_door: true, hold_hours }]);
    const dates = { start_date: '2027-03-08 18:00:00', end_date: '2027-03-08 20:00:00' };
    const later = await makeSeat(server(), await makeEvent(server(), dates), 10, { price: '18' });
    const order = await buy(
      server(),
      [seat, later].filter((_ticket, index) => (which as number[]).includes(index)),
    );
    const expiry = async () => (await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' })).body;
    expect((await expiry()).expires_utc).toBe(expires);
    const before = new Date(`${expires.replace(' ', 'T')}Z`).getTime() - 1000;
    server().clock.now = new Date(before);
    await expireUnpaid(server().context);
    expect((await expiry()).status).toBe('pending');
    server().clock.now = new Date(before + 1000);
    await expireUnpaid(server().context);
    expect((await expiry()).status).toBe('not-completed');
  });

  it('follows its event to another date, unless staff set a time', async () => {
    const moved = await makeEvent(server());
    const ticket = await makeSeat(server(), moved, 10, { price: '18' });
    const [followed, fixed] = [await buy(server(), [ticket]), await buy(server(), [ticket])];
    await server().make(`PATCH admin:/orders/${fixed.id}`, { expires_utc: '2027-03-01 12:00' }, 'editor');
    const dates = { start_date: '2027-04-10 18:30:00', end_date: '2027-04-10 21:00:00' };
    await server().make(`PATCH /events/${moved}`, dates);
    server().clock.now = new Date('2027-03-08T12:00:00Z');
    await expireUnpaid(server().context);
    expect((await read(followed)).body).toMatchObject({ status: 'pending', expires_utc: '2027-04-11 01:00:00' });
    expect((await read(fixed)).body.status).toBe('not-completed');
    expect(await soldOf(server(), ticket)).toBe(1);
    server().clock.now = new Date('2027-04-11T01:00:00Z');
    await expireUnpaid(server().context);
    expect(await soldOf(server(), ticket)).toBe(0);
  });

  it('keeps its places while its event has no date, and counts no cancelled ones', async () => {
    const moved = await makeEvent(server());
    const ticket = await makeSeat(server(), moved, 10, { price: '18' });
    const later = { start_date: '2027-05-08 18:00:00', end_date: '2027-05-08 20:00:00' };
    const other = await makeSeat(server(), await makeEvent(server(), later), 10, { price: '18' });
    const order = await buy(server(), [ticket, other]);
    const second = order.attendees.find(({ ticket_id }) => ticket_id === other);
    await server().make(`POST admin:/orders/${order.id}/cancel-places`, { attendees: [second?.id] }, 'editor');
    await expireUnpaid(server().context);
    expect((await read(order)).body.expires_utc).toBe(UNPAID.expires_utc);
    await server().make(`PATCH /events/${moved}`, { event_status: 'postponed' });
    server().clock.now = new Date('2027-03-08T12:00:00Z');
    await expireUnpaid(server().context);
    expect((await read(order)).body).toMatchObject({ status: 'pending', expires_utc: null });
    const dates = { start_date: '2027-04-10 18:30:00', end_date: '2027-04-10 21:00:00' };
    await server().make(`PATCH /events/${moved}`, { event_status: 'rescheduled', ...dates });
    await expireUnpaid(server().context);
    expect((await read(order)).body.expires_utc).toBe('2027-04-11 01:00:00');
    expect(await soldOf(server(), ticket)).toBe(1);
  });

  it('has half an hour again once staff reopen it', async () => {
    await settle([{ id: 'door', at_door: true, hold_hours: 24 }]);
    const own = await makeSeat(server(), event, 10, { price: '18' });
    const order = await buy(server(), [own]);
    const status = async () => {
      await expireUnpaid(server().context);
      return (await read(order)).body.status;
    };
    server().clock.now = new Date('2027-03-06T22:30:00Z');
    expect(await status()).toBe('not-completed');
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'pending' }, 'editor');
    expect(await status()).toBe('pending');
    expect((await read(order)).body.expires_utc).toBe('2027-03-06 23:00:00');
    expect(await soldOf(server(), own)).toBe(1);
    server().clock.now = new Date('2027-03-06T23:00:00Z');
    expect(await status()).toBe('not-completed');
  });

  it('counts under the limits on kept places for weeks, until it is paid', async () => {
    server().restart({ keptPerAddress: 3 });
    const from = '198.51.100.20';
    const order = async (quantity: number) => {
      const tickets = [{ ticket_id: seat, quantity }];
      const cart = await server().ask('POST tickets:/cart', { body: { provider: 'tc', tickets }, from });
      const headers = { 'x-cart-token': cart.headers.get('x-cart-token') ?? '' };
      return server().ask('POST tickets:/cart/checkout', { body: { purchaser: ADA }, headers, from });
    };
    const first = await order(3);
    expect(first.status).toBe(201);
    server().clock.now = new Date(NOON.getTime() + 60 * 86_400_000);
    await expireUnpaid(server().context);
    expect(await order(1)).toMatchObject({ status: 429, body: { code: 'too-many-places-held' } });
    await server().make(`PATCH admin:/orders/${first.body.order.id}`, { status: 'completed' }, 'editor');
    expect((await order(1)).status).toBe(201);
    server().restart({});
  });

  it('of an earlier version has its codes too, and a method of its own hours counts from the order as before', async () => {
    const { query } = server().context.db;
    const stored = JSON.stringify([
      { id: 'door', hold_hours: 2 },
      { id: 'transfer', hold_hours: null },
    ]);
    await query.updateTable('site_settings').set({ payment_ways: stored }).execute();
    const { body } = await server().ask('GET admin:/site', { as: 'administrator' });
    expect(body.payment_ways.map(({ at_door }: { at_door: boolean }) => at_door)).toEqual([false, false]);
    await query.updateTable('site_settings').set({ payment_ways: '[{"id":"door","hold_hours":null}]' }).execute();
    const present = await server().ask('GET admin:/site', { as: 'administrator' });
    expect(present.body.payment_ways[0].at_door).toBe(true);
  });
});
