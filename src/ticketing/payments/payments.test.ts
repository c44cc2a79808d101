import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { soldOf } from '../../../test/attendees.ts';
import { type Bought, buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { runJobs } from '../../../test/jobs.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';

describe.each(DATABASES)('orders that are paid at a payment service, on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  beforeAll(async () => {
    paying = await startPaying(kind);
  });
  afterAll(() => paying.close());
  afterEach(() => {
    paying.standIn.faults.length = 0;
    paying.standIn.takeWebhooks();
    paying.server.clock.now = NOON;
  });

  const statusOf = async (order: { id: number }) => (await paying.read(order)).status;
  const readOwn = async ({ id, headers }: Pick<Bought, 'id' | 'headers'>) =>
    (await paying.server.ask(`GET tickets:/orders/${id}`, { headers })).body;
  const sellElsewhere = (ticket_id: number, quantity: number) =>
    paying.server.make('POST admin:/orders', { items: [{ ticket_id, quantity }], payment: 'cash' });

  it('begin at the checkout without a request to the service, and keep their places for 35 minutes', async () => {
    const seat = await paying.makeSeat(5);
    const before = paying.standIn.requests.length;
    const order = await paying.buyByCard(seat, 2);
    expect(paying.standIn.requests.length).toBe(before);
    expect(order.body.payment).toMatchObject({
      status: 'created',
      method: 'card',
      gateway: 'stripe',
      amount: { minor: 4000 },
      redirect_url: `${order.body.order.url}pay/`,
      expires_utc: '2026-11-21 17:35:00',
    });
    expect(order.attendees.some((attendee) => 'security_code' in attendee)).toBe(false);
    expect(await readOwn(order)).toMatchObject({
      paid: { minor: 0 },
      payment_status: 'created',
      pay_url: `${order.body.order.url}pay/`,
      receipts: [],
    });
    expect(await paying.read(order)).toMatchObject({
      status: 'pending',
      gateway: 'card',
      paid: { minor: 0 },
      owed: { minor: -4000 },
    });
    expect(await soldOf(paying.server, seat)).toBe(2);
  });

  usually('are completed by the webhook, the return of the customer or the hourly look, whichever comes', async () => {
    const seat = await paying.makeSeat(10);
    const told = [
      () => paying.deliver(),
      (order: Parameters<PayingServer['comeBack']>[0]) => paying.comeBack(order),
      () => paying.pass(11),
    ];
    for (const tell of told) {
      const order = await paying.buyByCard(seat);
      paying.standIn.account.pay(await paying.open(order));
      expect(await statusOf(order)).toBe('pending');
      await tell(order);
      expect(await paying.read(order)).toMatchObject({
        status: 'completed',
        paid: { minor: 2000 },
        owed: { minor: 0 },
        payments: [{ status: 'paid', instrument: expect.stringContaining('4242'), fee: { minor: 55 } }],
      });
      const own = await readOwn(order);
      expect(own.attendees[0].security_code).toMatch(/\w/);
      expect(own).toMatchObject({
        paid: { minor: 2000 },
        payment_status: 'paid',
        pay_url: null,
        receipts: [{ name: 'Card', instrument: expect.stringContaining('4242'), amount: { minor: 2000 } }],
      });
    }
  });

  it('open one page however often they are asked to, also in two tabs at once', async () => {
    const seat = await paying.makeSeat(50);
    // Whether a tab overtakes another differs from one order to the next.
    for (let turn = 0; turn < 10; turn += 1) {
      const order = await paying.buyByCard(seat);
      const sessions = await Promise.all([1, 2, 3].map(() => paying.open(order)));
      expect(new Set(sessions).size).toBe(1);
      expect(new Set(sessions)).toEqual(new Set([await paying.open(order)]));
    }
  });

  usually('go on after an answer of the service is lost: the same page is found again', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.faults.push({ kind: 'closed', request: /sessions$/, isDone: true, times: 3 });
    const { status, body } = await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, {
      headers: order.headers,
      body: {},
    });
    expect([status, body.code]).toEqual([503, 'payment-unavailable']);
    expect(body.message).not.toMatch(/sk_test|stripe\.com/);
    paying.standIn.faults.length = 0;
    const session = await paying.open(order);
    const own = [...paying.standIn.account.sessions.values()].filter(
      ({ metadata }) => metadata?.marquee_payment === String(order.body.payment.id),
    );
    expect(own.map(({ id }) => id)).toEqual([session]);
    paying.standIn.account.pay(session);
    await paying.deliver();
    expect(await statusOf(order)).toBe('completed');
  });

  it('stay open after a declined card, and may be paid until the deadline', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const session = await paying.open(order);
    paying.standIn.account.decline(session);
    await paying.deliver();
    expect(await statusOf(order)).toBe('pending');
    expect(await paying.open(order)).toBe(session);
    paying.standIn.account.pay(session);
    paying.server.clock.now = new Date(NOON.getTime() + 3000);
    await paying.comeBack(order);
    expect(await statusOf(order)).toBe('completed');
  });

  usually('give their places up at the deadline, after the service was told', async () => {
    const seat = await paying.makeSeat(5);
    const [opened, never] = [await paying.buyByCard(seat), await paying.buyByCard(seat)];
    const session = await paying.open(opened);
    await paying.pass(34);
    expect(await soldOf(paying.server, seat)).toBe(2);
    await paying.pass(2);
    expect(await Promise.all([opened, never].map(statusOf))).toEqual(['not-completed', 'not-completed']);
    expect(paying.standIn.account.sessions.get(session)?.status).toBe('expired');
    expect(await soldOf(paying.server, seat)).toBe(0);
    const late = await paying.server.ask(`POST tickets:/orders/${opened.id}/payments`, {
      headers: opened.headers,
      body: {},
    });
    expect([late.status, late.body.code]).toEqual([409, 'order-not-payable']);
  });

  usually('are completed when the money came in the last second', async () => {
    const seat = await paying.makeSeat(1);
    const order = await paying.buyByCard(seat);
    // Opened late, the page lives longer than the order keeps its places.
    await paying.pass(20);
    const session = await paying.open(order);
    await paying.pass(14);
    // Paid after the server has decided to end the payment, and before it says so.
    paying.standIn.onRequest = (request) => {
      if (request.endsWith('/expire')) paying.standIn.account.pay(session);
    };
    await paying.pass(2);
    paying.standIn.onRequest = undefined;
    expect(await statusOf(order)).toBe('completed');
    expect(await soldOf(paying.server, seat)).toBe(1);
  });

  usually('wait a quarter of an hour for a service that does not respond, and then give their places up', async () => {
    const seat = await paying.makeSeat(1);
    const order = await paying.buyByCard(seat);
    await paying.pass(20);
    const session = await paying.open(order);
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    await paying.pass(16);
    expect(await statusOf(order)).toBe('pending');
    await paying.pass(14);
    expect(await statusOf(order)).toBe('not-completed');
    paying.standIn.faults.length = 0;
    // The money comes although the places are gone, and finds them free again.
    paying.standIn.account.pay(session);
    await paying.deliver();
    await paying.pass(10);
    expect(await paying.read(order)).toMatchObject({ status: 'completed', owed: { minor: 0 } });
  });

  it('get late money back in full if one of their places is taken', async () => {
    const seat = await paying.makeSeat(2);
    const order = await paying.buyByCard(seat, 2);
    await paying.pass(20);
    const session = await paying.open(order);
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    await paying.pass(30);
    paying.standIn.faults.length = 0;
    await sellElsewhere(seat, 1);
    paying.standIn.account.pay(session);
    await paying.deliver();
    await paying.pass(10);
    expect(await paying.read(order)).toMatchObject({
      status: 'not-completed',
      paid: { minor: 0 },
      owed: { minor: 0 },
      refunds: [{ status: 'done', amount: { minor: 4000 }, source: 'late' }],
    });
    expect(await readOwn(order)).toMatchObject({
      paid: { minor: 0 },
      refunded: { minor: 4000 },
      refunds: [{ status: 'done', cause: 'late' }],
      pay_url: null,
    });
    expect(paying.standIn.account.kept(session)).toBe(0);
    expect(await soldOf(paying.server, seat)).toBe(1);
  });

  usually('are approved while a debit is on its way, beyond the deadline, and completed when it is paid', async () => {
    const seat = await paying.makeSeat(5);
    const [paid, refused] = [await paying.buyByCard(seat), await paying.buyByCard(seat)];
    const sessions = [await paying.open(paid), await paying.open(refused)];
    for (const session of sessions) paying.standIn.account.debit(session);
    await paying.deliver();
    await paying.pass(3 * 24 * 60);
    expect(await Promise.all([paid, refused].map(statusOf))).toEqual(['approved', 'approved']);
    expect(await soldOf(paying.server, seat)).toBe(2);
    paying.standIn.account.settleDebit(sessions[0] ?? '', true);
    paying.standIn.account.settleDebit(sessions[1] ?? '', false);
    await paying.deliver();
    await paying.work();
    expect(await Promise.all([paid, refused].map(statusOf))).toEqual(['completed', 'pending']);
    // The customer whose bank refused may try again for a while.
    await paying.pass(36);
    expect(await statusOf(refused)).toBe('not-completed');
    expect(await soldOf(paying.server, seat)).toBe(1);
  });

  it('never complete with another amount: staff decide', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    paying.standIn.account.pay(await paying.open(order), { amount: 1900 });
    await paying.deliver();
    const read = await paying.read(order);
    expect(read).toMatchObject({ status: 'action-req', paid: { minor: 0 }, payments: [{ status: 'action' }] });
    const log = await paying.server.context.db.query
      .selectFrom('payment_log')
      .select('details')
      .where('payment_id', '=', read.payments[0].id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(JSON.parse(log?.details ?? '')).toEqual({ expected: 2000, received: 1900 });
  });

  it('are cancelled by the customer after the service was told, and by staff only when it was', async () => {
    const seat = await paying.makeSeat(5);
    const [own, staff] = [await paying.buyByCard(seat), await paying.buyByCard(seat)];
    const sessions = [await paying.open(own), await paying.open(staff)];
    const cancelled = await paying.server.ask(`POST tickets:/orders/${own.id}/cancel`, {
      headers: own.headers,
      body: {},
    });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'voided']);
    const change = () =>
      paying.server.ask(`PATCH admin:/orders/${staff.id}`, { as: 'editor', body: { status: 'voided' } });
    expect((await change()).body.code).toBe('payment-open');
    await paying.server.make(`POST admin:/orders/${staff.id}/payments/close`, {}, 'editor');
    expect((await change()).status).toBe(200);
    const { sessions: known } = paying.standIn.account;
    expect(sessions.map((id) => known.get(id)?.status)).toEqual(['expired', 'expired']);
    expect(await soldOf(paying.server, seat)).toBe(0);
  });

  usually('give money back that arrives for an order that was called off', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const session = await paying.open(order);
    paying.standIn.onRequest = (request) => {
      if (request.endsWith('/expire')) paying.standIn.account.pay(session);
    };
    const cancelled = await paying.server.ask(`POST tickets:/orders/${order.id}/cancel`, {
      headers: order.headers,
      body: {},
    });
    paying.standIn.onRequest = undefined;
    // It is paid now, and the rule of the site decides.
    expect(cancelled.body.code).toBe('order-not-cancellable');
    expect(await statusOf(order)).toBe('completed');
    await paying.server.make('PATCH admin:/site', { cancellation: { rule: 'until', hours_before: 1 } });
    const again = await paying.server.ask(`POST tickets:/orders/${order.id}/cancel`, {
      headers: order.headers,
      body: {},
    });
    expect(again.body.status).toBe('refunded');
    await runJobs(paying.server.context);
    expect(paying.standIn.account.kept(session)).toBe(0);
    await paying.server.make('PATCH admin:/site', { cancellation: { rule: 'never' } });
  });

  usually('are refunded by staff once, however often the answer of the service is lost', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5), 3);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    const [first] = (await paying.read(order)).attendees;
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { attendees: [first.id], reason: 'Ill' });
    paying.standIn.faults.push({ kind: 'closed', request: /POST .*refunds/, isDone: true, times: 2 });
    await runJobs(paying.server.context);
    for (let minutes = 0; minutes < 5; minutes += 1) await paying.pass(1);
    expect(await paying.read(order)).toMatchObject({
      status: 'completed',
      total: { minor: 4000 },
      paid: { minor: 4000 },
      refunds: [{ status: 'done', amount: { minor: 2000 }, attendees: [first.id], reason: 'Ill' }],
    });
    const shown = (await readOwn(order)).refunds;
    expect(shown).toEqual([
      { amount: { minor: 2000, formatted: '$20.00' }, status: 'done', cause: 'other', date_utc: expect.any(String) },
    ]);
    expect(paying.standIn.account.kept(session)).toBe(4000);
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, {});
    await runJobs(paying.server.context);
    expect(await paying.read(order)).toMatchObject({ status: 'refunded', paid: { minor: 0 }, owed: { minor: 0 } });
    expect(paying.standIn.account.kept(session)).toBe(0);
  });

  it('show no debt after a part was kept and then everything was given back', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5), 2);
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    const [first] = (await paying.read(order)).attendees;
    const refund = (body: unknown) => paying.server.make(`POST admin:/orders/${order.id}/refunds`, body);
    await refund({ attendees: [first.id], amount: 1500 });
    expect(await paying.read(order)).toMatchObject({ status: 'completed', total: { minor: 2500 }, owed: { minor: 0 } });
    await refund({});
    await runJobs(paying.server.context);
    expect(await paying.read(order)).toMatchObject({ status: 'refunded', paid: { minor: 0 }, owed: { minor: 0 } });
  });

  usually('are reversed when the bank takes the money back, and stay valid until it does', async () => {
    const seat = await paying.makeSeat(5);
    const order = await paying.buyByCard(seat);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    const dispute = paying.standIn.account.dispute(session);
    await paying.deliver();
    expect(await paying.read(order)).toMatchObject({ status: 'completed', payments: [{ status: 'disputed' }] });
    paying.standIn.account.closeDispute(dispute.id, 'lost');
    await paying.deliver();
    expect(await paying.read(order)).toMatchObject({ status: 'reversed', payments: [{ status: 'lost' }] });
    expect(await soldOf(paying.server, seat)).toBe(0);
  });

  it('by bank transfer show reference and due date, without the days for the bank, and may be paid by card', async () => {
    const ways = [
      { id: 'card', gateway: 'stripe' },
      { id: 'transfer', gateway: 'transfer' },
    ];
    await paying.server.make('PATCH admin:/site', { payment_ways: ways });
    const seat = await paying.makeSeat(5);
    const order = await buy(paying.server, [seat], { payment: 'transfer' });
    const own = await readOwn(order);
    expect(own).toMatchObject({
      payment: { id: 'transfer', reference: own.number },
      expires_utc: '2026-11-28 17:00:00',
      payment_status: null,
      pay_url: `${own.url}pay/`,
    });
    expect((await readOwn(await paying.buyByCard(seat))).payment.reference).toBeNull();
    await paying.server.make('PATCH admin:/site', { payment_ways: ways.slice(0, 1) });
  });

  it('return customers to trusted sites only', async () => {
    const order = await paying.buyByCard(await paying.makeSeat(5));
    const urls = ['https://evil.example/', '//evil.example', 'javascript:alert(1)', 'http://u:p@localhost/', 'x'];
    for (const return_url of urls) {
      const { body } = await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, {
        headers: order.headers,
        body: { return_url },
      });
      expect(body.code, return_url).toBe('rest_invalid_param');
    }
    const { id } = order.body.payment;
    const headers = { 'x-order-token': 'wrong-token-of-22-chars' };
    expect((await paying.server.ask(`POST tickets:/orders/${order.id}/payments`, { headers, body: {} })).status).toBe(
      404,
    );
    expect(id).toBeGreaterThan(0);
  });
});
