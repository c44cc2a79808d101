import { beforeAll, describe, expect, it } from 'vitest';
import { addAttendee, makeAttendee, makeSeat, soldOf } from '../../../../test/attendees.ts';
import { buy } from '../../../../test/buyers.ts';
import { DATABASES, useTestServer } from '../../../../test/server.ts';
import { deleteTicket, makeEvent, makeTicket } from '../../../../test/tickets.ts';
import { expireUnpaid } from '../../../jobs/expire-unpaid.ts';
import { orderNumber } from '../../../lib/order-number.ts';
import { getTickets } from '../../tickets/store.ts';
import { changeOrderStatus } from '../change-status.ts';
import { type NewOrder, placeOrder } from '../create-order.ts';

describe.each(DATABASES)('orders on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  beforeAll(async () => {
    event = await makeEvent(server());
  });

  const read = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;
  const become = (id: number, status: string) =>
    server().ask(`PATCH admin:/orders/${id}`, { as: 'administrator', body: { status } });

  const place = (items: NewOrder['items']) => {
    const { context } = server();
    return context.db.transaction((db) =>
      placeOrder(
        db,
        {
          purchaser: { name: 'Zoë Buyer', email: 'zoe@party.test' },
          gateway: 'manual',
          status: 'pending',
          currency: 'USD',
          seats: 'take',
          items,
        },
        { userId: 0, authorId: 0, now: context.now(), timezone: 'America/New_York', random: context.random },
      ),
    );
  };

  /** An order for some seats, as a checkout creates it. */
  async function order(ticketId: number, names: string[]): Promise<number> {
    const { context } = server();
    const ticket = (await getTickets(context.db, [ticketId])).get(ticketId);
    if (!ticket) throw new Error('no such ticket');
    const attendees = names.map((full_name) => ({
      full_name,
      email: 'guest@party.test',
      optout: 0 as const,
      information: { meal: full_name },
    }));
    const { order } = await place([{ ticket, price: 1250, attendees }]);
    return order.id;
  }

  it('have at least one place', async () => {
    await expect(place([])).rejects.toMatchObject({ code: 'cart-is-empty' });
  });

  it('expire if they are not paid in time', async () => {
    const { context, clock } = server();
    const seat = await makeSeat(server(), event, 3);
    const unpaid = await order(seat, ['Ada', 'Ben']);
    const paid = await order(seat, ['Cid']);
    await become(paid, 'completed');
    const before = clock.now;
    clock.now = new Date(before.getTime() + 1439 * 60_000);
    await expireUnpaid(context);
    expect(await soldOf(server(), seat)).toBe(3);
    clock.now = new Date(before.getTime() + 1440 * 60_000);
    await expireUnpaid(context);
    clock.now = before;
    expect(await soldOf(server(), seat)).toBe(1);
    expect([(await read(unpaid)).status, (await read(paid)).status]).toEqual(['not-completed', 'completed']);
    const late = { orderId: paid, to: 'not-completed', onlyFrom: 'pending', userId: 0, now: before } as const;
    await changeOrderStatus(context.db, late);
    expect((await read(paid)).status).toBe('completed');
  });

  it('admit a checked-in attendee again after they expired and were revived', async () => {
    const seat = await makeSeat(server(), event, 1);
    const id = await order(seat, ['Ada']);
    await become(id, 'completed');
    const [{ id: attendee }] = (await read(id)).attendees;
    const checkIn = () =>
      server().ask(`PATCH tickets:/attendees/${attendee}`, { as: 'editor', body: { check_in: true } });
    expect((await checkIn()).status).toBe(201);
    await become(id, 'not-completed');
    await become(id, 'completed');
    expect((await checkIn()).status).toBe(201);
  });

  it('show their items, customer, attendees and log', async () => {
    const seat = await makeSeat(server(), event, 10, { name: 'Stalls' });
    const id = await order(seat, ['Ada', 'Ben']);
    const user_id = server().userId('administrator');
    expect((await become(id, 'completed')).status).toBe(200);
    const shown = await read(id);
    const date_utc = '2026-11-21 17:00:00';
    expect(shown).toEqual({
      id,
      number: orderNumber(id),
      status: 'completed',
      gateway: 'manual',
      purchaser: { name: 'Zoë Buyer', email: 'zoe@party.test', user_id: 0 },
      currency: 'USD',
      total: { minor: 2500, formatted: '$25.00' },
      date: '2026-11-21 12:00:00',
      date_utc,
      modified_utc: date_utc,
      revision: 2,
      items: [
        {
          ticket_id: seat,
          event_id: event,
          title: 'Stalls',
          quantity: 2,
          price: { minor: 1250, formatted: '$12.50' },
          subtotal: { minor: 2500, formatted: '$25.00' },
        },
      ],
      attendees: ['Ada', 'Ben'].map((name, index) => ({
        id: shown.attendees[index].id,
        ticket_id: seat,
        name,
        email: 'guest@party.test',
        status: 'publish',
        checked_in: false,
      })),
      billing: { company: '', vat_number: '', address: '' },
      charges: [],
      payments: [
        {
          ...{ id: expect.any(Number), order_id: id, status: 'paid', gateway: 'manual', method: 'manual' },
          ...{ amount: shown.total, refunded: { minor: 0, formatted: '$0.00' }, fee: null, currency: 'USD' },
          ...{ instrument: '', reference: '', external_id: null, created_utc: date_utc, paid_utc: date_utc },
        },
      ],
      refunds: [],
      paid: shown.total,
      owed: { minor: 0, formatted: '$0.00' },
      note: '',
      log: [
        { from: '', to: 'created', user_id: 0, date_utc },
        { from: 'created', to: 'pending', user_id: 0, date_utc },
        { from: 'pending', to: 'completed', user_id, date_utc },
      ],
      expires_utc: null,
      next: ['pending', 'action-req', 'approved', 'denied', 'not-completed', 'reversed', 'voided'],
      url: expect.stringMatching(`^http://localhost/order/${id}/[\\w-]{22}/$`),
    });
  });

  it('keep the answers of the registration', async () => {
    const seat = await makeSeat(server(), event);
    const id = await order(seat, ['Ada']);
    const { body } = await server().ask('GET tickets:/attendees', { as: 'editor', query: { order_id: id } });
    expect(body.attendees[0].information).toEqual({ meal: 'Ada' });
  });

  it('are listed latest first and filtered by status, customer and event', async () => {
    const other = await makeEvent(server());
    const seat = await makeSeat(server(), other);
    const first = await order(seat, ['Ada']);
    const second = (await makeAttendee(server(), seat, { full_name: 'Quentin', email: 'q@party.test' })).order;
    const ids = async (query: Record<string, string | number>) => {
      const { body } = await server().ask('GET admin:/orders', { as: 'editor', query });
      return body.orders.map((one: { id: number }) => one.id);
    };
    expect(await ids({ event: other })).toEqual([second, first]);
    expect(await ids({ event: other, status: 'pending,refunded' })).toEqual([first]);
    expect(await ids({ search: 'quentin q@' })).toEqual([second]);
    expect(await ids({ event: other, search: 'ZOE' })).toEqual([first]);
    expect(await ids({ event: other, per_page: 1, page: 2 })).toEqual([first]);
    const { body } = await server().ask('GET admin:/orders', { as: 'editor', query: { search: `#${first}` } });
    expect(body.orders).toMatchObject([{ id: first, places: 1, events: [{ id: other, title: 'Evening' }] }]);
  });

  it('have a short number for people, by which staff find them and their attendees', async () => {
    const id = await order(await makeSeat(server(), event), ['Ada']);
    const { number } = (await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;
    expect(number).toMatch(/^[2-9A-Z]{6}$/);
    const search = (text: string, path: string) =>
      server().ask(`GET admin:/${path}`, { as: 'editor', query: { search: text } });
    for (const text of [number, `#${number.toLowerCase()}`])
      expect((await search(text, 'orders')).body.orders).toMatchObject([{ id, number }]);
    expect((await search(number, 'attendees')).body.attendees).toMatchObject([{ order_id: id }]);
    const bought = await buy(server(), [await makeSeat(server(), event)]);
    expect(bought.body.order.number).toBe(orderNumber(bought.id));
    const old = { headers: bought.headers, prefix: '/wp-json/tribe' };
    const { status, body } = await server().ask(`GET tickets:/orders/${bought.id}`, old);
    expect([status, body.id, body.number]).toEqual([200, bought.id, undefined]);
  });

  it.each([undefined, 'subscriber', 'contributor', 'author', 'door'] as const)(
    'are not accessible to %s',
    async (as) => {
      const id = await order(await makeSeat(server(), event), ['Ada']);
      const status = as ? 403 : 401;
      if (as !== 'author') expect((await server().ask('GET admin:/orders', { as })).status).toBe(status);
      for (const call of [`GET admin:/orders/${id}`, `PATCH admin:/orders/${id}`]) {
        const body = call.startsWith('PATCH') ? { status: 'refunded' } : undefined;
        expect((await server().ask(call, { as, body })).status).toBe(status);
      }
    },
  );

  it('that do not exist are not found', async () => {
    expect(await become(999_999, 'refunded')).toMatchObject({ status: 404, body: { code: 'order-not-found' } });
    expect((await server().ask('GET admin:/orders/999999', { as: 'editor' })).status).toBe(404);
  });

  /** Successive statuses, and the seats that are sold then. */
  it.each([
    [
      'refunded',
      [
        ['refunded', 200, 0],
        ['refunded', 200, 0],
        ['completed', 409, 0],
      ],
    ],
    [
      'not completed, then paid after all',
      [
        ['not-completed', 200, 0],
        ['completed', 200, 3],
        ['not-completed', 200, 0],
      ],
    ],
    [
      'back and forth among those that count',
      [
        ['action-req', 200, 3],
        ['completed', 200, 3],
        ['pending', 200, 3],
      ],
    ],
    [
      'given up, then refunded',
      [
        ['not-completed', 200, 0],
        ['refunded', 200, 0],
      ],
    ],
    [
      'repeated',
      [
        ['pending', 409, 3],
        ['completed', 200, 3],
        ['completed', 409, 3],
      ],
    ],
    [
      'denied',
      [
        ['denied', 200, 0],
        ['completed', 409, 0],
      ],
    ],
    [
      'voided',
      [
        ['completed', 200, 3],
        ['voided', 200, 0],
        ['refunded', 409, 0],
      ],
    ],
    [
      'reversed',
      [
        ['reversed', 200, 0],
        ['pending', 409, 0],
      ],
    ],
  ] as [string, [string, number, number][]][])('take and return seats when %s', async (_name, steps) => {
    const seat = await makeSeat(server(), event, 10);
    const id = await order(seat, ['Ada', 'Ben', 'Cid']);
    for (const [status, answer, sold] of steps) {
      expect([status, (await become(id, status)).status]).toEqual([status, answer]);
      expect([status, await soldOf(server(), seat)]).toEqual([status, sold]);
      const { attendees } = await read(id);
      expect(new Set(attendees.map((one: { status: string }) => one.status))).toEqual(
        new Set([sold > 0 ? 'publish' : 'trash']),
      );
    }
  });

  it('keep a status without a transition to the requested one', async () => {
    const id = await order(await makeSeat(server(), event, 10), ['Ada']);
    await become(id, 'refunded');
    expect(await become(id, 'pending')).toMatchObject({
      status: 409,
      body: { code: 'order-status-not-allowed', message: 'The order cannot go from refunded to pending.' },
    });
    expect((await read(id)).status).toBe('refunded');
  });

  it('return shared seats too', async () => {
    const own = await makeEvent(server());
    const ticket = { mode: 'capped', capacity: 3, event_capacity: 4 };
    const capped = (await makeTicket(server(), own, { ticket })).id;
    const pool = (await makeTicket(server(), own, { name: 'Pool', ticket: { mode: 'global' } })).id;
    const id = await order(capped, ['Ada', 'Ben', 'Cid']);
    expect((await addAttendee(server(), pool)).status).toBe(201);
    expect((await addAttendee(server(), pool)).status).toBe(409);
    await become(id, 'refunded');
    expect((await addAttendee(server(), pool)).status).toBe(201);
    expect(await soldOf(server(), capped)).toBe(0);
  });

  it('cannot be revived when their seats are taken', async () => {
    const seat = await makeSeat(server(), event, 2);
    const id = await order(seat, ['Ada', 'Ben']);
    await become(id, 'not-completed');
    await makeAttendee(server(), seat);
    expect(await become(id, 'completed')).toMatchObject({
      status: 409,
      body: { code: 'tec-tc-insufficient-stock', data: { ticket_id: seat, available: 1 } },
    });
    expect((await read(id)).status).toBe('not-completed');
    expect(await soldOf(server(), seat)).toBe(1);
  });

  it('cannot be revived when their ticket is deleted, but can be refunded', async () => {
    const seat = await makeSeat(server(), event, 2);
    const [lost, kept] = [await order(seat, ['Ada']), await order(seat, ['Ben'])];
    await become(lost, 'not-completed');
    await deleteTicket(server(), seat, event);
    expect((await become(lost, 'completed')).status).toBe(409);
    expect((await become(kept, 'refunded')).status).toBe(200);
    expect(await soldOf(server(), seat)).toBe(0);
  });

  it('change once in concurrent requests for the same change', async () => {
    const seat = await makeSeat(server(), event, 10);
    const id = await order(seat, ['Ada', 'Ben']);
    const refunds = await Promise.all(Array.from({ length: 6 }, () => become(id, 'refunded')));
    expect(refunds.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await soldOf(server(), seat)).toBe(0);
    expect((await read(id)).log).toHaveLength(3);
    const mixed = await order(seat, ['Cid', 'Dee']);
    const wishes = ['completed', 'not-completed', 'action-req', 'voided', 'not-completed', 'completed'];
    const answers = await Promise.all(wishes.map((status) => become(mixed, status)));
    const { status, log } = await read(mixed);
    expect(log).toHaveLength(2 + answers.filter((answer) => answer.status === 200).length);
    expect(log.at(-1).to).toBe(status);
    const counts = ['completed', 'action-req', 'pending'].includes(status);
    expect(await soldOf(server(), seat)).toBe(counts ? 2 : 0);
  });

  it('never sell a seat twice when they are revived during sales', async () => {
    const seat = await makeSeat(server(), event, 2);
    const id = await order(seat, ['Ada', 'Ben']);
    await become(id, 'not-completed');
    const answers = await Promise.all([
      become(id, 'completed'),
      addAttendee(server(), seat),
      addAttendee(server(), seat),
    ]);
    const isBack = answers[0]?.status === 200;
    const bought = answers.slice(1).filter(({ status }) => status === 201).length;
    expect(bought + (isBack ? 2 : 0)).toBeLessThanOrEqual(2);
    expect(await soldOf(server(), seat)).toBe(bought + (isBack ? 2 : 0));
  });

  it('refuse a status that clients cannot set', async () => {
    const id = await order(await makeSeat(server(), event), ['Ada']);
    for (const status of ['created', 'trash', 'nonsense']) {
      expect(await become(id, status)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
  });
});
