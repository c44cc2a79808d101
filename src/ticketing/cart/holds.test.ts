import { describe, expect, it } from 'vitest';
import { DATABASES, NOON, type TestServer, useTestServer } from '../../../test/server.ts';
import { counters, sharedCounters, shopperOf, wait } from '../../../test/shopper.ts';
import { editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { sweepCarts } from '../../jobs/remove-expired.ts';

const HOLD = 15;

async function lastSeats(server: TestServer, capacity: number) {
  server.clock.now = NOON;
  const eventId = await makeEvent(server);
  const { id } = await makeTicket(server, eventId, { ticket: { mode: 'own', capacity } });
  return { eventId, id: id as number };
}

const some = (ticket_id: number, quantity: number) => [{ ticket_id, quantity }];

describe.each(DATABASES)('seats that carts hold on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('are not available to others until they are returned', async () => {
    const { id } = await lastSeats(server(), 3);
    const [first, second] = [shopperOf(server()), shopperOf(server())];
    await first.put(some(id, 2));
    expect((await second.put(some(id, 2))).body.data).toMatchObject({ ticket_id: id, available: 1 });
    expect((await server().ask(`GET tickets:/tickets/${id}`)).body.capacity_details.available).toBe(1);
    await first.put(some(id, 1));
    expect((await second.put(some(id, 2))).status).toBe(200);
    expect(await counters(server(), id)).toEqual({ held: 3, sold: 0 });
  });

  it('expire together, counted from the last change', async () => {
    const { id, eventId } = await lastSeats(server(), 3);
    const { id: other } = await makeTicket(server(), eventId, { ticket: { mode: 'own', capacity: 9 } });
    const [first, second] = [shopperOf(server()), shopperOf(server())];
    await first.put(some(id, 3));
    wait(server(), HOLD - 1);
    await first.put(some(other, 1));
    wait(server(), HOLD - 1);
    expect((await second.put(some(id, 1))).status).toBe(409);
    expect((await first.look()).body.tickets).toHaveLength(2);
    wait(server(), 1);
    expect((await first.look()).body.tickets).toEqual([]);
    expect((await second.put(some(id, 1))).status).toBe(200);
    expect(await counters(server(), id)).toEqual({ held: 1, sold: 0 });
    expect(await counters(server(), other)).toEqual({ held: 0, sold: 0 });
  });

  it('are taken again when an expired cart is changed, except those the change does not name', async () => {
    const { id, eventId } = await lastSeats(server(), 3);
    const { id: other } = await makeTicket(server(), eventId, { ticket: { mode: 'own', capacity: 9 } });
    const shopper = shopperOf(server());
    await shopper.put([...some(id, 3), ...some(other, 2)]);
    wait(server(), HOLD);
    const { token } = shopper;
    expect((await shopper.put(some(id, 2))).body.tickets).toMatchObject([{ ticket_id: id, quantity: 2 }]);
    expect(shopper.token).toBe(token);
    expect(await counters(server(), id)).toEqual({ held: 2, sold: 0 });
    expect(await counters(server(), other)).toEqual({ held: 0, sold: 0 });
  });

  it('are not taken again beyond a lowered capacity', async () => {
    const { id, eventId } = await lastSeats(server(), 3);
    const shopper = shopperOf(server());
    await shopper.put(some(id, 3));
    await editTicket(server(), id, { post_id: eventId, ticket: { mode: 'own', capacity: 2 } });
    wait(server(), HOLD);
    expect((await shopper.put(some(id, 3))).body.data).toMatchObject({ available: 2 });
    expect((await shopper.put(some(id, 2))).status).toBe(200);
  });

  it('are swept together with expired carts', async () => {
    const { id } = await lastSeats(server(), 9);
    await shopperOf(server()).put(some(id, 4));
    await sweepCarts(server().context);
    expect(await counters(server(), id)).toEqual({ held: 4, sold: 0 });
    wait(server(), HOLD);
    expect(await sweepCarts(server().context)).toBe(1);
    expect(await sweepCarts(server().context)).toBe(0);
    expect(await counters(server(), id)).toEqual({ held: 0, sold: 0 });
    wait(server(), 25 * 60);
    await sweepCarts(server().context);
    expect(await server().context.db.query.selectFrom('carts').selectAll().execute()).toEqual([]);
  });

  it('may be swapped for other tickets of the same shared seats', async () => {
    server().clock.now = NOON;
    const eventId = await makeEvent(server());
    const pool = { mode: 'global', event_capacity: 10 };
    const { id: adult } = await makeTicket(server(), eventId, { ticket: pool });
    const { id: child } = await makeTicket(server(), eventId, { ticket: pool });
    const capped = { ...pool, mode: 'capped', capacity: 2 };
    const { id: box } = await makeTicket(server(), eventId, { ticket: capped });
    const [first, second] = [shopperOf(server()), shopperOf(server())];
    await first.put([...some(adult, 5), ...some(child, 3)]);
    expect((await second.put(some(box, 3))).body.data).toMatchObject({ ticket_id: box, available: 2 });
    expect((await second.put(some(box, 2))).status).toBe(200);
    expect((await second.put(some(child, 1))).body.data).toMatchObject({ ticket_id: child, available: 0 });
    expect((await first.put([...some(adult, 8), ...some(child, 0)])).status).toBe(200);
    expect(await sharedCounters(server(), eventId)).toMatchObject({ held: 10, sold: 0 });
    expect((await first.checkout()).status).toBe(201);
    expect(await sharedCounters(server(), eventId)).toMatchObject({ held: 2, sold: 8 });
    wait(server(), HOLD);
    expect((await shopperOf(server()).put(some(child, 2))).status).toBe(200);
    expect(await sharedCounters(server(), eventId)).toMatchObject({ held: 2, sold: 8 });
  });

  it('never exceed the capacity in concurrent requests for the last ones', async () => {
    const { id } = await lastSeats(server(), 5);
    const shoppers = Array.from({ length: 12 }, () => shopperOf(server()));
    const answers = await Promise.all(shoppers.map((shopper) => shopper.put(some(id, 1))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await counters(server(), id)).toEqual({ held: 5, sold: 0 });
  });

  it('are counted once in concurrent writes of one visitor', async () => {
    const { id } = await lastSeats(server(), 50);
    const shopper = shopperOf(server());
    await shopper.put(some(id, 1));
    await Promise.all([3, 4, 5, 6].map((quantity) => shopper.put(some(id, quantity))));
    const quantity = (await shopper.look()).body.tickets[0].quantity;
    expect(await counters(server(), id)).toEqual({ held: quantity, sold: 0 });
  });
});
