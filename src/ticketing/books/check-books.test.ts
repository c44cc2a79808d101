import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { runCommand } from '../../../test/commands.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { DATABASES } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { doctorCommand } from '../../server/cli/doctor.ts';
import { findBookErrors } from './check-books.ts';

describe.each(DATABASES)('the books on %s', (kind) => {
  let paying: PayingServer;
  let event = 0;
  let seat = 0;
  /** Paid by card, of which a part was given back. */
  let card = 0;
  /** Waits for its payment. */
  let unpaid = 0;

  const db = () => paying.server.context.db;
  const make = (call: string, body: object) => paying.server.make(call, body);
  const refund = (order: { id: number }, body: object) => make(`POST admin:/orders/${order.id}/refunds`, body);
  const sell = (quantity: number) =>
    make('POST admin:/orders', { items: [{ ticket_id: seat, quantity }], payment: 'cash', purchaser: { name: 'Ada' } });
  const pay = async (quantity: number) => {
    const order = await paying.buyByCard(seat, quantity);
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    return { ...order, session };
  };

  /** Sales and refunds of every kind. */
  beforeAll(async () => {
    paying = await startPaying(kind, { invoices: 'paid' });
    event = await makeEvent(paying.server);
    const tax = await make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: false });
    await make('POST admin:/fees', { name: 'Booking', fixed: 50, rate: 3000, per: 'ticket', tax_rate_id: tax.id });
    seat = await makeSeat(paying.server, event, 100, { price: '20', tax_rate_id: tax.id });
    const other = (await makeTicket(paying.server, event, { price: '20' })).id;
    await make('POST admin:/promotions', { code: 'SPRING', kind: 'amount', value: 333 });
    const orders = [await pay(3), await pay(2), await pay(1), await pay(1), await pay(2)] as const;
    card = orders[0].id;
    await refund(orders[0], { attendees: [orders[0].attendees[0]?.id], amount: 500 });
    await refund(orders[0], { amount: 100 });
    await refund(orders[1], { amount: 1500, all: true });
    await refund(orders[1], { all: true });
    await refund(orders[2], { all: true, amount: 0 });
    paying.standIn.account.closeDispute(paying.standIn.account.dispute(orders[3].session).id, 'lost');
    await make(`PATCH tickets:/attendees/${orders[4].attendees[0]?.id}`, { ticket_id: other });
    unpaid = (await paying.buyByCard(seat, 1)).id;
    const shopper = shopperOf(paying.server);
    await shopper.put([{ ticket_id: seat, quantity: 3 }], { promotion: 'spring' });
    const { id } = (await shopper.checkout({ purchaser: { name: 'Ada', email: 'ada@example.test' }, payment: 'card' }))
      .body.order;
    await make(`POST admin:/orders/${id}/payments/close`, {});
    await make(`POST admin:/orders/${id}/payments`, {});
    const sold = await sell(2);
    await make(`PATCH admin:/orders/${sold.id}`, { status: 'pending' });
    await make(`POST admin:/orders/${sold.id}/payments`, { amount: 500 });
    await make(`PATCH admin:/orders/${(await sell(1)).id}`, { status: 'refunded' });
    await make(`PATCH admin:/orders/${(await sell(1)).id}`, { status: 'reversed' });
    await buy(paying.server, [await makeSeat(paying.server, event, 9, { price: '0' })]);
    await paying.deliver();
    await paying.pass(61);
    await paying.buyByCard(seat, 1).then(({ id }) => {
      unpaid = id;
    });
    await paying.work();
  });
  afterAll(() => paying.close());

  it('agree after sales, refunds, disputes, promotions, fees and moved places', async () => {
    expect(await findBookErrors(db())).toEqual([]);
    const { status, out, errors } = await runCommand(doctorCommand, paying.server.context, []);
    expect([status, errors]).toEqual([0, []]);
    expect(out).toContain('The books are consistent.');
    const { count } = await db()
      .query.selectFrom('order_charges')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('kind', 'in', ['kept', 'credit', 'fee'])
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBeGreaterThan(8);
    const credits = await db().query.selectFrom('invoices').select('id').where('kind', '=', 'credit').execute();
    expect(credits.length).toBeGreaterThan(2);
  });

  const UNPAID = 'completed order that is not paid in full';
  const PAID = 'order that is paid in full, but waits for its payment';
  const SUM = 'order whose lines do not add up to its total';
  const PLACES = 'order whose lines have other places than its attendees';
  const INVOICES = 'order whose invoices add up to another amount than it does';
  const REFUNDS = 'payment that counts other refunds than it has';

  it('agree after an order that is partly paid loses places, or waits for its payment again', async () => {
    const partly = await sell(2);
    await make(`PATCH admin:/orders/${partly.id}`, { status: 'pending' });
    await make(`POST admin:/orders/${partly.id}/payments`, { amount: 3000 });
    await make(`POST admin:/orders/${partly.id}/cancel-places`, { attendees: [partly.attendees[0].id] });
    expect((await paying.read(partly)).status).toBe('completed');
    const again = await sell(2);
    await refund(again, { amount: 300 });
    await paying.server.ask(`PATCH admin:/orders/${again.id}`, { as: 'administrator', body: { status: 'pending' } });
    expect(await findBookErrors(db())).toEqual([]);
  });

  it.each([
    [UNPAID, () => `UPDATE orders SET status = 'completed' WHERE id = ${unpaid}`],
    [UNPAID, () => `UPDATE payments SET amount = amount - 1 WHERE order_id = ${card}`],
    [UNPAID, () => `UPDATE payments SET status = 'failed' WHERE order_id = ${card}`],
    [PAID, () => `UPDATE orders SET status = 'approved' WHERE id = ${card}`],
    [PAID, () => `UPDATE payments SET status = 'disputed' WHERE order_id = ${unpaid}`],
    [SUM, () => `UPDATE orders SET total = total + 1 WHERE id = ${unpaid}`],
    [SUM, () => `UPDATE order_items SET price = price - 1 WHERE order_id = ${unpaid}`],
    [SUM, () => `DELETE FROM order_charges WHERE order_id = ${card} AND kind = 'credit'`],
    [SUM, () => `DELETE FROM order_charges WHERE order_id = ${card} AND kind = 'kept'`],
    [SUM, () => `UPDATE orders SET total = total + 1 WHERE status = 'refunded'`],
    [PLACES, () => `UPDATE order_items SET quantity = quantity + 1 WHERE order_id = ${unpaid}`],
    [PLACES, () => `UPDATE order_items SET cancelled = 0 WHERE order_id = ${card}`],
    [PLACES, () => `UPDATE attendees SET status = 'trash' WHERE order_id = ${unpaid}`],
    [
      PLACES,
      () => `UPDATE attendees SET status = 'publish' WHERE order_id IN
      (SELECT id FROM orders WHERE status = 'refunded')`,
    ],
    ['attendee without a line of its order', () => `UPDATE attendees SET price = 1 WHERE order_id = ${unpaid}`],
    ['payment of which more is given back than was paid', () => `UPDATE payments SET refunded = amount + 1`],
    ['payment of which more is given back than was paid', () => `UPDATE payments SET refunded = -1`],
    [REFUNDS, () => `UPDATE payments SET refunded = 0 WHERE order_id = ${card}`],
    [REFUNDS, () => `UPDATE refunds SET status = 'failed' WHERE order_id = ${card}`],
    [REFUNDS, () => `DELETE FROM refunds WHERE order_id = ${card}`],
    [
      'payment of no order, or in another currency',
      () => `UPDATE payments SET currency = 'CHF' WHERE order_id = ${card}`,
    ],
    ['payment of no order, or in another currency', () => `UPDATE payments SET order_id = 999999`],
    ['payment whose log does not lead to its status', () => `DELETE FROM payment_log`],
    ['refund of no payment, or of another order', () => `UPDATE refunds SET order_id = ${unpaid}`],
    ['charge of no order', () => `UPDATE order_charges SET order_id = 999999`],
    [INVOICES, () => `UPDATE invoices SET total = total + 1 WHERE order_id = ${card} AND position = 1`],
    [INVOICES, () => `UPDATE invoices SET total = total - 1 WHERE order_id = ${card} AND position = 1`],
    [INVOICES, () => `DELETE FROM invoices WHERE kind = 'credit' AND order_id <> ${card}`],
    ['use of a promotion by no order', () => `UPDATE promotion_uses SET order_id = ${card}`],
  ])('name a %s', async (what, damage) => {
    const found: string[] = [];
    const undone = db().transaction(async (trx) => {
      await sql.raw(damage()).execute(trx.query);
      for (const error of await findBookErrors(trx)) found.push(error.what);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(found).toContain(what);
  });

  it('are part of the report of the doctor, which then exits with status 1', async () => {
    await sql`UPDATE orders SET total = total + 1 WHERE id = ${unpaid}`.execute(db().query);
    const { status, out, errors } = await runCommand(doctorCommand, paying.server.context, ['--fix']);
    const { body } = await paying.server.ask('GET admin:/system', { as: 'administrator', query: { doctor: true } });
    await sql`UPDATE orders SET total = total - 1 WHERE id = ${unpaid}`.execute(db().query);
    expect(status).toBe(1);
    expect(out).toContain(`1 × ${SUM}, such as ${unpaid}`);
    expect(errors.join()).toContain('docs/payments.md');
    expect(body.doctor.incomplete).toEqual([{ what: SUM, count: 1, example: unpaid }]);
  });

  it('have a counter of the uses of each promotion, which the doctor corrects', async () => {
    await sql`UPDATE promotions SET used = used + 4`.execute(db().query);
    expect(await findWrongCounters(db())).toMatchObject([{ counter: 'promotions.used', stored: 5, counted: 1 }]);
    expect((await runCommand(doctorCommand, paying.server.context, ['--fix'])).status).toBe(0);
    expect(await findWrongCounters(db())).toEqual([]);
  });
});
