import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
