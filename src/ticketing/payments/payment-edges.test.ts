import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { readContent } from '../../../test/stored-content.ts';
import { usualOf } from '../../../test/thoroughness.ts';

/** States from which a payment must lead out, and requests at the same time. */
describe.each(DATABASES)('payments in edge cases, on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  beforeAll(async () => {
    paying = await startPaying(kind);
    const card = { id: 'card', gateway: 'stripe' };
    await paying.server.make('PATCH admin:/site', { payment_ways: [card, { id: 'transfer', gateway: 'transfer' }] });
  });
  afterAll(() => paying.close());
  afterEach(() => paying.reset());

  const staff = (call: string, body: unknown) => paying.server.ask(call, { as: 'administrator', body });

  it('are booked once, although two members of staff complete their order at once', async () => {
    const seat = await paying.makeSeat(20);
    for (let round = 0; round < 5; round += 1) {
      const order = await buy(paying.server, [seat], { payment: 'transfer' });
      const complete = () => staff(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
      const book = () => staff(`POST admin:/orders/${order.id}/payments`, {});
      await Promise.all([complete(), complete(), book()]);
      expect(await paying.read(order)).toMatchObject({
        status: 'completed',
        paid: { minor: 2000 },
        owed: { minor: 0 },
      });
    }
  });

  it('are given back once, although their customer cancels in several tabs at once', async () => {
    await paying.server.make('PATCH admin:/site', { cancellation: { rule: 'until', hours_before: 1 } });
    const seat = await paying.makeSeat(20);
    for (let round = 0; round < 5; round += 1) {
      const order = await paying.buyByCard(seat);
      const session = await paying.open(order);
      paying.standIn.account.pay(session);
      await paying.deliver();
      const cancel = () =>
        paying.server.ask(`POST tickets:/orders/${order.id}/cancel`, { headers: order.headers, body: {} });
      const answers = await Promise.all([cancel(), cancel(), cancel()]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      await paying.work();
      const { refunds } = await paying.read(order);
      expect(refunds).toMatchObject([{ status: 'done', amount: { minor: 2000 } }]);
      expect(paying.standIn.account.kept(session)).toBe(0);
    }
  });

  it('have a page that ends with MARQUEE_PAY_WITHIN, although a transfer keeps the places for days', async () => {
    const order = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
    const { status } = await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, {
      headers: order.headers,
      body: { payment: 'card' },
    });
    expect(status).toBe(201);
    const session = [...paying.standIn.account.sessions.values()].at(-1);
    expect(session?.expires_at).toBe(NOON.getTime() / 1000 + 35 * 60);
  });

  usually(
    'fail if the service does not know them, as after a change of account, so that others can be begun',
    async () => {
      const order = await paying.buyByCard(await paying.makeSeat(5));
      const first = await paying.open(order);
      paying.standIn.account.sessions.delete(first);
      await paying.pass(11);
      expect(await paying.read(order)).toMatchObject({ status: 'pending', payments: [{ status: 'failed' }] });
      const second = await paying.open(order);
      expect(second).not.toBe(first);
      paying.standIn.account.pay(second);
      await paying.deliver();
      expect((await paying.read(order)).status).toBe('completed');
    },
  );

  it('of another amount are booked as they are once staff end them, and the rest can be taken', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.account.pay(await paying.open(order), { amount: 1900 });
    await paying.deliver();
    await paying.server.make(`POST admin:/orders/${order.id}/payments/close`, {});
    expect(await paying.read(order)).toMatchObject({ status: 'pending', paid: { minor: 1900 }, owed: { minor: -100 } });
    await paying.server.make(`POST admin:/orders/${order.id}/payments`, { payment: 'cash' });
    expect(await paying.read(order)).toMatchObject({ status: 'completed', paid: { minor: 2000 } });
  });

  usually('are not asked for all the time while the service does not respond', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    await paying.open(order);
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    await paying.pass(11);
    const before = paying.standIn.requests.length;
    for (let round = 0; round < 20; round += 1) await paying.pass(0.25);
    // Pauses that double, from 15 seconds.
    expect(paying.standIn.requests.length - before).toBeLessThan(8);
  });

  it('look at refunds that take days once an hour, and at once when the service says so', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    paying.standIn.account.refundsPend = true;
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, {});
    await paying.work();
    const statusOf = async () => (await paying.read(order)).refunds[0].status;
    expect(await statusOf()).toBe('pending');
    const before = paying.standIn.requests.length;
    for (let hour = 0; hour < 3; hour += 1) for (let round = 0; round < 4; round += 1) await paying.pass(15);
    // A look takes three requests; the periodic job would make twelve looks.
    expect(paying.standIn.requests.length - before).toBeLessThanOrEqual(3 * 3);
    const [refund] = [...paying.standIn.account.refunds.values()].slice(-1);
    paying.standIn.account.settleRefund(refund?.id ?? '', true);
    await paying.deliver();
    expect(await statusOf()).toBe('done');
  });

  it('are given back once, although the response is lost and the service away until it has forgotten the key', async () => {
    const { standIn } = paying;
    const order = await paying.buyByCard(await paying.makeSeat(5), 2);
    const session = await paying.open(order);
    standIn.account.pay(session);
    await paying.deliver();
    standIn.faults.push({ kind: 'closed', request: /^POST .*refunds/, isDone: true });
    standIn.onRequest = (request) => {
      if (request.startsWith('POST ')) standIn.faults.push({ kind: '500', times: 10_000 });
    };
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { attendees: [order.attendees[0]?.id] });
    await paying.work();
    standIn.onRequest = undefined;
    expect([standIn.account.kept(session), (await paying.read(order)).refunds[0].status]).toEqual([2000, 'requested']);
    await paying.pass(25 * 60);
    standIn.faults.length = 0;
    await paying.pass(25 * 60);
    expect([standIn.account.kept(session), (await paying.read(order)).refunds[0].status]).toEqual([2000, 'done']);
  });

  usually('are not reopened by an answer that is older than the one of a webhook', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const session = await paying.open(order);
    paying.server.clock.now = new Date(NOON.getTime() + 60_000);
    const held = paying.standIn.hold(/^GET .*sessions/);
    const slow = paying.comeBack(order);
    await held.reached;
    paying.standIn.account.debit(session);
    await paying.deliver();
    held.release();
    await slow;
    expect(await paying.read(order)).toMatchObject({ status: 'approved', payments: [{ status: 'processing' }] });
  });

  it('begin anew once a request that got no page is a few minutes old', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.faults.push({ kind: '500', request: /^POST .*sessions$/, times: 1000 });
    await expect(paying.open(order)).rejects.toThrow('payment-unavailable');
    await expect(paying.open(order)).rejects.toThrow('payment-unavailable');
    // Stripe repeats a failure for the life of the key, so that another is needed.
    paying.standIn.faults.length = 0;
    paying.server.clock.now = new Date(NOON.getTime() + 6 * 60_000);
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    expect(await paying.read(order)).toMatchObject({
      status: 'completed',
      payments: [{ status: 'cancelled' }, { status: 'paid' }],
    });
  });

  usually('without a page are ended by staff and at the deadline, although the service does not respond', async () => {
    for (const by of ['staff', 'deadline']) {
      const order = await paying.buyByCard(await paying.makeSeat(5));
      paying.standIn.faults.push({ kind: '500', request: /^POST .*sessions$/, times: 1000 });
      await expect(paying.open(order)).rejects.toThrow('payment-unavailable');
      if (by === 'staff') await paying.server.make(`POST admin:/orders/${order.id}/payments/close`, {});
      else await paying.pass(36);
      const { status, payments } = await paying.read(order);
      expect([status, payments[0].status]).toEqual([by === 'staff' ? 'pending' : 'not-completed', 'cancelled']);
      paying.standIn.faults.length = 0;
    }
  });

  usually('lead to another page once the first has ended, although its webhook is lost', async () => {
    const order = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
    const open = async () => {
      const { headers } = order;
      const body = { payment: 'card' };
      const answer = await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, { headers, body });
      return new URL(answer.body.redirect_url).pathname;
    };
    const first = await open();
    paying.server.clock.now = new Date(NOON.getTime() + 36 * 60_000);
    expect(await open()).not.toBe(first);
  });

  usually('are looked at although a clock was wrong for a while', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const session = await paying.open(order);
    paying.standIn.account.debit(session);
    await paying.deliver();
    await paying.pass(30 * 1440);
    paying.server.clock.now = NOON;
    paying.standIn.account.settleDebit(session, true);
    paying.standIn.takeWebhooks();
    await paying.pass(61);
    expect((await paying.read(order)).status).toBe('completed');
  });

  it('are asked for once by forty tabs at the same time', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    await paying.open(order);
    paying.server.clock.now = new Date(NOON.getTime() + 10_000);
    const before = paying.standIn.requests.length;
    await Promise.all(Array.from({ length: 40 }, () => paying.comeBack(order)));
    expect(paying.standIn.requests.length - before).toBe(1);
  });

  usually('may be ended by the box office unless money is on its way', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const close = async () =>
      (await paying.server.ask(`POST admin:/orders/${order.id}/payments/close`, { as: 'box_office', body: {} })).status;
    await paying.open(order);
    expect(await close()).toBe(200);
    paying.standIn.account.debit(await paying.open(order));
    await paying.deliver();
    expect(await close()).toBe(403);
  });

  it('leave no secret, card number or page of the service in logs, responses and rows, whatever it sends', async () => {
    const { server, standIn } = paying;
    const said: string[] = [];
    const { log } = server.context;
    Object.assign(server.context, { log: pino({ level: 'trace' }, { write: (line: string) => void said.push(line) }) });
    server.restart({});
    standIn.account.declineMessage =
      'Card 4242 4242 4242 4242 of canarycustomer was declined: sk_test_standin0000000001';
    const ask = async (call: string, headers = {}, body: unknown = {}) =>
      said.push(
        (await server.ask(call, { ...(Object.keys(headers).length === 0 && { as: 'administrator' }), headers, body }))
          .text,
      );
    for (const kind of ['500', '429', 'html', 'half', 'closed', 'other-shape'] as const) {
      const order = await paying.buyByCard(await paying.makeSeat(5));
      standIn.faults.push({ kind, times: 2 });
      await ask(`POST tickets:/orders/${order.id}/payments`, order.headers);
      standIn.faults.length = 0;
      const session = await paying.open(order);
      standIn.account.decline(session);
      await paying.deliver();
      standIn.account.pay(session);
      standIn.faults.push({ kind, times: 4 });
      for (const webhook of standIn.takeWebhooks())
        said.push(await (await server.request('/calendar/tickets/v1/gateways/stripe/webhook', webhook)).text());
      const [{ id }] = (await paying.read(order)).payments;
      await ask(`POST admin:/payments/${id}/check`);
      await paying.work();
      standIn.faults.length = 0;
      await paying.pass(2);
      await ask(`POST admin:/orders/${order.id}/refunds`);
      standIn.faults.push({ kind, times: 4 });
      await paying.work();
      standIn.faults.length = 0;
      await ask(`POST tickets:/orders/${order.id}/cancel`, order.headers);
      said.push(JSON.stringify(await paying.read(order)));
    }
    said.push(await readContent(server.context.db));
    const all = said.join('\n');
    Object.assign(server.context, { log });
    // Control: the search finds texts that were written.
    for (const present of ['cs_test_', 'payments.check', 'Visa']) expect(all).toContain(present);
    const planted = [standIn.key, standIn.secret, 'sk_test', 'whsec', '4242 4242', '42424242', 'canarycustomer'];
    for (const absent of [...planted, 'Bad gateway', 'teapot', 'doctype'])
      expect(all.includes(absent), absent).toBe(false);
  });

  it('refuse what contradicts the money', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    const pending = await staff(`PATCH admin:/orders/${order.id}`, { status: 'pending' });
    expect([pending.status, pending.body.code]).toEqual([409, 'order-status-not-allowed']);
    const again = await staff(`POST admin:/orders/${order.id}/payments`, { amount: 1 });
    expect([again.status, again.body.code]).toEqual([409, 'order-not-payable']);
    for (const amount of [2001, 99_999_999_999]) {
      const much = await staff(`POST admin:/orders/${order.id}/refunds`, { amount });
      expect([much.status, much.body.code, much.body.data.left]).toEqual([409, 'refund-not-allowed', 2000]);
    }
    for (const amount of [-1, 0.5, '1e99', 'all', {}, null]) {
      const { status, body } = await staff(`POST admin:/orders/${order.id}/refunds`, {
        amount,
        all: true,
        dry_run: true,
      });
      expect([status, body.code], String(amount)).toEqual([400, 'rest_invalid_param']);
    }
    const other = await buy(paying.server, [await paying.makeSeat(5)], { payment: 'transfer' });
    for (const payment of ['bitcoin', '<b>', 'free '.repeat(9)]) {
      const { status, body } = await staff(`POST admin:/orders/${other.id}/payments`, { payment });
      expect([status, body.code], payment).toEqual([400, 'rest_invalid_param']);
    }
  });
});

describe.each(DATABASES)('the limits of unpaid places, on %s', (kind) => {
  let paying: PayingServer;
  beforeAll(async () => {
    const openOrders = { perAddress: 2, perEmail: 2 };
    paying = await startPaying(kind, { keptPerAddress: 4, openOrders });
    const ways = [
      { id: 'card', gateway: 'stripe' },
      { id: 'transfer', gateway: 'transfer' },
    ];
    await paying.server.make('PATCH admin:/site', { payment_ways: ways });
  });
  afterAll(() => paying.close());

  it('count orders with a payment on its way, and transfers beside which a card payment is open', async () => {
    const seat = await paying.makeSeat(100);
    for (let order = 0; order < 2; order += 1) {
      paying.standIn.account.promise(await paying.open(await paying.buyByCard(seat)));
      await paying.deliver();
    }
    await expect(paying.buyByCard(seat)).rejects.toThrow('too-many-open-orders');
    paying.server.clock.now = new Date(NOON.getTime() + 10 * 86_400_000);
    for (const { id } of (await paying.server.ask('GET admin:/orders', { as: 'administrator' })).body.orders)
      await paying.server.make(`POST admin:/orders/${id}/payments/close`, {});
    await paying.work();
    const order = await buy(paying.server, Array(4).fill(seat), { payment: 'transfer' });
    const { headers } = order;
    await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, { headers, body: { payment: 'card' } });
    await expect(buy(paying.server, [seat], { payment: 'transfer' })).rejects.toThrow('too-many-places-held');
  });
});
