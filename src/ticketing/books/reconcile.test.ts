import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { runCommand } from '../../../test/commands.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { jobsOf, startPeriodic } from '../../jobs/periodic.ts';
import { paymentCommands } from '../../server/cli/payments.ts';
import { GatewayUnavailable, UnreadableResponse } from '../payments/gateways/gateway.ts';
import { differenceOf } from './findings.ts';
import { reconcile, reconcileRecent } from './reconcile.ts';

const EUR = { amount: 2000, currency: 'EUR' };

it.each([
  [EUR, EUR, undefined],
  [EUR, { ...EUR, amount: 1999 }, 'amount'],
  [EUR, { ...EUR, currency: 'USD' }, 'amount'],
  [null, EUR, 'missing-here'],
  [EUR, null, 'missing-at-service'],
  [null, null, undefined],
] as const)('money booked as %j and settled as %j differs: %s', (booked, settled, kind) => {
  expect(differenceOf({ booked, settled })).toBe(kind);
});

describe.each(DATABASES)('the reconciliation on %s', (kind) => {
  let paying: PayingServer;
  let seat = 0;
  beforeAll(async () => {
    paying = await startPaying(kind);
    const dates = { start_date: '2030-03-06 18:30', end_date: '2030-03-06 21:00' };
    seat = await makeSeat(paying.server, await makeEvent(paying.server, dates), 1000, { price: '20' });
  });
  afterAll(() => paying.close());
  /** A day that other tests do not look at. */
  let day = 0;
  beforeEach(async () => {
    day += 10;
    paying.server.clock.now = new Date(NOON.getTime() + day * 86_400_000);
    await db().query.deleteFrom('reconciliation_findings').execute();
  });

  const context = () => paying.server.context;
  const db = () => context().db;
  const pay = async () => {
    const order = await paying.buyByCard(seat, 1);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    const [payment] = (await paying.read(order)).payments;
    return { ...order, session, payment: Number(payment.id) };
  };
  const refund = async (order: { id: number }, amount: number) => {
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { amount });
    await paying.work();
    return (await paying.read(order)).refunds.at(-1).id as number;
  };
  const change = (statement: string) => sql.raw(statement).execute(db().query);
  const list = async (query = {}) =>
    (await paying.server.ask('GET admin:/reconciliation', { as: 'editor', query })).body;
  const passMinute = () => {
    paying.server.clock.now = new Date(paying.server.clock.now.getTime() + 60_000);
  };
  const run = async () => {
    passMinute();
    await reconcileRecent(context());
    return (await list()).findings;
  };
  const passDays = (days: number) => {
    day += days;
    paying.server.clock.now = new Date(paying.server.clock.now.getTime() + days * 86_400_000);
  };
  const intentOf = ({ session }: { session: string }) =>
    String(paying.standIn.account.sessions.get(session)?.payment_intent);
  const refundThere = (order: { session: string }, amount: number) => {
    const { id } = paying.standIn.account.createRefund(intentOf(order), { amount, metadata: {} });
    paying.standIn.takeWebhooks();
    return id;
  };
  const command = (...args: string[]) => runCommand(paymentCommands[0], context(), args);

  it('finds nothing after payments, refunds, debits and disputes, in whatever state they are', async () => {
    const { account } = paying.standIn;
    const [first, second] = [await pay(), await pay()];
    await refund(first, 500);
    account.refundsPend = true;
    await refund(second, 700);
    account.refundsPend = false;
    account.dispute((await pay()).session);
    account.closeDispute(account.dispute((await pay()).session).id, 'lost');
    const debit = await paying.buyByCard(seat, 1);
    const session = await paying.open(debit);
    account.debit(session);
    await paying.deliver();
    // It takes the bank longer than the days that are compared.
    paying.server.clock.now = new Date(paying.server.clock.now.getTime() + 5 * 86_400_000);
    account.settleDebit(session, true);
    await paying.deliver();
    await pay();
    expect(await run()).toEqual([]);
    const dayAfter = (days: number) => new Date(NOON.getTime() + (day + days) * 86_400_000).toISOString().slice(0, 10);
    expect((await command('--from', dayAfter(0), '--to', dayAfter(9))).out).toEqual(['The payments agree.']);
  });

  it('books a payment whose webhook was lost, instead of a finding', async () => {
    const order = await paying.buyByCard(seat, 1);
    paying.standIn.account.pay(await paying.open(order));
    paying.standIn.takeWebhooks();
    expect(await run()).toEqual([]);
    expect((await paying.read(order)).status).toBe('completed');
  });

  it('books a refund that was made in the account of the service, also one that has failed here', async () => {
    const [outside, refused] = [await pay(), await pay()];
    refundThere(outside, 100);
    const made = await refund(refused, 300);
    await change(`UPDATE refunds SET status = 'failed' WHERE id = ${made}`);
    await change(`UPDATE payments SET refunded = 0 WHERE id = ${refused.payment}`);
    expect(await run()).toEqual([]);
    for (const [order, minor] of [
      [outside, 1900],
      [refused, 1700],
    ] as const)
      expect((await paying.read(order)).paid.minor).toBe(minor);
    expect(await run()).toEqual([]);
  });

  it('books a later refund in the account of the service too, of a payment that has one', async () => {
    const order = await pay();
    refundThere(order, 500);
    expect(await run()).toEqual([]);
    passDays(20);
    refundThere(order, 400);
    expect(await run()).toEqual([]);
    expect((await paying.read(order)).paid.minor).toBe(1100);
  });

  it('checks old records again, such as a refund that the bank has returned since', async () => {
    const [given, kept] = [await pay(), await pay()];
    const made = [await refund(given, 300), await refund(kept, 300)];
    const [returned] = [...paying.standIn.account.refunds.keys()].slice(-2);
    await change(`UPDATE refunds SET offline = 1 WHERE id IN (${made})`);
    expect(await run()).toHaveLength(2);
    passDays(20);
    expect(await run()).toHaveLength(2);
    paying.standIn.account.settleRefund(returned ?? '', false);
    paying.standIn.takeWebhooks();
    expect(await run()).toMatchObject([{ kind: 'missing-here', refund_id: made[1] }]);
  });

  it('closes nothing that is missing here because the key is that of another account', async () => {
    const [lost, given] = [await pay(), await pay()];
    const made = await refund(given, 300);
    await change(`UPDATE payments SET gateway = 'manual' WHERE id = ${lost.payment}`);
    await change(`UPDATE refunds SET offline = 1 WHERE id = ${made}`);
    const ids = (await run()).map(({ id }: { id: number }) => id);
    expect(ids).toHaveLength(2);
    const { charges, refunds, sessions, intents } = paying.standIn.account;
    const stored = [charges, refunds, sessions, intents].map((all: Map<string, unknown>) => ({ all, of: [...all] }));
    for (const { all } of stored) all.clear();
    expect(await run()).toMatchObject([{ kind: 'missing-at-service' }, { id: ids[0] }, { id: ids[1] }]);
    passDays(20);
    expect((await run()).slice(1)).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
    for (const { all, of } of stored) for (const [id, record] of of) all.set(id, record);
    expect((await run()).map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  it('continues after an unreadable record, leaves its finding as it is, and fails in the end', async () => {
    const [odd, other] = [await pay(), await pay()];
    await change(`UPDATE payments SET amount = 1999 WHERE id = ${odd.payment}`);
    const [finding] = await run();
    const { charges, intents } = paying.standIn.account;
    const [charge, intent] = [[...charges.values()].at(-2), intents.get(intentOf(odd))];
    if (!charge || !intent) throw new Error('the payment was not made');
    charge.currency = intent.currency = 'dollars';
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${other.payment}`);
    passMinute();
    const running = reconcileRecent(context());
    await expect(running).rejects.toThrow(UnreadableResponse);
    await expect(running).rejects.toThrow(charge.id);
    expect((await list()).findings).toMatchObject([{ payment_id: other.payment }, { id: finding.id }]);
    const { status, errors } = await command();
    expect([status, errors.join()]).toEqual([
      1,
      expect.stringMatching(/^Differences: 1\. Unreadable .*: 2 \(.*ch_.*\)\.$/),
    ]);
    charge.currency = intent.currency = 'usd';
    expect((await run()).length).toBe(2);
  });

  it('finds a payment that is missing here, and a refund that was given back twice', async () => {
    const [lost, given] = [await pay(), await pay()];
    const made = await refund(given, 300);
    await change(`UPDATE payments SET gateway = 'manual' WHERE id = ${lost.payment}`);
    await change(`UPDATE refunds SET offline = 1 WHERE id = ${made}`);
    expect(await run()).toMatchObject([
      { kind: 'missing-here', record: 'refund', refund_id: made, settled: { minor: 300 }, booked: null },
      { kind: 'missing-here', record: 'payment', payment_id: lost.payment, order: null, settled: { minor: 2000 } },
    ]);
    await change(`UPDATE payments SET gateway = 'stripe' WHERE id = ${lost.payment}`);
    expect(await run()).toMatchObject([{ refund_id: made }]);
    // Its bank sends it back.
    paying.standIn.account.settleRefund([...paying.standIn.account.refunds.keys()].at(-1) ?? '', false);
    await paying.deliver();
    expect(await run()).toEqual([]);
    expect((await paying.read(given)).refunds).toMatchObject([{ status: 'done' }]);
  });

  it('finds payments and refunds that are missing at the service, but none that staff gave back another way', async () => {
    const [gone, given] = [await pay(), await pay()];
    const made = await refund(given, 300);
    await change(`UPDATE payments SET external_id = 'cs_test_gone' WHERE id = ${gone.payment}`);
    const { charges, refunds } = paying.standIn.account;
    charges.delete([...charges.keys()].at(-2) ?? '');
    refunds.clear();
    expect(await run()).toMatchObject([
      { kind: 'missing-at-service', record: 'refund', refund_id: made, booked: { minor: 300 }, settled: null },
      { kind: 'missing-at-service', record: 'payment', payment_id: gone.payment, external_id: 'cs_test_gone' },
    ]);
    await change(`UPDATE refunds SET offline = 1 WHERE id = ${made}`);
    await change(`UPDATE payments SET status = 'cancelled' WHERE id = ${gone.payment}`);
    expect(await run()).toEqual([]);
    expect((await list({ status: 'gone' })).total).toBe(2);
  });

  it('finds other amounts and currencies, and money that was taken twice', async () => {
    const [other, foreign, twice, given] = [await pay(), await pay(), await pay(), await pay()];
    const made = await refund(given, 300);
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${other.payment}`);
    await change(`UPDATE payments SET currency = 'CHF' WHERE id = ${foreign.payment}`);
    await change(`UPDATE refunds SET amount = 299 WHERE id = ${made}`);
    const { charges } = paying.standIn.account;
    const charge = [...charges.values()].at(-2);
    if (charge) charges.set('ch_twice', { ...structuredClone(charge), id: 'ch_twice' });
    const found = await run();
    expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(Array(4).fill('amount'));
    const amounts = found.map((one: { payment_id: number; booked: object; settled: object; record: string }) => [
      ...[one.payment_id, one.record],
      ...[one.booked, one.settled].map((money) => Object.values(money)),
    ]);
    expect(amounts.map(([id]: number[]) => id).sort()).toEqual(
      [other, foreign, twice, given].map(({ payment }) => payment).sort(),
    );
    const of = (id: number) => found.find(({ payment_id }: { payment_id: number }) => payment_id === id);
    expect([of(other.payment).booked.minor, of(other.payment).settled.minor]).toEqual([2001, 2000]);
    expect([of(foreign.payment).booked.currency, of(foreign.payment).settled.currency]).toEqual(['CHF', 'USD']);
    expect([of(twice.payment).booked.minor, of(twice.payment).settled.minor]).toEqual([2000, 4000]);
    expect([of(given.payment).booked.minor, of(given.payment).settled.minor]).toEqual([299, 300]);
  });

  it('stores a finding once, and closes it when it no longer holds, however old it is', async () => {
    const order = await pay();
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${order.payment}`);
    await Promise.all([run(), run()]);
    const [finding] = await run();
    expect((await list()).total).toBe(1);
    paying.server.clock.now = new Date(paying.server.clock.now.getTime() + 30 * 86_400_000);
    expect((await run()).map(({ id }: { id: number }) => id)).toEqual([finding.id]);
    await change(`UPDATE payments SET amount = 2000 WHERE id = ${order.payment}`);
    expect(await run()).toEqual([]);
    expect((await list({ status: 'gone' })).findings).toMatchObject([{ id: finding.id, status: 'gone', user_id: 0 }]);
    day += 40;
  });

  it('leaves a finding closed that staff have closed with a note, until the amounts change', async () => {
    const order = await pay();
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${order.payment}`);
    const [{ id }] = await run();
    const close = (as: 'editor' | 'administrator', body: object, of = id) =>
      paying.server.ask(`POST admin:/reconciliation/${of}/close`, { as, body });
    expect((await close('editor', { note: 'Known' })).status).toBe(403);
    expect((await close('administrator', {})).status).toBe(400);
    expect((await close('administrator', { note: 'Known' }, 999_999)).body.code).toBe('finding-not-found');
    expect((await close('administrator', { note: 'Known' })).body).toMatchObject({ status: 'closed', note: 'Known' });
    expect((await close('administrator', { note: 'Again' })).body.code).toBe('finding-not-open');
    expect(await run()).toEqual([]);
    expect((await command()).status).toBe(0);
    await change(`UPDATE payments SET amount = 2002 WHERE id = ${order.payment}`);
    expect(await run()).toMatchObject([{ id, status: 'open', note: '', user_id: 0 }]);
  });

  it('is a command that prints the differences of days and exits with status 1', async () => {
    const order = await pay();
    await change(`UPDATE payments SET amount = 1999 WHERE id = ${order.payment}`);
    passMinute();
    const today = paying.server.clock.now.toISOString().slice(0, 10);
    const { status, out, errors } = await command('--from', today, '--to', today);
    expect([status, errors]).toEqual([1, ['Differences: 1.']]);
    expect(out[1]).toMatch(new RegExp(`amount +\\S+ +payment-${order.payment} +\\$19.99 +\\$20.00 +cs_test_`));
    expect((await command('--from', '2026-01-01', '--to', '2026-01-02')).status).toBe(0);
    for (const wrong of [
      ['--from', '2026-02-30'],
      ['--to', 'today'],
      ['--from', '2099-01-01'],
    ])
      expect([wrong, (await command(...wrong)).status]).toEqual([wrong, 1]);
  });

  it('stores nothing while the service does not respond, and fails', async () => {
    const order = await pay();
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${order.payment}`);
    paying.standIn.faults.push({ kind: '500', isDone: false, times: 9 });
    const now = paying.server.clock.now;
    const period = { from: new Date(now.getTime() - 60_000), to: new Date(now.getTime() + 60_000) };
    await expect(reconcile(context(), 'stripe', period)).rejects.toThrow(GatewayUnavailable);
    expect((await list()).total).toBe(0);
    expect((await command()).errors.join()).toContain('Stripe');
    paying.standIn.faults.length = 0;
    expect((await run()).length).toBe(1);
  });

  it('runs each day, only on servers with a payment service', async () => {
    const job = jobsOf(context().config).filter(({ name }) => name === 'reconciling payments');
    expect(jobsOf({ ...context().config, stripeKey: undefined }).map(({ name }) => name)).not.toContain(job[0]?.name);
    const order = await pay();
    await change(`UPDATE payments SET gateway = 'former'`);
    paying.standIn.faults.push({ kind: '500', isDone: false, times: 1 });
    // Without a payment at the service it is not asked.
    await reconcileRecent(context());
    expect(paying.standIn.faults.length).toBe(1);
    paying.standIn.faults.length = 0;
    await change(`UPDATE payments SET gateway = 'stripe'`);
    await change(`UPDATE payments SET amount = 2001 WHERE id = ${order.payment}`);
    passMinute();
    const runs = startPeriodic(context(), job);
    await runs.settled();
    await runs.stop();
    expect((await list()).total).toBe(1);
    expect(
      (
        await runCommand(
          paymentCommands[0],
          { ...context(), config: { ...context().config, stripeKey: undefined } },
          [],
        )
      ).errors.join(),
    ).toContain('No payment service is configured.');
  });
});
