import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, NOON, type TestServer, useTestServer } from '../../../test/server.ts';
import { ADA, counters, shopperOf, wait } from '../../../test/shopper.ts';
import { editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { sweepCarts } from '../../jobs/remove-expired.ts';

const HOLD = 15;
const own = (capacity: number) => ({ ticket: { mode: 'own', capacity } });

describe.each(DATABASES)('checkout in %s', (kind) => {
  const server = useTestServer(kind);
  let eventId = 0;

  beforeAll(async () => {
    eventId = await makeEvent(server());
  });

  async function ticket(fields: Record<string, unknown> = {}): Promise<number> {
    server().clock.now = NOON;
    return (await makeTicket(server(), eventId, { price: '0', ...own(20), ...fields })).id;
  }

  async function shopperWith(...lines: [id: number, quantity: number][]) {
    const shopper = shopperOf(server());
    await shopper.put(lines.map(([ticket_id, quantity]) => ({ ticket_id, quantity })));
    return shopper;
  }

  it('completes a free order and gives each attendee a code', async () => {
    const id = await ticket();
    const shopper = await shopperWith([id, 3]);
    const { status, body, headers } = await shopper.checkout();
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.order).toMatchObject({ status: 'completed', total: { minor: 0, formatted: '$0.00' }, currency: 'USD' });
    expect(body.attendees).toHaveLength(3);
    expect(new Set(body.attendees.map((one: { security_code: string }) => one.security_code)).size).toBe(3);
    const rows = await attendeesOf(server(), body.order.id);
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatchObject({ full_name: ADA.name, email: ADA.email, attendance_status: 'completed', optout: 0 });
    expect(await counters(server(), id)).toEqual({ held: 0, sold: 3 });
    expect((await shopper.look()).body.tickets).toEqual([]);
    expect(await shopper.checkout()).toMatchObject({ status: 400, body: { code: 'cart-is-empty' } });
    const order = await server()
      .context.db.query.selectFrom('orders')
      .selectAll()
      .where('id', '=', body.order.id)
      .executeTakeFirst();
    expect(order).toMatchObject({ status: 'completed', gateway: 'free', purchaser_email: ADA.email, user_id: 0 });
  });

  it.each([
    ['nobody', undefined, undefined, 'pending'],
    ['a visitor who says that it is paid', undefined, 'manual', 'pending'],
    ['an author, who says it is paid', 'author', 'manual', 'pending'],
    ['an editor', 'editor', undefined, 'pending'],
    ['an editor, who says it is paid', 'editor', 'manual', 'completed'],
  ] as const)('sets the status of a priced order for %s', async (_who, as, payment, expected) => {
    const id = await ticket({ price: '12.50' });
    const shopper = await shopperWith([id, 2]);
    const { status, body } = await shopper.checkout(payment && { payment }, { as });
    expect(status).toBe(201);
    expect(body.order).toMatchObject({ status: expected, total: { minor: 2500, formatted: '$25.00' } });
    expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
    const [row] = await attendeesOf(server(), body.order.id);
    expect(row).toMatchObject({ attendance_status: expected, price: 1250, user_id: as ? server().userId(as) : 0 });
  });

  it('charges the price of the day, in the time zone of the site', async () => {
    const sale_price = { checked: true, price: '8', start_date: '2026-11-20', end_date: '2026-11-21' };
    const id = await ticket({ price: '10', ticket: { mode: '', sale_price } });
    const reduced = await shopperWith([id, 1]);
    // 04:50 UTC is still the 21st in New York.
    server().clock.now = new Date('2026-11-22T04:50:00Z');
    await reduced.put([{ ticket_id: id, quantity: 1 }]);
    expect((await reduced.checkout()).body.order.total.minor).toBe(800);
    const full = await shopperWith([id, 1]);
    wait(server(), 11);
    expect((await full.checkout()).body.order.total.minor).toBe(1000);
  });

  it('assigns holders and their answers to the seats in order', async () => {
    const [adult, child] = [await ticket(), await ticket()];
    const shopper = await shopperWith([adult, 2], [child, 2]);
    const meta = [{ ticket_id: child, items: [{ diet: 'vegan' }, { diet: 'none' }] }];
    await shopper.put([{ ticket_id: child, quantity: 2, optout: 1 }], { meta });
    const attendees = [
      { ticket_id: adult, full_name: 'Grace Hill', email: 'grace@example.test', information: { badge: 'G' } },
      { ticket_id: child, full_name: 'Tim', optout: 0 },
    ];
    const { body } = await shopper.checkout({ attendees });
    expect(await attendeesOf(server(), body.order.id)).toMatchObject([
      {
        ticket_id: adult,
        full_name: 'Grace Hill',
        email: 'grace@example.test',
        optout: 0,
        information: '{"badge":"G"}',
      },
      { ticket_id: adult, full_name: ADA.name, email: ADA.email, optout: 0, information: '{}' },
      { ticket_id: child, full_name: 'Tim', email: ADA.email, optout: 0, information: '{"diet":"vegan"}' },
      { ticket_id: child, full_name: ADA.name, email: ADA.email, optout: 1, information: '{"diet":"none"}' },
    ]);
  });

  it.each([
    ['no customer', { purchaser: null }, 'invalid-purchaser-info'],
    ['a customer without a name', { purchaser: { name: ' ', email: 'a@example.test' } }, 'invalid-purchaser-info'],
    ['a name of mark-up alone', { purchaser: { name: '<b></b>', email: 'a@example.test' } }, 'invalid-purchaser-info'],
    ['a customer without an address', { purchaser: { name: 'Ada', email: 'ada' } }, 'invalid-purchaser-info'],
    ['a customer that is a text', { purchaser: 'Ada' }, 'invalid-purchaser-info'],
    ['another payment', { payment: 'gold' }, 'rest_invalid_param'],
    ['more guests than seats', { attendees: [{}, {}, {}] }, 'rest_invalid_param'],
    ['a guest without a seat', { attendees: [{ ticket_id: 999_999 }] }, 'rest_invalid_param'],
    ['a guest with a bad address', { attendees: [{ email: 'no' }] }, 'rest_invalid_param'],
    ['guests that are no list', { attendees: 'Tim' }, 'rest_invalid_param'],
  ])('refuses %s and leaves the cart unchanged', async (_what, change, code) => {
    const id = await ticket();
    const shopper = await shopperWith([id, 2]);
    const guests = 'attendees' in change && Array.isArray(change.attendees) ? change.attendees : undefined;
    const named = guests ? { attendees: guests.map((guest: object) => ({ ticket_id: id, ...guest })) } : change;
    expect(await shopper.checkout(named)).toMatchObject({ status: 400, body: { code } });
    expect((await shopper.look()).body.tickets).toMatchObject([{ ticket_id: id, quantity: 2 }]);
    expect(await counters(server(), id)).toEqual({ held: 2, sold: 0 });
    expect((await shopper.checkout()).status).toBe(201);
  });

  it('creates one order for two concurrent checkouts of a visitor', async () => {
    const id = await ticket();
    const shopper = await shopperWith([id, 2]);
    const answers = await Promise.all([shopper.checkout(), shopper.checkout(), shopper.checkout()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
  });

  it('refuses a ticket that is no longer public until it is removed from the cart', async () => {
    const id = await ticket();
    const shopper = await shopperWith([id, 1]);
    await server().context.db.query.updateTable('tickets').set({ status: 'draft' }).where('id', '=', id).execute();
    expect((await shopper.checkout()).body).toMatchObject({ code: 'ticket-does-not-exist', data: { ticket_id: id } });
    expect((await shopper.put([{ ticket_id: id, quantity: 0 }])).status).toBe(200);
    expect(await counters(server(), id)).toEqual({ held: 0, sold: 0 });
  });

  describe('after the cart expired', () => {
    it('sells if the seats are still available', async () => {
      const id = await ticket(own(2));
      const shopper = await shopperWith([id, 2]);
      wait(server(), HOLD);
      expect((await shopper.checkout()).status).toBe(201);
      expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
    });

    it('lists the missing seats if another customer bought them', async () => {
      const [id, other] = [await ticket(own(3)), await ticket()];
      const shopper = await shopperWith([id, 2], [other, 1]);
      wait(server(), HOLD);
      // The counter moves as if sold elsewhere, so that the item of the cart is still there.
      await server().context.db.query.updateTable('tickets').set({ sold: 2 }).where('id', '=', id).execute();
      const refused = await shopper.checkout();
      expect(refused).toMatchObject({ status: 409, body: { code: 'cart-expired' } });
      expect(refused.body.data.tickets).toEqual([{ ticket_id: id, quantity: 2, available: 1 }]);
      expect(await counters(server(), other)).toEqual({ held: 1, sold: 0 });
    });

    it('reports an expired cart if its seats were swept', async () => {
      const id = await ticket();
      const shopper = await shopperWith([id, 2]);
      wait(server(), HOLD);
      await sweepCarts(server().context);
      expect(await shopper.checkout()).toMatchObject({
        status: 409,
        body: { code: 'cart-expired', data: { tickets: [] } },
      });
      expect(await counters(server(), id)).toEqual({ held: 0, sold: 0 });
    });

    it('sells neither beyond a lowered capacity nor after the end of the sale', async () => {
      const id = await ticket(own(2));
      const shopper = await shopperWith([id, 2]);
      await editTicket(server(), id, { post_id: eventId, ...own(1) });
      wait(server(), HOLD);
      expect((await shopper.checkout()).body.data.tickets).toMatchObject([{ ticket_id: id, available: 1 }]);

      const closing = await ticket({ end_date: '2026-11-21', end_time: '12:10:00' });
      const late = await shopperWith([closing, 1]);
      wait(server(), HOLD - 1);
      const inTime = await shopperWith([await ticket(), 1]);
      expect((await inTime.checkout()).status).toBe(201);
      wait(server(), HOLD);
      expect((await late.checkout()).body.data.tickets).toEqual([{ ticket_id: closing, quantity: 1, available: 0 }]);
    });

    it('never sells a seat twice to a concurrent checkout and newcomer during a sweep', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await ticket(own(2));
        const shopper = await shopperWith([id, 2]);
        wait(server(), HOLD);
        const newcomer = shopperOf(server());
        const [checkout, put] = await Promise.all([
          shopper.checkout(),
          newcomer.put([{ ticket_id: id, quantity: 2 }]),
          sweepCarts(server().context),
        ]);
        const winners = [checkout.status === 201, put.status === 200].filter(Boolean);
        expect(winners).toHaveLength(1);
        const { held, sold } = await counters(server(), id);
        expect({ held, sold }).toEqual(checkout.status === 201 ? { held: 0, sold: 2 } : { held: 2, sold: 0 });
      }
    });
  });

  describe('with an Idempotency-Key', () => {
    const key = (value: string) => ({ headers: { 'idempotency-key': value } });

    it('repeats the response and buys nothing more', async () => {
      const id = await ticket();
      const shopper = await shopperWith([id, 2]);
      const first = await shopper.checkout({}, key('a'));
      const again = await shopper.checkout({}, key('a'));
      expect(first.status).toBe(201);
      expect(again.status).toBe(201);
      expect(again.body).toEqual(first.body);
      expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
      wait(server(), 24 * 60);
      expect((await shopper.checkout({}, key('a'))).body.code).toBe('cart-is-empty');
    });

    it('creates one order for concurrent requests, which all get its response in the end', async () => {
      const id = await ticket();
      const shopper = await shopperWith([id, 2]);
      const answers = await Promise.all([1, 2, 3, 4].map(() => shopper.checkout({}, key('b'))));
      const [made, ...others] = answers.toSorted((a, b) => a.status - b.status);
      expect(made?.status).toBe(201);
      for (const { status, text } of others) expect([409, made?.text]).toContain(status === 409 ? status : text);
      expect((await shopper.checkout({}, key('b'))).text).toBe(made?.text);
      expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
    });

    it('refuses the key for another request, but accepts it for another cart', async () => {
      const id = await ticket();
      const shopper = await shopperWith([id, 1]);
      await shopper.checkout({}, key('c'));
      const other = await shopper.checkout({ purchaser: { ...ADA, name: 'Eve' } }, key('c'));
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      const neighbour = await shopperWith([id, 1]);
      expect((await neighbour.checkout({}, key('c'))).status).toBe(201);
      expect((await shopperOf(server()).checkout({}, key('c'))).body.code).toBe('cart-is-empty');
      expect(await counters(server(), id)).toEqual({ held: 0, sold: 2 });
    });

    it('stores no refusal, so that a corrected request may have the same key', async () => {
      const id = await ticket();
      const shopper = await shopperWith([id, 1]);
      await shopper.put([{ ticket_id: id, quantity: 1 }]);
      wait(server(), HOLD);
      await sweepCarts(server().context);
      expect((await shopper.checkout({}, key('d'))).status).toBe(409);
      await shopper.put([{ ticket_id: id, quantity: 1 }]);
      expect((await shopper.checkout({}, key('d'))).status).toBe(201);
    });

    it.each(['', 'x'.repeat(201)])('refuses an empty or overlong key', async (value) => {
      const shopper = await shopperWith([await ticket(), 1]);
      expect(await shopper.checkout({}, key(value))).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { details: { 'Idempotency-Key': {} } } },
      });
    });
  });
});

const attendeesOf = (server: TestServer, orderId: number) =>
  server.context.db.query.selectFrom('attendees').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
