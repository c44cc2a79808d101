import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { DATABASES } from '../../../test/server.ts';
import { reconcileRecent } from '../books/reconcile.ts';

describe.each(DATABASES)('tasks about money on %s', (kind) => {
  let paying: PayingServer;
  let seat = 0;
  beforeAll(async () => {
    paying = await startPaying(kind);
    seat = await paying.makeSeat(100);
  });
  afterAll(() => paying.close());

  const open = async () => {
    const order = await paying.buyByCard(seat, 1);
    return { ...order, session: await paying.open(order) };
  };
  const pay = async (amount?: number) => {
    const order = await open();
    paying.standIn.account.pay(order.session, amount === undefined ? {} : { amount });
    await paying.deliver();
    return order;
  };
  const staff = (call: string, body: object = {}) => paying.server.make(call, body);
  const tasks = async (as: 'editor' | 'author' | 'administrator' = 'administrator') => {
    const { failed_refunds, disputes, other_amounts, findings } = (
      await paying.server.ask('GET admin:/overview', { as })
    ).body.tasks;
    const ids = (task: { count: number; orders: { id: number }[] } | null) => task?.orders.map(({ id }) => id);
    expect([failed_refunds, disputes, other_amounts].map((task) => task?.count)).toEqual(
      [failed_refunds, disputes, other_amounts].map((task) => task?.orders.length),
    );
    return [ids(failed_refunds), ids(disputes), ids(other_amounts), findings?.count];
  };
  const NONE = [[], [], [], 0];

  it('name orders with refused refunds until they are given back, disputes until they are decided, and other amounts', async () => {
    const { account } = paying.standIn;
    expect(await tasks()).toEqual(NONE);
    const refused = await pay();
    account.refundsPend = true;
    await staff(`POST admin:/orders/${refused.id}/refunds`, { amount: 500 });
    await paying.work();
    account.refundsPend = false;
    account.settleRefund([...account.refunds.keys()].at(-1) ?? '', false);
    await paying.deliver();
    await paying.pass(61);
    const disputed = await pay();
    const dispute = account.dispute(disputed.session);
    await paying.deliver();
    const other = await pay(1500);
    // Waits for a payment elsewhere, as with a voucher.
    const promised = await open();
    account.promise(promised.session);
    await paying.deliver();
    expect(await tasks()).toEqual([[refused.id], [disputed.id], [other.id], 0]);
    expect(await tasks('editor')).toEqual([[refused.id], [disputed.id], [other.id], 0]);
    expect(await tasks('author')).toEqual([[], [], [], undefined]);
    const [failed] = (await paying.read(refused)).refunds;
    await staff(`POST admin:/refunds/${failed.id}/settle`);
    account.closeDispute(dispute.id, 'won');
    await staff(`POST admin:/orders/${other.id}/payments/close`);
    await paying.deliver();
    expect(await tasks()).toEqual(NONE);
  });

  it('leave out a refused refund whose money went another way', async () => {
    const { account } = paying.standIn;
    const order = await pay();
    account.refundsPend = true;
    await staff(`POST admin:/orders/${order.id}/refunds`, {});
    await paying.work();
    account.refundsPend = false;
    account.settleRefund([...account.refunds.keys()].at(-1) ?? '', false);
    await paying.deliver();
    await paying.pass(61);
    expect((await tasks())[0]).toEqual([order.id]);
    await staff(`POST admin:/orders/${order.id}/refunds`, {});
    expect(await tasks()).toEqual(NONE);
    const [failed] = (await paying.read(order)).refunds;
    expect(failed).toMatchObject({ status: 'failed', source: 'staff' });
  });

  it('count orders with money to give back, which the list of orders has a filter for', async () => {
    const { server } = paying;
    await server.make('PATCH admin:/site', {
      payment_ways: [
        { id: 'card', gateway: 'stripe' },
        { id: 'transfer', gateway: 'transfer' },
      ],
      cancellation: { rule: 'until', hours_before: 1 },
    });
    const sell = async (quantity: number): Promise<{ id: number; attendees: { id: number }[] }> => {
      const items = [{ ticket_id: seat, quantity }];
      return server.make('POST admin:/orders', {
        items,
        payment: 'cash',
        purchaser: { name: 'Ada', email: 'a@b.test' },
      });
    };
    const buyByTransfer = () => buy(server, [seat], { payment: 'transfer' });
    const list = async (query: Record<string, string>, as: 'editor' | 'author' = 'editor') =>
      (await server.ask('GET admin:/orders', { as, query })).body;
    // An order of another test may have expired with a part of its price.
    const before = new Set((await list({ money_owed: 'true' })).orders.map(({ id }: { id: number }) => id));
    const owed = async (as: 'editor' | 'author' = 'editor') => {
      const { total, orders } = await list({ money_owed: 'true' }, as);
      const task = (await server.ask('GET admin:/overview', { as })).body.tasks.money_owed;
      expect(task).toEqual({ count: total });
      const found: [number, number][] = orders.map((order: { id: number; owed: { minor: number } }) => [
        order.id,
        order.owed.minor,
      ]);
      return found.filter(([id]) => !before.has(id));
    };
    const [unpaid, byCustomer] = [await buyByTransfer(), await buyByTransfer()];
    await staff(`PATCH admin:/orders/${byCustomer.id}`, { status: 'completed' });
    const part = await sell(2);
    const all = await sell(1);
    expect(await owed()).toEqual([]);
    const { headers } = byCustomer;
    expect((await server.ask(`POST tickets:/orders/${byCustomer.id}/cancel`, { headers, body: {} })).status).toBe(200);
    await staff(`POST admin:/orders/${part.id}/cancel-places`, {
      attendees: [(await paying.read(part)).attendees[0].id],
    });
    await staff(`PATCH admin:/orders/${all.id}`, { status: 'voided' });
    expect(await owed()).toEqual([
      [all.id, 2000],
      [part.id, 2000],
      [byCustomer.id, 2000],
    ]);
    expect(await owed('author')).toEqual([]);
    for (const order of (await list({ per_page: '50' })).orders)
      expect(order.owed, String(order.id)).toEqual((await paying.read(order)).owed);
    expect((await list({ money_owed: 'false' })).orders).toContainEqual(expect.objectContaining({ id: unpaid.id }));
    // Giving back everything but a part keeps the rest on purpose.
    await staff(`POST admin:/orders/${all.id}/refunds`, { amount: 500 });
    await staff(`POST admin:/orders/${part.id}/refunds`, { amount: 2000 });
    const path = new URL(byCustomer.body.order.url).pathname;
    const page = async () => (await server.request(path)).text();
    expect(await page()).toContain('The $20.00 that was paid is not refunded automatically.');
    expect(await owed()).toEqual([
      [all.id, 1500],
      [byCustomer.id, 2000],
    ]);
    for (const { id } of [all, byCustomer]) await staff(`POST admin:/orders/${id}/refunds`, {});
    expect(await owed()).toEqual([]);
    expect(await page()).not.toContain('automatically');
    await staff(`PATCH admin:/orders/${unpaid.id}`, { status: 'voided' });
  });

  it('count open findings of the reconciliation', async () => {
    const order = await pay();
    const { db } = paying.server.context;
    await db.query.updateTable('payments').set({ amount: 2001 }).where('order_id', '=', order.id).execute();
    await paying.pass(1);
    await reconcileRecent(paying.server.context);
    expect((await tasks())[3]).toBe(1);
    await db.query.deleteFrom('reconciliation_findings').execute();
    await db.query.updateTable('payments').set({ amount: 2000 }).where('order_id', '=', order.id).execute();
  });
});
