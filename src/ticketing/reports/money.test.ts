import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { orderNumber } from '../../lib/order-number.ts';

type Sum = { minor: number; currency: string };
const minor = (sums: readonly Sum[]) => sums.map((sum) => sum.minor);

describe.each(DATABASES)('reports on money on %s', (kind) => {
  let paying: PayingServer;
  const events = { first: 0, second: 0 };
  const orders = { card: 0, cash: 0, lost: 0 };
  const DAYS = { from: '2026-11-01', to: '2026-12-31' };

  /**
   * First event: 19 % included, a fee of 0.50 with the same tax. Two places by card, one of them given back; a place of
   * which a half was given back before the bank took the rest back a day later. Second event: 7 % added, one place in
   * cash, of which a part was given back.
   */
  beforeAll(async () => {
    paying = await startPaying(kind);
    const { server, standIn } = paying;
    const [full, reduced] = [
      await server.make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: true }),
      await server.make('POST admin:/tax-rates', { name: 'Reduced', rate: 7000, included: false }),
    ];
    events.first = await makeEvent(server, { author: server.userId('author') });
    events.second = await makeEvent(server);
    await server.make('POST admin:/fees', {
      ...{ name: '=Booking', fixed: 50, rate: 0, per: 'order', event_id: events.first, tax_rate_id: full.id },
    });
    const seat = await makeSeat(server, events.first, 50, { price: '11.90', tax_rate_id: full.id });
    const other = await makeSeat(server, events.second, 50, { price: '10', tax_rate_id: reduced.id });
    const pay = async (quantity: number) => {
      const order = await paying.buyByCard(seat, quantity);
      const session = await paying.open(order);
      standIn.account.pay(session);
      await paying.deliver();
      return { ...order, session };
    };
    const card = await pay(2);
    orders.card = card.id;
    await server.make(`POST admin:/orders/${card.id}/refunds`, { attendees: [card.attendees[0]?.id] });
    const lost = await pay(1);
    orders.lost = lost.id;
    await server.make(`POST admin:/orders/${lost.id}/refunds`, { amount: 620 });
    await paying.work();
    const dispute = standIn.account.dispute(lost.session);
    await paying.deliver();
    await paying.pass(24 * 60);
    standIn.account.closeDispute(dispute.id, 'lost');
    await paying.deliver();
    paying.server.clock.now = NOON;
    const cash = await server.make('POST admin:/orders', {
      ...{ items: [{ ticket_id: other, quantity: 1 }], payment: 'cash', purchaser: { name: 'Ada' } },
    });
    orders.cash = cash.id;
    await server.make(`POST admin:/orders/${cash.id}/refunds`, { amount: 535 });
    // Not received, so in no report.
    await paying.buyByCard(seat, 3);
  });
  afterAll(() => paying.close());

  const report = async (query = {}, as: 'administrator' | 'author' = 'administrator') =>
    (await paying.server.ask('GET admin:/reports/money', { as, query: { ...DAYS, ...query } })).body;
  const csv = async (query = {}, as: 'administrator' | 'author' = 'administrator') =>
    (await paying.server.ask('GET admin:/payments/export', { as, query: { ...DAYS, ...query } })).text
      .trimEnd()
      .split('\r\n');

  it('divide it by payment method, with what was given back and what banks took back', async () => {
    const { totals, methods } = await report();
    expect([totals.payments, totals.refunds]).toEqual([3, 3]);
    expect([totals.received, totals.lost, totals.refunded].map(minor)).toEqual([[4740], [620], [2345]]);
    expect(minor(totals.service_fees)[0]).toBeGreaterThan(0);
    expect(
      methods.map((one: { method: string; gateway: string; payments: number }) => [one.method, one.gateway]),
    ).toEqual([
      ['card', 'stripe'],
      ['cash', 'manual'],
    ]);
    const [card, cash] = methods;
    expect([card.received, card.lost, card.refunded].map(minor)).toEqual([[3670], [620], [1810]]);
    expect([cash.received, cash.lost, cash.refunded, cash.service_fees].map(minor)).toEqual([[1070], [0], [535], [0]]);
  });

  it('name own fees and taxes by rate, less those of what was given back or lost', async () => {
    const { fees, taxes } = await report();
    expect(fees.map((one: { title: string; amounts: Sum[] }) => [one.title, ...minor(one.amounts)])).toEqual([
      ['=Booking', 50],
    ]);
    expect(
      taxes.map((one: { rate: number; gross: Sum[]; tax: Sum[] }) => [
        one.rate,
        ...minor(one.gross),
        ...minor(one.tax),
      ]),
    ).toEqual([
      // A place is 11.90 with 1.90, a fee 0.50 with 0.08. One place and the fee of its order were kept.
      [19_000, 1240, 190 + 8],
      [7000, 535, 35],
    ]);
  });

  it('are about an event, days, and for authors their own events', async () => {
    expect(minor((await report({ event: events.second })).totals.received)).toEqual([1070]);
    expect(minor((await report({}, 'author')).totals.received)).toEqual([3670]);
    expect((await report({ from: '2026-10-01', to: '2026-10-31' })).totals.payments).toBe(0);
    const { status } = await paying.server.ask('GET admin:/reports/money', {
      ...{ as: 'administrator', query: { from: '2020-01-01', to: '2026-01-01' } },
    });
    expect(status).toBe(400);
    const own = await paying.server.ask('GET admin:/reports/money', { as: 'subscriber', query: DAYS });
    expect(own.status).toBe(403);
  });

  it('are files for bookkeepers: a row for each payment, refund and loss, with its tax', async () => {
    const fields = 'kind,number,method,gateway,currency,amount,tax,taxes,refunded,status';
    const [head, ...rows] = await csv({ fields });
    expect(head).toBe('Kind,Order number,Payment,Payment service,Currency,Amount,Tax,Tax by rate,Refunded,Status');
    expect(rows).toHaveLength(7);
    const named = (row: string) =>
      Object.entries(orders).reduce((text, [name, id]) => text.replace(`,${orderNumber(id)},`, `,${name},`), row);
    expect(rows.map(named)).toEqual([
      'payment,card,card,stripe,USD,24.3,3.88,19%: 3.88,11.9,paid',
      'payment,lost,card,stripe,USD,12.4,1.98,19%: 1.98,6.2,lost',
      'payment,cash,cash,manual,USD,10.7,0.7,7%: 0.7,5.35,paid',
      'refund,card,card,stripe,USD,-11.9,-1.9,19%: -1.9,,done',
      'refund,lost,card,stripe,USD,-6.2,-0.99,19%: -0.99,,done',
      'refund,cash,cash,manual,USD,-5.35,-0.35,7%: -0.35,,done',
      'lost,lost,card,stripe,USD,-6.2,-0.99,19%: -0.99,,lost',
    ]);
    expect((await csv({ fields: 'kind' }, 'author')).length).toBe(6);
    expect((await csv({ fields: 'kind', event: events.second })).length).toBe(3);
  });

  it('count a loss on the day on which the bank decided', async () => {
    const lostOn = async (from: string, to: string) => {
      const { totals, taxes } = await report({ from, to });
      return [totals.payments, ...minor(totals.lost), ...taxes.flatMap((one: { tax: Sum[] }) => minor(one.tax))];
    };
    expect(await lostOn('2026-11-22', '2026-11-30')).toEqual([0, 620, -99]);
    expect((await csv({ fields: 'kind', from: '2026-11-22' })).slice(1)).toEqual(['lost']);
  });

  it('have nothing left of an order that was given back in full, whatever the steps', async () => {
    // Outside of the days of the other tests.
    paying.server.clock.now = new Date('2027-01-15T12:00:00Z');
    const { id } = await paying.server.make('POST admin:/tax-rates', { name: 'Steps', rate: 19_000, included: true });
    const other = await paying.server.make('POST admin:/tax-rates', { name: 'Low', rate: 7000, included: true });
    const event = await makeEvent(paying.server);
    const seat = await makeSeat(paying.server, event, 50, { price: '20', tax_rate_id: id });
    const low = await makeSeat(paying.server, event, 50, { price: '9.99', tax_rate_id: other.id });
    const first = (places: number[]) => ({ attendees: places.slice(0, 1) });
    const rest = () => ({});
    const cent = () => ({ amount: 1 });
    for (const steps of [
      [first, rest],
      [() => ({ amount: 1000 }), rest],
      [cent, cent, cent, cent, cent, rest],
    ]) {
      const order = await buy(paying.server, [seat, seat, low], { payment: 'card' });
      paying.standIn.account.pay(await paying.open(order));
      await paying.deliver();
      for (const step of steps) {
        const wish = step(order.attendees.map((attendee) => attendee.id));
        await paying.server.make(`POST admin:/orders/${order.id}/refunds`, wish);
      }
      await paying.work();
    }
    const { taxes, totals } = await report({ event, from: '2027-01-01', to: '2027-01-31' });
    expect(minor(totals.received)).toEqual(minor(totals.refunded));
    const left = taxes.flatMap((one: { gross: Sum[]; tax: Sum[] }) => [...minor(one.gross), ...minor(one.tax)]);
    expect(left.filter((amount: number) => amount !== 0)).toEqual([]);
  });

  it('protect spreadsheets against formulas in references', async () => {
    // Outside of the days of the other tests.
    paying.server.clock.now = new Date('2027-06-15T12:00:00Z');
    const sold = await paying.server.make('POST admin:/orders', {
      items: [{ ticket_id: await makeSeat(paying.server, events.second, 5, { price: '1' }), quantity: 1 }],
      payment: 'cash',
    });
    await paying.server.make(`PATCH admin:/orders/${sold.id}`, { status: 'pending' });
    await paying.server.make(`POST admin:/orders/${sold.id}/payments`, { reference: '=HYPERLINK("http://x")' });
    const rows = await csv({ fields: 'reference', event: events.second, from: '2027-06-01', to: '2027-06-30' });
    expect(rows.join()).toContain(`"'=HYPERLINK(""http://x"")"`);
  });
});
