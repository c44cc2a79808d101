import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat, soldOf } from '../../../test/attendees.ts';
import { type Bought, buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { Refusal } from '../../../test/gateways/stripe-account.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { siteKeysOf } from '../../lib/site-keys.ts';

/** Money that arrives, goes back or stays in ways that the books must not lose. */
describe.each(DATABASES)('money in edge cases, on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  beforeAll(async () => {
    paying = await startPaying(kind);
    const card = { id: 'card', gateway: 'stripe' };
    await paying.server.make('PATCH admin:/site', {
      payment_ways: [card, { id: 'transfer', gateway: 'transfer' }],
      cancellation: { rule: 'until', hours_before: 1 },
    });
  });
  afterAll(() => paying.close());
  afterEach(() => paying.reset());

  const staff = (call: string, body: unknown = {}) => paying.server.ask(call, { as: 'administrator', body });
  const refund = async ({ id }: Bought, body: object = {}) => {
    const answer = await staff(`POST admin:/orders/${id}/refunds`, body);
    await paying.work();
    return answer;
  };
  const cancel = async ({ id, headers }: Bought) => {
    const answer = await paying.server.ask(`POST tickets:/orders/${id}/cancel`, { headers, body: {} });
    await paying.work();
    return answer;
  };
  /** An order whose places were paid by card. */
  const paid = async (quantity = 1) => {
    const order = await paying.buyByCard(await paying.makeSeat(20), quantity);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    return { order, session, kept: () => paying.standIn.account.kept(session) };
  };
  /** Status of an order, minor units that were paid and that are owed, and its refunds. */
  const books = async (order: { id: number }) => {
    const { status, paid: received, owed, refunds } = await paying.read(order);
    return [status, received.minor, owed.minor, refunds.map((one: { status: string }) => one.status).join()];
  };
  const lastRefund = () => [...paying.standIn.account.refunds.values()].at(-1);

  usually('is given back once, although the secret of the site changes while its refund is pending', async () => {
    const { order, kept } = await paid(2);
    paying.standIn.account.refundsPend = true;
    await refund(order, { attendees: [order.attendees[0]?.id] });
    const { context } = paying.server;
    const { siteKey } = context;
    Object.assign(context, { siteKey: siteKeysOf('another secret of at least thirty-two characters') });
    for (let hour = 0; hour < 2; hour += 1) await paying.pass(61);
    Object.assign(context, { siteKey });
    expect(kept()).toBe(2000);
  });

  it('is not called kept while the service does not know the payment of a pending refund', async () => {
    const { order, session, kept } = await paid(2);
    paying.standIn.account.refundsPend = true;
    await refund(order, { attendees: [order.attendees[0]?.id] });
    const { sessions, settleRefund } = paying.standIn.account;
    const known = sessions.get(session);
    sessions.delete(session);
    await paying.pass(61);
    expect(await books(order)).toEqual(['completed', 2000, 0, 'pending']);
    if (known) sessions.set(session, known);
    settleRefund.call(paying.standIn.account, lastRefund()?.id ?? '', true);
    await paying.deliver();
    expect([await books(order), kept()]).toEqual([['completed', 2000, 0, 'done'], 2000]);
  });

  it('is owed again if a bank sends a refund back days later', async () => {
    const { order, kept } = await paid();
    await refund(order);
    await paying.deliver();
    expect(await books(order)).toEqual(['refunded', 0, 0, 'done']);
    await paying.pass(3 * 1440);
    paying.standIn.account.settleRefund(lastRefund()?.id ?? '', false);
    await paying.deliver();
    expect([await books(order), kept()]).toEqual([['refunded', 2000, 2000, 'failed'], 2000]);
  });

  usually('is given back once the account of the service has money again', async () => {
    const { order, kept } = await paid();
    const { account } = paying.standIn;
    const own = account.createRefund;
    account.createRefund = () => {
      throw new Refusal(400, { code: 'balance_insufficient', message: 'Insufficient funds.' });
    };
    await refund(order);
    account.createRefund = own;
    expect(await books(order)).toEqual(['refunded', 0, 0, 'requested']);
    // Stripe repeats its refusal for the life of the key.
    await paying.pass(1441);
    expect([await books(order), kept()]).toEqual([['refunded', 0, 0, 'done'], 0]);
  });

  usually('of a cancelled place is given back with an order whose other places are free', async () => {
    const event = await makeEvent(paying.server);
    const costly = await makeSeat(paying.server, event, 10, { price: '20' });
    const free = await makeSeat(paying.server, event, 10, { price: '0' });
    for (const by of ['staff', 'customer']) {
      const order = await buy(paying.server, [costly, free], { payment: 'card' });
      const session = await paying.open(order);
      paying.standIn.account.pay(session);
      await paying.deliver();
      const place = order.attendees.find(({ ticket_id }) => ticket_id === costly)?.id;
      await staff(`POST admin:/orders/${order.id}/cancel-places`, { attendees: [place] });
      expect(await books(order)).toEqual(['completed', 2000, 2000, '']);
      if (by === 'staff') await staff(`PATCH admin:/orders/${order.id}`, { status: 'refunded' });
      else await cancel(order);
      await paying.work();
      expect([await books(order), paying.standIn.account.kept(session)], by).toEqual([['refunded', 0, 0, 'done'], 0]);
    }
  });

  usually('that staff kept on purpose stays when the customer cancels the rest, twice', async () => {
    const { order, kept } = await paid(2);
    await refund(order, { attendees: [order.attendees[0]?.id], amount: 1000 });
    for (let time = 0; time < 2; time += 1) expect((await cancel(order)).status).toBe(200);
    expect([await books(order), kept()]).toEqual([['refunded', 1000, 0, 'done,done'], 1000]);
  });

  usually('that was kept can be given back later', async () => {
    const { order } = await paid();
    await refund(order, { all: true, amount: 1500 });
    const { body } = await refund(order, { amount: 500 });
    expect(body.changes.notices.join()).not.toContain('kept');
    expect(await books(order)).toEqual(['refunded', 0, 0, 'done,done']);
  });

  usually('given back without a place is not kept again when the place is cancelled', async () => {
    const { order, kept } = await paid(2);
    await refund(order, { amount: 3000 });
    await refund(order, { attendees: [order.attendees[0]?.id] });
    expect([await books(order), kept()]).toEqual([['completed', 0, 0, 'done,done'], 0]);
    expect((await paying.read(order)).total.minor).toBe(0);
    await staff(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    expect(await books(order)).toEqual(['voided', 0, 0, 'done,done']);
  });

  usually('given back in the account of the service ends the order, and part of it reduces its total', async () => {
    for (const amount of [undefined, 500]) {
      const { order, session, kept } = await paid();
      const intent = String(paying.standIn.account.sessions.get(session)?.payment_intent);
      paying.standIn.account.createRefund(intent, { ...(amount && { amount }), metadata: {} });
      await paying.deliver();
      expect([await books(order), kept()]).toEqual(
        amount ? [['completed', 1500, 0, 'done'], 1500] : [['refunded', 0, 0, 'done'], 0],
      );
      await paying.pass(61);
      expect((await paying.read(order)).refunds).toMatchObject([{ source: 'gateway' }]);
    }
  });

  usually('of a cancelled place that is given back in the account of the service is no longer owed', async () => {
    const { order, session } = await paid(2);
    await staff(`POST admin:/orders/${order.id}/cancel-places`, { attendees: [order.attendees[0]?.id] });
    expect(await books(order)).toEqual(['completed', 4000, 2000, '']);
    const intent = String(paying.standIn.account.sessions.get(session)?.payment_intent);
    paying.standIn.account.createRefund(intent, { amount: 2000, metadata: {} });
    await paying.deliver();
    expect([await books(order), (await paying.read(order)).total.minor]).toEqual([
      ['completed', 2000, 0, 'done'],
      2000,
    ]);
  });

  usually('of a cancelled place is given back as an amount, and not by naming the place again', async () => {
    const { order } = await paid(2);
    const attendees = [order.attendees[0]?.id];
    await staff(`POST admin:/orders/${order.id}/cancel-places`, { attendees });
    const { status, body } = await refund(order, { attendees });
    expect([status, body.code, await books(order)]).toEqual([
      409,
      'order-not-cancellable',
      ['completed', 4000, 2000, ''],
    ]);
    await refund(order, { amount: 2000 });
    expect(await books(order)).toEqual(['completed', 2000, 0, 'done']);
  });

  it('of which a bank takes a part back leaves the rest, and the places', async () => {
    const { order, session, kept } = await paid(2);
    const dispute = paying.standIn.account.dispute(session, 2000);
    paying.standIn.account.closeDispute(dispute.id, 'lost');
    await paying.deliver();
    expect([await books(order), kept()]).toEqual([['completed', 2000, 0, 'done'], 2000]);
  });

  usually('that a bank leaves after a dispute is not given back by the server', async () => {
    const { order, session, kept } = await paid();
    await staff(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    const dispute = paying.standIn.account.dispute(session);
    await paying.deliver();
    paying.standIn.account.closeDispute(dispute.id, 'won');
    await paying.deliver();
    await paying.work();
    expect([await books(order), kept()]).toEqual([['voided', 2000, 2000, ''], 2000]);
  });

  usually('in another currency cannot be hidden by its customer, who cancels', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.account.pay(await paying.open(order));
    const intent = [...paying.standIn.account.intents.values()].at(-1);
    if (intent) intent.currency = 'sek';
    await paying.deliver();
    const { status, body } = await cancel(order);
    expect([status, body.code, (await paying.read(order)).status]).toEqual([409, 'payment-open', 'action-req']);
  });

  it('of another amount does not pay an order because it is disputed at once', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const session = await paying.open(order);
    paying.standIn.account.pay(session, { amount: 100 });
    paying.standIn.account.dispute(session);
    await paying.deliver();
    expect((await paying.read(order)).status).toBe('action-req');
  });

  it('received offline is unbooked only with the right to refund', async () => {
    for (const to of ['pending', 'reversed', 'refunded']) {
      const order = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
      await staff(`POST admin:/orders/${order.id}/payments`, { payment: 'cash' });
      const answer = await paying.server.ask(`PATCH admin:/orders/${order.id}`, { as: 'editor', body: { status: to } });
      expect([answer.status, ...(await books(order))], to).toEqual([403, 'completed', 2000, 0, '']);
    }
  });

  it('received offline may be unbooked for an hour by the account that booked it', async () => {
    const order = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
    const asEditor = async (status: string) =>
      (await paying.server.ask(`PATCH admin:/orders/${order.id}`, { as: 'editor', body: { status } })).status;
    for (const status of ['completed', 'pending', 'completed']) expect(await asEditor(status)).toBe(200);
    expect(await asEditor('reversed')).toBe(403);
    paying.server.clock.now = new Date(NOON.getTime() + 61 * 60_000);
    expect(await asEditor('pending')).toBe(403);
  });

  it('received offline is still owed after the customer has cancelled', async () => {
    const order = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
    await staff(`POST admin:/orders/${order.id}/payments`, { amount: 500, payment: 'cash' });
    const { headers } = order;
    await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, { headers, body: { payment: 'card' } });
    const session = [...paying.standIn.account.sessions.keys()].at(-1) ?? '';
    paying.standIn.account.pay(session);
    await paying.deliver();
    expect((await cancel(order)).status).toBe(200);
    expect(await books(order)).toEqual(['refunded', 500, 500, 'done']);
  });

  it('is no longer taken for a cancelled event', async () => {
    const event = await makeEvent(paying.server);
    const seat = await makeSeat(paying.server, event, 10, { price: '20' });
    const [open, fresh] = [await paying.buyByCard(seat), await paying.buyByCard(seat)];
    const session = await paying.open(open);
    await paying.server.make(`PATCH events:/events/${event}`, { event_status: 'cancelled' });
    await expect(paying.open(fresh)).rejects.toThrow('order-not-payable');
    await paying.pass(11);
    expect(paying.standIn.account.sessions.get(session)?.status).toBe('expired');
    expect(await soldOf(paying.server, seat)).toBe(2);
  });
});
