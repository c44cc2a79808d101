import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import { runJobs } from '../../../test/jobs.ts';
import { DATABASES, type TestServer } from '../../../test/server.ts';
import { ADA, shopperOf } from '../../../test/shopper.ts';
import { taxesOfOrder } from '../../../test/taxes.ts';
import { effort, usualOf } from '../../../test/thoroughness.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { findBookErrors } from '../books/check-books.ts';
import { bodyOf, findInvoicesOfOrder, invoicedOf } from '../ledger/invoices.ts';
import { findPaymentsOfOrder, settledOf } from '../ledger/payments.ts';

/** Each document of an order: kind, total, discount, and by rate the net amount and the tax. */
async function documentsOf({ context: { db } }: TestServer, orderId: number) {
  return (await findInvoicesOfOrder(db, orderId)).map((document) => {
    const { discount, taxes } = bodyOf(document);
    const rates = taxes.map(({ rate, net, tax }) => `${rate / 1000} %: ${net} + ${tax}`);
    return [document.kind, document.total, discount, ...rates];
  });
}

interface Step {
  does: 'amount' | 'place' | 'part' | 'cancel' | 'move' | 'all' | 'company';
  place: number;
  ticket: number;
  amount: number;
}

/** Tickets and steps that once led to wrong taxes. */
const EXAMPLES: [number[], Step[]][] = [
  // The rate of a cancelled place falls below the money that was given back of it.
  [
    [1, 2, 2],
    [
      { does: 'amount', place: 0, ticket: 0, amount: 1980 },
      { does: 'cancel', place: 0, ticket: 0, amount: 1 },
      { does: 'all', place: 0, ticket: 0, amount: 313 },
    ],
  ],
  // A ticket has places at one tax rate after another.
  [
    [1, 1, 0],
    [
      { does: 'move', place: 2, ticket: 2, amount: 1 },
      { does: 'move', place: 0, ticket: 0, amount: 1 },
      { does: 'all', place: 0, ticket: 0, amount: 964 },
    ],
  ],
  // Places are cancelled whose money was given back before, while money of other places is left.
  [
    [1, 0, 1, 1],
    [
      { does: 'amount', place: 0, ticket: 0, amount: 2086 },
      { does: 'cancel', place: 3, ticket: 0, amount: 1 },
      { does: 'cancel', place: 2, ticket: 0, amount: 1 },
      { does: 'place', place: 0, ticket: 0, amount: 1 },
    ],
  ],
];

describe.each(DATABASES)('taxes on invoices on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  let server: TestServer;
  let event = 0;
  const rates: Record<'full' | 'reduced', number> = { full: 0, reduced: 0 };
  beforeAll(async () => {
    paying = await startPaying(kind, { invoices: 'paid' });
    server = paying.server;
    rates.full = (await server.make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: true })).id;
    rates.reduced = (await server.make('POST admin:/tax-rates', { name: 'Low', rate: 7000, included: true })).id;
    event = await makeEvent(server);
    await server.make('PATCH admin:/site', { accepts_donations: true });
  });
  beforeEach(() => paying.reset());
  afterAll(() => paying.close());

  const ticketAt = async (rate: keyof typeof rates, fields: object = {}): Promise<number> =>
    (await makeTicket(server, event, { price: '20', ticket: { mode: '' }, tax_rate_id: rates[rate], ...fields })).id;
  const staff = async (call: string, body: object) => {
    const answer = await server.ask(call, { as: 'administrator', body });
    await runJobs(server.context);
    return answer;
  };
  const sell = async (...items: [ticket_id: number, quantity: number][]) => {
    const { body } = await staff('POST admin:/orders', {
      items: items.map(([ticket_id, quantity]) => ({ ticket_id, quantity })),
      payment: 'cash',
    });
    return { id: body.id as number, attendees: body.attendees as { id: number; ticket_id: number }[] };
  };
  const buyByCard = async (tickets: unknown, more: object) => {
    const shopper = shopperOf(server);
    await shopper.put(tickets, { ...more });
    const { body } = await shopper.checkout({ payment: 'card' });
    const headers = { 'x-order-token': body.order.token };
    const order = { ...body.order, headers, attendees: body.attendees, body };
    const session = await paying.open(order);
    paying.standIn.account.pay(session);
    await paying.deliver();
    return { id: order.id as number, headers, session, attendees: body.attendees as { id: number }[] };
  };
  /** Fails unless the documents of an order have its money and, by rate, its taxes. */
  const expectEven = async (id: number) => {
    const { db } = server.context;
    const { stated, due } = await taxesOfOrder(server, id);
    expect(stated).toEqual(due);
    const { total } = await paying.read({ id });
    expect(total.minor).toBeGreaterThanOrEqual(0);
    const settled = settledOf(await findPaymentsOfOrder(db, id));
    expect(invoicedOf(await findInvoicesOfOrder(db, id))).toBe(settled);
  };

  usually('are split by rate when an amount for places at several rates is given back', async () => {
    const { id, attendees } = await sell([await ticketAt('full'), 1], [await ticketAt('reduced'), 2]);
    await staff(`POST admin:/orders/${id}/refunds`, { amount: 1500 });
    expect((await documentsOf(server, id)).at(-1)).toEqual(['credit', 1500, 0, '19 %: 420 + 80', '7 %: 934 + 66']);
    await expectEven(id);
    await staff(`POST admin:/orders/${id}/refunds`, { all: true, amount: 3500 });
    await expectEven(id);
    expect((await paying.read({ id })).attendees.map(({ status }: { status: string }) => status)).toEqual(
      attendees.map(() => 'trash'),
    );
  });

  usually('go with an attendee who moves to another ticket, by a credit note and a new invoice', async () => {
    const [full, reduced] = [await ticketAt('full', { name: 'Hall' }), await ticketAt('reduced', { name: 'Circle' })];
    const { id, attendees } = await sell([full, 1], [reduced, 1]);
    const hall = attendees.find(({ ticket_id }) => ticket_id === full);
    await staff(`POST admin:/orders/${id}/refunds`, { amount: 2500 });
    await staff(`POST admin:/attendees/${hall?.id}/move`, { ticket_id: reduced });
    expect(await documentsOf(server, id)).toEqual([
      ['invoice', 4000, 0, '19 %: 1681 + 319', '7 %: 1869 + 131'],
      ['credit', 2500, 0, '19 %: 1051 + 199', '7 %: 1168 + 82'],
      ['credit', 1500, 0, '19 %: 630 + 120', '7 %: 701 + 49'],
      ['invoice', 1500, 0, '7 %: 1402 + 98'],
    ]);
    await expectEven(id);
  });

  it('of a place that moves to another event at the same rate are invoiced again with that event', async () => {
    const { id, attendees } = await sell([await ticketAt('full'), 2]);
    const elsewhere = await makeEvent(server, { title: 'Matinee' });
    const { id: other } = await makeTicket(server, elsewhere, { price: '35', ticket: { mode: '' } });
    await staff(`POST admin:/attendees/${attendees[0]?.id}/move`, { ticket_id: other });
    const documents = await findInvoicesOfOrder(server.context.db, id);
    const last = documents.at(-1);
    expect(documents.map(({ kind: kindOf, total }) => [kindOf, total])).toEqual([
      ['invoice', 4000],
      ['credit', 4000],
      ['invoice', 4000],
    ]);
    expect(last && bodyOf(last).lines.map((line) => [line.event, line.quantity, line.total, line.tax])).toEqual(
      expect.arrayContaining([
        ['Matinee', 1, 2000, 319],
        ['Evening', 1, 2000, 320],
      ]),
    );
    await expectEven(id);
  });

  it('and discounts are stated in full once, and later only for the remaining places', async () => {
    const ticket = await ticketAt('full');
    const code = { code: 'half price', kind: 'percent', value: 50_000, ticket_ids: [ticket] };
    await server.make('POST admin:/promotions', code);
    const { id, attendees } = await buyByCard([{ ticket_id: ticket, quantity: 2 }], { promotion: 'half price' });
    await staff(`POST admin:/orders/${id}/refunds`, { attendees: [attendees[0]?.id] });
    await staff(`PATCH admin:/orders/${id}`, { billing: { company: 'Park & Co' } });
    expect((await documentsOf(server, id)).map((document) => document.slice(0, 3))).toEqual([
      ['invoice', 2000, 2000],
      ['credit', 1000, 0],
      ['credit', 1000, 0],
      ['invoice', 1000, 1000],
    ]);
    await expectEven(id);
  });

  it('are credited to the customer of the invoice, whatever the customer is called since', async () => {
    const { id, attendees, headers } = await buyByCard([{ ticket_id: await ticketAt('full'), quantity: 2 }], {});
    const name = 'Grace Hill';
    await server.ask(`PATCH tickets:/orders/${id}`, { headers, body: { purchaser: { name } } });
    await staff(`POST admin:/orders/${id}/refunds`, { attendees: [attendees[0]?.id] });
    const named = async () =>
      (await findInvoicesOfOrder(server.context.db, id)).map((one) => [one.kind, bodyOf(one).customer.name]);
    expect(await named()).toEqual([
      ['invoice', ADA.name],
      ['credit', ADA.name],
    ]);
    await staff(`PATCH admin:/orders/${id}`, { billing: { company: 'Hill Ltd' } });
    expect((await named()).slice(2)).toEqual([
      ['credit', ADA.name],
      ['invoice', name],
    ]);
  });

  it('are credited when a bank takes the payment back, or a part of it', async () => {
    for (const amount of [undefined, 2000]) {
      const { id, session } = await buyByCard([{ ticket_id: await ticketAt('full'), quantity: 2 }], {});
      const dispute = paying.standIn.account.dispute(session, amount);
      await paying.deliver();
      expect((await documentsOf(server, id)).length).toBe(1);
      paying.standIn.account.closeDispute(dispute.id, 'lost');
      await paying.deliver();
      expect((await documentsOf(server, id)).slice(1)).toEqual([
        amount ? ['credit', 2000, 0, '19 %: 1680 + 320'] : ['credit', 4000, 0, '19 %: 3361 + 639'],
      ]);
      await expectEven(id);
    }
  });

  it.each<[string, number, string, object]>([
    ['whose places were cancelled', 1, 'cancel-places', {}],
    ['of which staff have kept a part', 1, 'refunds', { all: true, amount: 1500 }],
    ['of which staff have kept a part of one place', 2, 'refunds', { amount: 500 }],
  ])('are taken back when a bank takes the rest of an order %s', async (_which, quantity, action, wish) => {
    const { id, session, attendees } = await buyByCard([{ ticket_id: await ticketAt('full'), quantity }], {});
    const places = 'all' in wish ? wish : { ...wish, attendees: [attendees[0]?.id] };
    expect((await staff(`POST admin:/orders/${id}/${action}`, places)).status).toBeLessThan(300);
    await paying.work();
    const dispute = paying.standIn.account.dispute(session);
    await paying.deliver();
    paying.standIn.account.closeDispute(dispute.id, 'lost');
    await paying.deliver();
    expect((await paying.read({ id })).owed.minor).toBe(0);
    expect(invoicedOf(await findInvoicesOfOrder(server.context.db, id))).toBe(0);
    expect(await findBookErrors(server.context.db)).toEqual([]);
  });

  it('are those of the price that the customer has chosen, beside an untaxed donation', async () => {
    const ticket = await ticketAt('full', { name: 'As you like', min_price: '5' });
    const { id } = await buyByCard([{ ticket_id: ticket, quantity: 2, price: 700 }], { donation: 1000 });
    const [invoice] = await findInvoicesOfOrder(server.context.db, id);
    expect(
      invoice && bodyOf(invoice).lines.map((line) => [line.kind, line.title, line.unit_price, line.total, line.tax]),
    ).toEqual([
      ['place', 'As you like', 700, 1400, 224],
      ['donation', 'Donation', 1000, 1000, 0],
    ]);
    expect(await documentsOf(server, id)).toEqual([['invoice', 2400, 0, '19 %: 1176 + 224', '0 %: 1000 + 0']]);
    await staff(`POST admin:/orders/${id}/refunds`, { amount: 1200 });
    expect((await documentsOf(server, id)).at(-1)).toEqual(['credit', 1200, 0, '19 %: 588 + 112', '0 %: 500 + 0']);
    await expectEven(id);
    await staff(`POST admin:/orders/${id}/refunds`, {});
    await expectEven(id);
  });

  it('are even after any refunds, cancellations and moves', async () => {
    const tickets = [await ticketAt('full'), await ticketAt('reduced'), await ticketAt('full', { name: 'Other' })];
    const step: fc.Arbitrary<Step> = fc.record({
      does: fc.constantFrom('amount', 'place', 'part', 'cancel', 'move', 'all', 'company'),
      place: fc.nat(3),
      ticket: fc.nat(2),
      amount: fc.integer({ min: 1, max: 2500 }),
    });
    const steps = fc.array(step, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }), steps, async (chosen, history) => {
        const counts = [...Map.groupBy(chosen, (at) => tickets[at] ?? 0)];
        const { id, attendees } = await sell(
          ...counts.map(([ticket, same]): [number, number] => [ticket, same.length]),
        );
        const done: string[] = [];
        for (const { does, place, ticket, amount } of history) {
          const one = attendees[place % attendees.length]?.id;
          const refund = (body: object) => staff(`POST admin:/orders/${id}/refunds`, body);
          const acts = {
            amount: () => refund({ amount }),
            place: () => refund({ attendees: [one] }),
            part: () => refund({ attendees: [one], amount: amount % 2000 }),
            cancel: () => staff(`POST admin:/orders/${id}/cancel-places`, { attendees: [one] }),
            move: () => staff(`POST admin:/attendees/${one}/move`, { ticket_id: tickets[ticket] }),
            all: () => refund({ all: true, amount }),
            company: () => staff(`PATCH admin:/orders/${id}`, { billing: { company: `Company ${amount}` } }),
          };
          // Steps that are impossible now are refused.
          const { status } = await acts[does]();
          done.push(`${does} ${place} ${amount}: ${status}`);
        }
        // Money for cancelled places is still to be given back.
        const { owed } = await paying.read({ id });
        if (owed.minor > 0) await staff(`POST admin:/orders/${id}/refunds`, { amount: owed.minor });
        const documents = await documentsOf(server, id);
        try {
          await expectEven(id);
        } catch (error) {
          throw new Error(`${done.join(', ')}\n${JSON.stringify(documents)}\n${(error as Error).message}`);
        }
        expect(await findBookErrors(server.context.db)).toEqual([]);
        for (const document of await findInvoicesOfOrder(server.context.db, id)) {
          expect(document.total).toBeGreaterThan(0);
          expect(bodyOf(document).taxes.filter(({ net, tax }) => net + tax < 0)).toEqual([]);
        }
      }),
      { numRuns: effort(500, 25), seed: 7, endOnFailure: true, examples: EXAMPLES },
    );
  });
});
