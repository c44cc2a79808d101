import { beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp } from '../../../test/attendees.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { shopperOf, wait } from '../../../test/shopper.ts';
import { editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';

const UNTIL = '2026-11-21 17:15:00';

describe.each(DATABASES)('the availability report on %s', (kind) => {
  const server = useTestServer(kind);
  let eventId: number;
  beforeEach(async () => {
    server().clock.now = NOON;
    eventId = await makeEvent(server());
  });

  const open = async (ticket: Record<string, unknown>, fields = {}): Promise<number> =>
    (await makeTicket(server(), eventId, { ticket, ...fields })).id;
  const report = async (id: number) =>
    (await server().ask(`GET admin:/tickets/${id}/availability`, { as: 'editor' })).body;
  const hold = (ticket_id: number, quantity: number) => shopperOf(server()).put([{ ticket_id, quantity }]);
  const sell = async (id: number, times: number) => {
    for (let index = 0; index < times; index += 1) await makeAttendee(server(), id);
  };

  it('lists the order of each sold seat, and the cart and expiry of each held one', async () => {
    const id = await open({ mode: 'own', capacity: 10 });
    const { order } = await makeAttendee(server(), id);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 2 }]);
    const bought = await shopper.checkout();
    await hold(id, 3);
    expect(await report(id)).toEqual({
      ticket_id: id,
      event_id: eventId,
      mode: 'own',
      capacity: 10,
      available: 4,
      sold: {
        total: 3,
        rsvp: 0,
        by_order: [
          { order_id: order, status: 'completed', places: 1, until: null },
          { order_id: bought.body.order.id, status: 'pending', places: 2, until: '2027-03-07 02:00:00' },
        ],
      },
      held: { total: 3, by_cart: [{ cart_id: expect.any(Number), places: 3, until: UNTIL }] },
      blocked_by_others: 0,
      over: 0,
      pool: null,
    });
  });

  it('does not count expired carts, whether swept or not', async () => {
    const id = await open({ mode: 'global', event_capacity: 5 });
    await hold(id, 2);
    wait(server(), 5);
    await hold(id, 1);
    expect((await report(id)).held.by_cart.map(({ places }: { places: number }) => places)).toEqual([2, 1]);
    wait(server(), 10);
    expect(await report(id)).toMatchObject({
      available: 4,
      held: { total: 1, by_cart: [{ places: 1 }] },
      pool: { held: 1, available: 4 },
    });
  });

  it('counts RSVPs', async () => {
    const id = await makeRsvp(server(), eventId, 4);
    await makeAttendee(server(), id);
    await makeAttendee(server(), id, { attendee_status: 'no' });
    expect(await report(id)).toMatchObject({
      capacity: 4,
      available: 3,
      sold: { total: 1, rsvp: 1, by_order: [] },
    });
  });

  it('reports -1 for a ticket without a limit', async () => {
    const id = await open({ mode: '' });
    await sell(id, 1);
    expect(await report(id)).toMatchObject({ mode: '', capacity: -1, available: -1, over: 0, sold: { total: 1 } });
  });

  it('shows how many shared seats other tickets have taken', async () => {
    const global = await open({ mode: 'global', event_capacity: 10 });
    const other = await open({ mode: 'global' });
    await sell(other, 2);
    await hold(other, 1);
    await sell(global, 1);
    expect(await report(global)).toMatchObject({
      capacity: 10,
      available: 6,
      sold: { total: 1 },
      blocked_by_others: 3,
      pool: { capacity: 10, sold: 3, held: 1, available: 6, blocked_by_cap: 0, over: 0 },
    });
  });

  it('shows how many shared seats a cap blocks, and how many seats below the cap others have taken', async () => {
    const global = await open({ mode: 'global', event_capacity: 10 });
    const capped = await open({ mode: 'capped', capacity: 4 });
    await sell(capped, 1);
    expect(await report(capped)).toMatchObject({
      capacity: 4,
      available: 3,
      blocked_by_others: 0,
      pool: { available: 3, blocked_by_cap: 6 },
    });
    await sell(global, 8);
    expect(await report(capped)).toMatchObject({
      capacity: 4,
      available: 1,
      sold: { total: 1 },
      blocked_by_others: 2,
      pool: { sold: 9, available: 1, blocked_by_cap: 0 },
    });
  });

  it('shows how many seats exceed a lowered capacity', async () => {
    const own = await open({ mode: 'own', capacity: 5 });
    await sell(own, 3);
    await editTicket(server(), own, { post_id: eventId, ticket: { mode: 'own', capacity: 1 } });
    expect(await report(own)).toMatchObject({ capacity: 1, available: 0, sold: { total: 3 }, over: 2 });

    const global = await open({ mode: 'global', event_capacity: 5 });
    await sell(global, 2);
    await hold(global, 2);
    await editTicket(server(), global, { post_id: eventId, ticket: { mode: 'global', event_capacity: 3 } });
    expect(await report(global)).toMatchObject({
      capacity: 3,
      available: 0,
      over: 1,
      pool: { capacity: 3, sold: 2, held: 2, available: 0, over: 1 },
    });
  });

  it('is only for viewers who manage attendees, and 404 for unknown tickets', async () => {
    const id = await open({ mode: 'own', capacity: 1 });
    const path = `GET admin:/tickets/${id}/availability`;
    expect((await server().ask(path)).status).toBe(401);
    expect((await server().ask(path, { as: 'door' })).status).toBe(403);
    const absent = await server().ask('GET admin:/tickets/999999/availability', { as: 'editor' });
    expect(absent).toMatchObject({ status: 404, body: { code: 'ticket-not-found' } });
  });
});
