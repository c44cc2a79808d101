import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { runJobs } from '../../../test/jobs.ts';
import { DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { ADA } from '../../../test/shopper.ts';
import { makeEvent } from '../../../test/tickets.ts';
import type { Database } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import { findBookErrors } from '../books/check-books.ts';
import { bodyOf, findInvoicesOfOrder, insertInvoice, invoicedOf, invoiceNumber } from '../ledger/invoices.ts';
import { findPaymentsOfOrder, settledOf } from '../ledger/payments.ts';
import { issueInvoices } from './issue-invoices.ts';

/** Kind, total and lines of each document of an order. */
async function documentsOf({ context: { db } }: TestServer, orderId: number) {
  const found = await findInvoicesOfOrder(db, orderId);
  return found.map((document) => {
    const { lines } = bodyOf(document);
    expect(lines.reduce((sum, { total }) => sum + total, 0)).toBe(document.total);
    return [
      document.kind,
      document.total,
      ...lines.map(({ quantity, total, tax }) => `${quantity}: ${total} (${tax})`),
    ];
  });
}

/** Whether the documents of an order add up to the money that is kept of it. */
async function expectEven({ context: { db } }: TestServer, orderId: number) {
  const settled = settledOf(await findPaymentsOfOrder(db, orderId));
  expect(invoicedOf(await findInvoicesOfOrder(db, orderId))).toBe(settled);
}

describe.each(DATABASES)('invoices on %s', (kind) => {
  let paying: PayingServer;
  let server: TestServer;
  let tax = 0;
  beforeAll(async () => {
    paying = await startPaying(kind, { invoices: 'placed' });
    server = paying.server;
    tax = (await server.make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: true })).id;
    await server.make('PATCH admin:/site', {
      payment_ways: [
        { id: 'card', gateway: 'stripe' },
        { id: 'transfer', gateway: 'transfer' },
      ],
    });
  });
  afterEach(async () => expect(await findBookErrors(server.context.db)).toEqual([]));
  afterAll(() => paying.close());

  const makeTaxed = async () => {
    const id = await paying.makeSeat(20);
    await server.context.db.query.updateTable('tickets').set({ tax_rate_id: tax }).where('id', '=', id).execute();
    return id;
  };
  const sell = async (quantity: number) => {
    const items = [{ ticket_id: await makeTaxed(), quantity }];
    const { id, attendees } = await server.make('POST admin:/orders', { items, payment: 'cash' });
    await runJobs(server.context);
    return { id: id as number, attendees: attendees.map((one: { id: number }) => one.id) as number[] };
  };
  const refund = async (id: number, body: object) => {
    await server.make(`POST admin:/orders/${id}/refunds`, body);
    await runJobs(server.context);
    await expectEven(server, id);
  };

  it('are issued once when an order is paid, however often the service tells of it', async () => {
    const order = await paying.buyByCard(await makeTaxed(), 2);
    await runJobs(server.context);
    expect(await documentsOf(server, order.id)).toEqual([]);
    paying.standIn.account.pay(await paying.open(order));
    const webhooks = paying.standIn.takeWebhooks();
    const send = async () => {
      for (const webhook of webhooks) await server.request('/calendar/tickets/v1/gateways/stripe/webhook', webhook);
      await Promise.all([runJobs(server.context), runJobs(server.context)]);
    };
    await Promise.all([send(), send()]);
    await send();
    expect(await documentsOf(server, order.id)).toEqual([['invoice', 4000, '2: 4000 (639)']]);
    await expectEven(server, order.id);
  });

  it('are followed by credit notes for exactly the money given back', async () => {
    const { id, attendees } = await sell(3);
    await refund(id, { attendees: [attendees[0]] });
    await refund(id, { amount: 500 });
    await refund(id, { attendees: [attendees[1]], amount: 1200 });
    await refund(id, {});
    expect(await documentsOf(server, id)).toEqual([
      ['invoice', 6000, '3: 6000 (958)'],
      ['credit', 2000, '1: 2000 (319)'],
      ['credit', 500, '-1: 500 (80)'],
      ['credit', 1200, '1: 2000 (319)', '-1: -800 (-128)'],
      ['credit', 2300, '1: 2000 (320)', '1: -500 (-80)', '-1: 800 (128)'],
    ]);
  });

  it('state the kept amount of an order without places', async () => {
    const { id } = await sell(2);
    await refund(id, { amount: 2500, attendees: undefined, all: true });
    expect(await documentsOf(server, id)).toEqual([
      ['invoice', 4000, '2: 4000 (639)'],
      ['credit', 2500, '2: 4000 (639)', '-1: -1500 (-239)'],
    ]);
  });

  it('are not reduced by places that are cancelled until their money is given back', async () => {
    const { id, attendees } = await sell(2);
    await server.make(`POST admin:/orders/${id}/cancel-places`, { attendees: [attendees[0]] });
    await runJobs(server.context);
    expect(await documentsOf(server, id)).toEqual([['invoice', 4000, '2: 4000 (639)']]);
    await expectEven(server, id);
    await refund(id, { amount: 2500 });
    expect(await paying.read({ id })).toMatchObject({ total: { minor: 1500 }, owed: { minor: 0 } });
    expect((await documentsOf(server, id))[1]).toEqual(['credit', 2500, '1: 2000 (319)', '-1: 500 (81)']);
  });

  it('keep the credit note of a refund that fails, and have one once it is made otherwise', async () => {
    const order = await paying.buyByCard(await makeTaxed());
    paying.standIn.account.pay(await paying.open(order));
    await paying.deliver();
    const { account } = paying.standIn;
    account.refundsPend = true;
    await server.make(`POST admin:/orders/${order.id}/refunds`, {});
    await runJobs(server.context);
    account.settleRefund([...account.refunds.keys()].at(-1) ?? '', false);
    account.refundsPend = false;
    await paying.deliver();
    const { refunds } = await paying.read(order);
    expect(refunds).toMatchObject([{ status: 'failed' }]);
    await server.make(`POST admin:/refunds/${refunds[0].id}/settle`, {});
    await runJobs(server.context);
    expect((await documentsOf(server, order.id)).map(([kindOf, total]) => [kindOf, total])).toEqual([
      ['invoice', 2000],
      ['credit', 2000],
    ]);
    await expectEven(server, order.id);
  });

  it('are issued for orders to be paid by transfer when they are placed, and credited when these are not paid', async () => {
    const seat = await makeTaxed();
    const [paid, cancelled, expired] = [
      await buy(server, [seat], { payment: 'transfer' }),
      await buy(server, [seat, seat], { payment: 'transfer' }),
      await buy(server, [seat], { payment: 'transfer' }),
    ];
    await runJobs(server.context);
    const invoice = ['invoice', 2000, '1: 2000 (319)'];
    expect(await documentsOf(server, paid.id)).toEqual([invoice]);
    await server.make(`POST admin:/orders/${paid.id}/payments`, {});
    await server.ask(`POST tickets:/orders/${cancelled.id}/cancel`, { headers: cancelled.headers, body: {} });
    await runJobs(server.context);
    expect(await documentsOf(server, cancelled.id)).toEqual([
      ['invoice', 4000, '2: 4000 (639)'],
      ['credit', 4000, '2: 4000 (639)'],
    ]);
    await server.make(`PATCH admin:/orders/${expired.id}`, { status: 'not-completed' });
    await runJobs(server.context);
    const credit = ['credit', ...invoice.slice(1)];
    expect(await documentsOf(server, expired.id)).toEqual([invoice, credit]);
    // The transfer arrives after all.
    await server.make(`POST admin:/orders/${expired.id}/payments`, {});
    await runJobs(server.context);
    expect(await documentsOf(server, expired.id)).toEqual([invoice, credit, invoice]);
    expect(await documentsOf(server, paid.id)).toEqual([invoice]);
    for (const { id } of [paid, cancelled, expired]) await expectEven(server, id);
  });

  it('follow a bank that takes a payment back, and orders that staff cancel while their money is still there', async () => {
    const order = await paying.buyByCard(await makeTaxed());
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    await server.make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    await runJobs(server.context);
    expect(await documentsOf(server, order.id)).toEqual([['invoice', 2000, '1: 2000 (319)']]);
    await refund(order.id, { amount: 700 });
    await refund(order.id, { amount: 1300 });
    expect((await documentsOf(server, order.id)).map(([kindOf, total]) => [kindOf, total])).toEqual([
      ['invoice', 2000],
      ['credit', 700],
      ['credit', 1300],
    ]);
    const { id } = await sell(1);
    await server.make(`PATCH admin:/orders/${id}`, { status: 'reversed' });
    await runJobs(server.context);
    expect((await documentsOf(server, id)).map(([kindOf, total]) => [kindOf, total])).toEqual([
      ['invoice', 2000],
      ['credit', 2000],
    ]);
    await expectEven(server, id);
  });

  it('are not issued for free orders, nor for orders of the time before unless asked', async () => {
    server.restart({ invoices: 'off' });
    const { id, attendees } = await sell(2);
    const free = await makeTaxed();
    await server.context.db.query.updateTable('tickets').set({ price: 0 }).where('id', '=', free).execute();
    server.restart({ invoices: 'paid' });
    const order = await buy(server, [free]);
    await refundWithout(server, id, attendees[0]);
    await runJobs(server.context);
    expect([await documentsOf(server, id), await documentsOf(server, order.id)]).toEqual([[], []]);
    const ask = () => server.ask(`POST admin:/orders/${id}/invoices`, { as: 'editor' });
    expect((await ask()).body.invoices).toMatchObject([{ kind: 'invoice', total: { minor: 2000 } }]);
    expect((await ask()).body.invoices).toEqual([]);
    await expectEven(server, id);
    server.restart({ invoices: 'off' });
    expect((await ask()).body.code).toBe('invoices-off');
    // The credit note follows nevertheless.
    await refund(id, {});
    expect((await documentsOf(server, id)).map(([kindOf]) => kindOf)).toEqual(['invoice', 'credit']);
    server.restart({ invoices: 'placed' });
  });

  it('name a company, whose correction by staff is a credit note and a new invoice', async () => {
    const billing = { company: 'Park <b>& Co', vat_number: 'DE 123', address: 'Quay 1\nMoncton' };
    const order = await buy(server, [await makeTaxed()], { payment: 'transfer', billing });
    await runJobs(server.context);
    const correct = async (change: object) => {
      await server.make(`PATCH admin:/orders/${order.id}`, change, 'editor');
      await runJobs(server.context);
    };
    await correct({ note: 'Called' });
    await correct({ billing: { ...billing, company: 'Park & Co' } });
    await correct({ billing: { ...billing, vat_number: 'DE 124' } });
    await correct({ billing: { ...billing, vat_number: 'DE 124' }, note: 'Again' });
    const { body } = await server.ask('GET admin:/invoices', { as: 'editor', query: { order: order.id } });
    expect(
      body.invoices.map(({ kind: kindOf, customer, corrects }: Record<string, { vat_number: string }>) => [
        ...[kindOf, customer?.vat_number, corrects],
      ]),
    ).toEqual([
      ['invoice', 'DE 124', null],
      ['credit', 'DE 123', body.invoices[2].number],
      ['invoice', 'DE 123', null],
    ]);
    expect(body.invoices[2].customer).toEqual({
      name: 'Ada Park',
      email: 'ada@example.test',
      ...billing,
      company: 'Park & Co',
    });
    expect((await paying.read(order)).billing).toEqual({ ...billing, company: 'Park & Co', vat_number: 'DE 124' });
  });

  it.each([
    { company: 'a'.repeat(201) },
    { company: '\u0007\u200b' },
    { vat_number: '1'.repeat(51) },
    { address: 'a'.repeat(501) },
    { address: ['Quay 1'] },
    'Park & Co',
  ])('refuse billing data such as %j at the checkout', async (billing) => {
    await expect(buy(server, [await makeTaxed()], { payment: 'transfer', billing })).rejects.toThrow('400');
  });

  it('name customers and companies without control characters, like every text', async () => {
    const purchaser = { name: '\u202eAda\u0000 \u001b[31mPark', email: ADA.email };
    const billing = {
      company: 'Bell\u0007\nRinging',
      vat_number: 'DE\t1\u0000',
      address: 'Quay\u0000 1\r\nMoncton\u009b',
    };
    const order = await buy(server, [await makeTaxed()], { payment: 'transfer', purchaser, billing });
    await runJobs(server.context);
    const [invoice] = await findInvoicesOfOrder(server.context.db, order.id);
    expect(invoice && bodyOf(invoice).customer).toEqual({
      ...{ name: 'Ada [31mPark', email: ADA.email },
      ...{ company: 'Bell Ringing', vat_number: 'DE 1', address: 'Quay 1\nMoncton' },
    });
  });

  it('are read by the customer of the order with its token, and by no one else', async () => {
    await server.make('PATCH admin:/site', { seller: { name: 'Hall Ltd', prefix: 'HH-' } });
    const order = await buy(server, [await makeTaxed()], { payment: 'transfer' });
    const other = await buy(server, [await makeTaxed()], { payment: 'transfer' });
    await runJobs(server.context);
    const read = async ({ id, headers }: { id: number; headers: Record<string, string> }) =>
      (await server.ask(`GET tickets:/orders/${id}`, { headers })).body;
    const { invoices, url } = await read(order);
    const number = invoices[0].number;
    expect(invoices).toEqual([
      {
        number,
        kind: 'invoice',
        date: '2026-11-21',
        total: { minor: 2000, formatted: '$20.00' },
        url: `${url}invoice/${number}/`,
      },
    ]);
    expect(number).toMatch(/^HH-2026-000[12]$/);
    const call = `GET tickets:/orders/${order.id}/invoices/${number}`;
    const own = await server.ask(call, { headers: order.headers });
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect(own.body).toMatchObject({
      number,
      is_due: true,
      seller: { name: 'Hall Ltd' },
      lines: [
        { kind: 'place', event: 'Evening', quantity: 1, tax_rate: 19_000, from: '2027-03-06', until: '2027-03-06' },
      ],
      taxes: [{ rate: 19_000, net: { minor: 1681 }, tax: { minor: 319 } }],
      total: { minor: 2000 },
    });
    expect((await server.ask(call, { headers: other.headers })).body.code).toBe('order-not-found');
    expect((await server.ask(call)).body.code).toBe('order-not-found');
    const foreign = (await read(other)).invoices[0].number;
    const wrong = await server.ask(`GET tickets:/orders/${order.id}/invoices/${foreign}`, { headers: order.headers });
    expect(wrong.body.code).toBe('invoice-not-found');
    await server.make('PATCH admin:/site', { seller: { prefix: null } });
  });

  it('are exported for the bookkeeper by tax rate, with negative credit notes and without formulas', async () => {
    const [taxed, plain] = [await makeTaxed(), await paying.makeSeat(5)];
    const purchaser = { name: '=SUM(A1)', email: 'ada@example.test' };
    const { id } = await buy(server, [taxed, plain], { payment: 'transfer', purchaser });
    await runJobs(server.context);
    await server.make(`PATCH admin:/orders/${id}`, { status: 'voided' });
    await runJobs(server.context);
    const query = { order: id, fields: 'kind,customer,tax_rate,net,tax,total,corrects' };
    const { text } = await server.ask('GET admin:/invoices/export', { as: 'editor', query });
    const [heading, first, second, ...credits] = text.trimEnd().split('\r\n');
    expect(heading).toBe('Kind,Name,Tax rate in %,Net,Tax,Total,Corrects');
    expect([first, second]).toEqual(["invoice,'=SUM(A1),19,16.81,3.19,20,", "invoice,'=SUM(A1),0,20,0,20,"]);
    expect(credits.map((line) => line.replace(/2026-\d{4}$/, 'N'))).toEqual([
      "credit,'=SUM(A1),19,-16.81,-3.19,-20,N",
      "credit,'=SUM(A1),0,-20,0,-20,N",
    ]);
    const period = async (before: string) =>
      (await server.ask('GET admin:/invoices', { as: 'editor', query: { order: id, before, kind: 'credit' } })).body
        .total;
    expect([await period('2026-11-20'), await period('2026-11-21')]).toEqual([0, 1]);
  });
});

const refundWithout = (server: TestServer, id: number, attendee: number | undefined) =>
  server.make(`POST admin:/orders/${id}/refunds`, { attendees: [attendee] });

describe.each(DATABASES)('numbers of invoices on %s', (kind) => {
  const server = useTestServer(kind, { invoices: 'paid' });
  let orders: number[] = [];
  beforeAll(async () => {
    const seat = await makeSeat(server(), await makeEvent(server()), 100, { price: '20' });
    const items = [{ ticket_id: seat, quantity: 1 }];
    const { id } = await server().make('POST admin:/orders', { items, payment: 'cash' });
    orders = await copiesOf(server().context.db, id, 200);
  });

  const issue = (orderId: number, hasFailed = false) =>
    server().context.db.transaction(async (db) => {
      await issueInvoices({ ...server().context, db }, { orderId, reason: 'paid' });
      if (hasFailed) throw new Killed();
    });

  it('have no gaps when 200 orders are invoiced at once, twice, by processes that are killed, and begin anew each year', async () => {
    const tasks = [
      ...orders.slice(0, 20).map((id) => () => issue(id, true)),
      ...orders.flatMap((id) => [() => issue(id), () => issue(id)]),
    ];
    // As many as there are connections.
    let killed = 0;
    const process = async (): Promise<void> => {
      for (let task = tasks.shift(); task; task = tasks.shift())
        await task().catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          killed += 1;
        });
    };
    await Promise.all(Array.from({ length: 6 }, process));
    expect(killed).toBe(20);
    const rows = await server().context.db.query.selectFrom('invoices').selectAll().orderBy('number').execute();
    expect(rows.map(({ number }) => number)).toEqual(orders.map((_, at) => at + 1));
    expect(new Set(rows.map(({ order_id }) => order_id))).toEqual(new Set(orders));
    expect([rows[0], rows[199]].map((row) => row && invoiceNumber(row))).toEqual(['2026-0001', '2026-0200']);
    const { context } = server();
    const [id = 0] = await copiesOf(context.db, orders[0] ?? 0, 1, 2_000_000);
    const issueAt = async (time: string) => {
      const now = () => new Date(time);
      const [issued] = await context.db.transaction((db) =>
        issueInvoices({ ...context, now, db }, { orderId: id, reason: 'paid' }),
      );
      await context.db.query.deleteFrom('invoices').where('order_id', '=', id).execute();
      return issued && invoiceNumber(issued);
    };
    // New York is five hours behind.
    expect(await issueAt('2027-01-01T04:59:59Z')).toBe('2026-0201');
    expect(await issueAt('2027-01-01T05:00:00Z')).toBe('2027-0001');
    // A process that read an order before another issued would take a number twice, but for the position.
    const { db } = context;
    const taken = await db.query.selectFrom('invoices').selectAll().limit(1).executeTakeFirstOrThrow();
    const { id: _id, number: _number, ...values } = taken;
    const again = () => db.transaction((trx) => insertInvoice(trx, { ...values, body: bodyOf(taken) }));
    const last = () => db.query.selectFrom('number_series').selectAll().where('series', '=', '2026').execute();
    const before = await last();
    await expect(again()).rejects.toSatisfy(isUniqueViolation);
    expect(await last()).toEqual(before);
    await sql`DROP INDEX invoices_order`.execute(db.query);
    await again();
    expect((await findInvoicesOfOrder(db, taken.order_id)).length).toBe(2);
  });
});

class Killed extends Error {}

/** Copies a paid order; returns the ids of the copies. */
async function copiesOf(db: Database, id: number, count: number, first = 1_000_000): Promise<number[]> {
  const order = await db.query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const items = await db.query.selectFrom('order_items').selectAll().where('order_id', '=', id).execute();
  const ids = Array.from({ length: count }, (_, at) => first + at);
  await db.query
    .insertInto('records')
    .values(ids.map((copy) => ({ id: copy, kind: 'order' as const })))
    .execute();
  for (let from = 0; from < count; from += 20) {
    const some = ids.slice(from, from + 20);
    await db.query
      .insertInto('orders')
      .values(some.map((copy) => ({ ...order, id: copy })))
      .execute();
    await db.query
      .insertInto('order_items')
      .values(some.flatMap((copy) => items.map((item) => ({ ...item, order_id: copy }))))
      .execute();
  }
  return ids;
}
