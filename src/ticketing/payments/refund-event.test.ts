import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat, soldOf } from '../../../test/attendees.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { runJobs } from '../../../test/jobs.ts';
import { BOTH_DATABASES } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(BOTH_DATABASES)('the refund of a cancelled event on %s', (kind) => {
  let paying: PayingServer;
  beforeAll(async () => {
    paying = await startPaying(kind);
  });
  afterAll(() => paying.close());

  const makeSale = async () => {
    const event = await makeEvent(paying.server);
    return { event, seat: await makeSeat(paying.server, event, 100, { price: '20' }) };
  };
  const cancel = (event: number) => paying.server.make(`PATCH events:/events/${event}`, { event_status: 'cancelled' });
  const paid = async (seat: number, quantity = 1) => {
    const order = await paying.buyByCard(seat, quantity);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    return { ...order, session };
  };
  const paidByHand = (seats: readonly number[]): Promise<{ id: number; attendees: { id: number }[] }> =>
    paying.server.make('POST admin:/orders', {
      items: [...Map.groupBy(seats, (id) => id)].map(([ticket_id, all]) => ({ ticket_id, quantity: all.length })),
      ...{ payment: 'cash', purchaser: { name: 'Ada' } },
    });
  const refund = (event: number, body = {}) =>
    paying.server.ask(`POST admin:/events/${event}/refunds`, { as: 'administrator', body });
  const progress = async (event: number) =>
    (await paying.server.ask(`GET admin:/events/${event}/refunds`, { as: 'administrator' })).body;
  const minor = (sums: { minor: number }[]) => sums.map((sum) => sum.minor);

  it('gives everything back once, however often and in how many processes it is asked for', async () => {
    const { event, seat } = await makeSale();
    const [card, hand] = [await paid(seat, 2), await paidByHand([seat])];
    const unpaid = await paying.buyByCard(seat);
    expect((await refund(event)).body.code).toBe('event-not-cancelled');
    await cancel(event);
    const preview = await refund(event, { dry_run: true });
    expect(preview.body).toMatchObject({ is_running: false, left: { orders: 2, places: 3 }, by_hand: { count: 1 } });
    const { sums, at_services, offline } = preview.body.left;
    expect([sums, at_services, offline].map(minor)).toEqual([[6000], [4000], [2000]]);
    await runJobs(paying.server.context);
    expect(paying.standIn.account.kept(card.session)).toBe(4000);
    for (let times = 0; times < 3; times += 1) expect((await refund(event, { reason: 'Storm' })).status).toBe(200);
    expect((await progress(event)).is_running).toBe(true);
    await Promise.all([runJobs(paying.server.context), runJobs(paying.server.context)]);
    await refund(event);
    await runJobs(paying.server.context);
    for (const order of [card, hand])
      expect(await paying.read(order)).toMatchObject({ status: 'refunded', paid: { minor: 0 }, owed: { minor: 0 } });
    expect((await paying.read(card)).refunds).toMatchObject([{ status: 'done', reason: 'Storm' }]);
    expect((await paying.read(unpaid)).status).toBe('pending');
    expect(paying.standIn.account.kept(card.session)).toBe(0);
    expect(await soldOf(paying.server, seat)).toBe(1);
    const after = await progress(event);
    expect(after).toMatchObject({ is_running: false, error: '', left: { orders: 0 }, done: { orders: 2 } });
    expect(minor(after.done.sums)).toEqual([6000]);
    const { body } = await paying.server.ask('GET admin:/audit', {
      as: 'administrator',
      query: { kind: 'order', id: card.id },
    });
    expect(body.audit).toMatchObject([{ user: { name: 'administrator' }, fields: ['status'] }]);
  });

  it('keeps the places of other events, and leaves open payments and check-ins to staff', async () => {
    const [gone, other] = [await makeSale(), await makeSale()];
    const both = await paidByHand([gone.seat, gone.seat, other.seat]);
    const [came, late] = [await paidByHand([gone.seat]), await paying.buyByCard(gone.seat)];
    const open = await paying.open(late);
    await paying.server.make(`PATCH tickets:/attendees/${came.attendees[0]?.id}`, { check_in: true });
    await cancel(gone.event);
    await refund(gone.event);
    await runJobs(paying.server.context);
    expect(await paying.read(both)).toMatchObject({
      ...{ status: 'completed', total: { minor: 2000 }, paid: { minor: 2000 }, owed: { minor: 0 } },
      refunds: [{ amount: { minor: 4000 }, status: 'done', source: `event-${gone.event}` }],
    });
    expect(await soldOf(paying.server, other.seat)).toBe(1);
    const { by_hand, left } = await progress(gone.event);
    expect([left.orders, by_hand.orders.map(({ id }: { id: number }) => id)]).toEqual([0, [came.id, late.id]]);
    // Paid meanwhile, it is refunded by the next call.
    paying.standIn.account.pay(open);
    await paying.deliver();
    await refund(gone.event);
    await runJobs(paying.server.context);
    expect((await paying.read(late)).status).toBe('refunded');
    expect(paying.standIn.account.kept(open)).toBe(0);
  });

  it('goes on after a kill, ten orders a second, and counts refunds that fail', async () => {
    const { event, seat } = await makeSale();
    const card = await paid(seat);
    for (let count = 0; count < 11; count += 1) await paidByHand([seat]);
    await cancel(event);
    await refund(event);
    const { account } = paying.standIn;
    account.refundsPend = true;
    await runJobs(paying.server.context);
    account.refundsPend = false;
    expect((await progress(event)).left.orders).toBe(2);
    // The process that held the job is gone.
    await paying.server.context.db.query
      .updateTable('jobs')
      .set({ state: 'running', owner: 'gone', due_utc: '2026-01-01 00:00:00' })
      .where('kind', '=', 'events.refund')
      .execute();
    await paying.pass(1);
    account.settleRefund([...account.refunds.keys()].at(-1) ?? '', false);
    await paying.deliver();
    await paying.pass(61);
    expect(await progress(event)).toMatchObject({
      left: { orders: 0 },
      done: { orders: 11 },
      failed: { refunds: 1, orders: [{ id: card.id }] },
    });
    expect(await paying.read(card)).toMatchObject({ status: 'refunded', owed: { minor: 2000 } });
    expect(await soldOf(paying.server, seat)).toBe(0);
  });

  it('ends when the account loses the right, or the event takes place after all', async () => {
    const { event, seat } = await makeSale();
    const order = await paidByHand([seat]);
    await cancel(event);
    await refund(event);
    await paying.server.make(`PATCH events:/events/${event}`, { event_status: 'scheduled' });
    await runJobs(paying.server.context);
    expect((await paying.read(order)).status).toBe('completed');
    expect(await progress(event)).toMatchObject({ is_running: false, error: 'the event is not cancelled' });
  });
});
