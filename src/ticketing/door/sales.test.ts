import { describe, expect, it } from 'vitest';
import { codeOf, makeSeat, soldOf } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { makeGate, pairDevice, scanOf, type TestDevice } from '../../../test/door.ts';
import { BOTH_DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

/** A gate that sells, with its device, and a ticket for $10. */
async function boxOffice(server: TestServer, { places = 5, ...fields }: Record<string, unknown> = {}) {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event, Number(places));
  const gate = await makeGate(server, [event], { may_sell: true, ...fields });
  return { event, ticket, gate, device: await pairDevice(server, gate, 'Till') };
}

let serial = 0;
const newId = (): string => `sale-${String(++serial).padStart(6, '0')}`;

const sell = (device: TestDevice, ticket_id: number, quantity: number, more: Record<string, unknown> = {}) =>
  device.ask('POST admin:/door/sales', {
    body: { id: newId(), items: [{ ticket_id, quantity }], payment: 'cash', ...more },
  });

/** An unpaid order of customers who pay at the door, with one of its attendees. */
async function unpaidOrder(server: TestServer, ticket: number) {
  await server.make('PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
  const { id: order } = await buy(server, [ticket]);
  const { id } = await server.context.db.query
    .selectFrom('attendees')
    .select('id')
    .where('order_id', '=', order)
    .executeTakeFirstOrThrow();
  return { order, id };
}

const logOf = async (server: TestServer, order: number) =>
  (await server.ask(`GET admin:/orders/${order}`, { as: 'administrator' })).body;

describe.each(BOTH_DATABASES)('the box office at the door on %s', (kind) => {
  const server = useTestServer(kind);

  it('sells places as the counter does, and names gate and device', async () => {
    const { event, ticket, device } = await boxOffice(server());
    const { body: offers } = await device.ask('GET admin:/door/offers');
    expect(offers.tickets).toEqual([
      { id: ticket, event_id: event, title: expect.any(String), price: 1000, available: 5 },
    ]);
    const { status, body, text } = await sell(device, ticket, 2, { purchaser: { name: 'Bo Reed' } });
    expect([status, body]).toMatchObject([
      201,
      { amount: 2000, payment: 'cash', order: { total: 2000, currency: 'USD' }, attendees: [{ name: 'Bo Reed' }, {}] },
    ]);
    expect(text).not.toContain(await codeOf(server(), body.attendees[0].id));
    expect(await soldOf(server(), ticket)).toBe(2);
    const { order_id } = await server()
      .context.db.query.selectFrom('attendees')
      .select('order_id')
      .where('id', '=', body.attendees[0].id)
      .executeTakeFirstOrThrow();
    const order = await logOf(server(), order_id ?? 0);
    expect(order).toMatchObject({ status: 'completed', gateway: 'cash' });
    expect(order.log.at(-1)).toMatchObject({ action: 'sale', details: { gate: 'North', device: 'Till' }, user_id: 0 });
    const { audit } = (await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'order' } })).body;
    expect(audit[0]).toMatchObject({ means: 'door-device', credential: { name: 'Till' } });
    // The device knows them when it next synchronises, and lets them in.
    expect((await device.list()).rows.get(body.attendees[0].id)?.[3]).toBe('ok');
    const [answer] = await device.scan(scanOf(server(), body.attendees[0].id, undefined));
    expect(answer.verdict).toBe('welcome');
  });

  it('makes each sale once, even if it is sent several times or in parallel', async () => {
    const { ticket, device } = await boxOffice(server());
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 4 }, () => sell(device, ticket, 1, { id })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await soldOf(server(), ticket)).toBe(1);
  });

  it('takes the money of an unpaid order, once, if it is what the device has shown', async () => {
    const { ticket, gate, device } = await boxOffice(server());
    const { order, id: attendee } = await unpaidOrder(server(), ticket);
    const pay = (body: object) =>
      device.ask('POST admin:/door/payments', { body: { attendee, amount: 1000, payment: 'card', ...body } });
    expect((await pay({ id: newId(), amount: 999 })).status).toBe(400);
    const other = await boxOffice(server());
    const elsewhere = { body: { id: newId(), attendee, amount: 1000, payment: 'card' } };
    expect((await other.device.ask('POST admin:/door/payments', elsewhere)).body.code).toBe('order-not-payable');
    const id = newId();
    const paid = [await pay({ id }), await pay({ id })];
    expect(paid.map(({ status, body }) => [status, body.amount])).toEqual([
      [201, 1000],
      [201, 1000],
    ]);
    expect((await pay({ id: newId() })).body.code).toBe('order-not-payable');
    const { status, log, payments } = await logOf(server(), order);
    expect([status, payments.length]).toEqual(['completed', 1]);
    expect(log.at(-1)).toMatchObject({ action: 'payment', details: { gate: 'North', device: 'Till' } });
    expect((await device.scan(scanOf(server(), attendee, await codeOf(server(), attendee))))[0].verdict).toBe(
      'welcome',
    );
    expect(gate).toBeGreaterThan(0);
  });

  it('sums up the day for the device, the gate and the event', async () => {
    const { event, ticket, gate, device } = await boxOffice(server());
    const second = await pairDevice(server(), gate, 'Second till');
    await sell(device, ticket, 2);
    await sell(device, ticket, 1, { payment: 'card' });
    await sell(second, ticket, 1);
    const day = server().clock.now;
    const { body } = await device.ask('GET admin:/door/sales');
    const cash = { payment: 'cash', currency: 'USD' };
    expect(body.device).toEqual([
      { payment: 'card', currency: 'USD', sales: 1, places: 1, amount: 1000 },
      { ...cash, sales: 1, places: 2, amount: 2000 },
    ]);
    expect(body.gate).toContainEqual({ ...cash, sales: 2, places: 3, amount: 3000 });
    const stats = await server().ask('GET admin:/door/stats', { as: 'editor', query: { event_id: event } });
    expect(stats.body.sales).toContainEqual({
      ...{ gate_id: gate, device_id: second.id, device: 'Second till' },
      ...{ ...cash, sales: 1, places: 1, amount: 1000 },
    });
    server().clock.now = new Date(day.getTime() + 2 * 86_400_000);
    expect((await device.ask('GET admin:/door/sales')).body).toEqual({ device: [], gate: [] });
    server().clock.now = day;
  });

  it('sums up a night until six in the morning, and no sale twice', async () => {
    const { ticket, device } = await boxOffice(server(), { places: 9 });
    const { clock } = server();
    const before = clock.now;
    const at = async (local: string, quantity = 0): Promise<number | undefined> => {
      clock.now = new Date(`${local}:00-05:00`);
      if (quantity > 0) expect((await sell(device, ticket, quantity)).status).toBe(201);
      return (await device.ask('GET admin:/door/sales')).body.device[0]?.places;
    };
    const sums = [
      await at('2026-11-21T23:50', 1),
      await at('2026-11-22T01:10', 2),
      await at('2026-11-22T05:59'),
      await at('2026-11-22T06:00'),
      await at('2026-11-22T19:00', 3),
      await at('2026-11-23T02:00'),
    ];
    clock.now = before;
    expect(sums).toEqual([1, 3, 3, undefined, 3, 3]);
  });

  it('books the money of an order of several events by event', async () => {
    const [first, second] = [await makeEvent(server()), await makeEvent(server())];
    const tickets = [await makeSeat(server(), first, 5), await makeSeat(server(), second, 5)];
    const gate = await makeGate(server(), [first, second], { may_sell: true });
    const device = await pairDevice(server(), gate, 'Till');
    const statsOf = async (event_id: number) =>
      (await server().ask('GET admin:/door/stats', { as: 'editor', query: { event_id } })).body.sales;
    const items = tickets.map((ticket_id, at) => ({ ticket_id, quantity: 2 - at }));
    const id = newId();
    const sold = await Promise.all([0, 1].map(() => sell(device, 0, 0, { id, items })));
    expect(sold.map(({ status, body }) => [status, body.amount])).toEqual([
      [201, 3000],
      [201, 3000],
    ]);
    expect(await statsOf(first)).toMatchObject([{ sales: 1, places: 2, amount: 2000 }]);
    expect(await statsOf(second)).toMatchObject([{ sales: 1, places: 1, amount: 1000 }]);
    const { body } = await device.ask('GET admin:/door/sales');
    expect(body.device).toMatchObject([{ sales: 1, places: 3, amount: 3000 }]);
  });

  it('makes only one of two sales with the same id, even if their tickets differ', async () => {
    const { event, ticket, device } = await boxOffice(server());
    const other = await makeSeat(server(), event, 5);
    const id = newId();
    const sold = await Promise.all([ticket, other].map((one) => sell(device, one, 1, { id })));
    expect(sold.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(sold.map(({ text }) => text)).size).toBe(1);
    expect((await soldOf(server(), ticket)) + (await soldOf(server(), other))).toBe(1);
  });

  it('repeats the response to a sale if it was lost, also when its gate may no longer sell', async () => {
    const { event, ticket, gate, device } = await boxOffice(server());
    const id = newId();
    const { order, id: attendee } = await unpaidOrder(server(), ticket);
    const pay = { body: { id: newId(), attendee, amount: 1000, payment: 'cash' } };
    const both = async () => [
      await sell(device, ticket, 1, { id }),
      await device.ask('POST admin:/door/payments', pay),
    ];
    const first = await both();
    expect(first.map(({ status }) => status)).toEqual([201, 201]);
    const other = await makeSeat(server(), event, 5);
    await server().make(`PATCH admin:/door/gates/${gate}`, { ticket_ids: [other] });
    const again = await both();
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_sell: false });
    for (const answers of [again, await both()])
      expect(answers.map(({ status, text }) => [status, text])).toEqual(first.map(({ text }) => [201, text]));
    expect((await sell(device, other, 1)).status).toBe(403);
    expect((await logOf(server(), order)).payments).toHaveLength(1);
    expect(await soldOf(server(), ticket)).toBe(2);
  });

  it('refuses gates that do not sell, other prices, other tickets, other events and more places than there are', async () => {
    const { event, ticket, gate, device } = await boxOffice(server(), { places: 2 });
    const statusOf = async (...args: Parameters<typeof sell>) => {
      const { status, body } = await sell(...args);
      return [status, body.code];
    };
    expect(await statusOf(device, ticket, 3)).toEqual([409, 'tec-tc-insufficient-stock']);
    const cheap = { items: [{ ticket_id: ticket, quantity: 1, price: 1 }] };
    expect(await statusOf(device, ticket, 1, cheap)).toEqual([400, 'rest_invalid_param']);
    const foreign = await makeSeat(server(), await makeEvent(server()), 5);
    expect(await statusOf(device, foreign, 1)).toEqual([400, 'rest_invalid_param']);
    expect(await statusOf(device, ticket, 1, { id: 'short' })).toEqual([400, 'rest_invalid_param']);
    expect(await statusOf(device, ticket, 1, { payment: 'free' })).toEqual([400, 'rest_invalid_param']);
    const other = await makeSeat(server(), event, 5);
    await server().make(`PATCH admin:/door/gates/${gate}`, { ticket_ids: [ticket] });
    expect(await statusOf(device, other, 1)).toEqual([400, 'rest_invalid_param']);
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_sell: false });
    expect(await statusOf(device, ticket, 1)).toEqual([403, 'rest_forbidden']);
    expect((await device.ask('GET admin:/door/offers')).status).toBe(403);
    const pay = { id: newId(), attendee: 1, amount: 1, payment: 'cash' };
    expect((await device.ask('POST admin:/door/payments', { body: pay })).status).toBe(403);
    expect(await soldOf(server(), ticket)).toBe(0);
  });
});
