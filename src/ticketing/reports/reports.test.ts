import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { BOTH_DATABASES, NOON, type TestServer, useTestServer } from '../../../test/server.ts';
import { counters, holdOf, shopperOf, wait } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

const get = async (server: TestServer, path: string, query = {}, as: 'editor' | 'author' = 'editor') => {
  const { status, body, text } = await server.ask(`GET admin:${path}`, { as, query });
  if (status !== 200) throw new Error(`${path} answered ${status} ${text}`);
  return body;
};

/** Buys places of a ticket; returns the order. */
async function buy(server: TestServer, ticket_id: number, quantity: number): Promise<number> {
  const shopper = shopperOf(server);
  await shopper.put([{ ticket_id, quantity }]);
  return (await shopper.checkout()).body.order.id;
}

const setStatus = (server: TestServer, order: number, status: string) =>
  server.ask(`PATCH admin:/orders/${order}`, { as: 'editor', body: { status } });

const figure = (places: number, minor: number) => ({
  places,
  amounts: [{ currency: 'USD', minor, formatted: `$${(minor / 100).toFixed(2)}` }],
});
const NONE = figure(0, 0);

describe.each(BOTH_DATABASES)('reports on %s', (kind) => {
  const server = useTestServer(kind);

  it('divide sales by days of the site, with separate refunds and running totals', async () => {
    // 23:30 of the day before in New York.
    server().clock.now = new Date('2026-11-20T04:30:00Z');
    const event = await makeEvent(server());
    const ticket = await makeSeat(server(), event, 50);
    const reply = await makeRsvp(server(), event);
    await makeAttendee(server(), reply);
    await setStatus(server(), await buy(server(), ticket, 2), 'completed');
    server().clock.now = NOON;
    await setStatus(server(), await buy(server(), ticket, 3), 'refunded');
    await setStatus(server(), await buy(server(), ticket, 1), 'completed');
    await buy(server(), ticket, 4);
    const report = await get(server(), '/reports/sales', { event, from: '2026-11-19', to: '2026-11-21' });
    expect(report.totals).toEqual({
      sold: figure(3, 3000),
      pending: figure(4, 4000),
      refunded: figure(3, 3000),
      cancelled: NONE,
    });
    const days = report.periods.map(({ start, sold, running }: Record<string, { places: number }>) => [
      String(start).slice(0, 10),
      sold?.places,
      running?.places,
    ]);
    expect(days).toEqual([
      ['2026-11-19', 2, 2],
      ['2026-11-20', 0, 2],
      ['2026-11-21', 1, 3],
    ]);
    const byTicket = await get(server(), '/reports/sales', { events: event, by: 'ticket' });
    expect(byTicket.rows).toMatchObject([{ ticket_id: ticket, event_id: event, sold: { places: 3 } }]);
    const hours = await get(server(), '/reports/sales', { event, by: 'hour', from: '2026-11-19', to: '2026-11-19' });
    expect(hours.periods.at(-1)).toMatchObject({ start: '2026-11-19 23:00:00', sold: { places: 2 } });
  });

  it('count single places as refunded if their money was given back, and as cancelled otherwise', async () => {
    server().clock.now = NOON;
    const event = await makeEvent(server());
    const ticket = await makeSeat(server(), event, 50);
    const [paid, other] = [await buy(server(), ticket, 4), await buy(server(), ticket, 2)];
    for (const order of [paid, other]) await setStatus(server(), order, 'completed');
    const placesOf = async (order: number): Promise<number[]> => {
      const { attendees } = (await server().ask(`GET admin:/orders/${order}`, { as: 'editor' })).body;
      return attendees.map(({ id }: { id: number }) => id);
    };
    const [first, second, third] = await placesOf(paid);
    await server().make(`POST admin:/orders/${paid}/refunds`, { attendees: [first] });
    await server().make(`POST admin:/orders/${paid}/refunds`, { attendees: [second], amount: 500 });
    await server().make(`POST admin:/orders/${paid}/cancel-places`, { attendees: [third] });
    await server().make(`POST admin:/orders/${other}/refunds`, {});
    const day = { from: '2026-11-21', to: '2026-11-21' };
    const expected = {
      sold: figure(1, 1000),
      refunded: figure(4, 4000),
      cancelled: figure(1, 1000),
    };
    expect((await get(server(), '/reports/sales', { event, ...day })).totals).toMatchObject(expected);
    expect((await get(server(), '/reports/sales', { event, by: 'ticket', ...day })).rows).toMatchObject([expected]);
  });

  it('keep currencies apart', async () => {
    const event = await makeEvent(server());
    const ticket = await makeSeat(server(), event, 50);
    await setStatus(server(), await buy(server(), ticket, 1), 'completed');
    server().restart({ currency: 'EUR', currencySymbol: '€' });
    await setStatus(server(), await buy(server(), ticket, 2), 'completed');
    const { totals } = await get(server(), '/reports/sales', { event });
    server().restart({});
    expect(totals.sold.amounts.map(({ currency, minor }: Record<string, unknown>) => [currency, minor])).toEqual([
      ['EUR', 2000],
      ['USD', 1000],
    ]);
  });

  it('count expected and checked-in attendees', async () => {
    server().clock.now = NOON;
    const event = await makeEvent(server());
    const reply = await makeRsvp(server(), event);
    await makeAttendee(server(), reply, { check_in: true });
    await makeAttendee(server(), reply);
    await makeAttendee(server(), reply, { attendee_status: 'no' });
    const figures = { expected: 2, came: 1, declined: 1 };
    expect(await get(server(), '/reports/attendance', { event })).toMatchObject({
      from: null,
      totals: figures,
      rows: [{ event_id: event, ...figures }],
    });
    expect((await get(server(), '/reports/attendance', { event, by: 'hour' })).periods).toEqual([
      { start: '2026-11-21 12:00:00', start_utc: '2026-11-21 17:00:00', came: 1, running: 1 },
    ]);
    const { attendance } = (await server().ask(`GET /events/${event}`, { as: 'editor' })).body;
    expect(attendance).toEqual({ total_attendees: 3, checked_in: 1, not_checked_in: 2, declined: 1 });
    const outside = { from: '2027-03-07', to: '2027-03-08' };
    expect((await get(server(), '/reports/attendance', { event, ...outside })).totals.expected).toBe(0);
  });

  it('show authors their own events only', async () => {
    const author = server().userId('author');
    const [own, other] = [await makeEvent(server(), { author }), await makeEvent(server())];
    await buy(server(), await makeSeat(server(), own), 1);
    await buy(server(), await makeSeat(server(), other), 2);
    const query = { events: `${own},${other}`, by: 'event' };
    const { rows, totals } = await get(server(), '/reports/sales', query, 'author');
    expect(rows.map(({ event_id }: { event_id: number }) => event_id)).toEqual([own]);
    expect(totals.pending.places).toBe(1);
  });

  it.each([
    ['the last day is before the first', { from: '2026-11-02', to: '2026-11-01' }, 'to'],
    ['there are too many hours', { from: '2026-01-01', to: '2026-11-01', by: 'hour' }, 'from'],
    ['there are too many days', { from: '0001-01-01', to: '9999-12-31' }, 'from'],
  ])('are refused when %s', async (_what, query, name) => {
    const { status, body } = await server().ask('GET admin:/reports/sales', { as: 'editor', query });
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
  });

  it('agree with orders and attendees after any history', async () => {
    // Before all of the history, since tickets are on sale from then on.
    server().clock.now = new Date('2026-08-01T17:00:00Z');
    const event = await makeEvent(server());
    const tickets = [await makeSeat(server(), event, 90), await makeSeat(server(), event, 90, { price: '7' })];
    const act = fc.tuple(fc.constantFrom(...tickets), fc.integer({ min: 1, max: 3 }), STATUS, fc.nat(90_000));
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (acts) => {
        for (const [ticket, quantity, status, minutes] of acts) {
          server().clock.now = new Date(NOON.getTime() - minutes * 60_000);
          const order = await buy(server(), ticket, quantity);
          if (status !== 'pending') await setStatus(server(), order, status);
        }
        server().clock.now = NOON;
        await expectSums(server(), event);
      }),
      { numRuns: 5 },
    );
  });

  it('list current events and open tasks for the home screen of the console', async () => {
    server().clock.now = NOON;
    const start = { start_date: '2026-11-21 20:00:00', end_date: '2026-11-21 22:00:00' };
    const event = await makeEvent(server(), start);
    const ticket = await makeSeat(server(), event, 10);
    await buy(server(), ticket, 9);
    const draft = await makeEvent(server(), { ...start, status: 'draft' });
    const market = await makeEvent(server(), { ...start, all_day: true });
    const body = await get(server(), '/overview');
    expect(body.today.events).toContainEqual(
      expect.objectContaining({ event_id: market, all_day: true, capacity: -1 }),
    );
    const idOf = ({ event_id }: { event_id: number }) => event_id;
    expect(body.today.events).toContainEqual(
      expect.objectContaining({ event_id: event, all_day: false, sold: 9, came: 0, capacity: 10 }),
    );
    expect(body.week.events.map(idOf)).toContain(event);
    expect(body.tasks.drafts_due.events.map(idOf)).toContain(draft);
    expect(body.tasks.low_stock.tickets).toContainEqual(expect.objectContaining({ ticket_id: ticket, available: 1 }));
    expect(body.tasks.pending_orders.count).toBeGreaterThan(0);
    expect(body.sales.periods).toHaveLength(7);
    const own = await get(server(), '/overview', {}, 'author');
    const isPart = own.tasks.pending_orders.count < body.tasks.pending_orders.count;
    expect([isPart, own.tasks.reviews, own.today.events.map(idOf).includes(event)]).toEqual([true, null, false]);
  });

  it('account for the places of an event, whose carts can be made to give them back', async () => {
    server().clock.now = NOON;
    const event = await makeEvent(server());
    const pool = { mode: 'global', event_capacity: 10 };
    const { id: adult } = await makeTicket(server(), event, { ticket: pool });
    const { id: child } = await makeTicket(server(), event, { ticket: pool });
    const order = await buy(server(), adult, 2);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: child, quantity: 3 }]);
    const stock = await get(server(), `/events/${event}/stock`);
    const [hold] = stock.tickets[1].held.next_holds;
    expect(stock).toMatchObject({
      pool: { capacity: 10, sold: 2, held: 3, available: 5, withdrawn: 0, over: 0 },
      tickets: [
        { ticket_id: adult, sold: { orders: 1, latest_orders: [{ order_id: order, places: 2 }] }, available: 5 },
        { ticket_id: child, held: { total: 3, carts: 1 }, blocked_by_others: 2 },
      ],
    });
    expect(hold).toMatchObject({ places: 3, until_utc: '2026-11-21 17:15:00' });
    const release = () => server().ask(`DELETE admin:/holds/${hold.id}`, { as: 'editor' });
    expect((await release()).body.tickets).toEqual([{ ticket_id: child, event_id: event, places: 3 }]);
    expect((await release()).status).toBe(404);
    expect(await counters(server(), child)).toEqual({ held: 0, sold: 0 });
    expect((await shopper.checkout()).body.code).toBe('cart-expired');
  });

  it('let either the checkout or the release of a cart win', async () => {
    const ticket = await makeSeat(server(), await makeEvent(server()), 20);
    for (let round = 0; round < 4; round += 1) {
      const before = await counters(server(), ticket);
      const shopper = shopperOf(server());
      await shopper.put([{ ticket_id: ticket, quantity: 2 }]);
      const { cart_id } = await server()
        .context.db.query.selectFrom('cart_items')
        .select('cart_id')
        .where('ticket_id', '=', ticket)
        .executeTakeFirstOrThrow();
      const calls = [() => shopper.checkout(), () => server().ask(`DELETE admin:/holds/${cart_id}`, { as: 'editor' })];
      if (round % 2 === 1) calls.reverse();
      const statuses = (await Promise.all(calls.map((call) => call()))).map(({ status }) => status);
      const isSold = statuses.includes(201);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(await counters(server(), ticket)).toEqual({ held: 0, sold: before.sold + (isSold ? 2 : 0) });
    }
  });

  it('do not release holds that have expired already', async () => {
    const hold = await holdOf(server(), await makeSeat(server(), await makeEvent(server()), 5));
    wait(server(), 15);
    expect((await server().ask(`DELETE admin:/holds/${hold}`, { as: 'editor' })).status).toBe(404);
  });
});

const STATUS = fc.constantFrom('pending', 'completed', 'refunded', 'voided', 'not-completed');

/** Compares the report with the orders of an event, added up one by one. */
async function expectSums(server: TestServer, event: number): Promise<void> {
  const rows = await server.context.db.query
    .selectFrom('order_items')
    .innerJoin('orders', 'orders.id', 'order_items.order_id')
    .select(['order_id', 'status', 'quantity', 'price'])
    .where('event_id', '=', event)
    .execute();
  const of = (...statuses: string[]) => {
    const found = rows.filter(({ status }) => statuses.includes(status));
    const sum = (value: (row: (typeof rows)[number]) => number) => found.reduce((all, row) => all + value(row), 0);
    return [sum((row) => row.quantity), sum((row) => row.quantity * row.price)];
  };
  const query = { event, from: '2026-08-01', to: '2026-11-22' };
  const byDay = await get(server, '/reports/sales', query);
  const expected = [of('completed'), of('pending'), of('refunded'), of('voided', 'not-completed')];
  const read = ({ places, amounts }: ReturnType<typeof figure>) => [places, amounts[0]?.minor];
  const all = (part: Record<string, ReturnType<typeof figure>>) =>
    ['sold', 'pending', 'refunded', 'cancelled'].map((state) => read(part[state] ?? NONE));
  expect(all(byDay.totals)).toEqual(expected);
  const added = (parts: Record<string, ReturnType<typeof figure>>[]) =>
    parts
      .map(all)
      .reduce((sum, part) => sum.map((row, at) => row.map((value, n) => Number(value) + Number(part[at]?.[n]))));
  expect(added(byDay.periods)).toEqual(expected);
  expect(added((await get(server, '/reports/sales', { ...query, by: 'ticket' })).rows)).toEqual(expected);
  expect(byDay.periods.at(-1).running.places).toBe(expected[0]?.[0]);
}
